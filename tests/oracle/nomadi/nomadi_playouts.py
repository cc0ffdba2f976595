"""Random games of Nomadi, in several tempers, so that rare things happen often enough.

A temper picks one of the legal plies; after some turns everybody marches, so that every game ends. Everything
follows from the random source handed in.
"""

from typing import Any

from engine.nomadi.moves import Card, Leave, Offer, Step, Take
from tests.oracle.nomadi.nomadi_map import BEYOND, NAME, PLAIN, SQUARE, beside, four_by_four, ways
from tests.oracle.nomadi.nomadi_table import SEATS, on_turn

PATIENCE = 8
"""How many turns a temper lasts beyond the placing of stones."""


def deal(random: Any, players: Any) -> Any:
    """Seats in any order, and variants now and then; the cards are left to the engine's dealer."""
    seats = tuple(random.sample(SEATS[:players], players))
    options = {}
    if random.random() < 0.3:
        options["Oasis"] = NAME[random.choice(sorted(oasis_corners()))]
    if random.random() < 0.4:
        options["Deals"] = "yes"
    if random.random() < 0.3:
        options["Coins"] = "hidden"
    return seats, options


def oasis_corners() -> Any:
    """Where the movable oasis may lie: on plain squares beyond the ravine."""
    return {square for square in PLAIN if four_by_four(square) <= PLAIN & BEYOND}


# -- Tempers


def march(random: Any, table: Any, plies: Any) -> Any:
    """Nearer to the goal."""
    return best_of(random, plies, lambda die, origin, target: away(table, origin) - away(table, target))


def roam(random: Any, table: Any, plies: Any) -> Any:
    """Any step."""
    return random.choice(plies)


def herd(random: Any, table: Any, plies: Any) -> Any:
    """Drive the hindmost stones on, so that all come over the ravine."""

    def worth(die: Any, origin: Any, target: Any) -> Any:
        return away(table, origin) > away(table, target), away(table, origin)

    return best_of(random, plies, worth)


def seek(random: Any, table: Any, plies: Any) -> Any:
    """Land on cards, with the stones of others rather than with one's own, else somewhere beside one."""

    def worth(die: Any, origin: Any, target: Any) -> Any:
        owner = table.stones[origin][0]
        found = target in table.cards
        return found, found and owner != on_turn(table), bool(beside(target) & table.cards), random.random()

    return best_of(random, plies, worth)


def squander(random: Any, table: Any, plies: Any) -> Any:
    """Play the values that are there more than once, to and fro, and leave the hard ones unplayed."""
    return best_of(random, plies, lambda die, origin, target: (-table.unplayed.count(die), away(table, target)))


def scatter(random: Any, table: Any, plies: Any) -> Any:
    """Draw the caravan out into a thread, where little can move."""

    def worth(die: Any, origin: Any, target: Any) -> Any:
        return len(beside(origin) & table.stones.keys()) - len(beside(target) & table.stones.keys() - {origin})

    return best_of(random, plies, worth)


TEMPERS = (march, roam, herd, seek, squander, scatter)


def choose(random: Any, table: Any, plies: Any, temper: Any) -> Any:
    """One of the plies: now and then an answer to an offer, else by temper; what is no step is chosen at random."""
    plies = sorted(plies, key=repr)  # the same in every process
    answers = [ply for ply in plies if isinstance(ply[1], Take | Leave)]
    others = [ply for ply in plies if ply not in answers]
    if answers and (not others or random.random() < 0.15):
        return random.choice(answers)
    if not isinstance(others[0][1], Step) or random.random() < 0.1:
        return random.choice(others)
    tired = table.turn > PATIENCE + len(table.stones)
    return (march if tired else temper)(random, table, others)


def vary(random: Any, table: Any, ply: Any) -> Any:
    """The same ply said otherwise: a bend named, words with an offer, an answer without its square, a value hidden."""
    seat, move = ply
    if random.random() < 0.7:
        return ply
    match move:
        case Step():
            return seat, Step(move.die, move.origin, move.target, NAME.get(random.choice(bends(table, move))))
        case Offer():
            return seat, Offer(random.choice(("a fine one", 'she said: "no"', "\\ or /")))
        case Take() | Leave() if [to for _, to, _ in table.offers.values()].count(seat) == 1:
            return seat, type(move)()
        case Card() if table.turn % 2:
            return seat, Card(move.square, None)
    return ply


def bends(table: Any, step: Any) -> Any:
    """Where the ways of a legal step bend; None for one that does not."""
    led_there = [way for way in ways(SQUARE[step.origin], step.die) if NAME[way[1]] == step.target]
    return [bend for jumped, _, bend in led_there if table.stones.keys() >= set(jumped)]


def best_of(random: Any, plies: Any, worth: Any) -> Any:
    """A step that is worth most, any of them when several are."""
    worths = [worth(move.die, SQUARE[move.origin], SQUARE[move.target]) for _, move in plies]
    most = max(worths)
    return random.choice([ply for ply, value in zip(plies, worths, strict=True) if value == most])


def away(table: Any, square: Any) -> Any:
    """How far a square lies from the goal, in single steps along sides."""
    return min(abs(square[0] - x) + abs(square[1] - y) for x, y in table.goal)
