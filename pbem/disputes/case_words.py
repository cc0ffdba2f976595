"""What a case page says, in its reader's language and by the reader's clock.

Facts of a case are English texts: programs read them as JSON. Each that is a sentence is a `Said`, which remembers its
pattern and facts, so that a page can say it in another language.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, Self
from zoneinfo import ZoneInfo

from notation.faults import printable
from pbem.disputes.case_file import CaseFile, LetterItem
from pbem.disputes.trace import AHEAD
from pbem.locale.catalogues import Locale
from pbem.mail.writing.post_mails import find_post_sentences
from pbem.mail.writing.sentences import ORDER, UTC_ZONE, find_sentences
from pbem.proof.receipts import APPLIED
from pbem.render import choose_template
from pbem.render.players import LAST, LEFT, isolate

_NO_FACTS: Final[Mapping[str, object]] = MappingProxyType({})


class Said(str):
    """An English text that can be said in another language: a pattern in `str.format` style, and what fills it."""

    says: str
    facts: Mapping[str, object]

    @classmethod
    def of(cls, says: str, facts: Mapping[str, object] = _NO_FACTS, /, **more: object) -> Self:
        """The text of a pattern with its facts."""
        whole = {**facts, **more}
        said = cls(says.format_map(whole))
        said.says, said.facts = says, whole
        return said


IN_TIME: Final = "in time"
LATE: Final = "late"
NOT_ANSWERED: Final = "not answered"
NOT_ASKED: Final = "nothing was asked any more from {moment} on"
CLOCK_MOVED: Final = "no answer came; after a grace of {grace} the post moved, at {moment}"
REFEREE_MOVED: Final = "the referee moved, at {moment}"
BEFORE: Final = "before the deadline"
AFTER: Final = "after the deadline"
"""Deadlines."""

OTHER_RECEIPT: Final = "its receipt is NOT the one that the post has signed: it was changed, and is passed over"
OTHER_EVENT: Final = "NOT the letter that came: event {event} names the letter {digest}"
OTHER_LETTER: Final = "NOT the letter that came: its receipt is for the letter {digest}"
OTHER_DIGEST: Final = "NOT the letter that came: its digest was {digest} then"
OTHER_MOMENT: Final = "NOT received {moment}: its receipt, which is signed, says {receipt_moment}"
OTHER_SEAT: Final = "NOT for {seat}: its receipt, which is signed, says {receipt_seat}"
OTHER_OUTCOME: Final = "NOT of the outcome {outcome}: its receipt, which is signed, says {receipt_outcome}"
"""What contradicts a letter."""

NOT_READABLE: Final = "it cannot be read: {reason}"
PENCILLED: Final = "it holds a move that was pencilled and not played; a warrant for {seat} opens it"
PRIVATE: Final = "it holds words or plans that are nobody's business; a warrant for {seat} opens it"
KNOWS_MORE: Final = "it was written by somebody who knows more than everybody; a warrant for {seat} opens it"
"""Why a letter is not shown."""

SAME: Final = "read and judged again, it does the same"
OTHERWISE: Final = "read again, it does not make event {event}"
REFUSED_OTHERWISE: Final = "it is refused otherwise"
"""What a letter does when it is read again."""

BEFORE_TURN: Final = "Before turn {turn}"
AFTER_TURN: Final = "After turn {turn}"
HEADS: Final = ("before the turn", "after the turn", "when the case was opened", "now")
"""Pictures, and heads of the chain."""

NO_TICKET: Final = "it has none"
TICKETS: Final = {
    (True, True): "good: {table}, {seat}, turn {turn}, epoch {epoch}",
    (True, False): "good: {table}, {seat}, turn {turn}, mark {mark}",
    (False, True): "bad: {table}, {seat}, turn {turn}, epoch {epoch}",
    (False, False): "bad: {table}, {seat}, turn {turn}, mark {mark}",
}
"""What a reply address says: whether it is good, and whether it counts epochs, as it did in older versions."""
NOBODY: Final = "nobody"
"""The seat of a letter that nobody at the table wrote."""
_SEATS: Final = ("seat", "receipt_seat")
_MOMENTS: Final = ("moment", "receipt_moment")
_OUTCOMES: Final = ("outcome", "receipt_outcome")
_SIGNS: Final = ("+ ", "- ")
REASONS: Final = {
    "bad-ticket": "its reply address is not valid",
    "no-ticket": "it has no reply address of ours",
    "other-sender": "it came from an address that is not the player's",
    "not-authentic": "the check of its sender failed",
    "only-watches": "its writer only watches",
    "said-before": "the same words had been answered before",
    "same-letter": "the same mail had come before",
    "too-many-letters": "too many mails came at once",
    "too-large": "it is too large",
}
"""Why a letter was not carried out, where no rule says so."""


class CaseWords:
    """What a page says, in one language; templates ask for it. Escaping is theirs."""

    def __init__(self, locale: Locale, game: str, zone: str = UTC_ZONE) -> None:
        self.locale = locale
        self.zone = zone
        self._sentences = find_sentences(locale, game)
        self._post = find_post_sentences(locale.code)
        self._words: Any = choose_template("cases", "words.txt", locale).module

    def say(self, sentence: str, *facts: object) -> str:
        """A sentence of the page, by its name and its facts."""
        if self.locale.rtl:
            facts = tuple(isolate(fact, rtl=True) if isinstance(fact, str) and fact else fact for fact in facts)
        return self._fill(sentence, facts)

    def pick(self, sentence: str, key: str, *facts: object) -> str:
        """A sentence that there is for each of several keys."""
        return self._fill(sentence, (key, *facts))

    def _fill(self, sentence: str, facts: Sequence[object]) -> str:
        return " ".join(str(getattr(self._words, sentence)(*facts)).split())

    def told(self, text: str) -> str:
        """A fact of the case; one that is no `Said` is shown as it is."""
        if not isinstance(text, Said):
            return show(text)
        if " " not in text.says:
            return self.pick("word", text.says)
        shown = {name: self._fact(name, value) for name, value in text.facts.items()}
        return self.gettext(text.says).format_map(shown)

    def refused(self, detail: str) -> str:
        """What is wrong with a move or a letter, as mails say it."""
        if not isinstance(detail, Said) or not self.is_translated:
            return show(detail)
        point, rest = self._sentences.refuse(detail.says, detail.facts, "", {})
        return f"{point}; {rest}" if rest else point

    def _fact(self, name: str, value: object) -> object:
        if name in _SEATS:
            return self.seat(str(value))
        if name in _OUTCOMES:
            return self.pick("fate", str(value))
        if not isinstance(value, str):
            return value
        return self.left(show(self.when(value) if name in _MOMENTS else value))

    def left(self, text: str) -> str:
        """A code, an address or a moment: it runs from left to right in every language."""
        return f"{LEFT}{text}{LAST}" if self.locale.rtl and text else text

    @property
    def is_translated(self) -> bool:
        """Whether the page is in another language than English, the one of records."""
        return self.locale.code != "en"

    def when(self, stamp: str) -> str:
        """A moment by the reader's clock."""
        if self.zone == UTC_ZONE or not stamp:
            return stamp
        return f"{datetime.fromisoformat(stamp).astimezone(ZoneInfo(self.zone)):%Y-%m-%d %H:%M:%S}"

    def seat(self, seat: str) -> str:
        """A seat, as the reader calls it."""
        return (self._sentences.seat(seat) if seat != NOBODY else self.say("nobody")) if self.is_translated else seat

    def line(self, written: str) -> str:
        """A line of the record, or of what a ruling changes in it, with its moves as the reader writes them."""
        if not self.is_translated:
            return show(written)
        sign = next((each for each in _SIGNS if written.startswith(each)), "")
        return f"{sign}{self._sentences.record_line(show(written.removeprefix(sign)))}"

    def reason(self, letter: LetterItem) -> str:
        """Why a letter had its outcome; a rule is named by its code."""
        if not self.is_translated:
            return letter.reason
        if letter.fate == APPLIED:
            return ""
        found = REASONS.get(letter.reason)
        return self.gettext(found) if found is not None else self.left(show(letter.reason))

    def player(self, by: str) -> str:
        """Who called the referee: ``red (Anna)``."""
        seat, bracket, rest = by.partition(" (")
        return f"{self.seat(seat)}{bracket}{show(rest)}"

    def name(self, name: str) -> str:
        """The name of a player."""
        return isolate(show(name), rtl=self.locale.rtl)

    def orders(self, understood: Sequence[str]) -> str:
        """Orders as they were understood, as the reader would write them."""
        if not self.is_translated:
            return show("; ".join(understood))
        return "; ".join(self._sentences.translate("{order}", {ORDER: each}) for each in understood)

    def terms(self, file: CaseFile) -> str:
        """How the table plays: in English as the terms stand in its first event."""
        return " ".join(file.terms) if self.is_translated else f"{file.control}."

    def padded(self, labels: Sequence[str]) -> list[str]:
        """Labels of one width."""
        width = max(map(len, labels))
        return [label.ljust(width) for label in labels]

    def secrets(self, file: CaseFile) -> list[tuple[str, str]]:
        """The commitments to the secrets of the game, and the secrets, once they are open."""
        told = [(self.pick("promised", name), value) for name, value in file.promised]
        return told + [(self.pick("disclosed", name), value) for name, value in file.opened]

    def is_checked(self, file: CaseFile) -> bool:
        """Whether any server has checked who wrote; where none ever does, it need not be said of every letter."""
        return any(letter.authentic != "unknown" for letter in file.letters)

    def mismatches(self, file: CaseFile, letter: LetterItem) -> list[str]:
        """What speaks against the sender of a letter."""
        facts = (isolate(show(each), rtl=self.locale.rtl) for each in (letter.envelope, letter.sender))
        envelope, sender = facts
        told = (each for each in letter.mismatches if each != "no-check" or self.is_checked(file))
        return [self.pick("mismatch", each, envelope, sender) for each in told]

    def is_late(self, letter: LetterItem) -> bool:
        """Whether a letter came after its deadline."""
        return letter.promptness == AFTER

    def is_skewed(self, letter: LetterItem) -> bool:
        """Whether the clock of a server is so far ahead that the page must say so."""
        return letter.skew > AHEAD.total_seconds()

    def does_the_same(self, letter: LetterItem) -> bool:
        """Whether a letter does the same when it is read again."""
        return letter.repeats == SAME

    def rule_name(self, name: str) -> str:
        """What a rule is called."""
        return self._post.locale.translations.pgettext("rule", name.replace("-", " ")) if self.is_translated else name

    def gettext(self, text: str) -> str:
        """A text that stands in the code, such as a rule."""
        return self._post.gettext(text)


def show(text: str) -> str:
    """Somebody's text, line by line, with a visible sign for every control character."""
    return "\n".join(printable(line) for line in text.splitlines())
