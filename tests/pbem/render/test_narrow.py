"""The board for a telephone: small files, names that can be read, and one board for all readers."""

import re
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from typing import Any, Final
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops, ImageFont

from engine.brotherhood.moves import Guard, Keep, Road, Roads, Settlement, Tormund, Yarwyck
from engine.chance import KeyedDealer
from engine.game import CHANCE, PUBLIC, Seat, Setup, View
from engine.registry import find_game
from pbem.locale.catalogues import find_locale
from pbem.render import DrawOptions, can_draw_narrow, draw_png, draw_quickly, draw_svg, marks_of
from pbem.render.narrow import LETTERING, SCALE, WIDTH, narrow_renderer
from pbem.render.raster import rasterise
from pbem.render.scenes.brotherhood.narrow import GiftScene
from pbem.render.scenes.nomadi.narrow import CaravanScene, look_at
from pbem.render.scenes.through_the_desert.narrow import PortraitScene
from tests.pbem.render.conftest import _way_left

NARROW: Final = {
    "through-the-desert": PortraitScene,
    "nomadi": CaravanScene,
    "brotherhood-base": GiftScene,
    "brotherhood": GiftScene,
}
FONT: Final = "templates/fonts/DejaVuSansCondensed-Bold.ttf"
LARGEST: Final = 45_000
SMALLEST_GLYPH: Final = 7.5
"""CSS pixels of a capital or a figure in the name of a place."""
NOT_NAMES: Final = {"guard", "drop", "water", "reach", "die", "waiting", "wildling", "tormund", "camel"}
"""Figures whose texts are no names of places."""
LIKE_BUILDING: Final = ("Settlement", "Keep", "Road", "Buy")


@dataclass(frozen=True)
class Moment:
    """A position with what a mail to the first seat that is due would draw."""

    key: str
    view: View
    public: View
    options: DrawOptions

    def draw(self, **changed: Any) -> bytes:
        return draw_quickly(self.key, self.view, replace(self.options, **changed))


@cache
def play(key: str, players: int, turn: int, seed: bytes = b"narrow") -> Moment:
    """A game played forward by chance until somebody is to move in a turn, or until it is over."""
    game, dealer = find_game(key), KeyedDealer(seed)
    assert game is not None
    position = game.start(game.lay_out(Setup(game.seats[:players]), dealer))
    last: tuple[tuple[Seat, int], list[Any]] = ("", 0), []
    while (due := game.to_act(position)) and (game.turn(position) < turn or due == (CHANCE,)):
        if due == (CHANCE,):
            position = game.apply(position, game.deal(position, dealer))
            continue
        plies = list(game.legal(position))
        if key == "nomadi":
            plies = sorted(plies, key=_way_left)[:3]
        elif key.startswith("brotherhood") and dealer.pick(4, "builds"):
            plies = [ply for ply in plies if type(ply.move).__name__ in LIKE_BUILDING] or plies
        ply = plies[dealer.pick(len(plies), "ply")]
        mover = ply.seat, game.turn(position)
        last = mover, [*(last[1] if last[0] == mover else ()), ply.move]
        position = game.apply(position, ply)
    who = due[0] if due else ""
    moves = tuple(ply.move for ply in game.legal(position) if ply.seat == who) if due else ()
    options = DrawOptions(narrow=True, reader=who, open=moves, marked=marks_of(last[1]))
    return Moment(key, game.view(position, who or PUBLIC), game.view(position, PUBLIC), options)


MOMENTS: Final = [
    *(("through-the-desert", players, turn) for players in (2, 3, 4, 5) for turn in (1, 14, 30, 62, 999)),
    *(("nomadi", players, turn) for players in (2, 3, 4, 5) for turn in (1, 12, 40, 90, 999)),
    *(("brotherhood-base", players, turn) for players in (3, 4) for turn in (1, 20, 90, 999)),
    *(("brotherhood", players, turn) for players in (3, 4) for turn in (1, 4, 40, 140, 999)),
]
BUILDING: Final = (Road(1, 5), Settlement(57), Keep(1))
"""Building in the Gift, which players by chance can seldom pay for."""
ONE_EACH: Final = [
    ("through-the-desert", 4, 62),
    ("nomadi", 4, 40),
    ("brotherhood-base", 4, 90),
    ("brotherhood", 4, 90),
]


@pytest.fixture(params=MOMENTS, ids=lambda given: "-".join(map(str, given)))
def moment(request: pytest.FixtureRequest) -> Moment:
    return play(*request.param)


@pytest.fixture(params=ONE_EACH, ids=lambda given: given[0])
def one_each(request: pytest.FixtureRequest) -> Moment:
    return play(*request.param)


def test_the_file_is_small_and_as_wide_as_a_telephone(moment: Moment) -> None:
    for png in (moment.draw(), moment.draw(reader="", open=())):
        assert len(png) <= LARGEST
        with Image.open(BytesIO(png)) as picture:
            assert picture.width == WIDTH == 362 * SCALE
            assert picture.height % SCALE == 0
            assert picture.height <= 530 * SCALE
            assert len(picture.getcolors() or ()) <= 16


@dataclass(frozen=True)
class Text:
    """A text of a picture: what it says, how large, where, in which figure, and what that figure's place is called."""

    said: str
    size: float
    box: tuple[float, float, float, float]
    figure: str
    place: str


def read_texts(svg: str) -> list[Text]:
    """The texts of a picture that can be seen, in order; what lies below another figure of the same place cannot."""
    top = ElementTree.fromstring(svg)  # noqa: S314  # our own picture
    space = "{http://www.w3.org/2000/svg}"
    styles = "".join(style.text or "" for style in top.iter(f"{space}style"))
    sizes = {name: float(size) for name, size in re.findall(r"\.([\w-]+)\{[^}]*?font-size:([\d.]+)px", styles)}
    assert sizes["n-narrow"] == LETTERING
    found: list[Text] = []

    def visit(element: Any, x: float, y: float, figure: str, place: str) -> None:
        moved = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", element.get("transform", ""))
        if moved:
            x, y = x + float(moved[1]), y + float(moved[2])
        place = element.get("data-at", place)
        named = element.get("class", "")
        figure = named if element.tag == f"{space}g" and named and not named.startswith("n-") else figure
        if element.tag == f"{space}text" and element.text:
            size = float(element.get("font-size", sizes.get(named, LETTERING)))
            left, right = float(element.get("x", 0)) + x, float(element.get("y", 0)) + y
            wide = ImageFont.truetype(FONT, 100).getlength(element.text) * size / 100
            left -= {"n-start": 0.0, "n-end": wide}.get(named, wide / 2)
            found.append(Text(element.text, size, (left, right - size * 0.729, left + wide, right), figure, place))
        for child in element:
            visit(child, x, y, figure, place)

    for child in top:
        visit(child, 0, 0, "", "")
    return found


def hide_covered(texts: list[Text]) -> list[Text]:
    """Texts without those that a later figure of the same place has replaced."""
    seen: list[Text] = []
    for at, text in enumerate(texts):
        middle = (text.box[0] + text.box[2]) / 2, (text.box[1] + text.box[3]) / 2
        later = texts[at + 1 :]
        again = any(
            other.said == text.said and abs(other.box[0] - text.box[0]) < 4 and abs(other.box[1] - text.box[1]) < 6
            for other in later
        )
        replaced = text.place and any(
            other.place == text.place and other.figure not in ("reach", text.figure) for other in later
        )
        worded = any(
            other.figure == "wildling"
            and other.box[1] < middle[1] < other.box[3]
            and abs(other.box[0] - middle[0]) < 60
            for other in later
        )
        if not (again or replaced or worded):
            seen.append(text)
    return seen


def glyph_height(text: str, size: float) -> float:
    """The height of the lowest capital or figure of a text, in CSS pixels."""
    font = ImageFont.truetype(FONT, 1000)
    heights = [box[3] - box[1] for box in (font.getbbox(character) for character in text)]
    return min(heights) * size / 1000 / SCALE


def test_every_name_of_a_place_can_be_read(moment: Moment) -> None:
    texts = read_texts(draw_svg(moment.key, moment.view, moment.options))
    names = [text for text in texts if text.figure not in NOT_NAMES and re.fullmatch(r"[A-Z]?\d*", text.said)]
    assert len(names) > 20
    assert min(glyph_height(name.said, name.size) for name in names) >= SMALLEST_GLYPH


@pytest.mark.parametrize("language", ["en", "nl", "ru", "he", "pl"])
def test_no_label_lies_on_another_or_outside(one_each: Moment, language: str) -> None:
    options = replace(one_each.options, locale=find_locale(language))
    drawn = draw_svg(one_each.key, one_each.view, options)
    texts = hide_covered(read_texts(drawn))
    height = float(re.findall(r'viewBox="0 0 724 (\d+)"', drawn)[0])
    for at, text in enumerate(texts):
        left, top, right, bottom = text.box
        assert 0 <= left < right <= WIDTH, text
        assert 0 <= top < bottom <= height, text
        for other in texts[at + 1 :]:
            apart = right <= other.box[0] or other.box[2] <= left or bottom <= other.box[1] or other.box[3] <= top
            assert apart, (text, other)


def test_no_label_lies_on_another_at_any_stage(moment: Moment) -> None:
    texts = hide_covered(read_texts(draw_svg(moment.key, moment.view, moment.options)))
    for at, text in enumerate(texts):
        left, top, right, bottom = text.box
        for other in texts[at + 1 :]:
            apart = right <= other.box[0] or other.box[2] <= left or bottom <= other.box[1] or other.box[3] <= top
            assert apart, (text, other)


def test_open_spaces_carry_their_names(one_each: Moment) -> None:
    texts = {text.said for text in read_texts(draw_svg(one_each.key, one_each.view, one_each.options))}
    spaces = {mark.split("-")[-1] for mark in marks_of(one_each.options.open) if "section" not in mark}
    assert spaces <= texts


def unlike(one: Image.Image, other: Image.Image) -> float:
    counts = ImageChops.difference(one.convert("RGB"), other.convert("RGB")).convert("L").histogram()
    return sum(counts[40:]) / sum(counts)


def test_the_tiles_look_like_the_drawing(moment: Moment) -> None:
    drawn = rasterise(draw_svg(moment.key, moment.view, moment.options), width=WIDTH)
    with Image.open(BytesIO(moment.draw())) as laid:
        assert laid.size == drawn.size
        assert unlike(laid, drawn) < 0.002
    assert draw_png(moment.key, moment.view, moment.options) == moment.draw()


def test_a_reader_sees_the_own_pieces_and_what_is_open(one_each: Moment) -> None:
    shared, own = one_each.draw(reader="", open=()), one_each.draw(open=())
    opened = BUILDING if one_each.key.startswith("brotherhood") else one_each.options.open
    assert len({shared, own, one_each.draw(open=opened)}) == 3


@pytest.mark.parametrize("move", [*BUILDING, Guard(2), Tormund("H"), Roads(((1, 5), (5, 10))), Yarwyck((1, 5), (2, 7))])
def test_whatever_a_move_names_is_marked_as_open(move: Any) -> None:
    moment = play("brotherhood", 4, 40)
    spot = moment.view["settlements"][moment.options.reader][0]
    opened = (Keep(spot) if isinstance(move, Keep) else move,)
    assert moment.draw(open=opened) != moment.draw(open=())
    assert draw_quickly(moment.key, moment.public, replace(moment.options, reader="", open=opened)) != moment.draw(
        reader="", open=()
    ) or isinstance(move, Keep)  # a keep is marked on the reader's own settlement


def test_the_picture_shows_nothing_that_only_one_player_knows(moment: Moment) -> None:
    public = draw_quickly(moment.key, moment.public, moment.options)
    assert public == moment.draw()
    names = dict.fromkeys(moment.public["seats"], "somebody")
    assert moment.draw(names=names, title="another table", theme="dark") == public


def test_readers_share_the_board_of_a_position(one_each: Moment) -> None:
    boards = narrow_renderer(NARROW[one_each.key], one_each.options.locale)._board
    one_each.draw(open=())
    before = boards.cache_info()
    for seat in one_each.view["seats"]:
        one_each.draw(reader=seat, open=())
    after = boards.cache_info()
    assert (after.misses, after.hits) == (before.misses, before.hits + len(one_each.view["seats"]))


def test_what_was_drawn_before_leaves_no_trace(one_each: Moment) -> None:
    first = one_each.draw()
    for given in ONE_EACH:
        play(*given[:2], 25).draw()
    assert one_each.draw() == first


def test_the_desert_is_turned_to_the_left_and_not_mirrored() -> None:
    moment = play("through-the-desert", 4, 1)
    texts = read_texts(draw_svg(moment.key, moment.view, replace(moment.options, open=())))
    letters = [text for text in texts if text.said.isalpha() and not text.figure]
    numbers = [text for text in texts if text.said.isdigit() and not text.figure]
    heights = {text.said: text.box[1] for text in letters}
    acrosses = {text.said: text.box[0] for text in numbers}
    assert len(letters) == 2 * 22
    assert len(numbers) == 2 * 13
    assert sorted(heights, key=lambda letter: -heights[letter]) == sorted(heights)
    assert sorted(acrosses, key=lambda number: acrosses[number]) == [str(row) for row in range(1, 14)]


@pytest.mark.parametrize(("stones", "columns"), [((6, 8, 9, 14), 10), ((2, 5, 12, 9), 13), ((0, 0, 15, 18), 16)])
def test_a_window_is_as_wide_as_the_caravan_needs(stones: tuple[int, int, int, int], columns: int) -> None:
    window = look_at(*stones)
    assert window.columns == columns
    assert window.left <= stones[0]
    assert stones[2] < window.left + window.columns
    assert window.columns * window.side <= WIDTH
    assert window.height <= 1160


def test_a_game_without_a_narrow_board_keeps_its_picture() -> None:
    moment = play("shy-well", 3, 1)
    assert not can_draw_narrow(moment.key)
    assert draw_svg(moment.key, moment.view, moment.options) == draw_svg(moment.key, moment.view)
