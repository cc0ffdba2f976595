"""Days away: announced within what the table allows, taken back while they have not begun, and told."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from pbem.events.codec import encode
from pbem.mail.commands.resign import Resign
from pbem.mail.commands.vacation import DropVacation, Vacation
from pbem.tables.absences import announced_days, days_left
from pbem.tables.decision import Decision
from pbem.tables.referee_decisions import substitute
from tests.pbem.tables.decided import kinds, refused

Sit = Callable[..., Any]


def test_absences_stay_within_what_the_table_allows(sit: Sit) -> None:
    post = sit(2, terms={"absence": 10})
    today = post.now.date()

    def away(first: int, last: int) -> Decision:
        days = Vacation(today + timedelta(days=first), today + timedelta(days=last))
        decision: Decision = post.do("red", days)
        return decision

    assert refused(away(-1, 3)) == "PO-A1"
    assert refused(away(3, 2)) == "PO-A1"
    assert refused(away(0, 10)) == "PO-A1"
    assert kinds(away(0, 5)) == ["absence"]
    assert kinds(away(3, 9)) == ["absence"], "days taken twice are used once"
    assert len(post.table.absences["red"]) == 10
    assert refused(away(12, 12)) == "PO-A1"
    assert refused(post.do("red", Vacation(today, date(9999, 12, 31)))) == "PO-A1"
    post.check()


def test_days_away_that_have_not_begun_can_be_taken_back(sit: Sit) -> None:
    post = sit(2, terms={"absence": 10})
    today = post.now.date()
    days = [today + timedelta(days=day) for day in range(400)]
    for first, last in ((0, 3), (6, 7), (368, 371)):
        assert kinds(post.do("red", Vacation(days[first], days[last]))) == ["absence"]
    post.do("blue", Vacation(days[2], days[4]))
    assert refused(post.do("red", Vacation(days[3], days[4]))) == "PO-A1", "a year was mistyped"
    dropped = post.do("red", DropVacation(), later=timedelta(days=1))
    assert [(draft.kind, encode(draft.payload)) for draft in dropped.drafts] == [
        ("returned", {"seat": "red", "first": days[2].isoformat()})
    ]
    assert post.table.absences == {"red": {days[0], days[1]}, "blue": {*days[2:5]}}, "a day that has begun stays"
    assert kinds(post.do("red", Vacation(days[3], days[10]))) == ["absence"]
    assert refused(post.do("red", Vacation(days[11], days[11]))) == "PO-A1"
    post.check()


def test_whoever_has_announced_no_days_away_may_say_so(sit: Sit) -> None:
    post = sit(2)
    nothing = post.do("red", DropVacation())
    assert (nothing.drafts, nothing.refused) == ((), None)
    assert [answer.kind for answer in nothing.answers] == ["absence"]
    post.do("red", Vacation(post.now.date(), post.now.date()))
    assert post.do("red", DropVacation()).drafts == (), "today has begun"
    post.do("blue", Resign())
    assert refused(post.do("red", DropVacation())) == "PO-T3"


def test_days_away_are_told_as_stretches_from_today_on(sit: Sit) -> None:
    post = sit(2, terms={"absence": 10})
    today = post.now.date()
    days = [today + timedelta(days=day) for day in range(20)]
    for first, last in ((0, 1), (4, 5), (6, 7), (9, 9)):
        post.do("red", Vacation(days[first], days[last]))
    announced = [(days[0], days[1]), (days[4], days[7]), (days[9], days[9])]
    assert announced_days(post.table, "red", today) == announced
    assert announced_days(post.table, "red", days[1]) == announced, "the one that is under way from its beginning"
    assert announced_days(post.table, "red", days[2]) == announced[1:]
    assert announced_days(post.table, "blue", today) == []
    assert (days_left(post.table, "red"), days_left(post.table, "blue")) == (3, 10)


def test_days_away_leave_with_whoever_announced_them(sit: Sit) -> None:
    post = sit(3, terms={"absence": 10})
    today = post.now.date()
    days = [today + timedelta(days=day) for day in range(20)]
    for seat in ("red", "blue"):
        post.do(seat, Vacation(days[0], days[9]))
    post.apply_events(substitute(post.table, "red", "Dana"))
    assert announced_days(post.table, "red", today) == []
    assert (days_left(post.table, "red"), days_left(post.table, "blue")) == (10, 0)
    assert kinds(post.do("red", Vacation(days[5], days[14]))) == ["absence"], "none of them was hers"
    assert announced_days(post.table, "red", today) == [(days[5], days[14])]
    post.check()
