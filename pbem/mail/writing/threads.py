"""Names of mails and threads, and the headers that hold a thread together.

All mails of one game to one seat answer the same first mail, which was never sent: its name follows from the post's
key, so no counter is needed and nobody can name a thread in advance. Gmail wants the same subject too.
"""

import hashlib
import hmac
from functools import lru_cache
from typing import Final

from engine.game import Seat
from pbem.mail.writing.people import Post

KEPT: Final = 256
"""Threads whose names are kept: those that are written to again and again."""


@lru_cache(maxsize=KEPT)
def thread_root(post: Post, game: str, seat: Seat) -> str:
    """The Message-ID that all mails of a game to a seat refer to."""
    return _name(post, "thread", game, seat)


def mail_name(post: Post, game: str, seat: Seat, number: int) -> str:
    """The Message-ID of one mail."""
    return _name(post, "mail", game, seat, str(number))


def subject(game: str, title: str, tag: str) -> str:
    """The same for all mails of a game, unless the mail server forces the ticket into it."""
    return f"[{game}] {title} {tag}".rstrip()


def _name(post: Post, *facts: str) -> str:
    said = "\0".join(("caravan-post/message", *facts)).encode()
    return f"<{hmac.digest(post.key, said, hashlib.sha256).hex()[:32]}@{post.domain}>"
