"""Operators that spoil who moves, when, and in which order."""

from random import Random

from engine.through_the_desert import GAME
from engine.through_the_desert.moves import Pass
from tests.spoilers.spoiled_games import Mutant, Played


def let_a_later_seat_move(game: Played, chance: Random) -> Mutant | None:
    if len(game.seats) < 3:
        return None
    index = chance.choice(game.camel_entries())
    entry = game.record.entries[index]
    later = game.seats[(game.seats.index(entry.who) + 1) % len(game.seats)]
    return Mutant(game.replace(index, entry._replace(who=later)), "TD-P1", index)


def let_the_other_seat_place_a_leader(game: Played, chance: Random) -> Mutant | None:
    index = chance.choice(game.leader_entries())
    entry = game.record.entries[index]
    other = game.seats[game.seats.index(entry.who) - 1]
    return Mutant(game.replace(index, entry._replace(who=other)), "TD-P1", index)


def let_the_last_seat_go_on(game: Played, chance: Random) -> Mutant | None:
    index = chance.choice(range(game.camels_from + 3, len(game.record.entries) - 1))
    before = game.record.entries[index - 1]
    longer = before._replace(moves=(*before.moves, game.record.entries[index].moves[0]))
    return Mutant(game.replace(index - 1, longer), "TD-T1", index - 1) if len(before.moves) == 2 else None


def add_a_camel_to_the_first_turn(game: Played, chance: Random) -> Mutant | None:
    index = game.camels_from
    entry = game.record.entries[index]
    return Mutant(game.replace(index, entry._replace(moves=entry.moves * 2)), "TD-T2", index)


def place_one_camel_of_two(game: Played, chance: Random) -> Mutant | None:
    index = chance.choice(range(game.camels_from + 2, len(game.record.entries) - 2))
    entry = game.record.entries[index]
    short = entry._replace(moves=entry.moves[:1])
    return Mutant(game.replace(index, short), "TD-T3", index + 1) if len(entry.moves) == 2 else None


def pass_although_there_is_room(game: Played, chance: Random) -> Mutant | None:
    index = chance.choice(game.camel_entries())
    return Mutant(game.with_move(index, Pass()), "TD-T3", index)


def seat_a_stranger(game: Played, chance: Random) -> Mutant | None:
    index = chance.choice(range(len(game.record.entries) - 1))
    stranger = next((seat for seat in GAME.seats if seat not in game.seats), "purple")
    return Mutant(game.replace(index, game.record.entries[index]._replace(who=stranger)), "RC-W1", index)


def let_chance_move(game: Played, chance: Random) -> Mutant | None:
    index = chance.choice(range(len(game.record.entries) - 1))
    return Mutant(game.replace(index, game.record.entries[index]._replace(who="*")), "RC-W2", index)


def swap_two_turns(game: Played, chance: Random) -> Mutant | None:
    index = chance.choice(range(len(game.record.entries) - 2))
    first, second = game.record.entries[index : index + 2]
    swapped = Played(game.replace(index, second), game.views).replace(index + 1, first)
    return Mutant(swapped, "RC-T1", index)


def drop_a_turn(game: Played, chance: Random) -> Mutant | None:
    index = chance.choice(range(len(game.record.entries) - 1))
    return Mutant(game.replace(index), "RC-T1", index)


def repeat_a_turn(game: Played, chance: Random) -> Mutant | None:
    index = chance.choice(range(len(game.record.entries) - 1))
    entry = game.record.entries[index]
    return Mutant(game.replace(index, entry, entry), "RC-T1", index + 1)


def misnumber_a_turn(game: Played, chance: Random) -> Mutant | None:
    index = chance.choice(range(len(game.record.entries)))
    return Mutant(game.replace(index, game.record.entries[index]._replace(number=index + 100)), "RC-T1", index)
