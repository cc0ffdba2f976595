"""The games that a command was asked about, read from the files it was given, and positions in them."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from engine.game import CHANCE
from notation import read_games
from pbem.archive.heap import list_record_files, read_file_list
from pbem.archive.seams import GameInFile
from pbem.archive.source import Source, UnreadableFile
from pbem.judging.record_replay import replay_record
from pbem.terminal.display import Progress

if TYPE_CHECKING:
    from engine.game import Seat
    from notation import Fault, Record
    from pbem.judging.result import ReplayResult
    from pbem.terminal.display import Colour
    from pbem.terminal.record_outputs import GameFaultJson, RefusalJson
    from pbem.terminal.report import Report


def record_files(names: Iterable[str] | None, file_list: str | None, report: "Report") -> Iterator[str]:
    """The record files that a command was given: by name, by folder, and in a list; what cannot be looked at is told.

    If none was given at all, the command ends.
    """
    if not names and file_list is None:
        report.give_up(
            "name record files or folders, - for standard input, or a list of files with --files-from; --help says more"
        )
    try:
        listed = read_file_list(file_list) if file_list is not None else []
    except UnreadableFile as problem:
        report.give_up(str(problem))
    for each in list_record_files([*(names or ()), *listed]):
        if isinstance(each, UnreadableFile):
            report.problem(str(each), misuse=each.misuse)
        else:
            yield each


def read_all_games(
    files: Iterable[str], report: "Report", label: str, *, on_block: Callable[[bytes], None] | None = None
) -> Iterator[GameInFile]:
    """Every game of every file. A file that cannot be opened is reported, and the next one follows.

    `on_block` sees the bytes of the files as they are read.
    """
    for name in files:
        source = Source(name, on_block)
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
    """The game with that number in a file, or its only one; None, with a report, if it cannot be read."""
    picked, found = None, 0
    for item in read_all_games([name], report, "reading"):
        found = item.number
        if picked is not None:
            report.problem(f"{item.source.title}: holds several games; say with --game K which one you mean")
            return None
        if found == (number or 1):
            picked = item
            if number is not None:
                break
    if picked is not None:
        if picked.reading.record is not None and not picked.reading.faults:
            return picked, picked.reading.record
        report_faults(picked, report)
    elif found:
        report.problem(f"{name}: has no game number {number}; it holds {found}")
    return None


def report_faults(item: GameInFile, report: "Report") -> None:
    """Report a game that could not be read."""
    tell_faults(item.source.title, item.number, item.reading.faults, report)


def tell_faults(file: str, game: int, faults: "Iterable[Fault]", report: "Report") -> None:
    """Report the faults of a game of a file."""
    from pbem.terminal.refusals import fault_data, print_fault  # only needed when something is wrong

    report.refuse()
    for fault in faults:
        report.say(print_fault(fault, file, report.colour), "")
        said: GameFaultJson = {"file": file, "game": game, **fault_data(fault)}
        report.add(said)


class ToldRefusal(NamedTuple):
    """A game that breaks a rule, as text and as plain data."""

    text: str
    data: "RefusalJson"


def report_refusal(item: GameInFile, replayed: "ReplayResult", report: "Report") -> "RefusalJson":
    """Report a game that breaks a rule; the refusal as plain data."""
    told = tell_refusal(item, replayed, report.colour)
    report.refuse()
    report.say(told.text, "")
    return told.data


def tell_refusal(item: GameInFile, replayed: "ReplayResult", colour: "Colour") -> ToldRefusal:
    """Why a game breaks a rule."""
    from pbem.terminal.refusals import print_refusal, quote, refusal_data  # only needed when something is wrong

    assert replayed.refusal is not None  # noqa: S101 - callers ask first
    quoted = quote(replayed.refusal, replayed.record, item.source, item.reading.line)
    title = item.source.title
    text = print_refusal(replayed.refusal, quoted, title, replayed, colour)
    return ToldRefusal(text, refusal_data(replayed.refusal, quoted, title, replayed))


def load_position(
    file: str, report: "Report", *, game: int | None, at: int | None = None, thrown: bool = False
) -> "ReplayResult":
    """Replay the record in a file up to turn `at`, or to its end; if that cannot be done, end the command.

    `thrown` also plays the dice or cards that came next, with which the following turn begins.
    """
    picked = pick_game(file, game, report)
    if picked is None:
        report.end()
    item, record = picked
    replayed = replay_record(record, until=at, thrown=thrown)
    if replayed.refusal is not None:
        report.add(report_refusal(item, replayed, report))
        report.end()
    if not check_turn_reached(replayed, at, item, report):
        report.end()
    return replayed


def check_turn_reached(replayed: "ReplayResult", at: int | None, item: "GameInFile", report: "Report") -> bool:
    """Whether the record goes as far as turn `at`; reported if not."""
    if at is None or at <= replayed.turns:
        return True
    report.problem(f"{item.source.title}: turn {at} was not played; the record has {replayed.turns}")
    return False


def players_due(replayed: "ReplayResult") -> list["Seat"]:
    """The seats that can play now; none after the end, and chance is not one of them."""
    return [] if replayed.finished else [seat for seat in replayed.due if seat != CHANCE]


def explain_nothing_due(replayed: "ReplayResult") -> str:
    """Why nobody can play: the game is finished, or chance goes first."""
    why = "the game is finished" if replayed.finished else "the dice or cards that come next are not in the record"
    return f"nothing can be played: {why}"
