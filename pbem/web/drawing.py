"""The boards of a game in one language: the latest in full, and for every other moment what differs.

There are up to three drawings of a moment: the whole board, the board for a telephone where the game has one, and the
panel with status, points and the board in words. All are trees, and all are patched alike.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from engine.game import PUBLIC, Seat
from notation import WORDS
from pbem.mail.writing.board_pictures import read_owners
from pbem.mail.writing.sentences import Sentences
from pbem.render import DrawOptions, can_draw_narrow, draw_svg, list_by_owner, marks_of
from pbem.render.environment import environment
from pbem.render.players import list_players
from pbem.web.frames import Frame, Game
from pbem.web.patches import Patch, compare_trees
from pbem.web.trees import Element, read_tree, styles_in, write_tree

WIDE: Final = "wide"
NARROW: Final = "narrow"
PANEL: Final = "panel"


COLOURS: Final = {
    "red": "#c8202f",
    "blue": "#2f6fd6",
    "green": "#1a936f",
    "yellow": "#c08a00",
    "orange": "#d9730d",
    "cerise": "#c2378a",
    "white": "#8d8d8d",
}
"""The colours of seats, to be told from a light page and from a dark one."""


def seat_colour(seat: Seat) -> str:
    """The colour in which a page shows a seat; the page's own ink for black, and for seats that are no colours."""
    return COLOURS.get(seat, "currentColor")


class Moment(NamedTuple):
    """One moment drawn in every way."""

    drawings: Mapping[str, Element]
    styles: tuple[str, ...]


class DrawnGame(NamedTuple):
    """All moments of a game."""

    latest: Mapping[str, str]
    """For each way of drawing the latest moment as markup."""
    patches: Mapping[str, tuple[Patch, ...]]
    """For each way and moment what makes it of its parent; empty for the latest."""
    styles: tuple[str, ...]
    """What styles the drawings have."""


class MomentArtist:
    """Draws the moments of a game in one language."""

    def __init__(self, game: Game, sentences: Sentences, names: Mapping[str, str]) -> None:
        self._game = game
        self._sentences = sentences
        self._names = names
        self._panel = environment(sentences.locale).get_template("web/panel.html")
        self._ways = (WIDE, NARROW) if can_draw_narrow(game.rules.key) else (WIDE,)

    def draw(self, frame: Frame) -> Moment:
        """A moment as everybody may see it."""
        key, view = self._game.rules.key, self._game.rules.view(frame.position, PUBLIC)
        moves = frame.entry.moves if frame.entry is not None and frame.entry.who not in WORDS else ()
        drawings, styles = {}, []
        for way in self._ways:
            drawn = draw_svg(key, view, self._options(frame, moves, narrow=way == NARROW))
            drawings[way] = read_tree(drawn)
            styles.append(styles_in(drawn))
        drawings[PANEL] = read_tree(self._draw_panel(frame, view, moves))
        return Moment(drawings, tuple(styles))

    def _options(self, frame: Frame, moves: tuple[object, ...], *, narrow: bool = False) -> DrawOptions:
        return DrawOptions(
            names=self._game.names,
            marked=marks_of(moves),
            score=self._game.rules.score(frame.position),
            theme="auto",
            locale=self._sentences.locale,
            narrow=narrow,
            steady=True,
        )

    def _draw_panel(self, frame: Frame, view: Any, moves: tuple[object, ...]) -> str:
        key, options = self._game.rules.key, self._options(frame, moves)
        return self._panel.render(
            status=" ".join(self._sentences.list_out("status", view)),
            players=list_players(view, options),
            names=self._names,
            colour=seat_colour,
            sign=self._sentences.sign,
            owners=read_owners(list_by_owner(key, view, options)),
        )


def draw_game(game: Game, sentences: Sentences, names: Mapping[str, str]) -> DrawnGame:
    """All moments of a game, each compared with the one that it is reached from."""
    artist = MomentArtist(game, sentences, names)
    latest = artist.draw(game.latest)
    patches: dict[str, list[Patch]] = {way: [()] * len(game.frames) for way in latest.drawings}
    styles = dict.fromkeys(latest.styles)
    for at, found, drawn in _walk(game, artist, latest):
        for way, patch in zip(patches, found, strict=True):
            patches[way][at] = patch
        styles.update(dict.fromkeys(drawn.styles))
    return DrawnGame(
        {way: write_tree(drawn) for way, drawn in latest.drawings.items()},
        {way: tuple(some) for way, some in patches.items()},
        tuple(styles),
    )


def _walk(game: Game, artist: MomentArtist, latest: Moment) -> Iterator[tuple[int, tuple[Patch, ...], Moment]]:
    """For each moment but the latest its patches. Few moments are held at a time."""
    bases = {game.frames[at].parent for at in range(game.length, len(game.frames))}
    held = {game.length - 1: latest}
    after = latest
    for at in range(game.length - 2, -1, -1):
        drawn = artist.draw(game.frames[at])
        yield at, _compare(after, drawn), drawn
        if at in bases:
            held[at] = drawn
        after = drawn
    for at in range(game.length, len(game.frames)):
        held[at] = artist.draw(game.frames[at])
        yield at, _compare(held[game.frames[at].parent], held[at]), held[at]


def _compare(before: Moment, after: Moment) -> tuple[Patch, ...]:
    return tuple(compare_trees(drawn, after.drawings[way]) for way, drawn in before.drawings.items())
