"""The blocks that a mail is made of, from top to bottom, and the links in it.

The text part and the HTML part render the same blocks, so they say the same. A block holds plain text and no markup;
the layout escapes all of it. Blocks are tuples, so that rendered blocks can be cached by their content.

Links are `mailto:` addresses with the answer written in (RFC 6068). None of them changes anything by itself: mail
firewalls follow links, and only an answer that was sent acts.
"""

from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import quote

from pbem.mail.writing.board_pictures import BoardImage, BoardPictures

LEAD: Final = "lead"
SOFT: Final = "soft"
PLAIN: Final = "paragraph"
IN_WORDS: Final = "in words"
"""What only the text part says, because a picture beside it shows it."""


class Link(NamedTuple):
    """An answer that is already written: its label, and the `mailto:` address behind it."""

    label: str
    address: str


class Heading(NamedTuple):
    """The title of what follows."""

    text: str


class Paragraph(NamedTuple):
    """Running text; `weight` is LEAD for what must not be missed, SOFT for what matters less, IN_WORDS for the text."""

    text: str
    weight: str = PLAIN


class Lines(NamedTuple):
    """Lines of a list, each behind a bar, so that none is taken for an order when a mail program quotes it badly."""

    lines: tuple[str, ...]
    whole: bool = False
    """True if they are full of notation, in which no move is to be broken in two."""
    small: bool = False
    """True if they are set small, on a page that is long."""
    pictured: tuple[str, ...] | None = None
    """What the HTML part says instead, because a picture beside it shows the rest; the text part says all."""


class Notation(NamedTuple):
    """Notation to be copied, and the words before it.

    No move is broken in two. The text part puts it behind the words if both fit in a line, else below them after a bar.
    """

    lead: str
    order: str


class Preformatted(NamedTuple):
    """Lines whose blanks and line ends matter, each behind a bar: a record, or a text with a caret below it."""

    lines: tuple[str, ...]


class Picture(NamedTuple):
    """The board as a picture. The text part has none; it ends with a drawing in characters instead."""

    image: BoardImage
    alt: str


class Owners(NamedTuple):
    """The board in sentences, owner by owner, and the title above them."""

    board: BoardPictures
    title: str = ""
    pictured: bool = False
    """Whether a picture in the HTML part shows all of it; then only the text part has the sentences."""


class Points(NamedTuple):
    """A table of points: each player with the sources of points and their sum, and what the sum is called."""

    caption: str
    rows: tuple[tuple[str, tuple[tuple[str, int], ...], int], ...]
    total: str


class Links(NamedTuple):
    """Answers to tap, the first as a button if it is what most readers want.

    The text part has none: its sentences say what to write.
    """

    links: tuple[Link, ...]
    button: bool = True
    beside: bool = False
    """True for two short answers that stand side by side."""
    filled: bool = True
    """False if none of them is what most readers want, because an earlier button is."""


Block: TypeAlias = Heading | Paragraph | Lines | Notation | Preformatted | Picture | Owners | Points | Links


def write_link(label: str, to: str, subject: str, body: str) -> Link:
    """A link that opens an answer to `to`."""
    address = _open_answer(to, subject)
    return Link(label, f"{address}&body={_encode(body)}" if body else address)


@lru_cache(maxsize=64)
def _open_answer(to: str, subject: str) -> str:
    """An answer in which nothing is written yet; all links of a mail begin with it."""
    # The plus of a ticket is encoded too, because some mail programs read it as a blank.
    return f"mailto:{quote(to, safe='@.-_')}?subject={_encode(f'Re: {subject}')}"


@lru_cache(maxsize=256)
def _encode(text: str) -> str:
    return quote(text.replace("\r\n", "\n").replace("\n", "\r\n"), safe="")
