"""`pbem twins FILE…`: games that are in an archive twice, in whole or in part."""

from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from notation import Record, read_games, write_record
from notation.headers import brace
from pbem.archive.files import FileDraft
from pbem.archive.source import STDIN, Source, UnreadableFile
from pbem.books.game_twins import CONTAINED, NEAR, RELATIONS, SAME, TRANSPOSED, Keyed, Twins, find_twins, key_game
from pbem.books.merged_copies import is_over
from pbem.judging.game_keys import keyed_plies
from pbem.terminal.arguments import AsJson, FilesFrom, Heap, Jobs
from pbem.terminal.display import count
from pbem.terminal.game_work import GameWork
from pbem.terminal.inputs import record_files, report_faults
from pbem.terminal.output_file import refuse_post_file
from pbem.terminal.report import RecordedReport, Report

if TYPE_CHECKING:
    from pbem.archive.seams import GameInFile
    from pbem.terminal.book_outputs import TwinGameJson, TwinsJson


def twins(
    files: Heap = None,
    *,
    files_from: FilesFrom = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="RECORDS", help="Write them beside each other.", show_default=False),
    ] = None,
    jobs: Jobs = None,
    json: AsJson = False,
) -> None:
    """Find games that are in an archive twice, in whole or in part.

    They are compared by set-up and moves; names, comments, headers and the way in which moves are written may differ.
    same: the same start and moves. contained: one is the beginning of another. transposed: the same moves in another
    order inside turns. near: most of the game is the same. few moves: fewer than eight, so perhaps different games.

    Nothing is changed or deleted. The exit code is 0, whether there are any or not; it names the games
    that it cannot read.
    """
    report = Report(json=json)
    names = list(record_files(files, files_from, report))
    if STDIN in names:
        report.give_up("twins reads some games a second time, and standard input can be read only once; name a file")
    if output is not None:
        refuse_post_file(output, report)
    keyed: list[Keyed] = []
    games = 0
    work: GameWork[tuple[Keyed | None, RecordedReport]] = GameWork(
        partial(_key, RecordedReport(report)), report, "comparing", jobs=jobs
    )
    for game in work.run(names):
        games += 1
        key, told = game.result
        told.retell(report, game=game.number)
        if key is not None:
            keyed.append(key._replace(file=game.file, number=game.number, line=game.line))
    found = find_twins(keyed, _plies_of)
    for each in found:
        _tell(each, report)
    sums = {relation: sum(len(each.others) for each in found if each.relation == relation) for relation in RELATIONS}
    if output is not None and found:
        try:
            _write(found, output)
        except OSError as problem:
            report.give_up(f"{output}: cannot be written; {(problem.strerror or str(problem)).lower()}")
    says = [f"{sums[SAME]:,} the same", f"{sums[CONTAINED]:,} contained", f"{sums[NEAR]:,} near"]
    says += [f"{sums[each]:,} {each}" for each in RELATIONS if each not in (SAME, CONTAINED, NEAR) and sums[each]]
    where = f"; {output} has them beside each other" if output is not None and found else ""
    report.say(f"{count(games, 'game')} read, {len(keyed):,} compared: {', '.join(says)}; nothing was changed{where}")
    report.end(
        games=games,
        compared=len(keyed),
        same=sums[SAME],
        contained=sums[CONTAINED],
        transposed=sums[TRANSPOSED],
        near=sums[NEAR],
    )


def _key(blank: RecordedReport, item: "GameInFile") -> tuple[Keyed | None, RecordedReport]:
    """The keys of a game, and what is to be printed of it."""
    report = RecordedReport(blank)
    record = item.reading.record
    if record is None:
        report_faults(item, report)
        return None, report
    key = key_game(record, item.source.title, item.number, item.reading.line)
    if key is None:
        report.problem(f"{item.source.title}:{item.reading.line}: has no set-up that can start", misuse=False)
    return key, report


def _read_again(game: Keyed) -> Record:
    lines = islice(Source(game.file).lines(), game.line - 1, None)
    record = next(read_games(lines)).record
    if record is None:
        raise UnreadableFile(f"{game.file}: was changed while it was read", misuse=False)
    return record


def _plies_of(game: Keyed) -> list[bytes]:
    """All chain keys of a game."""
    return [each.key for each in keyed_plies(_read_again(game), game.start)]


def _tell(found: Twins, report: Report) -> None:
    said: TwinsJson = {
        "relation": found.relation,
        "game": _data(found.game),
        "others": [_data(each) for each in found.others],
    }
    report.add(said)
    report.say(f"{found.relation}: {_place(found.game)}")
    for each in found.others:
        note = ", to the letter" if found.relation == SAME and each.text == found.game.text else ""
        if found.relation == CONTAINED:
            note = f", {each.plies} of {found.game.plies} moves"
        report.say(f"    {_place(each)}{note}")


def _place(game: Keyed) -> str:
    return f"{game.file}:{game.line}" + (f" ({game.id})" if game.id.isprintable() and game.id else "")


def _data(game: Keyed) -> "TwinGameJson":
    return {"file": game.file, "game": game.number, "line": game.line, "id": game.id, "moves": game.plies}


def _write(found: list[Twins], path: Path) -> None:
    """All groups into one file, each game below a comment that says where it stands."""
    first = True
    records = [(each, game, _read_again(game)) for each in found for game in (each.game, *each.others)]
    running = any(not is_over(record) for _, _, record in records)
    with FileDraft(str(path), private=running) as draft:
        for each, game, record in records:
            says = f"{_place(game)}" if game is each.game else f"{each.relation}: {_place(game)}"
            draft.write(("" if first else "\n") + brace(says) + "\n" + write_record(record))
            first = False
        draft.publish()
