"""A new table: opened, its people noted, and everybody invited.

The game begins when the last of them accepts; till then nothing is drawn.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine import registry
from engine.game import Seat
from pbem.clerk import announcing
from pbem.clerk.desk import Desk
from pbem.clerk.office import Office, stamp, to_row
from pbem.intake import read_address
from pbem.ledger.event import ORIGIN, append
from pbem.store.rows import GameRow, SeatRow
from pbem.tables.decision import Refused
from pbem.tables.opening import open_table as first_event
from pbem.tables.table import INVITING

SEED: Final = 32
"""Bytes of a game's secret."""


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody to be invited."""

    seat: Seat
    name: str
    address: str
    language: str = "en"
    zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class Invitation:
    """A game that somebody wants to be played."""

    table: str
    game: str
    guests: Sequence[Guest]
    options: Mapping[str, str] = field(default_factory=dict)
    terms: Mapping[str, Any] = field(default_factory=dict)


def open_table(office: Office, wanted: Invitation, *, seed: bytes | None = None) -> Refused | None:
    """Open a table and invite everybody; or why it cannot be played so, and then nothing has happened."""
    game = registry.find(wanted.game)
    if game is None:
        raise LookupError(f"there is no game {wanted.game}")
    names = {guest.seat: guest.name for guest in wanted.guests}
    draft = first_event(game, names=names, options=wanted.options, terms=wanted.terms)
    if isinstance(draft, Refused):
        return draft
    now = office.now()
    with office.store.transaction() as transaction:
        row = GameRow(wanted.table, INVITING, seed or secrets.token_bytes(SEED), now, 0, ORIGIN)
        transaction.add_game(row)
        transaction.append_event(to_row(append(wanted.table, 0, ORIGIN, draft, stamp(now)), None))
        for guest in wanted.guests:
            address = read_address(guest.address) or guest.address
            transaction.save_seat(SeatRow(wanted.table, guest.seat, address, guest.name, guest.language, guest.zone))
        desk = Desk(office, transaction, row)
        announcing.invite(desk)
        desk.save()
    return None
