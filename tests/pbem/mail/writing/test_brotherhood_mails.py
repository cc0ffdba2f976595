"""Mails about the Brotherhood: what chance brought, hidden cards to those who know them, offers and answers to tap."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar
from urllib.parse import unquote

import pytest

from engine.brotherhood import moves as m
from engine.brotherhood.moves import Road
from engine.game import PUBLIC
from engine.registry import find_game
from pbem.locale.catalogues import find_locale
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.submit_moves import Play
from pbem.mail.writing.board_pictures import last_marks
from pbem.mail.writing.choices import MOST, find_choices
from pbem.mail.writing.composer import Composer
from pbem.mail.writing.mime import Mail
from pbem.mail.writing.occasions import Envelope, NewsMail, Post, TurnMail
from pbem.mail.writing.sentences import find_sentences
from pbem.mail.writing.told_turns import DealtFacts
from pbem.render import ENGLISH, Locale, marks_of
from tests.pbem.mail.writing.pseudo_language import Pseudo
from tests.post.mailed_games import Game

POST = Post("caravan@post.example", "Caravan Post", b"a key for tests")
KEYS = ("brotherhood", "brotherhood-base")
NAMES = {"red": "Anna", "blue": "Boris", "yellow": "Chloé", "black": "דנה"}

FACTS = DealtFacts("Dov", False, "Boris", False, False, True, False, "red", NAMES)
TO_THIEF = FACTS._replace(is_reader=True, is_secret=True)
TO_VICTIM = FACTS._replace(from_reader=True, is_secret=True)
LONG_AGO = FACTS._replace(who="", whom="")

OUTCOMES: list[tuple[Any, DealtFacts, Any, str]] = [
    (m.Dice(3, 4), FACTS, None, "Dov rolled 7 (3+4)"),
    (m.Dice(3, 5, 9), FACTS, None, "Dov rolled 8 (3+5), wildling die 9"),
    (m.Dice(3, 5), TO_THIEF, None, "You rolled 8 (3+5)"),
    (m.Dice(3, 5), LONG_AGO, None, "The dice: 8 (3+5)"),
    (m.Dice(3, 5), FACTS, {"gains": {}}, "Dov rolled 8 (3+5). Nobody gets anything."),
    (m.Dice(3, 4), FACTS, {"gains": {}}, "Dov rolled 7 (3+4)"),
    (
        m.Dice(3, 5),
        FACTS,
        {"gains": {"blue": {"wool": 2, "brick": 1}, "red": {"ore": 1}, "yellow": {"ore": 2}}},
        "Dov rolled 8 (3+5): you get 1 ore; Boris 2 wool, 1 brick; Chloé 2 ore",
    ),
    (m.Dice(3, 5), FACTS, {"gains": {"blue": {"wool": 2}}}, "Dov rolled 8 (3+5): Boris gets 2 wool"),
    (m.Steal("ore"), FACTS, None, "Dov took 1 ore from Boris"),
    (m.Steal("ore"), TO_THIEF, None, "You took 1 ore from Boris. Only you two know."),
    (m.Steal("ore"), TO_VICTIM, None, "Dov took 1 ore from you. Only you two know."),
    (m.Steal(None), FACTS, None, "Dov took a card from Boris"),
    (m.Steal(None), LONG_AGO, None, "Taken: a card"),
    (m.Draw("ranger"), TO_THIEF, None, "You drew: Ranger Patrol. Only you see this."),
    (m.Draw("ranger"), FACTS, None, "Dov drew: Ranger Patrol"),
    (m.Draw(None), FACTS, None, ""),
    (m.Token("ice-river", "giant"), FACTS, None, "New wildling: giant, Ice River"),
    (m.Look(("ranger", "point")), TO_THIEF, None, "You drew: Ranger Patrol, victory point. Only you see this."),
    (m.Look(None), FACTS, None, ""),
]
SECRETS = [
    (m.Take(None), FACTS, "Dov took a card from Boris"),
    (m.Take("ore"), TO_VICTIM, "Only you two know."),
    (m.Choose(None), FACTS, "Dov kept a card"),
    (m.Choose("ranger"), TO_THIEF, "Only you see this."),
]


@pytest.mark.parametrize(("move", "facts", "view", "told"), OUTCOMES)
def test_what_chance_brought_has_its_words(move: Any, facts: DealtFacts, view: Any, told: str) -> None:
    for key in KEYS:
        assert find_sentences(ENGLISH, key).outcome("dealt", "the phrase", move, facts, view) == told


@pytest.mark.parametrize(("move", "facts", "told"), SECRETS)
def test_a_hidden_move_is_told_as_far_as_the_reader_may_know_it(move: Any, facts: DealtFacts, told: str) -> None:
    for key in KEYS:
        assert find_sentences(ENGLISH, key).outcome("secret", "the phrase", move, facts, None) == told


@pytest.mark.parametrize("told", [told for *_, told in (*OUTCOMES, *SECRETS)])
def test_nothing_that_is_told_of_chance_is_an_order(told: str) -> None:
    for key in KEYS:
        assert parse_commands(told, game=find_game(key)).commands == ()


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
        yes = f"accept {offer['seat']}, " if "Accept" in found.by_kind else ""
        assert f"Reply {yes}decline {offer['seat']}, or your own offer: offer 1 " in words(parts["text/plain"])
        assert ("Accept: give " in parts["text/html"]) == bool(yes)
        assert any(tap.startswith("offer 1 ___ for 1 ___ to ") for tap in taps(parts["text/html"]))
        assert "<img" not in parts["text/html"], "an offer is words only"
        assert ("you do not have what is asked for" in words(parts["text/plain"])) == ("Accept" not in found.by_kind)
    maker = write(compose, read, bargain, offer["seat"])
    assert "withdraw takes it back" in words(maker["text/plain"])
    assert f"decline {offer['seat']}" not in taps(maker["text/html"])


def test_whoever_has_only_to_answer_is_not_told_that_it_is_his_turn(
    bargain: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    view = view_of(bargain)
    (offer,) = view["offers"]
    asked = write(compose, read, bargain, offer["to"][0])["text/plain"]
    assert "Answer the offer by " in asked
    assert "Your turn" not in asked
    mover = write(compose, read, bargain, view["on_turn"])["text/plain"]
    assert f"Your turn, {NAMES[view['on_turn']]}" in mover.replace("\u2068", "").replace("\u2069", "")


def test_an_answer_is_told(bargain: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]) -> None:
    (offer,) = view_of(bargain)["offers"]
    seat, before = offer["to"][0], len(bargain.events)
    bargain.do(seat, Play(f"decline {offer['seat']}"))
    news = NewsMail(tuple(bargain.events[before:]))
    told = words(read(compose(bargain.table, news, seat=offer["seat"], name="Anna"))["text/plain"])
    assert f"{NAMES[seat]}: decline {NAMES[offer['seat']]}" in told.replace("\u2068", "").replace("\u2069", "")


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
        assert re.findall(r"\| Only you see this: you hold ([^|;.]*)[;.]", text) == [held or "no resource card"]


def test_a_card_bought_is_told_to_its_buyer_alone(
    purchase: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    drawn = next(event for event in reversed(purchase.events) if event.kind == "dealt")
    buyer = view_of(purchase)["on_turn"]
    for seat in NAMES:
        text = words(read(compose(purchase.table, NewsMail((drawn,)), seat=seat, name=NAMES[seat]))["text/plain"])
        assert ("You drew: " in text) == ("Only you see this." in text) == (seat == buyer)


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
        assert f"we give back for you: {found.default}" in words(parts["text/plain"])


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
        ("tormund", "You rolled a seven: move Tormund to another hex"),
        ("react", "The roll gave you nothing, so Tarly can bring you one card"),
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


@pytest.mark.parametrize(
    ("code", "land", "beside"),
    [
        ("en", "pasture", "next to"),
        ("nl", "weide", "naast"),
        ("pl", "pastwiska", "obok"),
        ("ru", "пастбище", "рядом"),
        ("he", "מרעה", "סמוך"),
    ],
)
def test_the_text_part_says_what_touches_the_corners_of_the_reader(
    code: str,
    land: str,
    beside: str,
    market: Game,
    compose: Callable[..., Mail],
    read: Callable[[Mail], dict[str, str]],
) -> None:
    (seat,) = market.table.due
    view = market.table.game.view(market.table.position, seat)
    parts = read(compose(market.table, TurnMail(market.since(seat)), seat=seat, language=code))
    text = " ".join(re.sub("[\u2066-\u2069\u200e\u200f]", "", parts["text/plain"]).replace("\n|   ", " ").split("\n|"))
    corners = {*view["settlements"][seat], *view["keeps"][seat]} | {end for road in view["roads"][seat] for end in road}
    touched = {spot: [hex_ for hex_ in view["hexes"] if spot in hex_["corners"]] for spot in corners}
    for spot, hexes in touched.items():
        (line,) = re.findall(rf" {spot}: [^:]*{beside}[-: 0-9]*", text)
        assert all(f" {hex_['hex']} {hex_['number']}" in line for hex_ in hexes)
        assert (land in line) == any(hex_["land"] == "pasture" for hex_ in hexes)
    assert beside not in parts["text/html"]


def test_the_board_in_words_says_where_each_hex_lies(
    market: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    (seat,) = market.table.due
    view = market.table.game.view(market.table.position, seat)
    text = words(read(compose(market.table, TurnMail(market.since(seat)), seat=seat))["text/plain"])
    for hex_ in view["hexes"]:
        assert f"{hex_['hex']} {hex_['number']} ({' '.join(map(str, hex_['corners']))})" in text


def test_prices_stand_once_in_a_mail(
    market: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    (seat,) = market.table.due
    for part in read(compose(market.table, TurnMail(market.since(seat)), seat=seat)).values():
        assert len(re.findall(r"lumber,\s+brick,\s+wool,\s+grain", part)) == 1


class NothingOpen:
    """Choices of a player who can only end the turn."""

    moves: tuple[object, ...] = ()
    by_kind: ClassVar[dict[str, list[object]]] = {}


@pytest.mark.parametrize("code", ["en", "nl", "pl", "ru", "he"])
def test_a_list_of_what_is_open_is_never_empty(code: str, market: Game) -> None:
    (seat,) = market.table.due
    sentences = find_sentences(find_locale(code), "brotherhood")
    view = dict(market.table.game.view(market.table.position, seat)) | {"waits_for": "build", "offers": []}
    (said,) = sentences.list_out("may", view, seat, NothingOpen())
    assert not said.endswith(":")
    assert sentences.to_send("end") in said


@pytest.mark.parametrize(
    ("code", "accept"),
    [
        ("en", "Accept Boris: give 1 wool, get 2 ore"),
        ("nl", "Aannemen, Boris: geef 1 wol, krijg 2 erts"),
        ("pl", "Przyjmij, Boris: daj wełna ×1, weź ruda ×2"),
        ("ru", "Принять, Boris: отдать шерсть ×1, получить руда ×2"),
        ("he", "לקבל, Boris: לתת 1 צמר, לקבל 2 ברזל"),
    ],
)
def test_a_button_that_accepts_says_what_is_given_and_taken(code: str, accept: str) -> None:
    view = {"offers": [{"seat": "blue", "give": {"ore": 2}, "take": {"wool": 1}, "to": ["red"]}]}
    for key in KEYS:
        sentences = find_sentences(find_locale(code), key)
        said = sentences.name_move(view, "red", m.Accept("blue"), NAMES)
        assert re.sub("[\u2066-\u2069\u200e\u200f]", "", said) == accept
        assert "Boris" in sentences.name_move(view, "red", m.Decline("blue"), NAMES)
        assert sentences.name_move(view, "red", m.Road(17, 18), NAMES) == ""
