"""Who decides at a table: its own referees, else those of the post, and never anybody who plays there.

An office is given by the operator. A referee writes as a person does, in their own language, and letters about a case
are answered at the address that names it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pbem.store.rows import PersonRow
from pbem.store.store import Transaction
from pbem.tables.decision import REFEREE
from pbem.workflow.context import PostContext
from pbem.workflow.people import is_address_of, meet_person

NONE_AT: Final = "no referee at "
"""The beginning of the name under which is kept that a table has no referee: the other players decide there."""


@dataclass(frozen=True, slots=True)
class Referee:
    """Somebody who decides at a table, and the address that mails go to."""

    address: str
    person: PersonRow | None = None
    """None if the settings name the address, and nobody has written from there."""


def referees_of(context: PostContext, transaction: Transaction, table: str) -> list[Referee]:
    """Everybody who decides at a table. Whoever plays there does not."""
    if decide_themselves(transaction, table):
        return []
    return [each for each in _named(context, transaction, table) if not plays_at(transaction, each, table)]


def _named(context: PostContext, transaction: Transaction, table: str) -> list[Referee]:
    """The referees of a table, or those of the post, whether they play there or not."""
    offices = transaction.offices(REFEREE)
    own = [person for person, scope in offices if table and scope == table]
    found = [*_find(transaction, own or [person for person, scope in offices if not scope])]
    address = context.settings.post.referee
    if own or address is None or any(each.address.lower() == address.lower() for each in found):
        return found
    known = transaction.person_at(address)
    if known is not None and any(each.person is not None and each.person.id == known.id for each in found):
        return found
    return [Referee(address, known), *found]


def _find(transaction: Transaction, people: list[str]) -> Iterator[Referee]:
    for each in people:
        person, addresses = transaction.find_person(each), transaction.addresses_of(each)
        if person is not None and addresses:
            yield Referee(addresses[0].address, person)


def plays_at(transaction: Transaction, referee: Referee, table: str) -> bool:
    """Whether somebody sits at a table."""
    person = "" if referee.person is None else referee.person.id
    return any(
        (person and seat.person == person) or is_address_of(transaction, seat, referee.address, confirmed=False)
        for seat in transaction.find_seats(table)
    )


def decide_themselves(transaction: Transaction, table: str) -> bool:
    """Whether a table has no referee, so that its players decide."""
    return bool(transaction.load_setting(f"{NONE_AT}{table}"))


def find_referee(context: PostContext, transaction: Transaction, table: str, address: str) -> PersonRow | None:
    """The referee of a table who writes from an address, as a person; None if it is nobody's who decides there.

    Whoever the settings name becomes a person with the first letter.
    """
    for each in referees_of(context, transaction, table):
        owned = [] if each.person is None else transaction.addresses_of(each.person.id)
        if address.lower() in {each.address.lower(), *(other.address.lower() for other in owned)}:
            return each.person or make_person(context, transaction, each)
    return None


def make_person(context: PostContext, transaction: Transaction, referee: Referee) -> PersonRow:
    """The person behind a referee whom the settings name."""
    begins = {"language": context.settings.post.language, "zone": context.settings.time.zone}
    return meet_person(context, transaction, name=referee.address, address=referee.address, wishes=begins)


def decides_anywhere(context: PostContext, transaction: Transaction, address: str) -> bool:
    """Whether somebody with an address has an office, at any table."""
    named = context.settings.post.referee
    person = transaction.person_at(address)
    holds = person is not None and any(each == person.id for each, _ in transaction.offices(REFEREE))
    return holds or (named is not None and named.lower() == address.lower())


def appoint(context: PostContext, transaction: Transaction, person: PersonRow, table: str) -> str:
    """Give somebody the office at a table, or, without one, at the post; why that cannot be, or an empty string."""
    addresses = transaction.addresses_of(person.id)
    if not addresses:
        return "there is no address to write to"
    if table and plays_at(transaction, Referee(addresses[0].address, person), table):
        return f"who plays at {table} cannot decide there"
    transaction.give_office(person.id, REFEREE, table)
    if table:
        transaction.save_setting(f"{NONE_AT}{table}", "")
    return ""


def dismiss(transaction: Transaction, person: PersonRow, table: str) -> bool:
    """Take the office away; False if the person did not have it."""
    return transaction.take_office(person.id, REFEREE, table)


def leave_to_players(transaction: Transaction, table: str) -> None:
    """Let a table have no referee."""
    for person, scope in transaction.offices(REFEREE):
        if scope == table:
            transaction.take_office(person, REFEREE, table)
    transaction.save_setting(f"{NONE_AT}{table}", "yes")
