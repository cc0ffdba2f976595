"""`pbem merge A B`: two annotated copies of games as one, without losing a word."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from notation import Record, write_games
from pbem.archive.files import FileDraft
from pbem.archive.source import STDIN
from pbem.books.merged_copies import Merged, is_over, merge_records
from pbem.judging.entries import fill_in_numbers, tidy_headers
from pbem.terminal.arguments import AsJson
from pbem.terminal.display import count
from pbem.terminal.inputs import read_all_games, report_faults
from pbem.terminal.output_file import refuse_post_file
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.terminal.book_outputs import MergedJson


def merge(
    a: Annotated[str, typer.Argument(metavar="A", help="A record file; - reads standard input.", show_default=False)],
    b: Annotated[str, typer.Argument(metavar="B", help="Another copy.", show_default=False)],
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="OUT", help="The record file to write.", show_default=False)
    ],
    json: AsJson = False,
) -> None:
    """Join annotated copies of games without losing a word.

    What both say at a place stands there once, the words of A first. Of a header that differs A's value is kept; the
    other gets a name of its own, such as Event.copy2. If one copy is the beginning of the other, the longer one is
    kept. A sealed record keeps its headers, and only remarks of people go into it.

    Files of several games are joined game by game, in the order of A; what has no copy in the other file is kept.
    """
    report = Report(json=json)
    if a == b == STDIN:
        report.give_up("standard input can be read only once; name a file for one of the two")
    refuse_post_file(output, report)
    first, second = _games(a, report), _games(b, report)
    if report.troubles:
        report.end()
    joined: list[Record] = []
    copies = 0
    why = ""
    for record in first:
        made, told = record, None
        for other in second:
            found = merge_records(made, other)
            if isinstance(found, Merged):
                second.remove(other)
                made, told = found.record, found
                break
            why = found
        copies += told is not None
        joined.append(made)
        if told is not None:
            _tell(made, told, report)
    if not copies:
        report.give_up(f"nothing was written: {a} and {b} hold no copies of one game; {why}", misuse=False)
    joined += second
    try:
        with FileDraft(str(output), private=not all(map(is_over, joined))) as draft:
            for piece in write_games(joined):
                draft.write(piece)
            draft.publish()
    except OSError as problem:
        report.give_up(f"{output}: cannot be written; {(problem.strerror or str(problem)).lower()}")
    report.say(f"wrote {output}: {count(len(joined), 'game')}, {copies} of them from both")
    report.end(games=len(joined), joined=copies)


def _games(name: str, report: Report) -> list[Record]:
    found = []
    for item in read_all_games([name], report, "reading"):
        if item.reading.record is None:
            report_faults(item, report)
        else:
            found.append(fill_in_numbers(tidy_headers(item.reading.record)))
    return found


def _tell(record: Record, merged: Merged, report: Report) -> None:
    said: MergedJson = {
        "id": record.header("Id"),
        "first": merged.first,
        "second": merged.second,
        "both": merged.both,
        "notes": list(merged.notes),
    }
    report.add(said)
    report.say(
        f"{count(merged.first, 'remark')} of the first, {merged.second:,} of the second, {merged.both:,} of both"
    )
    report.say(*merged.notes)
