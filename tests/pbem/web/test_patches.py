"""Patches lead from any moment to any other, and are hardly larger than the best that a compressor can do."""

import gzip
import json
import os
from collections.abc import Callable
from itertools import pairwise

import brotli
import pytest

from engine.game import PUBLIC
from notation import WORDS, Record
from pbem.locale.catalogues import find_locale
from pbem.mail.writing.sentences import find_sentences
from pbem.render import DrawOptions, can_draw_narrow, draw_svg, marks_of
from pbem.web.drawing import MomentArtist, draw_game
from pbem.web.frames import Game
from pbem.web.patches import NodeTable, apply_patch, compare_trees
from pbem.web.trees import read_tree, write_tree
from tests.pbem.web.conftest import SEATS, watched

GAMES = int(os.environ.get("CARAVAN_WEB_GAMES", "0"))
"""So many whole games of each are compared; without it the beginning of one."""
MOMENTS = 40
MOST = 1.3
"""How much larger than brotli of all drawings the first drawing and its patches may be, packed by gzip."""


def cut(record: Record, moments: int) -> Record:
    """The beginning of a game, as one that goes on; a game that is short stays whole."""
    if moments >= len(record.entries):
        return record
    headers = tuple(header for header in record.headers if header[0] != "Result")
    return Record(headers, record.entries[:moments])


@pytest.mark.parametrize("language", ["en", "he"])
@pytest.mark.parametrize("key", SEATS)
@pytest.mark.parametrize("seed", [str(number) for number in range(max(1, GAMES))])
def test_every_moment_reached_back_and_forth_is_the_full_drawing(
    key: str, seed: str, language: str, sample: Callable[[str, str], Record]
) -> None:
    record = sample(key, seed)
    game = watched(record if GAMES else cut(record, MOMENTS))
    sentences = find_sentences(find_locale(language), key)
    called = {seat: seat for seat in game.record.seats}
    drawn, artist = draw_game(game, sentences, called), MomentArtist(game, sentences, called)
    boards = {way: read_tree(markup) for way, markup in drawn.latest.items()}
    undone = []
    for at in range(game.length - 1, -1, -1):
        full = artist.draw(game.frames[at]).drawings
        for way in boards:
            boards[way], back = apply_patch(boards[way], drawn.patches[way][at])
            undone.append((way, back))
            assert boards[way] == full[way], (way, at)
    for way, back in reversed(undone):
        boards[way], _ = apply_patch(boards[way], back)
    assert {way: write_tree(tree) for way, tree in boards.items()} == drawn.latest


@pytest.mark.parametrize("key", SEATS)
def test_the_latest_drawing_with_all_patches_is_little_more_than_what_brotli_makes_of_all_drawings(
    key: str, sample: Callable[[str, str], Record]
) -> None:
    record = sample(key, "9")
    game = watched(record if GAMES else cut(record, 3 * MOMENTS))
    for narrow in [False, True][: 1 + can_draw_narrow(key)]:
        svgs = [_draw(game, at, narrow=narrow) for at in range(game.length)]
        moments = list(map(read_tree, svgs))
        patches = [compare_trees(later, moment) for moment, later in pairwise(moments)]
        nodes = NodeTable(patches)
        told = [write_tree(moments[-1]), [nodes.write(patch) for patch in patches], nodes.shared]
        ours = len(gzip.compress(json.dumps(told, separators=(",", ":")).encode(), 9))
        best = len(brotli.compress("".join(map(write_tree, moments)).encode(), quality=9))
        assert ours <= MOST * best, (narrow, ours, best)


def _draw(game: Game, at: int, *, narrow: bool) -> str:
    frame = game.frames[at]
    moves = frame.entry.moves if frame.entry is not None and frame.entry.who not in WORDS else ()
    view, score = game.rules.view(frame.position, PUBLIC), game.rules.score(frame.position)
    options = DrawOptions(
        names=game.names, marked=marks_of(moves), score=score, theme="auto", narrow=narrow, steady=True
    )
    return draw_svg(game.rules.key, view, options)
