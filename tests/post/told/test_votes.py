"""What is asked at a table, by mail: consent counts for what the answered mail asked, and everybody hears of it."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from email import message_from_bytes
from email.policy import SMTP
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine.chance import KeyedDealer
from engine.through_the_desert import GAME as DESERT
from engine.through_the_desert.moves import Camel, Leader
from pbem.tables.chance import random_moves
from pbem.tables.table import OVER, PLAYING
from tests.post.towns import Town, found_town

if TYPE_CHECKING:
    from email.message import Message

Found = Callable[..., Town]


@pytest.fixture
def found(tmp_path: Path) -> Iterator[Found]:
    """Found a town in which two play, and red is on turn; ``time__silence`` is `silence` in `[time]`."""
    with ExitStack() as stack:

        def call(turns: int = 16, players: int = 2, **chosen: object) -> Town:
            settings = {key.replace("__", "."): value for key, value in chosen.items()}
            options = {"First": "red"}
            town = stack.enter_context(found_town(tmp_path / "post", DESERT, players, options=options, chosen=settings))
            for _ in range(turns):
                assert town.write(town.table.due[0], some_turn(town)).fate == "applied"
            return town

        yield call


def some_turn(town: Town) -> str:
    """A legal turn of whoever is due."""
    return random_moves(town.table, town.table.due[0], KeyedDealer(b"votes"))


def some_camels(town: Town) -> list[str]:
    """Every camel that can be placed now."""
    moves = [ply.move for ply in town.table.game.legal(town.table.position)]
    return [f"{move.colour} {move.space}" for move in moves if isinstance(move, Camel | Leader)]


def words(town: Town, seat: str) -> str:
    """The last mail to a seat, on one line."""
    return " ".join(town.last_text(seat).replace("\n| ", "\n").split())


def answer_to(town: Town, seat: str, mail: "Message[str, str]", said: str) -> bytes:
    """A letter that answers a mail which is not the last."""
    friend = town.friends[seat]
    friend.mails.append(mail)
    return friend.answer(said, town.hours.now())


def tapped(town: Town, seat: str, mail: "Message[str, str]", said: str) -> bytes:
    """A letter as programs open it for a tap: it goes to the right address and names no mail that it answers."""
    letter = message_from_bytes(answer_to(town, seat, mail, said))
    del letter["In-Reply-To"], letter["References"]
    return letter.as_bytes(policy=SMTP)


def last_mail(town: Town, seat: str) -> "Message[str, str]":
    return town.friends[seat].mails[-1]


def test_consent_to_one_thing_is_none_to_what_was_asked_later(found: Found) -> None:
    town = found()
    town.write("red", "undo")
    about_undo = last_mail(town, "blue")
    town.write("red", "object undo")
    town.write("red", "draw")
    about_draw = last_mail(town, "blue")
    for said in ("agree", "agree draw"):
        assert town.deliver(answer_to(town, "blue", about_undo, said)).reason == "PO-V3"
        assert town.table.stage == PLAYING
        assert "asked this after the mail you answer" in words(town, "blue").lower()
        assert "reply agree draw or object draw" in words(town, "blue").lower()
    assert town.deliver(answer_to(town, "blue", about_draw, "agree")).reason == "PO-V3"
    assert "write `agree draw`" in words(town, "blue")
    assert town.table.stage == PLAYING
    assert town.write("blue", "agree draw").fate == "applied"
    assert town.table.stage == OVER


def test_letters_that_come_within_a_second_are_told_apart(found: Found) -> None:
    town = found()
    letters = [town.friends["red"].answer(said, town.hours.now()) for said in ("undo", "object undo", "pause")]
    for letter in letters:
        town.context.store.receive(letter, intake="test")
        town.handle(town.context)
    town.carry()
    about_undo, _, about_pause = town.friends["blue"].mails[-3:]
    assert town.deliver(answer_to(town, "blue", about_undo, "agree")).reason == "PO-V3"
    assert town.deliver(answer_to(town, "blue", about_pause, "agree")).fate == "applied"
    assert town.table.pauses == {"vote"}


def test_consent_that_names_no_mail_names_what_it_is_for(found: Found) -> None:
    town = found()
    earlier = last_mail(town, "blue")
    town.write("red", some_turn(town))
    town.write("blue", some_turn(town))
    town.write("red", "pause")
    asked = last_mail(town, "blue")
    assert town.deliver(tapped(town, "blue", asked, "agree")).reason == "PO-V3"
    assert "Write `agree pause`" in words(town, "blue")
    assert town.deliver(tapped(town, "blue", earlier, "agree pause")).reason == "PO-V3"
    assert town.table.pauses == set()
    assert town.deliver(tapped(town, "blue", asked, "agree pause")).fate == "applied"
    assert town.table.pauses == {"vote"}


def test_a_tap_on_one_undo_is_no_consent_to_another_in_the_same_turn(found: Found) -> None:
    town = found(players=3, turns=18)
    town.write("red", "undo")
    about_16 = last_mail(town, "green")
    town.write("red", "object undo")
    town.write("blue", "undo")
    about_17 = last_mail(town, "green")
    assert town.table.votes["undo"].turn == 17
    assert town.deliver(tapped(town, "green", about_16, "agree undo")).reason == "PO-V3"
    assert town.table.votes["undo"].agreed == {"blue"}
    assert town.deliver(answer_to(town, "green", about_17, "agree undo")).fate == "applied"
    assert town.table.votes["undo"].agreed == {"blue", "green"}


def test_a_letter_from_before_the_table_went_back_is_told_so(found: Found) -> None:
    town = found()
    turn_mail = last_mail(town, "red")
    first, second, *_ = some_camels(town)
    town.write("red", first)
    town.write("red", "undo")
    assert town.deliver(answer_to(town, "red", turn_mail, f"{first}, {second}")).reason == "PO-T1"
    assert "your mail answers one from before we went back" in words(town, "red")
    assert "Turn 0" not in words(town, "red")
    assert town.write("red", some_turn(town)).fate == "applied", "the answer can be answered"


def test_a_request_that_play_has_overtaken_is_told_to_be_closed(found: Found) -> None:
    town = found()
    town.write("red", "undo")
    town.write("red", some_turn(town))
    for seat in ("red", "blue"):
        assert "lapsed, because the game went on: to take it back" in words(town, seat)


def test_half_a_turn_can_be_taken_back_and_a_correction_is_told_what_stands(found: Found) -> None:
    town = found()
    first, second, third, *_ = some_camels(town)
    assert town.write("red", first).fate == "applied"
    assert "To take it back, reply undo." in words(town, "red")
    assert town.write("red", f"{second}, {third}").reason == "TD-T1"
    told = words(town, "red")
    assert f"Played already in turn 17: {first} Your turn is not over: 1 more move." in told
    assert "To take it back, reply undo." in told
    assert f"Not played: two camels are a turn, {third} is one more" in told
    assert town.write("red", "lilca Z9").fate == "refused"
    assert town.write("red", "undo").fate == "applied"
    assert town.write("red", f"{second}, {third}").fate == "applied"
    assert "To take it back, reply undo; the others are asked." in words(town, "red")
    assert "this stands already" not in words(town, "red")


def test_whoever_asks_is_told_who_must_agree_and_how_to_take_it_back(found: Found) -> None:
    town = found(players=3, turns=0)
    town.write("red", "draw")
    told = words(town, "red")
    assert "You offered a draw. Waiting for Boris and Chloe. To withdraw it, reply object draw." in told
    town.write("blue", "agree draw")
    town.write("red", "status")
    assert "Waiting for Chloe." in words(town, "red")
    town.write("red", "object draw")
    assert "Waiting for" not in words(town, "red")
    town.write("red", "pause")
    assert "You asked for a pause. 1 of these must still agree: Boris and Chloe." in words(town, "red")
    town.write("blue", "object pause")
    town.write("red", "status")
    assert "Waiting for Chloe." in words(town, "red")


@pytest.mark.parametrize(
    ("language", "asks", "waits"),
    [
        ("en", "Do you agree?", "You offered a draw. Waiting for Anna. To withdraw it, reply object draw."),
        ("nl", "Ga je akkoord?", "Je bood remise aan. We wachten op Anna."),
        ("pl", "Zgadzasz się?", "Twoja propozycja: remis. Czekamy na: Anna."),
        ("ru", "Вы согласны?", "Вы предложили ничью. Ждём: Anna."),
        ("he", "אתם מסכימים?", "הצעתם תיקו. מחכים ל-Anna."),
    ],
)
def test_only_who_has_not_answered_is_asked_in_later_mails(found: Found, language: str, asks: str, waits: str) -> None:
    town = found()
    for seat in town.friends:
        town.write(seat, f"language {language}")
    town.write("blue", "draw")
    for seat in town.friends:
        town.write(seat, "board")
    plain = re.sub("[\u2066-\u2069\u200e\u200f]", "", words(town, "blue"))
    assert asks in words(town, "red")
    assert asks not in plain
    assert waits in plain


def test_later_news_ask_neither_who_asked_nor_who_agreed(found: Found) -> None:
    town = found(players=3, turns=0)
    for seat in town.friends:
        town.write(seat, "notify each")
    town.write("red", "draw")
    town.write("blue", "agree draw")
    town.write("green", "press to all: let me think")
    subjects = {seat: [str(mail["Subject"]) for mail in town.friends[seat].mails] for seat in town.friends}
    assert any(subject.endswith("agree?") for subject in subjects["green"])
    assert not any(subject.endswith("agree?") for subject in subjects["red"])
    assert "Do you agree?" not in words(town, "red")
    assert "Do you agree?" not in words(town, "blue")


def test_a_draw_is_told_as_one_and_nobody_is_to_move_after_it(found: Found) -> None:
    town = found()
    town.write("red", "draw")
    town.write("blue", "agree draw")
    score = town.table.score
    for seat in town.friends:
        told = words(town, seat)
        assert "The game ended in a draw" in told
        assert f"Result: red {score.total('red')} and blue {score.total('blue')}, a draw" in told
        assert "to move" not in told
        assert "Turn 17:" not in told
        assert "Game over in turn 17" in told
        assert " won" not in told


def test_a_draw_without_those_who_gave_up_is_told_with_them_apart(found: Found) -> None:
    town = found(players=3)
    town.write("green", "resign")
    town.write("red", "draw")
    town.write("blue", "agree draw")
    red, blue, green = (town.table.score.total(seat) for seat in ("red", "blue", "green"))
    assert f"Result: red {red} and blue {blue}, a draw; green {green} " in words(town, "green")


@pytest.mark.parametrize(("language", "result"), [("en", "blue {} (won)"), ("pl", "niebieski {} "), ("he", "כחול {} ")])
def test_the_result_is_told_in_the_words_of_the_reader(found: Found, language: str, result: str) -> None:
    town = found()
    town.write("blue", f"language {language}")
    town.write("red", "resign")
    assert result.format(town.table.score.total("blue")) in words(town, "blue")
    assert "to move" not in words(town, "red")


@pytest.mark.parametrize(
    ("silence", "ahead", "stake"),
    [
        ("wait", "After that, everybody waits for you.", "If you are late, everybody waits."),
        ("play", "{wait} we play for you.", "If you are over 12 hours late, we play for you."),
        (
            "substitute",
            "{wait} somebody else may take your seat.",
            "If you are over 12 hours late, somebody else may take your seat.",
        ),
        ("forfeit", "{wait} you lose your seat.", "If you are over 12 hours late, you lose your seat."),
    ],
)
def test_a_reminder_and_a_status_in_grace_say_what_is_at_stake(
    found: Found, silence: str, ahead: str, stake: str
) -> None:
    town = found(turns=1, time__silence=silence)
    seat = town.table.due[0]
    assert stake not in words(town, seat)
    town.wait(days=2.2)
    assert f"1 day left, {town.friends[seat].name}" in words(town, seat)
    assert re.search(ahead.format(wait=r"After that we wait until [\w ,:]+, then"), words(town, seat))
    town.wait(hours=22)
    town.write(seat, "status")
    assert "Your time was up on" in words(town, seat)
    assert stake in words(town, seat)
