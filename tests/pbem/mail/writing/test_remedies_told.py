"""What would make a refused move legal, as the answer to a letter tells it: in words, as a button, on the board."""

from collections.abc import Callable
from email import message_from_bytes
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import Element

import pytest
from PIL import Image

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


def pictures(mail: Mail) -> list[bytes]:
    """The pictures in a mail."""
    return [
        part.get_payload(decode=True) or b""  # type: ignore[misc]  # a picture is bytes
        for part in message_from_bytes(mail.raw).walk()
        if part.get_content_type() == "image/png"
    ]


def test_the_change_follows_the_reason(answered: Answering, read: Callable[[Mail], dict[str, str]]) -> None:
    text = read(answered(IN_THE_WAY))["text/plain"]
    reason, change = (
        "Not played: U5 touches blue's salmon camel at U6",
        "It would be legal if blue's salmon camel did not stand at",
    )
    assert text.index(reason) < text.index(change) < text.index("You could play:") < text.index("Rule TD-C3")


def test_the_place_is_marked_on_the_board_and_said_in_place_of_it(
    answered: Answering, read: Callable[[Mail], dict[str, str]], tree: Callable[[str], Element]
) -> None:
    refused, elsewhere = answered(IN_THE_WAY), answered("lilac A1")
    images = [image.get("alt") or "" for image in tree(read(refused)["text/html"]).iter("img")]
    assert [
        alt for alt in images if alt.startswith("It would be legal if blue's salmon camel did not stand at U6. The")
    ]
    (marked,) = pictures(refused)
    one = Image.open(BytesIO(marked)).convert("RGB")
    assert (194, 0, 122) in {colour for _, colour in one.getcolors(1 << 20) or ()}
    assert pictures(elsewhere) == [], "without a place to mark there is no board"


def test_moves_in_another_order_can_be_sent_by_a_button(
    answered: Answering, read: Callable[[Mail], dict[str, str]], tree: Callable[[str], Element]
) -> None:
    parts = read(answered("lilac M6 N5"))
    assert "It would be legal in this order: lilac N5 M6." in parts["text/plain"]
    links = {"".join(link.itertext()): link.get("href") or "" for link in tree(parts["text/html"]).iter("a")}
    assert links["| Play lilac N5 M6"].endswith("body=lilac%20N5%20M6")


def test_a_move_to_make_first_is_played_with_it(
    answered: Answering, read: Callable[[Mail], dict[str, str]], tree: Callable[[str], Element]
) -> None:
    parts = read(answered("lilac M6"))
    assert "It would be legal after lilac N5." in parts["text/plain"]
    assert "| Play lilac N5 M6" in {"".join(link.itertext()) for link in tree(parts["text/html"]).iter("a")}


def test_a_refused_preview_says_it_too(answered: Answering, read: Callable[[Mail], dict[str, str]]) -> None:
    text = read(answered(f"preview {IN_THE_WAY}"))["text/plain"]
    assert "It would be legal if blue's salmon camel did not stand at" in text


@pytest.mark.parametrize("language", [code for code in LANGUAGE_CODES if code != "en"])
def test_it_is_said_in_the_language_of_the_reader(
    language: str, answered: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    for words in (IN_THE_WAY, "lilac M6 N5", "lilac M6"):
        assert "would be legal" not in read(answered(words, language=language))["text/plain"]
