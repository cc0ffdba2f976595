"""Nomadi laid from tiles looks like the picture that is drawn in full."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops

from engine.game import View
from pbem.render import DrawOptions, draw_png, draw_quickly

KEY = "nomadi"
NAMES = {"blue": "Анна", "yellow": "שרה", "red": "<b>&amp;</b>", "green": "Ω" * 60}


def colours(picture: bytes) -> Image.Image:
    with Image.open(BytesIO(picture)) as opened:
        assert opened.format == "PNG"
        return opened.convert("RGB")


def unlike(one: bytes, other: bytes, by: int) -> float:
    """The share of dots that differ by more than `by` of 255."""
    counts = ImageChops.difference(colours(one), colours(other)).convert("L").histogram()
    return sum(counts[by:]) / sum(counts)


@pytest.mark.parametrize(("given", "theme"), [((2, 9, 0), "dark"), ((4, 31, 4), "light"), ((5, 400, 0), "light")])
def test_it_looks_like_the_drawing(caravan: Callable[..., View], given: Any, theme: Any) -> None:
    view = caravan(*given, "blue")
    offer = {"square": "C7", "from": "blue", "to": "yellow", "words": ""}
    view = {**view, "offers": [offer], "values": {"C7": 3, "F3": -2}, "held": {"C7": "blue"}}
    options = DrawOptions(title="Khamsin 5", names=NAMES, theme=theme, marked=("A19-P1",))
    laid, drawn = draw_quickly(KEY, view, options), draw_png(KEY, view, options)
    assert colours(laid).size == colours(drawn).size
    # Edges are blended with one colour alone, so a few dots of them differ; a missing stone would be a share of 0.0008.
    assert unlike(laid, drawn, by=48) < 0.003
    assert unlike(laid, drawn, by=100) < 0.0003


def test_a_step_more_shows(caravan: Callable[..., View]) -> None:
    before, after = caravan(4, 31, 3), caravan(4, 31, 4)
    assert unlike(draw_quickly(KEY, before), draw_quickly(KEY, after), by=48) > 0.001


def test_a_movable_oasis_is_laid_where_it_lies(caravan: Callable[..., View]) -> None:
    view = caravan(2, 9)
    moved = {**view, "goal": [f"{column}{row}" for column in "EFGH" for row in range(5, 9)]}
    assert unlike(draw_quickly(KEY, moved), draw_png(KEY, moved), by=100) < 0.0003


def test_what_was_laid_before_leaves_no_trace(caravan: Callable[..., View]) -> None:
    once = draw_quickly(KEY, caravan(4, 31, 4))
    draw_quickly(KEY, caravan(2, 40, 3), DrawOptions(title="another"))
    assert draw_quickly(KEY, caravan(4, 31, 4)) == once


def test_a_second_picture_draws_only_what_is_new(caravan: Callable[..., View], monkeypatch: pytest.MonkeyPatch) -> None:
    sheets: list[str] = []
    draw_quickly(KEY, caravan(4, 31, 4))
    monkeypatch.setattr("pbem.render.tiles.rasterise", sheets.append)
    draw_quickly(KEY, caravan(4, 31, 4))
    assert sheets == []


def test_the_file_is_small(caravan: Callable[..., View]) -> None:
    assert len(draw_quickly(KEY, caravan(4, 31, 4))) < 120_000
