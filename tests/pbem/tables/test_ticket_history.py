"""A reply address tells which history it was written in: ours, one that was given up, or one that we lost."""

from dataclasses import replace

import pytest

from pbem.events.chain import Draft
from pbem.events.history_mark import LENGTH, format_mark, was_given_up
from pbem.events.kinds import TurnUndone
from pbem.mail.commands.invitation import AcceptInvitation
from pbem.tables.referee_decisions import open_table
from pbem.tables.table import ROLLBACK, Table
from pbem.tables.ticket_history import History, TicketPlace, find_gone_back, refuse_by_history
from tests.known_games import known_game
from tests.post.mailed_games import Game


@pytest.fixture
def game() -> Game:
    game = Game([])
    names = {"red": "Anna", "blue": "Boris"}
    opened = open_table(known_game("through-the-desert"), names=names, options={}, terms={})
    assert isinstance(opened, Draft)
    game.apply_events([opened])
    for seat in names:
        game.do(seat, AcceptInvitation(seat))
    return game.play(6)


def now(table: Table) -> TicketPlace:
    return TicketPlace(table.turn, table.mark)


def restored(game: Game) -> Game:
    other = Game([*game.events])
    other.apply_events([Draft(TurnUndone(other.table.turn, by="restore"))])
    return other


def test_every_moving_event_has_a_mark_of_its_own(game: Game) -> None:
    marks = [each.mark for each in game.table.marks]
    assert len({*marks}) == len(marks) > 6
    assert {len(mark) for mark in marks} == {LENGTH}
    assert now(game.table).history(game.table) is History.OURS


def test_an_address_of_a_turn_that_was_taken_back_is_of_an_earlier_epoch(game: Game) -> None:
    early = now(game.table)
    game.apply_events([Draft(TurnUndone(game.table.turn - 1, by="red"))])
    assert early.history(game.table) is History.OURS
    assert (early.epoch_at(game.table), game.table.epoch) == (0, 1)
    (seat,) = game.table.due
    assert find_gone_back(game.table, seat, None, early) is not None
    assert find_gone_back(game.table, seat, game.table.turn, early) is None, "it names its turn"
    assert find_gone_back(game.table, seat, None, now(game.table)) is None


def test_an_address_of_a_history_that_we_do_not_have_is_found_out(game: Game) -> None:
    shorter = Game(game.events[:-3])
    assert now(game.table).history(shorter.table) is History.LOST


def test_after_a_restore_addresses_of_the_lost_history_count_as_given_up(game: Game) -> None:
    table = restored(Game(game.events[:-3])).table
    lost, (seat,) = now(game.table), table.due
    assert lost.history(table) is History.GIVEN_UP
    assert refuse_by_history(table, seat, lost) is not None
    assert now(table).history(table) is History.OURS
    assert refuse_by_history(table, seat, now(table)) is None


def test_a_second_loss_is_found_out_after_a_restore_too(game: Game) -> None:
    again = restored(Game(game.events[:-3]))
    longer = Game([*again.events])
    longer.play(2)
    assert now(longer.table).history(again.table) is History.LOST


def test_an_address_of_the_old_form_is_good_until_a_restore_and_then_asked_about(game: Game) -> None:
    table = game.table
    old, (seat,) = TicketPlace(table.turn, epoch=0), table.due
    assert old.history(table) is History.OURS
    assert find_gone_back(table, seat, None, old) is None
    assert refuse_by_history(restored(game).table, seat, TicketPlace(table.turn, epoch=1)) is not None


def test_a_letter_that_is_sent_again_counts_for_the_turn_a_held_table_has_come_to(game: Game) -> None:
    shorter = restored(Game(game.events[:-3])).table
    held = replace(shorter, pauses=frozenset({ROLLBACK}))
    again, later = TicketPlace(held.turn, "azzzzz"), TicketPlace(held.turn + 1, "azzzzz")
    (seat,) = held.due
    assert refuse_by_history(held, seat, again) is None
    assert find_gone_back(held, seat, None, again) is None
    assert refuse_by_history(held, seat, later) is not None
    assert refuse_by_history(shorter, seat, again) is not None, "only while it is held"


def test_counts_of_restores_are_compared_also_where_their_sign_begins_again() -> None:
    mark = format_mark("ab" * 32, restores=31)
    assert not was_given_up(mark, 31)
    assert was_given_up(mark, 32)
    assert was_given_up(mark, 40)
    assert not was_given_up(mark, 30), "from a history with more restores than ours"
