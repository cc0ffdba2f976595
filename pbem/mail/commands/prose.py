"""What stands in a letter beside its moves: known to be harmless, known to put them in doubt, or neither.

Prose is judged sentence by sentence, and by where it stands: *if* before a move leads into it, *but* after one takes it
back. Harmless are greetings and closings, names, and sentences all of whose words are small talk. Words that withdraw,
doubt or set a condition are doubts. All others are not known, and then a move is only pencilled. The lists stand in
`templates/locale/<code>/commands.toml`; sentences of all languages are understood in every letter.
"""

import re
from collections.abc import Iterator
from enum import IntEnum
from functools import lru_cache
from typing import Final

from pbem.mail.commands.move_spans import AFTER, BETWEEN, SKIPPED
from pbem.mail.commands.parse_moves import MOVE
from pbem.mail.commands.vocabulary import holds_doubt, small_talk

_SENTENCE_ENDS: Final = re.compile(r"(?<!\W)(?=\W*+\Z)\W*?(?<![.])[.!]|[:;]-?[)D]\Z")
"""A smile ends a sentence too; three dots do not."""
_SENTENCES: Final = re.compile(r"[.!?]\s+(?=\S)")
_SENTENCE: Final = re.compile(r"[^.!?…()\[\]]+[.!?…()\[\]]*|[.!?…()\[\]]+")
_ENDED: Final = re.compile(r"\s*(?:[.!](?![.])|\?)")
"""The end of the sentence that a move stands in."""
_SAID: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_NUMBER: Final = re.compile(r"\d")
_HAS_CASE: Final = re.compile(r"[A-Za-z\u00c0-\u024f\u0370-\u04ff]")
"""Letters of scripts that have capitals."""
_INITIAL: Final = re.compile(r"(?<!\w)([^\W\d_])\.(?=\s*\w|\s*\Z)")
_ADDRESS: Final = re.compile(r"\bhttps?://\S+|\bwww\.\S+|(?<!\S)[\w.+-]{1,64}@\S+")
"""An address of a page or of a mailbox, as signatures have them."""
_PARTICLES: Final = frozenset(("de", "den", "der", "van", "von", "ten", "ter", "la", "le", "da", "di", "bin", "ben"))
_ELLIPSIS: Final = re.compile(r"[.]{2,}|…")
_BAD_FACE: Final = re.compile(r"[🤔❌❓👎🚫⛔😬😕🤷]|:-?[/(|\\]")
JUDGED: Final = 512
"""Lines of prose that are remembered: those of a letter are judged more than once."""
_LONGEST_NAME: Final = 3
_MOST_NAMES: Final = 2
_LONGEST_PHRASE: Final = 16
_CLAUSE: Final = re.compile(r"[,;:\u2013\u2014]|\s-+\s")


class Bearing(IntEnum):
    """What prose means for the move beside it."""

    HARMLESS = 0
    UNKNOWN = 1
    DOUBT = 2


def has_doubt(words: str) -> bool:
    """Whether a line says that what the letter asks for is not to be done, not yet, or perhaps not."""
    return _holds("anywhere", words)


def has_doubt_above_move(words: str) -> bool:
    """Whether the last sentence of a line right above a move leads into it, and puts it in doubt."""
    return _SENTENCE_ENDS.search(words) is None and _holds("above", _SENTENCES.split(words)[-1])


def has_condition_below_move(words: str) -> bool:
    """Whether a line right below a move continues it with a condition."""
    return _SENTENCE_ENDS.search(words) is None and _holds("below", words)


def _holds(where: str, words: str) -> bool:
    return holds_doubt(words, where)


@lru_cache(maxsize=JUDGED)
def judge_prose(text: str, place: str, names: frozenset[str] = frozenset()) -> Bearing:
    """What prose on a line with moves means for them."""
    text = text.replace("\u2019", "'")
    if place == AFTER:
        return _judge_after(text, names, is_close=not _ENDED.match(text) or _begins_weakly(text))
    if place == SKIPPED:
        return _judge_around(text, names)
    if place == BETWEEN:
        led = _judge(text, names, "between", "anywhere", "above", "before")
        return Bearing.DOUBT if _holds("between", text) else max(led, _judge_after(text, names, is_close=True))
    *apart, lead = [*_sentences(text)] or [""]
    leading = () if _is_ended(lead) else ("above",) if lead.endswith("?") else ("above", "before")
    return max([_judge(lead, names, "anywhere", *leading), *(_judge(each, names, "anywhere") for each in apart)])


def _judge_around(text: str, names: frozenset[str]) -> Bearing:
    """Sentences of which some have moves in them, as MOVE: only what stands in those leads into a move."""
    said = [*_sentences(text)]
    told = [at for at, sentence in enumerate(said) if MOVE in sentence] or [0]
    among = " ".join(said[told[0] : told[-1] + 1])
    led = _judge(among, names, "between", "anywhere", "above", "before")
    led = Bearing.DOUBT if _holds("between", among) else max(led, _judge_after(among, names, is_close=True))
    before = [_judge(each, names, "anywhere") for each in said[: told[0]] if not _is_name(each, names)]
    after = " ".join(said[told[-1] + 1 :])
    return max([led, *before, _judge_after(after, names, is_close=_begins_weakly(after))])


@lru_cache(maxsize=JUDGED)
def judge_line(line: str, names: frozenset[str] = frozenset(), *, below: bool, close: bool) -> Bearing:
    """What a line of prose means for the moves of its letter: `below` the first of them or above, and how `close`.

    Close is a line above that runs into a move, and one right below it without an empty line between; there a no is
    taken to be about the move if the line begins with it.
    """
    line = line.replace("\u2019", "'")
    if _is_name(line, names):
        return Bearing.HARMLESS
    if below:
        return _judge_after(line, names, is_close=close and _begins_weakly(line))
    *apart, lead = [*_sentences(line)] or [""]
    leading = ("above",) if close and _SENTENCE_ENDS.search(line) is None else ()
    return max([_judge(lead, names, "anywhere", *leading), *(_judge(each, names, "anywhere") for each in apart)])


def _begins_weakly(text: str) -> bool:
    """Whether the first word of a new sentence after a move is a weak one, such as a no or a but."""
    first = _SAID.search(text)
    return first is not None and _holds("right_after", first[0])


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a text, each with the signs that end it; an initial ends none, nor do three dots."""
    bare = _ELLIPSIS.sub(",", _INITIAL.sub(r"\1 ", _ADDRESS.sub("", text)))
    return (found[0].strip() for found in _SENTENCE.finditer(bare) if found[0].strip())


def _is_ended(sentence: str) -> bool:
    return sentence.endswith((".", "!", ")", "]"))


def _judge_after(text: str, names: frozenset[str], *, is_close: bool) -> Bearing:
    """The sentences after a move.

    Weak words, such as a no, say something about it only if they stand close to it, in the first sentence that is not
    harmless; so does a question.
    """
    worst = Bearing.HARMLESS
    for sentence in _sentences(text):
        if _is_name(sentence, names):
            continue
        weak = ("right_after",) if is_close else ()
        found = _judge(sentence, names, "anywhere", "below", "after", *weak)
        asks = "?" in sentence and found is Bearing.UNKNOWN and is_close
        worst = max(worst, Bearing.DOUBT if asks else found)
        is_close = is_close and found is Bearing.HARMLESS
    return worst


def _judge(sentence: str, names: frozenset[str], *doubts: str) -> Bearing:
    """Known phrases are harmless; then doubts count; then words of small talk are harmless."""
    if _BAD_FACE.search(sentence):
        return Bearing.DOUBT
    clauses = [said for clause in _CLAUSE.split(sentence) if (said := _SAID.findall(clause))]
    has_number = _NUMBER.search(sentence) is not None
    asks = "?" in sentence
    whole = [word for said in clauses for word in said]
    known = [] if has_number else [_is_phrase(said, names, may_call=not asks) for said in clauses]
    if known and (all(known) or (len(clauses) > 1 and _is_phrase(whole, names, may_call=not asks))):
        return Bearing.HARMLESS
    if any(_holds(where, sentence) for where in doubts):
        return Bearing.DOUBT
    if has_number or asks:
        return Bearing.UNKNOWN
    talk = all(
        known[at]
        or _is_small_talk(said, names)
        or (at > 0 and len(said) <= _MOST_NAMES and _is_name(" ".join(said), names))
        for at, said in enumerate(clauses)
    )
    return Bearing.HARMLESS if talk else Bearing.UNKNOWN


def _is_phrase(said: list[str], names: frozenset[str], *, may_call: bool) -> bool:
    """Whether words are known phrases, one after the other, or a greeting or a closing with a name."""
    talk, bare, at = small_talk(), " ".join(said).lower(), 0
    if talk.phrases.fullmatch(bare):
        return True
    while len(said) <= _LONGEST_PHRASE and at < len(bare) and (found := talk.phrases.match(bare, at)):
        at = found.end() + 1
    if at > len(bare):
        return True
    opening = talk.openings.match(bare)
    return opening is not None and may_call and _is_called(said[len(opening[0].split()) :], names)


def _is_small_talk(said: list[str], names: frozenset[str]) -> bool:
    """Whether all words are words of small talk, but for a name or two."""
    talk = small_talk()
    unknown = [at for at, word in enumerate(said) if not talk.knows(word.lower()) and word.lower() not in names]
    return all(at > 0 and said[at].istitle() for at in unknown) and len(unknown) <= _MOST_NAMES


def _is_called(words: list[str], names: frozenset[str]) -> bool:
    """Whether words after a greeting or a closing are a name: few, and with capitals where a script has them."""
    words = [word for word in words if len(word) > 1]  # without initials
    if len(words) > _LONGEST_NAME or _holds_any(" ".join(words)):
        return False
    talk = small_talk()
    strange = [word for word in words if not talk.knows(word.lower()) and word.lower() not in names]
    return len(strange) <= _MOST_NAMES and (
        len(words) <= 1 or all(word.istitle() or not _HAS_CASE.search(word) for word in strange)
    )


def _is_name(line: str, names: frozenset[str]) -> bool:
    """Whether a line is nothing but somebody's name."""
    words = _SAID.findall(line)
    if not words or len(words) > _LONGEST_NAME or _NUMBER.search(line) or line.rstrip().endswith(("!", "?", ":")):
        return False
    is_called = [
        word.lower() in names or word.istitle() or (at > 0 and word in _PARTICLES) for at, word in enumerate(words)
    ]
    return all(is_called) and words[-1] not in _PARTICLES and not _holds_any(line)


def _holds_any(words: str) -> bool:
    """Whether words would put a move in doubt anywhere in a letter."""
    return any(_holds(where, words) for where in ("anywhere", "above", "before", "below", "after", "right_after"))
