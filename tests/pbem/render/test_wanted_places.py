"""Where something would have to change for a refused move to be legal: marked alike in every kind of picture."""

from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image

from engine import PUBLIC, View
from pbem.contract.playouts import play
from pbem.locale.catalogues import find_locale
from pbem.locale.languages import LANGUAGE_CODES
from pbem.render import DrawOptions, draw_page, draw_png, draw_quickly, draw_svg
from pbem.render.plain_scene import make_scene
from tests.known_games import known_game

SVG = "{http://www.w3.org/2000/svg}"
INK = (194, 0, 122)
PLACES = {
    "through-the-desert": ("C5", "K9"),
    "nomadi": ("F12", "A1"),
    "brotherhood-base": ("17", "17-18", "H"),
    "brotherhood": ("17", "H", "section 2"),
}
MIDGAME = 80
"""Plies after which a game is drawn."""

every_game = pytest.mark.parametrize("key", PLACES)


def seen(key: str) -> View:
    """A table in the middle of a game."""
    game = known_game(key)
    return game.view(play(game, game.players[-1], 0).positions[MIDGAME], PUBLIC)


def inked(picture: bytes) -> set[tuple[int, int]]:
    """The dots in the colour of the mark, or very near to it."""
    image = Image.open(BytesIO(picture)).convert("RGB")
    data = image.tobytes()
    dots = zip(data[::3], data[1::3], data[2::3], strict=True)
    near = (at for at, dot in enumerate(dots) if all(abs(one - two) < 24 for one, two in zip(dot, INK, strict=True)))
    return {(at % image.width, at // image.width) for at in near}


@every_game
def test_the_places_are_marked_and_named_in_the_picture_only_on_request(key: str) -> None:
    picture = draw_svg(key, seen(key), DrawOptions(wanted=PLACES[key]))
    root = ElementTree.fromstring(picture)  # noqa: S314  # our own picture
    (group,) = [each for each in root.iter(f"{SVG}g") if each.get("class") == "wanted"]
    assert tuple(each.get("data-at") for each in group.iter(f"{SVG}g") if each is not group) == PLACES[key]
    assert group.findtext(f"{SVG}title") == f"Something would have to change here: {' '.join(PLACES[key])}"
    assert 'class="wanted"' not in draw_svg(key, seen(key))


@every_game
def test_the_quick_picture_has_the_mark_where_the_other_has_it(key: str) -> None:
    view, options = seen(key), DrawOptions(title="7", wanted=PLACES[key])
    quick, slow = inked(draw_quickly(key, view, options)), inked(draw_png(key, view, options))
    assert len(quick ^ slow) < 0.25 * len(slow)
    for _, (x, y) in make_scene(key, view, options).wanted:
        assert {(x - 34, y), (x + 34, y)} <= quick
    assert not inked(draw_quickly(key, view, DrawOptions(title="7")))


@every_game
def test_the_quick_picture_is_otherwise_the_same(key: str) -> None:
    view, options = seen(key), DrawOptions(title="7", wanted=PLACES[key][:1])
    ((_, (x, y)),) = make_scene(key, view, options).wanted
    marked, bare = (
        Image.open(BytesIO(draw_quickly(key, view, each))).convert("RGB") for each in (options, DrawOptions(title="7"))
    )
    for image in (marked, bare):
        image.paste((0, 0, 0), (x - 40, y - 40, x + 40, y + 40))
    one, other = marked.tobytes(), bare.tobytes()
    assert max(abs(a - b) for a, b in zip(one, other, strict=True)) < 48
    assert sum(a != b for a, b in zip(one, other, strict=True)) < 0.001 * len(one)


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_the_mark_is_named_in_every_language_and_on_the_page(code: str) -> None:
    key = "nomadi"
    page = draw_page(key, seen(key), DrawOptions(wanted=("F12",), locale=find_locale(code)))
    assert page.count('class="wanted"') == 1
    assert ("Something would have to change here" in page) == (code == "en")


def test_a_game_without_places_on_paper_shows_no_mark() -> None:
    assert 'class="wanted"' not in draw_svg("any", {"name": "x"}, DrawOptions(wanted=("A1",)))
