"""The schema: one for SQLite and PostgreSQL. Timestamps and JSON are text, letters and mails are bytes.

The bytes of letters and mails are in tables of their own: they never change, and a row that changes is written
again as a whole each time. The module is loaded only to create tables; queries are plain SQL.
"""

from collections.abc import Iterator
from typing import Final

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Dialect
from sqlalchemy.schema import CreateIndex, CreateTable

from pbem.store.outbox_schema import NUMBER, add_outbox, one_of
from pbem.store.rows import FATES, NOTICE_STATES, PERSON_STATES, PLACE_STATES

METADATA: Final = MetaData()


def _index_some(name: str, condition: str) -> Index:
    """An index, by their numbers, of those rows alone that a condition holds for."""
    return Index(name, "id", sqlite_where=text(condition), postgresql_where=text(condition))


INBOX: Final = Table(
    "inbox",
    METADATA,
    Column("id", NUMBER, primary_key=True),
    Column("raw_sha256", Text, nullable=False),
    Column("recipient", Text, nullable=False),
    Column("bytes_of", ForeignKey("inbox.id")),
    Column("sender", Text, nullable=False),
    Column("size", Integer, nullable=False),
    Column("vouched", Boolean, nullable=False),
    Column("copies", Integer, nullable=False),
    Column("received_at", Text, nullable=False),
    Column("intake", Text, nullable=False),
    Column("env_from", Text),
    Column("env_to", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("begun", Integer, nullable=False),
    Column("game", Text),
    Column("seat", Text),
    Column("writer", Text),
    Column("lane", Text),
    Column("claims", Integer, nullable=False, server_default="0"),
    UniqueConstraint("raw_sha256", "recipient"),
    one_of("state", ("received", *FATES)),
    Index("inbox_by_state", "state", "id", "copies"),
    Index("inbox_by_weight", "vouched", "state", "received_at", "sender", "size"),
    _index_some("inbox_not_looked_at", "state = 'received' AND writer IS NULL"),
    _index_some("inbox_genuine", "state = 'received' AND writer <> ''"),
    Index(
        *("inbox_by_lane", "lane", "id"),
        sqlite_where=text("state = 'received'"),
        postgresql_where=text("state = 'received'"),
    ),
    sqlite_autoincrement=True,
)
"""A mail to two seats has two rows: the second has its bytes with the first (`bytes_of`), and so no `size`.

`begun` counts how often work on a letter began, and `attempts` how often it failed. If more began than failed, the
process was killed meanwhile. `vouched` letters are known to be from players, and are counted apart from others.
`writer` is the seat whose player wrote a letter, or a person who wrote to the post itself: empty if none did, missing
until somebody has looked. Then a letter is in a `lane` too, until it has an outcome: letters in one lane are worked on
one after the other. `claims` counts how often somebody took a letter up, and never goes back: who took it up before the
last time can write nothing any more.
"""

INBOX_BYTES: Final = Table(
    "inbox_bytes",
    METADATA,
    Column("inbox_id", ForeignKey("inbox.id"), primary_key=True),
    Column("raw", LargeBinary, nullable=False),
)

TALLY: Final = Table(
    "tally",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("count", NUMBER, nullable=False),
)
"""Letters counted as they arrive, so that the numbers of their outcomes have a sum to be compared with."""

SEEN: Final = Table(
    "seen",
    METADATA,
    Column("player", Text, primary_key=True),
    Column("message_id", Text, primary_key=True),
    Column("body_sha256", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("seat", Text, primary_key=True),
    Column("inbox_id", ForeignKey("inbox.id"), nullable=False),
)

GAME: Final = Table(
    "game",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("stage", Text, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("head_seq", Integer, nullable=False),
    Column("head_hash", Text, nullable=False),
    Column("blind", LargeBinary, nullable=False),
    Column("head_at", Text, index=True),
    Column("turn", Integer, nullable=False, server_default="0"),
    Column("due", Text, nullable=False, server_default=""),
    Column("standing", Text, nullable=False, server_default=""),
    Column("awaits_round", Integer, nullable=False, server_default="0"),
    Index("game_by_stage", "stage", "head_seq"),
    _index_some("game_without_standing", "standing = ''"),
    _index_some("game_awaiting_round", "awaits_round > 0"),
)
"""A game, and how it stands after its last event, so that nobody must fold it to look: the turn, the seats that are
due with their deadlines, and the rest as JSON. `standing` is empty where it must be worked out from the events."""

EVENT: Final = Table(
    "event",
    METADATA,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("data", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("prev", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("inbox_id", ForeignKey("inbox.id")),
    Column("sealed", Text, nullable=False),
    Column("commitments", Text, nullable=False),
    Column("told", Text, nullable=False, server_default=""),
)

PLY: Final = Table(
    "ply",
    METADATA,
    Column("game", Text, primary_key=True),
    Column("epoch", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer, primary_key=True, autoincrement=False),
    Column("part", Integer, primary_key=True, autoincrement=False),
    Column("seat", Text, nullable=False),
    Column("canonical", Text, nullable=False),
    Column("event_seq", Integer, nullable=False),
    ForeignKeyConstraint(["game", "event_seq"], ["event.game", "event.seq"]),
)

PERSON: Final = Table(
    "person",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False, unique=True),
    Column("state", Text, nullable=False),
    Column("since", Text, nullable=False),
    Column("generation", Integer, nullable=False),
    one_of("state", PERSON_STATES),
)

ADDRESS: Final = Table(
    "address",
    METADATA,
    Column("address_key", Text, primary_key=True),
    Column("address", Text, nullable=False),
    Column("person", ForeignKey("person.id"), nullable=False, index=True),
    Column("confirmed_at", Text),
    Column("writes", Boolean, nullable=False),
)
"""`address_key` is the address in lower case: the one that senders are compared with."""

WISH: Final = Table(
    "wish",
    METADATA,
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("game", Text, primary_key=True),
    Column("what", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
"""What somebody wishes at one table, or, where `game` is empty, at all tables."""

NOTICE: Final = Table(
    "notice",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("opener", ForeignKey("person.id"), nullable=False),
    Column("state", Text, nullable=False),
    Column("pace", Integer, nullable=False),
    Column("terms", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("word", Text, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("blind", LargeBinary, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("due_at", Text, index=True),
    Column("least", Integer, nullable=False),
    one_of("state", NOTICE_STATES),
)
"""A table that waits for players. It becomes a game when all places are taken; until then nothing is in a chain."""

PLACE: Final = Table(
    "place",
    METADATA,
    Column("id", NUMBER, primary_key=True),
    Column("notice", ForeignKey("notice.id"), nullable=False, index=True),
    Column("state", Text, nullable=False),
    Column("person", Text, nullable=False, index=True),
    Column("seat", Text, nullable=False),
    Column("letter", Text, nullable=False),
    Column("mark", Text, nullable=False),
    Column("created_at", Text, nullable=False),
    one_of("state", PLACE_STATES),
    sqlite_autoincrement=True,
)
"""A place at such a table. `seat` is the one that the person wants, or empty."""

PENDING: Final = Table(
    "pending",
    METADATA,
    Column("id", NUMBER, primary_key=True),
    Column("person", Text, nullable=False, index=True),
    Column("kind", Text, nullable=False),
    Column("data", Text, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("due_at", Text, nullable=False, index=True),
    sqlite_autoincrement=True,
)
"""Acts that wait for a second letter; each can be carried out once, until it is due."""

OFFICE: Final = Table(
    "office",
    METADATA,
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("role", Text, primary_key=True),
    Column("scope", Text, primary_key=True),
)
"""Who is a referee, and of what: a table, or, where `scope` is empty, the post."""

BOND: Final = Table(
    "bond",
    METADATA,
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("other", Text, primary_key=True),
    Column("due_at", Text),
    Index("bond_by_kind", "kind", "other"),
)
"""What ties a person to another, or to a game: whom they block, which game they wait for and until when."""

ANSWER_COUNT: Final = Table(
    "answer_count",
    METADATA,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("who", Text, primary_key=True),
    Column("person", Text, nullable=False, index=True),
    *(Column(name, Integer, nullable=False) for name in ("on_time", "late", "missed", "excused", "games_left")),
)
"""How people have answered, table by table. `who` is the id that the table's events have for the person."""

QUOTA: Final = Table(
    "quota",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("day", Text, primary_key=True),
    Column("count", Integer, nullable=False),
)
"""What strangers and newcomers have used up of what is allowed on a day. Addresses are kept as keyed digests only."""

SEAT: Final = Table(
    "seat",
    METADATA,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("seat", Text, primary_key=True),
    Column("address", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("zone", Text, nullable=False),
    Column("notices", Text, nullable=False),
    Column("plain", Boolean, nullable=False),
    Column("mails_sent", Integer, nullable=False),
    Column("paused", Boolean, nullable=False),
    Column("bounces", Integer, nullable=False),
    Column("last_seen_seq", Integer, nullable=False),
    Column("player", Text, nullable=False, index=True),
    Column("person", Text, nullable=False, server_default="", index=True),
)
"""`player` is the address in lower case: the one that senders are compared with."""

CLOCK: Final = Table(
    "clock",
    METADATA,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("data", Text, nullable=False),
    Column("due_at", Text, index=True),
)

PLAN: Final = Table(
    "plan",
    METADATA,
    Column("game", ForeignKey("game.id"), primary_key=True),
    Column("seat", Text, primary_key=True),
    Column("data", Text, nullable=False),
)

add_outbox(METADATA)

RECEIPT: Final = Table(
    "receipt",
    METADATA,
    Column("inbox_id", ForeignKey("inbox.id"), primary_key=True),
    Column("number", Integer, nullable=False, index=True),
    Column("text", Text, nullable=False),
)

LOG: Final = Table(
    "log",
    METADATA,
    Column("number", NUMBER, primary_key=True, autoincrement=False),
    Column("line", Text, nullable=False),
)
"""Every game that was opened and every game that ended, in order. Lines are only ever added."""

SETTING: Final = Table(
    "setting",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
"""What the post remembers about itself: the version of this schema, when clocks were last checked."""


def create_statements(dialect: Dialect | None = None) -> Iterator[str]:
    """The statements that create all tables and their indexes, in an order that a database accepts."""
    chosen = dialect or sqlite.dialect()
    for table in METADATA.sorted_tables:
        yield str(CreateTable(table).compile(dialect=chosen))
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            yield str(CreateIndex(index).compile(dialect=chosen))
