"""What follows when nobody answers, and what only the referee does."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.brotherhood.base_game import GAME as THE_GIFT
from notation import Ending
from pbem.events.codec import encode
from pbem.mail.commands.consent import Ask
from pbem.mail.commands.resign import Resign
from pbem.settings.kinds import Choice
from pbem.settings.sections import TimeSettings
from pbem.settings.setting_keys import keys_of
from pbem.tables import cases, referee_decisions
from pbem.tables.chance import random_moves
from pbem.tables.decision import Decision
from pbem.tables.silence import SILENCE_POLICIES, handle_timeout

Sit = Callable[..., Any]


def kinds(decision: Decision) -> list[str]:
    return [draft.kind for draft in decision.drafts]


def late(post: Any, *plan: str) -> Decision:
    seat = post.table.due[-1]
    decision = handle_timeout(post.table, seat, plan=plan, dealer=post.dealer)
    post.apply_events(decision.drafts)
    post.check()
    return decision


def test_the_table_knows_what_the_settings_offer() -> None:
    (offered,) = (each.kind for each in keys_of(TimeSettings) if each.name == "silence")
    assert offered == Choice(tuple(SILENCE_POLICIES))


def test_waiting_tells_everybody_and_changes_nothing(sit: Sit) -> None:
    post = sit(3)
    decision = late(post)
    assert decision.drafts == ()
    assert {notice.to for notice in decision.notices} == {"referee", "all"}


def test_a_turn_is_made_by_chance_and_its_owner_is_told(sit: Sit) -> None:
    post = sit(3, terms={"silence": "play"}).turns(17)
    seat = post.table.due[0]
    decision = late(post)
    assert kinds(decision) == ["played"]
    assert encode(post.events[-1].payload)["by"] == "clock"
    assert post.table.due != (seat,), "the whole turn is made"
    assert [notice.to for notice in decision.notices] == [seat]


def test_a_turn_with_dice_in_it_is_made_to_its_end(sit: Sit) -> None:
    post = sit(3, terms={"silence": "play"}, game=THE_GIFT)
    for _ in range(12):
        turn, due = post.table.turn, post.table.due
        decision = late(post)
        if THE_GIFT.to_act(post.table.position) == due:
            pytest.fail(f"turn {turn} waits for {due} for ever: {kinds(decision)}")
    assert post.table.turn > 6


def test_chance_is_the_dealers_alone(sit: Sit) -> None:
    posts = [sit(3, terms={"silence": "play"}).turns(17) for _ in range(2)]
    assert late(posts[0]).drafts == late(posts[1]).drafts


def test_what_was_planned_comes_before_chance(sit: Sit) -> None:
    post = sit(2, terms={"silence": "play"}).turns(16)
    planned = random_moves(post.table, "red", post.dealer)
    decision = late(post, planned, "pass")
    assert encode(decision.drafts[0].payload)["phrase"] == planned
    assert decision.plan == ("pass",)


def test_a_plan_that_cannot_be_played_is_forgotten(sit: Sit) -> None:
    post = sit(2, terms={"silence": "play"}).turns(16)
    decision = late(post, "lilac Z99", "pass")
    assert kinds(decision) == ["played"]
    assert decision.plan == ()


def test_the_declared_default_is_made_where_it_is_legal(sit: Sit) -> None:
    post = sit(2, terms={"silence": "play", "default": "pass"}).turns(16)
    decision = late(post)
    assert kinds(decision) == ["played"]
    assert encode(decision.drafts[0].payload)["phrase"] != "pass", "red can place a camel, so it may not pass"
    legal = random_moves(post.table, "blue", post.dealer)
    post = sit(2, terms={"silence": "play", "default": legal}).turns(17)
    assert encode(late(post).drafts[0].payload)["phrase"] == legal


def test_a_substitute_is_sought_while_time_stands_still(sit: Sit) -> None:
    post = sit(3, terms={"silence": "substitute"}).turns(3)
    decision = late(post)
    assert kinds(decision) == ["paused"]
    assert [notice.kind for notice in decision.notices] == ["substitute wanted"]
    assert kinds(late(post)) == [], "once is enough"
    decision = referee_decisions.seat_substitute(post.table, "red", "Dana", post.dealer)
    assert kinds(decision) == ["substituted", "resumed"]
    post.apply_events(decision.drafts)
    assert post.table.names["red"] == "Dana"
    assert post.table.record.header("Seat.red") == "Anna", "the header names who sat down first"
    assert post.table.pauses == frozenset()
    post.check()


def test_who_answers_after_all_goes_on(sit: Sit) -> None:
    post = sit(3, terms={"silence": "substitute"}).turns(3)
    late(post)
    assert kinds(post.turn()) == ["resumed", "played"]
    assert post.table.pauses == frozenset()


def test_a_substitute_takes_over_from_one_who_resigned(sit: Sit) -> None:
    post = sit(3).turns(3)
    post.do("blue", Resign())
    post.apply_events(referee_decisions.seat_substitute(post.table, "blue", "Dana", post.dealer).drafts)
    assert post.table.resigned == ()
    assert kinds(post.do("blue", Ask("draw"))) == ["asked"]


def test_forfeiting_ends_a_game_of_two_by_time(sit: Sit) -> None:
    post = sit(2, terms={"silence": "forfeit"}).turns(6)
    assert kinds(late(post)) == ["ended"]
    assert post.table.ending == Ending("time", ("red",))
    assert post.table.result == "red 0, blue 0 won"


def test_forfeiting_costs_one_seat_of_several(sit: Sit) -> None:
    post = sit(3, terms={"silence": "forfeit"}).turns(6)
    assert kinds(late(post)) == ["resigned"]
    assert post.table.resigned == ("red",)


def test_silence_of_a_seat_that_is_not_due_is_nothing(sit: Sit) -> None:
    for policy in SILENCE_POLICIES:
        post = sit(2, terms={"silence": policy})
        assert handle_timeout(post.table, "blue", dealer=post.dealer) == Decision()


def test_a_referee_pauses_and_resumes_for_a_reason(sit: Sit) -> None:
    post = sit(2)
    post.apply_events(referee_decisions.pause(post.table, "an appeal").drafts)
    assert post.table.pauses == {"an appeal"}
    assert referee_decisions.pause(post.table, "an appeal").refused is not None
    wrong = referee_decisions.resume(post.table, "vote").refused
    assert wrong is not None
    assert "an appeal" in wrong.detail
    post.apply_events(referee_decisions.resume(post.table, "an appeal").drafts)
    assert post.table.pauses == frozenset()


@pytest.mark.parametrize("reason", ["vote", "case 1", "blue has no player"])
def test_a_referee_gives_no_reason_that_has_a_meaning_of_its_own(sit: Sit, reason: str) -> None:
    refused = referee_decisions.pause(sit(2).table, reason).refused
    assert refused is not None
    assert (refused.rule.code, reason in refused.detail) == ("PO-R1", True)


def test_time_that_a_case_has_stopped_runs_when_it_is_closed(sit: Sit) -> None:
    post = sit(2).turns(4)
    post.apply_events(cases.appeal(post.table, "red", "that was not legal").drafts)
    refused = referee_decisions.resume(post.table, "case 1").refused
    assert refused is not None
    assert "close it" in refused.detail


def test_a_referee_gives_time_and_decides_with_a_reason(sit: Sit) -> None:
    post = sit(2).turns(4)
    (given,) = referee_decisions.extend(post.table, "24h", "the post was down").drafts
    assert encode(given.payload) == {"length": "24h", "reason": "the post was down", "by": "referee"}
    post.apply_events([given])
    post.apply_events(referee_decisions.adjudicate(post.table, ("blue",), "red is gone").drafts)
    assert post.table.ending == Ending("adjudicated", ("blue",), "red is gone")
    assert post.table.result == "red 0, blue 0 won"


@pytest.mark.parametrize("reason", ["", "  ", "two\nlines", "x" * 201])
def test_what_a_referee_does_has_a_reason_in_one_line(sit: Sit, reason: str) -> None:
    table = sit(2).table
    for decision in (
        referee_decisions.pause(table, reason),
        referee_decisions.extend(table, "24h", reason),
        referee_decisions.adjudicate(table, ("red",), reason),
        referee_decisions.call_off(sit(2, begun=False).table, reason),
    ):
        assert decision.drafts == ()
        assert decision.refused is not None
        assert decision.refused.rule.code == "PO-R1"


def test_a_referee_acts_on_the_table_there_is(sit: Sit) -> None:
    post = sit(2)
    for decision in (
        referee_decisions.seat_substitute(post.table, "green", "Dana", post.dealer),
        referee_decisions.adjudicate(post.table, ("green",), "because"),
        referee_decisions.call_off(post.table, "nobody came"),
    ):
        assert decision.drafts == ()
        assert decision.refused is not None
    waiting = sit(2, begun=False)
    waiting.apply_events(referee_decisions.call_off(waiting.table, "nobody came").drafts)
    assert waiting.table.stage == "called off"
    assert referee_decisions.pause(waiting.table, "because").refused is not None
