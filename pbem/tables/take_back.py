"""Taking back one's own moves without asking: once a turn, while nothing was shown and nobody has acted since.

What is taken back are the last moves of the seat, those of the turn at hand or of the one just finished, as far back as
nobody else came between: no other player, no dice or cards, nothing that the player has learnt. Dice that came before
stay as they are. Forced moves that were made at once stand in nobody's way: they go with the moves that led to them.
But where the next turn begins with a roll that is made at once, dice have come. Whether taking back is possible follows
from what everybody sees, and from what the player knows.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import dropwhile
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.game import CHANCE, GameRules, Ply, Seat
from notation import SUBSTITUTE, UNDO, WORDS, Entry, write_moves
from pbem.events.kinds import MovesMade, TurnPlayed, TurnUndone
from pbem.judging.submission import is_on_turn
from pbem.tables.table import FORCED, PLAYERS_OWN, Table

Obstacle: TypeAlias = Literal["rolled", "drawn", "awaited", "shown", "others", "once", "none"]
"""Why the others must be asked: dice or cards came, a draw is awaited, the player has seen something new, others have
acted or made the move, the turn was taken back before, or there is nothing of one's own to take back."""

DICE: Final = "dice"
"""How games call a throw, in the moves of chance."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """What a seat can take back without asking: its `moves` in a turn after the first `kept` of the turn's entries."""

    turn: int
    kept: int
    moves: tuple[object, ...]


def apply_entries(game: GameRules, position: object, entries: Iterable[Entry]) -> object:
    """The position after some entries, which were judged when they were made."""
    for entry in entries:
        for move in entry.moves:
            position = game.apply(position, Ply(entry.who, move))
    return position


def mark_made_for(table: Table, made: MovesMade) -> Mapping[int, str]:
    """The entries that players did not make themselves, and who did, with these moves if they are such."""
    if not isinstance(made, TurnPlayed) or made.by in PLAYERS_OWN:
        return table.made_for
    return {**table.made_for, len(table.entries): made.by}


def mark_taken_back(table: Table, back: TurnUndone) -> Mapping[tuple[Seat, int], int]:
    """Who took back which turn without asking, with this one unless everybody who has a voice has agreed to it."""
    vote = table.votes.get(UNDO)
    asked = vote is not None and (vote.turn, vote.by) == (back.turn, back.by)
    if back.by not in table.seats or (vote is not None and asked and vote.agreed >= {*table.active}):
        return table.taken_back
    return {**table.taken_back, (back.by, back.turn): table.seq}


KnownPosition: TypeAlias = Callable[[Table, int], object | None]
"""The position of a table after so many of the entries that stand; None if it must be found by replaying them."""


def find_take_back(table: Table, seat: Seat, known: KnownPosition = lambda _table, _count: None) -> TakeBack | Obstacle:
    """What a seat can take back now without asking, or why it cannot."""
    if table.rounds.round or CHANCE in table.due:
        return "awaited"
    last = _last_moves(table, seat)
    if isinstance(last, str):
        return last
    standing = table.standing
    before, turn = standing[: len(standing) - len(last)], last[0].entry.number or 0
    position = known(table, len(before))
    if position is None:
        position = apply_entries(table.game, table.game.start(table.setup), before)
    unseen = _after_disclosures(table, seat, position, last)
    if isinstance(unseen, str):
        return unseen
    kept = sum(entry.number == turn for entry in standing) - sum(each.entry.number == turn for each in unseen)
    if kept and not table.goes_back_within:
        return _obstacle(table, standing[-len(unseen) - 1], otherwise="shown" if unseen != last else "others")
    own = tuple(move for each in unseen if each.is_own for move in each.entry.moves)
    return "once" if (seat, turn) in table.taken_back else TakeBack(turn, kept, own)


class _Moves(NamedTuple):
    """An entry that would be taken back: the seat's own, or a forced one, which goes with what led to it."""

    entry: Entry
    is_own: bool


def _from_own(moves: Iterable[_Moves]) -> list[_Moves]:
    """Some entries without the forced ones before the first of the seat's own."""
    return [*dropwhile(lambda each: not each.is_own, moves)]


def _last_moves(table: Table, seat: Seat) -> list[_Moves] | Obstacle:
    """The entries of a seat in its last turn since anybody else did something, or who has since the last of them.

    A forced move was nobody's choice, so it is passed over, whoever had to make it.
    """
    found: list[_Moves] = []
    obstacle: Obstacle = "none"
    turn: int | None = None
    for at in reversed(range(len(table.entries))):
        entry = table.entries[at]
        if entry.who in WORDS and not _parts(entry, seat):
            continue
        is_forced = table.made_for.get(at) == FORCED
        is_own = entry.who == seat and at not in table.made_for
        if not (is_forced or is_own) or (is_own and turn not in (None, entry.number)):
            obstacle = _obstacle(table, entry, otherwise="others")
            break
        turn = entry.number if is_own else turn
        found.insert(0, _Moves(entry, is_own))
    return _from_own(found) or obstacle


def _parts(entry: Entry, seat: Seat) -> bool:
    """Whether a word of the table parts the moves before it from those after: it went back, or somebody else sits."""
    return entry.who == UNDO or (entry.who == SUBSTITUTE and entry.moves[0].seat == seat)


def _obstacle(table: Table, entry: Entry, *, otherwise: Obstacle) -> Obstacle:
    """Why an entry cannot be taken back without asking: `otherwise` if it is a move of a player."""
    if entry.who == CHANCE:
        return "rolled" if write_moves(table.game, entry.moves).startswith(DICE) else "drawn"
    return "none" if entry.who in WORDS else otherwise


def _after_disclosures(table: Table, seat: Seat, position: object, last: list[_Moves]) -> list[_Moves] | Obstacle:
    """Of a seat's last moves in its own turn, from a position on, those after which it has learnt nothing new."""
    game = table.game
    if not is_on_turn(game, position, seat):
        return "others"
    unseen: list[_Moves] = []
    for each in last:
        unseen.append(each)
        for move in each.entry.moves:
            ply = Ply(each.entry.who, move)
            if game.discloses(position, ply):
                unseen = []
            position = game.apply(position, ply)
    return _from_own(unseen) or "shown"
