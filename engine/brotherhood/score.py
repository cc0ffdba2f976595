"""Points and where they come from (BB-V1, BB-L1, BB-C8, BB-C11), and who holds a special card.

Hidden cards are added when the game is over. `prospect` estimates how well a seat stands, for sample games only.
"""

from collections.abc import Mapping, Sequence

from engine.brotherhood.hands import POINT, count, size, unpack
from engine.brotherhood.moves import Accept, Buy, Dice, Guard, Keep, Road, Settlement, Trade
from engine.brotherhood.position import NOBODY, PAVE, SETTLE, Position
from engine.brotherhood.table import WorkingPosition
from engine.game import Ply, Seat
from engine.score import Line, Score, Tally, tens


def score(position: Position) -> Score:
    """The points of every seat; the winner once the game is over."""
    seats, winner = position.ground.seats, position.winner
    tallies = tuple(Tally(seat, tuple(_lines(position, who))) for who, seat in enumerate(seats))
    return Score(tallies, () if winner == NOBODY else (seats[winner],))


def find_holder(counts: Sequence[int], holder: int, least: int) -> int:
    """Who holds a special card now, by what each has for it: the holder stays until somebody has more.

    Nobody holds it with less than `least`, nor where several have more than the holder alike.
    """
    best = max(counts)
    if best < least:
        return NOBODY
    if holder != NOBODY and counts[holder] == best:
        return holder
    return counts.index(best) if counts.count(best) == 1 else NOBODY


def _lines(position: Position, who: int) -> list[Line]:
    law = position.ground.law
    settlements, keeps = position.settlements[who].bit_count(), position.keeps[who].bit_count()
    lines = [
        Line("settlements", "BB-V1", settlements, "{count} built, at 1 each", {"count": settlements}),
        Line("keeps", "BB-V1", 2 * keeps, "{count} built, at 2 each", {"count": keeps}),
    ]
    if position.longest == who:
        facts = {"length": position.lengths[who]}
        lines.append(Line("longest-road", "BB-L1", law.special, "Longest Road, of {length} roads", facts))
    if position.largest == who:
        facts = {"rangers": position.patrols[who]}
        lines.append(Line("largest-patrol", "BB-C11", law.special, "Largest Patrol, of {rangers} Rangers", facts))
    lines += law.lines(position, who)
    points = count(position.cards[who], POINT)
    if points and position.winner != NOBODY:
        lines.append(Line("cards", "BB-C8", points, "victory point cards: {count}", {"count": points}))
    return lines


_POINT = 40
"""What a victory point weighs beside what leads to one."""
_CARD = 12
"""A development card."""

_WAYS = (0, 0, 1, 2, 3, 4, 5, 0, 5, 4, 3, 2, 1)
"""In how many of 36 rolls a number comes up."""


def prospect(position: Position, seat: Seat) -> int:
    """Points first; then what production, roads, cards and a mixed hand promise."""
    who = position.ground.place[seat]
    settlements, keeps = position.settlements[who], position.keeps[who]
    harvest = 0
    for ways, yields in zip(_WAYS, position.ground.yields, strict=True):
        for hex_ in yields:
            corners = hex_.corners
            harvest += ways * ((settlements & corners).bit_count() + 2 * (keeps & corners).bit_count())
    kinds = sum(map(bool, unpack(position.hands[who])))
    cards = size(position.cards[who]) + position.patrols[who]
    return _POINT * WorkingPosition(position).points(who) + harvest + 2 * position.lengths[who] + _CARD * cards + kinds


_BUILT = {Settlement: "settlement", Keep: "keep", Road: "road", Guard: "guard", Buy: "card"}
_SET_UP = (SETTLE, PAVE, "guard")
"""Stages in which pieces are placed, not built."""


def traits(before: Position, ply: Ply, after: Position) -> Mapping[str, str]:
    """What was built first after set-up, with whom the first trade was, and when the first seven fell."""
    move = ply.move
    if type(move) in _BUILT and before.stage not in _SET_UP:
        return {"first build": _BUILT[type(move)]}
    if isinstance(move, Trade | Accept):
        return {"first trade": "supply" if isinstance(move, Trade) else "players"}
    return {"first seven": tens(before.turn)} if isinstance(move, Dice) and move.white + move.red == 7 else {}
