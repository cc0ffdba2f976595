"""What the lobby says in every language: nothing is left in English, and what its mails teach works."""

import re
from collections.abc import Iterator
from email.header import decode_header, make_header
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import unquote

import pytest

from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.post_commands.reader import parse_post_letter
from pbem.mail.writing.post_mails import find_post_sentences
from pbem.workflow.new_tables import WINDS
from tests.english_left import english_left, parts_to_read
from tests.post.people.desks import Lobby, open_lobby, text_of

OTHERS = sorted({*LANGUAGE_CODES} - {"en"})
ANNA, BORIS, DOV = "anna@people.test", "boris@people.test", "dov@people.test"
BODY = re.compile(r"mailto:[^?\"<>]+\?[^\"<>]*body=([^\"<>&]*)")


def visit(lobby: Lobby, code: str) -> None:
    """Let people see everything that the lobby says; they come in as its welcome teaches."""
    hello = find_post_sentences(code).say("lead_welcome").rpartition(": ")[2].rpartition(" ")[0]
    lobby.come_in(ANNA, f"{hello} Anna")
    for words in ("help", "me", "tables", "open", "open nomadi for 9", "name www.pills.example", "name Anne"):
        lobby.answer(ANNA, words)
    lobby.answer(ANNA, "open through the desert, 3 seats, 2 days a turn haikara")
    for words in ("my games", "table sirocco-1", "join sirocco-1", "leave mistral-9", "no"):
        lobby.answer(ANNA, words)
    lobby.come_in(BORIS, f"{hello} Boris")
    for words in ("tables", "join sirocco-9", "join sirocco-1", "leave", "join sirocco-1"):
        lobby.answer(BORIS, words)
    for _ in range(5):
        lobby.answer(BORIS, "open nomadi")
    lobby.come_in(DOV, f"{hello} Dov")
    lobby.answer(DOV, "join sirocco-1")
    for words in ("my games", "rematch", "watch mistral-2", "watch sirocco-1", "stop watching", "block boris"):
        lobby.write(DOV, words)
    for words in ("unblock boris", "challenge zoe at nomadi", "challenge anne at nomadi", "wait for nomadi", "start"):
        lobby.write(DOV, words)
    lobby.answer(ANNA, "no")
    lobby.write(ANNA, "wait for through the desert")
    lobby.write(DOV, "open through the desert seats 2 to 4")
    for words in ("invite friend@elsewhere.test to simoom-7", "start simoom-7", "keep simoom-7", "stop waiting"):
        lobby.write(DOV, words)
    for number in range(5):
        lobby.write(DOV, f"invite friend{number}@elsewhere.test to simoom-7")
    lobby.wait(days=22)
    lobby.write(DOV, "close simoom-7")
    lobby.wait(days=10)
    lobby.write(DOV, "no more mail")


@pytest.fixture(scope="module")
def mails(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """All mails of such a day, in every language, without those about a table that plays."""
    found: dict[str, list[Any]] = {}
    for code in ("en", *OTHERS):
        with open_lobby(tmp_path_factory.mktemp(code), language=code) as lobby:
            visit(lobby, code)
            found[code] = [
                mail
                for _, mails in sorted(lobby.mails.items())
                for mail in mails
                if re.search(r"\+(?:me|hi|in|yes)\.", str(mail["Reply-To"]))
            ]
    return found


@pytest.mark.parametrize("code", OTHERS)
def test_no_english_word_is_left(mails: dict[str, list[Any]], code: str) -> None:
    assert len(mails[code]) == len(mails["en"]) > 45
    for english, told in zip(mails["en"], mails[code], strict=True):
        parts = [parts_to_read(cast("Any", SimpleNamespace(raw=each.as_bytes()))) for each in (english, told)]
        for part in parts[1]:
            said = ["The Shy Well", "haikara", "Anna", "Anne", "Boris", "Dov", "hello", "zoe", "Friend"]
            left = english_left(parts[0][part], parts[1][part], code, said=said, names=WINDS)
            assert left == set(), text_of(told)


def orders_in(mail: Any) -> Iterator[str]:
    """What the buttons of a mail write."""
    page = next(part for part in mail.walk() if part.get_content_type() == "text/html")
    html = cast("bytes", page.get_payload(decode=True)).decode("utf-8").replace("&amp;", "&")
    for body in BODY.findall(html):
        yield unquote(body).splitlines()[0]


@pytest.mark.parametrize("code", OTHERS)
def test_buttons_write_what_the_english_ones_mean(mails: dict[str, list[Any]], code: str) -> None:
    tried = 0
    for english, told in zip(mails["en"], mails[code], strict=True):
        pairs = list(zip(orders_in(english), orders_in(told), strict=True))
        for meant, own in pairs:
            assert parse_post_letter(meant).commands == parse_post_letter(own).commands != (), (meant, own)
        tried += len(pairs)
    assert tried > 20


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("sentence", ["lead_welcome", "change_name", "open_own"])
def test_examples_in_sentences_are_understood_alike(sentence: str, code: str) -> None:
    meant, own = (find_post_sentences(each).say(sentence).rpartition(": ")[2] for each in ("en", code))
    assert parse_post_letter(meant).commands == parse_post_letter(own).commands != ()


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_the_words_we_know_are_known(code: str) -> None:
    listed = find_post_sentences(code).say("words_we_know").partition(": ")[2].rstrip(".").split(", ")
    assert len(listed) == 7
    for word in listed:
        more = {1: " nomadi", 2: " sirocco-1"}.get(listed.index(word), "")
        assert parse_post_letter(word + more).commands, word


def test_a_subject_is_in_the_language_of_the_post(tmp_path: Path) -> None:
    with open_lobby(tmp_path, language="ru") as lobby:
        lobby.write(ANNA, "hello")
        subject = str(make_header(decode_header(str(lobby.mails[ANNA][0]["Subject"]))))
        assert subject == "Добро пожаловать в Caravan Post"
