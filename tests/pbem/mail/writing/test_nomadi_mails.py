"""Mails about Nomadi: what chance brought, dice in words and figures, secrets to those who know them, offers to tap."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote
from xml.etree.ElementTree import Element

import pytest

from engine.chance import KeyedDealer
from engine.game import View
from engine.nomadi.moves import Card, Dice, End, Step
from engine.through_the_desert.moves import Camel
from pbem.events.kinds import ChanceDealt, TurnPlayed
from pbem.mail.commands.command import CommandContext
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.submit_moves import Play
from pbem.mail.writing.board_pictures import last_marks
from pbem.mail.writing.choices import FEW, find_choices
from pbem.mail.writing.composer import Composer
from pbem.mail.writing.mime import Mail
from pbem.mail.writing.occasions import Envelope, NewsMail, Post, ReminderMail, ReplyMail, TurnMail
from pbem.mail.writing.sentences import find_sentences
from pbem.mail.writing.told_turns import DealtFacts
from pbem.render import ENGLISH, Locale, marks_of
from tests.pbem.mail.writing.pseudo_language import Pseudo
from tests.post.mailed_games import Game

POST = Post("caravan@post.example", "Caravan Post", b"a key for tests")
WORDS = "Good luck: take N13"
NAMES = {"blue": "Anna", "yellow": "Boris", "red": "Chloé", "green": "דנה"}


FACTS = DealtFacts("Dov", False, "", False, False, True, False, "red", NAMES)


@pytest.mark.parametrize(
    ("move", "facts", "told"),
    [
        (Dice((6, 3, 3, 1, 5, 2)), FACTS, "Dov rolled 6 3 3 1 5 2"),
        (Dice((6, 3)), FACTS._replace(is_reader=True), "You rolled 6 3"),
        (Dice((6, 3)), FACTS._replace(is_again=True), "No stone could be moved. Dov rolled 6 3"),
        (Dice((6, 3)), FACTS._replace(who=""), "The dice: 6 3"),
        (Card("I15", 2), FACTS, "The card from I15 is worth +2"),
        (Card("I15", -1), FACTS._replace(is_secret=True), "The card from I15 is worth -1. Only you see this."),
        (Card("I15", None), FACTS, "Dov looked at the card from I15"),
        (Card("I15", None), FACTS._replace(who=""), "The card from I15 was looked at"),
    ],
)
def test_what_chance_brought_has_its_words(move: Any, facts: DealtFacts, told: str) -> None:
    assert find_sentences(ENGLISH, "nomadi").outcome("dealt", "the phrase", move, facts, None) == told


@pytest.mark.parametrize(
    ("phrase", "told"),
    [
        ('offer "a fine one"', 'offer "a fine one"'),
        ('offer "a fine \u202eone"', 'offer "a fine \ufffdone"'),
        (f'offer "{"x" * 900}"', f'offer "{"x" * 199}…"'),
        ('offer "שלום"', 'offer \u2068"שלום"\u2069'),
        ("give red 3", "give red 3"),
    ],
)
def test_what_a_player_says_with_an_offer_is_shown_safely(phrase: str, told: str) -> None:
    assert find_sentences(ENGLISH, "nomadi").spoken(phrase) == told


def test_a_player_is_called_by_name_inside_a_move() -> None:
    assert find_sentences(ENGLISH, "nomadi").spoken("give red 3", (("red", "Chloé"),)) == "give Chloé 3"


@pytest.fixture(autouse=True)
def _blank_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands in pictures is tested elsewhere."""
    monkeypatch.setattr("pbem.mail.writing.board_pictures.draw_quickly", lambda *_: b"\x89PNG")


def write(compose: Any, read: Callable[[Mail], dict[str, str]], game: Any, seat: str, **changes: Any) -> dict[str, str]:
    table = game.table
    occasion = TurnMail(game.since(seat)) if seat in table.due else NewsMail(game.since(seat))
    return read(compose(table, occasion, seat=seat, name=NAMES[seat], **changes))


def taps(page: str) -> list[str]:
    """What the links of a page would send."""
    return [unquote(body) for body in re.findall(r"[;&]body=([^\"&]*)", page)]


def test_whoever_was_offered_a_card_can_answer_with_one_tap(
    offered: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    (offer,) = offered.table.game.view(offered.table.position, "public")["offers"]
    square, taker = offer["square"], offer["to"]
    parts = write(compose, read, offered, taker)
    for order in (f"take {square}", f"leave {square}"):
        assert order in taps(parts["text/html"])
        assert parse_commands(order, game=offered.table.game).commands
    for part in parts.values():
        assert f"Reply take {square} or leave {square}." in " ".join(part.replace("\n|  ", "").split())
    assert "Take it" in parts["text/html"]
    assert "Leave it to Anna" in parts["text/html"]
    assert "<img" not in parts["text/html"], "an offer is words only"
    giver = write(compose, read, offered, offer["from"])
    assert f"take {square}" not in taps(giver["text/html"])


def test_whoever_has_only_to_answer_is_not_told_that_it_is_his_turn(
    offered: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    view = offered.table.game.view(offered.table.position, "public")
    taker, mover, turn = view["offers"][0]["to"], view["who"], view["turn"]
    (watcher, *_) = [seat for seat in NAMES if seat not in (taker, mover)]
    assert taker != mover
    asked = write(compose, read, offered, taker)["text/plain"]
    assert "Take the card or leave it by " in asked
    assert "Your turn" not in asked
    assert f"Your turn, {NAMES[mover]}" in write(compose, read, offered, mover)["text/plain"]
    watched = " ".join(write(compose, read, offered, watcher)["text/plain"].split())
    assert re.search(rf"{NAMES[mover]} is next, turn {turn}\. Waiting for \W?{NAMES[taker]}", watched)


def test_a_reminder_says_what_the_post_answers_for_whoever_is_silent(
    offered: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    (offer,) = offered.table.game.view(offered.table.position, "public")["offers"]
    told = " ".join(read(compose(offered.table, ReminderMail(), seat=offer["to"]))["text/plain"].split())
    answered = f"After that we wait until Fri 20 Nov, 07:00 your time, then we answer for you: leave {offer['square']}"
    assert answered in told


def test_an_answer_in_the_turn_of_somebody_else_is_not_to_be_taken_back_by_undo(
    offered: Game,
    compose: Callable[..., Mail],
    answer: Callable[..., ReplyMail],
    read: Callable[[Mail], dict[str, str]],
) -> None:
    (offer,) = offered.table.game.view(offered.table.position, "public")["offers"]
    reply = answer(offered, offer["to"], f"leave {offer['square']}")
    ruling = reply.outcomes[0][1].ruling
    assert ruling is not None
    assert ruling.complete
    assert "answer with undo" not in read(compose(offered.table, reply, seat=offer["to"]))["text/plain"]


def test_the_words_of_an_offer_stand_only_behind_bars(
    offered: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    for seat in NAMES:
        lines = write(compose, read, offered, seat)["text/plain"].splitlines()
        told = [line for line in lines if "Good luck" in line]
        assert all(line.startswith("| ") for line in told)
        assert seat == "blue" or told


def test_the_words_of_an_offer_are_escaped_on_a_page(
    offered: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]], tree: Callable[[str], Element]
) -> None:
    played = offered.events[-2]
    assert isinstance(played.payload, TurnPlayed)
    assert WORDS in played.payload.phrase
    hostile = replace(played, payload=replace(played.payload, phrase='offer "<b>&</b>\u202e"'))
    page = read(compose(offered.table, NewsMail((hostile,)), seat="red", name="Chloé"))["text/html"]
    assert "&lt;b&gt;&amp;&lt;/b&gt;\ufffd" in page
    assert not list(tree(page).iter("b"))


def test_a_value_is_told_to_whoever_looked_and_to_nobody_else(
    offered: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    table = offered.table
    (offer,) = table.game.view(table.position, "public")["offers"]
    value = table.game.view(table.position, offer["from"])["values"][offer["square"]]
    for seat in NAMES:
        text = " ".join(write(compose, read, offered, seat)["text/plain"].replace("\n|   ", " ").split())
        knows = seat == offer["from"]
        assert (f"you looked at the card from {offer['square']}, worth {value:+d}, which you offer" in text) == knows
        assert (f"Anna looked at the card from {offer['square']}." in text) != knows


def test_a_preview_of_taking_a_card_shows_it_neither_in_words_nor_in_the_picture(
    offered: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (offer,) = offered.table.game.view(offered.table.position, "public")["offers"]
    square, taker, drawn = offer["square"], offer["to"], []

    def draw(key: str, view: View, *_: object) -> bytes:
        drawn.append(view)
        return b"\x89PNG"

    monkeypatch.setattr("pbem.mail.writing.board_pictures.draw_quickly", draw)
    parsed = parse_commands(f"preview take {square}", game=offered.table.game)
    (command,) = parsed.commands
    context = CommandContext(datetime.now(UTC), KeyedDealer(b""))
    reply = ReplyMail(parsed, ((command, command.decide(offered.table, taker, context)),))
    parts = read(compose(offered.table, reply, seat=taker, name=NAMES[taker]))
    told = " ".join(parts["text/plain"].split())
    assert f"You could play take {square}" in told
    assert "What the last move brings stays hidden until you play it" in told
    assert f"take {square}" in taps(parts["text/html"])
    assert drawn
    assert not any(square in view["values"] for view in drawn)


def test_a_throw_that_moved_no_stone_says_why_there_is_another(
    offered: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    thrown = next(event for event in offered.events if event.kind == "dealt")
    payload = thrown.payload
    assert isinstance(payload, ChanceDealt)
    first, second, later = (
        replace(thrown, seq=seq, payload=replace(payload, turn=turn, phrase=f"dice {dice}"))
        for seq, turn, dice in ((90, 47, "4 3 6 3 4 3"), (91, 47, "4 3 2 2 4 5"), (92, 48, "6 4 5 1 1 1"))
    )
    text = " ".join(read(compose(offered.table, NewsMail((first, second, later)), seat="red"))["text/plain"].split())
    text = text.replace("| ", "")
    assert "The dice: 4 3 6 3 4 3. No stone could be moved." in text
    assert "No stone could be moved. The dice: 4 3 2 2 4 5. The dice: 6 4 5 1 1 1." in text


@pytest.mark.parametrize(
    ("coins", "told"), [(1, "you have 1 coin"), (7, "you have 7 coins"), (-2, "you owe the bank 2 coins")]
)
def test_coins_that_others_do_not_see_are_told_to_their_owner(offered: Game, coins: int, told: str) -> None:
    view = offered.table.game.view(offered.table.position, "blue")
    sentences = find_sentences(ENGLISH, "nomadi")
    assert told in sentences.list_out("private", {**view, "coins": {"blue": coins}}, "blue")
    assert "coin" not in " ".join(sentences.list_out("private", view, "blue"))


def test_an_answer_is_told_and_whoever_took_the_card_knows_it(
    offered: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    (offer,) = offered.table.game.view(offered.table.position, "public")["offers"]
    square, taker = offer["square"], offer["to"]
    before = len(offered.events)
    offered.do(taker, Play(f"take {square}"))
    news = NewsMail(tuple(offered.events[before:]))
    told = read(compose(offered.table, news, seat="blue", name="Anna"))["text/plain"]
    assert f"{NAMES[taker]}: take {square}" in told.replace("\u2068", "").replace("\u2069", "")
    own = read(compose(offered.table, news, seat=taker, name=NAMES[taker]))["text/plain"]
    assert re.search(rf"\| Only you see this: your cards: [^;]*{square} [+-]?\d", own)


def test_whoever_is_on_turn_reads_what_each_die_can_do(
    offered: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    table = offered.table
    mover = table.game.view(table.position, "public")["who"]
    found = find_choices(table, mover)
    assert found is not None
    text = " ".join(write(compose, read, offered, mover)["text/plain"].replace("\n|  ", "").split())
    for step in found.by_kind["Step"]:
        assert isinstance(step, Step)
        line = re.search(rf"\| {step.die}: ([^|]*)", text)
        assert line
        assert f"{step.origin}-{step.target}" in line[1].split()


def test_no_line_of_our_mails_is_an_order(
    offered: Game,
    compose: Callable[..., Mail],
    read: Callable[[Mail], dict[str, str]],
    shown: Callable[[str], list[str]],
) -> None:
    mails = [write(compose, read, offered, seat) for seat in NAMES]
    lines = {line for parts in mails for line in (*parts["text/plain"].splitlines(), *shown(parts["text/html"]))}
    assert any(WORDS in line for line in lines)
    for line in lines:
        assert parse_commands(line, game=offered.table.game).commands == (), line


def test_the_picture_marks_the_ways_of_the_turn_before_the_dice(offered: Game) -> None:
    table = offered.table
    last = [entry for entry in table.entries if entry.number == table.turn - 1 and entry.who != "*"]
    steps = [move for entry in last for move in entry.moves if isinstance(move, Step)]
    assert last_marks(table) == tuple(dict.fromkeys(f"{step.origin}-{step.target}" for step in steps)) != ()


def test_moves_leave_marks_as_spaces_and_as_ways() -> None:
    moves = (Step(6, "F12", "I15", "I12"), Step(1, "A1", "A2"), Step(1, "A1", "A2"), End(), Camel("mint", "K7"))
    assert marks_of(moves) == ("F12-I12-I15", "A1-A2", "K7")


def test_kinds_of_move_that_leave_a_choice_are_not_laid_out_to_tap(offered: Game) -> None:
    table = offered.table
    for seat in table.due:
        found = find_choices(table, seat)
        assert found is not None
        kinds = {kind: len(moves) for kind, moves in found.by_kind.items()}
        assert len(found.few) == sum(count for count in kinds.values() if count <= FEW)


def test_a_mail_can_run_from_right_to_left(
    offered: Game, envelope: Envelope, read: Callable[[Mail], dict[str, str]], pseudo: Pseudo
) -> None:
    composer = Composer(POST, locales=lambda _: Locale("he", pseudo, rtl=True))
    table = offered.table
    for seat in table.due:
        mail = composer.compose(table, replace(envelope, seat=seat), TurnMail(offered.since(seat)))
        assert '<html lang="he" dir="rtl">' in read(mail)["text/html"]
        unsaid = set(re.findall(r"\b[a-z]{4,}\b", read(mail)["text/plain"])) - {"caravan", "post", "sirocco"}
        assert not {"stones", "coins", "card", "dice", "from", "with", "ravine", "oasis"} & unsaid


def test_debts_stand_with_their_sign_before_them_in_hebrew(
    offered: Game, compose: Any, read: Callable[[Mail], dict[str, str]]
) -> None:
    table = offered.table
    position: Any = table.position
    position = position._replace(coins=(-2, 5, 5, 5))
    owing = replace(table, position=position)
    text = read(compose(owing, NewsMail(tuple(offered.events[-1:])), seat="red", language="he"))["text/plain"]
    (points,) = [line for line in text.splitlines() if line.startswith("נקודות:")]
    assert "\N{LEFT-TO-RIGHT MARK}-2" in points or "\u2066-2\u2069" in points
