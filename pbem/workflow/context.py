"""Tables that were on a desk lately, so that the next letter need not fold them from their events again.

A table is found by the hash of its last event, which names its whole history: one that was laid aside by a
transaction that never happened is simply not found.

What the clerk works with: the store, who the post is, the letters' composer, the hour, and secrets of games.

Everything that differs between the service, a demonstration and a test is handed in here; nothing is looked up
elsewhere.
"""

import hmac
import json
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, NamedTuple

from engine.digest import canonical
from pbem.events.chain import Event, Sealed
from pbem.events.codec import decode, encode
from pbem.mail.reply_address import PostIdentity
from pbem.mail.writing.compose import Composer
from pbem.mail.writing.occasions import Post
from pbem.proof.draws import Sealer
from pbem.proof.public_beacon import QUICKNET, Beacon
from pbem.proof.signatures import Signer
from pbem.settings.sections import Settings
from pbem.store.rows import EventRow
from pbem.store.store import Store
from pbem.store.timestamps import utc_now
from pbem.tables.table import Table

CACHE_SIZE: Final = 256
"""Tables kept before the one that was not needed for longest goes."""


class CachedTable(NamedTuple):
    """A table, and the events that made it."""

    table: Table
    events: tuple[Event, ...]


class TableCache:
    """Keeps a few tables by the head of their chain."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], CachedTable] = OrderedDict()

    def find(self, game: str, head: str) -> CachedTable | None:
        """The table of a game whose last event has this hash."""
        found = self._kept.get((game, head))
        if found is not None:
            self._kept.move_to_end((game, head))
        return found

    def keep(self, cached: CachedTable) -> None:
        """Lay a table aside for the next letter."""
        self._kept[cached.table.id, cached.table.head] = cached
        while len(self._kept) > CACHE_SIZE:
            self._kept.popitem(last=False)


@dataclass(frozen=True, slots=True)
class PostContext:
    """All that a clerk needs."""

    store: Store
    settings: Settings
    identity: PostIdentity
    composer: Composer
    now: Callable[[], datetime] = utc_now
    table_cache: TableCache = field(default_factory=TableCache)
    signer: Signer | None = None
    """Who signs receipts and checkpoints; nobody, at a post without the key for it."""
    beacon: Beacon = QUICKNET
    """What draws are bound to at tables that wish it."""
    sealer: Callable[[str, bytes], Sealer] = Sealer
    """Seals what a game hides, of its name and its blind key."""


def open_context(settings: Settings, *, now: Callable[[], datetime] = utc_now) -> PostContext:
    """Open the post that some settings describe; its store must be closed in the end."""
    post = settings.post
    if post.ticket_key is None:
        raise ValueError("a post needs the key of its tickets")
    key = post.ticket_key.reveal().encode()
    return PostContext(
        store=Store.open(settings.store.url, now=now, timeout=settings.store.patience.total_seconds()),
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


def press_secret(context: PostContext, game: str) -> bytes:
    """What blinds the digests of private words in a game. It is never opened, other than the game's own secrets."""
    return hmac.digest(context.identity.ticket_key, f"caravan-post/press\0{game}".encode(), "sha256")


def format_timestamp(moment: datetime) -> str:
    """A moment as events write it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def event_from_row(row: EventRow) -> Event:
    """An event as the store keeps it, made a value again."""
    sealed = None
    if row.sealed:
        phrase, readers, fields = json.loads(row.sealed)
        sealed = Sealed(phrase, tuple(readers), tuple((name, value) for name, value in fields))
    commitments = tuple(row.commitments.split())
    return Event(
        row.game, row.seq, decode(row.kind, json.loads(row.data)), row.at, row.prev, row.hash, sealed, commitments
    )


def row_from_event(event: Event, inbox_id: int | None) -> EventRow:
    """An event as the store keeps it."""
    data = canonical(encode(event.payload)).decode()
    sealed = canonical(event.sealed).decode() if event.sealed is not None else ""
    commitments = " ".join(event.commitments)
    return EventRow(
        event.game, event.seq, event.kind, data, event.at, event.prev, event.hash, inbox_id, sealed, commitments
    )
