"""What matters comes first in a mail, and is said once."""

import re
from collections.abc import Callable
from typing import Any
from xml.etree.ElementTree import Element

import pytest

from pbem.locale.catalogues import find_locale
from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.commands.invitation import AcceptInvitation
from pbem.mail.writing.encoded_lines import WIDTH
from pbem.mail.writing.mime import Mail
from pbem.mail.writing.occasions import NewsMail, NoticeMail, ReplyMail, TurnMail
from pbem.mail.writing.sentences import find_sentences
from pbem.render import ENGLISH
from pbem.render.environment import environment
from pbem.tables.decision import NoticeKind
from tests.post.mailed_games import Game, watched


def words(text: str) -> str:
    return " ".join(text.split())


def headline(page: Element) -> str:
    (found,) = page.iter("h1")
    return found.text or ""


def test_a_status_begins_with_whose_turn_it_is_and_tells_points_once_and_no_board(
    mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]], tree: Callable[[str], Element]
) -> None:
    found = read(mails["status"])
    assert headline(tree(found["text/html"])) == "It is your turn, turn 61"
    assert found["text/plain"].count("\nIt is your turn") == 1
    assert len(re.findall(r"\b15\b", found["text/plain"])) == 1, "what the reader has"
    assert "leader P4" not in found["text/plain"]
    assert "<img" not in found["text/html"]


def test_a_board_begins_with_whose_turn_it_is_and_shows_it(
    mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]], tree: Callable[[str], Element]
) -> None:
    found = read(mails["board"])
    assert headline(tree(found["text/html"])) == "It is your turn, turn 61"
    assert "leader P4" in found["text/plain"]
    assert "<img" in found["text/html"]


@pytest.mark.parametrize(
    ("asked", "title"),
    [
        ("help", "What you can write"),
        ("history", "The record so far"),
        ("rule", "Rule TD-C3, camel beside rival"),
        ("preview", "A preview. Nothing was played"),
        ("settings", "From now on"),
    ],
)
def test_the_headline_of_an_answer_is_what_was_asked_for(
    asked: str,
    title: str,
    mails: dict[str, Mail],
    read: Callable[[Mail], dict[str, str]],
    tree: Callable[[str], Element],
) -> None:
    found = read(mails[asked])
    assert headline(tree(found["text/html"])) == title
    assert found["text/plain"].count(f"\n{title}\n") == 1


def test_several_answers_keep_their_titles(
    played: Callable[[int], Game],
    compose: Callable[..., Mail],
    answer: Callable[..., ReplyMail],
    read: Callable[[Mail], dict[str, str]],
    tree: Callable[[str], Element],
) -> None:
    game = played(60)
    page = tree(read(compose(game.table, answer(game, "red", "rule TD-C3\nrule TD-C1")))["text/html"])
    assert headline(page) == "Here it is"
    assert [(title.text or "")[:10] for title in page.iter("h2")] == ["Rule TD-C3", "Rule TD-C1"]


def test_whoever_plays_and_asks_hears_of_his_move_first(
    played: Callable[[int], Game],
    compose: Callable[..., Mail],
    answer: Callable[..., ReplyMail],
    read: Callable[[Mail], dict[str, str]],
    tree: Callable[[str], Element],
) -> None:
    game = played(60)
    reply = answer(game, "red", "lilac N5 M6\n\nstatus")
    found = read(compose(game.table, reply))
    assert headline(tree(found["text/html"])) == "Played: lilac N5 M6"
    assert found["text/plain"].count("Boris is next, turn 62.") == 1


def test_help_tells_how_to_move_before_all_other_orders(
    mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    text = read(mails["help"])["text/plain"]
    assert text.index("For example") < text.index("Everything else") < text.index("preview MOVE")


def test_cards_in_hand_come_before_what_may_be_done_with_them(
    mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    for name in ("brotherhood-turn", "brotherhood-seven", "nomadi-offer"):
        text = read(mails[name])["text/plain"]
        assert text.index("Only you see this") < text.index("Reply " if "offer" in name else "For example: "), name


def test_a_game_that_begins_is_not_told_with_everybody_who_accepted(
    start_game: Callable[..., Game], compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    game = start_game()
    (seat,) = game.table.due
    other = next(each for each in game.table.seats if each != seat)
    first, news = (
        read(compose(game.table, occasion(tuple(game.events)), seat=each))["text/plain"]
        for occasion, each in ((TurnMail, seat), (NewsMail, other))
    )
    assert "What happened" not in first, "the first turn says by itself that the game has begun"
    assert "| all have accepted, and the game begins\n" in news
    assert "(you) accepted" not in news
    assert "was opened" not in news


def test_who_has_accepted_is_told_while_others_are_waited_for(
    lay_table: Callable[..., Game], compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    game = lay_table()
    for seat in ("blue", "green"):
        game.do(seat, AcceptInvitation())
    assert "| blue (Boris) accepted" in read(compose(game.table, NewsMail(tuple(game.events[1:]))))["text/plain"]


def test_why_time_stands_still_is_told_once(mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]]) -> None:
    text = words(read(mails["paused"])["text/plain"])
    assert text.count("the referee is asleep") == 1
    appealed = words(read(mails["appealed"])["text/plain"])
    assert appealed.count("is with the referee") == 1


def test_points_that_nobody_has_are_left_out(
    start_game: Callable[..., Game],
    compose: Callable[..., Mail],
    mails: dict[str, Mail],
    read: Callable[[Mail], dict[str, str]],
) -> None:
    game = start_game()
    (seat,) = game.table.due
    first = read(compose(game.table, TurnMail(tuple(game.events)), seat=seat))
    assert "Points" not in first["text/plain"] + first["text/html"]
    told = read(mails["brotherhood-turn"])["text/plain"]
    assert "| Anna red: settlements 2, guards 1, together 3\n" in told
    assert "| Boris blue: settlements 2\n" in told


def test_at_the_end_every_point_is_told_once(mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]]) -> None:
    text = read(mails["game-over"])["text/plain"]
    assert "\n| You 30: water 13, " in text
    assert re.search(r"biggest \w+ \(\d+\) 10", text)
    assert "\nPoints\n" not in text
    assert "together" not in text


def test_points_of_one_source_are_not_summed(
    mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]], tree: Callable[[str], Element]
) -> None:
    found = read(mails["nomadi-dice"])
    assert "| You ◆ yellow: coins 5\n" in found["text/plain"]
    (points,) = [each for each in tree(found["text/html"]).iter("table") if each.get("role") is None]
    assert ["You ◆ yellow", "5", ""] in [["".join(cell.itertext()) for cell in row] for row in points.iter("tr")]


def test_what_a_reader_taps_first_is_a_move_of_his_own(
    mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]], tree: Callable[[str], Element]
) -> None:
    (button,) = tree(read(mails["turn"])["text/html"]).iterfind('.//a[@class="d-button"]')
    assert "".join(button.itertext()) == "| Write my move"
    assert "body=" not in button.attrib["href"]


@pytest.mark.parametrize("language", LANGUAGE_CODES)
def test_an_example_stands_in_one_line_and_can_be_copied(
    language: Any, offered: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    table = offered.table
    seat = table.game.view(table.position, "public")["who"]
    text = read(compose(table, TurnMail(offered.since(seat)), seat=seat, language=language))["text/plain"]
    example = "1 K15-K14, 3 M15-M12, 3 L13-O13, 5 K14-M11, 3 N14-K14, end"
    shown = find_sentences(find_locale(language), "nomadi").spoken(example)
    (line,) = [line for line in text.splitlines() if shown in line]
    assert len(line) <= WIDTH
    assert line.startswith("| ") or ":" in line, "and is not an order by itself"


def test_no_move_is_broken_in_two_on_a_small_screen(
    compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    game = Game(list(watched("brotherhood", "market")))
    (seat,) = game.table.due
    page = read(compose(game.table, TurnMail(game.since(seat)), seat=seat))["text/html"]
    assert '<span style="white-space:nowrap">21-28</span>' in page


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        ("bounces", "Mails come back undelivered"),
        ("played for", "We played for you"),
        ("substitute wanted", "A seat needs a player"),
    ],
)
def test_the_headline_of_a_notice_says_what_it_is_about(
    kind: NoticeKind,
    title: str,
    played: Callable[[int], Game],
    compose: Callable[..., Mail],
    read: Callable[[Mail], dict[str, str]],
    tree: Callable[[str], Element],
) -> None:
    mail = compose(played(60).table, NoticeMail(kind, "blue", "lilac N5 M6"))
    assert headline(tree(read(mail)["text/html"])) == title


def test_lines_left_alone_are_shown_with_the_reason_in_the_readers_words(
    mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    text = words(read(mails["receipt"])["text/plain"])
    assert "Lines we passed over | see you What is neither an order nor a move" in text
    assert "PO-L7" not in text


def test_an_invitation_names_those_who_have_not_answered_once(
    mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    text = words(read(mails["invitation"])["text/plain"])
    assert text.count("green (Chloé)") == 1
    assert "The game begins when all have accepted." in text


def test_a_long_word_is_broken_rather_than_let_it_widen_a_mail() -> None:
    page: Any = environment(ENGLISH).get_template("mails/unbroken.html").module
    keep = page.whole
    assert keep("from K15-K14 on").count("<span") == 1
    assert "<span" not in keep("saying " + "x-" * 90)


def test_news_that_the_headline_tells_whole_are_not_told_again(
    lay_table: Callable[..., Game],
    compose: Callable[..., Mail],
    read: Callable[[Mail], dict[str, str]],
    tree: Callable[[str], Element],
) -> None:
    game = lay_table()
    game.do("blue", AcceptInvitation())
    found = read(compose(game.table, NewsMail(tuple(game.events[1:]))))
    assert headline(tree(found["text/html"])) == "Blue (Boris) accepted"
    assert "What happened" not in found["text/plain"]


def test_the_line_that_names_the_quoted_letter_is_not_given_back(
    played: Callable[[int], Game],
    compose: Callable[..., Mail],
    answer: Callable[..., ReplyMail],
    read: Callable[[Mail], dict[str, str]],
) -> None:
    game = played(60)
    named = "On Tue, 17 Nov 2026 at 12:00, Caravan Post <caravan@post.example> wrote:"
    for cut, told in (((named,), False), ((named, "Sent from my abacus"), True)):
        text = read(compose(game.table, answer(game, "red", "status", cut)))["text/plain"]
        assert ("Not read: it looks" in text) == told
        assert "Caravan Post <" not in text


def test_signs_of_what_cards_were_worth_stand_before_them_in_hebrew() -> None:
    said = find_sentences(find_locale("he"), "nomadi").translate("held at the end: {values}", {"values": "+2 -1"})
    assert said.endswith("\N{LEFT-TO-RIGHT ISOLATE}+2 -1\N{POP DIRECTIONAL ISOLATE}")
    assert find_sentences(ENGLISH, "nomadi").translate("held at the end: {values}", {"values": "+2"}).endswith(": +2")
