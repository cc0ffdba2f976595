"""The guest game that is meant to be copied: small, fair, and good at keeping secrets."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from shy_well import EDITIONS, ORDER, TABLE, Card, Choice, Well

from engine import CHANCE, PUBLIC, Ply, Setup, Verdict
from pbem.render.draw import draw_svg, draw_text
from pbem.render.options import DrawOptions

GAME = EDITIONS[-1]
GO, WAIT = Choice(goes=True), Choice(goes=False)


def table(*plies: tuple[str, Any], seats: tuple[str, ...] = ("fennec", "hare")) -> Any:
    position = GAME.start(Setup(seats))
    assert not isinstance(position, Verdict)
    for seat, move in plies:
        assert GAME.judge(position, Ply(seat, move)) is None, move
        position = GAME.apply(position, Ply(seat, move))
    return position


def cards(fennec: int = 3, hare: int = 6) -> list[tuple[str, Any]]:
    return [(CHANCE, Card("fennec", fennec)), (CHANCE, Card("hare", hare))]


def night(pips: int, fennec: Choice, hare: Choice) -> list[tuple[str, Any]]:
    return [(CHANCE, Well(pips)), ("fennec", fennec), ("hare", hare)]


def points(plies: Iterable[tuple[str, Any]]) -> tuple[int, ...]:
    return tuple(tally.total for tally in GAME.score(table(*plies)).tallies)


def test_it_is_small_enough_to_be_read_at_one_sitting(root: Path) -> None:
    folder = root / "examples/shy-well/shy_well"
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in folder.rglob("*.py"))
    assert lines < 125


@pytest.mark.parametrize(
    ("fennec", "hare", "water"),
    [(GO, WAIT, (5, 1)), (WAIT, GO, (1, 5)), (GO, GO, (0, 0)), (WAIT, WAIT, (1, 1))],
    ids=["fennec alone", "hare alone", "both run away", "both at home"],
)
def test_the_well_is_shy(fennec: Choice, hare: Choice, water: tuple[int, int]) -> None:
    assert points([*cards(), *night(5, fennec, hare)]) == water


def test_the_hidden_cards_are_added_after_the_fifth_night() -> None:
    quiet = night(4, WAIT, WAIT)
    assert points([*cards(), *quiet * 4]) == (4, 4)
    last = table(*cards(), *quiet * 5)
    assert points([*cards(), *quiet * 5]) == (8, 11)
    assert GAME.score(last).winners == ("hare",)
    assert GAME.to_act(last) == ()


def test_equal_animals_share_the_win() -> None:
    assert GAME.score(table(*cards(2, 2), *night(4, GO, GO) * 5)).winners == ("fennec", "hare")


def test_both_decide_at_once_and_the_order_of_their_letters_does_not_matter() -> None:
    dark = table(*cards(), (CHANCE, Well(4)))
    assert GAME.to_act(dark) == ("fennec", "hare")
    one, other = [("fennec", GO), ("hare", WAIT)], [("hare", WAIT), ("fennec", GO)]
    assert table(*cards(), (CHANCE, Well(4)), *one) == table(*cards(), (CHANCE, Well(4)), *other)


@pytest.mark.parametrize("viewer", ["hare", PUBLIC])
def test_nobody_else_sees_a_card_before_the_end(viewer: str) -> None:
    nights = night(4, GO, WAIT) * 4
    for played in range(len(nights) + 1):
        low, high = (table(*cards(fennec), *nights[:played]) for fennec in (1, 6))
        assert low != high
        assert GAME.view(low, viewer) == GAME.view(high, viewer)
        assert GAME.view(low, "fennec") != GAME.view(high, "fennec")
        assert repr(GAME.score(low)) == repr(GAME.score(high))
    ends = [table(*cards(fennec), *night(4, GO, WAIT) * 5) for fennec in (1, 6)]
    assert GAME.view(ends[0], viewer) != GAME.view(ends[1], viewer)


@pytest.mark.parametrize("viewer", ["hare", PUBLIC])
def test_nobody_else_sees_a_choice_before_all_have_chosen(viewer: str) -> None:
    gone, stayed = (table(*cards(), (CHANCE, Well(4)), ("fennec", choice)) for choice in (GO, WAIT))
    assert GAME.view(gone, viewer) == GAME.view(stayed, viewer)
    assert GAME.view(gone, "fennec") != GAME.view(stayed, "fennec")
    shown = [GAME.apply(position, Ply("hare", WAIT)) for position in (gone, stayed)]
    assert GAME.view(shown[0], viewer) != GAME.view(shown[1], viewer)


@pytest.mark.parametrize(
    ("before", "seat", "move"),
    [
        ([], CHANCE, Well(3)),
        ([], CHANCE, Card("hare", 3)),
        ([], "fennec", GO),
        (cards(), CHANCE, Well(7)),
        ([*cards(), (CHANCE, Well(3))], CHANCE, Well(3)),
        ([*cards(), (CHANCE, Well(3)), ("hare", GO)], "hare", WAIT),
        ([*cards(), (CHANCE, Well(3))], "jackal", GO),
        ([*cards(), *night(3, GO, GO) * 5], CHANCE, Well(3)),
    ],
    ids=["no card yet", "not the next card", "by day", "no such face", "thrown", "twice", "stranger", "over"],
)
def test_what_is_not_due_is_refused(before: list[tuple[str, Any]], seat: str, move: object) -> None:
    verdict = GAME.judge(table(*before), Ply(seat, move))
    assert verdict is not None
    assert verdict.rule is ORDER


@pytest.mark.parametrize(
    "seats", [(), ("hare",), ("hare", "hare"), ("hare", "camel"), ("hare", "fennec", "jackal", "hare")]
)
def test_a_company_that_does_not_fit_is_refused(seats: tuple[str, ...]) -> None:
    refusal = GAME.start(Setup(seats))
    assert isinstance(refusal, Verdict)
    assert refusal.rule is TABLE


@pytest.mark.parametrize("draw", [draw_svg, draw_text])
def test_its_pictures_show_what_a_viewer_may_know_and_no_more(draw: Callable[..., str]) -> None:
    low, high = (table(*cards(fennec), *night(4, GO, WAIT), (CHANCE, Well(2))) for fennec in (1, 5))
    pictures = {
        viewer: [draw(GAME.key, GAME.view(table, viewer)) for table in (low, high)] for viewer in ("hare", "fennec")
    }
    assert pictures["hare"][0] == pictures["hare"][1]
    assert pictures["fennec"][0] != pictures["fennec"][1]


def test_names_in_its_picture_are_only_names() -> None:
    names = {"fennec": "<script>alert(1)</script>", "hare": 'a"b&c'}
    picture = draw_svg(GAME.key, GAME.view(table(*cards()), PUBLIC), DrawOptions(names=names))
    assert "<script" not in picture
    assert ">a&#34;b&amp;c</text>" in picture
