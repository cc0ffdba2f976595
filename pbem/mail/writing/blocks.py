"""What stands in a mail, from top to bottom: blocks of plain text.

The text part and the HTML part are two layouts of the same blocks, so they say the same. A block knows nothing of
markup; all of its text is escaped where it is laid out. Blocks are tuples because galleys are kept by what they say.

One-tap answers: ``mailto:`` addresses with the answer written in.

No link of ours changes anything: mail firewalls follow links, and only a sent answer acts (RFC 6068 for the form).
"""

from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import quote

from pbem.mail.writing.board_pictures import BoardPictures

LEAD: Final = "lead"
SOFT: Final = "soft"


class Link(NamedTuple):
    """An answer that is already written: what the reader taps, and the mailto address behind it."""

    label: str
    address: str


class Heading(NamedTuple):
    """The title of what follows."""

    text: str


class Paragraph(NamedTuple):
    """Running text: what a reader must not miss (lead), what matters less (soft), or neither."""

    text: str
    weight: str = "paragraph"


class Lines(NamedTuple):
    """Lines of a list, each behind a bar: no line of ours may be taken for an order when a program quotes it badly."""

    lines: tuple[str, ...]
    whole: bool = False
    """True if they are full of notation, in which no move should be broken in two."""


class Notation(NamedTuple):
    """Notation of ours to be copied, and what is said before it.

    No move is broken in two. In text it stands behind the words where both fit in a line, else behind a bar below them.
    """

    lead: str
    order: str


class Preformatted(NamedTuple):
    """Lines whose blanks and line ends matter: a record, or a text with a caret below it. Behind a bar too."""

    lines: tuple[str, ...]


class Picture(NamedTuple):
    """The board as a picture. Text has none; there the drawing comes last."""

    board: BoardPictures
    alt: str


class Owners(NamedTuple):
    """The board in sentences, owner by owner."""

    board: BoardPictures


class Points(NamedTuple):
    """Who has how many points: each player, the sources that brought him any, and the sum; what the sum is called."""

    caption: str
    rows: tuple[tuple[str, tuple[tuple[str, int], ...], int], ...]
    total: str


class Links(NamedTuple):
    """Answers to tap, the first as a button if it is what most readers want.

    Text has none; its sentences say what to write.
    """

    links: tuple[Link, ...]
    button: bool = True


Block: TypeAlias = Heading | Paragraph | Lines | Notation | Preformatted | Picture | Owners | Points | Links


def write_link(label: str, to: str, subject: str, body: str) -> Link:
    """A link that opens an answer to `to`."""
    address = _open_answer(to, subject)
    return Link(label, f"{address}&body={_encode(body)}" if body else address)


@lru_cache(maxsize=64)
def _open_answer(to: str, subject: str) -> str:
    """An answer in which nothing is written yet: all links of a mail begin so."""
    # The plus of a ticket is encoded too: some programs read it as a blank.
    return f"mailto:{quote(to, safe='@.-_')}?subject={_encode(f'Re: {subject}')}"


@lru_cache(maxsize=256)
def _encode(text: str) -> str:
    return quote(text.replace("\r\n", "\n").replace("\n", "\r\n"), safe="")
