"""A round: one kind of work done again and again in a thread of its own, until the post closes.

Trouble of one round does not stop the others. It is told, and the round goes on more and more patiently; only a
disk that failed ends the whole service, because what it holds is in doubt.
"""

import logging
from collections.abc import Callable
from threading import Event, Thread
from typing import Final

from pbem.mail.transport.patience import wait_to_knock
from pbem.store.errors import StoreBusyError, StoreFailedError

Step = Callable[[], float]
"""One go at the work; how many seconds to rest afterwards, unless the bell rings."""

_LOG: Final = logging.getLogger(__name__)


class Round:
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
                _LOG.warning("%s: %s", self.name, reason)
                rest = wait_to_knock(1)
            except Exception:
                failures += 1
                rest = wait_to_knock(failures)
                _LOG.exception("%s stumbled", self.name)
            if not self._stop.is_set():
                self._bell.wait(rest)
