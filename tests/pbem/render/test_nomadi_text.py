"""The board in characters, the list by owner and the page say what the view says."""

import re
from collections.abc import Callable
from gettext import NullTranslations

import pytest

from engine.game import View
from pbem.render import DrawOptions, Locale, draw_page, draw_svg, draw_text, list_by_owner
from pbem.render.players import isolate

KEY = "nomadi"
COLUMNS = "ABCDEFGHIJKLMNOP"
SIGNS = {"blue": "B", "yellow": "Y", "red": "R", "green": "G", "black": "K"}


def read_board(text: str) -> dict[str, str]:
    """The sign of each square, read back from where it stands under its column's letter."""
    lines = text.split("\n")
    top = next(number for number, line in enumerate(lines) if line.split() == list(COLUMNS))
    found = {}
    for row in range(1, 20):
        line = lines[top + row + (row > 9)]
        assert line.split()[0] == line.split()[-1] == str(row)
        for letter in COLUMNS:
            middle = lines[top].index(letter)
            found[f"{letter}{row}"] = line[middle - 1 : middle + 3].strip()
    assert set(lines[top + 10].strip()) == {"="}
    return found


def test_the_text_board_read_back_is_the_view(any_caravan: View) -> None:
    view = {**any_caravan, "steps": []}
    stones = {square: SIGNS[seat] for seat, own in view["stones"].items() for square in own}
    for square, sign in read_board(draw_text(KEY, view)).items():
        if square in stones:
            assert sign == stones[square]
        elif square in view["waterholes"]:
            assert sign == ("~?" if square in view["cards"] else "~")
        elif square in view["cards"]:
            assert sign == "?"
        else:
            assert sign == ("s" if square in view["start"] else "o" if square in view["goal"] else ".")


def test_landings_stand_in_brackets_and_open_squares_have_a_plus(caravan: Callable[..., View]) -> None:
    view = caravan(4, 31, 4)
    signs = read_board(draw_text(KEY, view, DrawOptions(legal=("A19-A18", "A19-C7"))))
    occupied = {square for own in view["stones"].values() for square in own}
    landed = {step["target"] for step in view["steps"]} & occupied
    assert {square for square, sign in signs.items() if sign.startswith("[")} == landed != set()
    assert (signs["A18"], signs["C7"]) == ("+", "+~?")


def test_no_line_is_wider_than_a_mail_can_quote(any_caravan: View) -> None:
    for text in (draw_text(KEY, any_caravan), list_by_owner(KEY, any_caravan)):
        assert max(map(len, text.split("\n"))) <= 76
        assert text.isascii()
        assert not re.search(r"[ \t]$", text, re.MULTILINE)


def test_the_list_names_every_stone_and_purse_under_its_owner(any_caravan: View) -> None:
    view = any_caravan
    parts = re.split(r"\n(?=\w)", list_by_owner(KEY, view))
    assert [re.split(r"\W", part)[0].lower() for part in parts] == [*view["seats"], "on"]
    for seat, part in zip(view["seats"], parts, strict=False):
        words = " ".join(part.split())
        own = view["stones"][seat]
        assert not own or f"{' '.join(own)}." in words
        coins = view["coins"][seat]
        assert (f"{coins} coin" if coins >= 0 else f"Owes the bank {-coins} coin") in words
        assert f", {view['holds'][seat]} card" in words
        held = [square for square, holder in view["held"].items() if holder == seat]
        assert not held or re.search(rf"Holds the cards? from {' '.join(held)}\.", words)


def test_the_list_tells_cards_water_and_how_far_the_caravan_is(any_caravan: View) -> None:
    words = " ".join(list_by_owner(KEY, any_caravan).split())
    found = re.search(r"Cards face down: at waterholes ([\w -]+), elsewhere ([\w -]+)\.", words)
    assert found
    wet, dry = found[1].replace("-", "").split(), found[2].replace("-", "").split()
    assert {*wet, *dry} == set(any_caravan["cards"])
    assert set(wet) <= set(any_caravan["waterholes"])
    assert f"{any_caravan['over_ravine']} stone" in words
    assert f"A1 to D4, {any_caravan['home']} stone" in words


def test_dice_are_told_in_figures_and_in_words(caravan: Callable[..., View]) -> None:
    view = {**caravan(4, 31, 4), "who": "red", "dice": [6, 3, 3, 1, 5, 2], "unplayed": [3, 5]}
    for text in (draw_text(KEY, view), list_by_owner(KEY, view)):
        assert "Dice of red: 6 3 3 1 5 2 (six, three, three, one, five, two)." in text
        assert "Left to play: 3 5 (three, five)." in text
    assert "Left to play" not in list_by_owner(KEY, {**view, "unplayed": view["dice"]}), "nothing was played yet"
    assert "Left to play: none." in list_by_owner(KEY, {**view, "unplayed": []})
    assert "Dice" not in draw_text(KEY, {**view, "dice": []})


@pytest.mark.parametrize(
    ("phase", "sentence"),
    [
        ("placing", "Turn 31: red places a stone"),
        ("throwing", "Turn 31: red throws the dice"),
        ("moving", "Turn 31: red has 2 dice to play"),
        ("looking", "Turn 31: red looks at a card"),
        ("offering", "Turn 31: red offers a card"),
        ("answers", "Turn 31: still to answer an offer: blue, green"),
        ("over", "Game over in turn 30"),
    ],
)
def test_the_board_says_who_does_what(caravan: Callable[..., View], phase: str, sentence: str) -> None:
    view = {**caravan(4, 31, 4), "who": "red", "left": 2, "phase": phase, "to_act": ["blue", "green"]}
    assert draw_text(KEY, view).startswith(sentence + "\n")


def test_whoever_has_only_to_answer_is_not_said_to_move(caravan: Callable[..., View]) -> None:
    offer = {"square": "C7", "from": "red", "to": "green", "words": "take K7"}
    view = {**caravan(4, 31, 4), "phase": "moving", "who": "red", "to_act": ["red", "green"], "offers": [offer]}
    text = list_by_owner(KEY, view)
    assert "Red, to move\n" in text
    assert "Green, to answer\n" in text
    assert "Is offered the card from C7 by red." in text


def test_a_players_words_stand_on_the_page_alone_and_as_text(caravan: Callable[..., View]) -> None:
    offer = {"square": "C7", "from": "red", "to": "green", "words": "<b>take K7</b>\u202e"}
    view = {**caravan(4, 31, 4), "offers": [offer]}
    assert "take K7" not in list_by_owner(KEY, view) + draw_text(KEY, view) + draw_svg(KEY, view)
    page = draw_page(KEY, view)
    assert "“<bdi>&lt;b&gt;take K7&lt;/b&gt;\ufffd</bdi>”" in page


def test_values_are_told_only_to_whoever_knows_them(caravan: Callable[..., View]) -> None:
    view = {**caravan(4, 31, 4), "values": {"C7": 3}, "phase": "moving"}
    assert "Cards that you know: C7 +3." in draw_text(KEY, view)
    assert "Cards that you know: C7 +3." in draw_page(KEY, view)
    assert "+3" not in draw_text(KEY, {**view, "values": {}})
    assert "Values of the cards: C7 +3." in list_by_owner(KEY, {**view, "phase": "over"})


def test_words_that_run_the_other_way_are_kept_apart() -> None:
    assert isolate("fine", rtl=False) == "fine"
    assert isolate("שלום", rtl=True) == "שלום"
    assert isolate("שלום", rtl=False) == "\u2068שלום\u2069"


class Guillemets(NullTranslations):
    """A language that says everything in English, but between guillemets."""

    def gettext(self, message: str) -> str:
        return f"«{message}»"

    def ngettext(self, one: str, many: str, n: int) -> str:
        return f"«{one if n == 1 else many}»"

    def pgettext(self, context: str, message: str) -> str:
        return f"«{message}»"


def unsaid(text: str) -> list[str]:
    """The words that did not go through the catalogue; signs and squares have fewer than three letters."""
    while (less := re.sub(r"«[^«»]*»", "", text)) != text:
        text = less
    return re.findall(r"[^\W\d_]{3,}", text)


def test_all_words_can_be_translated(any_caravan: View) -> None:
    options = DrawOptions(title="7", locale=Locale("xx", Guillemets()), legal=("A1",))
    view = {**any_caravan, "offers": [{"square": "C7", "from": "blue", "to": "yellow", "words": ""}]}
    for draw in (draw_text, list_by_owner):
        assert unsaid(draw(KEY, view, options)) == []
    picture = draw_svg(KEY, view, options)
    assert unsaid(" ".join(re.findall(r"<(?:text|title)[^>]*>([^<]*)", picture))) == []
    page = re.sub(r"<style>.*?</style>", "", draw_page(KEY, view, options), flags=re.DOTALL)
    assert unsaid(re.sub(r"<[^>]*>", " ", page)) == []
