"""Pictures pasted from tiles: the look of the SVG at a hundredth of its cost.

From one turn to the next a board changes in a few places, and a mail should not wait for the rest to be drawn
again. Small drawings are made once from pieces of SVG; a tile is some of them, one over the other, on the colour that
it will lie on, in pixels of the same 256 colours as all tiles, so pasting it is a copy. What the drawings show and
where the tiles go is for the tile renderer of a game. This module knows no game.
"""

import struct
import zlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from isal import isal_zlib
from PIL import Image, ImageChops, ImageColor

from pbem.render.geometry import Point
from pbem.render.raster import few_colours, rasterise

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

WHOLE: Final = "whole"
"""A tile that is all of its rectangle."""
DRAWN: Final = "drawn"
"""A tile that is what the drawing covers."""
WIPING: Final = "wiping"
"""A tile that is what the drawing covers, and all that the cache's wiper covers."""

SEEN: Final = 78
"""From this opacity on, of 255, a pixel is covered by a drawing."""
KEPT: Final = 6000
"""Tiles that a cache keeps, of some eight thousand bytes each, and drawings."""
SHEET: Final = 1100
"""How wide a sheet of drawings may be, in pixels; a wider drawing has a sheet to itself."""
QUICK: Final = 1
"""How hard to pack: this level takes a tenth of the usual time and gives a file a quarter larger."""
THOROUGH: Final = 5
"""How hard zlib packs a picture of few colours, which ISA-L would leave half as large again."""

_COVERED: Final = [255 * (opacity >= SEEN) for opacity in range(256)]
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_PALETTE_TYPE: Final = 3


class Box(NamedTuple):
    """A rectangle."""

    left: int
    top: int
    width: int
    height: int


class Drawing(NamedTuple):
    """A piece of SVG: its name, the facts it shows, and the box that frames it."""

    name: str
    facts: tuple[Hashable, ...]
    box: Box


class Figure(NamedTuple):
    """The name of a drawing, the facts that it shows, the box that frames it, and where its point 0,0 lies.

    `name` is what words call the place; `on` is what the figure lies on, in the words of its game.
    """

    drawing: str
    facts: tuple[Hashable, ...]
    box: Box
    at: Point
    name: str = ""
    on: str = "page"

    def __html__(self) -> str:
        """As markup, a figure is the attributes of the group that holds it."""
        called = f' data-at="{self.name}"' if self.name else ""
        return f'class="{self.drawing}" transform="translate({self.at.x} {self.at.y})"{called}'


@dataclass(frozen=True, slots=True, eq=False)
class TileSpec:
    """What a tile shows: drawings of one size, the first lowest, on a colour; and the part of it that counts.

    Specs are compared by identity, because comparing their facts takes longer than pasting: use `make_spec`.
    """

    drawings: tuple[Drawing, ...]
    backdrop: str
    shape: str = DRAWN


@lru_cache(maxsize=KEPT)
def make_spec(name: str, facts: tuple[Hashable, ...], box: Box, backdrop: str, shape: str) -> TileSpec:
    """The spec of a tile with one drawing, always the same object for the same facts."""
    return TileSpec((Drawing(name, facts, box),), backdrop, shape)


def stack(*pictures: "Picture") -> "Picture":
    """Pictures one above the other, as a specimen of all their colours."""
    whole = Image.new("RGB", (max(each.width for each in pictures), sum(each.height for each in pictures)))
    top = 0
    for each in pictures:
        whole.paste(each, (0, top))
        top += each.height
    return whole


class Tile(NamedTuple):
    """A tile in pixels of the palette, which of them count (None: all of them), and where in its box it lies."""

    pixels: "Picture"
    shape: "Picture | None"
    left: int = 0
    top: int = 0


class TilePalette:
    """The colours of all tiles, at most 256: `image` has them as its palette."""

    def __init__(self, image: "Picture") -> None:
        self._image = image
        self.colours = bytes(image.getpalette("RGB") or ())

    @classmethod
    def suiting(cls, specimen: "Picture") -> Self:
        """256 colours, chosen to suit a specimen of everything that may be in a picture."""
        return cls(few_colours(specimen))

    @classmethod
    def of(cls, colours: Sequence[str]) -> Self:
        """The given colours and no others."""
        image = Image.new("P", (1, 1))
        image.putpalette([channel for colour in colours for channel in ImageColor.getrgb(colour)])
        return cls(image)

    def quantise(self, picture: "Picture") -> "Picture":
        """A picture in these colours, each pixel the number of its colour."""
        quantised = picture.quantize(palette=self._image, dither=Image.Dither.NONE)
        return Image.frombytes("L", picture.size, quantised.tobytes())


class TileCache:
    """Makes tiles and keeps them. `draw` gives the SVG of a sheet of drawings, each at its place."""

    def __init__(self, palette: TilePalette, draw: Callable[[Sequence["SheetPlace"]], str], wiper: "Picture") -> None:
        self.palette = palette
        self._draw = draw
        self._wiper = wiper
        self._drawings: dict[Drawing, Picture] = {}
        self._tiles: dict[TileSpec, Tile] = {}

    def tiles(self, specs: Sequence[TileSpec]) -> list[Tile]:
        """The tiles for some specs; those that are missing are drawn together."""
        missing = [spec for spec in dict.fromkeys(specs) if spec not in self._tiles]
        if missing:
            self._draw_missing(dict.fromkeys(drawing for spec in missing for drawing in spec.drawings))
            self._tiles |= {spec: self._make(spec) for spec in missing}
        made = [self._tiles[spec] for spec in specs]
        _forget_oldest(self._tiles)
        _forget_oldest(self._drawings)
        return made

    def _draw_missing(self, wanted: Iterable[Drawing]) -> None:
        """Draw together what has not been drawn yet: starting to draw takes longer than drawing."""
        placed = list(_place(drawing for drawing in wanted if drawing not in self._drawings))
        if placed:
            sheet = rasterise(self._draw(placed))
            self._drawings |= {drawing: sheet.crop(_corners(place)) for drawing, place in placed}

    def _make(self, spec: TileSpec) -> Tile:
        drawn = reduce(Image.alpha_composite, [self._drawings[drawing] for drawing in spec.drawings])
        if spec.shape == WHOLE:
            return Tile(self.palette.quantise(_put_on(spec.backdrop, drawn)), None)
        shape = drawn.getchannel("A").point(_COVERED, "1")
        if spec.shape == WIPING:
            shape = ImageChops.logical_or(shape, self._wiper)
        # Most of a box may be empty, and pasting it takes as long as pasting what is in it.
        around = shape.getbbox() or (0, 0, 1, 1)
        return Tile(self.palette.quantise(_put_on(spec.backdrop, drawn.crop(around))), shape.crop(around), *around[:2])


def _put_on(backdrop: str, drawn: "Picture") -> "Picture":
    picture = Image.new("RGB", drawn.size, backdrop)
    picture.paste(drawn, mask=drawn)
    return picture


def _forget_oldest(kept: dict[Any, Any]) -> None:
    while len(kept) > KEPT:
        del kept[next(iter(kept))]


class SheetPlace(NamedTuple):
    """A drawing and its place on a sheet."""

    drawing: Drawing
    place: Box


def _place(drawings: Iterable[Drawing]) -> Iterator[SheetPlace]:
    """Give each drawing a place on a sheet, line after line."""
    left = top = line = 0
    for drawing in drawings:
        _, _, width, height = drawing.box
        if left and left + width > SHEET:
            left, top, line = 0, top + line, 0
        yield SheetPlace(drawing, Box(left, top, width, height))
        left, line = left + width, max(line, height)


def sheet_size(sheet: Iterable[SheetPlace]) -> tuple[int, int]:
    """Width and height of a sheet that has room for all its drawings."""
    corners = [_corners(place) for _, place in sheet]
    return max(right for _, _, right, _ in corners), max(bottom for _, _, _, bottom in corners)


def _corners(box: Box) -> tuple[int, int, int, int]:
    return box.left, box.top, box.left + box.width, box.top + box.height


def prepare_canvas(ground: "Picture") -> "Picture":
    """An empty board in pixels of the palette, made ready to paste tiles on.

    A PNG file has a zero before every line of pixels; with a column of zeros at the left the canvas is the file.
    """
    canvas = Image.new("L", (ground.width + 1, ground.height), 0)
    canvas.paste(ground, (1, 0))
    return canvas


def prepare_small_canvas(ground: "Picture") -> "Picture":
    """The same for a picture of at most 16 colours, of which two pixels make a byte; hence two columns of zeros."""
    canvas = Image.new("P", (ground.width + 2, ground.height), 0)
    canvas.paste(ground, (2, 0))
    return canvas


def paste_tiles(canvas: "Picture", specs: Sequence[tuple[TileSpec, int, int]], tile_cache: TileCache) -> "Picture":
    """A copy of a canvas with tiles pasted on it one after the other, each with its left and top."""
    pasted = canvas.copy()
    tiles = tile_cache.tiles([spec for spec, _, _ in specs])
    zeros = _zeros(canvas)
    paste = pasted.im.paste  # as `pasted.paste` does once it has asked what it is given, which takes as long as pasting
    for (pixels, shape, inner_left, inner_top), (_, left, top) in zip(tiles, specs, strict=True):
        left, top = left + inner_left + zeros, top + inner_top
        box = left, top, left + pixels.width, top + pixels.height
        paste(pixels.im, box, shape.im) if shape else paste(pixels.im, box)
    return pasted


def _zeros(canvas: "Picture") -> int:
    """How many columns of zeros are at the left."""
    return 2 if canvas.mode == "P" else 1


def write_png(canvas: "Picture", colours: bytes) -> bytes:
    """A canvas as a PNG picture."""
    if canvas.mode == "P":
        depth, packed = 4, zlib.compress(canvas.tobytes("raw", "P;4"), THOROUGH)
    else:
        depth, packed = 8, isal_zlib.compress(canvas.tobytes(), QUICK)
    size = struct.pack(">IIBBBBB", canvas.width - _zeros(canvas), canvas.height, depth, _PALETTE_TYPE, 0, 0, 0)
    chunks = ((b"IHDR", size), (b"PLTE", colours), (b"IDAT", packed), (b"IEND", b""))
    return _SIGNATURE + b"".join(_write_chunk(name, data) for name, data in chunks)


def _write_chunk(name: bytes, data: Any) -> bytes:
    check = isal_zlib.crc32(data, isal_zlib.crc32(name))
    return b"".join((struct.pack(">I", len(data)), name, data, struct.pack(">I", check)))
