"""What a letter itself puts off is a question; chat, however many a no it holds, stops no move.

`doubts.json` has lines for each language: those that put off a move below them, those that do it from below, and chat.
"""

import json
import time
from pathlib import Path

import pytest

from engine import registry
from pbem.mail.commands.parse_letter import CHARACTERS, parse_commands
from pbem.mail.commands.submit_moves import Plan, Play
from tests.pbem.mail.commands.asking import PLAY, outcome, question, read

MOVE = "lilac F4, salmon C9"
LINES = json.loads(Path(__file__).with_name("doubts.json").read_text("utf-8"))


def lines(kind: str) -> list[str]:
    return [line for language in LINES.values() for line in language[kind]]


def test_the_lines_are_in_five_languages() -> None:
    assert list(LINES) == ["en", "nl", "pl", "ru", "he"]
    assert all(len(language[kind]) >= 5 for language in LINES.values() for kind in ("above", "below", "chat"))


@pytest.mark.parametrize("line", lines("above"))
def test_a_move_is_not_played_below_words_that_put_it_off(line: str) -> None:
    for written in ((line, MOVE), ("Hi all,", "", line, "", MOVE, "", "Anna"), (line, "lilac F4", "salmon C9")):
        assert question(*written) in ("PO-L10", "PO-L6")  # `stop` is an order, and does not go with a move


@pytest.mark.parametrize("line", lines("below"))
def test_a_move_is_not_played_above_words_that_put_it_off(line: str) -> None:
    for written in ((MOVE, line), (MOVE, "", line, "", "Anna")):
        assert question(*written) == "PO-L10"


@pytest.mark.parametrize("line", lines("chat"))
def test_chat_above_a_move_puts_nothing_off(line: str) -> None:
    for written in ((line, MOVE), (line, "", MOVE)):
        assert outcome(*written) in ("played", "pencilled")


@pytest.mark.parametrize("language", LINES)
def test_most_chat_below_a_move_puts_nothing_off_either(language: str) -> None:
    """Below a move chat with a wait, a but or an if in it is sometimes asked about: better that than a wrong move."""
    found = [outcome(MOVE, "", line) for line in LINES[language]["chat"]]
    assert found.count("asked") <= len(found) / 5


@pytest.mark.parametrize("line", lines("above"))
def test_a_move_is_not_played_after_such_words_on_its_own_line(line: str) -> None:
    assert question(f"{line} {MOVE}") == "PO-L10"


@pytest.mark.parametrize("line", lines("below"))
def test_nor_before_them_on_its_own_line(line: str) -> None:
    assert question(f"{MOVE}. {line}") == "PO-L10"


def test_the_question_says_what_was_read_why_it_was_not_done_and_what_to_send() -> None:
    asked = read("Hi,", "Don\u2019t play this yet!", "l f4, s c9").question
    assert asked is not None
    assert asked.line == 2
    assert asked.detail == (
        "we ask first, because of line 2; you wrote “Don\u2019t play this yet!”. "
        "To do this, send it alone: lilac F4, salmon C9"
    )


@pytest.mark.parametrize(
    "words",
    [
        "If the weather holds, we sail.",
        "Maybe we meet on Sunday!",
        "Next turn I will be quicker.",
        "Perhaps you know :)",
    ],
)
def test_words_that_put_off_only_what_they_run_into_are_chat_in_a_sentence_of_their_own(words: str) -> None:
    assert outcome(words, MOVE) in ("played", "pencilled")
    assert question(words.rstrip(".!:) ") + ":", MOVE) in ("PO-L10", "PO-L11")


def test_only_the_last_sentence_of_a_line_runs_into_the_move() -> None:
    assert outcome("If it rains we stay here. Maybe for a week! My move:", MOVE) in ("played", "pencilled")
    assert question("It rains, and we stay here. Maybe", MOVE) == "PO-L10"
    long = "We have been here for two weeks now, and if it rains any longer, we shall go home. " * 5
    assert outcome(long, MOVE) in ("played", "pencilled")


@pytest.mark.parametrize("words", ["can i do ", "yesterday ", "not ", "wrong,", "wait ", ",", "?! ", "если бы "])
def test_no_prose_keeps_the_post_busy(words: str) -> None:
    started = time.process_time()
    read((words * CHARACTERS)[: CHARACTERS - 100], MOVE)
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    "order", ["plan lilac F4", "undo", "draw", "agree draw", "object", "resign", "accept", "decline", "standing pass"]
)
def test_no_order_that_binds_is_carried_out_in_doubt(order: str) -> None:
    assert question("I'm not sure about this", order) == "PO-L10"


@pytest.mark.parametrize("order", ["help", "status", "preview lilac F4", "notify turn", "vacation 2026-12-20"])
def test_who_is_in_doubt_may_look_and_ask(order: str) -> None:
    parsed = read("I'm not sure about this", order)
    assert (parsed.question, len(parsed.commands)) == (None, 1)


def test_a_plan_may_say_what_it_is_for() -> None:
    assert read("If that is still free next turn:", "plan lilac F4").commands == (Plan(("lilac F4",)),)


def test_words_for_others_may_doubt_what_they_like() -> None:
    parsed = read("press to blue: not sure about this, what do you think?", "", MOVE)
    assert parsed.commands[-1] == PLAY


@pytest.mark.parametrize(
    ("key", "move"), [("nomadi", "6 F12-I15"), ("brotherhood", "roll"), ("brotherhood-base", "roll")]
)
def test_it_is_so_in_every_game(key: str, move: str) -> None:
    game = registry.find_game(key)
    assert parse_commands(f"{move}\nbut not yet", game=game).commands == ()
    assert parse_commands(f"sorry for the delay\n{move}", game=game).commands == (Play(move),)


@pytest.mark.parametrize(
    ("line", "becomes"),
    [
        ("Lilac F4, salmon C9 - that's it...", "played"),
        ("Sorry for the delay! lilac F4, salmon C9", "played"),
        ("Two camels today, haikara lentää matalalla: lilac F4, salmon C9", "pencilled"),
        ("lilac F4, salmon C9 (sanoo kaivon oraakkeli)", "pencilled"),
        ("From: lilac F4, salmon C9", "asked"),
        ("lilac F4, salmon C9?", "asked"),
        ("lilac F4, salmon C9, but only if green agrees", "asked"),
        ("I was going to play lilac F4, salmon C9 but let me sleep on it", "asked"),
    ],
)
def test_a_move_in_the_middle_of_a_line_is_read_and_its_prose_decides(line: str, becomes: str) -> None:
    assert outcome(line) == becomes
    asked = read(line).question
    assert becomes == "played" or (asked is not None and asked.suggests == (PLAY.text,))
