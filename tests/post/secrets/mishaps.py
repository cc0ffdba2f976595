"""Mishaps at a post: receipts that are lost, a history that is damaged, mails that come back."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from pbem.store.sqlite import database_path
from tests.post.secrets.twin_worlds import World


def forget_receipts(world: World) -> None:
    """Lose the receipts of a post, as if an older version had answered."""
    with closing(sqlite3.connect(path_of(world))) as hand:
        hand.execute("DELETE FROM receipt")
        hand.commit()


def path_of(world: World) -> str:
    """Where the database of a post is."""
    return database_path(world.town.context.settings.store.url)


def bounce(world: World, seat: str) -> bytes:
    """What a mail server writes when a mailbox is gone."""
    friend, number = world.town.friends[seat], len(world.town.letters)
    return (
        f"From: MAILER-DAEMON@mx.test\r\nTo: caravan@post.test\r\nMessage-ID: <{number}@mx.test>\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        f"--b\r\nContent-Type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; {friend.address}\r\n"
        "Action: failed\r\nStatus: 5.1.1\r\n\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\n"
        f"Message-ID: {friend.mails[0]['Message-ID']}\r\n\r\n--b--\r\n"
    ).encode()


@contextmanager
def damaged(world: World) -> Iterator[None]:
    """Damage the history of a game, and mend it again."""
    with closing(sqlite3.connect(path_of(world))) as hand:
        (data,) = hand.execute("SELECT data FROM event WHERE seq = 3").fetchone()
        (head,) = hand.execute("SELECT head_hash FROM game").fetchone()
        _write_history(hand, "{", "0" * len(head))
        yield
        _write_history(hand, data, head)


def _write_history(hand: sqlite3.Connection, data: str, head: str) -> None:
    """Change an event, and the end of the history too, so that no table in memory passes for it."""
    hand.execute("UPDATE event SET data = ? WHERE seq = 3", (data,))
    hand.execute("UPDATE game SET head_hash = ?", (head,))
    hand.commit()
