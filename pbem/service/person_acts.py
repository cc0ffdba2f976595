"""What an operator does about people: find them, hand out all that is kept of one, make two one, forget."""

import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from io import BytesIO
from typing import NamedTuple

from engine.digest import canonical
from pbem.events.told import is_name
from pbem.service.game_records import read_proof
from pbem.store.rows import EventRow, PersonRow
from pbem.store.store import Transaction
from pbem.tables.decision import REFEREE
from pbem.tables.reliability import Counts
from pbem.workflow.context import PostContext
from pbem.workflow.delegates import find_delegations, keep_delegation
from pbem.workflow.forget import forget_person, settle_forgetting
from pbem.workflow.gather import find_gathering
from pbem.workflow.people import find_answers, follow_wishes, live_seats
from pbem.workflow.second_letters import change_for
from pbem.workflow.snapshots import drop_table

ALIAS = "same person as "
"""Begins the settings that name, for a person who was merged into another, that other."""


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """A person, and what is kept of them."""

    person: PersonRow
    addresses: tuple[str, ...]
    wishes: dict[str, str]
    tables: tuple[str, ...]
    live: tuple[str, ...]
    answers: Counts


def find_people(transaction: Transaction) -> list[KnownPerson]:
    """Everybody, longest here first."""
    return [_know(transaction, person) for person in transaction.people()]


def find_known(transaction: Transaction, who: str) -> KnownPerson | None:
    """The person with an id, an address or a name."""
    named = [person for person in transaction.people() if person.name and person.name.lower() == who.lower()]
    found = transaction.find_person(who.lower()) or transaction.person_at(who) or next(iter(named), None)
    return None if found is None else _know(transaction, found)


def _know(transaction: Transaction, person: PersonRow) -> KnownPerson:
    return KnownPerson(
        person,
        tuple(each.address for each in transaction.addresses_of(person.id)),
        transaction.wishes_of(person.id),
        tuple(each.game for each in transaction.seats_of(person.id)),
        tuple(each.game for each in live_seats(transaction, person.id)),
        find_answers(transaction, person.id),
    )


def export_person(context: PostContext, known: KnownPerson) -> bytes:
    """An archive of all that is kept of a person: rows, letters, mails, and records as the person may see them."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        rows = (
            asdict(known)
            | {"answers": known.answers._asdict()}
            | {"person": asdict(known.person) | {"since": known.person.since.isoformat()}}
        )
        archive.writestr("person.json", json.dumps(rows, ensure_ascii=False, indent=2))
        for name, content in _files(context, known):
            archive.writestr(name, content)
    return packed.getvalue()


def _files(context: PostContext, known: KnownPerson) -> Iterator[tuple[str, bytes | str]]:
    with context.store.reading() as transaction:
        seats = {each.game: each.seat for each in transaction.seats_of(known.person.id)}
        for number in transaction.letters_from(known.addresses):
            letter = transaction.find_letter(number)
            if letter is not None and letter.raw:
                yield f"letters/{number}.eml", letter.raw
        for number in transaction.mails_to(known.addresses):
            mail = transaction.find_mail(number)
            if mail is not None and mail.raw:
                yield f"mails/{number}.eml", mail.raw
    from notation import write_record

    for game, seat in seats.items():
        record = read_proof(context, game, seat)
        if record is not None:
            yield f"records/{game}.turns", write_record(record)


def merge_people(context: PostContext, one: KnownPerson, into: KnownPerson) -> str:
    """Make two people one, who keeps the name and the wishes of `into`; why that cannot be, or an empty string."""
    if one.person.id == into.person.id:
        return "that is one person already"
    if "forgotten" in (one.person.state, into.person.state):
        return "somebody who was forgotten cannot be merged"
    with context.store.transaction() as transaction:
        if why := _why_two(transaction, one, into):
            return why
        for address in transaction.addresses_of(one.person.id):
            transaction.save_address(replace(address, person=into.person.id, writes=False))
        for seat in transaction.seats_of(one.person.id):
            moved = replace(seat, person=into.person.id, address=into.addresses[0] if into.addresses else seat.address)
            transaction.save_seat(moved)
            follow_wishes(context, transaction, moved)
        for each in find_delegations(transaction, one.person.id):
            owner, delegate = (into.person.id if who == one.person.id else who for who in (each.owner, each.delegate))
            keep_delegation(transaction, replace(each, owner=owner, delegate=delegate))
        transaction.merge_rows(one.person.id, into.person.id)
        gone = replace(one.person, name="", name_key=one.person.id, state="silent")
        transaction.save_person(replace(gone, generation=one.person.generation + 1))
        transaction.save_setting(f"{ALIAS}{one.person.id}", into.person.id)
    return ""


def _why_two(transaction: Transaction, one: KnownPerson, into: KnownPerson) -> str:
    """Why two people cannot be one: they are two at some table. An empty string if they can."""
    ids = (one.person.id, into.person.id)
    lent = [{each.game for each in find_delegations(transaction, person)} for person in ids]
    waits = [
        {place.notice for place in transaction.places_of(person) if find_gathering(transaction, place.notice)}
        for person in ids
    ]
    sits = [{*known.tables} | lent[at] | waits[at] for at, known in enumerate((one, into))]
    if both := sorted(sits[0] & sits[1]):
        return f"both sit at {both[0]}, and one person has one seat at a table"
    decides = [{scope for person, scope in transaction.offices(REFEREE) if scope and person == each} for each in ids]
    plays = [{*known.live} | lent[at] for at, known in enumerate((one, into))]
    if unfair := sorted((decides[0] & plays[1]) | (decides[1] & plays[0])):
        return f"one plays at {unfair[0]} and the other decides there: name another referee first (pbem case referee)"
    return ""


def change_address(context: PostContext, known: KnownPerson, new: str) -> datetime | str | None:
    """Let a person's mails go to another address, a week after the old one was told; else when, or why not."""
    with context.store.transaction() as transaction:
        return change_for(context, transaction, known.person, new)


class WordsAbout(NamedTuple):
    """Sealed words of others that have the name of a person; nobody but a reader can tell whom they mean."""

    game: str
    event: int
    kind: str


def find_words_about(transaction: Transaction, known: KnownPerson) -> list[WordsAbout]:
    """Where others have written the name of a person as a word of its own: to all, in appeals and in reasons."""
    seats = {seat.game: seat.seat for seat in transaction.seats_of(known.person.id)}
    found: list[WordsAbout] = []
    for row in transaction.games() if known.person.name else ():
        for event in transaction.load_events(row.id):
            data = json.loads(event.data)
            own = seats.get(row.id) in (data.get("from"), data.get("by"), data.get("seat")) and row.id in seats
            if not own and _fields_about(event, known.person.name):
                found.append(WordsAbout(row.id, event.seq, event.kind))
    return found


def _fields_about(event: EventRow, name: str) -> list[str]:
    """The fields of sealed words in an event that have a name in them."""
    named = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    told = json.loads(event.told or "{}")
    return [
        field
        for field, kept in told.items()
        if not is_name(field) and named.search(json.dumps(kept, ensure_ascii=False))
    ]


def forget(context: PostContext, known: KnownPerson, *, words: bool = False) -> None:
    """Forget a person for good, without asking them; with `words` also the words of others that have the name."""
    with context.store.transaction() as transaction:
        about = find_words_about(transaction, known) if words else []
        forget_person(context, transaction, known.person)
        for each in about:
            event = transaction.load_events(each.game)[each.event - 1]
            gone = _fields_about(event, known.person.name)
            kept = {field: told for field, told in json.loads(event.told or "{}").items() if field not in gone}
            transaction.change_told(each.game, each.event, canonical(kept).decode() if kept else "")
            drop_table(context, transaction, each.game)
    settle_forgetting(context)
