"""Larger steps from one schema to the next. `sqlite.MIGRATIONS` says in which order, and loads them only when needed.

The statements stand here as they were when the step was written, and are never changed: `schema` goes on without them.
"""

import json
import sqlite3
from typing import Final

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
