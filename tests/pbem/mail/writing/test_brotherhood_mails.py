"""Mails about the Brotherhood: every deed in words, hidden cards to those who know them, offers and answers to tap."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

import pytest

from engine.brotherhood import moves as m
from engine.brotherhood.moves import Road
from engine.game import PUBLIC
from engine.registry import find_game
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.submit_moves import Play
from pbem.mail.writing.board_pictures import last_marks
from pbem.mail.writing.choices import MOST, find_choices
from pbem.mail.writing.composer import Composer
from pbem.mail.writing.mime import Mail
from pbem.mail.writing.occasions import Envelope, NewsMail, Post, TurnMail
from pbem.mail.writing.sentences import find_sentences
from pbem.render import ENGLISH, Locale, marks_of
from tests.pbem.mail.writing.pseudo_language import Pseudo
from tests.post.mailed_games import Game

POST = Post("caravan@post.example", "Caravan Post", b"a key for tests")
KEYS = ("brotherhood", "brotherhood-base")
NAMES = {"red": "Anna", "blue": "Boris", "yellow": "Chloé", "black": "דנה"}

DEEDS = [
    (m.Dice(3, 4), "rolled 7, by 3 and 4 (three and four)"),
    (m.Dice(3, 4, 9), "rolled 7, by 3 and 4 (three and four), and 9 for the wildlings"),
    (m.Steal("ore"), "the stolen card is ore"),
    (m.Steal(None), "a card you have not seen is stolen"),
    (m.Draw("ranger"), "the card bought is Ranger Patrol"),
    (m.Draw(None), "the card bought is one you have not seen"),
    (m.Token("ice-river", "giant"), "the token turned up calls a wildling of Ice River: giant"),
    (m.Look(("ranger", "point")), "Melisandre sees Ranger Patrol, victory point"),
    (m.Look(None), "Melisandre sees cards that you have not seen"),
    (m.Roll(), "asked for the dice"),
    (m.Discard((0, 0, 2, 0, 1)), "gave back 2 wool, 1 ore"),
    (m.Tormund("H", "blue"), "moved Tormund to H to rob blue"),
    (m.Tormund("H"), "moved Tormund to H"),
    (m.End(), "ended the turn"),
    (m.Trade((0, 0, 3, 0, 0), (0, 0, 0, 0, 1)), "gave the supply 3 wool for 1 ore"),
    (m.Offer((0, 1, 0, 0, 0), (0, 0, 0, 1, 0), "blue"), "offered blue 1 brick for 1 grain"),
    (m.Offer((0, 1, 0, 0, 0), (0, 0, 0, 1, 0)), "offered everybody 1 brick for 1 grain"),
    (m.Accept("red"), "accepted the offer of red"),
    (m.Accept(), "accepted the offer"),
    (m.Decline("red"), "declined the offer of red"),
    (m.Decline(), "declined the offer"),
    (m.Withdraw(), "withdrew the offer"),
    (m.Road(17, 18), "built a road from 17 to 18"),
    (m.Settlement(17), "built a settlement on 17"),
    (m.Keep(17), "built a keep on 17"),
    (m.Guard(2), "posted a guard on section 2"),
    (m.Buy(), "bought a development card"),
    (m.Ranger("tormund", "H", "blue"), "played a Ranger Patrol: Tormund moves to H to rob blue"),
    (m.Ranger("tormund", "H"), "played a Ranger Patrol: Tormund moves to H"),
    (m.Ranger("wildling", "K"), "played a Ranger Patrol: the wildling on K is driven off"),
    (m.Winter("ore", "grain"), "played Winter is Coming for ore and grain"),
    (m.Roads(((17, 18), (18, 19))), "played Road Building: on 17-18, 18-19"),
    (m.Recruits(2), "played New Recruits: a guard on section 2"),
    (m.Mormont("ore", (("blue", "wool"),)), "used Mormont to demand ore of blue against wool"),
    (
        m.Mormont("ore", (("blue", "wool"), ("red", "grain"))),
        "used Mormont to demand ore of blue against wool, red against grain",
    ),
    (m.Marsh("wool", "ore"), "used Marsh to give the supply wool for ore"),
    (m.Tarly("ore"), "used Tarly, as the roll gave nothing, to get ore"),
    (m.Pass(), "left Tarly unused"),
    (m.Yarwyck((17, 18), (20, 21)), "used Yarwyck to move a road from 17-18 to 20-21"),
    (m.Thorne(2, "brick", "ore"), "used Thorne to post a guard on section 2, with ore instead of brick"),
    (m.Melisandre(), "used Melisandre to buy one of three cards"),
    (m.Melisandre("wool", "ore"), "used Melisandre to buy one of three cards, with ore instead of wool"),
    (m.Choose("ranger"), "kept Ranger Patrol"),
    (m.Choose(None), "kept a card you have not seen"),
    (m.Mance("blue"), "used Mance to look at the hand of blue"),
    (m.Take("ore"), "took ore out of it"),
    (m.Take(None), "took a card you have not seen out of it"),
    (m.Benjen("ice-river", 2), "used Benjen to send home the wildling in camp 2 of Ice River"),
    (m.Benjen(None, 3), "used Benjen to send home a wildling from clearing 3"),
    (m.Ygritte("K"), "used Ygritte to send home the wildling on K"),
    (m.Yoren(2), "used Yoren to give up a Ranger Patrol for a guard on section 2"),
    (m.Qhorin(), "used Qhorin to send Tormund back to his camp"),
    (m.Swap("tarly"), "exchanged the hero for Tarly"),
    (m.Flip(), "turned the hero to side B"),
]


@pytest.mark.parametrize(("move", "told"), DEEDS)
def test_every_deed_has_its_words(move: Any, told: str) -> None:
    for key in KEYS:
        assert find_sentences(ENGLISH, key).say_own("deed", "the phrase", ((type(move).__name__, move),)) == told


@pytest.mark.parametrize("key", KEYS)
def test_every_kind_of_move_is_told(key: str) -> None:
    game = find_game(key)
    assert game is not None
    assert set(game.moves) <= {type(move) for move, _ in DEEDS}


@pytest.mark.parametrize("told", [told for _, told in DEEDS])
def test_no_deed_is_an_order(told: str) -> None:
    for key in KEYS:
        assert parse_commands(told, game=find_game(key)).commands == ()


@pytest.mark.parametrize(
    ("gains", "told"),
    [
        ({"red": {"ore": 1}, "blue": {"wool": 2, "brick": 1}}, "that gave red 1 ore; blue 2 wool, 1 brick"),
        ({}, "that gave nobody anything"),
    ],
)
def test_what_a_roll_gave_is_told(gains: Any, told: str) -> None:
    for key in KEYS:
        sentences = find_sentences(ENGLISH, key)
        rolled = {"gains": gains, "dice": [3, 5]}
        assert sentences.harvest((m.Dice(3, 5, None),), rolled) == told
        assert sentences.harvest((m.Steal(None),), rolled) == ""
        assert sentences.harvest((m.Dice(3, 4, None),), {"gains": {}, "dice": [3, 4]}) == ""


@pytest.fixture(autouse=True)
def _blank_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands in pictures is tested elsewhere."""
    monkeypatch.setattr("pbem.mail.writing.board_pictures.draw_quickly", lambda *_: b"\x89PNG")


def view_of(game: Any, viewer: str = PUBLIC) -> Any:
    return game.table.game.view(game.table.position, viewer)


def write(compose: Any, read: Callable[[Mail], dict[str, str]], game: Any, seat: str, **changes: Any) -> dict[str, str]:
    table = game.table
    occasion = TurnMail(game.since(seat)) if seat in table.due else NewsMail(game.since(seat))
    return read(compose(table, occasion, seat=seat, name=NAMES[seat], **changes))


def words(part: str) -> str:
    return " ".join(part.replace("\n|  ", "").split())


def taps(page: str) -> list[str]:
    """What the links of a page would send."""
    return [unquote(body) for body in re.findall(r"[;&]body=([^\"&]*)", page)]


def test_whoever_was_offered_cards_can_answer_with_one_tap(
    bargain: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    (offer,) = view_of(bargain)["offers"]
    for seat in offer["to"]:
        found = find_choices(bargain.table, seat)
        assert found is not None
        parts = write(compose, read, bargain, seat)
        assert set(found.phrases) <= set(taps(parts["text/html"]))
        assert f"decline {offer['seat']}" in found.phrases
        assert f"to answer it, write accept {offer['seat']} or decline {offer['seat']}" in words(parts["text/plain"])
        assert ("you do not hold what is asked" in words(parts["text/plain"])) == ("Accept" not in found.by_kind)
    maker = write(compose, read, bargain, offer["seat"])
    assert "withdraw takes it back" in words(maker["text/plain"])
    assert f"decline {offer['seat']}" not in taps(maker["text/html"])


def test_whoever_has_only_to_answer_is_not_told_that_it_is_his_turn(
    bargain: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    view = view_of(bargain)
    (offer,) = view["offers"]
    asked = write(compose, read, bargain, offer["to"][0])["text/plain"]
    assert "Your answer is wanted, " in asked
    assert "Your turn" not in asked
    mover = write(compose, read, bargain, view["on_turn"])["text/plain"]
    assert f"Your turn, {NAMES[view['on_turn']]}: turn {view['turn']}" in mover.replace("\u2068", "").replace(
        "\u2069", ""
    )


def test_an_answer_is_told(bargain: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]) -> None:
    (offer,) = view_of(bargain)["offers"]
    seat, before = offer["to"][0], len(bargain.events)
    bargain.do(seat, Play(f"decline {offer['seat']}"))
    news = NewsMail(tuple(bargain.events[before:]))
    told = words(read(compose(bargain.table, news, seat=offer["seat"], name="Anna"))["text/plain"])
    assert f"declined the offer of {offer['seat']}" in told


def test_a_turn_mail_says_what_can_be_built_and_traded(
    market: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    table = market.table
    (seat,) = table.due
    found = find_choices(table, seat)
    assert found is not None
    text = words(write(compose, read, market, seat)["text/plain"])
    assert "Trade, then build, then end your turn" in text
    for road in found.by_kind.get("Road", ()):
        assert isinstance(road, Road)
        assert f"{road.one}-{road.two}" in text
    assert f"like this: {found.first['Trade']}" in text
    assert "trade NUMBER RESOURCE: RESOURCE; road NUMBER-NUMBER; end" in text
    assert found.example.endswith(", end")
    assert found.few[0] == "end"
    assert len(found.few) <= MOST
    assert "end" in taps(write(compose, read, market, seat)["text/html"])
    assert parse_commands(found.example, game=table.game).commands


def test_before_the_roll_the_dice_can_be_asked_for_with_one_tap(
    market: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    (seat,) = market.table.due
    market.do(seat, Play("end"))
    (following,) = market.table.due
    parts = write(compose, read, market, following)
    assert "Roll the dice." in parts["text/plain"]
    assert "roll" in taps(parts["text/html"])


def test_a_hand_is_told_to_its_owner_and_to_nobody_else(
    market: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    for seat in NAMES:
        own = view_of(market, seat)["hands"][seat]["cards"]
        held = ", ".join(f"{count} {resource}" for resource, count in own.items())
        text = words(write(compose, read, market, seat)["text/plain"])
        assert re.findall(r"\| you hold ([^|]*?) (?:\||What you may do|Points)", text) == [held or "no resource card"]


def test_a_card_bought_is_told_to_its_buyer_alone(
    purchase: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    drawn = next(event for event in reversed(purchase.events) if event.kind == "dealt")
    buyer = view_of(purchase)["on_turn"]
    for seat in NAMES:
        text = words(read(compose(purchase.table, NewsMail((drawn,)), seat=seat, name=NAMES[seat]))["text/plain"])
        assert ("the card bought is one you have not seen" in text) == (seat != buyer)


def test_a_discard_that_silence_would_make_is_named_and_can_be_tapped(
    flood: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    table = flood.table
    for seat in table.due:
        found = find_choices(table, seat)
        assert found is not None
        assert found.default.startswith("discard ")
        parts = write(compose, read, flood, seat)
        assert found.default in taps(parts["text/html"])
        assert f"this is given back for you: {found.default}" in words(parts["text/plain"])


def test_tarly_can_be_answered_with_one_tap(
    reaction: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    (seat,) = reaction.table.due
    sent = taps(write(compose, read, reaction, seat)["text/html"])
    assert {*(f"tarly {resource}" for resource in m.RESOURCES), "pass"} <= set(sent)


def test_no_line_of_our_mails_is_an_order(
    bargain: Game,
    market: Game,
    flood: Game,
    reaction: Game,
    compose: Callable[..., Mail],
    read: Callable[[Mail], dict[str, str]],
    shown: Callable[[str], list[str]],
) -> None:
    for game in (bargain, market, flood, reaction):
        mails = [write(compose, read, game, seat) for seat in NAMES]
        lines = {line for parts in mails for line in (*parts["text/plain"].splitlines(), *shown(parts["text/html"]))}
        for line in lines:
            assert parse_commands(line, game=game.table.game).commands == (), line


def test_moves_leave_marks_where_pieces_came(market: Game) -> None:
    moves = (
        *(m.Settlement(17), m.Road(17, 18), m.Guard(2), m.Tormund("H", "blue"), m.Winter("ore", "ore")),
        *(m.Roads(((1, 5), (1, 6))), m.Yarwyck((1, 5), (5, 10)), m.End(), m.Trade((0,) * 5, (0,) * 5)),
    )
    assert marks_of(moves) == ("17", "17-18", "section 2", "H", "1-5", "1-6", "5-10")
    assert isinstance(last_marks(market.table), tuple)


@pytest.mark.parametrize(
    ("waits_for", "says"),
    [
        ("settle", "Place a settlement and a road that touches it."),
        ("pave", "Place a road at your new settlement:"),
        ("guard", "Put a guard on a section of the Wall, free of charge."),
        ("tormund", "A seven was rolled: move Tormund to another hex"),
        ("react", "The roll gave you nothing, so Tarly may bring you one card"),
        ("part", "Your hero was used: flip it"),
        ("choose", "Keep one of the cards that Melisandre shows you"),
        ("take", "Take one card out of the hand that Mance shows you"),
        ("build", "You have begun to build, so trading is over."),
    ],
)
def test_every_moment_has_its_words(market: Game, waits_for: str, says: str) -> None:
    seat = view_of(market)["on_turn"]
    view = {**view_of(market, seat), "waits_for": waits_for}
    said = find_sentences(ENGLISH, "brotherhood").list_out("may", view, seat, find_choices(market.table, seat))
    assert said[0].startswith(says)


def test_whom_tormund_may_rob_is_told_hex_by_hex(market: Game) -> None:
    seat = view_of(market)["on_turn"]
    view, found = {**view_of(market, seat), "waits_for": "tormund"}, find_choices(market.table, seat)
    assert found is not None
    found.__dict__["by_kind"] = {"Tormund": [m.Tormund("A"), m.Tormund("H", "blue"), m.Tormund("H", "red")]}
    said = find_sentences(ENGLISH, "brotherhood").list_out("may", view, seat, found)
    assert said[1:] == ["to rob somebody: H (blue, red)", "where nobody can be robbed: A"]


def test_what_heroes_show_is_told_to_their_user(market: Game) -> None:
    view = view_of(market, "red")
    heroes = {**view["watch"]["heroes"], "searched": "blue", "hand": {"ore": 2}, "cards": {"ranger": 2, "point": 1}}
    seen = {**view, "watch": {**view["watch"], "heroes": heroes}}
    said = find_sentences(ENGLISH, "brotherhood").list_out("private", seen, "red")
    assert "Melisandre shows you: Ranger Patrol 2, victory point 1" in said
    assert "Mance shows you the hand of blue: 2 ore" in said


def test_a_mail_can_run_from_right_to_left(
    bargain: Game, envelope: Envelope, read: Callable[[Mail], dict[str, str]], pseudo: Pseudo
) -> None:
    composer = Composer(POST, locales=lambda _: Locale("he", pseudo, rtl=True))
    table = bargain.table
    for seat in table.due:
        mail = composer.compose(table, replace(envelope, seat=seat), TurnMail(bargain.since(seat)))
        assert '<html lang="he" dir="rtl">' in read(mail)["text/html"]
        unsaid = set(re.findall(r"\b[a-z]{4,}\b", read(mail)["text/plain"]))
        assert not {"settlements", "roads", "card", "dice", "supply", "offer", "guards", "wildlings"} & unsaid
