"""Where the Wall meets the table: what building calls up, what the wildling die does, how the game ends by it.

The hooks that the base game calls are here, and the two items of the agenda that they lead to: turning a token, which
is for chance, and the advance of the wildlings, which waits for no seat. Tokens due are a queue in the Watch; one is
laid back under a settlement as soon as it is first in the queue. Roads, hands and trade are not known here.
"""

from typing import Final

from engine.brotherhood import production
from engine.brotherhood.moves import WILDLINGS as KINDS_OF_WILDLINGS
from engine.brotherhood.moves import Dice, Token
from engine.brotherhood.position import NOBODY, Position
from engine.brotherhood.rules import tokens
from engine.brotherhood.table import WorkingPosition
from engine.brotherhood.wall_sections import holder
from engine.brotherhood.wall_state import (
    EACH_KEEP,
    FACE_AT,
    FACES,
    Counts,
    Watch,
    WatchDue,
    lay_back,
    lift_keep,
    lift_settlement,
    pool_unseen,
    turn_pooled,
    turn_token,
)
from engine.brotherhood.wall_wildlings import Ways, advance, gather, ways_over
from engine.chance import Dealer
from engine.game import CHANCE, Seat
from engine.verdict import Verdict

_POOLED: Final = WatchDue("pool", NOBODY)


def call_for_settlement(watch: Watch, who: int) -> Watch:
    """A player has built a settlement: the token under it must be turned (BW-T1)."""
    tokens, generation = lift_settlement(watch.tokens, who)
    return watch._replace(tokens=tokens, due=(*watch.due, WatchDue("settlement", who, generation)))


def call_for_keep(watch: Watch, who: int) -> Watch:
    """A player has built a keep: its two tokens in turn, then one is laid under the settlement (BW-T1, BW-T8)."""
    keeps = (WatchDue("keep", who),) * EACH_KEEP
    return watch._replace(tokens=lift_keep(watch.tokens, who), due=(*watch.due, *keeps, WatchDue("return", who)))


def call_from_pool(watch: Watch) -> Watch:
    """A token of the pool must be turned, after those that are due already (BW-T6)."""
    return watch._replace(due=(*watch.due, _POOLED))


def unseen(watch: Watch) -> Counts:
    """What the token now due can be."""
    due = watch.due[0]
    tokens = watch.tokens
    return tokens.unseen[tokens.newest if due.source == "pool" else due.generation]


def turn_up(watch: Watch, face: int, ways: Ways) -> Watch:
    """Turn the token now due and follow its wildling; when that ends the game, nothing more is due (BW-E7)."""
    due, *later = watch.due
    tokens = watch.tokens
    tokens = turn_pooled(tokens, face) if due.source == "pool" else turn_token(tokens, due.generation, face)
    watch = gather(watch._replace(tokens=tokens, due=()), *divmod(face, len(KINDS_OF_WILDLINGS)), ways)
    if watch.fallen:
        return watch
    while later and later[0].source == "return":
        watch = watch._replace(tokens=lay_back(watch.tokens, later.pop(0).who))
    return watch._replace(due=tuple(later))


TOKENS: Final = "tokens"
"""Tokens are due; chance turns them one by one."""
WILDLINGS: Final = "wildlings"
"""The wildlings advance by their die. No seat is asked."""


def watch_of(table: WorkingPosition | Position) -> Watch:
    """The Watch of a table of the full game."""
    watch = table.watch
    if watch is None:
        raise TypeError("the base game has no Wall")
    return watch


# Hooks


def placed(table: WorkingPosition, who: int) -> None:
    """A settlement of set-up: its token joins the pool (BW-S2)."""
    watch = watch_of(table)
    table.watch = watch._replace(tokens=pool_unseen(watch.tokens, who))


def settled(table: WorkingPosition, who: int) -> None:
    """A settlement was built: its token is due."""
    _await_tokens(table, call_for_settlement(watch_of(table), who))


def fortified(table: WorkingPosition, who: int) -> None:
    """A keep was built: its two tokens are due."""
    _await_tokens(table, call_for_keep(watch_of(table), who))


def honoured(table: WorkingPosition, _who: int) -> None:
    """A special card was received: a token of the pool is due."""
    call_up(table)


def call_up(table: WorkingPosition) -> None:
    """Let a token of the pool be due."""
    _await_tokens(table, call_from_pool(watch_of(table)))


def held(table: WorkingPosition) -> int:
    """The hexes that wildlings hold (BW-R3)."""
    return watch_of(table).held


def _await_tokens(table: WorkingPosition, watch: Watch) -> None:
    table.watch = watch
    if TOKENS not in table.agenda:
        table.add(TOKENS)


# The wildling die


def judge_dice(table: WorkingPosition, who: int, move: Dice) -> Verdict | None:
    """Three dice, the third of twelve sides (BW-R1)."""
    verdict = production.judge_dice(table, who, move)
    if verdict is None:
        return None
    if move.wild is None:
        return Verdict(tokens.R1, "the wildling die is missing")
    if not 1 <= move.wild <= table.law.faces[-1]:
        return Verdict(tokens.R1, "the wildling die shows 1 to 12, not {wild}", {"wild": move.wild})
    return verdict


def march(table: WorkingPosition) -> None:
    """The wildlings advance, after all that the other dice brought (BW-R1)."""
    watch = watch_of(table)
    table.watch = advance(watch, table.dice[-1], ways_over(table.chart))
    if table.watch is not watch:
        end_if_fallen(table)


def end_if_fallen(table: WorkingPosition) -> None:
    """When the wildlings have ended the game, the player who holds the Wall wins (BW-E2, BW-E3)."""
    watch = watch_of(table)
    if watch.fallen:
        points = [table.points(who) for who in range(table.players)]
        table.finish(holder(watch, points, table.ground.first))


# Tokens


def judge_token(table: WorkingPosition, _who: int, move: Token) -> Verdict | None:
    """Only what lies face down can be turned up."""
    face = FACE_AT.get((move.clan, move.kind))
    if face is not None and unseen(watch_of(table))[face]:
        return None
    says = "no {kind} of {clan} lies face down among the tokens from which this one comes"
    instead = tuple(token for _, token in list_tokens(table))[:1]
    return Verdict(tokens.T1, says, {"kind": move.kind, "clan": move.clan}, instead)


def play_token(table: WorkingPosition, _who: int, move: Token) -> None:
    """Turn the token and follow its wildling."""
    watch = turn_up(watch_of(table), FACE_AT[move.clan, move.kind], ways_over(table.chart))
    table.watch = watch
    if not watch.due:
        table.done()
    end_if_fallen(table)


def list_tokens(table: WorkingPosition) -> list[tuple[Seat, Token]]:
    """What the token now due can be."""
    counts = unseen(watch_of(table))
    return [(CHANCE, Token(*face)) for face, count in zip(FACES, counts, strict=True) if count]


def deal_token(table: WorkingPosition, dealer: Dealer) -> Token:
    """One of those face down, each as likely."""
    counts = unseen(watch_of(table))
    rest = dealer.pick(sum(counts), "token")
    face = 0
    while rest >= counts[face]:
        rest -= counts[face]
        face += 1
    return Token(*FACES[face])


def only_chance(_table: WorkingPosition) -> tuple[Seat, ...]:
    """Chance is due."""
    return (CHANCE,)
