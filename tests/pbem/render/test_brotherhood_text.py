"""The board in characters, the list by owner and the page say what the view says."""

import re
from collections.abc import Callable
from gettext import NullTranslations
from typing import Any

import pytest

from engine.game import View
from pbem.locale.catalogues import find_locale
from pbem.render import DrawOptions, Locale, draw_page, draw_svg, draw_text, list_by_owner

SIGNS = {"red": "R", "blue": "B", "yellow": "Y", "black": "K"}


def text_of(view: Any, **options: Any) -> str:
    return draw_text(view["game"], view, DrawOptions(**options))


def list_of(view: Any, **options: Any) -> str:
    return list_by_owner(view["game"], view, DrawOptions(**options))


def read_spots(text: str, count: int) -> dict[int, str]:
    """The sign behind each intersection's number, read back from the map."""
    lines = text.split("\n")
    first = next(at for at, line in enumerate(lines) if re.match(r" *1[a-zA-Z*+]* +2[a-zA-Z*+]* +3", line))
    found: dict[int, str] = {}
    for line in lines[first:]:
        if line and not re.search(r"[|/\\]|ore|lum", line):
            found |= {int(number): sign for number, sign in re.findall(r"(\d+)([a-zA-Z*+]*)", line)}
        if len(found) == count:
            break
    return found


def test_the_text_board_read_back_is_the_view(any_castle: View) -> None:
    found = read_spots(text_of(any_castle), len(any_castle["spots"]))
    built = {spot: SIGNS[seat].lower() for seat, own in any_castle["settlements"].items() for spot in own}
    built |= {spot: SIGNS[seat] for seat, own in any_castle["keeps"].items() for spot in own}
    assert found == {spot: built.get(spot, "") for spot in range(1, len(any_castle["spots"]) + 1)}


def test_every_hex_stands_on_the_text_board_with_its_number(any_castle: View) -> None:
    text = text_of(any_castle)
    goods = {"forest": "lum", "hills": "bri", "pasture": "wol", "fields": "grn", "mountains": "ore", "ice": "ice"}
    for each in any_castle["hexes"]:
        assert f"{each['hex']} {goods[each['land']]} {each['number']}".strip() in text


def test_roads_are_letters_on_their_paths(castle: Callable[..., View]) -> None:
    view = castle("brotherhood-base", 4, 40)
    nothing: dict[str, list[Any]] = {seat: [] for seat in view["seats"]}
    bare = {**view, "roads": nothing, "settlements": nothing, "keeps": nothing}
    paths = {**nothing, "red": [[1, 5], [1, 6]], "blue": [[5, 10]]}
    before, after = text_of(bare), text_of({**bare, "roads": paths})
    changed = [(old, new) for old, new in zip(before, after, strict=False) if old != new]
    # An upright path takes two lines.
    assert changed[:4] == [("/", "r"), ("\\", "r"), ("|", "b"), ("|", "b")]


def test_new_pieces_have_an_asterisk_and_open_places_a_plus(castle: Callable[..., View]) -> None:
    view = castle("brotherhood", 4, 90)
    spot = next(spots[0] for spots in view["settlements"].values() if spots)
    text = text_of(view, marked=(str(spot),), legal=("1", "H"))
    found = read_spots(text, len(view["spots"]))
    assert found[spot].endswith("*")
    assert found[1].endswith("+")
    assert "H wol 10+" in text
    assert "new in the last turn" in text
    assert "open to you now" in text


def test_no_line_is_wider_than_a_mail_can_quote(any_castle: View) -> None:
    for text in (text_of(any_castle, marked=("17-18",)), list_of(any_castle)):
        assert max(map(len, text.split("\n"))) <= 76
        assert text.isascii()
        assert not re.search(r"[ \t]$", text, re.MULTILINE)


def test_the_list_names_every_piece_under_its_owner(any_castle: View) -> None:
    view = any_castle
    parts = re.split(r"\n(?=\w)", list_of(view))
    assert [re.split(r"\W", part)[0].lower() for part in parts] == [*view["seats"], "on"]
    for seat, part in zip(view["seats"], parts, strict=False):
        words = " ".join(part.split())
        assert f"{view['points'][seat]} point" in words
        assert f"{view['hands'][seat]['count']} resource card" in words
        assert f"{view['developments'][seat]['count']} development card" in words
        spots = ", ".join(map(str, view["settlements"][seat]))
        assert f"Settlements on {spots}." in words if spots else "Settlements" not in words
        keeps = view["keeps"][seat]
        assert not keeps or f"Keeps on {', '.join(map(str, keeps))}." in words
        roads = ", ".join(f"{one}-{two}" for one, two in view["roads"][seat])
        told = f"on {roads}; the longest line has {view['lengths'][seat]}."
        assert told in words if roads else "longest line" not in words
        if view["watch"]:
            guards = sum(section.count(seat) for section in view["watch"]["sections"])
            posts = [
                str(at) for at, section in enumerate(view["watch"]["sections"], 1) for _ in range(section.count(seat))
            ]
            told = f"{guards} guard{'s' * (guards != 1)} on the Wall, by sections: {', '.join(posts) or 'none'}."
            assert told in words
            assert f"Hero: {view['watch']['heroes']['before'][seat]['hero'].capitalize()}, side" in words


def test_the_list_tells_the_wall_and_what_waits_before_it(castle: Callable[..., View]) -> None:
    view = castle("brotherhood", 4, 90)
    watch = {
        **view["watch"],
        "sections": [["red", "blue"], [], ["black"], []],
        "clearings": [2, 0, 0, 0],
        "gift": {"C": "climber"},
        "breaches": 2,
    }
    words = " ".join(list_of({**view, "watch": watch}).split())
    assert "Section 1 of the Wall: guards red, blue; wildlings before it: 2." in words
    assert "Section 2 of the Wall: guards none; wildlings before it: 0." in words
    assert "1 wildling in the Gift: C (climber); eight end the game." in words
    assert "2 breaches of the Wall; the third ends the game." in words


def test_the_drawing_shows_the_wall_by_signs_and_repeats_no_sentence_about_it(castle: Callable[..., View]) -> None:
    view = castle("brotherhood", 4, 90)
    watch = {
        **view["watch"],
        "sections": [["red", "blue"], [], ["black"], []],
        "clearings": [2, 0, 0, 0],
        "camps": {"ice-river": ["regular", "giant"], "cave-dwellers": [], "hornfoot": []},
        "breaches": 2,
    }
    rows = dict(re.findall(r"^  (\w[\w ]{12}\w|\w[\w ]{13}) (\S.*)$", text_of({**view, "watch": watch}), re.MULTILINE))
    drawn = {name.strip(): " ".join(things.split()) for name, things in rows.items()}
    assert drawn["guards"] == "1: r b 2: - 3: k 4: -"
    assert drawn["wildlings"] == "1: 2 2: 0 3: 0 4: 0"
    assert (drawn["Ice River"], drawn["Hornfoot"], drawn["breaches"]) == ("regular, giant", "-", "2")
    assert "of the Wall:" not in text_of({**view, "watch": watch}).replace("section 2 of the Wall: wildlings", "")


def test_places_where_no_wildling_is_are_told_in_a_word(castle: Callable[..., View]) -> None:
    view = castle("brotherhood", 4, 90)
    camps: dict[str, list[str]] = {"ice-river": [], "cave-dwellers": ["giant"], "hornfoot": []}
    words = " ".join(list_of({**view, "watch": {**view["watch"], "gift": {}, "camps": camps}}).split())
    assert "No wildling is in the Gift; eight end the game." in words
    assert "Hornfoot, trails 6 to clearing 3, 7 and 8 to clearing 4: nobody in camp." in words
    assert "in camp, the hottest first: giant." in words


def test_special_cards_are_explained(castle: Callable[..., View]) -> None:
    full, base = castle("brotherhood", 4, 90), castle("brotherhood-base", 4, 40)
    nobody = list_of({**base, "longest": None, "largest": None})
    assert "Longest Road, 2 points: nobody yet; it takes a line of 5 roads." in nobody
    assert "Largest Patrol, 2 points: nobody yet; it takes 3 Ranger Patrols." in nobody
    held = list_of({**full, "longest": "blue", "lengths": {**full["lengths"], "blue": 7}})
    assert "Longest Road, 1 point: blue, with 7; others need more." in held
    assert "Guards: 3 or 4 of one player on the Wall are 1 point, 5 or more are 2." in held
    assert "Guards" not in nobody


def test_dice_are_told_in_figures_and_in_words_with_what_they_gave(castle: Callable[..., View]) -> None:
    base = {**castle("brotherhood-base", 4, 40), "on_turn": "red", "dice": [3, 5], "gains": {"blue": {"ore": 2}}}
    full = {**castle("brotherhood", 4, 90), "on_turn": "red", "dice": [3, 5, 11], "gains": {}}
    for told in (text_of, list_of):
        assert "Dice of red: 8, by 3 and 5 (three and five)." in told(base)
        assert "They gave: blue 2 ore." in told(base)
        assert "Dice of red: 8, by 3 and 5 (three and five), and 11 for the wildlings." in told(full)
        assert "They gave nobody anything." in told(full)
        assert "Dice" not in told({**full, "dice": []})


@pytest.mark.parametrize(
    ("waits_for", "sentence"),
    [
        ("settle", "Turn 31: red places a settlement"),
        ("pave", "Turn 31: red places a road"),
        ("guard", "Turn 31: red places a guard"),
        ("roll", "Turn 31: red is to roll"),
        ("trade", "Turn 31: red trades and builds"),
        ("build", "Turn 31: red builds"),
        ("discard", "Turn 31: to discard: blue, black"),
        ("tormund", "Turn 31: red moves Tormund"),
        ("react", "Turn 31: blue, black may use Tarly"),
        ("part", "Turn 31: blue, black flips or swaps a hero"),
        ("choose", "Turn 31: to answer: blue, black"),
        ("over", "Game over in turn 30: red has won"),
    ],
)
def test_the_board_says_who_does_what(castle: Callable[..., View], waits_for: str, sentence: str) -> None:
    state = {"on_turn": "red", "turn": 31, "waits_for": waits_for, "to_act": ["blue", "black"], "winner": None}
    assert text_of({**castle("brotherhood", 4, 90), **state}).startswith(sentence + "\n")


def test_whoever_has_only_to_answer_is_not_said_to_move(castle: Callable[..., View]) -> None:
    offer = {"seat": "red", "give": {"wool": 1}, "take": {"ore": 2}, "to": ["black"]}
    state = {"on_turn": "red", "waits_for": "trade", "to_act": ["red", "black"], "offers": [offer]}
    text = list_of({**castle("brotherhood-base", 4, 40), **state})
    assert "Red, to move\n" in text
    assert "Black, to answer\n" in text
    assert "Red offers 1 wool for 2 ore to black." in text


def test_a_hand_is_told_to_its_owner_alone(castle: Callable[..., View]) -> None:
    view = castle("brotherhood-base", 4, 40, "red")
    own = {
        **view,
        "hands": {**view["hands"], "red": {"count": 3, "cards": {"wool": 2, "ore": 1}}},
        "developments": {**view["developments"], "red": {"count": 2, "cards": {"point": 2}, "bought": {"point": 1}}},
        "points": {**view["points"], "red": 5},
    }
    for text in (text_of(own), draw_page(own["game"], own)):
        assert "You hold 2 wool, 1 ore" in text
        assert "Your development cards: victory point 2" in text
        assert "so not to be played before the next: victory point 1" in " ".join(text.split())
        assert "With your victory point cards you have 7 points" in text
    public = castle("brotherhood-base", 4, 40)
    assert "ou hold" not in text_of(public) + list_of(public) + draw_page(public["game"], public)
    assert "ou hold" not in list_of(own)


def test_at_the_end_all_cards_lie_open(castle: Callable[..., View]) -> None:
    view = castle("brotherhood", 4, 999)
    words = " ".join(list_of(view).split())
    assert view["stage"] == "over"
    assert words.count("Cards at the end: ") == 4


class Guillemets(NullTranslations):
    """A language that says everything in English, but between guillemets."""

    def gettext(self, message: str) -> str:
        return f"«{message}»"

    def ngettext(self, one: str, many: str, n: int) -> str:
        return f"«{one if n == 1 else many}»"

    def pgettext(self, context: str, message: str) -> str:
        return f"«{message}»"


def unsaid(text: str) -> list[str]:
    """The words that did not go through the catalogue; signs have fewer than four letters, or stand on the map."""
    while (less := re.sub(r"«[^«»]*»", "", text)) != text:
        text = less
    return [word for word in re.findall(r"[^\W\d_]{4,}", text) if word not in ON_THE_MAP]


ON_THE_MAP = {"Tormund", "regular", "climber", "giant"}


def test_all_words_can_be_translated(any_castle: View) -> None:
    options = DrawOptions(title="7", locale=Locale("xx", Guillemets()), marked=("17-18",), legal=("17",))
    offer = {"seat": "red", "give": {"wool": 1}, "take": {"ore": 2}, "to": ["blue", "yellow"]}
    view = {**any_castle, "offers": [offer], "dice": [1, 2]}
    for draw in (draw_text, list_by_owner):
        assert unsaid(draw(view["game"], view, options)) == []
    picture = draw_svg(view["game"], view, options)
    assert unsaid(" ".join(re.findall(r"<(?:text|title)[^>]*>([^<]*)", picture))) == []
    page = re.sub(r"<style>.*?</style>", "", draw_page(view["game"], view, options), flags=re.DOTALL)
    assert unsaid(re.sub(r"<[^>]*>", " ", page).replace("Brotherhood of the Watch", "")) == []


@pytest.mark.parametrize(("code", "section"), [("en", "section 4"), ("he", "גזרה 4"), ("pl", "odcinek 4")])
def test_what_is_new_is_named_in_the_readers_language(castle: Callable[..., View], code: str, section: str) -> None:
    options = DrawOptions(marked=("D", "section 4", "24-31"), locale=find_locale(code))
    told = list_by_owner("brotherhood", castle("brotherhood", 4, 90), options)
    (line,) = [line for line in told.splitlines() if "24-31" in line and section in line]
    assert f"D, {section}, 24-31" in line
