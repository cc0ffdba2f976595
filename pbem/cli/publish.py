"""`pbem publish FILE… -o FOLDER`: games as pages for any web server."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from notation import Record
from pbem.archive.seams import GameInFile
from pbem.judging.entries import fill_in_numbers, tidy_headers
from pbem.judging.result import ReplayResult
from pbem.terminal.arguments import AsJson, FilesFrom, Heap
from pbem.terminal.display import count
from pbem.terminal.inputs import read_all_games, record_files, report_faults, report_refusal
from pbem.terminal.report import Report
from pbem.web.pages import ListedGame
from pbem.web.site import game_files, make_pages, name_game, shared_files
from pbem.web.site_folder import SiteFolder

if TYPE_CHECKING:
    from pbem.terminal.exchange_outputs import PublishedGameJson


def publish(
    files: Heap = None,
    *,
    files_from: FilesFrom = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FOLDER", help="The folder of the site.", show_default=False),
    ] = None,
    json: AsJson = False,
) -> None:
    """Write games as web pages that you can step through.

    The folder becomes a site for any web server, and opens from a disk too: a list of the games, and for each game a
    page in every language with its record beside it. Only what changed is written. Games that you no longer name are
    taken out of the site; what else lies in the folder stays.

    Of a game that goes on the site shows what everybody may know.
    """
    report = Report(json=json)
    if output is None:
        report.give_up("name the folder of the site with -o")
    if output.exists() and not output.is_dir():
        report.give_up(f"{output}: is a file; name a folder")
    try:
        _publish(record_files(files, files_from, report), output, report)
    except OSError as problem:
        report.give_up(f"{output}: cannot be written; {(problem.strerror or str(problem)).lower()}")


def _publish(found: Iterable[str], output: Path, report: Report) -> None:
    site, names = SiteFolder(output), list[str]()
    listed: dict[str, list[ListedGame]] = defaultdict(list)
    for item in read_all_games(found, report, "publishing"):
        if item.reading.record is None:
            report_faults(item, report)
            continue
        _publish_game(item, fill_in_numbers(tidy_headers(item.reading.record)), site, names, listed, report)
    for name, content in shared_files(listed):
        site.put(name, content)
    done = site.finish()
    report.say(f"{count(len(names), 'game')} in {output}: {_sum_up(len(done.written), done.same, len(done.removed))}")
    if names:
        report.say(f"open {output / 'index.html'} in a browser")
    report.end(games=len(names), written=len(done.written), same=done.same, removed=len(done.removed))


def _publish_game(
    item: GameInFile,
    record: Record,
    site: SiteFolder,
    names: list[str],
    listed: dict[str, list[ListedGame]],
    report: Report,
) -> None:
    name = name_game(record, names)
    made = make_pages(record, name)
    if isinstance(made, ReplayResult):
        report.add(report_refusal(item, made, report))
        return
    names.append(name)
    for path, content in game_files(made):
        site.put(path, content)
    for code, page in made.pages.items():
        listed[code].append(page.listed)
    said: PublishedGameJson = {
        "file": item.source.title,
        "game": item.number,
        "pages": [f"{code}/{name}.html" for code in made.pages],
        "running": not made.game.result.finished,
    }
    report.add(said)


def _sum_up(written: int, same: int, removed: int) -> str:
    parts = [f"{count(written, 'file')} written", f"{same:,} unchanged", *([f"{removed:,} removed"] if removed else [])]
    return ", ".join(parts)
