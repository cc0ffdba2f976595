"""Moves at a table: judged and written down, now or when their turn comes.

The rules of the game decide what stands; this module knows which turn a letter is meant for and what may be
kept for later.
"""

from engine.chance import Dealer
from engine.game import Ply, Seat
from notation import Fault, read_moves, write_moves
from pbem.ledger.event import Draft
from pbem.orders import commands
from pbem.referee.submission import Ruling, judge_at
from pbem.tables import rules
from pbem.tables.decision import Decision, Refused
from pbem.tables.following import follow
from pbem.tables.table import PLAYING, Table
from pbem.tables.vacancy import vacancy


def start(table: Table, dealer: Dealer) -> Draft:
    """Let a game begin: the Dealer draws what the headers leave open."""
    return Draft("started", {"options": dict(table.game.lay_out(table.setup, dealer).options)})


def play(
    table: Table, seat: Seat, command: commands.Play, dealer: Dealer, *, letter: str, by: str = "player"
) -> Decision:
    """Judge moves for the turn that is due; all of them stand, or none."""
    refused = _out_of_turn(table, seat, command.turn, by)
    if refused is not None:
        return Decision(refused=refused)
    ruling = judge_at(table.game, table.position, seat, command.text)
    if not ruling.stands:
        return Decision(ruling=ruling)
    data = {"seat": seat, "turn": ruling.turn, "phrase": ruling.phrase, "by": by, "letter": letter}
    drafts = [Draft("played", data)]
    if vacancy(seat) in table.pauses:
        drafts.insert(0, Draft("resumed", {"reason": vacancy(seat), "by": seat}))
    return Decision(follow(table, drafts, dealer), ruling=ruling)


def _out_of_turn(table: Table, seat: Seat, turn: int | None, by: str) -> Refused | None:
    if table.stage != PLAYING:
        return Refused(rules.T3, "no game is being played at this table")
    if by == "player" and seat in table.resigned:
        return Refused(rules.T3, "{seat} has given the game up", {"seat": seat})
    facts = {"turn": turn, "now": table.turn, "seat": seat, "due": ", ".join(table.due)}
    if turn is not None and turn < table.turn:
        return Refused(rules.T1, "turn {turn} has been played; the table is at turn {now}", facts)
    if seat not in table.due:
        return Refused(rules.T2, "it is {due}'s turn; moves for later begin with `plan`", facts)
    if turn is not None and turn > table.turn:
        return Refused(rules.T2, "the table is at turn {now}; moves for later begin with `plan`", facts)
    return None


def plan(table: Table, seat: Seat, command: commands.Plan) -> Decision:
    """Keep moves for later turns; they must at least be readable now."""
    if table.stage != PLAYING or seat in table.resigned:
        return Decision(refused=Refused(rules.T3, "{seat} has no game to plan for", {"seat": seat}))
    if seat in table.due and command.texts:
        says = "it is {seat}'s turn now; a plan is for the turns after the one that is due"
        return Decision(refused=Refused(rules.T4, says, {"seat": seat}))
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
