"""Ways to play and to be lucky, so that rare things happen often enough in random games.

A temper says which moves are liked and how chance is bent. Fair chance is left to the engine's own deal; a bent one
picks among what the rules let chance do.
"""

from typing import Any

from engine.brotherhood import moves
from tests.oracle.brotherhood.brotherhood_north import CLAN_OF_TRAIL, SECTION_OF_TRAIL
from tests.oracle.brotherhood.brotherhood_table import on_hexes

HEROES = (
    *(moves.Mormont, moves.Marsh, moves.Yarwyck, moves.Thorne, moves.Melisandre, moves.Mance),
    *(moves.Benjen, moves.Ygritte, moves.Yoren, moves.Qhorin, moves.Tarly),
)
CARDS = (moves.Ranger, moves.Roads, moves.Recruits, moves.Winter)
BUILDING = (moves.Settlement, moves.Keep)
TALK = (moves.Offer, moves.Accept, moves.Decline, moves.Withdraw)

USUAL = 6
SELDOM: dict[type, int] = dict.fromkeys((moves.Offer, moves.Withdraw, moves.Decline), 1)
EAGER: dict[type, int] = {**dict.fromkeys(BUILDING, 40), **dict.fromkeys(CARDS, 15), **SELDOM}

LIKES: dict[str, dict[type, int]] = {
    "roam": SELDOM,
    "settle": EAGER,
    "guard": {**EAGER, moves.Guard: 80, moves.Recruits: 80, moves.Road: 1, moves.Buy: 3},
    "talk": {**EAGER, **dict.fromkeys(TALK, 20), moves.End: 2},
    "patrol": {**EAGER, moves.Buy: 60, moves.Ranger: 60, moves.Settlement: 6},
    "wander": {**EAGER, moves.Road: 60, moves.Roads: 60, moves.Buy: 1},
    "lead": {**EAGER, **dict.fromkeys(HEROES, 60)},
    "summon": {**EAGER, **dict.fromkeys(HEROES, 40), moves.Benjen: 400, moves.Flip: 60, moves.Guard: 30},
    "hoard": {**dict.fromkeys((*BUILDING, moves.Road, moves.Buy, moves.Trade, moves.Guard), 1), moves.End: 40},
}


def choose(random: Any, plies: Any, temper: Any) -> Any:
    """One of the plies: first a kind of move, by liking, then any of that kind."""
    kinds: dict[type, list[Any]] = {}
    for ply in plies:
        kinds.setdefault(type(ply[1]), []).append(ply)
    order = sorted(kinds, key=lambda kind: kind.__name__)
    (kind,) = random.choices(order, [LIKES[temper].get(kind, USUAL) for kind in order])
    liked = [ply for ply in kinds[kind] if temper == "summon" and ply[1] == moves.Swap("benjen")]
    return random.choice(sorted(liked or kinds[kind], key=repr))


# -- Bent chance


def harvest(random: Any, table: Any, plies: Any) -> Any:
    """Dice that yield most; everything else as it comes."""
    return best_of(random, plies, lambda move: crop(table, move))


def storm(random: Any, table: Any, plies: Any) -> Any:
    """Good crops; tokens bring climbers, and these advance before all others."""

    def fury(move: Any) -> Any:
        if isinstance(move, moves.Dice):
            return crop(table, move) + {None: 0, "climber": 9}.get(called(table, move), -9)
        return isinstance(move, moves.Token) and move.kind == "climber"

    return best_of(random, plies, fury)


def siege(random: Any, table: Any, plies: Any) -> Any:
    """Good crops; wildlings crowd into one clan, and giants strike where regulars wait."""

    def press(move: Any) -> Any:
        if isinstance(move, moves.Dice):
            return crop(table, move) + threat(table, move.wild)
        return isinstance(move, moves.Token) and 2 * len(table.camps[move.clan]) - (move.kind == "climber")

    return best_of(random, plies, press)


def threat(table: Any, trail: Any) -> Any:
    """How badly the wildling at a trail is needed for a breach after a giant."""
    if not table.camps.get(CLAN_OF_TRAIL.get(trail)):
        return 0
    waiting, guards = len(table.clearings[SECTION_OF_TRAIL[trail]]), len(table.guards[SECTION_OF_TRAIL[trail]])
    giant = table.camps[CLAN_OF_TRAIL[trail]][0] == "giant"
    return 20 if giant and waiting == guards > 0 else 6 if not giant and waiting < guards else -6


def muster(random: Any, table: Any, plies: Any) -> Any:
    """Good crops; climbers gather in all camps, and none advances if it can be helped."""

    def gathering(move: Any) -> Any:
        if isinstance(move, moves.Dice):
            return crop(table, move) - 30 * (called(table, move) is not None)
        return isinstance(move, moves.Token) and 9 * (move.kind == "climber") - len(table.camps[move.clan])

    return best_of(random, plies, gathering)


def crowd(random: Any, table: Any, plies: Any) -> Any:
    """Good crops; all gather in one clan, until they rush."""

    def crowding(move: Any) -> Any:
        if isinstance(move, moves.Dice):
            return crop(table, move) - 30 * (called(table, move) is not None)
        return isinstance(move, moves.Token) and len(table.camps[move.clan])

    return best_of(random, plies, crowding)


def called(table: Any, move: Any) -> Any:
    """The kind of wildling that dice make advance, or None."""
    there = table.camps.get(CLAN_OF_TRAIL.get(move.wild))
    return there[0] if there else None


def doom(random: Any, table: Any, plies: Any) -> Any:
    """Good crops; wildlings come where nobody stands guard, so that the end is early and close."""

    def fate(move: Any) -> Any:
        if isinstance(move, moves.Dice):
            open_way = called(table, move) and not table.guards[SECTION_OF_TRAIL[move.wild or 0]]
            return crop(table, move) + 20 * bool(open_way)
        return isinstance(move, moves.Token) and move.kind != "climber"

    return best_of(random, plies, fate)


def robbery(random: Any, table: Any, plies: Any) -> Any:
    """Sevens more often than not."""
    return best_of(random, plies, lambda move: isinstance(move, moves.Dice) and move.white + move.red == 7)


LUCK = {
    "harvest": harvest,
    "storm": storm,
    "siege": siege,
    "muster": muster,
    "crowd": crowd,
    "doom": doom,
    "robbery": robbery,
}
FRUITFUL = ("harvest", "storm", "siege", "muster", "crowd", "doom")
"""With these a game gets on."""

PATIENT = ("summon",)
"""Tempers that do not tire, as games end all the same."""

FAIR = 0.1
"""So often chance is fair in spite of all."""


def crop(table: Any, move: Any) -> Any:
    """How many cards a roll would yield, before the supply runs short."""
    if not isinstance(move, moves.Dice):
        return 0
    total = move.white + move.red
    fields = [place for place, numbers in table.board.numbers.items() if total in numbers]
    return sum(on_hexes(table, place).total() for place in fields if place not in table.gift)


def best_of(random: Any, plies: Any, worth: Any) -> Any:
    """A ply whose move is worth most, any of them when several are."""
    worths = [worth(ply[1]) for ply in plies]
    most = max(worths)
    return random.choice([ply for ply, value in zip(plies, worths, strict=True) if value == most])
