"""Who holds which hero, and what must happen with a hero that was used (BW-H1 to BW-H7).

A hero lies before exactly one player or in the display. What heroes do is in the other `hero_` modules.
"""

from typing import Final, NamedTuple

from engine.brotherhood.moves import HEROES
from engine.brotherhood.position import NOBODY

MORMONT, MARSH, TARLY, YARWYCK, THORNE, MELISANDRE, MANCE, BENJEN, YGRITTE, YOREN, QHORIN = range(len(HEROES))
HERO_AT: Final = {name: hero for hero, name in enumerate(HEROES)}

STARTERS: Final = (YARWYCK, TARLY, MARSH, MORMONT)
"""The first heroes of four players, the first player's first; with three players Yarwyck stays in the display."""


class Holding(NamedTuple):
    """A hero before a player."""

    hero: int
    worn: bool = False
    """Whether it lies on side B: used once."""
    taken: int = 0
    """The turn in which it was taken; in that turn it cannot be used (BW-H2)."""


class Company(NamedTuple):
    """All heroes now."""

    holdings: tuple[Holding, ...]
    spent: int = 0
    """The last turn in which the player on turn used a hero: one use a turn (BW-H3)."""
    user: int = NOBODY
    """Who has used a hero that is not settled yet: flipped or swapped (BW-H4)."""
    shown: int = 0
    """The development cards that Melisandre's user sees, as a hand."""
    victim: int = NOBODY
    """Whose hand Mance's user sees."""

    @staticmethod
    def assembled(players: int, first: int) -> "Company":
        """The heroes that players start with, in the order of play (BW-S4)."""
        starters = STARTERS[-players:]
        return Company(tuple(Holding(starters[(who - first) % players]) for who in range(players)))

    @property
    def display(self) -> tuple[int, ...]:
        """The heroes before nobody, in the order of their numbers."""
        held = [holding.hero for holding in self.holdings]
        return tuple([hero for hero in range(len(HEROES)) if hero not in held])

    def holder(self, hero: int) -> int | None:
        """Who holds a hero, if anybody does."""
        for who, holding in enumerate(self.holdings):
            if holding.hero == hero:
                return who
        return None

    def flip(self, who: int) -> "Company":
        """A player keeps a hero, on side B."""
        hero, _, taken = self.holdings[who]
        return self._part(who, Holding(hero, worn=True, taken=taken))

    def swap(self, who: int, hero: int, turn: int) -> "Company":
        """A player puts the own hero into the display and takes another out of it."""
        return self._part(who, Holding(hero, taken=turn))

    def _part(self, who: int, holding: Holding) -> "Company":
        """What a player has from now on; the use is settled."""
        holdings = (*self.holdings[:who], holding, *self.holdings[who + 1 :])
        return Company(holdings, self.spent, NOBODY, self.shown, self.victim)
