"""How much is measured: enough for figures that repeat, or just enough to see that everything runs."""

from pathlib import Path
from typing import Final, NamedTuple


class Sizes(NamedTuple):
    """The amounts of one run of the table."""

    desert_games: int
    """Sampled games of Through the Desert, of two, three, four and five players in turn."""
    other_games: int
    """More of them: what a reader has read before, and what an archive is made of."""
    chess_games: int
    """Random legal games of chess, of 80 half-moves at most."""
    archive: int
    """Games of the archive that is streamed through `pbem validate`."""
    letters: int
    """Letters of a game by post, as far as the game has that many."""
    nomadi_games: int
    """Sampled games of Nomadi."""
    listed: int
    """Positions of Nomadi of which all is listed that the turn can lead to."""
    dice: int
    """With how many of the dice at most; only with all six the figures mean anything."""
    playouts: int
    """Random games of the Brotherhood, and as many of its peer."""
    boards: int
    """Positions of each game whose pictures are drawn."""
    tables: int
    """Games that go on at a post at which nothing happens."""
    rounds: int
    """How often each contender runs."""
    short_rounds: int
    """The same for runs that take only milliseconds."""
    starts: int
    """How often each program is started."""
    validated: int
    """Games of each number of players that are validated."""
    against: Path | None = None
    """Another checkout of the house, with its environment in `.venv`, beside which it is measured."""


FULL: Final = Sizes(
    desert_games=20,
    other_games=380,
    chess_games=27,
    archive=100_000,
    letters=100,
    nomadi_games=30,
    listed=1_000,
    dice=6,
    playouts=8,
    boards=100,
    tables=10_000,
    rounds=11,
    short_rounds=60,
    starts=25,
    validated=60,
)
QUICK: Final = Sizes(
    desert_games=4,
    other_games=4,
    chess_games=2,
    archive=200,
    letters=6,
    nomadi_games=1,
    listed=2,
    dice=2,
    playouts=1,
    boards=3,
    tables=30,
    rounds=3,
    short_rounds=3,
    starts=2,
    validated=2,
)
