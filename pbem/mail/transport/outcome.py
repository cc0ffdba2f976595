"""What became of a mail that was handed over."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sent:
    """Somebody else has taken responsibility for it."""


@dataclass(frozen=True, slots=True)
class Later:
    """Not now. `closed` if the way itself is closed, so that no other mail need be tried.

    A way that was closed before the mail came to it costs the mail nothing: then it was not `tried`. One that closed
    while it was handed over does, for the mail may be the cause.
    """

    reason: str
    closed: bool = False
    tried: bool = True


@dataclass(frozen=True, slots=True)
class Never:
    """It was refused for good."""

    reason: str


Outcome = Sent | Later | Never
