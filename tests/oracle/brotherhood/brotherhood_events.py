"""The rarer things that plies bring about, told by comparing the oracle's table before and after.

A duel counts them, so that a test can demand that they were really compared.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from engine.brotherhood import moves
from tests.oracle.brotherhood.brotherhood_map import YIELDS
from tests.oracle.brotherhood.brotherhood_north import CLAN_OF_TRAIL, CROWD, SECTION_OF_TRAIL, rank
from tests.oracle.brotherhood.brotherhood_table import on_hexes, public_points

if TYPE_CHECKING:
    from collections import Counter


def snapshot(table: Any) -> Any:
    """What will be compared."""
    return {
        "longest": table.longest,
        "largest": table.largest,
        "breaches": table.breaches,
        "gift": dict(table.gift),
        "camps": {clan: list(kinds) for clan, kinds in table.camps.items()},
        "guards": {section: list(owners) for section, owners in table.guards.items()},
        "frostfangs": dict(table.frostfangs),
        "shuffles": len(table.unseen),
        "supply": dict(table.supply),
        "deck": table.deck.total(),
    }


def events(before: Any, ply: Any, table: Any) -> Iterator[Any]:
    """What a ply brought about."""
    seat, move = ply
    yield from special_cards(before, table)
    if isinstance(move, moves.Dice):
        yield from crops(before, move, table)
    if table.over:
        yield from endings(table)
    if before["deck"] and not table.deck.total():
        yield "deck empty"
    if table.watch:
        yield from northern(before, seat, move, table)


def special_cards(before: Any, table: Any) -> Iterator[Any]:
    """How Longest Road and Largest Patrol went round."""
    for name in ("longest", "largest"):
        was, now = before[name], getattr(table, name)
        if was != now:
            yield f"{name} {'taken over' if was and now else 'taken' if now else 'set aside'}"


def crops(before: Any, move: Any, table: Any) -> Iterator[Any]:
    """Whether the supply ran short."""
    total = move.white + move.red
    wanted: dict[str, list[Counter[str]]] = {}
    for place, numbers in table.board.numbers.items():
        if total in numbers and place not in before["gift"] and place != table.tormund:
            wanted.setdefault(YIELDS[table.board.terrain[place]], []).append(on_hexes(table, place))
    for kind, shares in wanted.items():
        seats = {seat for share in shares for seat in share}
        if sum(share.total() for share in shares) > before["supply"][kind]:
            yield "supply short for several" if len(seats) > 1 else "supply short for one"


def endings(table: Any) -> Iterator[Any]:
    """How the game ended."""
    if not table.watch or (table.breaches < 3 and len(table.gift) < 8):
        yield "ten points"
        return
    yield "third breach" if table.breaches >= 3 else "Gift overrun"
    first, second, *_ = sorted(rank(table, seat) for seat in table.seats)
    for place, tie in enumerate(("guards tied", "points tied", "spaces tied", "sections tied"), start=1):
        if first[:place] == second[:place]:
            yield tie
    if any(public_points(table, seat) >= 10 for seat in table.seats):
        yield "wildlings before ten points"


def northern(before: Any, seat: Any, move: Any, table: Any) -> Iterator[Any]:
    """What the wildlings did."""
    if len(table.unseen) > before["shuffles"]:
        yield "tokens shuffled"
    if isinstance(move, moves.Token):
        full = len(before["camps"][move.clan]) == CROWD - 1
        if not before["frostfangs"][move.kind]:
            yield f"no {move.kind} left"
        elif full:
            yield "rush"
    if table.breaches > before["breaches"]:
        yield "breach"
        if table.breaches > before["breaches"] + 1:
            yield "two breaches at once"
    if isinstance(move, moves.Dice) and before["camps"].get(CLAN_OF_TRAIL.get(move.wild or 0)):
        yield from advance(before, move.wild, table)


def advance(before: Any, trail: Any, table: Any) -> Iterator[Any]:
    """How a wildling that the die called fared."""
    kind, section = before["camps"][CLAN_OF_TRAIL[trail]][0], SECTION_OF_TRAIL[trail]
    lost = len(before["guards"][section]) - len(table.guards[section])
    crossed = [place for place in table.gift if place not in before["gift"]]
    yield f"{kind} advances"
    if kind == "giant" and lost:
        yield "giant takes a guard" if lost == 1 else "giant opens a breach"
    if any(place not in table.board.lines[trail] for place in crossed):
        yield "line overflows"
