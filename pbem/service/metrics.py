"""Figures of a running post for programs that watch it, over HTTP: `/metrics` for Prometheus, and `/healthz`.

They are counted when they are asked for, over a connection of their own that only reads: so an answer comes while a
letter is in hand, and also if one is stuck. They are numbers alone: no names, no addresses, no words and no games.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from socketserver import ThreadingMixIn
from threading import Event
from typing import TYPE_CHECKING, Any, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from pbem.service.health import Health, TickTimes, count_everything
from pbem.service.journal import note, warn
from pbem.service.post_folder import open_store
from pbem.settings.durations import format_duration
from pbem.settings.sections import Settings
from pbem.store.errors import StoreError
from pbem.store.store import LAST_TICK

if TYPE_CHECKING:
    from prometheus_client.core import Metric

STUCK: Final = timedelta(minutes=5)
"""After this long without an outcome of a letter, or without a look at the clocks, something is wrong."""
_AGAIN: Final = 60.0
"""Seconds until a port is tried again that could not be opened."""
_LOOK: Final = 0.5
"""Seconds until it is noticed that the service stops."""
_SILENCE: Final = 10
"""Seconds after which a connection is closed on which nothing is asked."""
_TEXT: Final = ("Content-Type", "text/plain; charset=utf-8")
_FATES: Final = ("applied", "refused", "duplicate", "automatic", "quarantined", "waiting", "unread")

_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Figures:
    """All that is counted for one answer."""

    health: Health
    lag: timedelta
    """How long the oldest letter without an outcome has waited."""
    since_tick: timedelta | None
    """How long ago the clocks were looked at; None if they never were."""
    size: int
    """Bytes of the database and of its log."""

    @property
    def problems(self) -> Iterator[str]:
        """What is stuck, in words."""
        if self.lag > STUCK:
            yield f"letters are stuck: the oldest has waited for {format_duration(self.lag)}"
        if self.since_tick is None:
            yield "clocks are stuck: they were never looked at"
        elif self.since_tick > STUCK:
            yield f"clocks are stuck: the last look was {format_duration(self.since_tick)} ago"


def count_figures(settings: Settings, now: datetime) -> Figures:
    """Count everything now."""
    with open_store(settings, reads=True) as store:
        health = count_everything(store, now)
        with store.reading() as transaction:
            oldest, last = transaction.oldest_unhandled(), transaction.load_setting(LAST_TICK)
            size = transaction.file_size().file if settings.store.is_on_server else 0
    path = settings.database
    files = [path.with_name(path.name + end) for end in ("", "-wal")]
    return Figures(
        health,
        max(now - oldest, timedelta()) if oldest is not None else timedelta(),
        max(now - datetime.fromisoformat(last), timedelta()) if last is not None else None,
        size or sum(each.stat().st_size for each in files if each.exists()),
    )


class FigureCollector:
    """What Prometheus is told; everything is counted anew each time."""

    def __init__(self, settings: Settings, now: Callable[[], datetime], ticks: TickTimes) -> None:
        self._settings = settings
        self._now = now
        self._ticks = ticks

    def collect(self) -> "Iterator[Metric]":
        """All figures."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, SummaryMetricFamily

        def gauge(name: str, about: str, value: float) -> GaugeMetricFamily:
            return GaugeMetricFamily(f"caravan_{name}", about, value=value)

        def by(name: str, about: str, label: str, values: Iterable[tuple[str, int]]) -> GaugeMetricFamily:
            family = GaugeMetricFamily(f"caravan_{name}", about, labels=[label])
            for each, value in values:
                family.add_metric([each], value)
            return family

        found = count_figures(self._settings, self._now())
        letters, mails = found.health.letters, found.health.mails
        yield CounterMetricFamily("caravan_letters_received", "Letters that arrived.", value=letters.received)
        yield by("letters", "Letters by their fate.", "fate", [(fate, getattr(letters, fate)) for fate in _FATES])
        yield gauge("letters_lost", "Letters that arrived and cannot be found; must be 0.", letters.difference)
        yield gauge("letter_lag_seconds", "Age of the oldest letter without a fate.", found.lag.total_seconds())
        yield by("mails", "Mails by their state; queued ones wait to be sent.", "state", mails.items())
        yield by("games", "Games by their stage.", "stage", found.health.games.items())
        yield gauge("clocks_due", "Games whose clocks must be looked at now.", found.health.clocks_due)
        yield gauge("database_bytes", "Bytes of the database and of its log.", found.size)
        ticks = self._ticks
        about = "Looks at the clocks, and how long they took."
        yield SummaryMetricFamily("caravan_tick_seconds", about, count_value=ticks.count, sum_value=ticks.seconds)
        if found.since_tick is not None:
            yield gauge("last_tick_age_seconds", "Time since the last of them.", found.since_tick.total_seconds())


def make_app(settings: Settings, now: Callable[[], datetime], ticks: TickTimes) -> Callable[..., Iterable[bytes]]:
    """The pages, as a WSGI application."""
    from prometheus_client import CollectorRegistry, make_wsgi_app

    registry = CollectorRegistry(auto_describe=False)
    registry.register(FigureCollector(settings, now, ticks))
    figures: Callable[..., Iterable[bytes]] = make_wsgi_app(registry)

    def answer(request: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        asked = request.get("PATH_INFO")
        if request.get("REQUEST_METHOD") not in ("GET", "HEAD"):
            return _say(start, "405 Method Not Allowed", "only GET")
        try:
            if asked == "/metrics":
                return figures(request, start)
            if asked != "/healthz":
                return _say(start, "404 Not Found", "there are /metrics and /healthz")
            problems = [*count_figures(settings, now()).problems]
        except (StoreError, OSError) as reason:
            warn(_LOG, "the figures cannot be counted", reason=str(reason))
            return _say(start, "503 Service Unavailable", "the database cannot be read")
        return _say(start, "503 Service Unavailable", *problems) if problems else _say(start, "200 OK", "all is well")

    return answer


def _say(start: Callable[..., object], status: str, *lines: str) -> list[bytes]:
    start(status, [_TEXT])
    return ["".join(f"{line}\n" for line in lines).encode()]


class _Handler(WSGIRequestHandler):
    """Answers without a line in the journal, and not to whoever is silent."""

    timeout = _SILENCE

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Nothing: whoever watches asks every few seconds."""


class _Server(ThreadingMixIn, WSGIServer):
    """Several may ask at once."""

    daemon_threads = True
    block_on_close = False


def show_figures(settings: Settings, now: Callable[[], datetime], ticks: TickTimes, stop: Event) -> float:
    """Answer until the service stops; or the seconds until the port is to be tried again."""
    host, port = settings.metrics.host, settings.metrics.port
    try:
        server = make_server(host, port, make_app(settings, now, ticks), _Server, _Handler)
    except OSError as reason:
        warn(_LOG, "the port for figures cannot be opened", port=port, reason=reason.strerror)
        return _AGAIN
    with server:
        note(_LOG, "figures are shown", address=f"http://{host}:{port}/metrics")
        server.timeout = _LOOK
        while not stop.is_set():
            server.handle_request()
    return 0.0
