"""Points, and where they come from (BB-V1, BB-L1, BB-C8, BB-C11). Hidden cards join when the game is over.

Who holds a special card is said here too, once for Longest Road and Largest Patrol.
"""

from collections.abc import Sequence

from engine.brotherhood.hands import POINT, count
from engine.brotherhood.position import NOBODY, Position
from engine.score import Line, Score, Tally


def score(position: Position) -> Score:
    """The points of every seat; the winner once the game is over."""
    seats, winner = position.ground.seats, position.winner
    tallies = tuple(Tally(seat, tuple(_lines(position, who))) for who, seat in enumerate(seats))
    return Score(tallies, () if winner == NOBODY else (seats[winner],))


def find_holder(counts: Sequence[int], holder: int, least: int) -> int:
    """Who holds a special card now, by what each has for it: the holder stays until somebody has more than he.

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
