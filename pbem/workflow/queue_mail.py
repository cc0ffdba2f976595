"""One mail to one reader: composed from what that reader may see, and queued as bytes.

It also keeps, for players who want one mail a day, up to which event they have been told. A reply to a letter does not
count, because it tells what came of the letter and not what others did.
"""

import json
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from engine.game import CHANCE, Seat
from notation import Entry
from pbem.events.chain import Event, epochs_before, opens_epoch
from pbem.mail.commands.preferences import DAILY, EVERYWHERE, HERE
from pbem.mail.commands.press import MUTE
from pbem.mail.reply_address import format_reply_address, format_subject_tag, subject_of_thread
from pbem.mail.writing.mime import Mail, format_entry_id, format_message_id
from pbem.mail.writing.occasions import (
    CalendarChange,
    Correspondent,
    DigestMail,
    Envelope,
    GameOverMail,
    NoticeMail,
    Occasion,
    ReminderMail,
    ReplyMail,
    TurnMail,
    UnchangedMail,
)
from pbem.proof.draws import Opening
from pbem.store.rows import NewMail, SeatRow
from pbem.store.store import Transaction
from pbem.tables.decision import REFEREE
from pbem.tables.table import HINTS, NEVER
from pbem.workflow.follow_up import change_intentions
from pbem.workflow.front_desk import reply_address
from pbem.workflow.heard_press import change_mute, muted_by
from pbem.workflow.observers import Observer, observers_at
from pbem.workflow.people import (
    FOR_ALL,
    SEAT_WISHES,
    change_wish,
    gets_digests,
    start_digests,
    summary_key,
    wish_at,
)
from pbem.workflow.referees import Referee, plays_at, referees_of
from pbem.workflow.session import GameSession

WISHES: Final = (*SEAT_WISHES, "hints", "calendar")
"""What a player can wish about mails."""
_OFFSET: Final = "offset"
"""Beside the wishes: how far a person's clock is from UTC, in minutes."""
TURNS_WITH_HINTS: Final = 5
TELLING: Final = (TurnMail, ReminderMail, DigestMail, GameOverMail)
"""Mails that tell everything since the last of them."""


def mark_seen(session: GameSession, seat: Seat, occasion: Occasion) -> None:
    """Remember up to which event a player with daily mails has been told."""
    tells = isinstance(occasion, TELLING) or (isinstance(occasion, NoticeMail) and occasion.since)
    if gets_digests(session.people[seat]) and tells:
        _save(session, seat, session.table.seq)


def unseen_events(session: GameSession, seat: Seat) -> tuple[Event, ...]:
    """The events for the next daily mail."""
    kept = session.transaction.load_setting(summary_key(session.row.id, seat))
    last = session.people[seat].last_seen_seq if kept is None else int(kept)
    return session.events[last:]


def _save(session: GameSession, seat: Seat, seq: int) -> None:
    session.transaction.save_setting(summary_key(session.row.id, seat), str(seq))


def change_preferences(
    session: GameSession, seat: Seat, settings: Mapping[str, str | bool], reach: str = ""
) -> tuple[int, int]:
    """Keep what a player has chosen, for this table or for all; at how many tables it holds, and how many there are.

    Without a word about its reach, how often we write is for this table, and what is about the player is for all.
    """
    person, tables = session.people[seat], (1, 1)
    if str(settings.get("notices", "")).startswith(DAILY):
        start_digests(session.context, session.transaction, person)
    if "auto_roll" in settings:
        change_intentions(session, seat, rolls=settings["auto_roll"])
    for name, value in settings.items():
        if name.startswith(f"{MUTE} "):
            change_mute(session, seat, name.removeprefix(f"{MUTE} "), on=bool(value))
        elif name in WISHES:
            only = reach == HERE or (not reach and name not in FOR_ALL)
            tables = change_wish(
                *(session.context, session.transaction, person.person, name, value),
                at=session.row.id,
                only=only,
                overrule=reach == EVERYWHERE,
            )
    session.change_person(seat, **{name: value for name, value in settings.items() if name in SEAT_WISHES})
    return tables


def note_offset(transaction: Transaction, person: SeatRow, offset: int | None) -> None:
    """Keep how far a player's clock is from UTC, by the last mail that told; it helps to ask for the time zone."""
    if offset is not None and transaction.wishes_of(person.person).get(_OFFSET) != str(offset):
        transaction.save_wish(person.person, _OFFSET, str(offset))


def _load_offset(session: GameSession, seat: Seat) -> int | None:
    kept = session.transaction.wishes_of(session.people[seat].person).get(_OFFSET)
    return None if kept is None else int(kept)


def wants_calendar(session: GameSession, seat: Seat) -> bool:
    """Whether a player wants deadlines in a calendar."""
    return wish_at(session.transaction, session.people[seat], "calendar") == "on"


def _change_calendar(session: GameSession, seat: Seat, number: int, summary: str) -> CalendarChange | None:
    """What a mail does to the entry in its reader's calendar, if anything: the entry follows the reader's deadline.

    Between turns there is none. A turn that follows at once takes over the entry of the one before. `summary` is what
    the last turn mail was called.
    """
    name = f"calendar entry of {seat} of {session.row.id} for {session.people[seat].person}"
    kept = json.loads(session.transaction.load_setting(name) or "null")
    deadline = session.deadline(seat) if wants_calendar(session, seat) and seat in session.table.due else None
    if kept is None and deadline is None:
        return None
    if deadline is None:
        session.transaction.save_setting(name, "")
        until = datetime.fromisoformat(kept["deadline"])
        return CalendarChange(kept["uid"], kept["sequence"] + 1, until, cancelled=True, summary=summary)
    about = {"deadline": deadline.isoformat(), "turn": session.table.turn}
    if kept is not None and kept.items() >= about.items():
        return None
    uid = format_entry_id(session.context.composer.post, session.row.id, seat, number) if kept is None else kept["uid"]
    sequence = 0 if kept is None else kept["sequence"] + 1
    session.transaction.save_setting(name, json.dumps({"uid": uid, "sequence": sequence, **about}))
    return CalendarChange(uid, sequence, deadline)


def wants_hints(session: GameSession, seat: Seat) -> bool:
    """Whether a turn is suggested to a player: as chosen, else in the first turns of the first game of a kind."""
    table = session.table
    if seat not in table.due or table.terms.get(HINTS) == NEVER:
        return False
    chosen = wish_at(session.transaction, session.people[seat], "hints")
    if chosen is not None:
        return chosen == "on"
    if has_begun_turns(table.entries, seat, TURNS_WITH_HINTS):
        return False
    address = session.people[seat].address
    return table.game.key not in session.transaction.games_before(address, session.row.id)


def has_begun_turns(entries: Iterable[Entry], seat: Seat, most: int) -> bool:
    """Whether a seat has begun so many turns. No more entries are looked at than it takes to tell."""
    begun, known = 0, set[int | None]()
    for entry in entries:
        if entry.who != CHANCE and entry.number not in known:
            known.add(entry.number)
            begun += entry.who == seat
            if begun >= most:
                return True
    return False


def queue_for_seat(session: GameSession, seat: Seat, occasion: Occasion, *, thread: str = "") -> None:
    """Compose a mail to a seat and queue it. It is held back while mails to this seat bounce.

    `thread` is the subject of the letter that the mail answers. A reminder goes on from the last turn mail, and so does
    an answer to a letter without a subject.
    """
    person = session.people[seat]
    if not person.address:
        return  # whoever sat there was forgotten
    number = person.mails_sent + 1
    asks_proof = isinstance(occasion, ReplyMail) and occasion.asks_proof
    openings = _openings(session, seat, after=0 if asks_proof else person.last_seen_seq)
    session.change_person(seat, mails_sent=number, last_seen_seq=session.table.seq)
    mark_seen(session, seat, occasion)
    reader = Correspondent(
        *(person.name, person.address, person.language, person.zone, person.plain, person.notices),
        calendar=wants_calendar(session, seat),
        offset=_load_offset(session, seat),
    )
    reply_to, tag = _reply_address(session, seat)
    now = session.context.now()
    kept = f"subject of the turn of {seat} of {session.row.id}"
    last = session.transaction.load_setting(kept) or ""
    if isinstance(occasion, ReminderMail) or (isinstance(occasion, ReplyMail | UnchangedMail) and not thread):
        thread = last
    envelope = Envelope(
        *(seat, reader, number, reply_to, now, tag, openings, session.checkpoint, thread),
        hints=wants_hints(session, seat),
        calendar=_change_calendar(session, seat, number, last),
        muted=muted_by(session, seat),
    )
    mail = _compose(session, envelope, occasion)
    if isinstance(occasion, TurnMail):
        session.transaction.save_setting(kept, subject_of_thread(mail.subject, session.row.id))
    session.post(_to_queue(session, mail, seat), held=person.paused)


def queue_for_referee(session: GameSession, occasion: Occasion) -> None:
    """Queue a mail to everybody who decides at the table.

    If nobody does, the operator gets it whom the settings name, but for what a player there must not read as a judge.
    """
    context, transaction, table = session.context, session.transaction, session.row.id
    found = referees_of(context, transaction, table)
    for each in found:
        wishes = {} if each.person is None else transaction.wishes_of(each.person.id)
        language, zone = wishes.get("language", context.settings.post.language), wishes.get("zone")
        case = _case_of(occasion)
        reader = Correspondent(REFEREE, each.address, language, zone or context.settings.time.zone)
        _queue_for_judge(session, occasion, reader, *reply_address(context, "court", table, str(case)), case=case)
    operator = context.settings.post.referee
    if found or operator is None or (_concerns_judges(occasion) and plays_at(transaction, Referee(operator), table)):
        return
    reader = Correspondent(REFEREE, operator, context.settings.post.language, context.settings.time.zone)
    _queue_for_judge(session, occasion, reader, context.settings.post.address)


def _case_of(occasion: Occasion) -> int:
    """The case that a mail to the referee is about; 0 if it is about none."""
    found = re.match(r"case (\d+),", occasion.about) if isinstance(occasion, NoticeMail) else None
    return int(found[1]) if found is not None else 0


def _concerns_judges(occasion: Occasion) -> bool:
    """Whether a mail is for somebody who judges the players, and not only for whoever runs the post."""
    return not isinstance(occasion, NoticeMail) or occasion.kind == "appeal"


def _queue_for_judge(
    session: GameSession, occasion: Occasion, reader: Correspondent, reply_to: str, tag: str = "", *, case: int = -1
) -> None:
    number, now = _next_number(session, REFEREE, reader.address), session.context.now()
    envelope = Envelope(
        *(REFEREE, reader, number, reply_to, now, tag), checkpoint=session.checkpoint, takes_answers=False, case=case
    )
    session.transaction.enqueue([_to_queue(session, _compose(session, envelope, occasion), None)])


def queue_for_observers(session: GameSession, occasion: Occasion) -> None:
    """Queue a mail to all observers: public news, without a reply address."""
    for observer in observers_at(session):
        queue_for_observer(session, observer, occasion)


def queue_for_observer(session: GameSession, observer: Observer, occasion: Occasion) -> None:
    """Queue a mail to one observer."""
    reader = Correspondent(observer.name, observer.address, observer.language, observer.zone)
    number = _next_number(session, observer.role, observer.address)
    home, now = session.context.settings.post.address, session.context.now()
    envelope = Envelope(observer.role, reader, number, home, now, checkpoint=session.checkpoint, takes_answers=False)
    session.transaction.enqueue([_to_queue(session, _compose(session, envelope, occasion), None)])


def _next_number(session: GameSession, role: str, address: str) -> int:
    """The number of the next mail about a game to somebody who has no seat: the mails about it, and no others.

    Older versions counted the mails about all games. A game in which they did so goes on from there, because numbers
    name mails and no name is used twice.
    """
    transaction, game = session.transaction, session.row.id
    key = f"mails to {role} of {game}"
    last = transaction.load_setting(key)
    if last is not None:
        number = int(last) + 1
    else:
        number = 1 + (transaction.mails_written(address) if transaction.mails_written(address, game) else 0)
        post = session.context.composer.post
        while transaction.find_text(format_message_id(post, game, role, number)) is not None:
            number += 1  # there was another referee before this one
    transaction.save_setting(key, str(number))
    return number


def _openings(session: GameSession, seat: Seat, *, after: int) -> tuple[Opening, ...]:
    """The sealed values since the seat's last mail that this seat may see."""
    since = session.events[after:]
    # Counted back from the present epoch: a mail need not go through the whole game.
    first = session.table.epoch - sum(opens_epoch(event.payload) for event in since)
    return tuple(
        session.sealer.open(event.seq, *field, epoch if session.table.is_second_form else None)
        for event, epoch in zip(since, epochs_before(since, first), strict=True)
        if event.sealed is not None and seat in event.sealed.readers
        for field in event.sealed.fields
    )


def _reply_address(session: GameSession, seat: Seat) -> tuple[str, str]:
    """The reply address, and the subject tag that is needed if the address cannot carry the ticket."""
    identity, table = session.context.identity, session.table
    key, turn, mark = identity.ticket_key, table.turn, table.mark
    if session.context.settings.post.plus_addressing:
        return format_reply_address(key, identity.address, game=table.id, seat=seat, turn=turn, mark=mark), ""
    return identity.address, format_subject_tag(key, game=table.id, seat=seat, turn=turn, mark=mark)


def _compose(session: GameSession, envelope: Envelope, occasion: Occasion) -> Mail:
    deadlines = {each: deadline for each in session.table.due if (deadline := session.deadline(each)) is not None}
    composer = session.context.composer
    if session.begun is not None:
        composer.begin_at(session.begun)
    return composer.compose(session.table, envelope, occasion, deadlines)


def _to_queue(session: GameSession, mail: Mail, seat: Seat | None) -> NewMail:
    """A mail as the outbox keeps it."""
    raw, at = mail.before + mail.after, len(mail.before)
    return NewMail(
        *(mail.message_id, mail.to, mail.kind, raw, session.row.id, seat),
        shared=mail.picture,
        shared_at=at,
        head_seq=session.table.seq,
    )
