"""Moves and records as one viewer may read them while the game goes on: hidden values are left out.

What is left out is for the game to say. Once a game is over everything is told.
"""

from dataclasses import replace
from typing import Any

from engine.game import Game, Ply, Seat
from engine.verdict import Verdict
from notation import WORDS, Entry, Record
from pbem.judging.replay_record import hear


def tell_moves(game: Game[Any], position: Any, seat: Seat, moves: tuple[Any, ...], viewer: Seat) -> tuple[Any, ...]:
    """Moves made one after the other from `position`, as `viewer` (a seat, or PUBLIC) may read them."""
    told, ply = [], None
    for move in moves:
        position = position if ply is None else game.apply(position, ply)
        ply = Ply(seat, move)
        told.append(game.told(position, ply, viewer))
    return tuple(told)


def tell_record(record: Record, viewer: Seat) -> Record:
    """A record as `viewer` may read it: up to an entry that is refused, where there is one."""
    listener = Listener(record, viewer)
    heard = hear(record, watch=listener.take)
    return record if heard.finished else replace(record, entries=tuple(listener.entries))


class Listener:
    """Takes the entries of a record as they are played, and keeps them as one viewer may read them."""

    def __init__(self, record: Record, viewer: Seat) -> None:
        self.entries: list[Entry] = []
        self._viewer = viewer
        self._game = record.game
        start = self._game.start(record.setup) if self._game is not None else None
        self._position = None if isinstance(start, Verdict) else start

    def take(self, entry: Entry, turn: int, position: Any) -> None:
        """Take one entry; `position` is the table after it."""
        if self._game is not None and entry.who not in WORDS:
            moves = tell_moves(self._game, self._position, entry.who, entry.moves, self._viewer)
            entry = entry._replace(moves=moves)
        self.entries.append(entry)
        self._position = position
