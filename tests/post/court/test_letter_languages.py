"""What a referee reads is in their own language to the last word, and its buttons and examples work."""

from contextlib import ExitStack
from email import message_from_bytes
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from engine.nomadi import GAME as NOMADI
from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.post_commands.court import CourtOrder
from pbem.mail.post_commands.reader import parse_post_letter
from pbem.mail.writing.post_mails import find_post_sentences
from pbem.workflow.new_tables import WINDS
from pbem.workflow.people import change_wish, confirm_person, meet_person
from tests.english_left import english_left, parts_to_read
from tests.post.court.courts import REFEREE
from tests.post.court.test_letters import Judge, play, summon

OTHERS = sorted({*LANGUAGE_CODES} - {"en"})
SAID = ["haikara", "Anna", "Boris", "Dov", "Rita", "zoe", "anna", "boris", "players", "test", "html", "log", "key"]
"""Names, addresses and the line of the log, which are the same in every language."""


def preside(folder: Path, code: str) -> list[Any]:
    """A day of a referee who reads in a language; the mails that came."""
    with ExitStack() as stack:
        town, judge = summon(stack, folder, NOMADI, 2)
        with town.context.store.transaction() as transaction:
            for name in ("Rita", "Dov"):
                address = judge.address if name == "Rita" else "dov@players.test"
                person = meet_person(town.context, transaction, name=name, address=address, wishes={})
                confirm_person(transaction, person.id, address, town.hours.now())
                change_wish(town.context, transaction, person.id, "language", code)
        while not any(event.kind == "dealt" for event in town.events):
            play(town, 1)
        red, other = town.friends
        assert town.write(red, "press to all: haikara\n\n").fate == "applied"
        assert town.write(other, f"report {town.friends[red].name}").fate == "applied"
        assert town.write(other, f"appeal {town.table.turn - 1}: haikara").fate == "applied"
        appeal = judge.mails[-1]
        for words in ("show case 1", "show case 1 as blue", "show case 9", "dismiss", "rule: haikara", "haikara"):
            judge.answer(words, to=appeal)
        for words in (
            "dismiss: haikara",
            "yes",
            "roll back: haikara",
            "no",
            "correct: haikara",
            "end, xyzzy wins: haikara",
        ):
            judge.answer(words)
        for words in (f"end, {red} wins: haikara", "end, nobody wins: haikara", f"seat zoe at {red}: haikara"):
            judge.answer(words)
        for words in (f"seat {town.friends[red].name} at {other}: haikara", f"seat Dov at {red}: haikara"):
            judge.answer(words)
        for words in (f"warrant {red}: haikara", "yes", f"show case 1 as {red}", "extend: haikara"):
            judge.answer(words)
        for words in ("extend by 2 days: haikara", "yes", "yes", "pause: haikara", "yes", "resume", "yes"):
            judge.answer(words)
        for words in ("terms: haikara", "terms pace 2d, grace 0h, reminders none, rest fri sat, silence play: haikara"):
            judge.answer(words)
        for words in ("yes", "terms rest none: haikara", f"excuse {red}: haikara"):
            judge.answer(words)
        for words in ("open case: haikara", "extend mistral-9 by 2 days: haikara", "call off sirocco-7: haikara"):
            judge.answer(words)
        judge.answer("close case 1")
        play(town, 1)
        judge.answer("yes")
        for words in ("yes", "show case 1", "close case 1"):
            judge.answer(words)
        return judge.mails


@pytest.fixture(scope="module")
def mails(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """All mails of such a day in every language."""
    return {code: preside(tmp_path_factory.mktemp(code), code) for code in ("en", *OTHERS)}


def without_page(mail: Any) -> Any:
    """A mail without the page that is attached, which `test_pages` reads: it is full of evidence."""
    mail = message_from_bytes(mail.as_bytes())
    if mail.is_multipart():
        mail.set_payload([part for part in mail.get_payload() if not part.get_filename()])
    return cast("Any", SimpleNamespace(raw=mail.as_bytes()))


@pytest.mark.parametrize("code", OTHERS)
def test_no_english_word_is_left(mails: dict[str, list[Any]], code: str) -> None:
    assert len(mails[code]) == len(mails["en"]) > 30
    for english, told in zip(mails["en"], mails[code], strict=True):
        parts = [parts_to_read(without_page(each)) for each in (english, told)]
        for part in parts[1]:
            left = english_left(parts[0][part], parts[1][part], code, said=SAID, names=WINDS)
            assert left == set(), parts[1][part]


@pytest.mark.parametrize("code", OTHERS)
def test_the_attached_page_is_in_the_language_of_the_mail(mails: dict[str, list[Any]], code: str) -> None:
    pages = [part for mail in mails[code] for part in mail.walk() if part.get_filename()]
    assert len(pages) >= 3
    for page in pages:
        assert f'<html lang="{code}"' in page.get_payload(decode=True).decode()


@pytest.mark.parametrize("code", OTHERS)
def test_buttons_write_what_the_english_ones_mean(mails: dict[str, list[Any]], code: str) -> None:
    tried = 0
    boxes = [{REFEREE: [each.as_bytes() for each in mails[language]]} for language in ("en", code)]
    judges = [Judge(cast("Any", SimpleNamespace(mails=box))) for box in boxes]
    for at in range(len(mails["en"])):
        for meant, own in zip(*(judge.buttons(at) for judge in judges), strict=True):
            assert parse_post_letter(f"{meant}x").commands == parse_post_letter(f"{own}x").commands, (meant, own)
            tried += 1
    assert tried > 30


@pytest.mark.parametrize("code", OTHERS)
def test_what_the_examples_teach_is_understood_alike(code: str) -> None:
    taught = [find_post_sentences(each).say("how_to_rule").partition(": ")[2] for each in ("en", code)]
    meant, own = (each.replace("…", "haikara").split(" / ") for each in taught)
    assert len(meant) == len(own) == 11
    for one, other in zip(meant, own, strict=True):
        (first,), (second,) = parse_post_letter(one).commands, parse_post_letter(other).commands
        assert isinstance(first, CourtOrder)
        assert isinstance(second, CourtOrder)
        named = ("act", "case", "turn", "length", "terms", "reason")
        assert [getattr(first, name) for name in named] == [getattr(second, name) for name in named], (one, other)
        said = [(bool(each.seat), bool(each.moves), bool(each.winners)) for each in (first, second)]
        assert said[0] == said[1]
