"""How a game of Brotherhood of the Watch begins: headers drawn for the engine, and the oracle's table laid by them.

The headers are taken at their word only where chance decides; what the rules fix is compared with the oracle's own map.
"""

from collections import Counter
from typing import Any

from engine.game import Setup
from tests.oracle.brotherhood import brotherhood_map
from tests.oracle.brotherhood.brotherhood_table import lay_table

WATCH = "brotherhood"
SEATS = ("red", "blue", "yellow", "black")
LAND_OF_THREE = Counter(mountains=3, pasture=3, fields=3, forest=3, hills=4)
LAND_OF_FOUR = Counter(fields=4, hills=4, forest=4, pasture=4, mountains=5)
LAND_OF_THE_BASE_GAME = Counter(fields=4, hills=4, forest=4, pasture=4, mountains=4, ice=1)


class RandomDealer:
    """A Dealer that asks a random source."""

    def __init__(self, random: Any) -> None:
        self.random = random

    def pick(self, count: Any, purpose: Any) -> Any:
        """One outcome."""
        return self.random.randrange(count)


def draw_setup(random: Any, game: Any, players: Any) -> Any:
    """Seats in any order, and headers of which chance settles the rest."""
    options = {}
    usual = next(option.default for option in game.options if option.name == "Board")
    if random.random() < 0.7:
        options["Board"] = random.choice((usual, "variable"))
    if random.random() < 0.5:
        options["Phases"] = random.choice(("strict", "free", "free"))
    if game.key != WATCH and random.random() < 0.5:
        options["Start"] = "free"
    seats = tuple(random.sample(SEATS, players))
    return game.lay_out(Setup(seats, tuple(options.items())), RandomDealer(random))


def lay_oracle_table(key: Any, setup: Any) -> Any:
    """The oracle's table by the same headers."""
    watch = key == WATCH
    options = dict(setup.options)
    land = [word.rstrip("0123456789/") for word in options["Land"].split()]
    board = brotherhood_map.lay(watch, len(setup.seats), land, options["Routes"].split())
    check_land(watch, board, options)
    first = setup.seats.index(options["First"])
    return lay_table(
        watch=watch,
        seats=setup.seats[first:] + setup.seats[:first],
        board=board,
        free_placement=watch or options["Start"] == "free",
        free_phases=options.get("Phases", "strict") == "free",
    )


def check_land(watch: Any, board: Any, options: Any) -> None:
    """The lands of the box, numbers in their places, and on the usual board the usual lands and routes."""
    counts = {16: LAND_OF_THREE, 21: LAND_OF_FOUR if watch else LAND_OF_THE_BASE_GAME}[len(board.hexes)]
    assert Counter(board.terrain.values()) == counts
    words = dict(zip(board.hexes, options["Land"].split(), strict=True))
    for place, word in words.items():
        assert word == board.terrain[place] + "/".join(map(str, sorted(board.numbers[place])))
    if options.get("Board") != "variable":
        players = 3 if len(board.hexes) == 16 else 4
        usual = brotherhood_map.lay(watch, players)
        assert (board.terrain, board.two_to_one) == (usual.terrain, usual.two_to_one)
    elif not watch:
        hot = [place for place, numbers in board.numbers.items() if numbers & {6, 8}]
        assert not any(near in hot for place in hot for near in brotherhood_map.around(place))
