"""A replay judges every ply, stops at the first that is refused, and never skips one."""

from dataclasses import dataclass
from typing import Any, cast

from engine import Game, Ply, Rule, Verdict, replay
from engine.replay import run

UP = Rule("UP-1", "not-upwards", "Numbers rise.", "nowhere", "1 2 3", "2 1")


@dataclass(frozen=True)
class Rising:
    """A game of numbers that must rise; zero is its first position, and false."""

    def turn(self, position: int) -> int:
        return position + 1

    def judge(self, position: int, ply: Ply) -> Verdict | None:
        number = cast("int", ply.move)
        return None if number > position else Verdict(UP, "{now} after {before}", {"now": number, "before": position})

    def apply(self, position: int, ply: Ply) -> int:
        number = cast("int", ply.move)
        assert number > position, "applied without being judged"
        return number


RISING = cast("Game[Any]", Rising())


def plies(*numbers: int) -> list[Ply]:
    return [Ply("red", number) for number in numbers]


def test_legal_plies_are_played_to_the_end() -> None:
    told = replay(RISING, 0, plies(1, 5, 7))
    assert (told.position, told.played, told.verdict) == (7, 3, None)


def test_no_plies_lead_nowhere() -> None:
    told = replay(RISING, 0, [])
    assert (told.position, told.played, told.verdict) == (0, 0, None)


def test_the_first_refusal_ends_it_though_later_plies_would_be_legal() -> None:
    asked = iter(plies(1, 5, 3, 7))
    told = replay(RISING, 0, asked)
    assert (told.position, told.played) == (5, 2)
    assert told.verdict is not None
    assert str(told.verdict) == "UP-1 3 after 5"
    assert list(asked) == plies(7), "nothing is read beyond the refusal"


def test_a_run_can_go_on_after_a_refusal() -> None:
    table = run(RISING, 0)
    assert table.advance(Ply("red", 4)) is None
    assert table.advance(Ply("red", 4)) is not None
    assert (table.position(), table.turn) == (4, 5)
    assert table.advance(Ply("red", 6)) is None
    assert table.position() == 6
