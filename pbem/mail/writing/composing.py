"""Composing a mail: an occasion becomes a page, a page two layouts, the layouts one sealed mail.

The one module of this room that the rest of the house calls.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from engine.game import Seat
from pbem.mail.writing import endings, notices, occasions, replies, start_and_end, turn_mails
from pbem.mail.writing.board_pictures import Pictures
from pbem.mail.writing.compose import enclose
from pbem.mail.writing.gains import Gains
from pbem.mail.writing.layout_letters import lay_out_html, lay_out_text
from pbem.mail.writing.mail import Mail
from pbem.mail.writing.occasions import Occasion
from pbem.mail.writing.page import Page, Pen
from pbem.mail.writing.people import Post, Slip
from pbem.mail.writing.proofs import add_proofs
from pbem.mail.writing.sentences import find_voice
from pbem.mail.writing.threads import subject
from pbem.render import Tongue
from pbem.render.locales import find_tongue
from pbem.tables.table import Table

STILL: Final[Mapping[Seat, datetime]] = {}
"""No deadlines."""


class Composer:
    """Writes the mails of one post. It keeps pictures, so one composer should serve as long as the post runs."""

    def __init__(self, post: Post, *, tongues: Callable[[str], Tongue] = find_tongue) -> None:
        self.post = post
        self.pictures = Pictures(post.domain)
        self._gains = Gains()
        self._tongues = tongues

    def compose(self, table: Table, slip: Slip, occasion: Occasion, deadlines: Mapping[Seat, datetime] = STILL) -> Mail:
        """The mail to one reader on one occasion; `deadlines` are those of the seats that are due."""
        tongue = self._tongues(slip.to.language)
        # In one language for all: a thread keeps its subject when its reader chooses another.
        about = subject(table.id, table.game.title, slip.tag)
        pen = Pen(
            table,
            slip,
            voice=find_voice(tongue, table.game.key),
            pictures=self.pictures,
            gains=self._gains,
            deadlines=deadlines,
            subject=about,
        )
        page = add_proofs(pen, _PAGES[type(occasion)](pen, occasion), occasion)
        html = [] if slip.to.plain else lay_out_html(pen, page)
        return enclose(self.post, pen, page, subject=about, text=lay_out_text(pen, page), html=html)


_PAGES: Final[Mapping[type, Callable[[Pen, Any], Page]]] = {
    occasions.Invitation: start_and_end.write_invitation,
    occasions.Turn: turn_mails.write_turn,
    occasions.Reply: replies.write_reply,
    occasions.News: turn_mails.write_news,
    occasions.Digest: turn_mails.write_digest,
    occasions.Reminder: turn_mails.write_reminder,
    occasions.GameOver: endings.write_game_over,
    occasions.Words: notices.write_words,
    occasions.Stands: notices.write_stands,
    occasions.Doubt: notices.write_doubt,
    occasions.Notice: notices.write_notice,
}
