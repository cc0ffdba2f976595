"""Moves as mails tell them: one form for each in every language, read back by the grammar that made it."""

import re
from typing import Any

import pytest

from engine.brotherhood import moves as m
from engine.nomadi import moves as n
from engine.registry import IN_HOUSE
from engine.through_the_desert import moves as d
from notation.move_words import LEFT_OUT, read_words
from notation.phrasebook import STANDING, find_phrasebook
from notation.phrases import Phrases, phrases
from notation.player_text import read_standing
from notation.speech import is_name_in_moves, is_word_of_moves, speak
from pbem.locale.catalogues import find_locale
from pbem.locale.languages import LANGUAGE_CODES
from pbem.render import choose_template
from tests.known_games import known_game

KEYS = ("through-the-desert", "nomadi", "brotherhood")
OTHERS = tuple(code for code in LANGUAGE_CODES if code != "en")
PLAIN = (1, 0, 2, 0, 1)

MOVES: dict[str, list[Any]] = {
    "through-the-desert": [
        *(d.Camel(colour, "K8") for colour in ("lilac", "mint", "lemon", "green", "salmon")),
        *(d.Leader("mint", "K8"), d.Remove("salmon"), d.Pass()),
    ],
    "nomadi": [
        *(n.Place("P19"), n.Step(6, "F12", "I15"), n.Step(6, "F12", "I15", "I12"), n.Offer(), n.Offer('a "fine", one')),
        *(n.Take("I15"), n.Take(), n.Leave("I15"), n.Leave(), n.End()),
        *(n.Give(seat, 3) for seat in ("blue", "yellow", "red", "green", "black")),
    ],
    "brotherhood": [
        *(m.Roll(), m.Discard(PLAIN), m.Tormund("H", "blue"), m.Tormund("H"), m.End(), m.Trade(PLAIN, (0, 0, 0, 1, 0))),
        *(m.Offer(PLAIN, (0, 0, 0, 1, 0), seat) for seat in ("red", "blue", "yellow", "black", None)),
        *(m.Offer(PLAIN, (0, 0, 0, 0, 0)), m.Accept("red"), m.Accept(), m.Decline("red"), m.Decline(), m.Withdraw()),
        *(m.Road(17, 18), m.Settlement(17), m.Keep(17), m.Guard(2), m.Buy(), m.Winter("ore", "grain"), m.Recruits(2)),
        *(m.Ranger("tormund", "H", "blue"), m.Ranger("tormund", "H"), m.Ranger("wildling", "K")),
        *(
            m.Roads(((17, 18), (18, 19))),
            m.Mormont("ore", (("blue", "wool"), ("red", "grain"))),
            m.Marsh("wool", "ore"),
        ),
        *(m.Tarly("brick"), m.Pass(), m.Yarwyck((17, 18), (20, 21)), m.Thorne(2, "brick", "ore"), m.Melisandre()),
        *(
            m.Melisandre("wool", "ore"),
            m.Mance("blue"),
            m.Take("lumber"),
            m.Ygritte("K"),
            m.Yoren(2),
            m.Qhorin(),
            m.Flip(),
        ),
        *(m.Choose(card) for card in m.DEVELOPMENTS),
        *(m.Benjen(clan, 2) for clan in (*m.CLANS, None)),
        *(m.Swap(hero) for hero in m.HEROES),
    ],
}
CHANCE = {"Dice", "Card", "Steal", "Draw", "Token", "Look"}

every_language = pytest.mark.parametrize("language", LANGUAGE_CODES)


def reader_of(key: str) -> Phrases:
    found = phrases(key)
    assert found is not None
    return found


@pytest.mark.parametrize("key", KEYS)
def test_every_kind_of_move_that_a_player_makes_is_tried_here(key: str) -> None:
    assert {kind.__name__ for kind in known_game(key).moves} - CHANCE == {type(move).__name__ for move in MOVES[key]}


@every_language
@pytest.mark.parametrize("key", KEYS)
def test_a_move_is_read_as_it_was_spoken(key: str, language: str) -> None:
    reader = reader_of(key)
    for move in MOVES[key]:
        assert reader.read(speak(key, reader.book.text(move), language)) == (move,)
    assert reader.read(speak(key, reader.book.phrase(tuple(MOVES[key])), language)) == tuple(MOVES[key])


@pytest.mark.parametrize("key", KEYS)
def test_english_is_the_notation_itself(key: str) -> None:
    phrase = reader_of(key).book.phrase(tuple(MOVES[key]))
    assert speak(key, phrase, "en") == speak(key, phrase, "xx") == phrase


@pytest.mark.parametrize(
    ("language", "phrase", "spoken"),
    [
        ("ru", "mint M10, salmon P12", "мятный M10, лососевый P12"),
        ("he", "leader lilac E4", "מוביל סגול E4"),
        ("nl", "mint K8 K7", "mint K8 K7"),
        ("pl", "remove lemon", "usuń żółty"),
    ],
)
def test_a_language_has_the_words_of_its_box(language: str, phrase: str, spoken: str) -> None:
    assert speak("through-the-desert", phrase, language) == spoken


@pytest.mark.parametrize(
    ("phrase", "spoken"),
    [
        ("offer 1 ore for 1 wool to any", "предложить 1 руда за 1 шерсть всем"),
        ("offer 1 ore for 1 wool to blue", "предложить 1 руда за 1 шерсть кому Борис"),
        ("yarwyck 17-18 to 20-21", "Ярвик 17-18 на 20-21"),
        ("tormund H red", "тормунд H красный"),
    ],
)
def test_players_are_called_by_name_and_joining_words_follow_the_language(phrase: str, spoken: str) -> None:
    assert speak("brotherhood", phrase, "ru", names={"blue": "Борис"}) == spoken


def test_a_colour_of_camels_is_never_a_player() -> None:
    assert speak("through-the-desert", "green K8", "en", names={"green": "Chloe"}) == "green K8"


def test_what_is_no_phrase_stays_as_it_is() -> None:
    assert speak("nomadi", "throw them all", "ru") == "throw them all"
    assert speak("no-such-game", "end", "ru") == "end"
    assert speak("shy-well", "go", "ru") == "go"


@pytest.mark.parametrize("order", ["accept 1 grain for 1 brick", "discard ore wool", "no trades", "auto-roll", "pass"])
@every_language
def test_standing_orders_are_read_as_they_were_spoken(language: str, order: str) -> None:
    game = known_game("brotherhood")
    spoken = speak("brotherhood", order, language, start=STANDING)
    assert read_standing(game, spoken) == read_standing(game, order)
    assert (spoken == order) == (language == "en")


@pytest.mark.parametrize("key", KEYS)
def test_no_word_of_one_language_means_something_else_in_another(key: str) -> None:
    terminals = reader_of(key).parser.terminals
    words = [(word, kind) for each in read_words(key).values() for kind, word in each.items() if kind[0] not in "ft"]
    said = [(word, kind) for word, kind in words if word != LEFT_OUT]
    assert len(said) > 30
    for word, kind in said:
        meant = {name for name, each in terminals.items() if re.fullmatch(each.regexp, word)}
        # Words that join others, the two sides of a trade, and cards that were seen stand where nothing else can.
        assert meant - {"BETWEEN", "FOR", "_FROM", "SEEN"} <= {kind}, word


@pytest.mark.parametrize("key", KEYS)
def test_every_language_has_words_for_the_same_things(key: str) -> None:
    words = read_words(key)
    assert words.keys() == {*OTHERS}
    values = {str(value) for value in reader_of(key).book.values.values()}
    latin = {*m.HEROES, "tormund"} & values
    for language, own in words.items():
        kinds = {kind for kind in own if not kind[0].islower()}
        everywhere = {kind for each in words.values() for kind in each if not kind[0].islower()}
        assert {kind.strip("_").lower() for kind in everywhere - kinds} <= latin, language
        assert kinds <= reader_of(key).parser.terminals.keys()


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(
    ("key", "template", "named"),
    [
        ("through-the-desert", "through-the-desert", "colours"),
        ("nomadi", "nomadi", "seats"),
        ("brotherhood", "brotherhood", "seats"),
        ("brotherhood", "brotherhood", "resources"),
        ("brotherhood", "brotherhood", "heroes"),
        ("brotherhood", "brotherhood", "clans"),
    ],
)
def test_mails_have_one_word_for_a_thing(key: str, template: str, named: str, language: str) -> None:
    called = getattr(choose_template(template, "words.txt", find_locale(language)).module, named)
    own = read_words(key)[language]
    assert {word: own.get(word.upper().replace("-", "_"), word).lower() for word in called} == {
        word: str(name).lower() for word, name in called.items()
    }


FORMS = {
    "through-the-desert": ["remove COLOUR", "leader COLOUR SPACE"],
    "nomadi": ["place SQUARE", 'offer "WORDS"'],
    "brotherhood": [
        "discard NUMBER RESOURCE NUMBER RESOURCE",
        "tarly RESOURCE",
        "settlement NUMBER, road NUMBER-NUMBER",
        "guard SECTION",
        "roll; trade NUMBER RESOURCE: RESOURCE; road NUMBER-NUMBER; end",
        "road NUMBER-NUMBER; settlement NUMBER; end",
        "tormund HEX COLOUR",
    ],
}


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("key", KEYS)
def test_forms_teach_the_words_that_moves_are_told_in(key: str, language: str) -> None:
    terminals, own = reader_of(key).parser.terminals, read_words(key)[language]
    for form in FORMS[key]:
        told = find_locale(language).translations.gettext(form)
        for said, order in zip(re.split("[;,] ", told), re.split("[;,] ", form), strict=True):
            verb = order.split()[0]
            kind = next(name for name in (f"_{verb.upper()}", verb.upper()) if name in terminals)
            assert said.startswith(own.get(kind, verb)), told


@pytest.mark.parametrize(
    ("name", "fits"),
    [("Boris", True), ("דנה", True), ("Ore", False), ("Roll", False), ("Anna Maria", False), ("I", False)],
)
def test_a_name_that_is_a_word_of_the_game_stands_for_nobody(name: str, *, fits: bool) -> None:
    assert is_name_in_moves("brotherhood", name) == fits
    assert is_word_of_moves("brotherhood", "руда")


def test_both_games_of_a_box_are_spoken_alike() -> None:
    one, other = find_phrasebook("brotherhood"), find_phrasebook("brotherhood-base")
    assert one is not None
    assert other is not None
    assert one.words == other.words
    assert "brotherhood-base" in IN_HOUSE
