"""The set-up: what the headers may say, what the Dealer draws, and the first position."""

from collections.abc import Mapping
from typing import Final

from engine.chance import Dealer, draw_some
from engine.game import Option, Seat, Setup
from engine.nomadi import rules
from engine.nomadi.board import BITS, BOARD, FAR, OVER, PLAIN, PRINTED_GOAL, WATERHOLES, mask_of, squares
from engine.nomadi.position import PLACING, Ground, Position
from engine.verdict import Rule, Verdict

STONES: Final[Mapping[Seat, int]] = {"blue": 8, "yellow": 8, "red": 5, "green": 4, "black": 3}
"""The stones of each colour in the box."""
SEATS: Final = tuple(STONES)
EACH: Final = {2: 8, 3: 5, 4: 4, 5: 3}
"""Stones of every player, by how many play."""
PLAYERS: Final = range(2, 6)
COINS: Final = 5
SCATTERED: Final = 6
"""Cards that lie on no waterhole."""
PRINTED: Final = "printed"

OPTIONS: Final = (
    Option("Oasis", "The goal: printed, or the top left square of the movable oasis beyond the ravine.", PRINTED),
    Option("Cards", "The six plain squares with a desert card: B9 E4 F6 G17 J12 N3.", drawn=True, places=True),
    Option("Deals", "Whether players may give each other coins: no or yes.", "no"),
    Option("Coins", "Whether all see everybody's coins: open or hidden.", "open"),
)
_TERMS: Final[tuple[tuple[str, tuple[str, str], Rule], ...]] = (
    ("Deals", ("no", "yes"), rules.V2),
    ("Coins", ("open", "hidden"), rules.V3),
)


def lay_out(setup: Setup, dealer: Dealer) -> Setup:
    """Draw the squares of the six cards that lie on no waterhole, if the headers leave them open."""
    options = dict(setup.options)
    goal = _goal(options)
    if isinstance(goal, Verdict):
        return setup  # `start` says what is wrong with it
    if "Cards" not in options:
        drawn = draw_some(dealer, squares(PLAIN & ~goal), SCATTERED, "cards")
        options["Cards"] = " ".join(squares(mask_of(*drawn)))
    order = [option.name for option in OPTIONS if option.name in options]
    return Setup(setup.seats, tuple((name, options[name]) for name in order))


def start(setup: Setup) -> Position | Verdict:
    """The first position, or the rule that the set-up breaks."""
    options = dict(setup.options)
    refusal = _refuse_seats(setup.seats) or _refuse_terms(options)
    if refusal is not None:
        return refusal
    goal = _goal(options)
    if isinstance(goal, Verdict):
        return goal
    cards = _cards(options, goal)
    if isinstance(cards, Verdict):
        return cards
    players = len(setup.seats)
    ground = Ground(
        setup.seats,
        each=EACH[players],
        goal=goal,
        cards=cards,
        deals=options.get("Deals") == "yes",
        hidden_coins=options.get("Coins") == "hidden",
    )
    return Position(ground, PLACING, turn=1, who=0, stones=(0,) * players, coins=(COINS,) * players, cards=ground.cards)


def _refuse_seats(seats: tuple[Seat, ...]) -> Verdict | None:
    players = len(seats)
    if players not in PLAYERS:
        return Verdict(rules.P1, "two to five can play, not {players}", {"players": players})
    if len(set(seats)) < players or not set(seats) <= set(SEATS):
        facts = {"seats": ", ".join(seats), "all": ", ".join(SEATS)}
        return Verdict(rules.P1, "the seats are {seats}, but must be different ones of {all}", facts)
    for seat in seats:
        if STONES[seat] < EACH[players]:
            says = (
                "there are {stones} {seat} stones, and {players} players need {each} each; there are enough of {seats}"
            )
            counts = {"stones": STONES[seat], "each": EACH[players], "players": players}
            enough = ", ".join(each for each in SEATS if STONES[each] >= EACH[players])
            return Verdict(rules.P2, says, {"seat": seat, "seats": enough, **counts})
    return None


def _refuse_terms(options: Mapping[str, str]) -> Verdict | None:
    for name, known, rule in _TERMS:
        given = options.get(name, known[0])
        if given not in known:
            facts = {"name": name, "given": given, "usual": known[0], "other": known[1]}
            return Verdict(rule, "{name} can be {usual} or {other}, not {given}", facts)
    return None


def _goal(options: Mapping[str, str]) -> int | Verdict:
    """The squares of the goal."""
    corner = options.get("Oasis", PRINTED)
    if corner == PRINTED:
        return PRINTED_GOAL
    if corner not in BITS:
        says = "{square} is not a square; the oasis is printed, or named by its top left square"
        return Verdict(rules.V1, says, {"square": corner})
    laid = sum(BITS[corner] << (over * OVER + down) for over in range(4) for down in range(4))
    if (laid & BOARD).bit_count() < laid.bit_count():
        return Verdict(rules.V1, "an oasis with its top left square at {square} leaves the board", {"square": corner})
    odd = squares(laid & ~(PLAIN & FAR))
    if odd:
        says = "an oasis at {square} would cover {odd}, which is not plain desert beyond the ravine"
        return Verdict(rules.V1, says, {"square": corner, "odd": odd[0]})
    return laid


def _cards(options: Mapping[str, str], goal: int) -> int | Verdict:
    """Where the eighteen cards lie."""
    given = options.get("Cards", "").split()
    for square in given:
        if not BITS.get(square, 0) & PLAIN & ~goal:
            says = "{square} is not a plain square outside the goal"
            return Verdict(rules.P3, says, {"square": square})
    if len(given) != SCATTERED or len(set(given)) != SCATTERED:
        says = "six different squares are needed for cards, not {count}"
        return Verdict(rules.P3, says, {"count": len(set(given))})
    return WATERHOLES | mask_of(*given)
