"""`pbem replay FILE…`: a game, turn by turn, with the points of every turn."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.game import PUBLIC, Seat
from notation import END, WORDS, write_entry
from pbem.judging.entries import ViewerEntries
from pbem.judging.record_replay import replay_record
from pbem.terminal.arguments import AsJson, AsJsonLines, FilesFrom, Heap, Jobs
from pbem.terminal.game_work import GameWork
from pbem.terminal.inputs import check_turn_reached, record_files, report_faults, report_refusal
from pbem.terminal.report import RecordedReport, Report
from pbem.terminal.summaries import game_data, headline, score_lines

if TYPE_CHECKING:
    from engine.score import Score
    from notation import Entry, Record
    from pbem.archive.seams import GameInFile
    from pbem.terminal.record_outputs import ReplayedEntryJson, ReplayedJson, UnplayedJson


def replay(
    files: Heap = None,
    *,
    files_from: FilesFrom = None,
    to: Annotated[
        int | None, typer.Option("--to", min=0, metavar="N", help="Stop after turn N.", show_default=False)
    ] = None,
    viewer: Annotated[str, typer.Option("--as", metavar="SEAT", help="Show what this seat sees.")] = PUBLIC,
    jobs: Jobs = None,
    json: AsJson = False,
    json_lines: AsJsonLines = False,
) -> None:
    """Print a game turn by turn, with the score explained.

    Beside each turn it prints what the turn earned. A record that breaks a rule is printed as far as it is legal.
    """
    report = Report(json=json, lines=json_lines)
    work: GameWork[RecordedReport] = GameWork(
        partial(_replay, RecordedReport(report), to, viewer), report, "replaying", jobs=jobs
    )
    for game in work.run(record_files(files, files_from, report)):
        game.result.retell(report, game=game.number)
    report.end()


def _replay(blank: RecordedReport, to: int | None, viewer: Seat, item: "GameInFile") -> RecordedReport:
    """Replay a game, and give what is to be printed of it."""
    report = RecordedReport(blank)
    record = item.reading.record
    if record is None:
        report_faults(item, report)
        return report
    if viewer != PUBLIC and viewer not in record.seats:
        report.problem(f"{item.source.title}: nobody sits at {viewer}; the seats are {', '.join(record.seats)}")
        return report
    turns = TurnPrinter(record, report, viewer)
    replayed = replay_record(record, until=to, watch=turns.add)
    refused = report_refusal(item, replayed, report) if replayed.refusal is not None else None
    if refused is None:
        check_turn_reached(replayed, to, item, report)
    if replayed.game is not None:
        report.say("", report.colour.paint(headline(replayed), "bold"), *score_lines(replayed.score), "")
        said: ReplayedJson = {
            "file": item.source.title,
            **game_data(replayed),
            "entries": turns.entries,
            "view": dict(replayed.game.view(replayed.position, viewer)),
            "refusal": refused,
        }
        report.add(said)
    elif refused is not None:
        unplayed: UnplayedJson = {"file": item.source.title, "refusal": refused}
        report.add(unplayed)
    return report


class TurnPrinter:
    """Prints each entry of a record as it is played, with the points it brought."""

    def __init__(self, record: "Record", report: Report, viewer: Seat) -> None:
        self.entries: list[ReplayedEntryJson] = []
        self._game = record.game
        self._report = report
        # A game that is over has no secrets.
        is_over = any(entry.who == END for entry in record.entries)
        self._redacted = None if is_over else ViewerEntries(record, viewer)
        self._points: dict[tuple[Seat, str], int] = {}

    def add(self, entry: "Entry", turn: int, position: Any) -> None:
        """Print one entry; `position` is the one after it."""
        if self._game is None:
            return
        if self._redacted is not None:
            self._redacted.add(entry, turn, position)
            entry = self._redacted.entries[-1]
        has = _by_source(self._game.score(position))
        gains = {key: points - self._points.get(key, 0) for key, points in has.items()}
        # An undo takes points back, but nobody has lost them.
        earned = [(*key, points) for key, points in gains.items() if points and entry.who not in WORDS]
        self._points = has
        gained = ", ".join(
            f"{points:+} {source}" if seat == entry.who else f"{seat} {points:+} {source}"
            for seat, source, points in earned
        )
        line = write_entry(entry._replace(number=turn, remarks=()), self._game)
        self._report.say(f"{line:<44}  {self._report.colour.paint(gained, 'green')}" if gained else line)
        self.entries.append(
            {
                "turn": turn,
                "who": entry.who,
                "moves": line.partition(": ")[2],
                "earned": [{"seat": seat, "source": source, "points": points} for seat, source, points in earned],
            }
        )


def _by_source(score: "Score") -> dict[tuple[Seat, str], int]:
    sums: dict[tuple[Seat, str], int] = {}
    for tally in score.tallies:
        for line in tally.lines:
            sums[tally.seat, line.source] = sums.get((tally.seat, line.source), 0) + line.points
    return sums
