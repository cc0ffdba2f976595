"""A rule of a game, and the verdict that a move breaks it.

A verdict is a value, never an exception: players' mistakes are ordinary. Its sentence is kept as a pattern
with facts, so that it can be said in the player's language, which this module does not know.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

NO_FACTS: Final[Mapping[str, object]] = MappingProxyType({})


class Ruling(NamedTuple):
    """What we decided where a rulebook leaves room.

    `book` tells in our words what the rulebook says here, and is empty where it is silent; `why` gives our reason.
    """

    book: str
    why: str


class Rule(NamedTuple):
    """One rule: what a refusal cites and `pbem rule CODE` prints.

    `name` names the thing that is wrong (or what the rule is about, when no move can break it), `text` is the
    rule in our words, `source` the rulebook and the place in it. `breaks` and `obeys` are an example each, a
    move and why; `breaks` is empty for a rule that no move can break.
    """

    code: str
    name: str
    text: str
    source: str
    obeys: str
    breaks: str = ""
    ruling: Ruling | None = None
    """Set when the rulebooks leave room and the rule, or a part of it, is ours."""

    def __str__(self) -> str:
        return self.code


class Verdict(NamedTuple):
    """A refusal: the rule broken, and the detail of this case.

    `says` is a pattern in `str.format` style and `facts` fill it; `instead` offers legal moves nearest to the
    refused one (it may be empty).
    """

    rule: Rule
    says: str
    facts: Mapping[str, object] = NO_FACTS
    instead: tuple[object, ...] = ()

    @property
    def detail(self) -> str:
        """The sentence in English: ``K7 touches blue's mint camel at K8``."""
        return self.says.format_map(self.facts)

    def __str__(self) -> str:
        return f"{self.rule.code} {self.detail}"


def begin_sentence(said: str) -> str:
    """A detail with a capital, unless it begins with somebody's own text: ``b8 is no palm space`` stays as it is."""
    first = said.split(" ", 1)[0].rstrip(",;:").removesuffix("'s")
    return said[:1].upper() + said[1:] if first.isalpha() else said
