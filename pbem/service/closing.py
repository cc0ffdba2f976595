"""When to close: at a signal of the system, or when a round has met a failure that it must not survive."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


class ClosingTime:
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
