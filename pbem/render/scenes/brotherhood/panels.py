"""What stands around the map: title, dice, players, the viewer's own hand, offers, the supply."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from engine.brotherhood.moves import DEVELOPMENTS, RESOURCES
from engine.game import Seat, View
from pbem.render.geometry import Point
from pbem.render.players import ShownPlayer
from pbem.render.scenes.brotherhood.ground import EDGE, HEADER, PANEL, RIGHT, STRIP, MapDrawing
from pbem.render.tiles import Box, Figure

LEFT: Final = RIGHT + 8
"""Where the panel begins."""
WIDE: Final = PANEL - 8 - EDGE
DICE: Final = 60
"""Room for the dice above the players."""
CARD: Final = 92
"""The height of a player's card."""
NEXT: Final = CARD + 5
HAND: Final = 70
"""Room for the viewer's own resource cards."""
CHIPS: Final = 24
"""Room for a line of development cards, or for an offer."""
LETTER: Final = 14
"""Room for a letter of a title or a status, amply."""
UNTITLED: Final = 40
STATUS: Final = 40
"""Letters of the game's own name, which stands where no title is asked for, and of a status."""


class Household(NamedTuple):
    """All that a player's card shows. What only the full game has is None in the other."""

    player: ShownPlayer
    points: int
    standing: str
    """``winner``, ``move``, ``answer`` or nothing."""
    cards: int
    developments: int
    rangers: int
    length: int
    longest: bool
    largest: bool
    roads: int
    settlements: int
    keeps: int
    """Pieces left to build."""
    guards: int | None = None
    hero: str | None = None
    side: str = ""


class Own(NamedTuple):
    """What the viewer alone knows: the own seat, its cards, and the development cards with those bought just now."""

    seat: Seat
    cards: Mapping[str, int]
    developments: Mapping[str, int]
    bought: Mapping[str, int]


def find_own(view: View) -> Own | None:
    """What the viewer alone knows; nothing once all cards lie open."""
    if view["stage"] == "over":
        return None
    for seat, hand in view["hands"].items():
        if "cards" in hand:
            held = view["developments"][seat]
            return Own(seat, hand["cards"], held["cards"], held["bought"])
    return None


def describe(view: View, player: ShownPlayer) -> Household:
    """What everybody may know of a player."""
    seat, pieces, watch = player.seat, view["pieces"][player.seat], view["watch"]
    if player.won or view["winner"] == seat:
        standing = "winner"
    elif player.due:
        standing = "move" if seat == view["on_turn"] and view["waits_for"] != "discard" else "answer"
    else:
        standing = ""
    shown: dict[str, Any] = {}
    if watch:
        guards = sum(section.count(seat) for section in watch["sections"])
        hero = watch["heroes"]["before"][seat]
        shown = {"guards": guards, "hero": hero["hero"], "side": hero["side"]}
    return Household(
        player=player,
        points=view["points"][seat],
        standing=standing,
        cards=view["hands"][seat]["count"],
        developments=view["developments"][seat]["count"],
        rangers=view["patrols"][seat],
        length=view["lengths"][seat],
        longest=view["longest"] == seat,
        largest=view["largest"] == seat,
        roads=pieces["roads"],
        settlements=pieces["settlements"],
        keeps=pieces["keeps"],
        **shown,
    )


def state_of(view: View) -> tuple[str, int, Seat, tuple[Seat, ...]]:
    """What words need to say what is going on: what the table waits for, the turn, whose it is, who is due."""
    return view["waits_for"], view["turn"], view["winner"] or view["on_turn"], tuple(view["to_act"])


def show_words(view: View, title: str, ground: MapDrawing) -> Iterator[Figure]:
    """Title and status above the map."""
    room = min(ground.width, LETTER * (2 + len(title) if title else UNTITLED))
    yield Figure("title", (title, view["game"]), Box(0, 0, room, HEADER - 2), Point(0, 0))
    room = LETTER * STATUS
    yield Figure("status", state_of(view), Box(-room, 0, room, HEADER - 2), Point(ground.width, 0))


def show_panel(view: View, households: list[Household], own: Own | None, ground: MapDrawing) -> Iterator[Figure]:
    """Dice, players, the viewer's hand, and as many offers as there is room for; words tell all of them."""
    top = HEADER
    dice = tuple(view["dice"])
    if dice:
        yield Figure("dice", (view["on_turn"], dice), Box(0, 0, WIDE, DICE - 6), Point(LEFT, top))
    top += DICE
    for household in households:
        yield Figure("player", (household, WIDE), Box(0, 0, WIDE, CARD), Point(LEFT, top), household.player.seat)
        top += NEXT
    if own is not None:
        hand = tuple(own.cards.get(resource, 0) for resource in RESOURCES)
        yield Figure("hand", (hand,), Box(0, 0, WIDE, HAND), Point(LEFT, top), own.seat)
        top += HAND
        chips = tuple((card, own.developments[card]) for card in DEVELOPMENTS if card in own.developments)
        if chips:
            yield Figure("chips", (chips,), Box(0, 0, WIDE, CHIPS), Point(LEFT, top), own.seat)
            top += CHIPS
    for offer in view["offers"][: (ground.height - top) // CHIPS]:
        give, take = tuple(offer["give"].items()), tuple(offer["take"].items())
        facts = (offer["seat"], give, take, tuple(offer["to"]))
        yield Figure("offer", facts, Box(0, 0, WIDE, CHIPS), Point(LEFT, top), offer["seat"])
        top += CHIPS


def show_supply(view: View, ground: MapDrawing) -> Iterator[Figure]:
    """What the supply still has, below the map."""
    counts = tuple(view["supply"].items())
    yield Figure("supply", (counts, view["deck"]), Box(0, 0, RIGHT, STRIP // 2), Point(0, ground.bottom))
