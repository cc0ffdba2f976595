"""The texts of games that were found, read where they stand; one that is no longer what was indexed is told."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from notation import Reading
from pbem.archive.packed import GZIP, ZSTD
from pbem.archive.seams import GameInFile, Piece, games_of
from pbem.archive.source import UnreadableFile
from pbem.catalogue.game_facts import game_facts, text_key
from pbem.catalogue.hits import Hit, Told


class FoundText(NamedTuple):
    """A game that was found, as it was read and as it stands in its file; `problem` if it is not what was indexed."""

    hit: Hit
    reading: Reading | None = None
    text: str = ""
    problem: str = ""


def read_hits(hits: Iterable[Hit]) -> Iterator[FoundText]:
    """The texts of some games in the order of files. A game that has changed since it was indexed is told."""
    for file, some in groupby(hits, key=lambda hit: hit.file):
        try:
            yield from _read_in(file, list(some))
        except UnreadableFile as problem:
            yield FoundText(Hit(file, 0, 0, _NOTHING, b""), problem=str(problem))


_NOTHING: Final = Told("", "", "", "", "", 0, "", False, "", ())


def _read_in(file: str, hits: list[Hit]) -> Iterator[FoundText]:
    if all(hit.begin is not None for hit in hits) and not _is_packed(file):
        for hit in hits:
            piece = Piece(file, begin=hit.begin or 0, first=hit.line, until=hit.line + 1)
            _, games = games_of(piece, keep=True)
            yield _check(hit, next(games, None))
        return
    wanted = {hit.line: hit for hit in hits}
    _, games = games_of(Piece(file), keep=True)
    for item in games:
        if item.reading.line in wanted:
            yield _check(wanted.pop(item.reading.line), item)
        if not wanted:
            return
    yield from (_check(hit, None) for hit in wanted.values())


def _is_packed(file: str) -> bool:
    try:
        with Path(file).open("rb") as stream:
            return stream.read(4).startswith((GZIP, ZSTD))
    except OSError:
        return False  # the reader says why


def _check(hit: Hit, item: GameInFile | None) -> FoundText:
    text = item.text() if item is not None else None
    if item is not None and text is not None and _is_same(item.reading, text, hit):
        return FoundText(hit, item.reading, text.rstrip("\n") + "\n")
    return FoundText(hit, problem=f"{hit.file}:{hit.line}: has changed since it was indexed; index it again")


def _is_same(reading: Reading, text: str, hit: Hit) -> bool:
    return text_key(text) == hit.key or game_facts(reading, text).key == hit.key
