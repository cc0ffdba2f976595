"""The picture laid from tiles looks like the one that is drawn in full."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops

from engine.score import Score
from pbem.render import ENGLISH, DrawOptions, draw_png, draw_quickly
from pbem.render.raster import COLOURS, rasterise
from pbem.render.scenes.through_the_desert.pieces import STEPS, Hatching, hatch
from pbem.render.scenes.through_the_desert.tiles import HexTileRenderer
from pbem.render.tiles import (
    KEPT,
    WHOLE,
    Box,
    Drawing,
    TileCache,
    TilePalette,
    TileSpec,
    sheet_size,
)
from tests.pbem.render.conftest import Table

KEY = "through-the-desert"
NAMES = {"red": "Анна", "blue": "שרה", "green": "<b>&amp;</b>", "orange": "Ω" * 60}


def colours(picture: bytes) -> Image.Image:
    with Image.open(BytesIO(picture)) as opened:
        assert opened.format == "PNG"
        assert opened.mode == "P"
        return opened.convert("RGB")


def unlike(one: bytes, other: bytes, by: int) -> float:
    """The share of dots that differ by more than `by` of 255."""
    counts = ImageChops.difference(colours(one), colours(other)).convert("L").histogram()
    return sum(counts[by:]) / sum(counts)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_looks_like_the_drawing(any_table: Table, theme: Any) -> None:
    options = DrawOptions(title="Sirocco 7", names=NAMES, marked=any_table.last, score=any_table.score, theme=theme)
    placed, drawn = draw_quickly(KEY, any_table.view, options), draw_png(KEY, any_table.view, options)
    assert colours(placed).size == colours(drawn).size
    # Edges are blended with the sand alone, so a few dots of them differ; a missing camel would be a share of 0.002.
    assert unlike(placed, drawn, by=48) < 0.003
    assert unlike(placed, drawn, by=100) < 0.001


def test_a_picture_without_score_names_or_title_is_laid_too(table: Callable[[int, int], Table]) -> None:
    scene = table(3, 40)
    assert unlike(draw_quickly(KEY, scene.view), draw_png(KEY, scene.view), by=100) < 0.001


def test_a_camel_more_shows(table: Callable[[int, int], Table]) -> None:
    before, after = table(4, 59), table(4, 60)
    assert unlike(draw_quickly(KEY, before.view), draw_quickly(KEY, after.view), by=48) > 0.002


def test_what_was_laid_before_leaves_no_trace(table: Callable[[int, int], Table]) -> None:
    first, other = table(4, 60), table(4, 12)
    once = draw_quickly(KEY, first.view)
    draw_quickly(KEY, other.view, DrawOptions(title="another", score=other.score))
    assert draw_quickly(KEY, first.view) == once


def test_winners_wear_a_crown_below_the_board(table: Callable[[int, int], Table]) -> None:
    over = table(5, 200)
    assert over.score.winners
    nobody = DrawOptions(score=Score(over.score.tallies))
    assert draw_quickly(KEY, over.view, DrawOptions(score=over.score)) != draw_quickly(KEY, over.view, nobody)


def test_open_spaces_and_other_games_are_drawn_in_full(table: Callable[[int, int], Table]) -> None:
    scene = table(2, 17)
    options = DrawOptions(legal=scene.legal)
    assert draw_quickly(KEY, scene.view, options) == draw_png(KEY, scene.view, options)
    assert draw_quickly("any", {"name": "x"}) == draw_png("any", {"name": "x"})


def test_the_file_is_small(table: Callable[[int, int], Table]) -> None:
    assert len(draw_quickly(KEY, table(4, 60).view)) < 160_000


def test_a_second_picture_draws_only_what_is_new(
    table: Callable[[int, int], Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, sheets = table(4, 60), []
    draw_quickly(KEY, scene.view)
    monkeypatch.setattr("pbem.render.tiles.rasterise", lambda svg: sheets.append(svg))
    draw_quickly(KEY, scene.view)
    assert sheets == []


def test_a_workshop_keeps_only_so_many_tiles() -> None:
    grey = Image.new("RGB", (8, 8), "#808080")
    sheets = []

    def draw(sheet: Any) -> str:
        sheets.append(sheet)
        (width, height) = sheet_size(sheet)
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"/>'

    tile_cache = TileCache(TilePalette.suiting(grey), draw, Image.new("L", (2, 2)))
    specs = [TileSpec((Drawing("dot", (number,), Box(0, 0, 2, 2)),), "#808080", WHOLE) for number in range(KEPT + 5)]
    assert len(tile_cache.tiles(specs)) == KEPT + 5
    tile_cache.tiles(specs[5:])
    assert len(sheets) == 1
    tile_cache.tiles(specs[:1])
    assert len(sheets) == 2


def test_the_colours_suit_both_the_land_and_what_stands_on_it() -> None:
    palette = HexTileRenderer("light", ENGLISH).tile_cache.palette
    assert len(palette.colours) == 3 * COLOURS
    for colour in ("#b3101e", "#0b4fa8", "#00946b", "#f0b02e", "#cf5fa6", "#f2e0b6", "#fbf6ea", "#6b4f35"):
        dot = Image.new("RGB", (1, 1), colour).tobytes()
        (index,) = palette.quantise(Image.new("RGB", (1, 1), colour)).tobytes()
        nearest = palette.colours[3 * index : 3 * index + 3]
        assert max(abs(wanted - given) for wanted, given in zip(dot, nearest, strict=True)) <= 12, colour


def test_other_players_at_the_same_position_cost_only_their_names(
    table: Callable[[int, int], Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, sheets = table(4, 60), []
    draw_quickly(KEY, scene.view, DrawOptions(names=NAMES))

    def keep(svg: str) -> Any:
        sheets.append(svg)
        return rasterise(svg)

    monkeypatch.setattr("pbem.render.tiles.rasterise", keep)
    draw_quickly(KEY, scene.view, DrawOptions(names=NAMES | {"red": "Zoë"}))
    (sheet,) = sheets
    assert sheet.count("<text") == 1
    assert "Zoë" in sheet


def test_a_hatching_is_drawn_for_a_few_hexes_and_runs_on_in_all() -> None:
    for angle in (0, 20, 45, 90, 135):
        assert len({*hatch(Hatching("red", angle, 8), "standard", 5).values()}) <= STEPS
    upright = hatch(Hatching("green", 0, 8), "standard", 5)
    assert upright["A1"] == upright["A2"] != upright["B1"]
