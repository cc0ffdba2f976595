"""The model of words beside a move is what its letters make of it, and knows what it is not sure of."""

import json
import zlib
from array import array
from base64 import b85decode
from collections import Counter

import pytest

from pbem.mail.commands.parse_moves import MOVE
from pbem.mail.commands.prose_model import SIZE, WEIGHTS, doubt, is_foreign
from tests.letters.prose.train import FOLDER, MARK, examples, pack, rows, train, with_talk


def test_there_are_letters_of_both_kinds_in_five_languages() -> None:
    kinds = Counter((row["language"], row["label"]) for row in rows())
    assert {language for language, _ in kinds} == {"en", "nl", "pl", "ru", "he"}
    assert min(kinds.values()) >= 700
    assert all(MARK in row["text"] for row in rows())


def test_every_file_is_a_list_of_letters() -> None:
    for path in FOLDER.glob("*.json"):
        assert {frozenset(row) for row in json.loads(path.read_text("utf-8"))} == {
            frozenset(("language", "label", "text"))
        }


@pytest.mark.slow
def test_the_weights_are_what_the_letters_teach() -> None:
    """Up to the last place: machines may round an exponential otherwise."""
    kept, made = (_numbers(text) for text in (WEIGHTS.read_text("ascii"), pack(train(examples(with_talk(rows()))))))
    assert max(abs(one - two) for one, two in zip(kept[:SIZE], made[:SIZE], strict=True)) <= 1
    assert kept[SIZE:] == made[SIZE:]


def _numbers(text: str) -> "array[int]":
    return array("b", zlib.decompress(b85decode("".join(text.split()))))


@pytest.mark.parametrize(
    ("words", "is_likely"),
    [
        (f"{MOVE}\nGreetings from the train", False),
        (f"Sorry for the delay! {MOVE}", False),
        (f"I would have played {MOVE}, but let me think", True),
        (f"{MOVE}\nno wait, scrap that", True),
    ],
)
def test_it_tells_small_talk_from_second_thoughts(words: str, is_likely: bool) -> None:
    assert (doubt(words) > 0.5) == is_likely


def test_words_of_no_language_of_ours_are_noticed() -> None:
    assert is_foreign(f"{MOVE}\nHaikara lentää matalalla järven yllä.")
    assert not is_foreign(f"{MOVE}\nSee you on Sunday, and thank you for the cake")
