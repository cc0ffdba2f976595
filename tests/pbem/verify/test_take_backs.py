"""Turns taken back without asking: both verifiers believe those that the rule allows, and no others."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine.chance import KeyedDealer
from pbem.events.chain import Draft
from pbem.events.kinds import GameOpened, RoundAwaited, TurnUndone, VoteAgreed, VoteAsked, VoteDropped
from pbem.mail.commands.consent import Agree, Ask
from pbem.mail.commands.resign import Resign
from pbem.mail.commands.submit_moves import Play
from pbem.tables.chance import GameDealer, random_moves
from pbem.tables.fold import fold
from pbem.tables.referee_decisions import seat_substitute
from pbem.verify.check_record import verify_text
from tests.second_verifier.second_verifier import verify

Found = Callable[..., Any]


@pytest.fixture
def desert(operator: Callable[..., Any]) -> Any:
    """Three in the desert, each with a turn to take back; the first has just played turn 4."""
    return operator(game="through-the-desert", players=3, form=2).begin().play(4)


def are_believed(game: Any) -> bool:
    """What both verifiers say, who must agree."""
    (verified,) = verify_text(game.text())
    assert verified.is_good == (verify(game.text()) is None), verified.findings
    return verified.is_good


def last_of(game: Any) -> tuple[str, int]:
    """Who moved last, and in which turn."""
    entry = fold(game.events).entries[-1]
    return entry.who, entry.number or 0


def go_back(game: Any, turn: int, by: str, kept: int | None = None) -> Any:
    game.apply_events([Draft(TurnUndone(turn, by, kept))])
    return game


def test_the_last_turn_is_taken_back_once(desert: Any) -> None:
    seat, turn = last_of(desert)
    desert.do(seat, Ask("undo"))
    assert desert.events[-1].kind == "undone"
    desert.play(1)
    assert are_believed(desert)
    assert not are_believed(go_back(desert, turn, seat))


def test_nobody_takes_back_what_others_have_followed(desert: Any) -> None:
    seat, turn = last_of(desert)
    desert.play(1)
    assert are_believed(desert)
    assert not are_believed(go_back(desert, turn, seat))


def test_who_has_acted_has_acted_though_it_was_taken_back(desert: Any) -> None:
    seat, turn = last_of(desert)
    desert.play(1)
    other, _ = last_of(desert)
    desert.do(other, Ask("undo"))
    assert are_believed(desert)
    assert not are_believed(go_back(desert, turn, seat))


def test_nobody_takes_back_the_turn_of_somebody_else(desert: Any) -> None:
    seat, turn = last_of(desert)
    other = next(each for each in fold(desert.events).seats if each != seat)
    assert not are_believed(go_back(desert, turn, other))


def test_a_turn_that_was_not_played_is_not_taken_back(desert: Any) -> None:
    table = fold(desert.events)
    assert not are_believed(go_back(desert, table.turn, table.due[0]))


def test_a_substitute_takes_back_nothing_of_the_one_before(desert: Any) -> None:
    seat, turn = last_of(desert)
    desert.apply_events(seat_substitute(fold(desert.events), seat, "Dana", GameDealer(desert.seed)).drafts)
    assert are_believed(desert)
    desert.do(seat, Ask("undo"))
    assert desert.events[-1].kind == "asked"
    assert not are_believed(go_back(desert, turn, seat))


def test_the_referee_goes_back_as_far_as_is_needed(desert: Any) -> None:
    _, turn = last_of(desert)
    assert are_believed(go_back(desert.play(2), turn, "referee"))


def test_with_everybodys_consent_more_is_taken_back(desert: Any) -> None:
    seat, turn = last_of(desert)
    desert.play(1)
    desert.do(seat, Ask("undo"))
    for other in fold(desert.events).seats:
        if other != seat:
            desert.do(other, Agree("undo"))
    assert [event.kind for event in desert.events[-2:]] == ["agreed", "undone"]
    assert fold(desert.events).turn == turn
    assert are_believed(desert.play(2))


def test_who_has_given_up_need_not_agree(operator: Callable[..., Any]) -> None:
    game = operator(game="through-the-desert", players=4, form=2).begin().play(5)
    seat, _ = last_of(game)
    game.play(1)
    first, second, third = (other for other in fold(game.events).seats if other != seat)
    game.do(first, Resign())
    game.do(seat, Ask("undo"))
    game.do(second, Agree("undo"))
    if "undo" in fold(game.events).votes:
        game.do(third, Agree("undo"))
    assert are_believed(game)


@pytest.mark.parametrize("agreed", [0, 1])
def test_the_consent_of_some_is_not_enough(desert: Any, agreed: int) -> None:
    seat, turn = last_of(desert)
    desert.play(1)
    others = [other for other in fold(desert.events).seats if other != seat]
    desert.apply_events([Draft(VoteAsked("undo", seat, turn, reveals=False))])
    desert.apply_events([Draft(VoteAgreed("undo", other)) for other in others[:agreed]])
    assert not are_believed(go_back(desert, turn, seat))


def test_consent_to_what_is_no_longer_asked_counts_for_nothing(desert: Any) -> None:
    seat, turn = last_of(desert)
    desert.play(1)
    others = [other for other in fold(desert.events).seats if other != seat]
    desert.apply_events([Draft(VoteAsked("undo", seat, turn, reveals=False))])
    desert.apply_events([Draft(VoteAgreed("undo", other)) for other in others[:1]])
    desert.apply_events([Draft(VoteDropped("undo", "clock"))])
    assert not are_believed(go_back(desert, turn, seat))


def test_dice_stay_and_what_followed_them_is_taken_back(operator: Callable[..., Any]) -> None:
    game = play_one_die(operator(game="nomadi", players=2, form=2).begin().play(14))
    seat, turn = last_of(game)
    game.do(seat, Ask("undo"))
    assert f"{turn}. undo: turn {turn} after 1 " in game.text()
    assert are_believed(game.play(3))
    assert are_believed(game.play())


def play_one_die(game: Any) -> Any:
    """Let whoever is due use one die, after which nothing is drawn."""
    while True:
        table = fold(game.events)
        seat, phrase = table.due[0], random_moves(table, table.due[0], KeyedDealer(b"die"))
        game.do(seat, Play(phrase.split(",")[0]))
        if fold(game.events).entries[-1].who == seat and fold(game.events).turn == table.turn:
            return game


@pytest.mark.parametrize("kept", [None, 2, 3, -1])
def test_dice_are_not_taken_back_and_nothing_is_kept_that_is_not_there(
    operator: Callable[..., Any], kept: int | None
) -> None:
    game = play_one_die(operator(game="nomadi", players=2, form=2).begin().play(14))
    seat, turn = last_of(game)
    text = f"{turn}. undo: turn {turn}"
    table = fold(game.events)
    assert [entry.who for entry in table.entries if entry.number == turn] == ["*", seat]
    forged = go_back(game, turn, seat, kept)
    assert text in forged.text()
    assert not are_believed(forged)


def test_nothing_is_kept_where_no_such_rule_was_promised(operator: Callable[..., Any]) -> None:
    game = play_one_die(operator(game="nomadi", players=2, form=2).begin().play(14))
    seat, turn = last_of(game)
    assert are_believed(go_back(replace(game, events=list(game.events)), turn, seat, 1))
    assert not are_believed(without_rule(go_back(game, turn, seat, 1)))


def without_rule(game: Any, rule: object = None) -> Any:
    """The same history in a game that promised no rule, or another one."""

    def change(event: Any) -> Draft:
        payload = event.payload
        if isinstance(payload, GameOpened):
            kept = {name: value for name, value in payload.promised.items() if name != "undo"}
            payload = replace(payload, proof=kept if rule is None else {**kept, "undo": rule})
        return Draft(payload, event.sealed, event.maker)

    return game.rewrite(change)


def test_games_from_before_the_rule_stay_believed(desert: Any) -> None:
    seat, turn = last_of(desert)
    go_back(desert.play(1), turn, seat)
    assert not are_believed(desert)
    assert are_believed(without_rule(desert))


@pytest.mark.parametrize("rule", [0, 2, True, "1"])
def test_there_is_no_other_rule(desert: Any, rule: object) -> None:
    assert not are_believed(without_rule(desert, rule))


def test_a_draw_that_is_awaited_ends_it(desert: Any) -> None:
    seat, turn = last_of(desert)
    desert.apply_events([Draft(RoundAwaited(7, "2026-11-16T13:00:00Z", "*"))])
    assert not are_believed(go_back(desert, turn, seat))
