"""The picture of a board in a mail, for every game: how long a new position takes, beside the wide picture of it.

The narrow picture is drawn for a reader who is to move, so it has an overlay of its own; the wide one is what guests'
mails may show. Both are drawn by turns, of the same positions, after another game has filled their caches.
"""

import time
from collections.abc import Iterator
from statistics import mean, median
from typing import Any, Final, NamedTuple

from benchmarks.measuring import Tell
from benchmarks.sizes import Sizes
from benchmarks.table import Row
from engine.chance import KeyedDealer
from engine.game import CHANCE, Seat, Setup
from engine.registry import IN_HOUSE, find_game
from pbem.render import DrawOptions, draw_quickly, marks_of

SEATS: Final = 4
EVERY: Final = 4
"""One of so many positions is drawn."""
FIRST: Final = 3
"""In Nomadi the stones go on by one of so many steps, or the caravan would never leave."""


class Moment(NamedTuple):
    """A position when a seat is to move."""

    view: Any
    seat: Seat
    moves: tuple[object, ...]
    marked: tuple[str, ...]


def measure(sizes: Sizes, tell: Tell) -> Iterator[Row]:
    """The time of both pictures in the middle, and the size of the narrow one."""
    for key in IN_HOUSE:
        for moment in _play(key, b"warm", sizes.boards):
            _draw(key, moment)
        drawn = [_draw(key, moment) for moment in _play(key, b"new", sizes.boards)]
        wide, narrow, packed = zip(*drawn, strict=True)
        tell(f"{key}: {len(drawn)} boards, narrow {mean(narrow):.1f} ms, wide {mean(wide):.1f} ms")
        yield Row(f"a board in a mail, {key}", "ms", median(narrow), "the wide picture", median(wide))
        yield Row(f"a board in a mail, {key}: at most", "kB", max(packed) / 1000)


def _draw(key: str, moment: Moment) -> tuple[float, float, int]:
    """Milliseconds for the wide and for the narrow picture, and the bytes of the narrow one."""
    own = DrawOptions(narrow=True, marked=moment.marked, reader=moment.seat, open=moment.moves)
    begun = time.process_time()
    draw_quickly(key, moment.view, DrawOptions(marked=moment.marked))
    middle = time.process_time()
    packed = draw_quickly(key, moment.view, own)
    return (middle - begun) * 1000, (time.process_time() - middle) * 1000, len(packed)


def _play(key: str, seed: bytes, most: int) -> Iterator[Moment]:
    """Moments of a game played by chance."""
    game, dealer = find_game(key), KeyedDealer(seed)
    if game is None:
        raise LookupError(key)
    position: Any = game.start(game.lay_out(Setup(game.seats[:SEATS]), dealer))
    last: tuple[object, ...] = ()
    for number in range(most * EVERY):
        due = game.to_act(position)
        if not due:
            return
        if due == (CHANCE,):
            position = game.apply(position, game.deal(position, dealer))
            continue
        plies = list(game.legal(position))
        if number % EVERY == 0:
            moves = tuple(ply.move for ply in plies if ply.seat == due[0])
            yield Moment(game.view(position, due[0]), due[0], moves, marks_of(last))
        ply = plies[dealer.pick(len(plies) if key != "nomadi" else min(FIRST, len(plies)), "ply")]
        last = (ply.move,)
        position = game.apply(position, ply)
