"""Operators that spoil what a record claims: set-up, ending, result, state."""

from collections import Counter
from random import Random
from typing import Any, cast

from engine.digest import digest
from engine.through_the_desert import GAME
from notation import ANNOTATION, Ending, Entry, Record, Remark
from pbem.judging.record_replay import replay_record
from tests.spoilers.spoiled_games import Mutant, Played


def change_water_that_was_taken(game: Played, chance: Random) -> Mutant | None:
    holes = [hole.split("=") for hole in (game.record.header("Water") or "").split()]
    taken = [index for index, (space, _) in enumerate(holes) if space not in game.views[-1]["water"]]
    index = chance.choice(taken)
    holes[index][1] = {"1": "2", "2": "3", "3": "1"}[holes[index][1]]
    spoiled = game.with_header("Water", " ".join(map("=".join, holes)))
    crowded = max(Counter(value for _, value in holes).values()) > 15
    return Mutant(spoiled, "TD-P5" if crowded else "RC-R3", None)


def move_an_oasis(game: Played, chance: Random) -> Mutant | None:
    oases = (game.record.header("Oases") or "").split()
    return Mutant(game.with_header("Oases", " ".join([*oases[:-1], "A4"])), "TD-P4", None)


def change_the_herds(game: Played, chance: Random) -> Mutant | None:
    headers = (*game.record.headers, ("Herds", "21"))
    return Mutant(Record(headers, game.record.entries), "TD-P3", None)


def change_the_points(game: Played, chance: Random) -> Mutant | None:
    seat = chance.choice(game.seats)
    points = next(tally.total for tally in replay_record(game.record).score.tallies if tally.seat == seat)
    result = (game.record.header("Result") or "").replace(f"{seat} {points}", f"{seat} {points + 1}")
    return Mutant(game.with_header("Result", result), "RC-R3", None)


def let_everybody_win(game: Played, chance: Random) -> Mutant | None:
    result = ", ".join(f"{seat} won" for seat in game.seats)
    return Mutant(game.with_header("Result", result), "RC-R3", None)


def forget_the_result(game: Played, chance: Random) -> Mutant | None:
    return Mutant(game.with_header("Result", "*"), "RC-R1", None)


def stop_early_with_a_result(game: Played, chance: Random) -> Mutant | None:
    stop = chance.randrange(len(game.record.entries) - 2)
    return Mutant(Record(game.record.headers, game.record.entries[:stop]), "RC-R2", None)


def end_normally_too_early(game: Played, chance: Random) -> Mutant | None:
    stop = chance.randrange(len(game.record.entries) - 2)
    ended = (*game.record.entries[:stop], Entry(stop + 1, "end", (Ending("normal"),)))
    return Mutant(Record(game.record.headers, ended), "RC-E2", stop)


def resign_a_finished_game(game: Played, chance: Random) -> Mutant | None:
    last = len(game.record.entries) - 1
    resigned = game.record.entries[last]._replace(moves=(Ending("resigned", (chance.choice(game.seats),)),))
    return Mutant(game.replace(last, resigned), "RC-E3", last)


def let_a_stranger_resign(game: Played, chance: Random) -> Mutant | None:
    stop = chance.randrange(len(game.record.entries) - 2)
    ended = (*game.record.entries[:stop], Entry(stop + 1, "end", (Ending("resigned", ("purple",)),)))
    return Mutant(Record(game.record.headers, ended), "RC-E4", stop)


def play_on_after_the_ending(game: Played, chance: Random) -> Mutant | None:
    last = len(game.record.entries)
    return Mutant(game.replace(last, game.record.entries[-2]), "RC-E1", last)


def play_on_after_the_end(game: Played, chance: Random) -> Mutant | None:
    last = len(game.record.entries) - 1
    entry = game.record.entries[last - 1]
    seat = game.seats[(game.seats.index(entry.who) + 1) % len(game.seats)]
    return Mutant(game.replace(last, entry._replace(number=last + 1, who=seat)), "TD-S1", last)


def seal_another_state(game: Played, chance: Random) -> Mutant | None:
    index = chance.choice(range(1, len(game.record.entries) - 1))
    other = digest(GAME, cast("Any", replay_record(game.record, until=index - 1).position))
    mark = Remark(len(game.record.entries[index].moves), ANNOTATION, f"state {other}")
    return Mutant(game.replace(index, game.record.entries[index]._replace(remarks=(mark,))), "RC-S1", index)
