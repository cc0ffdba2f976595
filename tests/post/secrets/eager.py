"""Letters that bring about every kind of secret a game has, soon; and dice that help.

People here do what makes something hidden rather than what is wise: they buy and steal, take heroes who look into hands
and decks, and go on until nothing of the kind is missing.
"""

from collections.abc import Iterator
from typing import Any, cast

import pytest

from engine.brotherhood import hero_roster
from engine.brotherhood.moves import (
    Buy,
    Choose,
    Decline,
    Dice,
    Discard,
    End,
    Guard,
    Keep,
    Mance,
    Marsh,
    Melisandre,
    Mormont,
    Pass,
    Roll,
    Settlement,
    Swap,
    Take,
    Tarly,
    Tormund,
    Yarwyck,
)
from engine.brotherhood.position import Position
from engine.chance import Dealer, KeyedDealer
from engine.game import Game, Ply, Seat
from notation import write_moves
from pbem.demo.players import plan_moves
from pbem.tables.table import PLAYING, Table
from tests.post.secrets.watchful import wealth
from tests.post.towns import Town

KINDS = {
    "shy-well": {"card", "choice"},
    "nomadi": {"card"},
    "brotherhood-base": {"steal", "draw"},
    "brotherhood": {"steal", "draw", "look", "choose", "take"},
}
"""The kinds of move that each game hides, as its notation calls them."""
ROBBED = 5
"""In every turn with a number that this divides, a seven is rolled."""
SEVEN = 7
_PLAIN = ((Keep, Settlement), (Tarly, Marsh, Mormont, Yarwyck), (Discard, Decline, Pass, Roll, Guard), (End,))
"""What is done when nothing can be hidden, the first first: grow richer than others, use a hero to swap it, go on."""


def hasten(game: Game[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a game of the Brotherhood come to its secrets soon: by its dice, and by heroes who see what others do not."""
    if not game.key.startswith("brotherhood"):
        return
    deal = game.deal

    def deal_richly(position: Position, dealer: Dealer) -> Ply:
        return _instead(game, position, deal(position, dealer))

    monkeypatch.setattr(type(game), "deal", staticmethod(deal_richly))
    monkeypatch.setattr(
        hero_roster, "STARTERS", (hero_roster.YARWYCK, hero_roster.MANCE, hero_roster.MELISANDRE, hero_roster.MARSH)
    )


def _instead(game: Game[Any], position: Position, ply: Ply) -> Ply:
    """Dice that fill hands, and now and then a seven; everything else as chance brings it."""
    if not isinstance(ply.move, Dice):
        return ply
    rolls = [(other, cast("Dice", other.move)) for other in game.legal(position)]
    same = [(other, dice) for other, dice in rolls if dice.wild == ply.move.wild]
    if position.turn % ROBBED == 0:
        return next(other for other, dice in same if dice.white + dice.red == SEVEN)
    return max((other for other, _ in same), key=lambda roll: wealth(game.apply(position, roll)))


def hidden_kinds(town: Town) -> set[str]:
    """The kinds of hidden moves that have been made in a town."""
    values = (value for event in town.events if event.sealed is not None for _, value in event.sealed.fields)
    return {"choice" if value in ("go", "wait") else value.split()[0] for value in values}


def letters(town: Town, most: int) -> Iterator[tuple[Seat, str]]:
    """What is written in a town, until every kind of secret is there, and at least half of `most` letters are."""
    key, dealer = town.table.game.key, KeyedDealer(b"eager 0")
    for number in range(most):
        table, seen = town.table, hidden_kinds(town)
        if table.stage != PLAYING or (number >= most // 2 and seen == KINDS[key]):
            return
        seat = table.due[number % len(table.due)]
        if key not in ("brotherhood-base", "brotherhood"):
            yield seat, plan_moves(table, seat, dealer).phrase
        else:
            yield seat, write_moves(table.game, _choose(table, seat, seen, dealer))


def _choose(table: Table, seat: Seat, seen: set[str], dealer: Dealer) -> tuple[Any, ...]:
    game, position = table.game, table.position
    moves = [ply.move for ply in game.legal(position) if ply.seat == seat]
    best = min(_rank(move, seen) for move in moves)
    wanted = [move for move in moves if _rank(move, seen) == best]
    move = wanted[dealer.pick(len(wanted), "move")]
    following = game.apply(position, Ply(seat, move))
    if isinstance(move, Settlement) and game.to_act(following) == (seat,):
        return move, next(game.legal(following)).move
    return (move,)


def _rank(move: Any, seen: set[str]) -> int:
    """How little a move is wanted."""
    match move:
        case Choose() | Take():
            return 0
        case Mance() | Swap("mance") if "take" not in seen:
            return 1
        case Melisandre() | Swap("melisandre") if "choose" not in seen:
            return 1
        case Buy() if "draw" not in seen:
            return 2
        case Tormund(_, str()):
            return 2
    return next((3 + rank for rank, kinds in enumerate(_PLAIN) if isinstance(move, kinds)), 9)
