"""Why a mail is not read: every reason by name.

A mail beyond our limits, or one that two programs could read in two ways, is put aside whole: nothing in it is
guessed. This module knows the reasons; it does not know what becomes of the mail.
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
