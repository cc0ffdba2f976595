"""The weather between people and their post: what is lost, doubled, late or out of order, and when the post falls.

All of it follows from a seed.
"""

from dataclasses import dataclass
from datetime import timedelta
from random import Random


@dataclass(frozen=True)
class Weather:
    """How bad it is: shares are of one, times are at most."""

    lost: float = 0.0
    """Letters and mails that never arrive."""
    doubled: float = 0.0
    """Letters of which several copies arrive."""
    late: timedelta = timedelta(minutes=2)
    """How long anything is on its way."""
    put_off: float = 0.0
    """Mails that a mail server does not take now."""
    refused: float = 0.0
    """Mails that a mail server does not take at all."""
    falls: float = 0.0
    """Steps of a letter's way after which the post falls over."""
    sleeps: float = 0.0
    """Looks after which the post is shut for a while."""
    whims: float = 0.0
    """Moments in which somebody writes something else than what is asked."""
    forgeries: float = 0.0
    """Mails whose reply address falls into the hands of somebody else, who uses it."""

    murmurs: float = 0.0
    """Moves beside which somebody writes words that the post does not know; and how often it is thought over again."""
    floods: float = 0.0
    """Turns at whose very end strangers and the player write without end, and the player's move comes last."""
    handled: int | None = None
    """How many letters the post handles between two looks at its clocks; None for all that there are."""

    def on_its_way(self, chance: Random) -> timedelta:
        """How long something takes: mostly little."""
        return timedelta(minutes=1) + self.late * chance.random() ** 4


CALM = Weather()
FLOODED = Weather(lost=0.02, late=timedelta(hours=2), put_off=0.1, falls=0.005, whims=0.3, floods=1.0, handled=8)
"""A weather in which too many letters come just before time is up."""
HARSH = Weather(lost=0.05, doubled=0.5, late=timedelta(days=1), put_off=0.2, falls=0.01, whims=0.4, forgeries=0.2)
"""A weather in which every mistake should show soon."""
MURMURING = Weather(lost=0.02, doubled=0.2, late=timedelta(hours=2), falls=0.005, whims=0.2, murmurs=0.8, handled=1)
"""A weather in which people say too much beside their moves, and the post is slow."""
CHATTY = Weather(late=timedelta(hours=2), whims=0.3, murmurs=0.9, floods=1.0, handled=3)
"""The same, with so many letters that some always lie there unread."""
LAST_MINUTE = Weather(lost=0.02, late=timedelta(hours=2), whims=0.1, murmurs=0.9, floods=1.0, handled=8)
"""A weather in which people say too much just before time is up."""


def stormy(chance: Random) -> Weather:
    """A weather in which everything goes wrong now and then."""
    return Weather(
        lost=chance.uniform(0, 0.15),
        doubled=chance.uniform(0, 0.3),
        late=timedelta(days=chance.choice((0.1, 1, 4))),
        put_off=chance.uniform(0, 0.2),
        refused=chance.uniform(0, 0.01),
        falls=chance.choice((0, 0.002, 0.01)),
        sleeps=chance.choice((0, 0.01, 0.03)),
        whims=chance.uniform(0.05, 0.3),
        forgeries=chance.uniform(0, 0.05),
        murmurs=chance.choice((0, 0.3)),
        floods=chance.choice((0, 0.05)),
        handled=chance.choice((None, 8)),
    )
