"""What players heard of each other: whom somebody has muted, and words that somebody reports to the referee.

Both are kept beside the events, so that neither a record nor the time or number of anybody's mails tells of them. A
mute is between two people: it ends when one of them leaves the table. Private words are not kept with events. They are
read again in the letter that brought them, and shown only if they are those that the event seals.
"""

import hmac
import json
from datetime import datetime
from typing import Final

from engine.digest import canonical
from engine.game import Seat
from pbem.events.chain import Event
from pbem.events.kinds import PressSent
from pbem.mail.commands.parse_letter import parse_letter
from pbem.mail.commands.press import Press
from pbem.mail.reading import Unreadable, read_letter
from pbem.tables.decision import ALL, HeardPress, PressReport
from pbem.tables.play import find_pending
from pbem.workflow.context import press_secret
from pbem.workflow.session import GameSession

WORDS: Final = "words"
"""The field of an event in which words are sealed."""


def muted_by(session: GameSession, seat: Seat) -> tuple[Seat, ...]:
    """The seats whose words a player does not want to read."""
    muted = _load(session, _muted(session, seat))
    return tuple(other for other, person in session.people.items() if other != seat and person.address in muted)


def change_mute(session: GameSession, seat: Seat, other: Seat, *, on: bool) -> None:
    """Keep that a player mutes another one, or no longer does."""
    key, address = _muted(session, seat), session.people[other].address
    kept = {each: at for each, at in _load(session, key).items() if each != address}
    since = {address: session.now.isoformat()} if on else {}
    session.transaction.save_setting(key, json.dumps({**kept, **since}))


def _muted(session: GameSession, seat: Seat) -> str:
    return f"muted at {session.row.id} by {session.people[seat].address}"


def press_heard_by(session: GameSession, seat: Seat) -> tuple[HeardPress, ...]:
    """All that others said to a player or to everybody, with what the player has reported of it."""
    reported = _load(session, _reports(session, seat))
    heard = []
    for event in session.events:
        said = event.payload
        if isinstance(said, PressSent) and said.to in (ALL, seat) and said.sender != seat:
            at = reported.get(str(event.seq))
            when = datetime.fromisoformat(at) if at else None
            heard.append(HeardPress(event.seq, said.sender, said.to, datetime.fromisoformat(event.at), when))
    return tuple(heard)


def keep_report(session: GameSession, report: PressReport) -> None:
    """Remember that words were reported."""
    key = _reports(session, report.by)
    kept = {**_load(session, key), str(report.heard.number): session.now.isoformat()}
    session.transaction.save_setting(key, json.dumps(kept))


def _reports(session: GameSession, seat: Seat) -> str:
    return f"reported at {session.row.id} by {session.people[seat].address}"


def _load(session: GameSession, key: str) -> dict[str, str]:
    """Something that is kept, each thing with its moment."""
    kept: dict[str, str] = json.loads(session.transaction.load_setting(key) or "{}")
    return kept


def find_words(session: GameSession, number: int) -> str:
    """The words of an event; empty if they were private, and their letter is not kept or cannot be read again."""
    event = session.events[number - 1]
    said = event.payload
    if not isinstance(said, PressSent):
        raise TypeError(f"event {number} holds no words")
    if said.words:
        return said.words
    rows = session.transaction.load_events(session.row.id)
    brought = next((row.inbox_id for row in rows if row.seq == number), None)
    row = session.transaction.find_letter(brought) if brought is not None else None
    if row is None:
        return ""
    context, table = session.context, session.table
    largest = context.settings.post.largest_letter
    letter = read_letter(row.raw, post=context.identity, envelope_to=row.env_to, largest=largest)
    if isinstance(letter, Unreadable):
        return ""
    pending = find_pending(table, said.sender)
    # Moves beside the words may mean something else by now; without a game they are passed over.
    for playing in (True, False):
        parsed = parse_letter(letter.words, letter.shown, game=table.game, playing=playing, pending=pending)
        for command in (*parsed.commands, *parsed.pencilled):
            if isinstance(command, Press) and _are_words_of(session, event, said, command.words):
                return command.words
    return ""


def _are_words_of(session: GameSession, event: Event, said: PressSent, words: str) -> bool:
    """Whether some words are those that an event seals, or that it has the digest of."""
    if WORDS in event.told:
        return event.told[WORDS]._replace(text=words).is_true(event.game, event.seq, WORDS)
    secret = press_secret(session.context, session.row.id)
    return said.words_sha256 == hmac.digest(secret, canonical([said.sender, said.to, words]), "sha256").hex()
