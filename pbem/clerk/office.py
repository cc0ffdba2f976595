"""What the clerk works with: the store, who the post is, the letters' composer, the hour, and secrets of games.

Everything that differs between the service, a demonstration and a test is handed in here; nothing is looked up
elsewhere.
"""

import hashlib
import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from engine.chance import Dealer, KeyedDealer
from engine.digest import canonical
from pbem.clerk.shelf import Shelf
from pbem.intake import PostIdentity
from pbem.ledger.event import Event
from pbem.letters.composing import Composer
from pbem.letters.people import Post
from pbem.settings.sections import Settings
from pbem.store.rows import EventRow, GameRow
from pbem.store.store import Store


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
    )


def dealer_for(game: GameRow, seq: int) -> Dealer:
    """The Dealer for what happens after event `seq` of a game: it follows from the game's secret alone."""
    said = f"caravan-post/dealer\0{game.id}\0{seq}".encode()
    return KeyedDealer(hmac.digest(game.seed, said, hashlib.sha256))


def stamp(moment: datetime) -> str:
    """A moment as events write it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def to_event(row: EventRow) -> Event:
    """An event as the store keeps it, made a value again."""
    return Event(row.game, row.seq, row.kind, json.loads(row.data), row.at, row.prev, row.hash)


def to_row(event: Event, inbox_id: int | None) -> EventRow:
    """An event as the store keeps it."""
    data = canonical(event.data).decode()
    return EventRow(event.game, event.seq, event.kind, data, event.at, event.prev, event.hash, inbox_id)
