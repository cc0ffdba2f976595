"""Forgetting a person: asked for by letter and confirmed, done by the operator, or done again on an older database.

Name, addresses, wishes, letters and mails go. In games that seal names, the name and its salt go too, and records
still verify: a placeholder made of the seal stands where the name was. The id stays, which is random, and is written
to a file beside the keys, so that whoever opens an older copy of the database forgets again.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from engine.digest import canonical
from pbem.events.annotations import WITHHELD
from pbem.events.chain import digest_data, withheld_message
from pbem.events.post_kinds import DelegationEnded
from pbem.events.told import name_field
from pbem.locale.cldr import join_list
from pbem.mail.commands.command import CommandContext, decide
from pbem.mail.commands.invitation import DeclineInvitation
from pbem.mail.commands.resign import Resign
from pbem.mail.writing.post_mails import PostPage
from pbem.store.rows import EventRow, PersonRow, SeatRow
from pbem.store.store import EVIDENCE, FORGET_AT_END, GOODBYE, Transaction
from pbem.tables.fold import BrokenHistoryError
from pbem.tables.table import PLAYING
from pbem.workflow.announce import notify_events, send_notices
from pbem.workflow.context import PostContext
from pbem.workflow.delegates import end_all_of, lent_by, lent_to, played_for_others
from pbem.workflow.follow_up import forget_intentions, run_follow_ups
from pbem.workflow.forgotten_people import note_forgotten, remembered_people
from pbem.workflow.front_desk import Desk, send_page
from pbem.workflow.observers import find_observed, remove_observer
from pbem.workflow.people import live_seats
from pbem.workflow.session import NOBODY, GameSession
from pbem.workflow.snapshots import drop_table

DONE: Final = "forgotten"
LATER: Final = "forgotten-later"
TAKEN: Final = "withheld"
"""What stands in place of words that were taken out of an event."""
_WORDS: Final = {"press": ("from", "words"), "appealed": ("by", "words"), "declined": ("seat", "reason")}
"""Kinds of event with words of a player: the field that says whose, and the field of the words."""


def ask_to_forget(desk: Desk, *, again: bool = False) -> PostPage:
    """What will happen, and the choice between now and later; `again` if somebody has said no more than yes."""
    say, order, transaction = desk.sentences.say, desk.sentences.order, desk.transaction
    plays_for = [each.game for each in lent_to(transaction, desk.person.id)]
    own = [each.game for each in live_seats(transaction, desk.person.id) if each.game not in plays_for]
    live = sorted((*own, *(each.game for each in lent_by(transaction, desk.person.id))))
    older = [each.game for each in transaction.seats_of(desk.person.id) if not _is_sealed(transaction, each.game)]
    lines = [say("forget_what")]
    lines += [say("forget_live", join_list(tuple(live), desk.language))] if live else []
    lines += [say("forget_stand_in", join_list(tuple(plays_for), desk.language))] if plays_for else []
    lines += [say("forget_older", join_list(tuple(older), desk.language))] if older else []
    choices = [(say("button_forget_now"), order("forget me now"))]
    choices += [(say("button_forget_later"), order("forget me when they end"))] if live else []
    return PostPage(
        say("head_forget"),
        say("forget_surely" if again else "lead_forget"),
        (*choices, (say("button_no"), order("no"))),
        tuple(lines),
        (say("forget_others"), say("within_two_days")),
    )


def _is_sealed(transaction: Transaction, game: str) -> bool:
    """Whether a game seals names, so that they can be thrown away."""
    first = next(iter(transaction.load_events(game)), None)
    return first is not None and "people" in json.loads(first.data)


def confirm_forgetting(desk: Desk, *, at_end: bool) -> None:
    """Forget the writer of a letter, now or when the games that go on have ended; and say so for the last time."""
    say, person = desk.sentences.say, desk.person
    end_all_of(desk.context, desk.transaction, person.id)  # a seat that is lent is the person's again, and counts
    if at_end and live_seats(desk.transaction, person.id):
        desk.transaction.save_bond(person.id, FORGET_AT_END, "")
        page = PostPage(say("head_forget_later"), say("lead_forget_later"))
        send_page(desk.context, desk.transaction, person, page, answers=desk.letter)
        return
    addresses = [each.address for each in desk.transaction.addresses_of(person.id) if each.confirmed_at is not None]
    page = PostPage(say("head_forgotten"), say("lead_forgotten"), after=(say("forget_others"),))
    forget_person(desk.context, desk.transaction, person, goodbye=lambda nobody: _say_goodbye(desk, addresses, page))


def _say_goodbye(desk: Desk, addresses: list[str], page: PostPage) -> None:
    """One last mail to each address; it is deleted as soon as it was sent."""
    nobody = replace(desk.person, name="")
    for address in addresses:
        send_page(desk.context, desk.transaction, nobody, page, to=address)
        desk.transaction.save_setting(f"{GOODBYE}{desk.transaction.mail_numbers()[-1]}", "")


def forget_person(
    context: PostContext,
    transaction: Transaction,
    person: PersonRow,
    *,
    goodbye: Callable[[PersonRow], None] = lambda person: None,
) -> None:
    """Forget a person in this transaction. Games that go on are left as their terms say."""
    end_all_of(context, transaction, person.id)
    for game, event in played_for_others(transaction, person.id):
        _withhold_delegate(transaction, game, event)
        drop_table(context, transaction, game)
    seats = transaction.seats_of(person.id)
    for seat in live_seats(transaction, person.id):
        _leave(context, transaction, seat)
    owned = [each.address for each in transaction.addresses_of(person.id)]
    addresses = sorted({each.lower() for each in (*owned, *(seat.address for seat in seats)) if each})
    held = [seat.game for seat in seats if _is_disputed(context, transaction, seat.game)]
    for seat in seats:
        _withhold(transaction, seat)
        if not _is_sealed(transaction, seat.game):
            _withhold_signed(context, transaction, seat)
        drop_table(context, transaction, seat.game)
        known = transaction.find_seat(seat.game, seat.seat) or seat
        transaction.save_seat(replace(known, address="", name=NOBODY, language="en", zone="UTC", plain=False))
    for address in addresses:
        for game in find_observed(transaction, address):
            remove_observer(transaction, game, address)
    goodbye(person)
    last = [key.removeprefix(GOODBYE) for key in transaction.load_settings(GOODBYE)]
    transaction.forget_letters(addresses, but=held, spare=map(int, last))
    transaction.forget_rows(person.id, addresses)
    if held:
        transaction.save_setting(f"{EVIDENCE}{person.id}", json.dumps({"addresses": addresses, "games": held}))
    transaction.save_person(
        replace(person, name="", name_key=person.id, state="forgotten", generation=person.generation + 1)
    )


def _leave(context: PostContext, transaction: Transaction, seat: SeatRow) -> None:
    """Give up a seat in a game that goes on, or decline an invitation; the others are told."""
    row = transaction.find_game(seat.game)
    if row is None:
        return
    with suppress(BrokenHistoryError):  # at a table that is held nobody can act
        session = GameSession(context, transaction, row)
        command = Resign() if session.table.stage == PLAYING else DeclineInvitation()
        decision = decide(session.table, seat.seat, command, CommandContext(context.now(), session.dealer()))
        session.apply_events(decision.drafts)
        forget_intentions(session, seat.seat)
        if decision.drafts:
            send_notices(session, decision.notices)
            notify_events(session, run_follow_ups(session), teller=seat.seat)
        session.save()


def _is_disputed(context: PostContext, transaction: Transaction, game: str) -> bool:
    """Whether letters of a game are evidence in a case that is open."""
    row = transaction.find_game(game)
    with suppress(BrokenHistoryError):
        return row is not None and any(case.is_open for case in GameSession(context, transaction, row).table.cases)
    return False


def _withhold(transaction: Transaction, seat: SeatRow) -> None:
    """Throw away the name of a seat's player, and the words of that player, with their salts."""
    rows = [row for row in transaction.load_events(seat.game) if row.told]
    came = [row for row in rows if row.kind in ("invited", "substituted") and _data(row).get("seat") == seat.seat]
    since = came[-1].seq if came else 0
    for row in rows:
        told = json.loads(row.told)
        fields = {*_names_in(row, seat.seat, since), *(_words_in(row, seat.seat) if row.seq >= since else ())}
        kept = {field: each for field, each in told.items() if field not in fields}
        if kept != told:
            transaction.change_told(seat.game, row.seq, canonical(kept).decode() if kept else "")


def _withhold_delegate(transaction: Transaction, game: str, event: int) -> None:
    """Throw away the name of somebody who played for another, and what they said until the player was back."""
    rows = [row for row in transaction.load_events(game) if row.seq >= event]
    seat = _data(rows[0])["seat"]
    until = (row.seq for row in rows if row.kind == DelegationEnded.KIND and _data(row)["seat"] == seat)
    last = next(until, rows[-1].seq)
    for row in (each for each in rows if each.told and each.seq <= last):
        told = json.loads(row.told)
        fields = {*_words_in(row, seat), *(["name"] if row.seq == event else [])}
        kept = {field: each for field, each in told.items() if field not in fields}
        if kept != told:
            transaction.change_told(game, row.seq, canonical(kept).decode() if kept else "")


def _withhold_signed(context: PostContext, transaction: Transaction, seat: SeatRow) -> None:
    """Take a player's name and words out of the events of a game that does not seal them, if its post signs.

    The digest of what was there stays, so the chain and all that was signed under it hold; what is left is signed.
    """
    rows = transaction.load_events(seat.game)
    key = _data(rows[0]).get("proof", {}).get("key") if rows else None
    signer = next(
        (each for each in (*context.older_signers, context.signer) if each and each.public.hex() == key), None
    )
    if signer is None:
        return
    came = [row.seq for row in rows if row.kind == "substituted" and _data(row).get("seat") == seat.seat]
    since = came[-1] if came else rows[0].seq
    for row in rows:
        data, kept = _data(row), json.loads(row.told or "{}").get(WITHHELD)
        left = dict(data)
        if row.seq == since:
            left |= (
                {"names": {**data.get("names", {}), seat.seat: NOBODY}} if row.kind == "opened" else {"name": NOBODY}
            )
        whose, field = _WORDS.get(row.kind, ("", ""))
        if row.seq >= since and whose and data.get(whose) == seat.seat and data.get(field):
            left[field] = TAKEN
        if left != data:
            digest = kept[0] if kept else digest_data(row.game, row.seq, row.kind, row.at, data)
            signature = signer.sign(withheld_message(row.game, row.seq, row.hash, digest, left)).hex()
            told = canonical({WITHHELD: [digest, signature]}).decode()
            transaction.withhold(row.game, row.seq, canonical(left).decode(), told)


def _data(row: EventRow) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(row.data)
    return found


def _names_in(row: EventRow, seat: str, since: int) -> Iterator[str]:
    if row.seq == since:
        yield "name"
    elif not since and row.kind == "opened":
        yield name_field(seat)


def _words_in(row: EventRow, seat: str) -> Iterator[str]:
    whose, field = _WORDS.get(row.kind, ("", ""))
    if whose and _data(row).get(whose) == seat:
        yield field


def forget_when_due(context: PostContext) -> list[str]:
    """What waits: people whose games have ended, evidence in cases that were closed, last mails that were sent."""
    with context.store.reading() as transaction:
        waits = [person for person in transaction.bonds_to("", FORGET_AT_END) if not live_seats(transaction, person)]
        cases = {key: json.loads(value) for key, value in transaction.load_settings(EVIDENCE).items()}
        last = [int(key.removeprefix(GOODBYE)) for key in transaction.load_settings(GOODBYE)]
        gone = [mail for number in last if (mail := transaction.find_mail(number)) and mail.state in ("sent", "failed")]
    if not (waits or cases or gone):
        return []
    done = []
    with context.store.transaction() as transaction:
        for mail in gone:
            transaction.forget_mail(mail.id)
            transaction.drop_setting(f"{GOODBYE}{mail.id}")
        for key, kept in cases.items():
            if not any(_is_disputed(context, transaction, game) for game in kept["games"]):
                transaction.forget_letters(kept["addresses"])
                transaction.drop_setting(key)
        for each in waits:
            person = transaction.find_person(each)
            if person is not None:
                forget_person(context, transaction, person)
                done.append(each)
    if gone or done:
        settle_forgetting(context)
    return done


def settle_forgetting(context: PostContext) -> None:
    """After a transaction in which somebody was forgotten: note the id beside the keys, and empty SQLite's log."""
    with context.store.reading() as transaction:
        forgotten = [person.id for person in transaction.people() if person.state == "forgotten"]
    note_forgotten(context.settings, forgotten)
    context.store.checkpoint()


def forget_again(context: PostContext) -> list[str]:
    """Forget whoever the file beside the keys names and this database still knows: it is older than the file."""
    with context.store.reading() as transaction:
        known = [person.id for person in remembered_people(context.settings, transaction)]
    for each in known:
        with context.store.transaction() as transaction:
            person = transaction.find_person(each)
            if person is not None:
                forget_person(context, transaction, person)
    if known:
        context.store.checkpoint()
    return known
