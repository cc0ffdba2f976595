"""Letters of the Brotherhood that make much of what is hidden, and dice that bring cards to hide.

Others buy cards and keep them, rob one another, and let offers be; the viewer asks whatever might give them away. What
the rules themselves would reveal, such as a card that is played, does not happen.
"""

from collections.abc import Iterator
from typing import Any, cast

from engine.brotherhood.hands import CARD_PRICE, covers, size, unpack
from engine.brotherhood.moves import (
    DEVELOPMENTS,
    Buy,
    Decline,
    Dice,
    Discard,
    Draw,
    End,
    Flip,
    Offer,
    Pass,
    Roll,
    Settlement,
    Tormund,
)
from engine.brotherhood.position import Position
from engine.chance import Dealer, KeyedDealer
from engine.game import Game, Ply, Seat
from notation import write_moves
from pbem.tables.table import PLAYING, Table
from tests.post.towns import Town

SEVEN = 7
POINT = DEVELOPMENTS[-1]
"""The victory point card."""
QUIET = (Decline, Roll, Pass, Flip)
"""Moves that tell nothing of a hand."""
PROBES = (
    ("accept {other}", "offer 1 ore for 1 lumber to {other}", "mance {other}"),
    ("tormund H {other}", "preview trade 4 ore: 1 wool", "steal ore"),
    ("preview offer 1 wool for 2 ore to any", "status", "history"),
    ("discard 1 ore", "preview ranger tormund H {other}", "draw ranger"),
)


def instead(game: Game[Any], position: Position, ply: Ply, viewer: Seat) -> Ply:
    """Of all dice those that fill hands, and now and then a seven; everything else as chance brings it."""
    if not isinstance(ply.move, Dice):
        return ply
    rolls = [(other, cast("Dice", other.move)) for other in game.legal(position)]
    same = [(other, dice) for other, dice in rolls if dice.wild == ply.move.wild]
    if position.ground.seats[position.who] != viewer and position.turn % 2:
        return next(other for other, dice in same if dice.white + dice.red == SEVEN)
    return max((other for other, _ in same), key=lambda roll: wealth(game.apply(position, roll)))


def rob_at_once(game: Game[Any], position: Position, ply: Ply, viewer: Seat) -> Ply:
    """A seven for everybody but the viewer, so that there is something to hide in the first turn."""
    if not isinstance(ply.move, Dice) or position.ground.seats[position.who] == viewer:
        return instead(game, position, ply, viewer)
    rolls = ((other, cast("Dice", other.move)) for other in game.legal(position))
    return next(other for other, dice in rolls if dice.wild == ply.move.wild and dice.white + dice.red == SEVEN)


def grant_points(game: Game[Any], position: Position, ply: Ply, viewer: Seat) -> Ply:
    """Rich dice for all, and a victory point card for everybody but the viewer who buys one."""
    if isinstance(ply.move, Draw) and position.ground.seats[position.who] != viewer:
        point = ply._replace(move=Draw(POINT))
        return point if game.judge(position, point) is None else ply
    if not isinstance(ply.move, Dice):
        return ply
    rolls = [other for other in game.legal(position) if cast("Dice", other.move).wild == ply.move.wild]
    return max(rolls, key=lambda roll: wealth(game.apply(position, roll)))


def wealth(position: Position) -> tuple[int, int]:
    """How near hands are to development cards, and how many cards they have."""
    sets = [min(2, kind) for hand in position.hands for kind in unpack(hand)[2:]]
    return sum(sets), sum(map(size, position.hands))


def letters(town: Town, viewer: Seat, most: int) -> Iterator[tuple[Seat, str]]:
    """What is written in a town, the viewer's curiosity included."""
    dealer = KeyedDealer(b"watchful")
    other = next(seat for seat in town.table.seats if seat != viewer)
    for number in range(most):
        table = town.table
        if table.stage != PLAYING:
            return
        if number % 9 == 8:
            for probe in PROBES[number // 9 % len(PROBES)]:
                yield viewer, probe.format(other=other)
        others = [seat for seat in table.due if seat != viewer]
        seat = others[-1] if others and number % 4 else table.due[0]
        if number == 12:
            yield other, "standing no trades"
        yield seat, write_moves(table.game, choose(table, seat, viewer, dealer))


def choose(table: Table, seat: Seat, viewer: Seat, dealer: Dealer) -> tuple[Any, ...]:
    """A move that hides more than it tells; in set-up a settlement and its road."""
    game, position = table.game, cast("Position", table.position)
    moves = [ply.move for ply in game.legal(position) if ply.seat == seat]
    if isinstance(moves[0], Settlement):
        settlement = moves[dealer.pick(len(moves), "place")]
        road = next(game.legal(game.apply(position, Ply(seat, settlement)))).move
        return settlement, road
    if seat == viewer:
        offers = [move for move in moves if isinstance(move, Offer)]
        return (offers[0] if offers and dealer.pick(2, "offer") else moves[dealer.pick(len(moves), "move")],)
    return (_choose_quietly(game, position, seat, moves, viewer),)


def choose_plainly(table: Table, seat: Seat, *, buys: bool) -> tuple[Any, ...]:
    """What somebody does who only rolls and ends his turns, and buys a card if that is wanted and can be paid."""
    game, position = table.game, cast("Position", table.position)
    moves = [ply.move for ply in game.legal(position) if ply.seat == seat]
    if isinstance(moves[0], Settlement):
        lands = {
            move: {area["land"] for area in game.view(position, seat)["hexes"] if move.spot in area["corners"]}
            for move in moves
        }
        best = max(moves, key=lambda move: len(lands[move] & {"pasture", "fields", "mountains"}))
        return best, next(game.legal(game.apply(position, Ply(seat, best)))).move
    if buys and Buy() in moves:
        return (Buy(),)
    found = [move for kind in (*QUIET, End) for move in moves if isinstance(move, kind)]
    return (found[0] if found else game.by_default(position, seat) or moves[0],)


def _choose_quietly(game: Game[Any], position: Position, seat: Seat, moves: list[Any], viewer: Seat) -> Any:
    """What somebody does who gives nothing away."""
    if found := [move for move in moves if isinstance(move, QUIET)]:
        return found[0]
    if covers(position.hands[position.ground.place[seat]], 2 * CARD_PRICE) and Buy() in moves:
        return Buy()  # paid even by a hand from which something else was stolen
    if robbing := [move for move in moves if isinstance(move, Tormund) and move.victim not in (None, viewer)]:
        return robbing[-1]
    discards = any(isinstance(move, Discard) for move in moves)
    return game.by_default(position, seat) if discards else moves[0]
