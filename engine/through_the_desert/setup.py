"""The set-up: what the headers may say, what the Dealer draws, and the first position (TD-P1 to TD-P6)."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from engine.chance import Dealer, draw_some
from engine.game import Option, Seat, Setup
from engine.through_the_desert import rules
from engine.through_the_desert.board import BOARDS, Board
from engine.through_the_desert.position import (
    KINDS,
    LEADERS,
    REMOVAL,
    Ground,
    Position,
    gates,
    rim,
    shores_around,
    shores_by_space,
    sites,
)
from engine.verdict import Verdict

SEATS: Final[tuple[Seat, ...]] = ("red", "blue", "green", "orange", "cerise")
PLAYERS: Final = range(2, 6)
HERDS: Final = {2: 22, 3: 26, 4: 30, 5: 29}
OASES: Final = 5
VALUES: Final = (1, 2, 3)
"""What a waterhole can be worth."""
EACH_VALUE: Final = 15
"""Waterholes of each value in the box."""

OPTIONS: Final = (
    Option("Board", "The map: standard.", default="standard"),
    Option("Oases", "The five palm spaces that carry an oasis: B8 D3 H11 M7 Q3.", drawn=True, places=True),
    Option("Water", "Each waterhole and its value: A6=2 B4=1 and so on.", drawn=True, places=True),
    Option("Herds", "Camels in each herd, if other than 22, 26, 30 or 29.", default=""),
)

_HOLE: Final = re.compile(r"([A-Z][0-9]{1,2})=([1-9][0-9]{0,2}|0)")


def lay_out(setup: Setup, dealer: Dealer) -> Setup:
    """Draw the oases and the waterholes that the headers leave open."""
    options = dict(setup.options)
    board = BOARDS.get(options.setdefault("Board", "standard"))
    players = len(setup.seats)
    if board is None or players not in PLAYERS:
        return setup  # `start` says what is wrong with it
    palms = board.grid.spaces(board.palms(players))
    if "Oases" not in options:
        drawn = set(draw_some(dealer, palms, OASES, "oases"))
        options["Oases"] = " ".join(space for space in palms if space in drawn)
    if "Water" not in options:
        oases = set(options["Oases"].split())
        dots = board.dots(players) | board.grid.mask(*(space for space in palms if space not in oases))
        box = [value for value in (1, 2, 3) for _ in range(EACH_VALUE)]
        values = draw_some(dealer, box, dots.bit_count(), "water")
        holes = zip(board.grid.spaces(dots), values, strict=True)
        options["Water"] = " ".join(f"{space}={value}" for space, value in holes)
    order = [option.name for option in OPTIONS if option.name in options]
    return Setup(setup.seats, tuple((name, options[name]) for name in order))


def start(setup: Setup) -> Position | Verdict:
    """The first position, or the rule that the set-up breaks."""
    seats, players = setup.seats, len(setup.seats)
    if players not in PLAYERS:
        return Verdict(rules.P1, "two to five can play, not {players}", {"players": players})
    if len(set(seats)) < players or not set(seats) <= set(SEATS):
        facts = {"seats": ", ".join(seats), "all": ", ".join(SEATS)}
        return Verdict(rules.P1, "the seats are {seats}, but must be different ones of {all}", facts)
    options = dict(setup.options)
    board = BOARDS.get(options.get("Board", "standard"))
    if board is None:
        facts = {"board": options["Board"], "known": ", ".join(BOARDS)}
        return Verdict(rules.P6, "there is no board {board}; known is {known}", facts)
    herd = _herd(options, players)
    if isinstance(herd, Verdict):
        return herd
    oases = _oases(options, board, players)
    if isinstance(oases, Verdict):
        return oases
    water = _water(options, board, players, oases)
    if isinstance(water, Verdict):
        return water
    return _first(seats, board, oases, water, herd)


def _first(seats: tuple[Seat, ...], board: Board, oases: int, water: tuple[int, int, int], herd: int) -> Position:
    players = len(seats)
    spaces = board.spaces(players)
    camel_turn = 1 + KINDS * players  # five players: five removals and four leaders each
    ground = Ground(
        seats,
        board.name,
        oases,
        water,
        herd,
        grid=board.grid,
        sites=sites(board.name, players),
        spaces=spaces,
        splits=board.grid.splits,
        gates=gates(board.name, players),
        rim=rim(board.name, players),
        shore_of=shores_around(board.name, oases),
        shores_at=shores_by_space(board.name, oases),
        shores=board.grid.grow(oases),
        wet=sum(water),
        flock=herd + min(players, 4),  # with five players one of each colour was removed
        camel_turn=camel_turn,
        full_turn=camel_turn + (1 if players == 2 else 2),
    )
    nobody = (0,) * (KINDS * players)
    return Position(
        ground,
        phase=REMOVAL if players == 5 else LEADERS,
        turn=1,
        who=0,
        placed=0,
        free=spaces & ~oases,
        camels=nobody,
        flocks=(0,) * KINDS,
        leaders=nobody,
        taken=(0,) * (2 * players),
        areas=(),
        removed=(),
    )


def _herd(options: Mapping[str, str], players: int) -> int | Verdict:
    usual = HERDS[players]
    given = options.get("Herds", "")
    if given in ("", str(usual)):
        return usual
    if given == "30" and players == 5:
        return 30
    facts = {"given": given, "players": players, "usual": usual}
    return Verdict(rules.P3, "the herds of {players} players hold {usual} camels, not {given}", facts)


def _oases(options: Mapping[str, str], board: Board, players: int) -> int | Verdict:
    given = options.get("Oases", "").split()
    palms = board.grid.spaces(board.palms(players))
    for space in given:
        if space not in palms:
            facts = {"space": space, "palms": " ".join(palms)}
            return Verdict(rules.P4, "{space} is not a palm space in play; those are {palms}", facts)
    if len(given) != OASES or len(set(given)) != OASES:
        says = "five different oases are needed, of {palms}, not {count}"
        return Verdict(rules.P4, says, {"count": len(set(given)), "palms": " ".join(palms)})
    return board.grid.mask(*given)


@cache
def _holes(name: str) -> dict[str, tuple[int, int]]:
    """The space and the value of every waterhole that could be laid on a board, by its text: ``A6=2``."""
    bits = BOARDS[name].grid.bits.items()
    return {f"{space}={value}": (bit, value) for space, bit in bits for value in VALUES}


def _water(options: Mapping[str, str], board: Board, players: int, oases: int) -> tuple[int, int, int] | Verdict:
    """The waterholes of value 1, 2 and 3."""
    known = _holes(board.name)
    dots = bare = board.dots(players) | board.palms(players) & ~oases
    laid = [0, 0, 0, 0]
    for hole in options.get("Water", "").split():
        bit, value = known.get(hole, (0, 0))
        if not bit & bare:
            return _odd_hole(hole, board, dots)
        laid[value] |= bit
        bare ^= bit
    if bare:
        return Verdict(rules.P5, "a waterhole is missing at {space}", {"space": board.grid.spaces(bare)[0]})
    for value in VALUES:
        count = laid[value].bit_count()
        if count > EACH_VALUE:
            facts = {"value": value, "count": count}
            return Verdict(rules.P5, "there are only fifteen waterholes of value {value}, not {count}", facts)
    return laid[1], laid[2], laid[3]


def _odd_hole(hole: str, board: Board, dots: int) -> Verdict:
    """What is wrong with a waterhole that cannot be laid."""
    match = _HOLE.fullmatch(hole)
    if match is None:
        return Verdict(rules.P5, "{hole} is not a waterhole; write A6=2", {"hole": hole})
    space, value = match[1], int(match[2])
    facts = {"space": space, "value": value}
    if not board.grid.bits.get(space, 0) & dots:
        return Verdict(rules.P5, "no waterhole can lie at {space}", facts)
    if value not in VALUES:
        return Verdict(rules.P5, "no waterhole is worth {value}, as {space} says", facts)
    return Verdict(rules.P5, "{space} has two waterholes", facts)
