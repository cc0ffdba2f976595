"""The board in characters and the list by owner say what the view says."""

import re
from collections.abc import Callable

import pytest

from engine.through_the_desert.board import BOARDS
from pbem.render import DrawOptions, draw_text, list_by_owner
from tests.pbem.render.conftest import Table

KEY = "through-the-desert"
COLUMNS = "ABCDEFGHIJKLMNOPQRSTUV"
LETTERS = {"lilac": "L", "mint": "M", "lemon": "Y", "green": "G", "salmon": "S"}


def read_board(text: str) -> dict[str, str]:
    """The sign of each hex, read back from where it stands under its column's letter."""
    lines = text.split("\n")
    top = next(number for number, line in enumerate(lines) if line.split() == list(COLUMNS))
    found = {}
    for row in range(1, 14):
        for column, letter in enumerate(COLUMNS):
            line = lines[top + 2 * row - 1 + column % 2].ljust(90)
            middle = lines[top].index(letter)
            assert line[:3].strip() == ("" if column % 2 else str(row))
            found[f"{letter}{row}"] = line[middle - 2 : middle + 3].strip()
    return found


def test_the_text_board_read_back_is_the_view(any_table: Table) -> None:
    view = any_table.view
    signs = read_board(draw_text(KEY, view))
    board = BOARDS["standard"]
    in_play = set(board.grid.spaces(board.spaces(len(view["seats"]))))
    camels = {
        space: f"{seat[0]}{LETTERS[colour]}{'*' if view['leaders'][seat][colour] == space else ''}"
        for seat, caravans in view["camels"].items()
        for colour, spaces in caravans.items()
        for space in spaces
    }
    enclosed = {space: area["seat"] for area in view["areas"] for space in area["spaces"]}
    for space, sign in signs.items():
        if space in camels:
            assert sign == camels[space]
        elif space in enclosed:
            assert sign == ("/@/" if space in view["oases"] else f"/{enclosed[space][0]}/")
        elif space in view["oases"]:
            assert sign == "@"
        elif space in view["water"]:
            assert sign == str(view["water"][space])
        else:
            assert sign == "." if space in in_play else sign in ("#", "")


def test_with_four_players_every_hex_has_a_sign_and_with_two_the_east_has_none(
    table: Callable[[int, int], Table],
) -> None:
    assert all(read_board(draw_text(KEY, table(4, 60).view)).values())
    east = read_board(draw_text(KEY, table(2, 17).view))
    assert {east[space] for space in ("S3", "T9", "V13", "O12", "U1")} == {""}
    assert east["R1"] == east["G8"] == east["A1"] == "#"


def test_the_last_turn_stands_in_brackets_and_open_spaces_have_a_plus(table: Callable[[int, int], Table]) -> None:
    scene = table(3, 40)
    plain = read_board(draw_text(KEY, scene.view))
    signs = read_board(draw_text(KEY, scene.view, DrawOptions(marked=scene.last, legal=scene.legal)))
    assert scene.last
    assert scene.legal
    for space, sign in plain.items():
        if space in scene.last:
            assert signs[space] == f"[{sign}]"
        elif space in scene.legal:
            assert signs[space] == ("+" if sign == "." else f"+{sign}")
        else:
            assert signs[space] == sign


def test_no_line_is_wider_than_a_mail_can_quote(any_table: Table) -> None:
    options = DrawOptions(marked=any_table.last, legal=any_table.legal, score=any_table.score)
    for text in (draw_text(KEY, any_table.view, options), list_by_owner(KEY, any_table.view, options)):
        assert max(map(len, text.split("\n"))) <= 76
        assert text.isascii()
        assert not re.search(r"[ \t]$", text, re.MULTILINE)


def test_the_list_names_every_camel_under_its_owner(any_table: Table) -> None:
    view = any_table.view
    parts = re.split(r"\n(?=\w)", list_by_owner(KEY, view))
    assert [part.split()[0].rstrip(",").lower() for part in parts] == [*view["seats"], "on"]
    for seat, part in zip(view["seats"], parts, strict=False):
        words = " ".join(part.split())
        for colour, spaces in view["camels"][seat].items():
            leader = view["leaders"][seat][colour]
            (caravan,) = re.findall(rf"{colour.capitalize()} caravan[^.]*\.", words)
            assert f"leader {leader}" in caravan
            assert set(re.findall(r"[A-V]\d+", caravan)) == set(spaces)
            assert len(spaces) == 1 or f"{len(spaces)} camels" in caravan
        for area in view["areas"]:
            assert (f"Enclosed in turn {area['turn']} by the {area['colour']}" in words) >= (area["seat"] == seat)


def test_the_list_tells_water_oases_and_herds(any_table: Table) -> None:
    view = any_table.view
    words = " ".join(list_by_owner(KEY, view).split())
    for value in (1, 2, 3):
        (spaces,) = re.findall(rf"Water for {value} points?: ([^.]*)\.", words)
        assert spaces.split() == [space for space in view["water"] if view["water"][space] == value]
    assert f"Oases: {' '.join(view['oases'])}." in words
    assert f"Herds: {', '.join(f'{colour} {left}' for colour, left in view['herds'].items())}." in words


@pytest.mark.parametrize(
    ("players", "turn", "sentence"),
    [
        (5, 3, "Turn 4: orange removes a leader"),
        (2, 4, "Turn 5: red places a leader"),
        (2, 10, "Turn 11: red places 1 camel"),
        (2, 17, "Turn 18: blue places 2 camels"),
    ],
)
def test_the_board_says_who_does_what(
    table: Callable[[int, int], Table], players: int, turn: int, sentence: str
) -> None:
    assert draw_text(KEY, table(players, turn).view).startswith(sentence + "\n")


def test_a_finished_game_names_its_turns_and_its_winner(table: Callable[[int, int], Table]) -> None:
    scene = table(5, 200)
    text = draw_text(KEY, scene.view, DrawOptions(score=scene.score))
    assert text.startswith(f"Game over after {scene.view['turn'] - 1} turns\n")
    for tally in scene.score.tallies:
        won = ", winner" if tally.seat in scene.score.winners else ""
        assert f"{tally.seat}{won}, {tally.total} points\n" in text


def test_leaders_still_in_hand_are_told(table: Callable[[int, int], Table]) -> None:
    scene = table(2, 4)
    assert "Leaders in hand: " in list_by_owner(KEY, scene.view)
    assert "Leaders in hand: " not in list_by_owner(KEY, table(2, 17).view)


def test_a_player_called_like_the_seat_is_not_named_twice(table: Callable[[int, int], Table]) -> None:
    text = list_by_owner(KEY, table(2, 17).view, DrawOptions(names={"red": "Red", "blue": "Red"}))
    assert text.startswith("Red\n")
    assert "Blue (Red), to move\n" in text
