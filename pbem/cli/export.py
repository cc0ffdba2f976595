"""`pbem export FILE…`: games in the forms of other programs."""

import json as json_module
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from notation import Record
from pbem.archive.files import FileDraft
from pbem.archive.seams import GameInFile
from pbem.archive.source import STDIN
from pbem.judging.entries import fill_in_numbers, tidy_headers
from pbem.judging.open_record import OpenRecord, open_record
from pbem.terminal.arguments import AsJson, FilesFrom, Heap
from pbem.terminal.display import count
from pbem.terminal.inputs import read_all_games, record_files, report_faults, report_refusal
from pbem.terminal.output_file import refuse_post_file
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.terminal.exchange_outputs import ExportedGamesJson

JSON: Final = "json"
CSV: Final = "csv"
PARQUET: Final = "parquet"
ABSTRACT_PLAY: Final = "abstract-play"
FORMS: Final = (JSON, CSV, PARQUET, ABSTRACT_PLAY)
IN_FOLDERS: Final = (CSV, PARQUET)
"""The forms that are several tables."""
OWN_SITE: Final = "Caravan Post"


class _Sums:
    """What became of the games."""

    def __init__(self) -> None:
        self.games = 0
        self.written = 0
        self.running = 0
        self.lost: Counter[str] = Counter()

    @property
    def left_out(self) -> int:
        """Games that were not written."""
        return self.games - self.written


class _Wish(NamedTuple):
    """What the caller wants: the form, where to, and whether secrets of running games stay in."""

    form: str
    output: Path | None
    secrets: bool
    site: str


def export(
    files: Heap = None,
    *,
    files_from: FilesFrom = None,
    to: Annotated[str, typer.Option("--to", metavar="FORM", help=f"{', '.join(FORMS[:-1])} or {FORMS[-1]}.")] = JSON,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help="The file to write; for csv and parquet a folder.  [default: standard output]",
            show_default=False,
        ),
    ] = None,
    secrets: Annotated[
        bool, typer.Option("--secrets", help="Of a game that goes on, write all that its record holds.")
    ] = False,
    site: Annotated[
        str, typer.Option("--site", metavar="NAME", help="For Abstract Play: where the games were played.")
    ] = OWN_SITE,
    json: AsJson = False,
) -> None:
    """Write games as JSON, tables or records of Abstract Play.

    json loses nothing: `pbem import` makes the same record of it, to the byte. It has one game a line. csv and parquet
    write the tables games, players, entries, points and times into a folder. abstract-play takes finished games only
    and says what it loses.

    Of a game that goes on you get what everybody may know, unless you ask for its secrets.
    """
    report = Report(json=json)
    wish = _Wish(to.lower(), output, secrets, site)
    _check(wish, report)
    sums = _Sums()
    found = record_files(files, files_from, report)
    try:
        if wish.form in IN_FOLDERS:
            _export_tables(found, wish, sums, report)
        else:
            _export_lines(found, wish, sums, report)
    except OSError as problem:
        report.give_up(f"{output or 'the output'}: cannot be written; {(problem.strerror or str(problem)).lower()}")
    _say_sums(sums, wish, report)
    report.end(games=sums.games, written=sums.written, left_out=sums.left_out, running=sums.running)


def _check(wish: _Wish, report: Report) -> None:
    """End the command if the wish makes no sense."""
    if wish.form not in FORMS:
        report.give_up(f"there is no form {wish.form!r}; there is {', '.join(FORMS)}")
    if wish.output is None:
        if wish.form in IN_FOLDERS:
            report.give_up(f"{wish.form} is several tables: name a folder for them with -o")
        if report.json:
            report.give_up("the games go to standard output, where --json writes; name a file with -o")
    else:
        refuse_post_file(wish.output, report)
        if wish.form in IN_FOLDERS and wish.output.exists() and not wish.output.is_dir():
            report.give_up(f"{wish.output}: is a file; {wish.form} needs a folder")
        if wish.form not in IN_FOLDERS and wish.output.is_dir():
            report.give_up(f"{wish.output}: is a folder; name a file")
    if wish.form == PARQUET:
        from pbem.exchange.parquet import HOW_TO_GET, have_duckdb

        if not have_duckdb():
            report.give_up(HOW_TO_GET)


def _records(files: Iterable[str], sums: _Sums, report: Report) -> Iterator[tuple[GameInFile, Record]]:
    """Every game that can be read, in canonical form."""
    for item in read_all_games(files, report, "exporting"):
        sums.games += 1
        if item.reading.record is None:
            report_faults(item, report)
        else:
            yield item, fill_in_numbers(tidy_headers(item.reading.record))


def _is_legal(item: GameInFile, opened: OpenRecord, sums: _Sums, report: Report) -> bool:
    """Whether a game is not refused; reported if it is, counted if it goes on."""
    if opened.replayed.refusal is not None:
        report.add(report_refusal(item, opened.replayed, report))
        return False
    sums.running += not opened.replayed.finished
    return True


def _export_lines(files: Iterable[str], wish: _Wish, sums: _Sums, report: Report) -> None:
    with FileDraft(str(wish.output or STDIN), private=wish.secrets) as draft:
        for item, record in _records(files, sums, report):
            line = _line(item, record, wish, sums, report)
            if line is not None:
                draft.write(json_module.dumps(line, ensure_ascii=False) + "\n")
                sums.written += 1
        if wish.output is not None or sums.written:
            draft.write("")
            draft.publish()
    said: ExportedGamesJson = {
        "file": str(wish.output) if wish.output is not None else None,
        "count": sums.written,
        "lost": dict(sums.lost),
    }
    report.add(said)


def _line(item: GameInFile, record: Record, wish: _Wish, sums: _Sums, report: Report) -> Mapping[str, object] | None:
    """One game as plain data; None, with a report, where it cannot be written."""
    from pbem.exchange.record_json import record_to_json

    if wish.form == JSON and wish.secrets:
        return record_to_json(record)
    opened = open_record(record)
    if not _is_legal(item, opened, sums, report):
        return None
    if wish.form == JSON:
        return record_to_json(opened.record)
    from pbem.exchange.abstract_play import to_abstract_play

    now = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    made = to_abstract_play(record, opened.replayed, site=wish.site, generated=now)
    sums.lost.update(made.lost)
    if made.record is None:
        report.problem(f"{item.source.title}: game {item.number} is left out: {made.why_not}", misuse=False)
    return made.record


def _export_tables(files: Iterable[str], wish: _Wish, sums: _Sums, report: Report) -> None:
    from pbem.exchange.parquet import write_parquet
    from pbem.exchange.tables import TABLES, Place, csv_line, rows_of

    folder = wish.output
    assert folder is not None  # noqa: S101 - _check has seen to it
    folder.mkdir(parents=True, exist_ok=True)
    rows = Counter(dict.fromkeys(TABLES, 0))
    with ExitStack() as stack:
        drafts = {
            table: stack.enter_context(FileDraft(str(folder / f"{table}.csv"), private=wish.secrets))
            for table in TABLES
        }
        for table, draft in drafts.items():
            draft.write(",".join(TABLES[table]) + "\n")
        for item, record in _records(files, sums, report):
            made = rows_of(record, Place(item.source.title, item.number, item.reading.line), whole=wish.secrets)
            if not _is_legal(item, made.opened, sums, report):
                continue
            sums.written += 1
            for table, some in made.rows.items():
                drafts[table].write("".join(map(csv_line, some)))
                rows[table] += len(some)
        for draft in drafts.values():
            draft.publish()
    for table in TABLES:
        path = folder / f"{table}.csv"
        if wish.form == PARQUET:
            held = write_parquet(table, path, folder / f".{table}.parquet")
            path.unlink()
            path = folder / f"{table}.parquet"
            (folder / f".{table}.parquet").replace(path)
            if held != rows[table]:
                report.problem(f"{path}: holds {held} rows instead of {rows[table]}; write it again", misuse=False)
        report.say(f"wrote {path}: {count(rows[table], 'row')}")
        said: ExportedGamesJson = {"file": str(path), "count": rows[table], "lost": {}}
        report.add(said)


def _say_sums(sums: _Sums, wish: _Wish, report: Report) -> None:
    # Where the games themselves are on standard output, the sums go beside it.
    say = report.say if wish.output is not None else report.note
    say(f"{count(sums.games, 'game')} read: {sums.written:,} written, {sums.left_out:,} left out")
    if sums.running and not wish.secrets:
        say(f"{count(sums.running, 'game')} of them still on: only what everybody may know was written")
    if sums.lost:
        say("Abstract Play has no place for: " + ", ".join(f"{n:,} {what}" for what, n in sums.lost.items()))
