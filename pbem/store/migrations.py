"""Larger steps from one schema to the next. `sqlite.MIGRATIONS` says in which order, and loads them only when needed.

The statements stand here as they were when the step was written, and are never changed: `schema` goes on without them.
"""

import base64
import json
import os
import sqlite3
from typing import Any, Final

from pbem.people.names import fold_name, free_name, name_from
from pbem.store.envelopes import find_sender, split_by_seat

_INBOX_WITH_RECIPIENTS: Final = (
    """CREATE TABLE inbox (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, raw_sha256 TEXT NOT NULL, recipient TEXT NOT NULL,
        bytes_of INTEGER, sender TEXT NOT NULL, size INTEGER NOT NULL, vouched BOOLEAN NOT NULL,
        copies INTEGER NOT NULL, received_at TEXT NOT NULL, intake TEXT NOT NULL, env_from TEXT, env_to TEXT NOT NULL,
        state TEXT NOT NULL, reason TEXT NOT NULL, attempts INTEGER NOT NULL, begun INTEGER NOT NULL, game TEXT,
        seat TEXT, UNIQUE (raw_sha256, recipient), CONSTRAINT known_state CHECK (state IN ('received', 'applied',
        'refused', 'duplicate', 'automatic', 'quarantined', 'waiting')),
        FOREIGN KEY(bytes_of) REFERENCES inbox (id))""",
    "CREATE INDEX inbox_by_state ON inbox (state, id, copies)",
    "CREATE INDEX inbox_by_weight ON inbox (vouched, state, received_at, sender, size)",
    "CREATE TEMP TABLE old_seen AS SELECT * FROM seen",
    "DROP TABLE seen",
    """CREATE TABLE seen (
        player TEXT NOT NULL, message_id TEXT NOT NULL, body_sha256 TEXT NOT NULL, game TEXT NOT NULL,
        seat TEXT NOT NULL, inbox_id INTEGER NOT NULL, PRIMARY KEY (player, message_id, body_sha256, game, seat),
        FOREIGN KEY(inbox_id) REFERENCES inbox (id))""",
    """INSERT INTO seen SELECT player, message_id, body_sha256, coalesce(game, ''), coalesce(seat, ''), inbox_id
        FROM old_seen JOIN old_inbox ON id = inbox_id""",
    "DROP TABLE old_seen",
)
_OLD_LETTERS: Final = """
    SELECT substr(raw, 1, 32768), env_to, env_from, id, raw_sha256, length(raw), copies, received_at, intake, state,
        reason, attempts, game, seat
    FROM old_inbox LEFT JOIN inbox_bytes ON inbox_id = id ORDER BY id"""
_NEW_LETTER: Final = """
    INSERT INTO inbox (id, bytes_of, recipient, env_to, sender, env_from, raw_sha256, size, vouched, copies,
        received_at, intake, state, reason, attempts, begun, game, seat)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""


def tell_letters_apart_by_recipient(connection: sqlite3.Connection) -> None:
    """One mail to two tables is two letters. Tries so far are forgiven: nobody knows whether they failed."""
    connection.execute("CREATE TEMP TABLE old_inbox AS SELECT * FROM inbox")
    connection.execute("DROP TABLE inbox")
    for statement in _INBOX_WITH_RECIPIENTS:
        connection.execute(statement)
    more = []
    for head, env_to, env_from, number, digest, size, *rest, attempts, game, seat in connection.execute(_OLD_LETTERS):
        raw, unread = head or b"", rest[3] == "received"
        letters = split_by_seat(raw, json.loads(env_to))
        begun = 0 if unread else attempts
        fixed = (find_sender(raw, env_from), env_from, digest)
        other = (*rest, begun, begun, game, seat)
        # Of a letter for two seats that nobody has read yet, each seat gets its own.
        kept = (letters[0].recipient, json.dumps(letters[0].env_to)) if unread else (letters[0].recipient, env_to)
        connection.execute(_NEW_LETTER, (number, None, *kept, *fixed, size or 0, *other))
        if unread:
            more += [
                (None, number, each.recipient, json.dumps(each.env_to), *fixed, 0, 0, *other[1:])
                for each in letters[1:]
            ]
    connection.executemany(_NEW_LETTER, more)
    connection.execute("UPDATE tally SET count = count + ? WHERE name = 'received'", (len(more),))
    connection.execute("DROP TABLE old_inbox")


_PEOPLE: Final = (
    """CREATE TABLE person (
        id TEXT NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL, state TEXT NOT NULL,
        since TEXT NOT NULL, generation INTEGER NOT NULL, PRIMARY KEY (id),
        CONSTRAINT known_state CHECK (state IN ('invited', 'confirmed', 'silent', 'forgotten')), UNIQUE (name_key))""",
    """CREATE TABLE address (
        address_key TEXT NOT NULL, address TEXT NOT NULL, person TEXT NOT NULL, confirmed_at TEXT,
        writes BOOLEAN NOT NULL, PRIMARY KEY (address_key), FOREIGN KEY(person) REFERENCES person (id))""",
    "CREATE INDEX ix_address_person ON address (person)",
    """CREATE TABLE wish (
        person TEXT NOT NULL, game TEXT NOT NULL, what TEXT NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (person, game, what), FOREIGN KEY(person) REFERENCES person (id))""",
    """CREATE TABLE notice (
        id TEXT NOT NULL, game TEXT NOT NULL, opener TEXT NOT NULL, state TEXT NOT NULL, pace INTEGER NOT NULL,
        terms TEXT NOT NULL, options TEXT NOT NULL, title TEXT NOT NULL, word TEXT NOT NULL,
        seed BLOB NOT NULL, blind BLOB NOT NULL, created_at TEXT NOT NULL, due_at TEXT, least INTEGER NOT NULL,
        PRIMARY KEY (id), CONSTRAINT known_state CHECK (state IN ('gathering', 'begun', 'closed', 'lapsed')),
        FOREIGN KEY(opener) REFERENCES person (id))""",
    "CREATE INDEX ix_notice_due_at ON notice (due_at)",
    """CREATE TABLE place (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, notice TEXT NOT NULL, state TEXT NOT NULL,
        person TEXT NOT NULL, seat TEXT NOT NULL, letter TEXT NOT NULL, mark TEXT NOT NULL, created_at TEXT NOT NULL,
        CONSTRAINT known_state CHECK (state IN ('free', 'asked', 'taken')),
        FOREIGN KEY(notice) REFERENCES notice (id))""",
    "CREATE INDEX ix_place_notice ON place (notice)",
    "CREATE INDEX ix_place_person ON place (person)",
    """CREATE TABLE pending (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, person TEXT NOT NULL, kind TEXT NOT NULL,
        data TEXT NOT NULL, created_at TEXT NOT NULL, due_at TEXT NOT NULL)""",
    "CREATE INDEX ix_pending_due_at ON pending (due_at)",
    "CREATE INDEX ix_pending_person ON pending (person)",
    """CREATE TABLE office (
        person TEXT NOT NULL, role TEXT NOT NULL, scope TEXT NOT NULL, PRIMARY KEY (person, role, scope),
        FOREIGN KEY(person) REFERENCES person (id))""",
    """CREATE TABLE bond (
        person TEXT NOT NULL, kind TEXT NOT NULL, other TEXT NOT NULL, due_at TEXT,
        PRIMARY KEY (person, kind, other), FOREIGN KEY(person) REFERENCES person (id))""",
    """CREATE TABLE quota (
        "key" TEXT NOT NULL, day TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY ("key", day))""",
)
_OLD_SEATS: Final = """
    SELECT player, seat.game, address, name, language, zone, notices, plain, created_at, stage,
        (SELECT min(received_at) FROM inbox WHERE inbox.game = seat.game AND inbox.seat = seat.seat
            AND inbox.state = 'applied' AND lower(inbox.sender) = seat.player)
    FROM seat JOIN game ON game.id = seat.game ORDER BY created_at, seat.game, seat.seat"""
_ENDED: Final = ("over", "called off")


def make_people_of_seats(connection: sqlite3.Connection) -> None:
    """Each address becomes a person. What was said last holds everywhere; where it differs, a table keeps its own."""
    if "person" in [column for _, column, *_ in connection.execute("PRAGMA table_info(seat)")]:
        return  # a new database has it from the beginning
    for statement in _PEOPLE:
        connection.execute(statement)
    connection.execute("ALTER TABLE seat ADD COLUMN person TEXT DEFAULT '' NOT NULL")
    connection.execute("CREATE INDEX ix_seat_person ON seat (person)")
    seats: dict[str, list[tuple[Any, ...]]] = {}
    for player, *rest in connection.execute(_OLD_SEATS).fetchall():
        seats.setdefault(player, []).append(tuple(rest))
    names: set[str] = set()
    for player, held in seats.items():
        person = base64.b32encode(os.urandom(10)).decode("ascii").lower()[:12]
        _, address, called, *_ = held[-1]
        name = free_name(name_from(called), names.__contains__)
        names.add(fold_name(name))
        wrote = min((letter for *_, letter in held if letter is not None), default=None)
        values = (person, name, fold_name(name), "confirmed" if wrote else "invited", held[0][7])
        connection.execute("INSERT INTO person VALUES (?, ?, ?, ?, ?, 0)", values)
        connection.execute("INSERT INTO address VALUES (?, ?, ?, ?, 1)", (player, address, person, wrote))
        connection.execute("UPDATE seat SET person = ? WHERE player = ?", (person, player))
        _keep_wishes(connection, person, held)
        connection.execute(
            "INSERT INTO wish SELECT ?, '', 'hints', value FROM setting WHERE key = ?", (person, f"hints for {player}")
        )
    connection.execute("DELETE FROM setting WHERE substr(key, 1, 10) = 'hints for '")


def _keep_wishes(connection: sqlite3.Connection, person: str, held: list[tuple[Any, ...]]) -> None:
    going = [each for each in held if each[8] not in _ENDED]
    everywhere = _wishes((going or held)[-1])
    tables = {("", what): value for what, value in everywhere.items()} | {
        (each[0], what): value for each in going for what, value in _wishes(each).items() if everywhere[what] != value
    }
    rows = [(person, game, what, value) for (game, what), value in tables.items()]
    connection.executemany("INSERT INTO wish VALUES (?, ?, ?, ?)", rows)


def _wishes(seat: tuple[Any, ...]) -> dict[str, str]:
    _, _, _, language, zone, notices, plain, *_ = seat
    return {"language": language, "zone": zone, "notices": notices, "plain": "on" if plain else "off"}


_DIGESTS: Final = (
    "ALTER TABLE outbox ADD COLUMN sha256 TEXT DEFAULT '' NOT NULL",
    "ALTER TABLE outbox ADD COLUMN length INTEGER DEFAULT '0' NOT NULL",
    "ALTER TABLE outbox ADD COLUMN head_seq INTEGER",
    "ALTER TABLE outbox_shared ADD COLUMN encoded BOOLEAN DEFAULT '0' NOT NULL",
)


def keep_digests(connection: sqlite3.Connection) -> None:
    """Room for what stays of a mail for ever. Older mails stay as they are, without digests."""
    if "sha256" not in [column for _, column, *_ in connection.execute("PRAGMA table_info(outbox)")]:
        for statement in _DIGESTS:
            connection.execute(statement)


_STANDINGS: Final = (
    "ALTER TABLE game ADD COLUMN head_at TEXT",
    "ALTER TABLE game ADD COLUMN turn INTEGER DEFAULT '0' NOT NULL",
    "ALTER TABLE game ADD COLUMN due TEXT DEFAULT '' NOT NULL",
    "ALTER TABLE game ADD COLUMN standing TEXT DEFAULT '' NOT NULL",
    "ALTER TABLE game ADD COLUMN awaits_round INTEGER DEFAULT '0' NOT NULL",
    "CREATE INDEX ix_game_head_at ON game (head_at)",
    "CREATE INDEX game_by_stage ON game (stage, head_seq)",
    "CREATE INDEX game_without_standing ON game (id) WHERE standing = ''",
    "CREATE INDEX game_awaiting_round ON game (id) WHERE awaits_round > 0",
    "CREATE INDEX bond_by_kind ON bond (kind, other)",
    """UPDATE game SET head_at = (SELECT at FROM event WHERE event.game = game.id AND seq = head_seq)""",
    """UPDATE clock SET due_at = '1970-01-01T00:00:00Z'
        WHERE game IN (SELECT id FROM game WHERE stage IN ('inviting', 'playing'))""",
)


def keep_standings(connection: sqlite3.Connection) -> None:
    """How a game stands gets into its row. The next tick looks at each game that goes on, and writes it there."""
    if "standing" not in [column for _, column, *_ in connection.execute("PRAGMA table_info(game)")]:
        for statement in _STANDINGS:
            connection.execute(statement)


_ANSWER_COUNTS: Final = (
    """CREATE TABLE answer_count (
        game TEXT NOT NULL, who TEXT NOT NULL, person TEXT NOT NULL, on_time INTEGER NOT NULL, late INTEGER NOT NULL,
        missed INTEGER NOT NULL, excused INTEGER NOT NULL, games_left INTEGER NOT NULL, PRIMARY KEY (game, who),
        FOREIGN KEY(game) REFERENCES game (id))""",
    "CREATE INDEX ix_answer_count_person ON answer_count (person)",
    """UPDATE clock SET due_at = '1970-01-01T00:00:00Z'
        WHERE game IN (SELECT id FROM game WHERE stage IN ('inviting', 'playing'))""",
)


def count_answers(connection: sqlite3.Connection) -> None:
    """Room for how people answer. The next tick looks at each game that goes on, and counts what is in its events."""
    if not list(connection.execute("PRAGMA table_info(answer_count)")):
        for statement in _ANSWER_COUNTS:
            connection.execute(statement)


_PACKS: Final = (
    """CREATE TABLE pack (
        number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, what TEXT NOT NULL, about TEXT NOT NULL,
        reader TEXT NOT NULL, parts INTEGER NOT NULL, packed BLOB NOT NULL,
        CONSTRAINT known_what CHECK (what IN ('mails', 'pictures')))""",
    "CREATE INDEX pack_by_reader ON pack (reader, about, what)",
    "ALTER TABLE outbox_shared ADD COLUMN head TEXT DEFAULT '' NOT NULL",
    *(
        f"ALTER TABLE {table} ADD COLUMN {column}"
        for table in ("outbox_shared", "outbox_bytes")
        for column in (
            "pack INTEGER",
            "pack_at INTEGER DEFAULT '0' NOT NULL",
            "pack_length INTEGER DEFAULT '0' NOT NULL",
        )
    ),
    "CREATE INDEX ix_outbox_shared_pack ON outbox_shared (pack)",
    "CREATE INDEX ix_outbox_bytes_pack ON outbox_bytes (pack)",
)


_LANES: Final = (
    "ALTER TABLE inbox ADD COLUMN lane TEXT",
    "ALTER TABLE inbox ADD COLUMN claims INTEGER DEFAULT '0' NOT NULL",
    "CREATE INDEX inbox_by_lane ON inbox (lane, id) WHERE state = 'received'",
    "UPDATE inbox SET writer = NULL WHERE state = 'received'",
)


def give_letters_lanes(connection: sqlite3.Connection) -> None:
    """Letters get lanes, in which they are worked on in order. Whose they are is looked at again for that."""
    if "lane" not in [column for _, column, *_ in connection.execute("PRAGMA table_info(inbox)")]:
        for statement in _LANES:
            connection.execute(statement)


def make_room_for_packs(connection: sqlite3.Connection) -> None:
    """Mails that were sent can be packed together. None is packed here: that takes time, and is done by and by."""
    if "pack" not in [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]:
        for statement in _PACKS:
            connection.execute(statement)
