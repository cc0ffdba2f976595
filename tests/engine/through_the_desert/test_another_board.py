"""A board is data: on a map with a dead end, a leader alone can cut a space off.

No space of the standard board does that, so no record of it can show what happens: like any area it is taken when a
camel of the caravan is placed, not with the leader.
"""

import pytest

from engine.game import PUBLIC, Ply, Setup
from engine.through_the_desert import GAME, board
from engine.through_the_desert.moves import Camel, Leader
from engine.through_the_desert.position import Position
from engine.verdict import Verdict
from tests.oracle.desert import desert_map

DEAD_END = "dead-end"
OASES = "B8 H11 J3 M7 Q3"
REDS = ["lilac C2", "mint K9", "lemon O4", "green F10", "salmon L11"]
BLUES = ["mint I7", "lilac G4", "lemon D7", "green O10", "salmon A4"]


@pytest.fixture
def leaders_placed(monkeypatch: pytest.MonkeyPatch) -> Position:
    """Ten leaders on a board whose space C1 has one neighbour only, C2, where red's lilac leader stands."""
    top, *others = board.BOARDS["standard"].lines
    assert top.startswith("##.o")
    monkeypatch.setitem(board.BOARDS, DEAD_END, board.Board(DEAD_END, ("##.#" + top[4:], *others)))
    dots = desert_map.sort_spaces((desert_map.dots(2) | desert_map.palms(2)) - {"D1", *OASES.split()})
    water = " ".join(f"{space}={1 + number % 3}" for number, space in enumerate(dots))
    setup = Setup(("red", "blue"), (("Board", DEAD_END), ("Oases", OASES), ("Water", water)))
    position = GAME.start(setup)
    assert not isinstance(position, Verdict)
    for red, blue in zip(REDS, BLUES, strict=True):
        position = play(play(position, "red", Leader(*red.split())), "blue", Leader(*blue.split()))
    return position


def play(position: Position, seat: str, move: object) -> Position:
    assert GAME.judge(position, Ply(seat, move)) is None
    return GAME.apply(position, Ply(seat, move))


def areas(position: Position) -> list[list[str]]:
    return [area["spaces"] for area in GAME.view(position, PUBLIC)["areas"]]


def test_a_leader_alone_takes_no_area(leaders_placed: Position) -> None:
    assert areas(leaders_placed) == []


def test_its_first_camel_takes_the_space_behind_it(leaders_placed: Position) -> None:
    after = play(leaders_placed, "red", Camel("lilac", "B2"))
    assert areas(after) == [["C1"]]
    assert GAME.score(after).total("red") == 1


def test_a_camel_of_another_caravan_does_not(leaders_placed: Position) -> None:
    assert areas(play(leaders_placed, "red", Camel("mint", "K10"))) == []


def test_no_piece_alone_cuts_the_standard_board() -> None:
    for players in (2, 4):
        spaces = desert_map.in_play(players)
        beside = desert_map.neighbourhood(spaces)
        assert all(len(desert_map.components(spaces - {space}, beside)) == 1 for space in spaces)
