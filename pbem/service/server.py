"""When to close: at a signal of the system, or when a round has met a failure that it must not survive.

A round: one kind of work done again and again in a thread of its own, until the post closes.

Trouble of one round does not stop the others. It is told, and the round goes on more and more patiently; only a
disk that failed ends the whole service, because what it holds is in doubt.

The post in service: letters come in, the clerk works, mails go out, the clocks are looked at, all in one process.

Each is a round in a thread of its own; the store lets one of them write at a time. At closing time every round
finishes the letter or mail in hand and begins no other.
"""

import logging
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Event, Thread
from typing import Final

from pbem.mail.transport.factory import open_intakes, open_mailer
from pbem.mail.transport.protocols import Intake, Mailer
from pbem.mail.transport.retry import reconnect_delay
from pbem.service.health import count_everything
from pbem.service.journal import note
from pbem.service.lock import SERVING, take_lock
from pbem.service.post_folder import open_post
from pbem.service.send_queue import MailerState, forget_old_mails, send_due
from pbem.settings.sections import Settings
from pbem.store.errors import StoreBusyError, StoreFailedError
from pbem.workflow.context import PostContext
from pbem.workflow.handle_letter import handle_arrived_letters
from pbem.workflow.tick import give_back_outage, tick

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


class StopSignal:
    """Waited for by the main thread; comes from anywhere, also from the handler of a signal.

    It is a pipe and not a lock: a handler that waits for a lock which the interrupted thread holds waits for ever.
    """

    def __init__(self) -> None:
        self._ear, self._mouth = os.pipe()

    def come(self) -> None:
        """It is time."""
        os.write(self._mouth, b".")

    def wait(self) -> None:
        """Until it is time."""
        os.read(self._ear, 1)

    @contextmanager
    def at_signals(self) -> Iterator[None]:
        """Meanwhile a signal to end means closing time; the second one ends the process at once."""
        before = {each: signal.getsignal(each) for each in _SIGNALS}
        for each in _SIGNALS:
            signal.signal(each, self._hear)
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def _hear(self, *_: object) -> None:
        for each in _SIGNALS:
            # What is in hand may be waiting for a server that says nothing; whoever asks twice does not want to wait.
            signal.signal(each, signal.SIG_DFL)
        self.come()


Step = Callable[[], float]
"""One go at the work; how many seconds to rest afterwards, unless the bell rings."""

_LOG_ROUNDS: Final = logging.getLogger(__name__)


class Worker:
    """Does its work when the bell rings, or when it has rested."""

    def __init__(self, name: str, step: Step, *, stop: Event, fail: Callable[[str], None]) -> None:
        self.name = name
        self._step = step
        self._stop = stop
        self._fail = fail
        self._bell = Event()
        self._thread = Thread(target=self._go, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def ring(self) -> None:
        """There is something to do, or it is time to go home."""
        self._bell.set()

    def join(self) -> None:
        """Wait for the end of what is in hand."""
        self._thread.join()

    def _go(self) -> None:
        failures = 0
        while not self._stop.is_set():
            self._bell.clear()
            try:
                rest, failures = self._step(), 0
            except StoreFailedError as reason:
                self._fail(str(reason))
                return
            except StoreBusyError as reason:
                _LOG_ROUNDS.warning("%s: %s", self.name, reason)
                rest = reconnect_delay(1)
            except Exception:
                failures += 1
                rest = reconnect_delay(failures)
                _LOG_ROUNDS.exception("%s stumbled", self.name)
            if not self._stop.is_set():
                self._bell.wait(rest)


_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Intervals:
    """How many seconds the rounds rest; what another process brings is found after a rest."""

    letters: float = 1.0
    mails: float = 1.0
    clocks: float = 20.0
    health: float = 300.0
    sweep: float = 3_600.0


class Service:
    """An open post."""

    def __init__(
        self, context: PostContext, ways_in: Sequence[Intake], way_out: Mailer, *, tempo: Intervals, end: StopSignal
    ) -> None:
        self._office = context
        self._way_out = way_out
        self._tempo = tempo
        self._end = end
        self._stop = Event()
        self._watch_out = MailerState()
        self.failure: str | None = None
        self._letters = self._round("letters", self._handle_letters)
        self._mails = self._round("mails", self._send_mails)
        clocks = self._round("clocks", self._look_at_clocks)
        health = self._round("health", self._tell_health)
        sweep = self._round("sweep", self._sweep)
        box = NotifyingLetterbox(context, self._letters.ring)
        doors = [self._round(way.name, partial(self._watch, way, box)) for way in ways_in]
        self._rounds = [self._letters, self._mails, clocks, health, sweep, *doors]

    def open(self) -> None:
        """Let all rounds begin."""
        note(_LOG, "the post is open", rounds=" ".join(each.name for each in self._rounds))
        for each in self._rounds:
            each.start()

    def close(self) -> None:
        """Let all rounds finish what is in hand."""
        self._stop.set()
        for each in self._rounds:
            each.ring()
        for each in self._rounds:
            each.join()
        note(_LOG, "the post is closed", failure=self.failure)

    def _round(self, name: str, step: Step) -> Worker:
        return Worker(name, step, stop=self._stop, fail=self._fail)

    def _fail(self, reason: str) -> None:
        _LOG.error("the post must close: %s", reason)
        self.failure = reason
        self._end.come()

    def _handle_letters(self) -> float:
        for outcome in handle_arrived_letters(self._office):
            note(
                _LOG,
                "letter handled",
                letter=outcome.letter,
                fate=outcome.fate,
                reason=outcome.reason,
                game=outcome.game,
                seat=outcome.seat,
            )
            self._mails.ring()
            if self._stop.is_set():
                break
        return self._tempo.letters

    def _send_mails(self) -> float:
        # All that leaves the house leaves it from this round: a way out is used by one thread.
        drained = send_due(self._office, self._way_out, closed=self._stop.is_set)
        if not self._stop.is_set():
            self._watch_out.see(drained)
        return self._tempo.mails

    def _sweep(self) -> float:
        forget_old_mails(self._office)
        return self._tempo.sweep

    def _look_at_clocks(self) -> float:
        looked = give_back_outage(self._office)
        waits = self._has_letters()
        if not waits:
            looked += tick(self._office)
        for done in looked:
            note(_LOG, "clock looked at", what=done.what, game=done.game or None, seat=done.seat or None)
            if done.problem is not None:
                _LOG.error("the clock of %s could not be looked at; report this", done.game, exc_info=done.problem)
            self._letters.ring()
            self._mails.ring()
        return self._tempo.letters if waits else self._tempo.clocks

    def _has_letters(self) -> bool:
        """Whether letters lie here that nobody has read: whoever wrote in time is heard before the clock is."""
        with self._office.store.reading() as transaction:
            return transaction.next_received() is not None

    def _tell_health(self) -> float:
        note(_LOG, "health", **count_everything(self._office.store, self._office.now()).facts)
        return self._tempo.health

    def _watch(self, way: Intake, box: "NotifyingLetterbox") -> float:
        way.watch(box, self._stop)
        return 0.0


class NotifyingLetterbox:
    """A letterbox that tells the clerk when something was dropped."""

    def __init__(self, context: PostContext, ring: Callable[[], None]) -> None:
        self._store = context.store
        self._ring = ring

    def receive(self, raw: bytes, *, intake: str, env_from: str | None = None, env_to: Sequence[str] = ()) -> None:
        """Keep one letter with its envelope."""
        self._store.receive(raw, intake=intake, env_from=env_from, env_to=env_to)
        self._ring()

    def receive_all(self, raws: Sequence[bytes], *, intake: str) -> None:
        """Keep several letters that came without envelopes."""
        self._store.receive_all(raws, intake=intake)
        self._ring()


def serve(settings: Settings, end: StopSignal, *, tempo: Intervals | None = None) -> str | None:
    """Be open until closing time; why the post had to close earlier, if it had to."""
    with take_lock(settings, SERVING), open_post(settings) as context, closing(open_mailer(settings)) as way_out:
        with context.store.transaction() as transaction:
            # Nobody else sends while we hold the key: what was claimed, a process had in hand when it died.
            if left := transaction.put_all_back():
                note(_LOG, "mails left by a process that died", mails=left)
        ways_in = open_intakes(settings, context.identity.owns)
        service = Service(context, ways_in, way_out, tempo=tempo or Intervals(), end=end)
        service.open()
        try:
            end.wait()
        finally:
            service.close()
        return service.failure
