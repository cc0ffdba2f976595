"""Moves at a table: judged, written down, and chance settled after them.

The rules of the game decide what stands; this module knows which turn a letter is meant for and what follows a
turn: draws by the Dealer, plans that were kept, the end of the game.
"""

from typing import Any

from engine.chance import Dealer
from engine.game import CHANCE, Ply, Seat
from notation import Fault, read_moves, write_moves
from pbem.ledger.event import Draft
from pbem.orders import commands
from pbem.referee.standing import standing_entries
from pbem.referee.submission import Ruling, judge_at
from pbem.tables import rules
from pbem.tables.decision import Decision, Refused
from pbem.tables.table import PLAYING, Table


def start(table: Table, dealer: Dealer) -> Draft:
    """Let a game begin: the Dealer draws what the headers leave open."""
    return Draft("started", {"options": dict(table.game.lay_out(table.setup, dealer).options)})


def play(
    table: Table, seat: Seat, command: commands.Play, dealer: Dealer, *, letter: str, by: str = "player"
) -> Decision:
    """Judge moves for the turn that is due; all of them stand, or none."""
    if table.stage != PLAYING:
        return Decision(refused=Refused(rules.T3, "no game is being played at this table"))
    facts = {"turn": command.turn, "now": table.turn, "seat": seat, "due": ", ".join(table.due)}
    if command.turn is not None and command.turn < table.turn:
        return Decision(refused=Refused(rules.T1, "turn {turn} has been played; the table is at turn {now}", facts))
    if seat not in table.due or (command.turn is not None and command.turn > table.turn):
        return Decision(refused=Refused(rules.T2, "it is {due}'s turn; moves for later begin with `plan`", facts))
    ruling = judge_at(table.game, table.position, seat, command.text)
    if not ruling.stands:
        return Decision(ruling=ruling)
    data = {"seat": seat, "turn": ruling.turn, "phrase": ruling.phrase, "by": by, "letter": letter}
    return Decision((Draft("played", data), *follow(table, ruling.position, dealer)), ruling=ruling)


def follow(table: Table, position: Any, dealer: Dealer) -> tuple[Draft, ...]:
    """What happens by itself after a ply: draws that are due, and the end of the game."""
    game, drafts = table.game, []
    while game.to_act(position) == (CHANCE,):
        turn = game.turn(position)
        ply = game.deal(position, dealer)
        position = game.apply(position, ply)
        phrase = write_moves(game, (ply.move,))
        drafts.append(Draft("dealt", {"seat": CHANCE, "turn": turn, "phrase": phrase, "by": "dealer"}))
    if not game.to_act(position):
        drafts.append(Draft("ended", {"kind": "normal", "seats": [], "reason": ""}))
    return tuple(drafts)


def plan(table: Table, seat: Seat, command: commands.Plan) -> Decision:
    """Keep moves for later turns; they must at least be readable now."""
    if table.stage != PLAYING:
        return Decision(refused=Refused(rules.T3, "no game is being played at this table"))
    phrases = []
    for text in command.texts:
        moves = read_moves(table.game, text)
        if isinstance(moves, Fault):
            return Decision(ruling=Ruling(seat, table.turn, fault=moves))
        phrases.append(write_moves(table.game, moves))
    return Decision(plan=tuple(phrases))


def chosen_by_chance(table: Table, seat: Seat, dealer: Dealer) -> str:
    """A whole turn of random legal moves, for a seat that does not answer."""
    game, position, moves = table.game, table.position, []
    turn = game.turn(position)
    while seat in game.to_act(position) and game.turn(position) == turn:
        legal = [ply for ply in game.legal(position) if ply.seat == seat]
        ply: Ply = legal[dealer.pick(len(legal), "silence")]
        moves.append(ply.move)
        position = game.apply(position, ply)
    return write_moves(game, tuple(moves))


def own_last_turn(table: Table, seat: Seat) -> int | None:
    """The last turn that a seat played and that still stands."""
    own = [entry.number for entry in standing_entries(table.entries) if entry.who == seat]
    return own[-1] if own else None
