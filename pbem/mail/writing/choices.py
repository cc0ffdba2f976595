"""What a seat can do now: its legal moves, and a whole turn as an example."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache, cached_property, partial
from itertools import islice
from typing import Final

from engine.game import GameRules, Ply, Seat
from engine.score import Score
from notation import write_moves
from notation.phrases import phrases
from pbem.judging.lookahead import suggest_turns
from pbem.mail.writing.gains import Gain, count_brought
from pbem.tables.table import Table

FEW: Final = 5
"""Up to this many moves of one kind are offered as links."""
FIRST: Final = 2
"""Up to this many are tried for the next move of an example."""
MOST_TRIED: Final = 200
"""Up to this many are looked at for a move that shows another colour."""
MOST: Final = 7
"""Up to this many links for all kinds together; kinds with fewer moves come first."""
WIDTH: Final = 4
"""Positions that are followed at once for a hint: enough for a beginner, and quick."""


def _nothing(move: object) -> tuple[Gain, ...]:
    return ()


class Choices:
    """The moves open to a seat, in the game's order, and a legal turn made of the first of them."""

    def __init__(
        self,
        game: GameRules,
        moves: tuple[object, ...],
        example: str,
        silence: object = None,
        say: Callable[[str], str] = str,
        brings: Callable[[object], tuple[Gain, ...]] = _nothing,
    ) -> None:
        self._game = game
        self.brings = brings
        """What a move would bring its player at once, by source or reason, as far as the player may know it."""
        self._say = say
        """How a phrase is written; in notation, unless `said_by` has changed that."""
        self._silence = silence
        """The move that is made for a player who does not answer, in games that have one."""
        self.moves = moves
        self.example = example

    def said_by(self, say: Callable[[str], str]) -> "Choices":
        """The same with all phrases in another language."""
        example = say(self.example) if self.example else ""
        return Choices(self._game, self.moves, example, self._silence, say, self.brings)

    def _write(self, *moves: object) -> str:
        return self._say(write_moves(self._game, moves))

    @cached_property
    def phrases(self) -> list[str]:
        """The moves in notation."""
        return [self._write(move) for move in self.moves]

    @cached_property
    def by_kind(self) -> Mapping[str, list[object]]:
        """The moves by the names of their kinds."""
        gathered: dict[str, list[object]] = {}
        for move in self.moves:
            gathered.setdefault(type(move).__name__, []).append(move)
        return gathered

    @cached_property
    def few(self) -> list[str]:
        """The same few in notation."""
        return [self._write(move) for move in self.few_moves]

    @cached_property
    def few_moves(self) -> list[object]:
        """The moves of kinds with few moves, and the move that silence stands for.

        For example yes or no to an offer, or the end of a turn.
        """
        kinds = sorted((moves for moves in self.by_kind.values() if len(moves) <= FEW), key=len)
        few = [move for moves in kinds for move in moves][:MOST]
        silence = [self._silence] if self._silence is not None and self._silence not in few else []
        return [*few, *silence]

    @cached_property
    def default(self) -> str:
        """The move that silence stands for, in notation; empty if there is none."""
        return "" if self._silence is None else self._write(self._silence)

    @cached_property
    def first(self) -> Mapping[str, str]:
        """The first move of each kind in notation, as an example."""
        return {kind: self._write(moves[0]) for kind, moves in self.by_kind.items()}

    def at(self, place: str) -> list[str]:
        """The moves that name a place, in notation."""
        named = (
            move
            for move in self.moves
            if is_dataclass(move) and place in (getattr(move, each.name) for each in fields(move))
        )
        return [self._write(move) for move in named]

    @cached_property
    def spaces(self) -> Mapping[str, list[str]]:
        """The spaces that are open to each colour, for games whose moves name both."""
        gathered: dict[str, list[str]] = {}
        for move in self.moves:
            if hasattr(move, "colour") and hasattr(move, "space"):
                gathered.setdefault(move.colour, []).append(move.space)
        return gathered


def find_choices(table: Table, seat: Seat) -> Choices | None:
    """What a seat can do; None if it is not to move, or if its player has resigned."""
    if seat not in table.due or seat in table.resigned:
        return None
    game, position = table.game, table.position
    plies = [ply for ply in game.legal(position) if ply.seat == seat]
    moves = tuple([ply.move for ply in plies])
    silence = game.by_default(position, seat)
    score = cache(partial(game.score, position))  # counted when it is first asked for, and the same for all moves
    brings = partial(_foresee, game, position, seat, score)
    return Choices(game, moves, _example(table, seat, plies), silence, brings=brings)


def _foresee(
    game: GameRules, position: object, seat: Seat, score: Callable[[], Score], move: object
) -> tuple[Gain, ...]:
    """What a move would bring; nothing is said of one that discloses something, but for what it pays at once."""
    ply = Ply(seat, move)
    paid = game.earnings(position, ply)
    if paid:
        return tuple((each.reason, each.points) for each in paid if each.seat == seat)
    if game.discloses(position, ply):
        return ()
    after = game.score(game.apply(position, ply))
    return tuple((source, points) for source, points in count_brought(score(), after, seat).items() if points)


def find_hint(table: Table, seat: Seat) -> str:
    """A turn that seems good, from what the seat may know; empty if there is none."""
    game = table.game
    turns = suggest_turns(game, table.position, seat, width=WIDTH, discreet=True)
    return write_moves(game, turns[0].moves) if turns else ""


def _example(table: Table, seat: Seat, plies: Sequence[Ply]) -> str:
    """A whole turn of legal moves, as they come, so that it is an example and not advice; never yes to an offer.

    If the first would end the turn at once, another goes before it, so that there is something to see.
    """
    game, position = table.game, table.position
    reader = phrases(game.key)
    yes = tuple(reader.book.answers) if reader is not None else ()
    plies = [ply for ply in plies if not isinstance(ply.move, yes)] or plies
    moves: list[object] = []
    turn = game.turn(position)
    while plies:
        goes_on = (ply for ply in plies[:FIRST] if moves or game.turn(game.apply(position, ply)) == turn)
        ply = next(goes_on, plies[0])
        moves.append(ply.move)
        if game.discloses(position, ply):
            break  # moves after it would show what it discloses
        position = game.apply(position, ply)
        if seat not in game.to_act(position) or game.turn(position) != turn:
            break
        plies = [ply for ply in islice(game.legal(position), MOST_TRIED) if ply.seat == seat]
        # Two colours show more of the form than one.
        used = {getattr(move, "colour", None) for move in moves}
        plies = [ply for ply in plies if getattr(ply.move, "colour", None) not in used - {None}] or plies
    return write_moves(game, tuple(moves)) if moves else ""
