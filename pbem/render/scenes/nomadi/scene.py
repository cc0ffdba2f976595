"""The table at one moment, turned into places on paper."""

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import Final, NamedTuple

from engine.nomadi.board import place
from pbem.render.geometry import Point
from pbem.render.plain_scene import PlainScene, Spot
from pbem.render.players import ShownPlayer, show_name
from pbem.render.scenes.nomadi.arrows import Arrow, DrawnMove, draw_way, find_bends, read_moves
from pbem.render.scenes.nomadi.ground import EDGE, HEADER, MARGIN, RIGHT, BoardDrawing, centre, survey
from pbem.render.scenes.nomadi.text import SIGNS, draw_lines

PANEL: Final = RIGHT + MARGIN + 10
"""Where the panel beside the board begins."""
DIE: Final = 41
"""From one die to the next."""
DICE: Final = HEADER + 44
"""The height of the dice's middles."""
CARDS: Final = HEADER + 80
"""Where the first player's card begins."""
CARD: Final = 84
"""From one player's card to the next."""
LEGEND: Final = 214
"""From the first sign that is explained to the lower end of the board."""
OFFER: Final = 26
"""From one offer to the next below the players."""
MOST_OFFERS: Final = 3
ROW: Final = 8
"""So many cards that the viewer knows stand side by side."""
ACROSS: Final = 31
DOWN: Final = 46
"""From one of them to the next, and from row to row."""
WORDS: Final = 160
"""Characters of what a player says about a card."""


class Caravan(NamedTuple):
    """The stones of one player on the board."""

    seat: str
    sign: str
    spots: list[Spot]


class Die(NamedTuple):
    """A die as it was thrown, and whether it has been played."""

    value: int
    played: bool
    middle: Point


class Purse(NamedTuple):
    """What a player has: coins (None: hidden), cards, and stones still to place."""

    coins: int | None
    cards: int
    stones: int


class Offered(NamedTuple):
    """A card that waits for an answer; the words are the player's own."""

    square: str
    giver: str
    taker: str
    words: str


class KnownCards(NamedTuple):
    """A card whose value the viewer knows, and with whom it lies; None while it is being offered."""

    square: str
    value: str
    holder: str | None


class Scene(PlainScene):
    """What the templates of Nomadi draw."""

    @cached_property
    def ground(self) -> BoardDrawing:
        """The board."""
        return survey(tuple(self.view["goal"]), tuple(self.view["start"]))

    def _spots(self, squares: Iterable[str]) -> list[Spot]:
        return [self.ground.spots[square] for square in squares]

    def middle_of(self, mark: str) -> Point | None:
        """The middle of a square."""
        return centre(mark) if mark in self.ground.spots else None

    @cached_property
    def signs(self) -> dict[str, str]:
        """The letters of the seats."""
        return {seat: SIGNS[seat] for seat in self.view["seats"]}

    @cached_property
    def caravans(self) -> list[Caravan]:
        """The stones, in seat order."""
        return [Caravan(seat, self.signs[seat], self._spots(own)) for seat, own in self.view["stones"].items()]

    @cached_property
    def stones_of(self) -> dict[str, list[Spot]]:
        """The stones of each seat."""
        return {caravan.seat: caravan.spots for caravan in self.caravans}

    @cached_property
    def held_by(self) -> dict[str, list[str]]:
        """The squares from which each seat has its cards."""
        held = self.view["held"]
        return {seat: [square for square in held if held[square] == seat] for seat in self.view["seats"]}

    @cached_property
    def occupied(self) -> set[str]:
        """The squares with a stone."""
        return {square for own in self.view["stones"].values() for square in own}

    @cached_property
    def waterholes(self) -> list[Spot]:
        """The waterholes."""
        return self._spots(self.view["waterholes"])

    @cached_property
    def face_down(self) -> list[Spot]:
        """The cards that nobody has looked at."""
        return self._spots(self.view["cards"])

    @cached_property
    def wet_cards(self) -> list[str]:
        """Those of them that lie at waterholes."""
        return [square for square in self.view["cards"] if square in self.view["waterholes"]]

    @cached_property
    def dry_cards(self) -> list[str]:
        """Those that lie elsewhere."""
        return [square for square in self.view["cards"] if square not in self.view["waterholes"]]

    @cached_property
    def bare_water(self) -> list[str]:
        """The waterholes without a card."""
        return [square for square in self.view["waterholes"] if square not in self.view["cards"]]

    @cached_property
    def waiting(self) -> int:
        """How many stones are in the start zone."""
        return len(self.occupied.intersection(self.view["start"]))

    @cached_property
    def moves(self) -> list[DrawnMove]:
        """The moves to show: this turn's, or else the last turn's."""
        return find_bends(read_moves(self.view, self.options.marked), self.occupied)

    @cached_property
    def ways(self) -> list[Arrow]:
        """The same as arrows."""
        return [draw_way(move) for move in self.moves]

    @cached_property
    def landed(self) -> list[Spot]:
        """Where the stones that were moved, or placed last, stand now."""
        plain = [mark for mark in self.options.marked if "-" not in mark]
        reached = [move.target for move in self.moves]
        return self._spots(square for square in dict.fromkeys((*plain, *reached)) if square in self.occupied)

    @cached_property
    def legal(self) -> list[Spot]:
        """The squares that a stone may reach now, where that is asked for."""
        return self._spots(sorted({each.split("-")[-1] for each in self.options.legal}, key=place))

    @cached_property
    def named(self) -> list[Spot]:
        """The empty squares of sand, which show their names in the middle."""
        special = {*self.view["waterholes"], *self.view["cards"], *self.occupied}
        return self._spots(square for square in self.ground.spots if square not in special)

    @cached_property
    def named_below(self) -> list[Spot]:
        """The empty squares with water or a card, which leave room for a name only below."""
        special = {*self.view["waterholes"], *self.view["cards"]} - self.occupied
        return self._spots(square for square in self.ground.spots if square in special)

    @cached_property
    def dice(self) -> list[Die]:
        """The dice as they were thrown; of two with the same value the first counts as played first."""
        left: Counter[int] = Counter(self.view["unplayed"])
        dice: list[Die] = []
        for at, value in reversed(list(enumerate(self.view["dice"]))):
            dice.append(Die(value, not left[value], Point(PANEL + 21 + at * DIE, DICE)))
            left[value] -= left[value] > 0
        return dice[::-1]

    @cached_property
    def panel(self) -> int:
        """Where the panel beside the board begins."""
        return PANEL

    @cached_property
    def panel_width(self) -> int:
        """How wide it is."""
        return self.ground.width - PANEL - EDGE

    @cached_property
    def cards(self) -> list[tuple[ShownPlayer, Point]]:
        """The players, with the upper left corners of their cards."""
        return [(player, Point(PANEL, CARDS + at * CARD)) for at, player in enumerate(self.players)]

    @cached_property
    def legend(self) -> Point:
        """The middle of the first sign that is explained."""
        return Point(PANEL + 18, self.ground.bottom - LEGEND)

    @cached_property
    def purses(self) -> dict[str, Purse]:
        """What each seat has."""
        coins, holds, hand = self.view["coins"], self.view["holds"], self.view["hand"]
        return {seat: Purse(coins.get(seat), holds[seat], hand[seat]) for seat in self.view["seats"]}

    @cached_property
    def shows_points(self) -> bool:
        """Whether the cards show points: at the end, when cards count too; till then coins are all there is."""
        return self.options.score is not None and self.view["phase"] == "over"

    @cached_property
    def offers(self) -> list[Offered]:
        """The cards that wait for an answer, oldest first."""
        return [
            Offered(offer["square"], offer["from"], offer["to"], show_name(offer["words"], longest=WORDS))
            for offer in self.view["offers"]
        ]

    @cached_property
    def shown_offers(self) -> list[tuple[Offered, Point]]:
        """As many of them as there is room for below the players, with their places; words tell all of them."""
        top = CARDS + CARD * len(self.players) + 18
        return [(offer, Point(PANEL, top + at * OFFER)) for at, offer in enumerate(self.offers[:MOST_OFFERS])]

    @cached_property
    def known(self) -> list[KnownCards]:
        """The cards whose values the viewer knows."""
        held = self.view["held"]
        return [
            KnownCards(square, write_value(value), held.get(square)) for square, value in self.view["values"].items()
        ]

    @cached_property
    def shown_cards(self) -> list[tuple[KnownCards, Point]]:
        """As many of them as there is room for between the offers and the signs; words tell all of them."""
        top = CARDS + CARD * len(self.players) + OFFER * len(self.shown_offers) + 34
        room = ROW * ((self.legend.y - top) // DOWN)
        places = (Point(PANEL + 15 + at % ROW * ACROSS, top + at // ROW * DOWN) for at in range(room))
        return list(zip(self.known, places, strict=False))

    @cached_property
    def lines(self) -> list[str]:
        """The board as text."""
        return draw_lines(self.view, marked=[spot.name for spot in self.landed], legal=[s.name for s in self.legal])


def write_value(value: int) -> str:
    """A card's value with its sign."""
    return f"{value:+d}"
