"""Moves as events, and what happens by itself after an event.

Hidden moves are sealed: the event shows what everybody may read, and names those who may read all of it. By itself
happens: votes are carried or overtaken, chance draws, the game ends. Plans and seats without a player are handled by
the workflow, which stores the plans.
"""

from collections.abc import Iterable
from dataclasses import replace

from engine.chance import Dealer
from engine.game import CHANCE, PUBLIC, GameRules, Seat
from notation import NORMAL, Ending, Fault, read_moves, write_moves
from pbem.events.chain import Draft, Sealed
from pbem.events.kinds import ChanceDealt, MovesMade, PressSent, TurnPlayed
from pbem.events.post_kinds import OfferLimited
from pbem.events.record_conversion import draft_end
from pbem.events.told import EVERYBODY
from pbem.judging.entries import redact_moves
from pbem.judging.submission import asks_others
from pbem.tables.chance import dealer_at, must_await_round, name_round
from pbem.tables.fold import apply_drafts
from pbem.tables.table import PLAYER, PLAYERS_OWN, PLAYING, Table
from pbem.tables.votes import drop_overtaken, resolve_votes


def draft_moves(table: Table, seat: Seat, moves: tuple[object, ...], *, by: str, letter: str = "") -> Draft:
    """The event for legal moves of a seat or of chance."""
    game, position = table.game, table.position
    public = redact_moves(game, position, seat, moves, PUBLIC)
    sealed = None
    if hidden := [at for at, move in enumerate(moves) if public[at] != move]:
        readers = [each for each in table.seats if redact_moves(game, position, seat, moves, each) == moves]
        fields = tuple((str(at), write_moves(game, (moves[at],))) for at in hidden)
        sealed = Sealed(write_moves(game, moves), tuple(readers), fields)
    plies = tuple(write_moves(game, (move,)) for move in public) if len(public) > 1 else None
    made = ChanceDealt if seat == CHANCE else TurnPlayed
    # In the second form nobody is told, while the game goes on, that a move was prepared.
    maker = by if table.is_second_form and made is TurnPlayed and by in PLAYERS_OWN else None
    by = PLAYER if maker is not None else by
    return Draft(made(seat, table.turn, write_moves(game, public), by, letter, plies), sealed, maker)


def draft_turn(
    table: Table, seat: Seat, moves: tuple[object, ...], *, by: str, letter: str = "", until: str = ""
) -> tuple[Draft, ...]:
    """The events for legal moves of a player: the moves, and in the second form what was said in them, to all.

    Where an offer among them has a time of its own, `until`, that stands right behind the moves.
    """
    if not table.is_second_form:
        return (draft_moves(table, seat, moves, by=by, letter=letter),)
    bare, words = take_out_words(table.game, moves)
    spoken = (Draft(PressSent(seat, EVERYBODY, words=each)) for each in words)
    made = draft_moves(table, seat, bare, by=by, letter=letter)
    limited = (Draft(OfferLimited(seat, table.turn, until)),) if until and asks_others(table.game, made.phrase) else ()
    return (made, *limited, *spoken)


def take_out_words(game: GameRules, moves: tuple[object, ...]) -> tuple[tuple[object, ...], tuple[str, ...]]:
    """Moves without the free words that their player says in them, and the words."""
    parted = [game.without_words(move) for move in moves]
    return tuple(move for move, _ in parted), tuple(words for _, words in parted if words)


def keep_words_apart(game: GameRules, draft: Draft) -> tuple[Draft, ...]:
    """A draft of moves from a record, with what was said in them as events of their own."""
    made = draft.payload
    moves = read_moves(game, made.phrase) if isinstance(made, TurnPlayed) else ()
    if not isinstance(made, TurnPlayed) or isinstance(moves, Fault):
        return (draft,)
    bare, words = take_out_words(game, moves)
    spoken = (Draft(PressSent(made.seat, EVERYBODY, words=each)) for each in words)
    return (draft._replace(payload=replace(made, phrase=write_moves(game, bare))), *spoken) if words else (draft,)


def seal_draft(table: Table, draft: Draft) -> Draft:
    """A draft of moves from a record, with its hidden moves sealed as `draft_moves` does."""
    made = draft.payload
    if not isinstance(made, MovesMade):
        return draft
    moves = read_moves(table.game, draft.phrase)
    if isinstance(moves, Fault):
        raise ValueError(f"moves of a legal record cannot be read: {draft.phrase}")
    return draft_moves(table, made.seat, moves, by=made.by, letter=made.letter)


def add_consequences(table: Table, drafts: Iterable[Draft], dealer: Dealer) -> tuple[Draft, ...]:
    """The drafts and everything that happens by itself after them."""
    return apply_consequences(table, drafts, dealer)[0]


def apply_consequences(table: Table, drafts: Iterable[Draft], dealer: Dealer) -> tuple[tuple[Draft, ...], Table]:
    """The drafts, everything that happens by itself after them, and the table that results."""
    happening: list[Draft] = []

    def apply(draft: Draft) -> Table:
        drafts_now = (*drop_overtaken(table, draft), draft)
        happening.extend(drafts_now)
        return apply_drafts(table, drafts_now)

    for draft in drafts:
        table = apply(draft)
    while (next_draft := _next(table, dealer)) is not None:
        table = apply(next_draft)
    return tuple(happening), table


def _next(table: Table, dealer: Dealer) -> Draft | None:
    """The next event that happens by itself; None if there is none."""
    if table.stage != PLAYING:
        return None
    if not table.due:
        return draft_end(table.seats, Ending(NORMAL), table.score)
    if table.due == (CHANCE,) and must_await_round(dealer, table):
        return name_round(dealer, table, CHANCE) or resolve_votes(table)
    if table.due == (CHANCE,):
        dealt = table.game.deal(table.position, dealer_at(dealer, table))
        return draft_moves(table, CHANCE, (dealt.move,), by="dealer")
    return resolve_votes(table)
