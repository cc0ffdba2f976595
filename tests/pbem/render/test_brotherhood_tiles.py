"""The Brotherhood laid from tiles looks like the picture that is drawn in full."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops

from engine.game import View
from pbem.render import DrawOptions, draw_png, draw_quickly

NAMES = {"red": "Анна", "blue": "שרה", "yellow": "<b>&amp;</b>", "black": "Ω" * 60}


def colours(picture: bytes) -> Image.Image:
    with Image.open(BytesIO(picture)) as opened:
        assert opened.format == "PNG"
        return opened.convert("RGB")


def unlike(one: bytes, other: bytes, by: int) -> float:
    """The share of dots that differ by more than `by` of 255."""
    counts = ImageChops.difference(colours(one), colours(other)).convert("L").histogram()
    return sum(counts[by:]) / sum(counts)


@pytest.mark.parametrize(
    ("given", "theme"),
    [(("brotherhood", 4, 90), "dark"), (("brotherhood", 3, 140), "light"), (("brotherhood-base", 4, 40), "light")],
)
def test_it_looks_like_the_drawing(castle: Callable[..., View], given: Any, theme: Any) -> None:
    offer = {"seat": "blue", "give": {"wool": 2}, "take": {"ore": 1}, "to": ["red"]}
    view = {**castle(*given, "red"), "offers": [offer]}
    options = DrawOptions(title="Hardhome 5", names=NAMES, theme=theme, marked=("17", "section 1"))
    laid, drawn = draw_quickly(given[0], view, options), draw_png(given[0], view, options)
    assert colours(laid).size == colours(drawn).size
    # Edges are blended with one colour alone, so a few dots of them differ; a missing settlement is a share of 0.0005.
    assert unlike(laid, drawn, by=48) < 0.003
    assert unlike(laid, drawn, by=100) < 0.0002


def test_a_piece_more_shows(castle: Callable[..., View]) -> None:
    view = castle("brotherhood-base", 4, 40)
    free = next(path for path in view["paths"] if all(path not in own for own in view["roads"].values()))
    more = {**view, "roads": {**view["roads"], "red": [*view["roads"]["red"], free]}}
    assert unlike(draw_quickly("brotherhood-base", view), draw_quickly("brotherhood-base", more), by=48) > 0.0003


def test_other_land_is_another_ground(castle: Callable[..., View]) -> None:
    view = castle("brotherhood-base", 4, 40)
    lands = [each["land"] for each in reversed(view["hexes"])]
    turned = {**view, "hexes": [{**each, "land": land} for each, land in zip(view["hexes"], lands, strict=True)]}
    assert unlike(draw_quickly("brotherhood-base", turned), draw_png("brotherhood-base", turned), by=100) < 0.0002


def test_what_was_laid_before_leaves_no_trace(castle: Callable[..., View]) -> None:
    view = castle("brotherhood", 4, 90)
    once = draw_quickly("brotherhood", view)
    draw_quickly("brotherhood", castle("brotherhood", 3, 140, "red"), DrawOptions(title="another"))
    assert draw_quickly("brotherhood", view) == once


def test_a_second_picture_draws_only_what_is_new(castle: Callable[..., View], monkeypatch: pytest.MonkeyPatch) -> None:
    sheets: list[str] = []
    draw_quickly("brotherhood", castle("brotherhood", 4, 90))
    monkeypatch.setattr("pbem.render.tiles.rasterise", sheets.append)
    draw_quickly("brotherhood", castle("brotherhood", 4, 90))
    assert sheets == []


def test_the_file_is_small(castle: Callable[..., View]) -> None:
    assert len(draw_quickly("brotherhood", castle("brotherhood", 4, 90))) < 120_000
