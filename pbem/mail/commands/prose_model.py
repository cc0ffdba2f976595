"""How likely the words of a letter take back the move beside them, by a small model that has learned it from letters.

No list of words can hold what people write. So `tests/letters/prose` has thousands of letters in five languages, each
known to be harmless or to take its move back, and `tests.letters.prose.train` makes the weights in
`templates/locale/prose-weights.txt` of them. A letter is cut into features (words, parts of words, pairs of words, and
on which side of the move they stand), each feature has a weight, and the sum says how likely it is that a careful
person would not play the move. The same letter always gets the same number, on every machine.
"""

import math
import re
import zlib
from array import array
from base64 import b85decode
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

import templates
from pbem.mail.commands.move_spans import AFTER, BEFORE, BETWEEN
from pbem.mail.commands.prose import Bearing, has_doubt, judge_line, judge_prose

MOVE: Final = "\N{SYMBOL FOR START OF TEXT}"
"""Stands for a move in a text."""
BUCKETS: Final = 1 << 16
"""Features are told apart by a hash of this size."""
BITS: Final = 1 << 18
"""Known words are two bits each among these."""
STRANGE: Final = 3
STRANGE_SHARE: Final = 0.6
"""A text is in no language of ours if so many of its words, and this share of them, are not known."""
WEIGHTS: Final = Path(templates.__path__[0]) / "locale" / "prose-weights.txt"

_TOKEN: Final = re.compile(rf"{MOVE}|[^\W\d_]+(?:['\u2019][^\W\d_]+)*|\d+|\n|[?!.,:;()\u2026\U0001F300-\U0001FAFF]")
_ENDS: Final = frozenset(("?", "!", ".", "\n", "\u2026"))
_LINE_ENDS: Final = frozenset("\n")
_APOSTROPHES: Final = str.maketrans({"\u2019": "'", "\u0451": "\u0435"})
_PIECES: Final = (3, 4, 5)
LISTS: Final = 0.5
"""How much it counts what a list says."""
SCALE: Final = 24.0
"""Weights are stored as whole numbers, this many to one."""


def features(text: str) -> Iterator[str]:
    """What a text is made of, with each move as MOVE."""
    sentences = list(_sentences(_tokens(text)))
    last = max((at for at, sentence in enumerate(sentences) if MOVE in sentence), default=-1)
    first = next((at for at, sentence in enumerate(sentences) if MOVE in sentence), len(sentences))
    yield "bias"
    for at, sentence in enumerate(sentences):
        side = "<" if at < first else ">" if at > last else "="
        asks = "?" if sentence[-1] == "?" else ""
        passed = False
        for one, two in pairwise(("^", *sentence, "$")):
            yield f"{one} {two}"
            if one in ("^", MOVE) or two in ("$",):
                passed = passed or one == MOVE
                continue
            place = side if side != "=" else "+" if passed else "-"
            yield one
            yield f"{place}{one}"
            if asks:
                yield f"{asks}{place}{one}"
            if len(one) > 2 and one.isalpha():
                yield from _pieces(one)
        yield f"{side}{asks}{min(len(sentence), 12)}"


def _tokens(text: str) -> Iterator[str]:
    for found in _TOKEN.finditer(text.translate(_APOSTROPHES).casefold()):
        yield "0" if found[0].isdecimal() else found[0]


def _sentences(tokens: Iterable[str]) -> Iterator[list[str]]:
    sentence: list[str] = []
    for token in tokens:
        if token not in _LINE_ENDS:
            sentence.append(token)
        if token in _ENDS and sentence:
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def _pieces(word: str) -> Iterator[str]:
    whole = f"^{word}$"
    for length in _PIECES:
        for at in range(len(whole) - length + 1):
            yield f"~{whole[at : at + length]}"


def bucket(feature: str) -> int:
    """The place of a feature among the weights."""
    return zlib.crc32(feature.encode()) % BUCKETS


def count(text: str, names: frozenset[str] = frozenset()) -> dict[int, float]:
    """The features of a text by their places, with the weight that each has in it: all texts weigh the same.

    What the lists of words say counts as much as all other features together.
    """
    places = {bucket(feature) for feature in features(text)}
    share = 1.0 / math.sqrt(len(places))
    return dict.fromkeys(places, share) | {bucket(said): LISTS for said in _listed(text, names)}


def _listed(text: str, names: frozenset[str]) -> Iterator[str]:
    """What the lists of words say of a text: the worst for each place beside the move, and of all."""
    worst = Bearing.HARMLESS
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    first = next((at for at, line in enumerate(lines) if MOVE in line), len(lines))
    for at, line in enumerate(lines):
        before, move, rest = line.partition(MOVE)
        found = [(BEFORE, judge_prose(before, BEFORE, names))] if move and before.strip() else []
        *among, after = rest.split(MOVE)
        found += [(BETWEEN, judge_prose(piece, BETWEEN, names)) for piece in among if piece.strip()]
        found += [(AFTER, judge_prose(after, AFTER, names))] if after.strip() else []
        if not move:
            below = at > first
            close = MOVE in lines[at - 1] if below else at + 1 < len(lines) and MOVE in lines[at + 1]
            found = [("below" if below else "above", judge_line(line, names, below=below, close=close))]
        for place, bearing in found:
            worst = max(worst, bearing)
            if bearing is Bearing.DOUBT:
                yield f"listed {place} {bearing.name}"
    yield f"listed {worst.name}"
    if any(has_doubt(line) for line in lines):
        yield "listed anywhere"


@cache
def _learned() -> tuple["array[int]", bytes]:
    """The weights, and the places of known words as bits."""
    packed = zlib.decompress(b85decode("".join(WEIGHTS.read_text("ascii").split())))
    return array("b", packed[:BUCKETS]), packed[BUCKETS:]


def words_of(text: str) -> set[str]:
    """The words of a text that are long enough to know a language by."""
    return {token for token in _tokens(text) if len(token) > 2 and token.isalpha() and token != MOVE}


def places_of(word: str) -> tuple[int, int]:
    """The two bits by which a word is known. Both may be set by others, so one in fifty is known by mistake."""
    return zlib.crc32(word.encode()) % BITS, zlib.adler32(word[::-1].encode()) * 2_654_435_761 % BITS


def is_foreign(text: str) -> bool:
    """Whether most words of a text are ones that no letter had: it may be in a language that we do not know."""
    known, words = _learned()[1], words_of(text)
    strange = [word for word in words if not all(known[at >> 3] >> (at & 7) & 1 for at in places_of(word))]
    return len(strange) >= STRANGE and len(strange) > STRANGE_SHARE * len(words)


def doubt(text: str, names: frozenset[str] = frozenset()) -> float:
    """How likely it is, from 0 to 1, that a careful person would not play the moves of a text."""
    weights = _learned()[0]
    total = sum(weights[place] * value for place, value in count(text, names).items()) / SCALE
    return 1.0 / (1.0 + math.exp(-total))
