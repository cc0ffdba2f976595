"""Train the model of words beside a move, and write its weights.

    python -m tests.letters.prose.train [--check]

Logistic regression by stochastic gradient steps (AdaGrad) over the letters in this folder, in an order that is always
the same, so that the same letters give the same weights on every machine. `--check` holds back a fifth of the letters
and says how well they are judged; it writes nothing.
"""

import json
import math
import random
import re
import sys
import zlib
from base64 import b85encode
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from pbem.mail.commands.parse_moves import MOVE
from pbem.mail.commands.prose_model import (
    BITS,
    SCALE,
    SENTENCES,
    SIZE,
    WEIGHTS,
    CutText,
    cut,
    likely,
    places_of,
    stem_of,
    words_of,
)

FOLDER = Path(__file__).parent
MARK = "«M»"
ROUNDS = 3
STEP = 0.2
LINE = 120
DECAY = 2e-6
"""How strongly weights are drawn to zero."""
LEAST_BLAME = 0.01
"""Sentences that have a smaller share in what is said of a letter learn nothing from it."""
SHORT = 8
LIMITS = (0.03, 0.05, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9)
FRAME = re.compile(rf"[^\n.?]{{2,20}}[,!]\n{MARK}\n[^\n?!:]{{2,36}}")
SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n")


class Example(NamedTuple):
    """A letter, cut into features, and whether it takes its move back."""

    text: CutText
    stops: bool


def rows() -> list[dict[str, str]]:
    """All letters, in a fixed order that mixes the languages."""
    found = [row for path in sorted(FOLDER.glob("*.json")) for row in json.loads(path.read_text("utf-8"))]
    random.Random(7).shuffle(found)
    return found


def with_talk(letters: list[dict[str, str]]) -> list[dict[str, str]]:
    """The letters, and each once more with sentences of other harmless ones around it, which change nothing.

    Half of them get a greeting and a name as well, out of the shortest letters.

    People write more than letters that were made to show one thing.
    """
    chance = random.Random(5)
    talk: dict[str, list[str]] = {}
    for row in letters:
        if row["label"] == "plain":
            apart = [each.strip() for each in SENTENCE.split(row["text"])]
            talk.setdefault(row["language"], []).extend(s for s in apart if MARK not in s and len(s) > SHORT)
    frames: dict[str, list[str]] = {}
    for row in letters:
        if row["label"] == "plain" and FRAME.fullmatch(row["text"]):
            frames.setdefault(row["language"], []).append(row["text"])
    longer = []
    for row in letters:
        text = row["text"]
        for _ in range(chance.choice((1, 1, 2, 3))):
            said, gap = chance.choice(talk[row["language"]]), chance.choice((" ", " ", "\n"))
            text = f"{_ended(said)}{gap}{text}" if chance.random() < 0.5 else f"{_ended(text)}{gap}{said}"
        if chance.random() < 0.5:
            text = chance.choice(frames.get(row["language"], [MARK])).replace(MARK, text)
        longer.append(row | {"text": text})
    return letters + longer


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…", ")")) else f"{text}."


def examples(letters: list[dict[str, str]]) -> list[Example]:
    """Letters, cut into features."""
    return [Example(cut(row["text"].replace(MARK, MOVE)), row["label"] == "stop") for row in letters]


def train(letters: list[Example], rounds: int = ROUNDS) -> list[float]:
    """The weights that tell the letters apart."""
    weights, squares = [0.0] * SIZE, [1e-3] * SIZE
    order = list(range(len(letters)))
    shuffle = random.Random(11).shuffle

    def step(places: Iterable[int], error: float) -> None:
        for place in places:
            slope = error + DECAY * weights[place]
            squares[place] += slope * slope
            weights[place] -= STEP * slope / math.sqrt(squares[place])

    for _ in range(rounds):
        shuffle(order)
        for at in order:
            (sentences, listed), stops = letters[at]
            total, parts = letters[at].text.weigh(weights)
            error = likely(total) - stops
            together = set[int]().union(*sentences)
            step(listed, error)
            step(together, error / math.sqrt(len(together) or 1))
            worst = max(parts, default=0.0)
            blame = [math.exp(part - worst) for part in parts]
            for places, part in zip(sentences, blame, strict=True):
                share = part / sum(blame)
                if share > LEAST_BLAME:
                    step((SENTENCES + place for place in places), error * share / math.sqrt(len(places)))
    return weights


def pack(weights: list[float]) -> str:
    """The weights as whole numbers, and the bits of all words, in a text of short lines."""
    whole = bytes(max(-127, min(127, round(weight * SCALE))) & 0xFF for weight in weights)
    known = bytearray(BITS // 8)
    for row in rows():
        words = words_of(row["text"].replace(MARK, MOVE))
        for at in (at for word in words | set(map(stem_of, words)) for at in places_of(word)):
            known[at >> 3] |= 1 << (at & 7)
    packed = b85encode(zlib.compress(whole + known, 9)).decode("ascii")
    return "\n".join(packed[at : at + LINE] for at in range(0, len(packed), LINE)) + "\n"


def judge(weights: list[float], letter: Example) -> float:
    """How likely the letter takes its move back."""
    return likely(letter.text.weigh(weights)[0])


def check(letters: list[dict[str, str]]) -> None:
    """Train on four fifths and say what becomes of the rest, as written and with talk around."""
    weights = train(examples(with_talk([row for at, row in enumerate(letters) if at % 5])))
    rest = [row for at, row in enumerate(letters) if not at % 5]
    for held in (rest, with_talk(rest)[len(rest) :]):
        told = [(judge(weights, letter), letter.stops) for letter in examples(held)]
        for limit in LIMITS:
            plain = [chance < limit for chance, stops in told if not stops]
            stop = [chance < limit for chance, stops in told if stops]
            sys.stdout.write(f"below {limit}: plain {sum(plain) / len(plain):.3f}, stop {sum(stop) / len(stop):.3f}\n")


if __name__ == "__main__":
    if "--check" in sys.argv:
        check(rows())
    else:
        WEIGHTS.write_text(pack(train(examples(with_talk(rows())))), "ascii")
