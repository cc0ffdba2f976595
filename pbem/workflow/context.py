"""What the workflow needs: store, settings, composer, clock, keys, and a cache of tables.

Everything that differs between the running service, the demo and a test is passed in here. Nothing is looked up
anywhere else.
"""

import base64
import hmac
import json
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from engine.digest import canonical
from pbem.events.annotations import WITHHELD
from pbem.events.chain import Event, Sealed, Withheld
from pbem.events.codec import decode, encode, form_of
from pbem.events.kinds import GameOpened, is_unknown_note
from pbem.events.payload import FIRST_FORM, SECOND_FORM
from pbem.events.told import Told, find_seals
from pbem.mail.reading import largest_size
from pbem.mail.reply_address import PostIdentity
from pbem.proof.draws import Sealer
from pbem.proof.public_beacon import QUICKNET, Beacon
from pbem.proof.signatures import LENGTH, Signer
from pbem.settings.kinds import Secret
from pbem.settings.sections import Settings
from pbem.store.rows import EventRow
from pbem.store.store import Store
from pbem.store.timestamps import utc_now
from pbem.tables.table import Table

if TYPE_CHECKING:
    from pbem.mail.writing.composer import Composer
    from pbem.mail.writing.post_mails import PostPage
    from pbem.store.store import Transaction

ID_LENGTH: Final = 12
"""Signs in the id of a person."""
CACHE_SIZE: Final = 256
"""Tables kept in memory. The one that was not used for the longest time goes first."""


class CachedTable(NamedTuple):
    """A table, and the last events that made it: all of them, but for those that a snapshot stands for."""

    table: Table
    events: tuple[Event, ...]
    unread: int = 0
    """How many events before these were not read, because a snapshot of the table stood for them."""
    snapshot: int = 0
    """The number of the event of the last snapshot; 0 if none is known."""
    begun: Table | None = None
    """The table of that snapshot, if it was just read."""


class TableCache:
    """Tables by the hash of their last event, so that the next letter need not fold the whole game again.

    The hash names the whole history. A table from a transaction that was rolled back is simply never found.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], CachedTable] = OrderedDict()

    def find(self, game: str, head: str) -> CachedTable | None:
        """The table of a game whose last event has this hash."""
        found = self._kept.get((game, head))
        if found is not None:
            self._kept.move_to_end((game, head))
        return found

    def drop(self, game: str) -> None:
        """Keep no table of a game: what is told beside its events was changed."""
        for key in [key for key in self._kept if key[0] == game]:
            del self._kept[key]

    def keep(self, cached: CachedTable) -> None:
        """Keep a table for the next letter."""
        self._kept[cached.table.id, cached.table.head] = cached
        while len(self._kept) > CACHE_SIZE:
            self._kept.popitem(last=False)


def fresh_bytes(size: int) -> bytes:
    """Random bytes that nobody can guess."""
    return secrets.token_bytes(size)


class CasePage(Protocol):
    """What makes the page about a case. Pages know the workflow, so the workflow is given them from outside."""

    def __call__(
        self,
        context: "PostContext",
        transaction: "Transaction",
        *,
        table: str,
        case: int,
        viewer: str,
        reader: "CaseReader",
    ) -> "PostPage | None":
        """The page as a seat or everybody may see it; None if there is no warrant for the seat."""
        ...


class CaseReader(NamedTuple):
    """Who reads a page about a case: the language and the time zone."""

    language: str
    zone: str = "UTC"


@dataclass(frozen=True)
class PostContext:
    """Everything that a step of the workflow may use."""

    store: Store
    settings: Settings
    identity: PostIdentity
    now: Callable[[], datetime] = utc_now
    table_cache: TableCache = field(default_factory=TableCache)
    signer: Signer | None = None
    """Signs receipts and checkpoints. None if the settings name no signing key."""
    older_signers: tuple[Signer, ...] = ()
    """Keys that were replaced, for games that were promised them and cannot say in their chain that they changed."""
    beacon: Beacon = QUICKNET
    """The public beacon for tables whose draws are bound to one."""
    run: str = field(default_factory=lambda: fresh_bytes(16).hex())
    """Another each time that the post is opened, and part of the names of mails: so no two ever have the same name,
    although their numbers come again when the database is put back to an older copy."""
    sealer: Callable[[str, bytes], Sealer] = Sealer
    """Makes commitments to hidden values, for the name of a game and its blind key."""
    random_bytes: Callable[[int], bytes] = fresh_bytes
    """Where ids of people and the salts of sealed texts come from; of a game's secrets they must tell nothing."""

    case_page: CasePage | None = None
    """Shows a case to a referee by mail; None where nobody asks for one."""

    def new_id(self) -> str:
        """A fresh id for a person: twelve signs of `a-z2-7`."""
        return base64.b32encode(self.random_bytes(10)).decode("ascii").lower()[:ID_LENGTH]

    def largest_size(self, start: bytes, recipients: Sequence[str] = ()) -> int:
        """How large a letter may be, by its beginning and the recipients on its envelope: larger with a good ticket."""
        usual = self.settings.post.largest_letter
        return largest_size(start, post=self.identity, envelope_to=recipients, usual=usual)

    def signer_for(self, table: Table) -> Signer | None:
        """Signs what is said about a table: the key that its players were told of, if we still have it."""
        for older in self.older_signers:
            if table.key == older.public.hex():
                return older
        return self.signer

    @cached_property
    def composer(self) -> "Composer":
        """Writes mails. It is loaded when the first one is written, because `pbem status` writes none."""
        from pbem.mail.writing.composer import Composer
        from pbem.mail.writing.occasions import Post

        post = self.settings.post
        return Composer(Post(self.identity.address, post.name, self.identity.ticket_key, self.run))


def open_context(
    settings: Settings,
    *,
    now: Callable[[], datetime] = utc_now,
    reads: bool = False,
    case_page: CasePage | None = None,
) -> PostContext:
    """Open the post that some settings describe. Close its store when you are done."""
    store = Store.open(**settings.store.address, now=now, reads=reads)
    return PostContext(
        store=store,
        settings=settings,
        identity=identity_of(settings),
        now=now,
        signer=make_signer(settings),
        older_signers=older_signers(settings),
        case_page=case_page,
    )


def identity_of(settings: Settings) -> PostIdentity:
    """The address of a post, and the key of its tickets."""
    post = settings.post
    if post.ticket_key is None:
        raise ValueError("a post needs the key of its tickets")
    key = post.ticket_key.reveal().encode()
    older, stolen = (tuple(older_keys(post.ticket_key, why)) for why in (REPLACED, STOLEN))
    return PostIdentity(post.address, post.authserv_id, key, post.domains, older, stolen)


REPLACED: Final = ".replaced-"
"""What stands between the name of a key file and the moment when the key in it was replaced."""
STOLEN: Final = ".stolen-"
"""What stands there if the key was stolen."""


def older_keys(secret: Secret | None, why: str = REPLACED) -> Iterator[bytes]:
    """The keys that were replaced, from the files beside the present one."""
    if secret is None or secret.file is None:
        return
    for path in sorted(secret.file.parent.glob(f"{secret.file.name}{why}*")):
        with suppress(OSError):
            yield path.read_bytes().strip()


def older_signers(settings: Settings) -> tuple[Signer, ...]:
    """The signers of keys that were replaced; a file that holds no such key is passed over."""
    found = list[Signer]()
    for key in older_keys(settings.post.signing_key):
        with suppress(ValueError):
            private = bytes.fromhex(key.decode("ascii", "replace"))
            if len(private) == LENGTH:
                found.append(Signer(settings.post.address, private))
    return tuple(found)


def make_signer(settings: Settings) -> Signer | None:
    """The signer of a post, or None if the settings name no key."""
    key = settings.post.signing_key
    return Signer(settings.post.address, bytes.fromhex(key.reveal())) if key is not None else None


def press_secret(context: PostContext, game: str) -> bytes:
    """The key for digests of private words in a game.

    It is derived from the ticket key and never opened, unlike the game's own secrets. Without it the digest of a short
    message could be guessed.
    """
    return hmac.digest(context.identity.ticket_key, f"caravan-post/press\0{game}".encode(), "sha256")


def _event_from_row(row: EventRow, form: int) -> Event:
    """An event read from its database row, in a game of a form of proof."""
    data, sealed, maker = json.loads(row.data), None, None
    if row.sealed:
        phrase, readers, fields, *more = json.loads(row.sealed)
        sealed = Sealed(phrase, tuple(readers), tuple((name, value) for name, value in fields)) if fields else None
        maker = more[0] if more else None
    form = form_of(data) if row.kind == GameOpened.KIND else form
    told = _read_told(row, data) if form == SECOND_FORM else {}
    texts = {field: each.text for field, each in told.items() if each.text is not None}
    payload = decode(row.kind, data, form=form, texts=texts)
    commitments = tuple(row.commitments.split())
    kept = json.loads(row.told).get(WITHHELD) if row.told and form == FIRST_FORM else None
    withheld = Withheld(*kept) if kept is not None else None
    return Event(row.game, row.seq, payload, row.at, row.prev, row.hash, sealed, commitments, maker, told, withheld)


def _read_told(row: EventRow, data: dict[str, object]) -> dict[str, Told]:
    """The sealed texts of an event; of one that was thrown away only the seal is left."""
    kept = json.loads(row.told) if row.told else {}
    seals = find_seals(row.kind, data)
    if is_unknown_note(row.kind):
        seals = {field: seal for field, seal in seals.items() if field in kept}
    return {field: Told(seal, *kept.get(field, ())) for field, seal in seals.items()}


def events_from_rows(rows: Iterable[EventRow], form: int = FIRST_FORM) -> tuple[Event, ...]:
    """The events of a game: all, of which the first names the form of proof, or the later ones of a game of a form."""
    found = list[Event]()
    for row in rows:
        found.append(_event_from_row(row, form))
        if isinstance(first := found[0].payload, GameOpened):
            form = first.form
    return tuple(found)


def row_from_event(event: Event, inbox_id: int | None) -> EventRow:
    """The database row of an event; `inbox_id` is the letter that caused it."""
    data = canonical(encode(event.payload, event.told)).decode()
    kept = {field: [each.salt, each.text] for field, each in event.told.items() if each.salt}
    return EventRow(
        event.game,
        event.seq,
        event.kind,
        data,
        event.at,
        event.prev,
        event.hash,
        inbox_id,
        _write_sealed(event),
        " ".join(event.commitments),
        canonical(kept).decode() if kept else "",
    )


def _write_sealed(event: Event) -> str:
    """What must stay secret of an event: its moves in full, and who prepared them."""
    if event.maker is None:
        return canonical(event.sealed).decode() if event.sealed is not None else ""
    return canonical([*(event.sealed or ("", (), ())), event.maker]).decode()
