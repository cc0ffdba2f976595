"""The running service: letters come in, are handled, mails go out and clocks are checked, all in one process.

Each kind of work is a worker in its own thread; the store lets one thread write at a time. A failure of one worker
does not stop the others: it is logged and the worker tries again after longer and longer waits. Only a disk that
failed ends the service, because what it holds is in doubt. When the service stops, every worker finishes the letter
or mail it has and begins no other.
"""

import logging
import os
import select
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from threading import Event, Thread
from time import monotonic
from typing import Final

from pbem.mail.reading.limits import TICKETED
from pbem.mail.transport.factory import open_intakes, open_mailer
from pbem.mail.transport.protocols import Intake, Mailer
from pbem.mail.transport.retry import reconnect_delay
from pbem.service.backups import back_up_if_due, time_until_due
from pbem.service.front_door import open_door
from pbem.service.health import TickTimes, count_everything
from pbem.service.housekeeping import tidy_up
from pbem.service.journal import note, warn
from pbem.service.key_rotation import refuse_other_key
from pbem.service.lock import SERVING, STANDING_BY, open_lock, take_lock
from pbem.service.other_hosts import refuse_other_post
from pbem.service.post_folder import open_post
from pbem.service.send_queue import MailerState, send_due
from pbem.service.water_mark import watch_mark
from pbem.settings.sections import Settings
from pbem.store.arrivals import Received
from pbem.store.errors import StoreBusyError, StoreFailedError
from pbem.workflow.context import PostContext
from pbem.workflow.handle_letter import handle_arrived_letters
from pbem.workflow.tick import WENT_BACK, TickResult, give_back_outage, tick

_LONG: Final = 3_600.0
"""Seconds after which a worker looks again, though nothing is due before."""
_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


class StopSignal:
    """Tells the main thread to stop; may be set anywhere, also in a signal handler.

    It is a pipe and not a lock: a handler that waits for a lock that the interrupted thread holds waits for ever.
    """

    def __init__(self) -> None:
        self._read_end, self._write_end = os.pipe()

    def set(self) -> None:
        """Stop now."""
        os.write(self._write_end, b".")

    def wait(self, seconds: float | None = None) -> bool:
        """Whether the service must stop; wait until it must, or for some time at most. It stays so once it was set."""
        ready, _, _ = select.select([self._read_end], [], [], seconds)
        return bool(ready)

    @contextmanager
    def at_signals(self) -> Iterator[None]:
        """Meanwhile the first signal stops the service; the second ends the process at once."""
        before = {each: signal.getsignal(each) for each in _SIGNALS}
        for each in _SIGNALS:
            signal.signal(each, self._handle)
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def _handle(self, *_: object) -> None:
        for each in _SIGNALS:
            # A worker may be waiting for a server that does not answer; a second signal does not wait for it.
            signal.signal(each, signal.SIG_DFL)
        self.set()


Step = Callable[[], float]
"""Does the work once; returns how many seconds to wait afterwards, unless woken."""

_LOG: Final = logging.getLogger(__name__)


class Worker:
    """Repeats one kind of work in its own thread: when woken, and after every wait."""

    def __init__(self, name: str, step: Step, *, stop: Event, fail: Callable[[str], None]) -> None:
        self.name = name
        self._step = step
        self._stop = stop
        self._fail = fail
        self._woken = Event()
        self._thread = Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def wake(self) -> None:
        """Work now, or notice that it is time to stop."""
        self._woken.set()

    def join(self) -> None:
        """Wait until the present piece of work is done."""
        self._thread.join()

    def _run(self) -> None:
        failures = 0
        while not self._stop.is_set():
            self._woken.clear()
            try:
                seconds, failures = self._step(), 0
            except StoreFailedError as reason:
                self._fail(str(reason))
                return
            except StoreBusyError as reason:
                _LOG.warning("%s: %s", self.name, reason)
                seconds = reconnect_delay(1)
            except Exception:
                failures += 1
                seconds = reconnect_delay(failures)
                _LOG.exception("%s failed", self.name)
            if not self._stop.is_set():
                self._woken.wait(seconds)


@dataclass(frozen=True, slots=True)
class Intervals:
    """Seconds between two turns of a worker. What another process stores is found after such a wait."""

    letters: float = 1.0
    mails: float = 1.0
    clocks: float = 20.0
    health: float = 300.0
    sweep: float = 3_600.0
    take_over: float = 2.0


class Service:
    """A post that is being served."""

    def __init__(
        self,
        context: PostContext,
        intakes: Sequence[Intake],
        mailer: Mailer,
        *,
        intervals: Intervals,
        stop_signal: StopSignal,
    ) -> None:
        self.context = self._context = context
        self._mailer = mailer
        self._intervals = intervals
        self._stop_signal = stop_signal
        self._stop = Event()
        self._mailer_state = MailerState()
        self._ticks = TickTimes()
        self.failure: str | None = None
        self._letters = self._worker("letters", self._handle_letters)
        self._mails = self._worker("mails", self._send_mails)
        clocks = self._worker("clocks", self._check_clocks)
        health = self._worker("health", self._log_health)
        sweep = self._worker("sweep", self._tidy_up)
        backups = self._worker("backups", self._back_up)
        box = NotifyingLetterbox(context, self._letters.wake)
        watchers = {each: self._worker(each.name, partial(self._watch, each, box)) for each in intakes}
        self._doors = [worker for intake, worker in watchers.items() if intake.listens]
        readers = [worker for intake, worker in watchers.items() if not intake.listens]
        self._workers = [self._letters, self._mails, clocks, health, sweep, backups, *readers]
        if context.settings.metrics.port:
            self._workers.append(self._worker("metrics", self._show_figures))
        self._started: list[Worker] = []

    def open_doors(self) -> None:
        """Let letters in that mail servers bring, and do nothing with them yet."""
        self._start(self._doors)

    def open(self) -> None:
        """Start all workers; those that are running already go on."""
        note(_LOG, "the post is open", rounds=" ".join(each.name for each in (*self._workers, *self._doors)))
        self._start([*self._workers, *self._doors])

    def _start(self, workers: Sequence[Worker]) -> None:
        for each in workers:
            if each not in self._started:
                self._started.append(each)
                each.start()

    def close(self) -> None:
        """Let all workers finish what they have, and stop."""
        self._stop.set()
        for each in self._started:
            each.wake()
        for each in self._started:
            each.join()
        note(_LOG, "the post is closed", failure=self.failure)

    def _worker(self, name: str, step: Step) -> Worker:
        return Worker(name, step, stop=self._stop, fail=self._fail)

    def _fail(self, reason: str) -> None:
        _LOG.error("the post must stop: %s", reason)
        self.failure = reason
        self._stop_signal.set()

    def _handle_letters(self) -> float:
        self._note_clocks(give_back_outage(self._context))
        for outcome in handle_arrived_letters(self._context):
            note(
                _LOG,
                "letter handled",
                letter=outcome.letter,
                fate=outcome.fate,
                reason=outcome.reason,
                game=outcome.game,
                seat=outcome.seat,
            )
            self._mails.wake()
            if self._stop.is_set():
                break
        return self._intervals.letters

    def _send_mails(self) -> float:
        # A database that somebody put back under us has mails in it that were sent before.
        watch_mark(self._context.settings, self._context.store)
        # Only this worker sends mails: a mailer is used by one thread.
        counts = send_due(self._context, self._mailer, closed=self._stop.is_set)
        if not self._stop.is_set():
            self._mailer_state.update(counts)
        return self._intervals.mails

    def _tidy_up(self) -> float:
        tidy_up(self._context, closed=self._stop.is_set)
        return self._intervals.sweep

    def _back_up(self) -> float:
        settings, now = self._context.settings, self._context.now()
        if (made := back_up_if_due(settings, now)) is not None:
            note(_LOG, "copy of the database made", file=made.path.name)
        waits = time_until_due(settings, now).total_seconds() if settings.backup.folder is not None else _LONG
        return min(max(waits, 1.0), _LONG)

    def _check_clocks(self) -> float:
        done_clocks = give_back_outage(self._context)
        waits = self._has_genuine_letters()
        if not waits:
            started = monotonic()
            done_clocks += tick(self._context)
            self._ticks.add(started)
        self._note_clocks(done_clocks)
        return self._intervals.letters if waits else self._intervals.clocks

    def _note_clocks(self, done_clocks: list[TickResult]) -> None:
        for done in done_clocks:
            if done.what == WENT_BACK:
                warn(_LOG, f"the {WENT_BACK} {done.detail}")
            else:
                note(_LOG, "clock checked", what=done.what, game=done.game or None, seat=done.seat or None)
            if done.problem is not None:
                _LOG.error("the clock of %s could not be checked; report this", done.game, exc_info=done.problem)
            self._letters.wake()
            self._mails.wake()

    def _has_genuine_letters(self) -> bool:
        """Whether letters of players may wait: they come before clocks, and what strangers write stops no clock."""
        with self._context.store.reading() as transaction:
            return transaction.may_be_genuine()

    def _log_health(self) -> float:
        note(_LOG, "health", **count_everything(self._context.store, self._context.now()).facts)
        return self._intervals.health

    def _show_figures(self) -> float:
        from pbem.service.metrics import show_figures  # it loads a web server, and most posts show nothing

        return show_figures(self._context.settings, self._context.now, self._ticks, self._stop)

    def _watch(self, intake: Intake, box: "NotifyingLetterbox") -> float:
        intake.watch(box, self._stop)
        return 0.0


class NotifyingLetterbox:
    """A letterbox that wakes the worker that handles letters."""

    def __init__(self, context: PostContext, notify: Callable[[], None]) -> None:
        self._door = open_door(context)
        self._notify = notify

    def receive(
        self, raw: bytes, *, intake: str, env_from: str | None = None, env_to: Sequence[str] = ()
    ) -> Received | None:
        """Store one letter with its envelope."""
        answer = self._door.receive(raw, intake=intake, env_from=env_from, env_to=env_to)
        self._notify()
        return answer

    def receive_all(self, raws: Sequence[bytes], *, intake: str) -> list[Received | None]:
        """Store several letters that came without envelopes."""
        answers = self._door.receive_all(raws, intake=intake)
        self._notify()
        return answers


def serve(settings: Settings, stop_signal: StopSignal, *, intervals: Intervals | None = None) -> str | None:
    """Serve the post until told to stop; the reason if it had to stop by itself.

    Where a server keeps the post, several hosts may do this: one serves, and the others take over when it is gone.
    """
    if settings.store.is_on_server:
        return _serve_or_stand_by(settings, stop_signal, intervals or Intervals())
    with take_lock(settings, SERVING), _opened(settings, stop_signal, intervals or Intervals()) as service:
        with service.context.store.transaction() as transaction:
            # No other process sends while we hold the lock, so claimed mails were left by a process that died.
            if left := transaction.put_all_back():
                note(_LOG, "mails left by a process that died", mails=left)
        service.open()
        stop_signal.wait()
    return service.failure


@contextmanager
def _opened(settings: Settings, stop_signal: StopSignal, intervals: Intervals) -> Iterator[Service]:
    """A service whose workers are not running yet; they are stopped in the end."""
    with open_post(settings) as context, closing(open_mailer(settings)) as mailer:
        refuse_other_key(context)
        intakes = open_intakes(settings, context.identity.owns, most=TICKETED, larger=context.largest_size)
        service = Service(context, intakes, mailer, intervals=intervals, stop_signal=stop_signal)
        try:
            yield service
        finally:
            service.close()


def _serve_or_stand_by(settings: Settings, stop_signal: StopSignal, intervals: Intervals) -> str | None:
    """Serve when no other host does. Mails that another had in hand are sent when their lease ends, not before."""
    with open_lock(settings, STANDING_BY) as lock, _opened(settings, stop_signal, intervals) as service:
        refuse_other_post(service.context)
        service.open_doors()
        standing_by = False
        while not lock.take():
            if not standing_by:
                holder = lock.holder()
                note(_LOG, "the post stands by", served_by=holder.host if holder is not None else None)
            standing_by = True
            if stop_signal.wait(intervals.take_over):
                return service.failure
            with suppress(StoreBusyError):  # the server is away, and with it everybody's work
                watch_mark(settings, service.context.store)
        lock.name(SERVING)
        service.open()
        while not stop_signal.wait(intervals.take_over):
            # Who has lost the lock may finish what is in hand: somebody else who serves meanwhile does nothing twice.
            if not lock.is_alive() and not lock.take() and (other := lock.holder()) is not None:
                _LOG.error("the post must stop: %s serves it now", other.host)
                return f"{other.host} serves the post now"
    return service.failure
