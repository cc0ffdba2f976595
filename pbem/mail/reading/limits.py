"""The reasons why a mail is not read, and the limits that are checked on its bytes before anything is parsed.

A mail beyond a limit, or one that two programs could read in two ways, is put in quarantine as a whole: nothing is
guessed. The limits are far above what a player's answer needs and far below what could keep a reader busy. Everything
that later modules do takes time at most proportional to what passes here.
"""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

REASONS: Final = MappingProxyType(
    {
        "empty": "The mail has no content at all.",
        "too-large": "The mail is larger than we take.",
        "odd-bytes": "The mail holds bytes that no mail may hold.",
        "odd-line-ends": "The lines of the mail end in different ways, so programs may disagree about them.",
        "header-too-large": "The header of the mail is larger than we take.",
        "too-many-headers": "The mail has more header lines than we take.",
        "header-too-long": "A header line that we need is longer than a mail allows.",
        "odd-header": "A header line is not of the form that mails have.",
        "twice-said": "A header line that may stand once stands more than once.",
        "too-many-hops": "The mail went through more servers than we believe: it may be going round.",
        "no-sender": "The mail does not say who sent it.",
        "two-senders": "The mail has more than one From line.",
        "doubtful-sender": "The From line does not name exactly one plain address.",
        "nested-too-deep": "The parts of the mail are nested deeper than we follow.",
        "too-many-parts": "The mail has more parts than we take.",
        "odd-structure": "The parts of the mail are not put together as mails are.",
        "truncated": "The mail ends before its last part is closed.",
        "encrypted": "The mail is encrypted, and we hold no key.",
        "odd-encoding": "The text of the mail is packed in a way that we cannot undo.",
        "odd-charset": "The text of the mail is written in a character set that we do not read.",
        "odd-markup": "The HTML of the mail is nested deeper than any mail program writes it.",
        "text-too-long": "The text of the mail is longer than we take.",
        "too-many-words": "What you wrote yourself is longer than we take in one mail.",
    }
)
"""Each reason as a code, and the sentence that explains it."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A mail that is not read: the code of a reason, and what was seen in this case."""

    reason: str
    detail: str

    def __post_init__(self) -> None:
        if self.reason not in REASONS:
            raise ValueError(f"no such reason: {self.reason}")


KIB: Final = 1024

MAIL: Final = 256 * KIB
"""The largest mail without a good ticket."""
TICKETED: Final = 10 * KIB * KIB
"""The largest mail with one: mail programs quote the pictures of our mails, and some attach more."""
HEADER_BLOCK: Final = 32 * KIB
HEADERS: Final = 100
HEADER: Final = 998  # the longest line a mail may have; ours are unfolded first
RESULTS: Final = 4 * KIB  # Authentication-Results: large providers write more than one line's worth
HOPS: Final = 50
NESTING: Final = 5
PARTS: Final = 20
TEXT: Final = 64 * KIB
MARKUP: Final = 128 * KIB  # characters of HTML, without the pictures inside it; our own mails have a sixth of it
TAGS: Final = 4_000  # in HTML; our own mails have a tenth of it
HIDING_RULES: Final = 1_000  # selectors of style sheets that hide something
LINES: Final = 2_000
MARKUP_DEPTH: Final = 400
WORDS: Final = 8 * KIB
LINES_OF_WORDS: Final = 200


def normalize_line_ends(raw: bytes) -> bytes | Unreadable:
    """The mail with a line feed after every line, or why its bytes are not read.

    Mails arrive with CRLF from the network and with LF from a pipe or a mailbox. One that has both, or a lone carriage
    return, may smuggle a second mail inside a first: two servers see its lines differently.
    """
    if not raw.strip():
        return Unreadable("empty", f"{len(raw)} bytes of nothing")
    if b"\0" in raw:
        return Unreadable("odd-bytes", f"a NUL at byte {raw.index(0)}")
    if b"\r" not in raw:
        return raw
    pairs = raw.count(b"\r\n")
    if raw.count(b"\r") != pairs:
        return Unreadable("odd-line-ends", "a carriage return stands alone")
    if raw.count(b"\n") != pairs:
        return Unreadable("odd-line-ends", "some lines end with CRLF and some with LF")
    return raw.replace(b"\r\n", b"\n")
