"""Train the model of words beside a move, and write its weights.

    python -m tests.letters.prose.train [--check]

Logistic regression by stochastic gradient steps (AdaGrad) over the letters in this folder, in an order that is always
the same, so that the same letters give the same weights on every machine. `--check` holds back a fifth of the letters
and says how well they are judged; it writes nothing.
"""

import json
import math
import random
import sys
import zlib
from base64 import b85encode
from pathlib import Path
from typing import NamedTuple

from pbem.mail.commands.prose_model import BITS, BUCKETS, MOVE, SCALE, WEIGHTS, count, places_of, words_of

FOLDER = Path(__file__).parent
MARK = "«M»"
ROUNDS = 6
STEP = 0.2
LINE = 120
DECAY = 2e-6
"""How strongly weights are drawn to zero."""


class Example(NamedTuple):
    """A letter, cut into features, and whether it takes its move back."""

    language: str
    features: dict[int, float]
    stops: bool


def rows() -> list[dict[str, str]]:
    """All letters, in a fixed order that mixes the languages."""
    found = [row for path in sorted(FOLDER.glob("*.json")) for row in json.loads(path.read_text("utf-8"))]
    random.Random(7).shuffle(found)
    return found


def examples() -> list[Example]:
    """All letters, cut into features."""
    return [Example(row["language"], count(row["text"].replace(MARK, MOVE)), row["label"] == "stop") for row in rows()]


def train(letters: list[Example], rounds: int = ROUNDS) -> list[float]:
    """The weights that tell the letters apart."""
    weights, squares = [0.0] * BUCKETS, [1e-3] * BUCKETS
    order = list(range(len(letters)))
    shuffle = random.Random(11).shuffle
    for _ in range(rounds):
        shuffle(order)
        for at in order:
            letter = letters[at]
            total = sum(weights[place] * value for place, value in letter.features.items())
            error = 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total)))) - letter.stops
            for place, value in letter.features.items():
                slope = error * value + DECAY * weights[place]
                squares[place] += slope * slope
                weights[place] -= STEP * slope / math.sqrt(squares[place])
    return weights


def pack(weights: list[float]) -> str:
    """The weights as whole numbers, and the bits of all words, in a text of short lines."""
    whole = bytes(max(-127, min(127, round(weight * SCALE))) & 0xFF for weight in weights)
    known = bytearray(BITS // 8)
    for row in rows():
        for word in words_of(row["text"].replace(MARK, MOVE)):
            for at in places_of(word):
                known[at >> 3] |= 1 << (at & 7)
    packed = b85encode(zlib.compress(whole + known, 9)).decode("ascii")
    return "\n".join(packed[at : at + LINE] for at in range(0, len(packed), LINE)) + "\n"


def judge(weights: list[float], letter: Example) -> float:
    """How likely the letter takes its move back."""
    total = sum(weights[place] * value for place, value in letter.features.items())
    return 1.0 / (1.0 + math.exp(-total))


def check(letters: list[Example]) -> None:
    """Train on four fifths and say what becomes of the rest."""
    weights = train([letter for at, letter in enumerate(letters) if at % 5])
    held = [(judge(weights, letter), letter) for at, letter in enumerate(letters) if not at % 5]
    for limit in (0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9):
        plain = [told < limit for told, letter in held if not letter.stops]
        stop = [told < limit for told, letter in held if letter.stops]
        sys.stdout.write(f"below {limit}: plain {sum(plain) / len(plain):.3f}, stop {sum(stop) / len(stop):.3f}\n")


if __name__ == "__main__":
    if "--check" in sys.argv:
        check(examples())
    else:
        WEIGHTS.write_text(pack(train(examples())), "ascii")
