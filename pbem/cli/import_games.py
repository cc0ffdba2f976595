"""`pbem import FILE…`: games of other programs as records, with a list of what has no place in them."""

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from json import JSONDecodeError, loads
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from notation import write_record
from pbem.archive.files import FileDraft
from pbem.archive.source import STDIN
from pbem.exchange.record_json import JsonReading, Unmapped, record_from_json
from pbem.judging.entries import fill_in_numbers, tidy_headers
from pbem.terminal.display import Progress, count
from pbem.terminal.output_file import refuse_post_file
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.terminal.exchange_outputs import ImportedGamesJson, NotMappedJson


LONGEST: Final = 1 << 27
"""Bytes of a game as JSON. The longest record that can be read is a quarter of it."""


class _GameInJson(NamedTuple):
    """A game as it was given: the file and its number in there, from 1; and what became of it."""

    file: str
    number: int
    reading: JsonReading


def import_games(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...", help="Games as JSON, one a line; - reads standard input.", show_default=False
        ),
    ],
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="RECORDS",
            help="The record file to write.  [default: standard output]",
            show_default=False,
        ),
    ] = None,
    report_to: Annotated[
        Path | None,
        typer.Option(
            "--report", metavar="LIST", help="Write what has no place in a record into this file.", show_default=False
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
) -> None:
    """Read games from JSON, and list what has no place in a record.

    The JSON is what `pbem export` writes; `pbem schema record-json` prints its schema. Moves are read as leniently as
    in a letter. Nothing is dropped in silence: each thing that is not known is listed with its place. The records are
    read, not judged: `pbem validate` does that.

    The exit code is 0 if every game could be read, even if something had no place.
    """
    report = Report(json=json)
    if json and output is None:
        report.give_up("the records go to standard output, where --json writes; name a file with -o")
    for path in (output, report_to):
        if path is not None:
            refuse_post_file(path, report)
    games = written = 0
    unmapped: list[str] = []
    try:
        with FileDraft(str(output or STDIN)) as draft:
            for item in _read_all(files, report):
                games += 1
                unmapped += _report(item, report)
                if item.reading.record is not None:
                    text = write_record(fill_in_numbers(tidy_headers(item.reading.record)))
                    draft.write(f"\n{text}" if written else text)
                    written += 1
            if output is not None or written:
                draft.write("")
                draft.publish()
        if report_to is not None:
            with FileDraft(str(report_to)) as listed:
                listed.write("".join(f"{line}\n" for line in unmapped))
                listed.publish()
    except OSError as problem:
        report.give_up(f"cannot be written; {problem.filename or output}: {(problem.strerror or str(problem)).lower()}")
    if output is not None:
        report.say(f"{count(games, 'game')} read: {written:,} written to {output}, {games - written:,} left out")
        if unmapped:
            report.say(f"{count(len(unmapped), 'thing')} had no place in a record")
    said: ImportedGamesJson = {"file": str(output) if output is not None else None, "games": written}
    report.add(said)
    report.end(games=games, written=written, left_out=games - written, not_mapped=len(unmapped))


def _read_all(files: list[str], report: Report) -> Iterator[_GameInJson]:
    """Every game of every file. A file that cannot be opened is reported, and the next one follows."""
    for name in files:
        title = "standard input" if name == STDIN else name
        number = done = 0
        with Progress(f"importing {title}") as progress:
            try:
                with nullcontext(sys.stdin.buffer) if name == STDIN else Path(name).open("rb") as stream:
                    while line := stream.readline(LONGEST + 1):
                        done += len(line)
                        progress.tell(done, f"bytes, {number:,} games")
                        if line.strip():
                            number += 1
                            yield _GameInJson(title, number, _read(line))
            except OSError as problem:
                progress.clear()
                report.problem(f"{title}: cannot be read; {(problem.strerror or str(problem)).lower()}")
                continue
        if not number:
            report.problem(f"{title}: holds no game; `pbem export` writes what is read here", misuse=False)


def _read(line: bytes) -> JsonReading:
    if len(line) > LONGEST:
        return JsonReading(None, (f"its line is longer than {LONGEST:,} bytes",))
    try:
        return record_from_json(loads(line, object_pairs_hook=_every_key_once))
    except JSONDecodeError as wrong:
        return JsonReading(None, (f"character {wrong.pos + 1}: no JSON; write one game on each line",))
    except _KeySaidTwice as wrong:
        return JsonReading(None, (f"an object says {wrong} twice; which one counts?",))
    except (RecursionError, ValueError):
        return JsonReading(None, ("it is nested too deep, or has a number of too many digits",))


class _KeySaidTwice(Exception):  # noqa: N818 - it is what the data are
    """Raised while JSON is read: of two values under one key, one would be dropped in silence."""


def _every_key_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _KeySaidTwice(next(repr(key) for number, key in enumerate(keys) if key in keys[:number]))
    return made


def _report(item: _GameInJson, report: Report) -> list[str]:
    """Tell what is wrong with a game; the lines for the list of what has no place."""
    lines = []
    for problem in item.reading.problems:
        report.refuse()
        report.problem(f"{item.file}, game {item.number}: {problem}", misuse=False)
        report.add(_said(item, Unmapped("", problem), refused=True))
    for each in item.reading.unmapped:
        lines.append(f"{item.file}, game {item.number}, {each.place}: {each.what}")
        report.add(_said(item, each, refused=False))
    return lines


def _said(item: _GameInJson, what: Unmapped, *, refused: bool) -> "NotMappedJson":
    return {"file": item.file, "game": item.number, "place": what.place, "what": what.what, "refused": refused}
