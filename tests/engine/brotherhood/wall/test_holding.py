"""Who wins when the wildlings end the game: guards, points, spaces, sections, the order of turns."""

from engine.brotherhood.wall_sections import holder
from engine.brotherhood.wall_state import Watch, post_the_watch

RED, BLUE, YELLOW, BLACK = range(4)


def guarded(*sections: tuple[int, ...]) -> Watch:
    return post_the_watch(4, 0)._replace(sections=sections)


def test_most_guards_win_whatever_the_points() -> None:
    assert holder(guarded((RED, BLUE), (BLUE,), (), ()), [9, 2, 10, 4], RED) == BLUE


def test_of_those_with_most_guards_most_points_win() -> None:
    assert holder(guarded((RED, BLUE), (BLUE,), (RED,), ()), [5, 4, 10, 4], BLUE) == RED


def test_then_the_guards_on_lower_spaces_win() -> None:
    assert holder(guarded((RED, BLUE), (RED, BLACK), (YELLOW, BLUE), ()), [4, 4, 4, 4], BLUE) == RED


def test_lower_spaces_are_compared_from_the_lowest_on() -> None:
    # red stands on 1, 2 and 4, blue on 1, 3 and 3
    watch = guarded((RED, RED, BLUE, RED), (BLUE, YELLOW, BLUE), (YELLOW,), ())
    assert holder(watch, [4, 4, 4, 4], BLUE) == RED


def test_then_the_guards_further_west_win() -> None:
    assert holder(guarded((BLUE,), (RED,), (BLUE,), (RED,)), [4, 4, 0, 0], RED) == BLUE


def test_the_westernmost_section_is_compared_first() -> None:
    # both on two first spaces and a second: red in 1, 4, 4, blue in 2, 2, 3
    watch = guarded((RED,), (BLUE, BLUE), (BLUE,), (RED, RED))
    assert holder(watch, [4, 4, 0, 0], BLUE) == RED


def test_on_an_empty_wall_points_decide_and_then_the_order_of_turns() -> None:
    assert holder(guarded((), (), (), ()), [3, 3, 5, 4], RED) == YELLOW
    assert holder(guarded((), (), (), ()), [3, 5, 5, 5], BLACK) == BLACK
    assert holder(guarded((), (), (), ()), [5, 5, 5, 3], BLACK) == RED
