"""What would make a refused move legal, as the answer to a letter tells it: in words and as a button."""

from collections.abc import Callable
from email import message_from_bytes
from typing import Any
from xml.etree.ElementTree import Element

import pytest

from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.writing.mime import Mail

IN_THE_WAY = "salmon U5"
"""Refused after sixty turns, because a salmon camel of blue's stands at U6."""

Answering = Callable[[str], Mail]


@pytest.fixture
def answered(played: Any, answer: Any, compose: Any) -> Callable[..., Mail]:
    """The answer to a letter of red's after sixty turns."""

    def write(words: str, **changes: Any) -> Mail:
        game = played(60)
        reply = answer(game, "red", words)
        mail: Mail = compose(game.table, reply, **changes)
        return mail

    return write


def test_the_change_follows_the_reason(answered: Answering, read: Callable[[Mail], dict[str, str]]) -> None:
    text = read(answered(IN_THE_WAY))["text/plain"]
    reason, change = (
        "Not played: U5 is next to Boris's salmon camel",
        "It would be legal if Boris's salmon camel did not stand at",
    )
    assert (
        text.index(reason) < text.index(change) < text.index("Your salmon camels can go") < text.index("(Rule TD-C3)")
    )


def test_a_refusal_is_words_only_and_offers_the_board(
    answered: Answering, read: Callable[[Mail], dict[str, str]], tree: Callable[[str], Element]
) -> None:
    refused = answered(IN_THE_WAY)
    kinds = {part.get_content_type() for part in message_from_bytes(refused.raw).walk()}
    assert "image/png" not in kinds
    assert "Show the board" in {"".join(link.itertext()) for link in tree(read(refused)["text/html"]).iter("a")}


def test_moves_in_another_order_can_be_sent_by_a_button(
    answered: Answering, read: Callable[[Mail], dict[str, str]], tree: Callable[[str], Element]
) -> None:
    parts = read(answered("lilac M6 N5"))
    assert "This works: lilac N5 M6" in parts["text/plain"]
    links = {"".join(link.itertext()): link.get("href") or "" for link in tree(parts["text/html"]).iter("a")}
    assert links["| Play lilac N5 M6"].endswith("body=lilac%20N5%20M6")


def test_a_move_to_make_first_is_played_with_it(
    answered: Answering, read: Callable[[Mail], dict[str, str]], tree: Callable[[str], Element]
) -> None:
    parts = read(answered("lilac M6"))
    assert "This works: lilac N5 M6" in parts["text/plain"]
    assert "| Play lilac N5 M6" in {"".join(link.itertext()) for link in tree(parts["text/html"]).iter("a")}


def test_a_refused_preview_says_it_too(answered: Answering, read: Callable[[Mail], dict[str, str]]) -> None:
    text = read(answered(f"preview {IN_THE_WAY}"))["text/plain"]
    assert "U5 is next to Boris's salmon camel." in text
    assert "It would be legal if Boris's salmon camel did not stand at" in text


@pytest.mark.parametrize("language", [code for code in LANGUAGE_CODES if code != "en"])
def test_it_is_said_in_the_language_of_the_reader(
    language: str, answered: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    for words in (IN_THE_WAY, "lilac M6 N5", "lilac M6"):
        assert "would be legal" not in read(answered(words, language=language))["text/plain"]
