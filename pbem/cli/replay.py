"""`pbem replay FILE…`: a game told turn by turn."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.game import PUBLIC, Seat
from notation import END, WORDS, write_entry
from pbem.judging.entries import ViewerEntries
from pbem.judging.replay_record import replay_record
from pbem.terminal.arguments import AsJson, Files
from pbem.terminal.inputs import check_turn_reached, read_all_games, report_faults, report_refusal
from pbem.terminal.report import Report
from pbem.terminal.summaries import game_data, headline, score_lines

if TYPE_CHECKING:
    from engine.score import Score
    from notation import Entry, Record


def replay(
    files: Files,
    *,
    to: Annotated[
        int | None, typer.Option("--to", min=0, metavar="N", help="Stop after turn N.", show_default=False)
    ] = None,
    viewer: Annotated[str, typer.Option("--as", metavar="SEAT", help="See the table as this seat does.")] = PUBLIC,
    json: AsJson = False,
) -> None:
    """Tell a game turn by turn, with the score explained.

    Beside each turn stands what it earned. A record that breaks a rule is told as far as it is legal.
    """
    report = Report(json=json)
    for case in read_all_games(files, report, "replaying"):
        record = case.reading.record
        if record is None:
            report_faults(case, report)
            continue
        if viewer != PUBLIC and viewer not in record.seats:
            report.problem(f"{case.source.title}: nobody sits at {viewer}; the seats are {', '.join(record.seats)}")
            continue
        story = Story(record, report, viewer)
        replayed = replay_record(record, until=to, watch=story.tell)
        refused = report_refusal(case, replayed, report) if replayed.refusal is not None else None
        if refused is None:
            check_turn_reached(replayed, to, case, report)
        if replayed.game is not None:
            report.say("", report.colour.paint(headline(replayed), "bold"), *score_lines(replayed.score), "")
            report.add(
                {
                    "file": case.source.title,
                    **game_data(replayed),
                    "entries": story.entries,
                    "view": replayed.game.view(replayed.position, viewer),
                    "refusal": refused,
                }
            )
        elif refused is not None:
            report.add({"file": case.source.title, "refusal": refused})
    report.end()


class Story:
    """Tells each entry of a record as it is played, with the points it brought."""

    def __init__(self, record: "Record", report: Report, viewer: Seat) -> None:
        self.entries: list[dict[str, Any]] = []
        self._game = record.game
        self._report = report
        # A game that is over has no secrets.
        closed = any(entry.who == END for entry in record.entries)
        self._listener = None if closed else ViewerEntries(record, viewer)
        self._had: dict[tuple[Seat, str], int] = {}

    def tell(self, entry: "Entry", turn: int, position: Any) -> None:
        """Tell one entry; `position` is the table after it."""
        if self._game is None:
            return
        if self._listener is not None:
            self._listener.take(entry, turn, position)
            entry = self._listener.entries[-1]
        has = _by_source(self._game.score(position))
        gains = {key: points - self._had.get(key, 0) for key, points in has.items()}
        # What the table takes back is no loss of anybody's.
        earned = [(*key, points) for key, points in gains.items() if points and entry.who not in WORDS]
        self._had = has
        told = ", ".join(
            f"{points:+} {source}" if seat == entry.who else f"{seat} {points:+} {source}"
            for seat, source, points in earned
        )
        line = write_entry(entry._replace(number=turn, remarks=()), self._game)
        self._report.say(f"{line:<44}  {self._report.colour.paint(told, 'green')}" if told else line)
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
