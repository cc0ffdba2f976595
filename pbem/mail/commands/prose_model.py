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
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple
from unicodedata import normalize

import templates
from pbem.mail.commands.move_spans import AFTER, BEFORE, BETWEEN
from pbem.mail.commands.parse_moves import MOVE
from pbem.mail.commands.prose import Bearing, has_doubt, judge_line, judge_prose

BUCKETS: Final = 1 << 17
"""Features are told apart by a hash of this size."""
SENTENCES: Final = BUCKETS
"""Where the weights for single sentences begin, behind those for all words together."""
SIZE: Final = 2 * BUCKETS
"""How many weights there are."""
NEAR: Final = 2_000
"""Characters before the first move and after the last that are weighed; the lists of words look at all of them."""
BITS: Final = 1 << 18
"""Known words are two bits each among these."""
STRANGE: Final = 3
STRANGE_SHARE: Final = 0.5
"""A text is in no language of ours if so many of its words, and this share of them, are not known."""
WEIGHTS: Final = Path(templates.__path__[0]) / "locale" / "prose-weights.txt"

_UNMARKED: Final = dict.fromkeys(range(0x300, 0x370)) | {ord("\u0142"): "l", ord("\u0141"): "L"}
"""Accents are left out, and the stroke of the Polish l."""
_SIGNS: Final = "?!.,:;()\u2026\u2600-\u27bf\U0001f300-\U0001faff"
_TOKEN: Final = re.compile(rf"{MOVE}|[^\W\d_]+(?:['\u2019][^\W\d_]+)*|\d+|\n|[{_SIGNS}]")
_ENDS: Final = frozenset(("?", "!", ".", "\n", "\u2026"))
_LINE_ENDS: Final = frozenset("\n")
_APOSTROPHES: Final = str.maketrans({"\u2019": "'", "\u0451": "\u0435"})
_PIECE: Final = 4
_MOST: Final = 30.0
_STEM: Final = 5
SCALE: Final = 24.0
"""Weights are stored as whole numbers, this many to one."""


def features(text: str) -> Iterator[set[int]]:
    """What each sentence of a text is made of, by places among the weights, with each move as MOVE.

    A sentence that is a move and nothing else says nothing.
    """
    sentences = list(_sentences(_tokens(text)))
    with_move = [at for at, sentence in enumerate(sentences) if MOVE in sentence]
    first, last = (with_move[0], with_move[-1]) if with_move else (len(sentences), -1)
    for at, sentence in enumerate(sentences):
        side = "<" if at < first else ">" if at > last else "="
        if sentence != [MOVE]:
            yield {bucket(feature) for feature in _cut(sentence, side, is_near=at in (first - 1, last + 1))}


def _cut(sentence: list[str], side: str, *, is_near: bool) -> Iterator[str]:
    """The features of a sentence before the moves, after them or with one of them, and whether it is next to them."""
    near = "|" if is_near else ""
    asks = "?" if sentence[-1] == "?" else ""
    passed = False
    yield "bias"
    yield f"{near}{side}"
    yield f"{near}{side}{asks}{min(len(sentence), 12)}"
    for one, two in pairwise(("^", *sentence, "$")):
        yield f"{one} {two}"
        if one in ("^", MOVE) or two == "$":
            passed = passed or one == MOVE
            continue
        place = side if side != "=" else "+" if passed else "-"
        yield one
        yield f"{place}{one}"
        if near or asks:
            yield f"{near}{asks}{place}{one}"
        if len(one) > 2 and one.isalpha():
            yield from _pieces(one)
    yield from _neighbours(sentence)


def _neighbours(sentence: list[str]) -> Iterator[str]:
    """Words two places apart, and pairs of word beginnings, which endings do not change."""
    words = ("^", *sentence, "$")
    yield from (f"{one}_{two}" for one, two in zip(words, words[2:], strict=False))
    yield from (f"%{one[:_STEM]} {two[:_STEM]}" for one, two in pairwise(words))
    yield from (f"%{word[: _STEM - 1]}" for word in sentence if len(word) >= _STEM)


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
    return (f"~{whole[at : at + _PIECE]}" for at in range(len(whole) - _PIECE + 1))


class CutText(NamedTuple):
    """The features of each sentence of a text, and what the lists of words say of it all."""

    sentences: tuple[set[int], ...]
    listed: tuple[int, ...]

    def weigh(self, weights: Sequence[float]) -> tuple[float, list[float]]:
        """How much speaks against playing the moves, and how much of it each sentence has.

        Three things are added: what the lists say, all words together, and the sentences one by one, of which the
        worst counts most: one sentence is enough to take a move back, however many harmless ones stand around it.
        The weights are of all words first, then those of sentences.
        """
        together = set[int]().union(*self.sentences)
        total = sum(weights[place] for place in self.listed)
        total += sum(weights[place] for place in together) / math.sqrt(len(together) or 1)
        parts = [sum(weights[SENTENCES + at] for at in places) / math.sqrt(len(places)) for places in self.sentences]
        worst = max(parts, default=0.0)
        return total + worst + math.log(sum(math.exp(part - worst) for part in parts) or 1.0), parts


def bucket(feature: str) -> int:
    """The place of a feature among the weights."""
    return zlib.crc32(feature.encode()) % BUCKETS


def cut(text: str, names: frozenset[str] = frozenset()) -> CutText:
    """A text as the model sees it."""
    return CutText(tuple(features(text)), tuple({SENTENCES + bucket(said) for said in _listed(text, names)}))


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
def _learned() -> tuple[list[float], bytes]:
    """The weights, and the places of known words as bits."""
    packed = zlib.decompress(b85decode("".join(WEIGHTS.read_text("ascii").split())))
    return [number / SCALE for number in array("b", packed[:SIZE])], packed[SIZE:]


def words_of(text: str) -> set[str]:
    """The words of a text that are long enough to know a language by, without accents: many people type none."""
    bare = normalize("NFD", text).translate(_UNMARKED)
    return {token for token in _tokens(bare) if len(token) > 2 and token.isalpha() and token != MOVE}


def places_of(word: str) -> tuple[int, int]:
    """The two bits by which a word is known. Both may be set by others, so one in fifty is known by mistake."""
    return zlib.crc32(word.encode()) % BITS, zlib.adler32(word[::-1].encode()) * 2_654_435_761 % BITS


def stem_of(word: str) -> str:
    """The beginning of a long word, by which it is known with another ending too; a short one is its own."""
    return f"{word[:_STEM]}-" if len(word) > _STEM else word


def is_foreign(text: str) -> bool:
    """Whether most words of a text are ones that no letter had: it may be in a language that we do not know."""
    known, words = _learned()[1], words_of(text)
    strange = [
        word
        for word in words
        if not any(all(known[at >> 3] >> (at & 7) & 1 for at in places_of(each)) for each in {word, stem_of(word)})
    ]
    return len(strange) >= STRANGE and len(strange) >= STRANGE_SHARE * len(words)


def likely(total: float) -> float:
    """A sum of weights as a chance from 0 to 1."""
    return 1.0 / (1.0 + math.exp(-max(-_MOST, min(_MOST, total))))


def doubt(text: str, names: frozenset[str] = frozenset()) -> float:
    """How likely it is, from 0 to 1, that a careful person would not play the moves of a text."""
    near = text[max(0, text.find(MOVE) - NEAR) : text.rfind(MOVE) + NEAR]
    total, _ = cut(near, names).weigh(_learned()[0])
    return likely(total)
