"""Operators that spoil where camels and leaders go."""

from collections.abc import Iterator
from random import Random
from typing import Any

from engine.through_the_desert.board import COLOURS
from engine.through_the_desert.moves import Camel, Leader, Remove
from tests.spoilers.spoiled_games import (
    Mutant,
    Played,
    caravan,
    enclosed,
    free,
    leaders_here,
    moves_here,
    near,
    occupied,
    rivals,
)


def place_on_a_camel(game: Played, chance: Random) -> Mutant | None:
    def replies(index: int) -> Iterator[Any]:
        colour = game.record.entries[index].moves[0].colour
        return (Camel(colour, space) for space in sorted(occupied(game.views[index])))

    return moves_here(game, chance, "TD-C1", replies)


def place_on_an_oasis_or_a_mountain(game: Played, chance: Random) -> Mutant | None:
    def replies(index: int) -> Iterator[Any]:
        colour = game.record.entries[index].moves[0].colour
        return (Camel(colour, space) for space in ["F7", "J8", *game.views[index]["oases"]])

    return moves_here(game, chance, "TD-C1", replies)


def place_away_from_the_caravan(game: Played, chance: Random) -> Mutant | None:
    def replies(index: int) -> Iterator[Any]:
        view, entry = game.views[index], game.record.entries[index]
        own = caravan(view, entry.who, entry.moves[0].colour)
        return (Camel(entry.moves[0].colour, space) for space in sorted(free(view)) if not near(space) & own)

    return moves_here(game, chance, "TD-C2", replies)


def place_beside_a_rival(game: Played, chance: Random) -> Mutant | None:
    def replies(index: int) -> Iterator[Any]:
        view, seat = game.views[index], game.record.entries[index].who
        for colour in COLOURS:
            own, theirs = caravan(view, seat, colour), rivals(view, seat, colour)
            touching = (space for space in sorted(free(view)) if near(space) & own and near(space) & theirs)
            yield from (Camel(colour, space) for space in touching if view["herds"][colour])

    return moves_here(game, chance, "TD-C3", replies)


def place_inside_an_area(game: Played, chance: Random) -> Mutant | None:
    def replies(index: int) -> Iterator[Any]:
        view, entry = game.views[index], game.record.entries[index]
        inside = enclosed(view) - set(view["oases"])
        return (Camel(entry.moves[0].colour, space) for space in sorted(inside))

    return moves_here(game, chance, "TD-C5", replies)


def take_from_an_empty_herd(game: Played, chance: Random) -> Mutant | None:
    index = len(game.record.entries) - 2
    entry, herds = game.record.entries[index], game.views[index]["herds"]
    if len(entry.moves) < 2 or herds[entry.moves[0].colour] > 1:
        return None
    spoiled = entry._replace(moves=(entry.moves[0], Camel(entry.moves[0].colour, entry.moves[1].space)))
    return Mutant(game.replace(index, spoiled), "TD-C6", index)


def place_a_leader_among_camels(game: Played, chance: Random) -> Mutant | None:
    index = chance.choice(game.camel_entries())
    camel = game.record.entries[index].moves[0]
    return Mutant(game.with_move(index, Leader(camel.colour, camel.space)), "TD-L1", index)


def place_a_camel_among_leaders(game: Played, chance: Random) -> Mutant | None:
    index = chance.choice(game.leader_entries())
    leader = game.record.entries[index].moves[0]
    return Mutant(game.with_move(index, Camel(leader.colour, leader.space)), "TD-L1", index)


def place_a_leader_twice(game: Played, chance: Random) -> Mutant | None:
    def replies(index: int) -> Iterator[Any]:
        view, entry = game.views[index], game.record.entries[index]
        return (Leader(colour, entry.moves[0].space) for colour in view["leaders"][entry.who])

    return leaders_here(game, chance, "TD-L1", replies)


def place_a_leader_on_water(game: Played, chance: Random) -> Mutant | None:
    def replies(index: int) -> Iterator[Any]:
        colour = game.record.entries[index].moves[0].colour
        return (Leader(colour, space) for space in game.views[index]["water"])

    return leaders_here(game, chance, "TD-L2", replies)


def place_a_leader_beside_an_oasis(game: Played, chance: Random) -> Mutant | None:
    def replies(index: int) -> Iterator[Any]:
        view, colour = game.views[index], game.record.entries[index].moves[0].colour
        shore = set().union(*map(near, view["oases"])) & free(view) - view["water"].keys()
        return (Leader(colour, space) for space in sorted(shore))

    return leaders_here(game, chance, "TD-L3", replies)


def place_a_leader_beside_a_leader(game: Played, chance: Random) -> Mutant | None:
    def replies(index: int) -> Iterator[Any]:
        view, colour = game.views[index], game.record.entries[index].moves[0].colour
        shore = set().union(*map(near, view["oases"]))
        beside = set().union(*map(near, occupied(view))) & free(view) - shore - view["water"].keys()
        return (Leader(colour, space) for space in sorted(beside))

    return leaders_here(game, chance, "TD-L4", replies)


def use_a_colour_twice_in_the_first_round(game: Played, chance: Random) -> Mutant | None:
    first = game.leader_entries().start
    index = chance.choice(range(first + 1, first + len(game.seats)))
    used = game.record.entries[index - 1].moves[0].colour
    if game.views[index]["removed"].get(game.record.entries[index].who) == used:
        return None
    return Mutant(game.with_move(index, Leader(used, game.record.entries[index].moves[0].space)), "TD-L5", index)


def remove_a_colour_twice(game: Played, chance: Random) -> Mutant | None:
    index = chance.choice(range(1, 5))
    again = game.record.entries[index - 1].moves[0]
    return Mutant(game.with_move(index, again), "TD-P2", index) if len(game.seats) == 5 else None


def remove_a_leader_later(game: Played, chance: Random) -> Mutant | None:
    index = chance.choice(game.leader_entries())
    return Mutant(game.with_move(index, Remove(COLOURS[0])), "TD-L1", index)
