"""Keys of a game, by which copies of it, its beginning and games that begin alike are found without comparing moves.

The text key is that of a record's canonical text: one remark more, and it is another. The chain keys are those of what
was played: the first is that of the start, and each move makes the next from the one before. So two games with the same
key at a ply have the same start and the same moves up to there, whatever their names, remarks and further moves are.

A key of a secret move lets anybody guess it. Make keys of a game that goes on from what `open_record` gives.
"""

from collections.abc import Iterator
from hashlib import blake2b, sha256
from typing import Final, NamedTuple

from engine.digest import digest
from engine.game import GameRules, Seat
from notation import Record, Words, write_record
from notation.phrasebook import Phrasebook, find_phrasebook
from pbem.judging.entries import standing_entries
from pbem.judging.result import Refusal
from pbem.judging.start_checks import start_from_headers

SIZE: Final = 8
"""Bytes of a chain key. Among ten million games with 300 plies, one chance in four that any two keys agree falsely."""


class KeyedPly(NamedTuple):
    """A ply that stands, counted from 1: who made it, its canonical clause, and the chain key after it."""

    ply: int
    who: Seat
    clause: str
    key: bytes


class ChainKeys(NamedTuple):
    """The keys of a game's start and of its beginnings: after 1, 2, 4, 8 … plies, and after the last one."""

    start: bytes
    plies: int
    at: tuple[tuple[int, bytes], ...]

    @property
    def moves(self) -> bytes:
        """The key after the last ply: that of the start where nothing was played."""
        return self.at[-1][1] if self.at else self.start


def text_key(record: Record) -> str:
    """The SHA-256 of a record's canonical text."""
    return sha256(write_record(record).encode()).hexdigest()


def start_key(record: Record) -> bytes | None:
    """The key of the game, its edition, its seats and the public view of its start; None where none can be set up."""
    opening = start_from_headers(record)
    if isinstance(opening, Refusal):
        return None
    game, position = opening
    return _hash(f"{digest(game, position)} {' '.join(record.seats)}".encode())


def keyed_plies(record: Record, start: bytes) -> Iterator[KeyedPly]:
    """The plies of a record with their keys: without words of the table, and without what was taken back.

    What players say inside a move counts as little as what they say beside it. Nothing is judged here.
    """
    game = record.game
    book = None if game is None else find_phrasebook(game.key)
    key, ply = start, 0
    for entry in standing_entries(record.entries):
        for move in entry.moves:
            ply += 1
            clause = _clause(move, game, book)
            key = _hash(b"%b %b %b" % (key, entry.who.encode(), clause.encode()))
            yield KeyedPly(ply, entry.who, clause, key)


def chain_keys(record: Record) -> ChainKeys | None:
    """The chain keys that are kept of a game; None where its headers make no start."""
    start = start_key(record)
    if start is None:
        return None
    at: list[tuple[int, bytes]] = []
    last = None
    for last in keyed_plies(record, start):
        if last.ply & (last.ply - 1) == 0:
            at.append((last.ply, last.key))
    if last is not None and at[-1][0] != last.ply:
        at.append((last.ply, last.key))
    return ChainKeys(start, last.ply if last is not None else 0, tuple(at))


def _clause(move: object, game: GameRules | None, book: Phrasebook | None) -> str:
    if isinstance(move, Words) or game is None or book is None:
        return str(move)
    return book.phrase((game.without_words(move)[0],))


def _hash(data: bytes) -> bytes:
    return blake2b(data, digest_size=SIZE).digest()
