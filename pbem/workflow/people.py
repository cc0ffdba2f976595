"""People behind the seats: who somebody is, and what they wish, said once for all tables or for one.

A seat's row holds what is valid at that table. What was wished for the table alone goes before what was wished for
all, and that before what the post does for everybody.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final

from pbem.people.names import fold_name, free_name, name_from
from pbem.store.rows import AddressRow, PersonRow, SeatRow
from pbem.store.store import Transaction
from pbem.workflow.context import PostContext

SEAT_WISHES: Final = ("language", "zone", "notices", "plain")
"""The wishes that a seat's row holds."""
EVERYWHERE: Final = frozenset({"language", "zone", "plain", "hints", "calendar"})
"""Wishes that are meant for all tables unless somebody says `here`; others are for one table."""
_ON: Final = {True: "on", False: "off"}


def meet_person(
    context: PostContext, transaction: Transaction, *, name: str, address: str, wishes: Mapping[str, str]
) -> PersonRow:
    """The person with an address. Somebody new gets an id, a name that nobody has, and the wishes to begin with."""
    known = transaction.person_at(address)
    if known is not None:
        return known
    called = free_name(name_from(name), lambda key: transaction.person_named(key) is not None)
    person = PersonRow(context.new_id(), called, fold_name(called), "invited", context.now())
    transaction.save_person(person)
    transaction.save_address(AddressRow(address, person.id))
    for what, value in wishes.items():
        transaction.save_wish(person.id, what, value)
    return person


def confirm_person(transaction: Transaction, person: str, address: str, now: datetime) -> None:
    """A letter from somebody has come that we believe: the address is theirs."""
    known = transaction.find_person(person)
    if known is not None and known.state == "invited":
        transaction.save_person(replace(known, state="confirmed"))
    for each in transaction.addresses_of(person):
        if each.address.lower() == address.lower() and each.confirmed_at is None:
            transaction.save_address(replace(each, confirmed_at=now))


def is_address_of(transaction: Transaction, seat: SeatRow, address: str) -> bool:
    """Whether letters from an address are taken as those of the player in a seat."""
    if seat.address.lower() == address.lower():
        return True
    owned = transaction.addresses_of(seat.person) if seat.person else []
    return any(each.confirmed_at is not None and each.address.lower() == address.lower() for each in owned)


def apply_wishes(transaction: Transaction, seat: SeatRow) -> SeatRow:
    """A seat's row with what its person wishes there."""
    wishes = transaction.wishes_of(seat.person) | transaction.wishes_of(seat.person, seat.game)
    known = {what: wishes[what] for what in SEAT_WISHES if what in wishes}
    plain = known.pop("plain", _ON[seat.plain]) == _ON[True]
    return replace(seat, plain=plain, **known)  # type: ignore[arg-type]  # the others are texts


def change_wish(transaction: Transaction, seat: SeatRow, what: str, value: str | bool, *, everywhere: bool) -> None:
    """Keep a wish of the player in a seat; the rows of the person's other seats follow."""
    text = _ON[value] if isinstance(value, bool) else value
    transaction.save_wish(seat.person, what, None if everywhere else text, game=seat.game)
    if everywhere:
        transaction.save_wish(seat.person, what, text)
        others = [each for each in transaction.seats_of(seat.person) if each.game != seat.game]
        changed = [(each, apply_wishes(transaction, each)) for each in others]
        transaction.save_seats([after for before, after in changed if after != before])
