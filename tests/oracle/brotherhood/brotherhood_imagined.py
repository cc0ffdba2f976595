"""Everything that anybody could want to do at a table of Brotherhood of the Watch, whether it is allowed or not.

Moves with free amounts are left out, but for trades with the supply at the usual rates; whoever asks sorts out what is
allowed. Known here are the words of the moves and the public view, and nothing of the rules.
"""

from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

from engine.brotherhood import moves
from engine.brotherhood.moves import CLANS, DEVELOPMENTS, HEROES, RESOURCES, TORMUND, WILDLING, WILDLINGS
from engine.game import View

SECTIONS = range(1, 5)


def imagine(view: View) -> Iterator[Any]:
    """All that a player could want, and all that chance could do."""
    yield from imagine_building(view)
    yield from imagine_cards(view)
    yield from imagine_trade(view)
    yield from imagine_answers(view)
    if view["watch"] is not None:
        yield from imagine_heroes(view)
    yield from imagine_chance(view)


def imagine_building(view: View) -> Iterator[Any]:
    """The plain steps of a turn, and pieces everywhere."""
    yield from (moves.Roll(), moves.End(), moves.Buy())
    spots = range(1, len(view["spots"]) + 1)
    yield from map(moves.Settlement, spots)
    yield from map(moves.Keep, spots)
    yield from (moves.Road(*path) for path in paths_of(view))
    if view["watch"] is not None:
        yield from map(moves.Guard, SECTIONS)


def imagine_cards(view: View) -> Iterator[Any]:
    """Development cards, with every pair of resources in either order, and every pair of paths that touch a road."""
    yield from (moves.Ranger(TORMUND, *arrival) for arrival in arrivals(view))
    yield from (moves.Winter(*pair) for pair in product(RESOURCES, repeat=2))
    yield from imagine_roads(view)
    if view["watch"] is not None:
        yield from (moves.Ranger(WILDLING, letter) for letter in letters_of(view))
        yield from map(moves.Recruits, SECTIONS)


def imagine_roads(view: View) -> Iterator[moves.Roads]:
    """Road Building by the player on turn, not further than two paths from what stands on the board."""
    ends = {spot for path in view["roads"][view["on_turn"]] for spot in path}
    near = [path for path in paths_of(view) if ends & {*path}]
    further = ends | {spot for path in near for spot in path}
    yield from (moves.Roads((path,)) for path in near)
    yield from (moves.Roads(pair) for pair in product(near, [path for path in paths_of(view) if further & {*path}]))


def imagine_trade(view: View) -> Iterator[Any]:
    """One card of the supply at every rate; answers to everybody, and to nobody by name."""
    for give, rate, take in product(range(5), (2, 3, 4), range(5)):
        yield moves.Trade(cards(give, rate), cards(take, 1))
    for seat in (None, *view["seats"]):
        yield from (moves.Accept(seat), moves.Decline(seat))
    yield moves.Withdraw()


def imagine_answers(view: View) -> Iterator[Any]:
    """What is asked between two stages of a turn."""
    yield from (moves.Tormund(*arrival) for arrival in arrivals(view))
    if view["watch"] is not None:
        yield from map(moves.Tarly, RESOURCES)
        yield from map(moves.Take, RESOURCES)
        yield from map(moves.Choose, DEVELOPMENTS)
        yield from map(moves.Swap, HEROES)
        yield from (moves.Pass(), moves.Flip())


def imagine_heroes(view: View) -> Iterator[Any]:
    """Every use of every hero."""
    for hero in HEROES:
        yield from imagine_uses(view, hero)


def imagine_uses(view: View, hero: str) -> Iterator[Any]:
    """Every use of one hero in the own turn."""
    match hero:
        case "mormont":
            yield from imagine_demands(view["seats"])
        case "marsh":
            yield from (moves.Marsh(*pair) for pair in product(RESOURCES, repeat=2))
        case "yarwyck":
            own = [(one, two) for one, two in view["roads"][view["on_turn"]]]
            yield from (moves.Yarwyck(*pair) for pair in product(own, paths_of(view)))
        case "thorne":
            yield from (moves.Thorne(*use) for use in product(SECTIONS, RESOURCES, RESOURCES))
        case "melisandre":
            yield moves.Melisandre()
            yield from (moves.Melisandre(*pair) for pair in product(RESOURCES, repeat=2))
        case "mance":
            yield from map(moves.Mance, view["seats"])
        case "benjen":
            yield from (moves.Benjen(clan, place) for clan, place in product((*CLANS, None), range(1, 6)))
        case "ygritte":
            yield from map(moves.Ygritte, letters_of(view))
        case "yoren":
            yield from map(moves.Yoren, SECTIONS)
        case "qhorin":
            yield moves.Qhorin()


def imagine_demands(seats: list[str]) -> Iterator[moves.Mormont]:
    """What Mormont could demand of one player, or of two in either order."""
    for resource, asked in product(RESOURCES, (*permutations(seats, 1), *permutations(seats, 2))):
        for backs in product(RESOURCES, repeat=len(asked)):
            yield moves.Mormont(resource, tuple(zip(asked, backs, strict=True)))


def imagine_chance(view: View) -> Iterator[Any]:
    """Dice, thefts, draws, tokens, and what Melisandre sees, in any order."""
    wild = [None] if view["watch"] is None else range(1, 13)
    yield from (moves.Dice(*shown) for shown in product(range(1, 7), range(1, 7), wild))
    yield from map(moves.Steal, RESOURCES)
    yield from map(moves.Draw, DEVELOPMENTS)
    if view["watch"] is not None:
        yield from (moves.Token(*face) for face in product(CLANS, WILDLINGS))
        yield from (moves.Look(seen) for number in (1, 2, 3) for seen in product(DEVELOPMENTS, repeat=number))


def cards(kind: int, count: int) -> Any:
    """Some cards of one kind."""
    return tuple(count if kind == other else 0 for other in range(len(RESOURCES)))


def paths_of(view: View) -> list[tuple[int, int]]:
    """The paths of the board."""
    return [(one, two) for one, two in view["paths"]]


def letters_of(view: View) -> list[str]:
    """The hexes of the board."""
    return [hex_["hex"] for hex_ in view["hexes"]]


def arrivals(view: View) -> list[tuple[str, str | None]]:
    """Where Tormund could go, with everybody and nobody to be robbed."""
    return list(product(letters_of(view), (None, *view["seats"])))
