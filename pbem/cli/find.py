"""`pbem find CONDITION…`: the games that meet some conditions, over a catalogue or over the files themselves."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pbem.archive.source import STDIN
from pbem.catalogue.catalogue_file import NoCatalogue, open_catalogue
from pbem.catalogue.query import (
    LEGAL,
    AtDigest,
    AtMoment,
    Condition,
    Misread,
    Moves,
    OnView,
    Phrase,
    looks_like_term,
    read_term,
)
from pbem.terminal.arguments import AsJson, FilesFrom, Jobs
from pbem.terminal.display import Progress, count
from pbem.terminal.output_file import refuse_post_file
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from notation import Reading, Record
    from pbem.archive.seams import GameInFile
    from pbem.catalogue.catalogue_file import Catalogue
    from pbem.catalogue.hits import Hit
    from pbem.catalogue.query import Plain, Sought
    from pbem.terminal.exchange_outputs import FoundJson


class Wanted(NamedTuple):
    """What is looked for, in facts and in positions; and what is wanted of it."""

    terms: "tuple[Plain, ...]" = ()
    sought: "tuple[Sought, ...]" = ()
    counts: bool = False
    output: Path | None = None
    secrets: bool = False

    @property
    def needs_record(self) -> bool:
        """Whether facts cannot tell, so that the record itself must be looked at."""
        return bool(self.sought) or any(isinstance(each, Moves) and each.is_long for each in self.terms)


def find(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CONDITION... [FILE...]",
            help="Conditions such as player=Anna, and without --in the record files to look through.",
            show_default=False,
        ),
    ] = None,
    *,
    catalogue: Annotated[
        Path | None,
        typer.Option(
            "--in", metavar="CATALOGUE", help="Look in this catalogue, made by `pbem index`.", show_default=False
        ),
    ] = None,
    counts: Annotated[bool, typer.Option("--count", help="Print only how many there are.")] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="RECORDS", help="Write the games into this file.", show_default=False),
    ] = None,
    secrets: Annotated[
        bool, typer.Option("--secrets", help="With -o, of a game that goes on, write all that its record holds.")
    ] = False,
    files_from: FilesFrom = None,
    jobs: Jobs = None,
    json: AsJson = False,
) -> None:
    """Find games by players, words, results and positions.

    All conditions must be met; each is one argument:

    player=Anna, player!=Anna, player~ann (has it in the name), won=Anna, won=red, seat.red=Anna

    game=nomadi, rules=1, id=…, ending=resigned, result=…, verdict=refused, verdict=TD-C2

    turns>60, plies<=200, seats=4, points>=60, date=2026-05, 'date>=2025'

    Event=Fair, Site~market: any header

    words:ravine, words:"deep ravine", words:'rav*': in comments, names and headers

    moves:"leader lilac E4, leader mint": the players' first moves

    at:game.turns@12, at:DIGEST: a position that stood on the table, after turn 12 of that record or with that digest

    'camels.red.lilac has F4', 'coins.blue is 0': at some moment everybody could see this; `pbem replay --json` prints
    the view

    Capitals, accents and points do not count. Without --in the files themselves are read, with the same answers.
    Positions are looked for in the records of the games that meet all else.
    """
    report = Report(json=json)
    names, wanted = _read(words or [], Wanted(counts=counts, output=output, secrets=secrets), report)
    if output is not None:
        refuse_post_file(output, report)
        if counts:
            report.give_up("--count writes no games; leave out -o")
    try:
        if catalogue is not None:
            if names or files_from is not None:
                report.give_up("name files, or a catalogue with --in, not both")
            with open_catalogue(catalogue, create=False) as opened:
                _find_in_catalogue(opened, wanted, report)
        else:
            _find_in_files(names, files_from, jobs, wanted, report)
    except NoCatalogue as problem:
        report.give_up(str(problem))
    report.end()


def _read(words: list[str], wanted: Wanted, report: Report) -> tuple[list[str], Wanted]:
    """The files and what is looked for in them; what makes no sense ends the command."""
    names: list[str] = []
    for word in words:
        if word == STDIN or Path(word).exists() or not looks_like_term(word):
            names.append(word)
            continue
        term = read_term(word)
        if isinstance(term, Misread):
            mark = " " * term.at + "^" * term.length
            report.give_up(f"this is no condition:\n  {term.text}\n  {mark}\n  {term.says}; see `pbem find --help`")
        if isinstance(term, Condition | Phrase | Moves):
            wanted = wanted._replace(terms=(*wanted.terms, term))
        else:
            wanted = wanted._replace(sought=(*wanted.sought, _sought(term, report)))
    return names, wanted


def _sought(term: "AtDigest | AtMoment | OnView", report: Report) -> "Sought":
    from pbem.catalogue.query import Position

    if isinstance(term, OnView):
        return term
    if isinstance(term, AtDigest):
        return Position(term.digest)
    from engine.digest import digest
    from pbem.judging.game_keys import start_key
    from pbem.terminal.inputs import load_position

    replayed = load_position(term.file, report, game=None, at=term.turn)
    return Position(digest(replayed.table, replayed.position), replayed.turn, start_key(replayed.record))


def _find_in_catalogue(catalogue: "Catalogue", wanted: Wanted, report: Report) -> None:
    from pbem.catalogue.hits import count_hits, find_hits
    from pbem.catalogue.query_sql import sql_of, unknown_header

    where = sql_of(wanted.terms, wanted.sought, catalogue)
    if not wanted.needs_record and wanted.output is None:
        if wanted.counts:
            _say_count(count_hits(catalogue, where), wanted, report)
        else:
            _say_count(_list(find_hits(catalogue, where), report), wanted, report)
    else:
        _say_count(_take(_opened(find_hits(catalogue, where), wanted, report), wanted, report), wanted, report)
    for name in unknown_header(wanted.terms, catalogue):
        report.note(f"no game in the catalogue has a header {name!r}; `pbem find --help` lists the conditions")


def _list(hits: "Iterable[Hit]", report: Report) -> int:
    number = 0
    for hit in hits:
        number += 1
        report.say(_line(hit))
        if report.json:
            report.add(_data(hit))
    return number


class _Opened(NamedTuple):
    """A game that was found, with the text that may be written of it."""

    hit: "Hit"
    text: str


def _opened(hits: "Iterable[Hit]", wanted: Wanted, report: Report) -> Iterator[_Opened]:
    """Those of some candidates that meet all conditions, by their records."""
    from pbem.catalogue.found_texts import read_hits

    with Progress("finding") as progress:
        for looked, found in enumerate(read_hits(hits), start=1):
            progress.tell_games(0, looked)
            if found.problem:
                progress.clear()
                report.problem(found.problem, misuse=False)
                continue
            if _is_wanted(found.reading.record if found.reading else None, wanted):
                yield _Opened(found.hit, _text(found.reading, found.text, wanted))


def _is_wanted(record: "Record | None", wanted: Wanted) -> bool:
    if not wanted.needs_record:
        return True
    from pbem.catalogue.query_match import record_meets

    return record is not None and record_meets(record, wanted.terms, wanted.sought)


def _text(reading: "Reading | None", text: str, wanted: Wanted) -> str:
    """What may be written of a game: of one that goes on, what everybody may know."""
    record = reading.record if reading is not None else None
    if wanted.output is None or wanted.secrets or record is None:
        return text
    from notation import END, write_record

    if any(entry.who == END for entry in record.entries):
        return text
    from pbem.judging.open_record import open_record

    opened = open_record(record)
    return text if opened.replayed.finished or opened.record == record else write_record(opened.record)


def _take(found: Iterable[_Opened], wanted: Wanted, report: Report) -> int:
    """List, count or write the games."""
    if wanted.output is None:
        hits = (each.hit for each in found)
        return sum(1 for _ in hits) if wanted.counts else _list(hits, report)
    from pbem.archive.files import FileDraft

    number = 0
    try:
        with FileDraft(str(wanted.output), private=wanted.secrets) as draft:
            draft.write("")
            for number, each in enumerate(found, start=1):
                draft.write(each.text if number == 1 else f"\n{each.text}")
                if report.json:
                    report.add(_data(each.hit))
            draft.publish()
    except OSError as problem:
        report.give_up(f"{wanted.output}: cannot be written; {(problem.strerror or str(problem)).lower()}")
    return number


def _find_in_files(names: list[str], files_from: str | None, jobs: int | None, wanted: Wanted, report: Report) -> None:
    from pbem.terminal.game_work import GameWork
    from pbem.terminal.inputs import record_files

    work: GameWork[_Opened | None] = GameWork(partial(_look, wanted), report, "finding", jobs=jobs, keep=True)

    def found() -> Iterator[_Opened]:
        for game in work.run(record_files(names, files_from, report)):
            if game.result is not None:
                yield game.result._replace(hit=game.result.hit._replace(number=game.number))

    _say_count(_take(found(), wanted, report), wanted, report)


def _look(wanted: Wanted, item: "GameInFile") -> _Opened | None:
    """A game of a file, if it meets all conditions."""
    from pbem.catalogue.game_facts import game_facts
    from pbem.catalogue.hits import Hit, tell
    from pbem.catalogue.query_match import headers_allow, meets

    record = item.reading.record
    if record is not None and not headers_allow(record, wanted.terms):
        return None
    text = item.text() or ""
    facts = game_facts(item.reading, text)
    if not meets(facts, wanted.terms, wanted.sought) or not _is_wanted(record, wanted):
        return None
    hit = Hit(item.source.title, item.number, item.reading.line, tell(facts), facts.key)
    return _Opened(hit, _text(item.reading, text.rstrip("\n") + "\n", wanted))


def _say_count(number: int, wanted: Wanted, report: Report) -> None:
    if wanted.output is not None:
        report.say(f"{count(number, 'game')} written to {wanted.output}, in the order of the files")
    elif wanted.counts:
        report.say(f"{number:,}")
    else:
        report.say(f"{count(number, 'game')} found")
    if report.json:
        report.end(games=number)


def _line(hit: "Hit") -> str:
    """A game in one line: its place, and in a few words what it is."""
    told = hit.told
    parts = [told.game or "?", told.date, told.id] if told.verdict == LEGAL else [told.verdict, told.game, told.id]
    said = ", ".join(filter(None, parts))
    players = ", ".join(
        " ".join(filter(None, [f"{each.name or each.seat} ({each.seat})", _points(each.points), "won" * each.won]))
        for each in told.players
    )
    going_on = "" if told.finished or told.verdict != LEGAL else f", turn {told.turns + 1}"
    return f"{hit.file}:{hit.line}: {said}{going_on}: {players}" if players else f"{hit.file}:{hit.line}: {said}"


def _points(points: int | None) -> str:
    return "" if points is None else str(points)


def _data(hit: "Hit") -> "FoundJson":
    told = hit.told
    return {
        "file": hit.file,
        "number": hit.number,
        "line": hit.line,
        "id": told.id,
        "game": told.game,
        "rules": told.rules,
        "date": told.date,
        "turns": told.turns,
        "verdict": told.verdict,
        "finished": told.finished,
        "ending": told.ending,
        "result": told.result,
        "players": [
            {"seat": each.seat, "name": each.name, "points": each.points, "won": each.won} for each in told.players
        ],
    }
