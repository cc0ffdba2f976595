"""The clock of a table: hands over, stands still, goes on, and gives everybody what is theirs."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from engine.game import CHANCE
from pbem.clock.alarms import alarms
from pbem.clock.calendar import Absence
from pbem.clock.clock import (
    Clock,
    add_absence,
    cut_absence,
    extend,
    pause,
    reset_seat,
    resume,
    update_due,
)
from pbem.clock.time_control import TimeControl

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
"""A Monday."""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
UTC_ZONE, WARSAW = ZoneInfo("UTC"), ZoneInfo("Europe/Warsaw")
ZONES = {"red": UTC_ZONE, "blue": WARSAW, "green": ZoneInfo("Asia/Jerusalem")}

SPANS = st.integers(0, 20 * 24 * 60).map(lambda minutes: timedelta(minutes=minutes))
REASONS = st.sampled_from(["vote", "referee", "outage"])


def clock(**control: object) -> Clock:
    return Clock(TimeControl(**control), ZONES)  # type: ignore[arg-type]  # whatever a test is about


def deadlines(running: Clock) -> dict[str, datetime]:
    return {seat: due.deadline for seat, due in running.due.items()}


def test_a_turn_has_its_time_from_when_it_begins() -> None:
    running = update_due(clock(), ["red"], NOON, turn=1)
    assert deadlines(running) == {"red": NOON + 3 * DAY}
    running = update_due(running, ["blue"], NOON + DAY, turn=2)
    assert deadlines(running) == {"blue": NOON + 4 * DAY}


def test_who_goes_on_in_the_same_turn_has_no_more_time_and_in_the_next_turn_has_all_of_it() -> None:
    running = update_due(clock(), ["red"], NOON, turn=11)
    running = update_due(running, ["red"], NOON + DAY, turn=11)
    assert deadlines(running) == {"red": NOON + 3 * DAY}
    running = update_due(running, ["red"], NOON + DAY, turn=13)
    assert deadlines(running) == {"red": NOON + 4 * DAY}


def test_a_throw_of_dice_in_a_turn_gives_no_new_time() -> None:
    running = update_due(clock(), ["red"], NOON, turn=7)
    running = update_due(running, [CHANCE], NOON + DAY, turn=7)
    assert running.due == {}
    running = update_due(running, ["red"], NOON + DAY, turn=7)
    assert deadlines(running) == {"red": NOON + 3 * DAY}
    running = update_due(running, [CHANCE], NOON + 2 * DAY, turn=8)
    assert running.halted == {}
    assert deadlines(update_due(running, ["red"], NOON + 2 * DAY, turn=8)) == {"red": NOON + 5 * DAY}


def test_waiting_for_the_dice_or_for_an_answer_costs_whoever_is_on_turn_nothing() -> None:
    running = update_due(clock(), ["red"], NOON, turn=7)
    running = update_due(running, [CHANCE], NOON + DAY, turn=7)
    running = update_due(running, ["red"], NOON + DAY + HOUR, turn=7)
    assert deadlines(running) == {"red": NOON + 3 * DAY + HOUR}
    running = update_due(running, ["blue"], NOON + 2 * DAY, turn=7, asked=["blue"])
    assert deadlines(running) == {"blue": NOON + 5 * DAY}
    running = update_due(running, ["red"], NOON + 4 * DAY, turn=7)
    assert deadlines(running) == {"red": NOON + 5 * DAY + HOUR}


def test_every_question_has_a_time_of_its_own_that_ends_with_the_answer() -> None:
    running = update_due(clock(), ["red"], NOON, turn=7)
    running = update_due(running, ["blue"], NOON, turn=7, asked=["blue"])
    running = update_due(running, ["red"], NOON + 2 * DAY, turn=7)
    running = update_due(running, ["blue"], NOON + 2 * DAY, turn=7, asked=["blue"])
    assert deadlines(running) == {"blue": NOON + 5 * DAY}
    running = update_due(running, ["red"], NOON + 2 * DAY, turn=7, asked=["red"])
    running = update_due(running, ["red"], NOON + 2 * DAY, turn=7)
    assert deadlines(running) == {"red": NOON + 5 * DAY}, "his own time stood still, while he had to answer, too"


def test_a_question_that_stays_open_while_play_goes_on_has_no_more_time_with_every_turn() -> None:
    running = update_due(clock(), ["red", "blue"], NOON, turn=7, asked=["blue"])
    running = update_due(running, [CHANCE], NOON + DAY, turn=8)
    running = update_due(running, ["green", "blue"], NOON + DAY, turn=8, asked=["blue"])
    assert deadlines(running) == {"green": NOON + 4 * DAY, "blue": NOON + 3 * DAY}
    running = update_due(running, [CHANCE], NOON + 2 * DAY, turn=9)
    running = update_due(running, ["blue"], NOON + 2 * DAY, turn=9)
    assert deadlines(running) == {"blue": NOON + 5 * DAY}, "the question is gone, and his turn begins"
    assert running.halted == {}


def test_a_turn_adds_to_a_bank_once_however_often_dice_are_thrown_in_it() -> None:
    running = update_due(clock(bank=4 * DAY, increment=DAY, cap=10 * DAY), ["red"], NOON, turn=1)
    for _ in range(3):
        running = update_due(running, [CHANCE], NOON + DAY, turn=1)
        running = update_due(running, ["red"], NOON + DAY, turn=1)
    assert deadlines(running) == {"red": NOON + 4 * DAY}
    running = update_due(running, ["blue"], NOON + DAY, turn=1, asked=["blue"])
    running = update_due(running, ["red"], NOON + 2 * DAY, turn=1)
    assert deadlines(running) == {"red": NOON + 5 * DAY}
    running = update_due(running, ["blue"], NOON + 3 * DAY, turn=2)
    assert running.banks["red"] == 3 * DAY
    assert deadlines(running) == {"blue": NOON + 7 * DAY}, "a day was used for the answer, and one was added"


def test_who_takes_a_seat_in_the_middle_of_a_turn_has_all_the_time_there_is() -> None:
    running = update_due(clock(), ["red"], NOON, turn=7)
    running = update_due(running, [CHANCE], NOON + 2 * DAY, turn=7)
    running = reset_seat(running, "red", NOON + 2 * DAY)
    assert deadlines(update_due(running, ["red"], NOON + 2 * DAY, turn=7)) == {"red": NOON + 5 * DAY}


def test_several_may_be_due_at_once_each_with_a_clock_of_its_own() -> None:
    running = update_due(clock(), ["red", "blue"], NOON, turn=1)
    running = update_due(running, ["blue"], NOON + DAY, turn=1)
    assert deadlines(running) == {"blue": NOON + 3 * DAY}
    assert update_due(running, [], NOON + 2 * DAY, turn=2).due == {}


def test_chance_has_no_clock() -> None:
    running = update_due(clock(), ["red"], NOON, turn=1)
    assert update_due(running, [CHANCE], NOON, turn=2).due == {}


@given(SPANS, SPANS, SPANS)
def test_a_pause_moves_a_deadline_by_exactly_its_own_length(
    begin: timedelta, length: timedelta, now: timedelta
) -> None:
    running = update_due(clock(), ["red", "green"], NOON, turn=1)
    stopped = pause(running, "vote", NOON + begin)
    assert deadlines(stopped) == deadlines(running)
    gone_on = resume(stopped, "vote", NOON + begin + length)
    assert gone_on.running
    assert deadlines(gone_on) == {seat: at + length for seat, at in deadlines(running).items()}


@given(st.lists(st.tuples(st.booleans(), REASONS, SPANS), max_size=12), st.booleans())
def test_time_stands_still_exactly_while_there_is_a_reason(
    acts: list[tuple[bool, str, timedelta]], banked: bool
) -> None:
    start = clock(bank=5 * DAY) if banked else clock()
    running = update_due(start, ["red"], NOON, turn=1)
    plain = deadlines(running)["red"]
    now, still = NOON, timedelta()
    for stops, reason, span in acts:
        now += span
        still += span if not running.running else timedelta()
        running = (pause if stops else resume)(running, reason, now)
    for reason in tuple(running.paused):
        running = resume(running, reason, now)
    assert deadlines(running)["red"] == plain + still


def test_a_move_during_a_pause_costs_nothing_and_the_next_turn_has_all_its_time() -> None:
    running = update_due(clock(bank=5 * DAY, increment=timedelta()), ["red"], NOON, turn=1)
    running = pause(running, "vote", NOON + DAY)
    running = update_due(running, ["blue"], NOON + 3 * DAY, turn=2)
    assert running.banks["red"] == 4 * DAY, "a day was used before the pause"
    running = resume(running, "vote", NOON + 7 * DAY)
    assert deadlines(running) == {"blue": NOON + 12 * DAY}


def test_after_a_pause_over_a_weekend_that_does_not_count_the_same_time_is_left() -> None:
    friday = datetime(2026, 11, 20, 12, tzinfo=UTC)
    running = update_due(clock(per_turn=DAY, weekends=False), ["red"], friday, turn=1)
    assert deadlines(running) == {"red": friday + 3 * DAY}
    running = pause(running, "vote", friday + 6 * HOUR)
    running = resume(running, "vote", datetime(2026, 11, 22, 15, tzinfo=UTC))
    assert deadlines(running) == {"red": datetime(2026, 11, 23, 18, tzinfo=UTC)}, "18 of 24 hours from Monday on"


@given(st.lists(st.tuples(st.integers(0, 60 * 24 * 9), st.booleans()), min_size=1, max_size=20), SPANS, SPANS)
def test_a_bank_never_exceeds_its_cap_and_never_falls_below_nothing(
    turns: list[tuple[int, bool]], bank: timedelta, increment: timedelta
) -> None:
    cap = 6 * DAY
    running, now = clock(bank=bank, increment=increment, cap=cap), NOON
    for number, (minutes, stops) in enumerate(turns, start=1):
        running = update_due(running, [("red", "blue")[number % 2]], now, turn=number)
        assert all(timedelta() <= left <= cap for left in running.banks.values())
        assert all(due.deadline <= now + cap for due in running.due.values())
        if stops:
            running = resume(pause(running, "vote", now), "vote", now + DAY)
            now += DAY
        now += timedelta(minutes=minutes)


def test_a_bank_is_spent_by_thinking_and_grows_with_every_turn() -> None:
    running = update_due(clock(bank=4 * DAY, increment=DAY, cap=10 * DAY), ["red"], NOON, turn=1)
    running = update_due(running, ["blue"], NOON + 3 * DAY, turn=2)
    running = update_due(running, ["red"], NOON + 4 * DAY, turn=3)
    assert deadlines(running) == {"red": NOON + 6 * DAY}
    running = update_due(running, ["blue"], NOON + 20 * DAY, turn=4)
    assert running.banks["red"] == DAY, "whoever was late begins again with the increment"


@given(SPANS, st.integers(0, 10))
def test_an_absence_adds_its_days_to_a_turn_under_way(used: timedelta, days: int) -> None:
    running = update_due(clock(), ["red"], NOON, turn=1)
    first = date(2026, 11, 17)
    away = add_absence(running, "red", Absence(first, first + days * DAY), NOON + used)
    assert deadlines(away) == {"red": NOON + 3 * DAY + (days + 1) * DAY}
    long_past = add_absence(running, "red", Absence(date(2027, 3, 1), date(2027, 3, 9)), NOON)
    assert deadlines(long_past) == deadlines(running)


def test_an_absence_counts_for_later_turns_and_for_that_seat_only() -> None:
    running = add_absence(clock(), "red", Absence(date(2026, 11, 18), date(2026, 11, 19)), NOON)
    running = update_due(running, ["red", "blue"], NOON, turn=1)
    assert deadlines(running) == {"red": NOON + 5 * DAY, "blue": NOON + 3 * DAY}


@given(st.integers(0, 6 * 24), st.integers(0, 10))
def test_whoever_comes_back_has_what_was_left_from_the_next_day_on(hours: int, days: int) -> None:
    running = update_due(clock(), ["red", "blue"], NOON, turn=1)
    tomorrow, now = date(2026, 11, 17), NOON + hours * HOUR
    away = add_absence(running, "red", Absence(tomorrow, tomorrow + days * DAY), NOON)
    back = cut_absence(away, "red", now.date() + DAY, now)
    begun = max(0, min((now.date() - tomorrow).days + 1, days + 1))
    assert deadlines(back) == {"red": NOON + (3 + begun) * DAY, "blue": NOON + 3 * DAY}, "days that have begun stay"
    assert cut_absence(back, "red", now.date() + DAY, now) == back
    assert sum((absence.last - absence.first).days + 1 for absence in back.absences["red"]) == begun
    assert cut_absence(running, "green", now.date(), now).due == running.due


def test_whoever_comes_back_is_told_the_deadline_then_and_reminded_of_it_only_later() -> None:
    running = update_due(clock(reminders=(2 * DAY, 6 * HOUR)), ["red"], NOON, turn=1)
    running = add_absence(running, "red", Absence(date(2026, 11, 18), date(2026, 11, 30)), NOON)
    back = cut_absence(running, "red", date(2026, 11, 19), NOON + 2 * DAY)
    assert deadlines(back) == {"red": NOON + 4 * DAY}
    assert not list(alarms(back, NOON + 2 * DAY))
    assert [alarm.kind for alarm in alarms(back, NOON + 4 * DAY - 6 * HOUR)] == ["remind"]


@given(SPANS, SPANS)
def test_time_that_is_given_is_given_to_everybody_who_is_due(used: timedelta, length: timedelta) -> None:
    running = update_due(clock(), ["red", "blue"], NOON, turn=1)
    longer = extend(running, length, NOON + used)
    assert deadlines(longer) == {seat: at + length for seat, at in deadlines(running).items()}


def test_somebody_who_takes_a_seat_has_all_the_time_there_is() -> None:
    running = update_due(clock(bank=4 * DAY), ["red"], NOON, turn=1)
    running = update_due(running, ["blue"], NOON + 4 * DAY, turn=2)
    running = update_due(running, ["red"], NOON + 5 * DAY, turn=3)
    assert deadlines(running) == {"red": NOON + 6 * DAY}
    assert deadlines(reset_seat(running, "red", NOON + 5 * DAY)) == {"red": NOON + 9 * DAY}
    idle = reset_seat(running, "blue", NOON + 5 * DAY)
    assert "blue" not in idle.banks
    assert deadlines(idle) == deadlines(running)


def test_nobody_is_waited_for_on_days_away_of_who_sat_there_before() -> None:
    away = Absence(NOON.date() + DAY, NOON.date() + 9 * DAY)
    running = clock()
    for seat in ("red", "blue"):
        running = add_absence(running, seat, away, NOON)
    running = update_due(running, ["red"], NOON, turn=1)
    length = running.control.first_length
    assert deadlines(running) == {"red": NOON + 9 * DAY + length}
    taken = reset_seat(running, "red", NOON + 2 * DAY)
    assert deadlines(taken) == {"red": NOON + 2 * DAY + length}
    assert taken.absences == {"blue": (away,)}
    later = reset_seat(taken, "blue", NOON + 2 * DAY)
    assert deadlines(update_due(later, ["blue"], NOON + 3 * DAY, turn=2)) == {"blue": NOON + 3 * DAY + length}


def test_the_same_reason_twice_is_one_reason() -> None:
    running = update_due(clock(), ["red"], NOON, turn=1)
    stopped = pause(pause(running, "vote", NOON), "vote", NOON + DAY)
    assert stopped.paused == {"vote": NOON}
    assert resume(running, "vote", NOON) == running
    assert replace(stopped, paused={}) == running
