"""The Watch: what the full game adds to a Position, at one moment.

Raw facts only, never changed; the other modules of this room and `engine.brotherhood.heroes_init` say what becomes of
them. Players are known by their place at the table, hexes by their bit.
"""

from typing import NamedTuple

from engine.brotherhood.hero_roster import Company
from engine.brotherhood.moves import CLANS
from engine.brotherhood.north import BREACHES, FIGURES, INVADERS, SECTIONS
from engine.brotherhood.wall_tokens import Tokens, lay_tokens


class Due(NamedTuple):
    """A token that must be turned, or laid under a settlement that came back, before anything else happens."""

    source: str
    """``settlement``, ``keep``, ``pool``, or ``return``: a token of the pool goes under a settlement, unseen."""
    who: int
    generation: int = 0
    """The shuffle of a token from a card."""


class Watch(NamedTuple):
    """The Wall and both sides of it, the tokens, and the heroes."""

    sections: tuple[tuple[int, ...], ...]
    """The owners of the guards on each section of the Wall, space 1 first."""
    camps: tuple[tuple[int, ...], ...]
    """The kinds of the wildlings in each clan area, the hottest camp first."""
    clearings: tuple[int, ...]
    """The regular wildlings waiting in each clearing; no other kind ever waits."""
    gift: tuple[int, ...]
    """The hexes held by wildlings of each kind."""
    frostfangs: tuple[int, ...]
    """The figures of each kind that stand in the Frostfangs."""
    breaches: int
    tokens: Tokens
    due: tuple[Due, ...]
    """What the last move still has to turn up, in order."""
    company: Company
    """The heroes."""

    @property
    def held(self) -> int:
        """The hexes that a wildling holds; they produce nothing."""
        regulars, climbers, giants = self.gift
        return regulars | climbers | giants

    @property
    def fallen(self) -> bool:
        """Whether the wildlings have ended the game (BW-E2)."""
        return self.breaches >= BREACHES or self.held.bit_count() >= INVADERS


def post_the_watch(players: int, first: int) -> Watch:
    """The Watch before anybody has placed anything (BW-S1)."""
    return Watch(
        sections=((),) * SECTIONS,
        camps=((),) * len(CLANS),
        clearings=(0,) * SECTIONS,
        gift=(0,) * len(FIGURES),
        frostfangs=FIGURES,
        breaches=0,
        tokens=lay_tokens(players),
        due=(),
        company=Company.assembled(players, first),
    )
