"""A mail about a game that cannot be looked at: that it is held, and why.

Every other mail is made from a table. This one is for when there is none to be had, so it knows no more than the name
of the game and the reader.
"""

from datetime import datetime
from email.utils import format_datetime
from typing import Final

from pbem.mail.marks import ABOVE, OWN
from pbem.mail.writing.encoded_lines import Galley
from pbem.mail.writing.folding import fold
from pbem.mail.writing.mail import Mail
from pbem.mail.writing.mime import (
    CRLF,
    field,
    join_pieces,
    mailbox_field,
    text_field,
    text_part,
    write_fields,
)
from pbem.mail.writing.people import Correspondent, Post
from pbem.mail.writing.seal import seal
from pbem.mail.writing.sentences import find_voice
from pbem.mail.writing.threads import mail_name, thread_root
from pbem.render.locales import find_tongue
from pbem.render.names import show_name

ANY_GAME: Final = "any-game"


def write_held(post: Post, reader: Correspondent, *, game: str, seat: str, number: int, date: datetime) -> Mail:
    """Tell a player that a game is held because its history is damaged; nothing acts on an answer."""
    voice = find_voice(find_tongue(reader.language), ANY_GAME)
    headline, why = voice.say("head_held", game), voice.say("held")
    body = text_part("plain", [Galley(fold(f"{ABOVE} {voice.say('above')}\n\n{headline}\n\n{why}\n"))])
    name, root = mail_name(post, game, seat, number), thread_root(post, game, seat)
    fields = [
        mailbox_field("From", post.name, post.address),
        mailbox_field("To", show_name(reader.name), reader.address),
        text_field("Subject", f"[{game}] {headline}"),
        field("Date", format_datetime(date)),
        field("Message-ID", name),
        field("In-Reply-To", root),
        field("References", root),
        field("Auto-Submitted", "auto-generated"),
        field("X-Auto-Response-Suppress", "All"),
        field(OWN, post.address),
        field("List-Id", f"<{game}.{post.domain}>"),
        field("MIME-Version", "1.0"),
        *body.fields,
    ]
    pieces = (write_fields(fields) + CRLF, *body.pieces)
    seal(pieces, fields, body.limits)
    return Mail(reader.address, "notice", seat, name, join_pieces(pieces))
