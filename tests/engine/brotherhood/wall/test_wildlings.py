"""Camps, trails, rush, clearings and breaches, one small scene each."""

import pytest

from engine.brotherhood.board import GIFT, GIFT_OF_THREE
from engine.brotherhood.wall_sections import guard_points, guards_of, has_guard_left, is_full, station
from engine.brotherhood.wall_state import CLIMBER, FIGURES, GIANT, REGULAR, Watch, post_the_watch
from engine.brotherhood.wall_wildlings import advance, gather, leave_camp, leave_clearing, leave_gift, ways_over

WAYS = ways_over(GIFT.chart)
ICE_RIVER, CAVE_DWELLERS, HORNFOOT = range(3)
RED, BLUE, YELLOW, BLACK = range(4)


def letters(held: int) -> str:
    return "".join(letter for index, letter in enumerate(GIFT.chart.letters) if held >> index & 1)


def watch_with(guards: dict[int, list[int]] | None = None, camps: dict[int, list[int]] | None = None) -> Watch:
    """A Watch with guards by section (from 1) and wildlings by clan, gathered by tokens."""
    watch = post_the_watch(4, 0)
    for section, owners in (guards or {}).items():
        for owner in owners:
            watch = station(watch, section - 1, owner)
    for clan, kinds in (camps or {}).items():
        for kind in kinds:
            watch = gather(watch, clan, kind, WAYS)
    return watch


def figures(watch: Watch) -> tuple[int, ...]:
    """All figures of each kind, wherever they are."""
    return tuple(
        watch.frostfangs[kind]
        + sum(camp.count(kind) for camp in watch.camps)
        + watch.gift[kind].bit_count()
        + (sum(watch.clearings) if kind == REGULAR else 0)
        for kind in (REGULAR, CLIMBER, GIANT)
    )


def test_wildlings_gather_from_the_hottest_camp_on() -> None:
    watch = watch_with(camps={HORNFOOT: [GIANT, REGULAR, CLIMBER]})
    assert watch.camps == ((), (), (GIANT, REGULAR, CLIMBER))
    assert watch.frostfangs == (23, 7, 7)


def test_a_token_whose_figures_are_all_out_calls_nobody() -> None:
    watch = post_the_watch(4, 0)._replace(frostfangs=(24, 0, 8))
    assert gather(watch, ICE_RIVER, CLIMBER, WAYS) == watch


def test_only_the_hottest_wildling_advances_and_the_rest_move_up() -> None:
    watch = watch_with(guards={2: [RED]}, camps={CAVE_DWELLERS: [REGULAR, CLIMBER, GIANT]})
    after = advance(watch, 4, WAYS)
    assert after.camps[CAVE_DWELLERS] == (CLIMBER, GIANT)
    assert after.clearings == (0, 1, 0, 0)


@pytest.mark.parametrize(
    ("number", "clan", "clearing"),
    [(1, 0, 0), (2, 0, 0), (3, 0, 1), (4, 1, 1), (5, 1, 2), (6, 2, 2), (7, 2, 3), (8, 2, 3)],
)
def test_each_trail_leads_from_its_clan_to_its_clearing(number: int, clan: int, clearing: int) -> None:
    watch = watch_with(guards={section: [RED] for section in range(1, 5)}, camps={clan: [REGULAR]})
    after = advance(watch, number, WAYS)
    assert [at for at, count in enumerate(after.clearings) if count] == [clearing]


@pytest.mark.parametrize("number", [9, 10, 11, 12])
def test_the_high_numbers_of_the_die_move_nobody(number: int) -> None:
    watch = watch_with(camps={clan: [REGULAR] for clan in range(3)})
    assert advance(watch, number, WAYS) == watch


def test_an_empty_clan_area_sends_nobody() -> None:
    watch = watch_with(camps={ICE_RIVER: [REGULAR]})
    assert advance(watch, 4, WAYS) == watch


def test_a_climber_crosses_whatever_guards_stand_there_and_it_is_no_breach() -> None:
    watch = watch_with(guards={4: [RED, BLUE, RED]}, camps={HORNFOOT: [CLIMBER]})
    after = advance(watch, 8, WAYS)
    assert letters(after.gift[CLIMBER]) == "D"
    assert after.breaches == 0
    assert after.sections == watch.sections


def test_a_giant_takes_the_first_guard_with_him_and_the_others_close_up() -> None:
    watch = watch_with(guards={1: [RED, BLUE, BLACK]}, camps={ICE_RIVER: [GIANT]})
    after = advance(watch, 1, WAYS)
    assert after.sections[0] == (BLUE, BLACK)
    assert (after.frostfangs, after.breaches, after.held) == (FIGURES, 0, 0)


def test_a_giant_before_an_empty_section_breaks_through_and_holds_a_hex() -> None:
    after = advance(watch_with(camps={ICE_RIVER: [GIANT]}), 2, WAYS)
    assert letters(after.gift[GIANT]) == "A"
    assert (after.breaches, after.frostfangs[GIANT]) == (1, 7)


def test_regulars_wait_while_guards_are_as_many() -> None:
    watch = watch_with(guards={3: [RED, BLUE]}, camps={CAVE_DWELLERS: [REGULAR, REGULAR]})
    for _ in range(2):
        watch = advance(watch, 5, WAYS)
    assert (watch.clearings[2], watch.breaches) == (2, 0)


def test_the_rulebooks_example_of_a_breach() -> None:
    watch = watch_with(guards={3: [RED, BLUE]}, camps={CAVE_DWELLERS: [REGULAR] * 3})
    for _ in range(3):
        watch = advance(watch, 5, WAYS)
    assert watch.sections[2] == (BLUE,)
    assert watch.clearings[2] == 0
    assert letters(watch.gift[REGULAR]) == "CGL"
    assert watch.breaches == 1


def test_a_regular_before_an_empty_section_breaks_through_alone() -> None:
    after = advance(watch_with(camps={HORNFOOT: [REGULAR]}), 6, WAYS)
    assert (letters(after.held), after.breaches) == ("C", 1)


def test_behind_a_giant_the_waiting_regulars_break_through_at_once() -> None:
    watch = watch_with(guards={2: [RED, BLUE, BLACK]}, camps={CAVE_DWELLERS: [REGULAR, REGULAR, REGULAR, GIANT]})
    for _ in range(4):
        watch = advance(watch, 4, WAYS)
    assert watch.sections[1] == (BLACK,), "one guard fell to the giant, one to the breach"
    assert letters(watch.gift[REGULAR]) == "BGM"
    assert (watch.breaches, watch.frostfangs[GIANT]) == (1, 8)


def test_a_fifth_wildling_sets_off_a_rush_of_the_two_hottest() -> None:
    guards = {1: [RED], 2: [BLUE]}
    watch = watch_with(guards, {ICE_RIVER: [REGULAR, REGULAR, CLIMBER, GIANT, REGULAR]})
    assert watch.camps[ICE_RIVER] == (CLIMBER, GIANT, REGULAR)
    assert watch.clearings == (1, 1, 0, 0)


def test_in_a_rush_the_lower_number_of_a_trail_gives_the_line() -> None:
    watch = watch_with(guards={1: [RED]}, camps={ICE_RIVER: [CLIMBER] * 3})
    watch = watch._replace(gift=(0b1, 0, 0))  # A is held
    watch = gather(gather(watch, ICE_RIVER, CLIMBER, WAYS), ICE_RIVER, CLIMBER, WAYS)
    assert letters(watch.gift[CLIMBER]) == "BE", "E is the next on line 1, F would be on line 2"
    watch = watch_with(camps={HORNFOOT: [CLIMBER] * 4})._replace(gift=(0b1000, 0, 0))
    watch = gather(watch, HORNFOOT, CLIMBER, WAYS)
    assert letters(watch.gift[CLIMBER]) == "CH", "H is the next on line 7, I would be on line 8"


def test_the_second_of_a_rush_stays_when_the_first_ends_the_game() -> None:
    watch = watch_with(camps={CAVE_DWELLERS: [GIANT, GIANT, REGULAR, REGULAR]})._replace(breaches=2)
    after = gather(watch, CAVE_DWELLERS, REGULAR, WAYS)
    assert after.fallen
    assert after.camps[CAVE_DWELLERS] == (GIANT, REGULAR, REGULAR, REGULAR)


def test_the_crossing_is_finished_when_the_eighth_wildling_has_come() -> None:
    held = 0b1111111 << 13
    watch = watch_with(guards={1: [RED]}, camps={ICE_RIVER: [REGULAR, REGULAR]})._replace(gift=(held, 0, 0))
    watch = advance(advance(watch, 1, WAYS), 1, WAYS)
    assert watch.held.bit_count() == 9
    assert watch.fallen


def test_three_breaches_end_the_game_and_two_do_not() -> None:
    watch = post_the_watch(3, 0)
    assert not watch._replace(breaches=2).fallen
    assert watch._replace(breaches=3).fallen


def test_seven_wildlings_in_the_gift_do_not_end_the_game() -> None:
    assert not post_the_watch(3, 0)._replace(gift=(0b11111, 0b100000, 0b1000000)).fallen


def test_the_lines_of_four_players_fill_from_the_wall_on() -> None:
    ways = {number: "".join(letters(place) for place in WAYS[number]) for number in range(1, 9)}
    assert {number: way[:4] for number, way in ways.items()} == {
        1: "AEJP",
        2: "AFLS",
        3: "BFKQ",
        4: "BGMT",
        5: "CGLR",
        6: "CHNU",
        7: "DHMS",
        8: "DIOU",
    }
    assert ways[4].startswith("BGMTFKQAEJPLSC"), "the other line, then the west before the east, odd before even"
    assert all(sorted(way) == sorted(GIFT.chart.letters) for way in ways.values())


def test_on_the_board_of_three_the_missing_hexes_are_left_out() -> None:
    ways = ways_over(GIFT_OF_THREE.chart)
    assert all(len(set(way)) == 16 for way in ways[1:])
    name = dict(enumerate(GIFT_OF_THREE.chart.hexes))
    assert [name[place.bit_length() - 1] for place in ways[1][:3]] == [(0, 0), (1, 0), (1, 1)]


def test_guards_stand_on_the_lowest_free_space_five_to_a_section() -> None:
    watch = watch_with(guards={1: [RED, BLUE, RED, RED, BLACK]})
    assert is_full(watch, 0)
    assert not is_full(watch, 1)
    assert [guards_of(watch, who) for who in range(4)] == [3, 1, 0, 1]


def test_a_player_has_seven_guards() -> None:
    six = watch_with(guards={1: [RED] * 3, 4: [RED] * 3})
    assert has_guard_left(six, RED)
    assert not has_guard_left(station(six, 1, RED), RED)


@pytest.mark.parametrize(("guards", "points"), [(0, 0), (2, 0), (3, 1), (4, 1), (5, 2), (7, 2)])
def test_guards_are_worth_points_from_three_and_from_five_on(guards: int, points: int) -> None:
    assert guard_points(guards) == points


def test_a_wildling_taken_from_a_camp_lets_the_colder_ones_move_up() -> None:
    watch = watch_with(camps={HORNFOOT: [GIANT, REGULAR, CLIMBER]})
    after = leave_camp(watch, HORNFOOT, 1)
    assert after.camps[HORNFOOT] == (GIANT, CLIMBER)
    assert after.frostfangs == (24, 7, 7)


def test_wildlings_leave_a_clearing_and_the_gift_for_the_frostfangs() -> None:
    watch = watch_with(guards={3: [RED]}, camps={HORNFOOT: [REGULAR, CLIMBER]})
    watch = advance(advance(watch, 6, WAYS), 7, WAYS)
    assert leave_clearing(watch, 2).clearings == (0, 0, 0, 0)
    cleared = leave_gift(leave_clearing(watch, 2), 0b1000)
    assert (cleared.held, cleared.frostfangs) == (0, FIGURES)


def test_no_figure_is_ever_lost() -> None:
    watch = watch_with(guards={section: [RED, BLUE] for section in range(1, 5)})
    for step in range(60):
        if watch.fallen:
            break
        watch = advance(gather(watch, step % 3, step % 7 % 3, WAYS), step * 5 % 12 + 1, WAYS)
        assert figures(watch) == FIGURES
    else:
        pytest.fail("so many wildlings must have come over the Wall")
