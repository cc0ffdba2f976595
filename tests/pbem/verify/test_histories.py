"""Games in which more happens than moves: rollbacks, silence, words, votes, guests; all of it is proved."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from pbem.events.chain import Draft
from pbem.events.codec import encode
from pbem.mail.commands.consent import Agree, Ask
from pbem.mail.commands.press import Press
from pbem.mail.commands.resign import Resign
from pbem.mail.commands.vacation import DropVacation, Vacation
from pbem.tables.chance import GameDealer
from pbem.tables.fold import fold
from pbem.tables.referee_decisions import extend, pause, resume, seat_substitute
from pbem.tables.silence import handle_timeout
from pbem.verify.check_record import verify_text


def judge(operator: Any) -> list[str]:
    (verified,) = verify_text(operator.text())
    return [finding.reason for finding in verified.findings]


def test_a_rollback_is_counted_and_brings_other_dice(operator: Callable[..., Any]) -> None:
    game = operator(players=2).begin().play(5)
    known = len(game.events)
    turn = fold(game.events).turn
    game.do("fennec", Ask("undo"))
    game.do("hare", Agree("undo"))
    back = next(event for event in game.events[known:] if event.kind == "undone")
    assert encode(back.payload)["turn"] <= turn
    table = fold(game.events)
    assert table.epoch == 1
    again = game.play()
    (verified,) = verify_text(again.text())
    assert verified.findings == ()
    assert verified.rollbacks == 1


def test_the_same_place_draws_otherwise_after_a_rollback(operator: Callable[..., Any]) -> None:
    game = operator(players=2).begin().play(2)
    table = fold(game.events)
    dealer, after = GameDealer(game.seed).at(table), GameDealer(game.seed).at(replace(table, epoch=1))
    assert [dealer.pick(2**32, "side") for _ in range(4)] != [after.pick(2**32, "side") for _ in range(4)]


def test_words_votes_leave_and_time_are_in_the_chain_and_not_in_the_dice(operator: Callable[..., Any]) -> None:
    quiet = operator(game="nomadi").begin().play(3)
    loud = operator(game="nomadi").begin()
    loud.do("red", Press("all", "six, please"))
    loud.do("red", Press("referee", "psst ] \\ [%seed 00]"))
    loud.do("blue", Vacation(date(2026, 12, 1), date(2026, 12, 4)))
    loud.do("blue", DropVacation())
    assert loud.events[-1].kind == "returned"
    loud.apply_events(extend(fold(loud.events), "24h", "the post was down").drafts)
    loud.play(3)
    dealt = [[event.phrase for event in game.events if event.kind == "dealt"] for game in (quiet, loud)]
    assert dealt[0] == dealt[1]
    assert judge(loud) == []


def test_pauses_guests_and_resignations_are_proved(operator: Callable[..., Any]) -> None:
    game = operator(players=3, game="through-the-desert").begin().play(4)
    game.apply_events(pause(fold(game.events), 'a "reason" ]').drafts)
    game.apply_events(resume(fold(game.events), 'a "reason" ]').drafts)
    game.apply_events(seat_substitute(fold(game.events), "blue", "Zoë ⛺", GameDealer(game.seed)).drafts)
    game.play(2)
    game.do("green", Resign())
    assert judge(game) == []


@pytest.mark.parametrize("forge", [False, True])
def test_what_silence_brings_is_drawn_by_the_seed(
    operator: Callable[..., Any], draft: Callable[..., Draft], *, forge: bool
) -> None:
    game = operator(game="through-the-desert").begin().play(3)
    game = game.rewrite(lambda event: draft(event, terms={"silence": "play"}) if event.seq == 1 else draft(event))
    table = fold(game.events)
    seat = table.due[0]
    drafts = list(handle_timeout(table, seat, dealer=GameDealer(b"x" * 32 if forge else game.seed)).drafts)
    assert encode(drafts[0].payload)["by"] == "clock"
    game.apply_events(drafts)
    game.do(fold(game.events).due[0], Resign())
    assert ("is not what the seed draws here" in " ".join(judge(game))) == forge


def test_a_move_that_says_it_was_taken_in_must_have_been(
    operator: Callable[..., Any], draft: Callable[..., Draft]
) -> None:
    honest = operator().begin().play()
    forged = honest.rewrite(lambda event: draft(event, **({"by": "record"} if event.kind == "dealt" else {})))
    assert any("though it says so" in reason for reason in judge(forged))


def test_another_level_than_can_be_checked_is_not_believed(operator: Callable[..., Any]) -> None:
    assert any("level 3" in reason for reason in judge(operator().begin(level=3).play()))
