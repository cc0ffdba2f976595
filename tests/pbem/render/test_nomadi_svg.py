"""The picture shows the view: every stone, card, die and way, and nothing outside itself."""

import re
from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from engine.game import View
from pbem.render import DrawOptions, draw_svg, draw_text
from pbem.render.scenes.nomadi.arrows import DrawnMove, draw_way, find_bends
from pbem.render.scenes.nomadi.ground import centre
from pbem.render.scenes.nomadi.scene import Scene

KEY = "nomadi"
SVG = "{http://www.w3.org/2000/svg}"
SIGNS = {"blue": "B", "yellow": "Y", "red": "R", "green": "G", "black": "K"}


def read(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)  # noqa: S314  # our own picture


def drawn(root: ElementTree.Element, group: str) -> list[str]:
    """The squares of what a group of the picture holds."""
    return sorted(use.get("data-at", "") for use in root.iterfind(f".//{SVG}g[@class='{group}']/{SVG}use"))


def test_the_picture_is_well_formed_and_refers_to_nothing_outside(any_caravan: View) -> None:
    picture = draw_svg(KEY, any_caravan)
    assert read(picture).tag == f"{SVG}svg"
    assert re.findall(r"https?:[^\"]*", picture) == ["http://www.w3.org/2000/svg"]
    assert "url(" not in picture


def test_every_reference_has_its_figure(any_caravan: View) -> None:
    root = read(draw_svg(KEY, any_caravan))
    figures = {element.get("id") for element in root.iter()}
    assert {use.get("href", "")[1:] for use in root.iter(f"{SVG}use")} <= figures


def test_every_stone_shows_its_square_its_letter_and_its_owner(any_caravan: View) -> None:
    root = read(draw_svg(KEY, any_caravan))
    figures = {element.get("id"): element for element in root.iter()}
    for seat, squares in any_caravan["stones"].items():
        figure = figures[f"n-{seat}"]
        assert figure.findtext(f"{SVG}text") == SIGNS[seat]
        assert {use.get("href") for use in figure.iter(f"{SVG}use")} == {f"#n-s-{seat}"}
        stones = root.iterfind(f".//{SVG}g[@class='stones']/{SVG}use[@href='#n-{seat}']")
        assert sorted(use.get("data-at", "") for use in stones) == sorted(squares)


def test_owners_are_told_apart_by_shape_and_by_letter(caravan: Callable[..., View]) -> None:
    root = read(draw_svg(KEY, caravan(5, 45, 2)))
    shapes = {path.get("d") for path in root.iter(f"{SVG}path") if path.get("id", "").startswith("n-s-")}
    assert len(shapes) == len({*SIGNS.values()}) == 5


def test_cards_and_waterholes_lie_where_the_view_says(any_caravan: View) -> None:
    root = read(draw_svg(KEY, any_caravan))
    assert drawn(root, "cards") == sorted(any_caravan["cards"])
    assert drawn(root, "water") == sorted(any_caravan["waterholes"])


def test_all_columns_and_rows_are_named_on_both_sides(caravan: Callable[..., View]) -> None:
    root = read(draw_svg(KEY, caravan(2, 9)))
    labels = [text.text for text in root.iterfind(f".//{SVG}g[@class='n-coordinates']/{SVG}text")]
    names = [*"ABCDEFGHIJKLMNOP", *(str(row) for row in range(1, 20))]
    assert sorted(labels, key=str) == sorted(2 * names)


def test_every_empty_square_shows_its_name_and_no_other_does(any_caravan: View) -> None:
    root = read(draw_svg(KEY, any_caravan))
    shown = [text.text for text in root.iterfind(f".//{SVG}g[@class='n-names']/{SVG}text")]
    taken = {square for own in any_caravan["stones"].values() for square in own}
    board = {f"{column}{row}" for column in "ABCDEFGHIJKLMNOP" for row in range(1, 20)}
    assert sorted(shown, key=str) == sorted(board - taken)


def test_the_ravine_takes_room_between_the_rows_nine_and_ten() -> None:
    assert centre("A9").y - centre("A8").y == centre("A11").y - centre("A10").y
    assert centre("A10").y - centre("A9").y > centre("A9").y - centre("A8").y


def test_a_movable_oasis_is_drawn_where_it_lies(caravan: Callable[..., View]) -> None:
    view = caravan(2, 9)
    moved = {**view, "goal": [f"{column}{row}" for column in "EFGH" for row in range(5, 9)]}
    x, y = centre("E5")
    corner = f"M{x - 21} {y - 21}h42"
    assert corner in re.findall(r'class="n-goal" d="([^"]*)"', draw_svg(KEY, moved))[0]
    assert corner not in re.findall(r'class="n-goal" d="([^"]*)"', draw_svg(KEY, view))[0]


def test_dice_show_their_pips_and_played_ones_are_faint(caravan: Callable[..., View]) -> None:
    view = {**caravan(4, 31, 4), "dice": [6, 3, 3, 1, 5, 2], "unplayed": [3, 5]}
    dice = read(draw_svg(KEY, view)).findall(f".//{SVG}g[@class='die']/{SVG}g")
    assert [len(die.findall(f"{SVG}circle")) for die in dice] == view["dice"]
    assert [die.get("opacity") is None for die in dice] == [False, False, True, False, True, False]


def test_the_steps_of_this_turn_are_arrows_with_their_dice(caravan: Callable[..., View]) -> None:
    view = caravan(4, 31, 4)
    root = read(draw_svg(KEY, view))
    heads = root.find(f".//{SVG}g[@class='heads']")
    assert heads is not None
    assert [text.text for text in heads.iter(f"{SVG}text")] == [str(step["die"]) for step in view["steps"]]
    assert len(heads.findall(f"{SVG}path")) == len(view["steps"]) == 4
    lines = [path.get("d", "") for path in root.iterfind(f".//{SVG}g[@class='ways']/{SVG}path")]
    for step, line in zip(view["steps"], lines[::2], strict=True):
        x, y = centre(step["origin"])
        assert line.startswith(f"M{x} {y}L")


def test_while_a_turn_has_no_steps_the_marked_ways_are_shown(caravan: Callable[..., View]) -> None:
    view = caravan(3, 16)
    assert view["steps"] == []
    stone = view["stones"]["blue"][0]
    root = read(draw_svg(KEY, view, DrawOptions(marked=(f"A19-{stone}",))))
    assert drawn(root, "landed n-ink") == [stone]
    assert len(root.findall(f".//{SVG}g[@class='ways']/{SVG}path")) == 2
    assert "moved in the last turn" in draw_svg(KEY, view)


def test_a_bend_that_nobody_named_follows_from_the_stones() -> None:
    over = ["G12", "H12", "I12", "I13", "I14"]
    assert find_bends([DrawnMove("F12", "I15")], [*over, "I15"]) == [DrawnMove("F12", "I15", "I12")]
    # The second move took away a stone that the first jumped over.
    moves = [DrawnMove("F12", "I15"), DrawnMove("I14", "J13")]
    assert find_bends(moves, ["G12", "H12", "I12", "I13", "I15", "J13"]) == [DrawnMove("F12", "I15", "I12"), moves[1]]
    assert find_bends([DrawnMove("F12", "I15", "F15")], [*over, "I15"]) == [DrawnMove("F12", "I15", "F15")]
    assert find_bends([DrawnMove("A1", "B2")], ["B2"]) == [DrawnMove("A1", "B2")]


def test_an_arrow_ends_before_the_stone_that_it_brought() -> None:
    way = draw_way(DrawnMove("F12", "I15", "I12"))
    (fx, fy), (ix, iy), (tx, ty) = centre("F12"), centre("I12"), centre("I15")
    assert way.line.startswith(f"M{fx} {fy}L{ix} {iy}L{tx} ")
    assert way.head.startswith(f"M{tx} {ty - 16}L")
    assert (way.badge.x - fx, way.badge.y) == (18, fy)


def test_open_squares_are_shown_only_on_request(caravan: Callable[..., View]) -> None:
    view = caravan(3, 16)
    assert drawn(read(draw_svg(KEY, view, DrawOptions(legal=("A19-B18", "C3")))), "legal") == ["B18", "C3"]
    assert drawn(read(draw_svg(KEY, view)), "legal") == []


def test_coins_and_cards_stand_beside_the_names_and_hidden_coins_do_not(caravan: Callable[..., View]) -> None:
    view = caravan(4, 31, 4)
    hidden = {**view, "coins": {"blue": -3}, "holds": {"blue": 2, "yellow": 0, "red": 1, "green": 4}}
    root = read(draw_svg(KEY, hidden, DrawOptions(names={"blue": "Anna"})))
    cards = [[text.text for text in card.iter(f"{SVG}text")] for card in root.iterfind(f".//{SVG}g[@class='player']")]
    assert cards[0][0] == "Anna"
    assert [card[2:4] for card in cards] == [["-3", "2"], ["?", "0"], ["?", "1"], ["?", "4"]]


def test_only_values_in_the_view_are_shown(caravan: Callable[..., View]) -> None:
    view = {**caravan(4, 31, 4), "values": {"C7": 3, "F3": -2}, "held": {"C7": "blue"}}
    root = read(draw_svg(KEY, view))
    shown = [[text.text for text in card.iter(f"{SVG}text")] for card in root.iterfind(f".//{SVG}g[@class='known']")]
    assert shown == [["+3", "C7"], ["-2", "F3"]]
    assert "known" not in draw_svg(KEY, {**view, "values": {}})


def test_what_is_shown_beside_the_board_never_runs_into_the_signs(caravan: Callable[..., View]) -> None:
    offer = {"square": "C7", "from": "blue", "to": "yellow", "words": ""}
    known = {f"{column}{row}": -2 for column in "AB" for row in range(6, 15)}
    view = {**caravan(5, 45, 2), "offers": 6 * [offer], "values": known}
    scene = Scene(view, DrawOptions())
    lowest = [place.y for _, place in (*scene.shown_offers, *scene.shown_cards)]
    assert len(lowest) > 6
    assert max(lowest) + 30 < scene.legend.y - 12
    told = draw_text(KEY, view)
    assert "B14 -2" in told
    assert max(map(len, told.splitlines())) <= 76


@pytest.mark.parametrize("name", ["</text><script>alert(1)</script>", "&lt;&", "{{ 7 * 7 }}", "\u202eevil\0", "]]>"])
def test_a_hostile_name_stays_text(caravan: Callable[..., View], name: str) -> None:
    view = {**caravan(2, 40, 3), "offers": [{"square": "C7", "from": "blue", "to": "yellow", "words": name}]}
    root = read(draw_svg(KEY, view, DrawOptions(title=name, names={"blue": name})))
    assert not list(root.iter(f"{SVG}script"))
    shown = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert sum(text.startswith(name[:4].replace("\u202e", "\ufffd")) for text in shown) == 2


def test_night_is_darker_and_auto_leaves_it_to_the_reader(caravan: Callable[..., View]) -> None:
    light, dark, auto = (
        draw_svg(KEY, caravan(2, 9), replace(DrawOptions(), theme=theme)) for theme in ("light", "dark", "auto")
    )
    assert ".n-page{fill:#fbf6ea}" in light
    assert ".n-page{fill:#17130f}" in dark
    assert "prefers-color-scheme" in auto
    assert "prefers-color-scheme" not in light + dark


def test_a_picture_stays_below_sixty_thousand_bytes(any_caravan: View) -> None:
    assert len(draw_svg(KEY, any_caravan, DrawOptions(theme="auto")).encode()) < 60_000
