"""Time at a whole post, by a clock that tests move: reminders, silence, an outage, a broken game among sound ones."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from engine.chance import KeyedDealer
from engine.game import PUBLIC
from engine.nomadi import GAME as NOMADI
from engine.through_the_desert import GAME as DESERT
from notation import Record
from pbem.clock.clock import Clock
from pbem.demo.players import plan_moves
from pbem.events.chain import Draft
from pbem.service.game_records import read_record
from pbem.service.post_folder import open_post
from pbem.service.single_run import work_once
from pbem.store.store import LAST_TICK
from pbem.tables.table import OVER, Table
from pbem.tables.votes import ask, drop_expired
from pbem.workflow import tick as ticking
from pbem.workflow.context import PostContext
from pbem.workflow.handle_letter import handle_arrived_letters
from pbem.workflow.import_record import import_game
from pbem.workflow.new_tables import terms_of
from pbem.workflow.open_game import Guest
from pbem.workflow.session import GameSession
from pbem.workflow.tick import TickResult, tick
from tests.post.post_games import TABLE, Hours, found_post, invite_friends, make_friends, make_script, moves_of
from tests.post.towns import Town, found_town

FRIENDS = make_friends()
TURNS = 20
Seat = Callable[..., None]


@pytest.fixture
def hours() -> Hours:
    return Hours()


@pytest.fixture
def context(tmp_path: Path, hours: Hours) -> Iterator[PostContext]:
    settings = found_post(tmp_path / "post", referee="referee@post.test")
    with open_post(settings, hours.now) as opened:
        tick(opened)
        yield opened


def seat(context: PostContext, table: str, **time: Any) -> None:
    """A table in the middle of a game, at which red is due."""
    script = make_script()
    headers = tuple((name, "*" if name == "Result" else value) for name, value in script.headers)
    guests = [Guest(friend.seat, friend.name, friend.address) for friend in FRIENDS.values()]
    turns = next(turn for turn in range(TURNS, TURNS + 3) if script.entries[turn].who == "red")
    terms = terms_of(replace(context.settings.time, **time))
    import_game(context, table, Record(headers, script.entries[:turns]), guests, terms=terms)


def look(context: PostContext, hours: Hours, **later: float) -> list[TickResult]:
    """Look at the clocks every half hour, until some time has passed."""
    end = replace(hours)
    end.forward(**later)
    done = []
    while hours.moment < end.moment:
        hours.forward(minutes=30)
        done += tick(context)
    return done


def kinds_to(context: PostContext, address: str) -> list[str]:
    with context.store.reading() as at_desk:
        mails = [at_desk.find_mail(number) for number in range(1, 60)]
    return [mail.kind for mail in mails if mail is not None and mail.recipient == address]


def turns_of(context: PostContext, table: str) -> int:
    record = read_record(context, table)
    assert record is not None
    return len(moves_of(record))


def test_a_player_is_reminded_as_often_as_was_agreed_and_then_the_table_waits(
    context: PostContext, hours: Hours
) -> None:
    seat(context, "bora-1", reminders=(timedelta(days=1), timedelta(hours=6)))
    done = look(context, hours, days=4)
    assert [(one.what, one.seat) for one in done] == [("remind", "red"), ("remind", "red"), ("late", "red")]
    assert kinds_to(context, "anna@players.test").count("reminder") == 2
    assert kinds_to(context, "referee@post.test") == ["notice"]
    assert look(context, hours, days=3) == []


def test_a_player_is_reminded_once_if_nothing_else_was_agreed_when_a_third_of_the_time_is_left(
    context: PostContext, hours: Hours
) -> None:
    seat(context, "bora-1", per_turn=timedelta(days=6))
    assert look(context, hours, days=3, minutes=23 * 60) == []
    (done,) = look(context, hours, days=2)
    assert (done.what, done.seat) == ("remind", "red")
    assert kinds_to(context, "anna@players.test")[-1] == "reminder"


def test_where_it_was_agreed_a_move_is_made_for_the_silent(context: PostContext, hours: Hours) -> None:
    seat(context, "bora-1", silence="play")
    before = turns_of(context, "bora-1")
    look(context, hours, days=4)
    assert turns_of(context, "bora-1") == before + 1
    assert kinds_to(context, "boris@players.test").count("turn") == 1


def test_who_rests_on_weekends_neither_loses_the_seat_nor_is_reminded_on_one(
    context: PostContext, hours: Hours
) -> None:
    seat(context, "bora-1", weekends="rest", silence="forfeit", per_turn=timedelta(days=4, hours=18))
    done = look(context, hours, days=4, minutes=14 * 60)
    assert [one.what for one in done] == ["remind"]
    assert f"{hours.now():%A %H}" == "Friday 23"
    assert look(context, hours, days=2, minutes=15 * 60) == []
    assert f"{hours.now():%A %H}" == "Monday 14", "eleven hours after the deadline"
    (late,) = look(context, hours, minutes=60)
    assert (late.what, late.seat) == ("late", "red")
    record = read_record(context, "bora-1")
    assert record is not None
    assert "resign" in [entry.who for entry in record.entries]


def test_a_vote_lapses_even_where_no_clock_is_due(context: PostContext, hours: Hours) -> None:
    seat(context, "bora-1", per_turn=timedelta(days=60), reminders=())
    with context.store.transaction() as transaction:
        session = ticking._open_session(context, transaction, "bora-1")
        session.apply_events(ask(session.table, "blue", "draw").drafts)
        session.save()
    assert look(context, hours, days=13.9) == []
    (dropped,) = look(context, hours, days=0.2)
    assert (dropped.what, dropped.game) == ("lapsed", "bora-1")
    with context.store.reading() as transaction:
        assert not ticking._open_session(context, transaction, "bora-1").table.votes
    assert kinds_to(context, "boris@players.test").count("vote") == 1
    assert look(context, hours, days=2) == []


def test_an_outage_costs_nobody_anything_and_is_made_good_once(context: PostContext, hours: Hours) -> None:
    seat(context, "bora-1")
    seat(context, "bora-2")
    hours.forward(days=5)
    assert [(one.what, one.game) for one in tick(context)] == [("extended", "bora-1"), ("extended", "bora-2")]
    assert tick(context) == []
    assert look(context, hours, days=0.1) == []


def test_where_time_stood_still_an_outage_has_cost_none_and_gives_none(tmp_path: Path) -> None:
    with found_town(tmp_path / "post", NOMADI, 2) as town:
        for player, words in zip(town.friends, ("pause", "agree"), strict=True):
            town.write(player, words)
        tick(town.context)
        before = clock_of(town)
        assert before.paused
        town.hours.forward(days=5)
        assert tick(town.context) == []
        assert clock_of(town) == before


def test_a_turn_that_begins_after_an_outage_has_no_more_time_than_others(tmp_path: Path) -> None:
    with found_town(tmp_path / "post", DESERT, 2) as town:
        (mover,) = town.table.due
        tick(town.context)
        town.hours.forward(days=5)
        move = plan_moves(town.table, mover, KeyedDealer(b"after")).phrase
        town.context.store.receive(town.friends[mover].answer(move, town.hours.now()), intake="test")
        done = work_once(town.context)
        assert [(one.what, one.game) for one in done.clocks] == [("extended", TABLE)]
        (turn,) = clock_of(town).due.values()
        assert turn.left == town.context.settings.time.per_turn


def test_a_post_that_goes_down_again_while_it_makes_amends_makes_them_once(
    context: PostContext, hours: Hours, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat(context, "bora-1")
    seat(context, "bora-2")
    hours.forward(days=5)
    lay = ticking._open_session

    def stumble(context: PostContext, transaction: Any, game: str) -> Any:
        if game == "bora-2":
            raise KeyboardInterrupt
        return lay(context, transaction, game)

    monkeypatch.setattr(ticking, "_open_session", stumble)
    with pytest.raises(KeyboardInterrupt):
        tick(context)
    monkeypatch.setattr(ticking, "_open_session", lay)
    hours.forward(minutes=10)
    assert [(one.what, one.game) for one in tick(context)] == [("extended", "bora-2")]


def test_a_game_whose_history_is_broken_stops_and_the_others_go_on(context: PostContext, hours: Hours) -> None:
    seat(context, "bora-1")
    seat(context, "bora-2")
    with closing(sqlite3.connect(context.settings.database)) as hand:
        hand.execute("UPDATE event SET kind = 'unheard of' WHERE game = 'bora-1' AND seq = 7")
        hand.commit()
    context = replace(context, table_cache=type(context.table_cache)())
    done = look(context, hours, days=3)
    assert {(one.what, one.game) for one in done} == {("broken history", "bora-1"), ("remind", "bora-2")}


def test_where_two_are_late_at_once_and_the_first_one_ends_the_game_the_other_is_let_be(tmp_path: Path) -> None:
    with found_town(tmp_path / "post", NOMADI, 2, chosen={"time.silence": "forfeit"}) as town:
        dealer = KeyedDealer(b"b")
        while not (len(town.table.due) == 2 and _has_no_default(town.table, first_due(town))):
            offers = town.table.game.view(town.table.position, PUBLIC)["offers"]
            if len(town.table.due) == 2:
                town.write(offers[0]["to"], f"leave {offers[0]['square']}")
            else:
                town.write(town.table.due[0], plan_moves(town.table, town.table.due[0], dealer).phrase)
        clock = clock_of(town)
        town.hours.moment = max(turn.deadline for turn in clock.due.values()) + clock.control.grace
        with town.context.store.transaction() as at_desk:
            at_desk.save_setting(LAST_TICK, town.hours.moment.isoformat())
        assert [one.what for one in tick(town.context)] == ["late"]
        assert town.table.stage == OVER
        assert tick(town.context) == []


def _has_no_default(table: Table, seat: str) -> bool:
    return table.game.by_default(table.position, seat) is None


def first_due(town: Town) -> str:
    return next(iter(clock_of(town).due))


def clock_of(town: Town) -> Clock:
    table = town.table.id
    with town.context.store.reading() as at_desk:
        row = at_desk.find_game(table)
        assert row is not None
        return GameSession(town.context, at_desk, row).clock


def test_a_game_over_which_we_stumble_stops_no_other_and_is_no_outage(
    context: PostContext, hours: Hours, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat(context, "bora-1")
    seat(context, "bora-2")

    def stumble(table: Table, now: datetime) -> list[Draft]:
        return list(drop_expired(table, now)) if table.id != "bora-1" else [][0]

    monkeypatch.setattr(ticking, "drop_expired", stumble)
    done = look(context, hours, days=3)
    assert {(one.what, one.game) for one in done} == {("stumbled", "bora-1"), ("remind", "bora-2")}
    assert all(isinstance(one.problem, IndexError) for one in done if one.game == "bora-1")


def test_letters_beyond_the_cap_that_change_nothing_wait_and_are_answered_in_time(tmp_path: Path, hours: Hours) -> None:
    with open_post(found_post(tmp_path / "small", answers_per_hour=3), hours.now) as context:
        tick(context)
        friends = make_friends()
        invite_friends(context, friends.values(), make_script())
        with context.store.reading() as at_desk:
            for mail in filter(None, map(at_desk.find_mail, range(1, 4))):
                next(friend for friend in friends.values() if friend.address == mail.recipient).get(mail.raw)
        for _ in range(5):
            context.store.receive(friends["red"].answer("status", hours.now()), intake="test")
        fates = [(outcome.fate, outcome.reason) for outcome in handle_arrived_letters(context)]
        assert [fate for fate, _ in fates] == ["applied"] * 3 + ["waiting"] * 2
        assert fates[-1] == ("waiting", "too-many-letters")
        hours.forward(minutes=30)
        assert "woken" not in {one.what for one in tick(context)}
        hours.forward(minutes=31)
        assert [one.what for one in tick(context)] == ["woken"] * 2
        assert [outcome.fate for outcome in handle_arrived_letters(context)] == ["applied"] * 2


def test_a_clock_that_jumps_ahead_and_back_makes_nobody_late_and_leaves_nothing_in_that_future(
    context: PostContext, hours: Hours
) -> None:
    seat(context, TABLE, per_turn=timedelta(days=2), grace=timedelta(), silence="forfeit")
    hours.forward(minutes=30)
    tick(context)
    before = hours.moment
    hours.forward(days=40)  # the machine wakes up with a wrong clock
    done = {each.what for each in work_once(context).clocks}
    assert "extended" in done
    assert "late" not in done
    with context.store.transaction() as at_desk:
        ahead = at_desk.mails_by_state()["queued"]
        at_desk._connection.execute("UPDATE outbox SET not_before = '2027-01-01T00:00:00Z'")
    hours.moment = before + timedelta(minutes=1)
    (noticed,) = [each for each in tick(context) if each.what == ticking.WENT_BACK]
    assert noticed.detail.startswith("by 39d23h59m; 4 mails that waited for a later time can go now")
    assert len(context.store.claim_due(hours.moment, 99)) == ahead, "nothing waits for that future"
    assert ticking.WENT_BACK not in {each.what for each in tick(context)}, "it is said once"
    for _ in range(46):
        hours.forward(hours=23)
        assert "late" not in {each.what for each in tick(context)}, hours.moment


def test_events_are_never_dated_backwards(context: PostContext, hours: Hours) -> None:
    seat(context, TABLE, per_turn=timedelta(days=2))
    hours.forward(minutes=-50)
    with context.store.transaction() as at_desk:
        row = at_desk.find_game(TABLE)
        assert row is not None
        session = GameSession(context, at_desk, row)
        session.apply_events(ask(session.table, "red", "draw").drafts)
        session.save()
        times = [event.at for event in at_desk.load_events(TABLE)]
    assert times == sorted(times)


def test_the_post_gives_time_back_for_an_outage_after_a_clock_went_back(context: PostContext, hours: Hours) -> None:
    seat(context, TABLE, per_turn=timedelta(days=2), grace=timedelta(), silence="forfeit")
    hours.forward(days=40)
    tick(context)
    hours.forward(days=-40, minutes=1)
    tick(context)
    hours.forward(hours=5)
    assert "extended" in {each.what for each in tick(context)}
