"""The games a command was asked about, one after the other, out of all the files it was given.

Reaching a position: the one that a command line names by file, game and turn.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.game import CHANCE
from notation import read_games
from pbem.archive.source import Source, UnreadableFile
from pbem.judging.replay_record import replay_record
from pbem.terminal.display import Progress

if TYPE_CHECKING:
    from engine.game import Seat
    from notation import Reading, Record
    from pbem.judging.result import ReplayResult
    from pbem.terminal.report import Report


class GameInFile(NamedTuple):
    """One game as it was read, where from, and which of its file it is, from 1."""

    source: Source
    reading: "Reading"
    number: int


def read_all_games(
    files: Iterable[str], report: "Report", label: str, *, witness: Callable[[bytes], None] | None = None
) -> Iterator[GameInFile]:
    """Every game of every file; what cannot be opened is reported, and the next file follows."""
    for name in files:
        source = Source(name, witness)
        number = 0
        with Progress(f"{label} {source.title}") as progress:
            try:
                for number, reading in enumerate(read_games(source.lines()), start=1):
                    progress.total = source.size
                    progress.tell(source.done, f"{number:,} games")
                    yield GameInFile(source, reading, number)
            except UnreadableFile as problem:
                progress.clear()
                report.problem(str(problem), misuse=problem.misuse)
                continue
        if not number:
            report.problem(f"{source.title}: holds no game; `pbem sample` shows what a record looks like", misuse=False)


def pick_game(name: str, number: int | None, report: "Report") -> tuple[GameInFile, "Record"] | None:
    """The game of that number in a file, or its only one, if it can be read; else why not is reported."""
    picked, found = None, 0
    for case in read_all_games([name], report, "reading"):
        found = case.number
        if picked is not None:
            report.problem(f"{case.source.title}: holds several games; say with --game K which of them is meant")
            return None
        if found == (number or 1):
            picked = case
            if number is not None:
                break
    if picked is not None:
        if picked.reading.record is not None and not picked.reading.faults:
            return picked, picked.reading.record
        report_faults(picked, report)
    elif found:
        report.problem(f"{name}: has no game number {number}; it holds {found}")
    return None


def report_faults(case: GameInFile, report: "Report") -> None:
    """Refuse a game that could not be read."""
    from pbem.terminal.refusals import print_fault  # for the few that have faults

    report.refuse()
    for fault in case.reading.faults:
        report.say(print_fault(fault, case.source.title, report.colour), "")
        report.add({"file": case.source.title, "game": case.number, **fault.as_data()})


def report_refusal(case: GameInFile, replayed: "ReplayResult", report: "Report") -> dict[str, Any]:
    """Refuse a game that the referee would not let pass; the refusal as plain data."""
    from pbem.terminal.refusals import print_refusal, quote, refusal_data  # for the few that are refused

    assert replayed.refusal is not None  # noqa: S101 - callers ask first
    report.refuse()
    quoted = quote(replayed.refusal, replayed.record, case.source, case.reading.line)
    report.say(print_refusal(replayed.refusal, quoted, case.source.title, replayed, report.colour), "")
    return refusal_data(replayed.refusal, quoted, case.source.title, replayed)


def load_position(
    file: str, report: "Report", *, game: int | None, at: int | None = None, thrown: bool = False
) -> "ReplayResult":
    """Hear the record as far as turn `at`, or to its end, or end the command when there is no such position.

    `thrown` adds what chance brought next, such as the dice with which the following turn begins.
    """
    picked = pick_game(file, game, report)
    if picked is None:
        report.end()
    case, record = picked
    replayed = replay_record(record, until=at, thrown=thrown)
    if replayed.refusal is not None:
        report.add(report_refusal(case, replayed, report))
        report.end()
    if not check_turn_reached(replayed, at, case, report):
        report.end()
    return replayed


def check_turn_reached(replayed: "ReplayResult", at: int | None, case: "GameInFile", report: "Report") -> bool:
    """Whether the record goes as far as turn `at`; that it does not is reported."""
    if at is None or at <= replayed.turns:
        return True
    report.problem(f"{case.source.title}: turn {at} was not played; the record has {replayed.turns}")
    return False


def players_due(replayed: "ReplayResult") -> list["Seat"]:
    """The seats that can play now: nobody after the end, whatever ended it, and not chance."""
    return [] if replayed.finished else [seat for seat in replayed.due if seat != CHANCE]


def explain_nothing_due(replayed: "ReplayResult") -> str:
    """That nobody has anything to do, and why: the game is finished, or chance goes first."""
    why = "the game is finished" if replayed.finished else "the dice or cards that come next are not in the record"
    return f"nothing can be played: {why}"
