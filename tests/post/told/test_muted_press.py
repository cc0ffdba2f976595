"""Players mute each other's words, of which nobody else learns, and report words to the referee."""

import re
from datetime import datetime
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from urllib.parse import unquote

import pytest

from engine.through_the_desert import GAME
from pbem.events.kinds import PressSent
from pbem.mail.commands.command import Command
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.press import Mute, Report
from pbem.mail.writing.choices import find_hint
from pbem.tables.cases import WantedRuling
from pbem.tables.play import Pending
from pbem.workflow import referee_acts
from pbem.workflow.open_game import Guest
from tests.post.post_games import TABLE, Friend
from tests.post.told.test_hints import page
from tests.post.towns import Town, found_town

RED, BLUE, GREEN = GAME.seats[:3]
JUDGE = "judge@post.test"
REFEREE: dict[str, object] = {"post.referee": JUDGE}
INSULT = "you are all donkeys"


def texts_to(town: Town, address: str) -> list[str]:
    """The text parts of all mails to an address, each in one line."""
    mails = (message_from_bytes(raw, policy=default) for raw in town.mails.get(address, []))
    bodies = (mail.get_body(("plain",)) for mail in mails)
    return [" ".join(body.get_content().split()) for body in bodies if body is not None]


def texts(town: Town, seat: str) -> list[str]:
    """The text parts of all mails to a player."""
    return texts_to(town, town.friends[seat].address)


def test_muted_words_are_in_no_mail_to_who_muted_them_and_in_all_others(tmp_path: Path) -> None:
    with found_town(tmp_path, GAME, 3, chosen=REFEREE) as town:
        assert town.write(RED, "mute Boris").fate == "applied"
        assert "You do not see what Boris writes. Only you know." in town.last_text(RED)
        before = len(texts(town, RED))
        town.write(BLUE, f"press to all: {INSULT}")
        town.write(BLUE, "press to red: and you most of all")
        assert len(texts(town, RED)) == before
        assert INSULT in texts(town, GREEN)[-1]
        town.write(GREEN, "press to all: be nice")
        assert "be nice" in texts(town, RED)[-1]
        for seat in (RED, BLUE, GREEN):
            town.write(seat, find_hint(town.table, seat))
        town.write(RED, "notify daily")
        town.write(BLUE, find_hint(town.table, BLUE) or "pass")
        town.wait(hours=30)
        assert not any("donkeys" in text or "most of all" in text for text in texts(town, RED))
        said = [event.payload.words for event in town.events if isinstance(event.payload, PressSent)]
        assert said == [INSULT, None, "be nice"], "the record keeps them"


def test_a_mute_is_known_to_who_muted_and_ends_by_a_word(tmp_path: Path) -> None:
    with found_town(tmp_path, GAME, 3) as town:
        town.write(RED, "mute blue")
        for seat, knows in ((RED, True), (BLUE, False), (GREEN, False)):
            town.write(seat, "status")
            assert ("You do not see what Boris writes." in " ".join(town.last_text(seat).split())) is knows
        town.write(RED, "unmute boris")
        assert "You see again what Boris writes." in town.last_text(RED)
        town.write(BLUE, f"press to all: {INSULT}")
        assert INSULT in texts(town, RED)[-1]


def test_nobody_else_can_tell_that_a_player_is_muted(tmp_path: Path) -> None:
    seen = []
    for order in ("mute boris", "unmute boris"):
        with found_town(tmp_path / order.split()[0], GAME, 3) as town:
            town.write(RED, order)
            for seat, words in ((BLUE, f"press to all: {INSULT}"), (BLUE, "press to red: hello"), (GREEN, "status")):
                town.write(seat, words)
            others = [town.friends[seat].mails for seat in (BLUE, GREEN)]
            mails = [(mail["Date"], mail["Subject"]) for mails in others for mail in mails]
            told = [_HASH.sub("#", text) for seat in (BLUE, GREEN) for text in texts(town, seat)]
            seen.append((mails, told, [(event.kind, event.at) for event in town.events]))
    assert seen[0] == seen[1]


_HASH = re.compile(r"\b[0-9a-f]{8}\b|\S{32,}")


def test_a_mute_is_between_two_people_at_one_table(tmp_path: Path) -> None:
    with found_town(tmp_path, GAME, 3) as town:
        assert town.write(RED, "mute red").reason == "PO-P3"
        assert town.write(RED, "mute referee").reason == "PO-P3"
        town.write(RED, "mute boris")
        town.write(BLUE, "resign")
        town.friends[BLUE] = Friend(BLUE, "Dora", "dora@players.test")
        ruling = WantedRuling("substitute", "welcome", seat=BLUE, name="Dora")
        referee_acts.open_case(town.context, TABLE, None, "a seat is free")
        referee_acts.rule(town.context, TABLE, 1, ruling, Guest(BLUE, "Dora", "dora@players.test"))
        town.carry()
        town.write(BLUE, "press to all: hello")
        assert "hello" in texts(town, RED)[-1]


def test_the_referee_gets_reported_words_with_who_and_when_and_how_to_act(tmp_path: Path) -> None:
    with found_town(tmp_path, GAME, 3, chosen=REFEREE) as town:
        town.write(BLUE, f"press to all: {INSULT}")
        counts = {seat: len(texts(town, seat)) for seat in (BLUE, GREEN)}
        events = len(town.events)
        (body,) = re.findall(r"body=(report[^\"&]*)", page(town, RED))
        assert town.write(RED, unquote(body)).fate == "applied"
        (told,) = texts_to(town, JUDGE)
        number = next(event.seq for event in town.events if event.kind == "press")
        assert f"Boris wrote to everybody ({moment(town)}, message {number}): | {INSULT}" in told
        assert told.startswith("Anna reports what Boris wrote")
        assert "open a case, which stops the clock" in told
        answers = str(message_from_bytes(town.mails[JUDGE][-1])["Reply-To"])
        assert f"+court.{TABLE}.0." in answers, "the referee answers this mail"
        assert "The referee now has what Boris wrote" in " ".join(town.last_text(RED).split())
        assert {seat: len(texts(town, seat)) for seat in (BLUE, GREEN)} == counts, "nobody else is told"
        assert len(town.events) == events


def moment(town: Town) -> str:
    """When the words were said, as mails say it."""
    at = next(datetime.fromisoformat(event.at) for event in town.events if event.kind == "press")
    return f"{at:%a} {at.day} {at:%b}, {at:%H:%M} UTC"


def test_private_words_are_shown_as_they_were_said_and_words_of_the_reporter_go_along(tmp_path: Path) -> None:
    with found_town(tmp_path, GAME, 3, chosen=REFEREE) as town:
        town.write(BLUE, f"press to red: {{{INSULT}\n\nand so on}}\n\nstatus")
        town.write(RED, "report boris: this is\nnot how we talk")
        (told,) = texts_to(town, JUDGE)
        assert f"Boris wrote to Anna ({moment(town)}" in told
        assert f"| {INSULT} | | and so on" in told.replace("|  ", "| ")
        assert "Anna adds: | this is | not how we talk" in told


def test_who_did_not_get_the_words_cannot_report_them(tmp_path: Path) -> None:
    with found_town(tmp_path, GAME, 3, chosen=REFEREE) as town:
        assert town.write(RED, "report").reason == "PO-P4"
        town.write(BLUE, f"press to red: {INSULT}")
        number = next(event.seq for event in town.events if event.kind == "press")
        assert town.write(GREEN, f"report boris {number}").reason == "PO-P4"
        assert town.write(BLUE, f"report boris {number}").reason == "PO-P4"
        assert texts_to(town, JUDGE) == []


def test_a_message_is_reported_once_and_three_in_a_day(tmp_path: Path) -> None:
    with found_town(tmp_path, GAME, 3, chosen=REFEREE) as town:
        for word in ("one", "two", "three", "four"):
            town.write(BLUE, f"press to all: {word}")
            assert town.write(RED, "report boris").fate == ("refused" if word == "four" else "applied")
        assert town.write(GREEN, "report boris").fate == "applied"
        assert town.write(GREEN, "report boris").reason == "PO-P4"
        town.wait(hours=25)
        assert town.write(RED, "report boris").fate == "applied"
        assert len(texts_to(town, JUDGE)) == 5


def test_the_text_part_says_how_to_report_and_to_mute_in_words_that_are_read(tmp_path: Path) -> None:
    with found_town(tmp_path, GAME, 3, chosen=REFEREE) as town:
        town.write(BLUE, f"press to all: {INSULT}")
        number = next(event.seq for event in town.events if event.kind == "press")
        orders = re.findall(r"^\| (?:\W*)((?:report|mute) [^\u2013]*?)\W* \u2013", town.last_text(RED), re.M)
        assert orders == [f"report Boris {number}", "mute Boris"]
        for order in orders:
            assert town.write(RED, order).fate == "applied"


def test_words_that_were_reported_may_be_muted_ones(tmp_path: Path) -> None:
    with found_town(tmp_path, GAME, 3, chosen=REFEREE) as town:
        town.write(BLUE, f"press to all: {INSULT}")
        town.write(RED, "mute boris\nreport boris")
        assert INSULT in texts_to(town, JUDGE)[0]


@pytest.mark.parametrize(
    ("order", "becomes"),
    [
        ("dempen boris", Mute(BLUE)),
        ("niet meer dempen boris", Mute(BLUE, on=False)),
        ("meld boris 7", Report(who=BLUE, number=7)),
        ("wycisz Borisa", Mute(BLUE)),
        ("nie wyciszaj Borisa", Mute(BLUE, on=False)),
        ("zgłoś Borisa", Report(who=BLUE)),
        ("заглушить Бориса", Mute(BLUE)),
        ("не глушить Бориса", Mute(BLUE, on=False)),
        ("пожаловаться на Бориса 12", Report(who=BLUE, number=12)),
        ("השתק בוריס", Mute(BLUE)),
        ("הסר השתקה בוריס", Mute(BLUE, on=False)),
        ("דווח על בוריס 5", Report(who=BLUE, number=5)),
        ("report boris: rude", Report("rude", BLUE)),
    ],
)
def test_both_are_said_in_five_languages(order: str, becomes: Command) -> None:
    pending = Pending(has_votes=False, allows=lambda text: False, names={"anna": RED, "boris": BLUE})
    assert parse_commands(order, game=GAME, pending=pending).commands == (becomes,)


@pytest.mark.parametrize("sentence", ["Report from the front: all is lost", "report bad words", "mute the sound"])
def test_a_sentence_that_only_begins_so_is_none(sentence: str) -> None:
    assert parse_commands(sentence, game=GAME).commands == ()
