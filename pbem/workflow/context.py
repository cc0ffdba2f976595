"""What the clerk works with: the store, who the post is, the letters' composer, the hour, and secrets of games.

Everything that differs between the service, a demonstration and a test is handed in here; nothing is looked up
elsewhere.
"""

import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from engine.digest import canonical
from pbem.events.chain import Event, Sealed
from pbem.mail.reading import PostIdentity
from pbem.mail.writing.composing import Composer
from pbem.mail.writing.people import Post
from pbem.proof.commitments import Sealer
from pbem.proof.drand import QUICKNET
from pbem.proof.public_beacon import Beacon
from pbem.proof.signing import Signer
from pbem.settings.sections import Settings
from pbem.store.rows import EventRow
from pbem.store.store import Store
from pbem.workflow.shelf import Shelf


def utc_now() -> datetime:
    """The present moment, to the second: finer than that, mail knows no time."""
    return datetime.now(UTC).replace(microsecond=0)


@dataclass(frozen=True, slots=True)
class Office:
    """All that a clerk needs."""

    store: Store
    settings: Settings
    identity: PostIdentity
    composer: Composer
    now: Callable[[], datetime] = utc_now
    shelf: Shelf = field(default_factory=Shelf)
    signer: Signer | None = None
    """Who signs receipts and checkpoints; nobody, at a post without the key for it."""
    beacon: Beacon = QUICKNET
    """What draws are bound to at tables that wish it."""
    sealer: Callable[[str, bytes], Sealer] = Sealer
    """Seals what a game hides, of its name and its blind key."""


def open_office(settings: Settings, *, now: Callable[[], datetime] = utc_now) -> Office:
    """Open the post that some settings describe; its store must be closed in the end."""
    post = settings.post
    if post.ticket_key is None:
        raise ValueError("a post needs the key of its tickets")
    key = post.ticket_key.reveal().encode()
    return Office(
        store=Store.open(settings.store.url, now=now, patience=settings.store.patience),
        settings=settings,
        identity=PostIdentity(post.address, post.authserv_id, key, post.domains),
        composer=Composer(Post(post.address, post.name, key)),
        now=now,
        signer=make_signer(settings),
    )


def make_signer(settings: Settings) -> Signer | None:
    """Who signs for a post; None if its settings name no key."""
    key = settings.post.signing_key
    return Signer(settings.post.address, bytes.fromhex(key.reveal())) if key is not None else None


def press_secret(office: Office, game: str) -> bytes:
    """What blinds the digests of private words in a game. It is never opened, other than the game's own secrets."""
    return hmac.digest(office.identity.ticket_key, f"caravan-post/press\0{game}".encode(), "sha256")


def stamp(moment: datetime) -> str:
    """A moment as events write it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def to_event(row: EventRow) -> Event:
    """An event as the store keeps it, made a value again."""
    sealed = None
    if row.sealed:
        phrase, readers, fields = json.loads(row.sealed)
        sealed = Sealed(phrase, tuple(readers), tuple((name, value) for name, value in fields))
    commitments = tuple(row.commitments.split())
    return Event(row.game, row.seq, row.kind, json.loads(row.data), row.at, row.prev, row.hash, sealed, commitments)


def to_row(event: Event, inbox_id: int | None) -> EventRow:
    """An event as the store keeps it."""
    data = canonical(event.data).decode()
    sealed = canonical(event.sealed).decode() if event.sealed is not None else ""
    commitments = " ".join(event.commitments)
    return EventRow(
        event.game, event.seq, event.kind, data, event.at, event.prev, event.hash, inbox_id, sealed, commitments
    )
