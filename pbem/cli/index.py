"""`pbem index FILE… --in CATALOGUE`: what is known of many games, kept in one file, to find them by."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.archive.seams import size_of
from pbem.archive.source import STDIN
from pbem.archive.workers import all_cores
from pbem.catalogue.catalogue_file import Catalogue, NoCatalogue, open_catalogue
from pbem.catalogue.update import Sums, Update
from pbem.terminal.arguments import AsJson, FilesFrom, Heap, Jobs
from pbem.terminal.display import Progress, count
from pbem.terminal.inputs import record_files
from pbem.terminal.output_file import refuse_post_file
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.terminal.exchange_outputs import IndexedJson


def index(
    files: Heap = None,
    *,
    catalogue: Annotated[
        Path, typer.Option("--in", metavar="CATALOGUE", help="The file to keep it in.", show_default=False)
    ],
    files_from: FilesFrom = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Take a file for unchanged if its size and its time are.")
    ] = False,
    jobs: Jobs = None,
    json: AsJson = False,
) -> None:
    """Make a catalogue of games, or bring it up to date.

    Only games that are new are judged; a game is known by its text, wherever it stands. Stop it when you like: the
    same command goes on from there. The catalogue can be deleted and made again. Files and folders that you do not name
    stay in it as they are.

    Of games that go on it holds what everybody may know.
    """
    report = Report(json=json)
    refuse_post_file(catalogue, report)
    try:
        with open_catalogue(catalogue, create=True) as opened, Progress("indexing") as progress:
            found: Iterable[str] = record_files(files, files_from, report)
            if progress.enabled:
                found = list(found)
                progress.total = sum(map(size_of, found))
            update = Update(
                opened,
                jobs=jobs or all_cores(),
                quick=quick,
                tell=lambda sums: progress.tell_games(sums.bytes, sums.seen, sums.refused),
                problem=lambda why: report.problem(why, misuse=False),
            )
            seen: set[str] = set()
            try:
                update.run(_noted(found, seen), _gone(files or (), seen, opened))
            except KeyboardInterrupt:
                progress.clear()
                report.interrupt(f"stopped after {update.sums.seen:,} games; the same command goes on from here")
                report.end()
    except NoCatalogue as problem:
        report.give_up(str(problem))
    _say(update.sums, catalogue, report)
    report.end()


def _noted(files: Iterable[str], seen: set[str]) -> Iterator[str]:
    for name in files:
        seen.add(name)
        yield name


def _gone(names: Iterable[str], seen: set[str], catalogue: Catalogue) -> Iterator[str]:
    """The files that the catalogue has in the folders that were named, and that are no longer there."""
    for name in names:
        if name != STDIN and not Path(name).is_file():
            below = [name, *catalogue.names_below(name)]
            yield from (each for each in below if each not in seen and not Path(each).exists())


def _say(sums: Sums, catalogue: Path, report: Report) -> None:
    counts = sums.counts
    games, files = count(counts.games, "game"), count(sums.files, "file")
    report.say(f"{games} in {files}: {counts.legal:,} legal, {counts.refused:,} refused, {counts.unread:,} unread")
    report.say(f"{sums.new:,} new, {sums.gone:,} gone, {sums.as_before:,} as before")
    said: IndexedJson = {
        "catalogue": str(catalogue),
        "files": sums.files,
        "games": counts.games,
        "legal": counts.legal,
        "refused": counts.refused,
        "unread": counts.unread,
        "new": sums.new,
        "gone": sums.gone,
        "as_before": sums.as_before,
    }
    report.add(said)
