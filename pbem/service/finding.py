"""What a doctor says of one thing: how it is, and what to do if it is not good."""

from dataclasses import dataclass
from typing import Final

GOOD: Final = "good"
ADVICE: Final = "advice"
BAD: Final = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, how it is, and what to do if it is not good."""

    about: str
    state: str
    told: str
