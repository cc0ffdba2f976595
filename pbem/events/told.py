"""Names and free words, which games of the second form seal: the data of an event have a seal in place of each text.

The text and the salt of its seal are kept beside the event. When they are thrown away the hash of the event still
fits, and whoever reads the text finds a placeholder made of the seal.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from pbem.events.kinds import GameOpened, PressSent, is_unknown_note
from pbem.events.payload import Payload
from pbem.events.post_kinds import MissExcused, MovePencilled, Note, SeatDelegated, TermChanged
from pbem.proof.draws import SECRET, seal_text

NAME: Final = "name"
EVERYBODY: Final = "all"
"""To whom words are said that a record may tell."""

SEALED_TEXTS: Final[Mapping[str, str]] = {
    "invited": NAME,
    "substituted": NAME,
    SeatDelegated.KIND: NAME,
    "press": "words",
    "appealed": "words",
    "declined": "reason",
    "called-off": "reason",
    "ended": "reason",
    "extended": "reason",
    "ruled": "reason",
    "warranted": "reason",
    "restored": "reason",
    MovePencilled.KIND: "move",
    MissExcused.KIND: "reason",
    TermChanged.KIND: "reason",
}
"""The one field of a kind that is sealed; `opened` has the names of all seats instead."""

_SEAL: Final = re.compile(r"[0-9a-f]{64}")
_SHOWN: Final = 8
"""How many digits of the seal a placeholder has."""


class Told(NamedTuple):
    """A sealed text. Without a salt the text is forgotten or withheld; private words have a salt and no text here."""

    seal: str
    salt: str = ""
    text: str | None = None

    def is_true(self, game: str, seq: int, field: str) -> bool:
        """Whether the text, if it is known, is what was sealed."""
        if not self.salt or self.text is None:
            return True
        return seal_text(game, seq, field, self.text, bytes.fromhex(self.salt)) == self.seal


Seal: TypeAlias = Callable[[int, str, str], Told]
"""Seals one text, given the number of its event, the name of the field and the text."""


def sealing(game: str, random_bytes: Callable[[int], bytes]) -> Seal:
    """What seals the texts of a game, each with a fresh salt."""

    def seal(seq: int, field: str, text: str) -> Told:
        salt = random_bytes(SECRET)
        return Told(seal_text(game, seq, field, text, salt), salt.hex(), text)

    return seal


def is_seal(value: object) -> bool:
    """Whether a datum has the form of a seal."""
    return isinstance(value, str) and _SEAL.fullmatch(value) is not None


def is_private(kind: str, data: Mapping[str, object]) -> bool:
    """Whether what an event seals is never told in a record: words that are not for all, and pencilled moves."""
    return kind == MovePencilled.KIND or (kind == PressSent.KIND and data.get("to") != EVERYBODY)


def name_field(seat: str) -> str:
    """The field of a name in the event that opens a game."""
    return f"{NAME}.{seat}"


def is_name(field: str) -> bool:
    """Whether a sealed field is a name, and not words."""
    return field == NAME or field.startswith(f"{NAME}.")


def placeholder(field: str, seal: str) -> str:
    """What stands in place of a text that is not told."""
    return f"{'somebody' if is_name(field) else 'withheld'}-{seal[:_SHOWN]}"


def texts_of(payload: Payload) -> Iterator[tuple[str, str]]:
    """The texts of an event that are sealed, each with its field; words that were not said have no seal."""
    if isinstance(payload, GameOpened):
        yield from ((name_field(seat), payload.names.get(seat, seat)) for seat in payload.seats)
        return
    field = SEALED_TEXTS.get(payload.kind)
    text = getattr(payload, field) if field is not None else None
    if field is not None and text is not None and (text or field == NAME):
        yield field, text


def find_seals(kind: str, data: Mapping[str, object]) -> dict[str, str]:
    """The seals in the data of an event of the second form, by field; of a note, everything that may be one."""
    if kind == GameOpened.KIND:
        people = data.get("people")
        listed = people if isinstance(people, dict) else {}
        seats = data.get("seats")
        return {
            name_field(seat): listed[seat][NAME]
            for seat in (seats if isinstance(seats, list) else ())
            if isinstance(seat, str) and isinstance(listed.get(seat), dict) and is_seal(listed[seat].get(NAME))
        }
    named = (SEALED_TEXTS[kind],) if kind in SEALED_TEXTS else sorted(data) if is_unknown_note(kind) else ()
    return {field: str(data[field]) for field in named if is_seal(data.get(field))}


def seal_payload(payload: Payload, seq: int, texts: Mapping[str, str], seal: Seal) -> tuple[Payload, dict[str, Told]]:
    """An event's payload with its texts sealed. `texts` are those that the payload does not hold itself."""
    told = {field: seal(seq, field, text) for field, text in {**dict(texts_of(payload)), **texts}.items()}
    if isinstance(payload, PressSent) and payload.to != EVERYBODY:
        told = {field: each._replace(text=None) for field, each in told.items()}
    if isinstance(payload, Note):
        seals = {field: each.seal for field, each in told.items()}
        payload = Note(payload.name, {**payload.data, **seals})
    return payload, told
