"""One piece of work for every game of a heap of files, on all cores, told in the order of the files.

Results are the same on any number of cores. Ctrl-C ends the work; what was done until then is told.
"""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from pbem.archive.seams import GameInFile, Joint, Piece, PieceResult, cut, games_of, gather, size_of, work_on_pieces
from pbem.archive.source import STDIN, UnreadableFile
from pbem.archive.workers import all_cores, in_order
from pbem.terminal.display import Progress

if TYPE_CHECKING:
    from pbem.terminal.report import Report

R = TypeVar("R")

STANDARD_INPUT: Final = "standard input"


class WorkedGame(NamedTuple, Generic[R]):
    """A game of a heap and what came of it: the file, its number in there from 1, the line where it begins."""

    file: str
    number: int
    line: int
    result: R


class GameWork(Generic[R]):
    """Does `work` on every game of some files; `keep` lets each game give its text.

    `work` runs in other processes too, so it and what it gives must be such as can be sent to them.
    """

    def __init__(
        self,
        work: Callable[[GameInFile], R],
        report: "Report",
        label: str,
        *,
        jobs: int | None = None,
        keep: bool = False,
    ) -> None:
        self._work = work
        self._report = report
        self._label = label
        self._jobs = jobs or all_cores()
        self._keep = keep
        self._joint: Joint | None = None
        self._within = 0
        """How many bytes of the piece at hand were read; 0 if another process does it."""
        self.games = 0
        """How many games were told so far."""
        self.refused = 0
        """How many of them were refused, as the command counts them; for the progress bar."""

    def run(self, files: Iterable[str]) -> Iterator[WorkedGame[R]]:
        """Every game of the files in order. A file that cannot be read is reported, and the next one follows."""
        with Progress(self._label) as progress:
            if progress.enabled:
                files = list(files)
                progress.total = sum(map(size_of, files))
            try:
                with _CtrlC() as asked:
                    yield from self._until(asked, files, progress)
            except KeyboardInterrupt:
                progress.clear()
                self._report.interrupt(f"stopped after {self.games:,} games")

    def _until(self, asked: "_CtrlC", files: Iterable[str], progress: Progress) -> Iterator[WorkedGame[R]]:
        for done, game in self._run(files):
            if asked.once:
                raise KeyboardInterrupt
            self.games += 1
            progress.tell_games(done, self.games, self.refused)
            yield game

    def _run(self, files: Iterable[str]) -> Iterator[tuple[int, WorkedGame[R]]]:
        """Every game, and how many bytes were read with it."""
        if self._jobs > 1:
            pieces = (piece for name in files for piece in cut(name))
        else:
            pieces = (Piece(name, size_of(name)) for name in files)
        work = partial(work_on_pieces, self._work, self._keep)
        done = 0
        groups = in_order(work, gather(pieces), self._jobs, shared=lambda group: group[0].is_shared)
        for group, results in groups:
            for index, piece in enumerate(group):
                self._within = 0
                for game in self._tell(piece, results[index] if results is not None else None):
                    yield done + self._within, game
                done += piece.size
        self._finish_file()

    def _tell(self, piece: Piece, result: PieceResult[R] | None) -> Iterator[WorkedGame[R]]:
        if piece.begin == 0:
            self._finish_file()
            self._joint = Joint(piece.name)
        joint = self._joint
        corrected = joint.correct(piece) if joint is not None else None
        if joint is None or corrected is None:
            return
        title = STANDARD_INPUT if piece.name == STDIN else piece.name
        if result is None or corrected != piece:
            yield from self._do_here(corrected, joint, title)
            return
        for line, made in result.games:
            joint.number += 1
            yield WorkedGame(title, joint.number, line, made)
        joint.go_on(None if result.problem else result.next_line, result.no_comment_ends_before)
        if result.problem is not None:
            self._cannot_read(*result.problem)

    def _do_here(self, piece: Piece, joint: Joint, title: str) -> Iterator[WorkedGame[R]]:
        stream, games = games_of(piece, keep=self._keep)
        try:
            for item in games:
                self._within = item.source.done - piece.begin
                joint.number += 1
                yield WorkedGame(title, joint.number, item.reading.line, self._work(item))
            joint.go_on(stream.next_line, stream.no_comment_ends_before)
        except UnreadableFile as problem:
            joint.go_on(None, 0)
            self._cannot_read(str(problem), problem.misuse)

    def _cannot_read(self, why: str, misuse: bool) -> None:
        self._report.problem(why, misuse=misuse)
        self._joint = None

    def _finish_file(self) -> None:
        """Say if a file held no game."""
        joint, self._joint = self._joint, None
        if joint is not None and not joint.number:
            title = STANDARD_INPUT if joint.name == STDIN else joint.name
            says = "holds no game; `pbem sample` shows what a record looks like"
            self._report.problem(f"{title}: {says}", misuse=False)


class _CtrlC:
    """Lets the game at hand be told before Ctrl-C ends the work; a second one ends it at once."""

    def __init__(self) -> None:
        self.once = False
        self._before: Any = None

    def __enter__(self) -> "_CtrlC":
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, *_: object) -> None:
        if self.once:
            raise KeyboardInterrupt
        self.once = True
