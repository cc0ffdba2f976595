"""Random games of Through the Desert, in several tempers, so that rare things happen often enough.

A temper picks one of the legal plies. Everything follows from the random source handed in.
"""

from typing import Any

from engine.through_the_desert.moves import Camel, Leader
from tests.oracle.desert import desert_map
from tests.oracle.desert.desert_oracle import SEATS, phase, place_camel
from tests.oracle.desert.desert_table import herd_choices, waterhole_spaces

CORNER = "V12"

JAWS = ("K7", "J6", "K8", "J5", "I5", "H5", "H6")
BAIT, POCKETS, BITE = "I6", ("H7", "J7"), "I7"
"""A ring at the middle mountains: with another camel on the bait it is no area, but the bite makes two."""


def deal(random: Any, players: Any) -> Any:
    """Seats in any order and a set-up drawn at random."""
    seats = tuple(random.sample(SEATS, players))
    oases = random.sample(desert_map.sort_spaces(desert_map.palms(players)), 5)
    holes = desert_map.sort_spaces(waterhole_spaces(players, set(oases)))
    values = random.sample([1, 2, 3] * 15, len(holes))
    options = {
        "Oases": " ".join(desert_map.sort_spaces(oases)),
        "Water": " ".join(f"{hole}={value}" for hole, value in zip(holes, values, strict=True)),
    }
    if players == 5:
        options["Herds"] = random.choice(sorted(herd_choices(players)))
    return seats, options


def in_order(plies: Any) -> Any:
    """Plies sorted, so that a choice among them is the same in every process."""
    return sorted(plies, key=lambda ply: repr(ply[1]))


def roam(random: Any, table: Any, plies: Any) -> Any:
    """Any legal ply."""
    return random.choice(plies)


def hurry(random: Any, table: Any, plies: Any) -> Any:
    """Take camels from the smallest herd, to end soon."""
    return best_of(random, plies, lambda move: -table.herds[move.colour])


def linger(random: Any, table: Any, plies: Any) -> Any:
    """Take camels from the largest herd, to play until nothing can be placed."""
    return best_of(random, plies, lambda move: table.herds[move.colour])


def block(random: Any, table: Any, plies: Any) -> Any:
    """Stand beside the camels of others."""
    seat = plies[0][0]

    def others(move: Any) -> Any:
        near = table.beside[move.space]
        return sum(1 for space in near if table.camels.get(space, (seat,))[0] != seat)

    return best_of(random, plies, others)


def openings(table: Any, seat: Any, move: Any) -> Any:
    """How many ways lead on from a space between this caravan, mountains and edge: with more, areas may close."""
    free = {space for space in table.beside[move.space] if table.camels.get(space) != (seat, move.colour)}
    return len(desert_map.components(free, table.beside))


def likeliest(random: Any, table: Any, plies: Any) -> Any:
    """A few plies that may close an area."""
    shuffled = random.sample(plies, len(plies))
    return sorted(shuffled, key=lambda ply: openings(table, *ply), reverse=True)[:6]


def closed_by(table: Any, seat: Any, move: Any) -> Any:
    """The areas that a placement encloses."""
    return place_camel(table, seat, move).areas[len(table.areas) :]


def enclose(random: Any, table: Any, plies: Any) -> Any:
    """Close areas as soon as that can be done, the largest first."""
    seat = plies[0][0]
    return best_of(
        random,
        likeliest(random, table, plies),
        lambda move: sum(len(spaces) for _, _, spaces, _ in closed_by(table, seat, move)),
    )


def hoard(random: Any, table: Any, plies: Any) -> Any:
    """Leave single pockets open until two can be closed at one stroke."""
    seat = plies[0][0]

    def patience(move: Any) -> Any:
        closed = len(closed_by(table, seat, move))
        return closed > 1, closed == 0, openings(table, seat, move)

    return best_of(random, likeliest(random, table, plies), patience)


def pincer(random: Any, table: Any, plies: Any) -> Any:
    """The first seat takes two pockets of the middle mountains at one stroke, if the others let it."""
    wanted = [Leader("lilac", JAWS[0]), Leader("mint", BAIT), *(Camel("lilac", space) for space in (*JAWS, BITE))]
    moves = [move for _, move in plies]
    if plies[0][0] == table.seats[0]:
        for move in wanted:
            if move in moves:
                return plies[0][0], move
    free = [ply for ply in plies if ply[1].space not in (*JAWS, BAIT, *POCKETS, BITE)]
    return random.choice(free or plies)


def crowd(random: Any, table: Any, plies: Any) -> Any:
    """Put all leaders into one corner, then wall off the rest of the board."""
    if phase(table) == "leaders":
        return best_of(random, plies, lambda move: -distance(move.space, CORNER))
    return random.choice([enclose, enclose, linger])(random, table, plies)


def besiege(random: Any, table: Any, plies: Any) -> Any:
    """Put all leaders east of column N; then the first seat walls them in along it with lilac."""
    lilac_on_n = [ply for ply in plies if ply[1].space[0] == "N" and ply[1].colour == "lilac"]
    if lilac_on_n and plies[0][0] == table.seats[0]:
        return random.choice(lilac_on_n)
    if phase(table) == "leaders":
        return best_of(random, plies, lambda move: (move.space > "O", move.space[0]))
    return best_of(random, plies, lambda move: (move.space > "O", table.herds[move.colour]))


TEMPERS = (roam, hurry, linger, block, enclose, hoard, pincer, crowd, besiege)


def choose(random: Any, table: Any, plies: Any, temper: Any) -> Any:
    """One of the plies, by temper; what has no camel in it is chosen at random."""
    plies = in_order(plies)
    if temper in (pincer, crowd, besiege) or isinstance(plies[0][1], Camel):
        return temper(random, table, plies) if has_space(plies) else random.choice(plies)
    return random.choice(plies)


def has_space(plies: Any) -> Any:
    """Whether the plies put something on the board."""
    return isinstance(plies[0][1], Camel | Leader)


def best_of(random: Any, plies: Any, worth: Any) -> Any:
    """A ply whose move is worth most, any of them when several are."""
    worths = [worth(ply[1]) for ply in plies]
    most = max(worths)
    return random.choice([ply for ply, value in zip(plies, worths, strict=True) if value == most])


def distance(one: Any, other: Any) -> Any:
    """Roughly how far two spaces lie apart."""
    return abs(ord(one[0]) - ord(other[0])) + abs(int(one[1:]) - int(other[1:]))
