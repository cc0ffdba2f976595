"""Work shared by several processes, its results in the order of the work.

Workers live as long as the run, because what the rules and the grammars remember is worth keeping. If one of them dies,
what is left is done here; nothing is lost and nothing is done twice.
"""

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

W = TypeVar("W")
R = TypeVar("R")

_WORTH_IT: Final = 4
"""Pieces of work for which processes are started: a process needs some tenths of a second to begin."""


def all_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(
    function: Callable[[W], R], work: Iterable[W], jobs: int, *, shared: Callable[[W], bool] = lambda _: True
) -> Iterator[tuple[W, R | None]]:
    """Each piece of work with its result, in order; without one where the caller is to do it here.

    That is so where it cannot be shared, where it is too little to start processes for, and where they died.
    """
    remaining = iter(work)
    first = list(islice(remaining, _WORTH_IT))
    if jobs < 2 or len(first) < _WORTH_IT:
        yield from ((each, None) for each in first)
        yield from ((each, None) for each in remaining)
        return
    from concurrent.futures.process import BrokenProcessPool

    with _Pool(jobs) as pool:
        waiting: deque[tuple[W, Future[R] | None]] = deque()

        def fill(source: Iterable[W]) -> None:
            waiting.extend((each, pool.start(function, each) if shared(each) else None) for each in source)

        fill(first)
        fill(islice(remaining, 2 * jobs))
        while waiting:
            each, future = waiting.popleft()
            fill(islice(remaining, 1))
            try:
                yield each, future.result() if future is not None else None
            except BrokenProcessPool:
                pool.is_broken = True
                yield each, None


class _Pool:
    """Processes, which end without waiting for work that nobody wants any more."""

    def __init__(self, jobs: int) -> None:
        self.is_broken = False
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> "_Pool":
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def start(self, function: Callable[[W], R], each: W) -> "Future[R] | None":
        """Let a process do it; None if none can be started any more."""
        from concurrent.futures.process import BrokenProcessPool

        if self.is_broken:
            return None
        if self._pool is None:
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import get_context

            # On Linux a forked worker has loaded everything already; elsewhere forks are not safe.
            context = get_context("fork" if sys.platform == "linux" else "spawn")
            self._pool = ProcessPoolExecutor(self._jobs, context, initializer=_ignore_ctrl_c)
        try:
            return self._pool.submit(function, each)
        except BrokenProcessPool:
            return None


def _ignore_ctrl_c() -> None:
    """The process that started this one decides what Ctrl-C means."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
