"""Appeals and rulings: what a case does to a table, and that nothing is ever edited."""

from collections.abc import Callable
from typing import Any

import pytest

from notation import Ending, read_text, write_record
from pbem.events.codec import encode
from pbem.judging.entries import changed_lines
from pbem.judging.record_replay import replay_record
from pbem.mail.commands.appeal import Appeal
from pbem.tables import cases
from pbem.tables import cases as rulings
from pbem.tables.cases import WantedRuling
from pbem.tables.chance import random_moves
from pbem.tables.decision import Decision
from pbem.tables.fold import fold
from tests.pbem.tables.decided import refused

Sit = Callable[..., Any]


def rule(post: Any, kind: str, number: int = 1, reason: str = "so be it", **more: Any) -> Decision:
    decision = rulings.rule(post.table, number, WantedRuling(kind, reason, **more), post.dealer)
    post.apply_events(decision.drafts)
    post.check()
    return decision


def called(sit: Sit, turns: int = 17, turn: int | None = None) -> Any:
    """A table at which blue has called the referee."""
    post = sit(3).turns(turns)
    assert post.do("blue", Appeal("that was not legal", turn)).refused is None
    return post


def diff(post: Any) -> list[str]:
    decree = post.table.cases[0].decrees[-1]
    return list(changed_lines(post.table.record, decree.first, decree.last))


def still_reads(post: Any) -> None:
    """The record is one that anybody can read and replay."""
    (reading,) = read_text(write_record(post.table.record))
    assert reading.record is not None
    assert replay_record(reading.record).refusal is None


def test_an_appeal_opens_a_case_and_stops_the_clock(sit: Sit) -> None:
    post = called(sit)
    (case,) = post.table.cases
    assert (case.number, case.by, case.turn, case.words) == (1, "blue", 17, "that was not legal")
    assert case.is_open
    assert post.table.pauses == {"case 1"}
    assert [event.kind for event in post.events[-2:]] == ["appealed", "paused"]
    still_reads(post)


def test_an_appeal_tells_the_referee_what_it_is_about(sit: Sit) -> None:
    decision = cases.appeal(sit(3).turns(4).table, "red", "too late", 3)
    (notice,) = decision.notices
    assert (notice.to, notice.seat, notice.about) == ("referee", "red", "case 1, turn 3: too late")


def test_an_appeal_is_not_spent_on_a_turn_that_nobody_has_played(sit: Sit) -> None:
    post = sit(3).turns(5)
    waits = next(seat for seat in post.table.seats if seat not in post.table.due)
    assert cases.appeal(post.table, waits, "why?", 5).refused is None
    for turn in (0, 6, 7, 99):
        assert refused(cases.appeal(post.table, waits, "why?", turn)) == "PO-K3"


def test_a_seat_that_cannot_move_calls_the_referee_and_can_do_so_again_once_the_turn_was_played(sit: Sit) -> None:
    post = sit(3).turns(5)
    (due,) = post.table.due
    assert post.do(due, Appeal("my move is not taken", 6)).refused is None
    post.apply_events(rulings.close(post.table, 1).drafts)
    assert refused(post.do(due, Appeal("and still not", 6))) == "PO-K1"
    post.turn()
    assert post.do(due, Appeal("that was not what I wrote", 6)).refused is None


def test_the_referee_can_open_a_case_about_the_turn_that_is_due(sit: Sit) -> None:
    post = sit(3).turns(5)
    assert cases.appeal(post.table, "referee", "somebody is ill", 6).refused is None
    assert refused(cases.appeal(post.table, "referee", "somebody is ill", 7)) == "PO-K3"


def test_nobody_holds_the_table_up_by_appealing_again_and_again(sit: Sit) -> None:
    post = called(sit)
    again = post.do("blue", Appeal("and again", 16)).refused
    assert "still open" in again.detail
    assert post.do("red", Appeal("me too")).refused is None, "another seat has its own case"
    post.apply_events(rulings.close(post.table, 1).drafts)
    assert "before; that is case 1" in post.do("blue", Appeal("once more", 17)).refused.detail
    assert post.do("blue", Appeal("another turn", 16)).refused is None


@pytest.mark.parametrize("words", ["", "  ", "long " * 1000])
def test_an_appeal_has_something_to_say(sit: Sit, words: str) -> None:
    assert cases.appeal(sit(2).turns(3).table, "red", words).refused is not None


def test_a_dismissed_case_leaves_everything_as_it_was(sit: Sit) -> None:
    post = called(sit)
    before = post.table.position
    assert rule(post, "dismiss").refused is None
    assert post.table.position == before
    assert diff(post) == []
    post.apply_events(rulings.close(post.table, 1).drafts)
    post.check()
    assert not post.table.pauses
    assert not post.table.cases[0].is_open
    still_reads(post)


def test_a_roll_back_takes_turns_back_and_shows_which(sit: Sit) -> None:
    post = called(sit, turns=18, turn=17)
    third = [entry for entry in post.table.entries if entry.number in (17, 18)]
    rule(post, "roll-back")
    assert post.table.turn == 17
    assert post.table.epoch == 1, "another epoch has other dice"
    assert [line[0] for line in diff(post)] == ["-", "-", "+"]
    assert diff(post)[-1] == "+ 19. undo: turn 17"
    assert [entry for entry in post.table.entries if entry.number in (17, 18)] == third, "nothing leaves the record"
    still_reads(post)


def test_a_correction_is_played_in_the_name_of_the_seat_by_the_referee(sit: Sit) -> None:
    post = called(sit)
    seat = next(entry.who for entry in post.table.entries if entry.number == 17)
    back = sit(3).turns(16)
    moves = random_moves(back.table, seat, post.dealer)
    decision = rule(post, "correct", moves=((seat, moves),))
    assert decision.refused is None
    assert [draft.kind for draft in decision.drafts] == ["ruled", "undone", "played"]
    assert (encode(post.events[-1].payload)["by"], encode(post.events[-1].payload)["letter"]) == ("referee", "")
    assert diff(post)[-1] == f"+ 17. {seat}: {post.events[-1].phrase}"
    still_reads(post)


def test_a_correction_obeys_the_rules_of_the_game_or_nothing_happens(sit: Sit) -> None:
    post = called(sit)
    seat = next(entry.who for entry in post.table.entries if entry.number == 17)
    before = post.table
    decision = rule(post, "correct", moves=((seat, "lilac A1"),))
    assert decision.ruling is not None
    assert decision.ruling.verdict is not None
    assert post.table == before


def test_a_correction_says_what_is_played(sit: Sit) -> None:
    assert rule(called(sit), "correct").refused is not None


def test_the_referee_goes_back_only_to_what_was_played(sit: Sit) -> None:
    post = called(sit, turns=4)
    assert refused(rule(post, "roll-back", turn=5)) == "PO-K2"


def test_a_seat_goes_to_somebody_else(sit: Sit) -> None:
    post = called(sit)
    rule(post, "substitute", seat="red", name="Dana")
    assert post.table.names["red"] == "Dana"
    assert diff(post)[-1].startswith("+ 18. substitute: ")


def test_a_decided_game_is_over_and_its_cases_with_it(sit: Sit) -> None:
    post = called(sit)
    rule(post, "adjudicate", winners=("blue",), reason="red never came back")
    assert post.table.stage == "over"
    assert not post.table.cases[0].is_open
    assert diff(post)[-1].startswith("+ 18. end: adjudicated")
    refused = rulings.close(post.table, 1).refused
    assert refused is not None


@pytest.mark.parametrize("kind", ["dismiss", "roll-back", "correct", "substitute", "adjudicate"])
def test_every_ruling_has_a_reason_and_an_open_case(sit: Sit, kind: str) -> None:
    post = called(sit)
    assert rule(post, kind, reason=" ").refused is not None
    assert rule(post, kind, number=2).refused is not None
    post.apply_events(rulings.close(post.table, 1).drafts)
    assert rule(post, kind).refused is not None


def test_what_the_rules_have_ended_is_not_decided_by_the_referee(sit: Sit) -> None:
    """A post that took in such a game as one that goes on has a table at which nobody is due."""
    post = called(sit)
    while post.table.due:
        post.turn()
    post.events.pop()
    post.table = fold(post.events)
    assert (post.table.stage, post.table.due) == ("playing", ())
    refused = rule(post, "adjudicate", winners=("red",)).refused
    assert refused is not None
    assert "dismiss the case" in refused.detail
    assert [draft.kind for draft in rule(post, "dismiss").drafts] == ["ruled", "ended"]
    assert post.table.ending == Ending("normal")
    still_reads(post)


def test_what_is_played_after_a_ruling_is_not_its_doing(sit: Sit) -> None:
    post = called(sit)
    rule(post, "roll-back")
    shown = diff(post)
    post.turns(2)
    assert diff(post) == shown


def test_a_warrant_is_public_and_counted(sit: Sit) -> None:
    post = called(sit)
    for seat in ("red", "blue"):
        post.apply_events(rulings.warrant(post.table, 1, seat, "to see the hand").drafts)
    post.check()
    assert post.table.warrants == 2
    assert [warrant.seat for warrant in post.table.cases[0].warrants] == ["red", "blue"]
    assert rulings.warrant(post.table, 1, "purple", "why not").refused is not None
    assert rulings.warrant(post.table, 1, "red", "").refused is not None
