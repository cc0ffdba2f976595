"""The set-up: what the headers may say, what the Dealer draws, and the first position (TD-P1 to TD-P5)."""

import re
from collections.abc import Mapping
from functools import lru_cache
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
    Option("Oases", "The five palm spaces that carry an oasis: B8 D3 H11 M7 Q3.", drawn=True),
    Option("Water", "Each waterhole and its value: A6=2 B4=1 and so on.", drawn=True),
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
        return Verdict(rules.P1, "there is no board {board}; known is {known}", facts)
    herd = _herd(options, players)
    if isinstance(herd, Verdict):
        return herd
    oases = _oases(options, board, players)
    if isinstance(oases, Verdict):
        return oases
    drops = _water(options, board, players, oases)
    if isinstance(drops, Verdict):
        return drops
    return _first(seats, board, oases, drops, herd)


def _first(seats: tuple[Seat, ...], board: Board, oases: int, drops: dict[int, int], herd: int) -> Position:
    players = len(seats)
    laid = [0, 0, 0, 0]
    for bit, value in drops.items():
        laid[value] |= bit
    water = (laid[1], laid[2], laid[3])
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
        shore_of=shores_around(board.name, oases),
        shores_at=shores_by_space(board.name, oases),
        shores=board.grid.grow(oases),
        drops=drops,
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
            return Verdict(rules.P4, "{space} is no palm space in play; those are {palms}", facts)
    if len(given) != OASES or len(set(given)) != OASES:
        says = "five different oases are needed, of {palms}, not {count}"
        return Verdict(rules.P4, says, {"count": len(set(given)), "palms": " ".join(palms)})
    return board.grid.mask(*given)


@lru_cache(maxsize=1024)
def _hole(text: str) -> tuple[str, int] | None:
    """The space and the value of a waterhole, ``A6=2``; an archive repeats the few there are."""
    match = _HOLE.fullmatch(text)
    return None if match is None else (match[1], int(match[2]))


def _water(options: Mapping[str, str], board: Board, players: int, oases: int) -> dict[int, int] | Verdict:
    """The value of the waterhole on each space that has one."""
    bits = board.grid.bits
    dots = bare = board.dots(players) | board.palms(players) & ~oases
    drops: dict[int, int] = {}
    for hole in options.get("Water", "").split():
        read = _hole(hole)
        if read is None:
            return Verdict(rules.P5, "{hole} is no waterhole; write A6=2", {"hole": hole})
        space, value = read
        bit = bits.get(space, 0)
        if not bit & bare or value not in VALUES:
            says = "no waterhole is worth {value}, as {space} says"
            if not bit & bare:
                says = "{space} has two waterholes" if bit & dots else "no waterhole can lie at {space}"
            return Verdict(rules.P5, says, {"space": space, "value": value})
        drops[bit] = value
        bare ^= bit
    if bare:
        return Verdict(rules.P5, "a waterhole is missing at {space}", {"space": board.grid.spaces(bare)[0]})
    laid = list(drops.values())
    for value in VALUES:
        count = laid.count(value)
        if count > EACH_VALUE:
            facts = {"value": value, "count": count}
            return Verdict(rules.P5, "there are only fifteen waterholes of value {value}, not {count}", facts)
    return drops
