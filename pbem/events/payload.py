"""What all kinds of event share: the class they derive from, and the marks on their fields that the codec reads.

A game has one of two forms of proof, which its first event names (docs/proof.md). Some fields and kinds belong to one
form only; in a game of the other they are refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Final, TypeAlias

WHO: Final = "who"
"""Marks fields that name a seat, or who acted in place of one."""
Who: TypeAlias = Annotated[str, WHO]
"""A seat; or `referee`, `post`, `clock` and the like, where something else than a player acted."""
WIRE_NAME: Final = "wire name"
"""The key, in a field's metadata, of its name in the data, where that cannot be a name in Python or is taken."""
ONLY_IN: Final = "only in form"
"""The key, in a field's metadata, of the one form of proof that has the field."""
MAY_LACK: Final = "may lack"
"""The key, in a field's metadata, of the forms in which not every event of the kind has the field."""

FIRST_FORM: Final = 1
SECOND_FORM: Final = 2
"""The forms of proof."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """What an event says happened."""

    KIND: ClassVar[str] = ""
    """How the store, the record and the hash call this kind of event."""
    SINCE: ClassVar[int] = FIRST_FORM
    """The first form of proof that has this kind."""

    unknown: Mapping[str, object] = field(default_factory=dict)
    """Fields of the first form that this version does not know. They are kept, because the event's hash covers them."""

    @property
    def kind(self) -> str:
        """The name of its kind."""
        return self.KIND
