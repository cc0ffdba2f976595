"""Which turn a letter is for: the one that it was written in, or what was asked then and is asked still."""

from engine.chance import KeyedDealer
from engine.nomadi.moves import Offer
from notation import write_moves
from pbem.events.chain import Draft
from pbem.judging.submission import is_on_turn
from pbem.mail.commands.invitation import AcceptInvitation
from pbem.mail.commands.submit_moves import Play
from pbem.tables.chance import random_moves
from pbem.tables.referee_decisions import open_table
from pbem.tables.table import Table
from tests.known_games import known_game
from tests.post.mailed_games import Game, watched


def refused(game: Game, seat: str, phrase: str, turn: int) -> str | None:
    """The rule by which moves are refused that were written in some turn."""
    decision = Game(list(game.events)).do(seat, Play(phrase, turn))
    return decision.refused.rule.code if decision.refused is not None else None


def test_whoever_was_asked_in_the_turn_before_does_not_play_his_own_with_an_answer_to_that() -> None:
    game = Game(list(watched("brotherhood-base", "bargain")))
    before = game.table
    maker = before.game.view(before.position, "red")["on_turn"]
    game.do(maker, Play("end"))
    table = game.table
    seat = table.game.view(table.position, "red")["on_turn"]
    assert (seat in before.due, table.asked_in[seat], table.turn) == (True, before.turn, before.turn + 1)
    assert refused(game, seat, "roll", before.turn) == "PO-T1"
    assert refused(game, seat, "roll", table.turn) is None


def test_an_offer_may_be_answered_as_long_as_it_is_open_but_no_dice_are_played_with_that() -> None:
    game, table = _offered_a_card()
    (seat,) = (seat for seat in table.due if is_on_turn(table.game, table.position, seat))
    asked = table.asked_in[seat]
    answer = write_moves(table.game, (table.game.by_default(table.position, seat),))
    dice = random_moves(table, seat, KeyedDealer(b"dice"))
    assert asked < table.turn
    assert refused(game, seat, answer, asked) is None
    assert refused(game, seat, dice, table.turn) is None
    assert refused(game, seat, dice, asked) == "PO-T1"


def _offered_a_card() -> tuple[Game, Table]:
    """A game of Nomadi in which somebody is on turn who was offered a card before."""
    game = Game([])
    opened = open_table(known_game("nomadi"), names={"blue": "Anna", "yellow": "Boris"}, options={}, terms={})
    assert isinstance(opened, Draft)
    game.apply_events([opened])
    for seat in game.table.seats:
        game.do(seat, AcceptInvitation(seat))
    for number in range(400):
        table = game.table
        (on_turn,) = (seat for seat in table.seats if is_on_turn(table.game, table.position, seat))
        if on_turn in table.due and table.asked_in[on_turn] < table.turn:
            return game, table
        offers = [ply.move for ply in table.game.legal(table.position) if isinstance(ply.move, Offer)]
        chosen = random_moves(table, on_turn, KeyedDealer(f"offers {number}".encode()))
        game.do(on_turn, Play(write_moves(table.game, (offers[0],)) if offers else chosen))
    raise AssertionError("nobody was offered a card")
