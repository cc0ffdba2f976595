"""The picture shows the view: every camel, hex, waterhole and mark, and nothing outside itself."""

import re
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import ImageFont

from engine.through_the_desert import GAME
from engine.through_the_desert.board import BOARDS, COLOURS
from pbem.locale.catalogues import find_locale, known_locales
from pbem.render import DrawOptions, draw_svg
from pbem.render.geometry import HEXAGON
from pbem.render.scenes.through_the_desert.ground import survey
from tests.pbem.render.conftest import Table

KEY = "through-the-desert"
SVG = "{http://www.w3.org/2000/svg}"
SIGN = re.compile(r'<g transform="translate\((\d+) 0\)">.*?<text class="d-soft d-start" x="26"[^>]*>([^<]+)</text></g>')
LETTERS = {"lilac": "L", "mint": "M", "lemon": "Y", "green": "G", "salmon": "S"}


def read(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)  # noqa: S314  # our own picture


def full(table: Any) -> DrawOptions:
    return DrawOptions(marked=table.last, legal=table.legal, score=table.score)


def drawn(root: ElementTree.Element, group: str) -> set[str]:
    """The spaces of what a group of the picture holds."""
    return {use.get("data-at", "") for use in root.iterfind(f".//{SVG}g[@class='{group}']/{SVG}use")}


def test_the_picture_is_well_formed_and_refers_to_nothing_outside(any_table: Table) -> None:
    picture = draw_svg(KEY, any_table.view, full(any_table))
    assert read(picture).tag == f"{SVG}svg"
    assert re.findall(r"https?:[^\"]*", picture) == ["http://www.w3.org/2000/svg"]
    assert all(target.startswith("#") for target in re.findall(r'href="([^"]*)"', picture))
    assert "url(" not in picture.replace("url(#", "")


def test_every_reference_has_its_figure(any_table: Table) -> None:
    root = read(draw_svg(KEY, any_table.view, full(any_table)))
    figures = {element.get("id") for element in root.iter()}
    assert {use.get("href", "")[1:] for use in root.iter(f"{SVG}use")} <= figures


def test_every_camel_shows_its_space_its_letter_and_its_owner(any_table: Table) -> None:
    root = read(draw_svg(KEY, any_table.view))
    shapes = {element.get("id"): element for element in root.iter()}
    for seat, caravans in any_table.view["camels"].items():
        for colour, spaces in caravans.items():
            figure = shapes[f"{seat}-{colour}"]
            assert figure.findtext(f"{SVG}text") == LETTERS[colour]
            assert {use.get("href") for use in figure.iter(f"{SVG}use")} == {f"#s-{seat}"}
            assert any(f"d-of-{seat}" in use.get("class", "") for use in figure.iter(f"{SVG}use"))
            places = [use.attrib["data-at"] for use in root.iterfind(f".//{SVG}use[@href='#{seat}-{colour}']")]
            assert sorted(places) == sorted(spaces)


def test_every_leader_wears_a_crown(any_table: Table) -> None:
    root = read(draw_svg(KEY, any_table.view))
    crowned = {use.get("data-at") for use in root.iterfind(f".//{SVG}g[@class='caravan']/{SVG}use[@href='#crown']")}
    assert crowned == {space for leaders in any_table.view["leaders"].values() for space in leaders.values()}


def test_every_hex_of_the_map_is_drawn_once(any_table: Table) -> None:
    root = read(draw_svg(KEY, any_table.view))
    land = root.find(f".//{SVG}g[@class='d-land']")
    assert land is not None
    sand = "".join(path.get("d", "") for path in land.iter(f"{SVG}path"))
    rocks = {use.get("data-at") for use in land.iter(f"{SVG}use")}
    layout = survey("standard", len(any_table.view["seats"])).layout
    for row, line in enumerate(BOARDS["standard"].lines, 1):
        for column, sign in zip("ABCDEFGHIJKLMNOPQRSTUV", line, strict=True):
            x, y = layout.centre(f"{column}{row}")
            assert sand.count(f"M{x} {y}{HEXAGON}") == (sign != "#")
            assert (f"{column}{row}" in rocks) == (sign == "#")


def test_water_oases_and_areas_lie_where_the_view_says(any_table: Table) -> None:
    view = any_table.view
    root = read(draw_svg(KEY, view))
    values = {
        use.get("data-at"): int(use.get("href", "")[-1]) for use in root.iterfind(f".//{SVG}g[@class='water']/{SVG}use")
    }
    assert values == view["water"]
    assert drawn(root, "oases") == set(view["oases"])
    marks = {(use.get("data-at"), use.get("href")) for use in root.iterfind(f".//{SVG}g[@class='areas']/{SVG}use")}
    assert marks == {(space, f"#m-{area['seat']}") for area in view["areas"] for space in area["spaces"]}


def test_the_last_turn_and_the_legal_spaces_are_shown_only_on_request(table: Callable[[int, int], Table]) -> None:
    scene = table(3, 40)
    shown = read(draw_svg(KEY, scene.view, full(scene)))
    assert drawn(shown, "marked d-ink") == set(scene.last) != set()
    assert drawn(shown, "legal") == set(scene.legal) != set()
    bare = read(draw_svg(KEY, scene.view))
    assert drawn(bare, "marked d-ink") == drawn(bare, "legal") == set()


def test_every_empty_space_in_play_shows_its_name_and_no_other_does(any_table: Table) -> None:
    view = any_table.view
    root = read(draw_svg(KEY, view))
    shown = [text.text for text in root.iterfind(f".//{SVG}g[@class='d-names']/{SVG}text")]
    taken = {space for own in view["camels"].values() for spaces in own.values() for space in spaces}
    taken |= {space for area in view["areas"] for space in area["spaces"]}
    in_play = BOARDS["standard"].grid.spaces(BOARDS["standard"].spaces(len(view["seats"])))
    assert sorted(shown, key=str) == sorted(set(in_play) - taken)


def test_the_border_is_drawn_only_where_the_east_is_out_of_play(table: Callable[[int, int], Table]) -> None:
    assert survey("standard", 3).border
    assert survey("standard", 3).border in draw_svg(KEY, table(3, 40).view)
    assert "out of play" in draw_svg(KEY, table(3, 40).view)
    assert survey("standard", 4).border == survey("standard", 4).far == ""
    assert "out of play" not in draw_svg(KEY, table(4, 60).view)


def test_a_mountain_is_dimmed_only_where_it_lies_nearer_to_what_is_out_of_play() -> None:
    far = {rock.spot.name for rock in survey("standard", 2).rocks if rock.far}
    assert far == {"N13", "S1", "T13", "U1", "U13", "V1", "V2", "V12", "V13"}
    assert not any(rock.far for rock in survey("standard", 5).rocks)


def test_players_are_told_apart_by_shape_and_hatch_and_camels_by_letter(table: Callable[[int, int], Table]) -> None:
    root = read(draw_svg(KEY, table(5, 200).view))
    shapes = {path.get("d") for path in root.iter(f"{SVG}path") if path.get("id", "").startswith("s-")}
    turns = {pattern.get("patternTransform") for pattern in root.iter(f"{SVG}pattern")}
    letters = {text.text for text in root.iterfind(f".//{SVG}defs//{SVG}text[@class='d-letter']")}
    assert len(shapes) == len(turns) == len(GAME.seats)
    assert len(letters) == len(COLOURS)


@pytest.mark.parametrize(
    "name",
    [
        "</text><script>alert(1)</script>",
        '"><img src=x onerror=y>',
        "&lt;&",
        "{{ 7 * 7 }}",
        "%(x)s %s %",
        "\u202eevil\0",
        "]]>",
    ],
)
def test_a_hostile_name_stays_text(table: Callable[..., Any], name: str) -> None:
    scene = table(2, 17)
    options = DrawOptions(title=name, names={"red": name, "blue": name})
    root = read(draw_svg(KEY, scene.view, options))
    assert not list(root.iter(f"{SVG}script"))
    assert not list(root.iter(f"{SVG}img"))
    shown = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert sum(text.startswith(name[:4].replace("\u202e", "\ufffd")) for text in shown) >= 3


def test_points_stand_in_the_legend_only_when_asked_for(table: Callable[[int, int], Table]) -> None:
    scene = table(4, 60)
    totals = [str(tally.total) for tally in scene.score.tallies]

    def cards(options: DrawOptions) -> list[str]:
        root = read(draw_svg(KEY, scene.view, options))
        return [
            text.text or "" for card in root.iterfind(f".//{SVG}g[@class='player']") for text in card.iter(f"{SVG}text")
        ]

    assert cards(DrawOptions(score=scene.score))[2::3] == totals
    assert len(cards(DrawOptions())) == 2 * len(totals)


def test_night_is_darker_and_auto_leaves_it_to_the_reader(table: Callable[[int, int], Table]) -> None:
    scene = table(2, 17)
    light, dark, auto = (
        draw_svg(KEY, scene.view, replace(full(scene), theme=theme)) for theme in ("light", "dark", "auto")
    )
    assert ".d-page{fill:#fbf6ea}" in light
    assert ".d-page{fill:#17130f}" in dark
    assert "prefers-color-scheme" in auto
    assert "prefers-color-scheme" not in light + dark
    assert "&" not in re.sub(r"&(amp|lt|gt|#\d+);", "", auto)


def test_a_picture_stays_below_sixty_thousand_bytes(any_table: Table) -> None:
    assert len(draw_svg(KEY, any_table.view, replace(full(any_table), theme="auto")).encode()) < 60_000


@pytest.mark.parametrize("code", known_locales())
def test_the_meaning_of_no_sign_runs_into_the_next_sign_or_over_the_edge(
    table: Callable[[int, int], Table], code: str
) -> None:
    scene = table(4, 60)
    svg = draw_svg(KEY, scene.view, DrawOptions(legal=scene.legal, locale=find_locale(code)))
    signs = SIGN.findall(svg)
    assert len(signs) == 4
    font = ImageFont.truetype(str(files("templates") / "fonts/DejaVuSansCondensed.ttf"), 14)
    ends = [int(left) + 26 + font.getlength(meaning) for left, meaning in signs]
    begins = [*(int(left) - 19 for left, _ in signs[1:]), survey("standard", 4).width - 8]
    assert all(end <= begin for end, begin in zip(ends, begins, strict=True)), (ends, begins)
