"""What the database keeps held against what was promised and noted: secrets, letters behind events, and records.

The chain of events shows when an event was touched. It does not cover the seed, which is only committed to, nor the
letters, of which it names the digests: whoever touches these would steer dice, or make a page accuse a player.
"""

from collections.abc import Collection, Iterator

from pbem.events.chain import Event
from pbem.proof.commitments import commit_blind_key, commit_seed
from pbem.store.rows import GameRow
from pbem.store.transaction import Transaction
from pbem.workflow.record_proof import can_be_read, seal_text


def hold_game(game: GameRow, events: tuple[Event, ...], letters: Collection[str]) -> Iterator[str]:
    """Everything that is wrong with what is kept of a game; `letters` are the digests of all that came."""
    yield from _hold_secrets(game, events[0])
    yield from _hold_letters(game, events, letters)
    if not can_be_read(seal_text(events)):
        yield f"{game.id}: its record cannot be read again; keep the database, and report it"


def hold_letters(transaction: Transaction) -> Iterator[str]:
    """The letters whose bytes are not those that came."""
    for number in transaction.altered_letters():
        yield f"letter {number} is not the one that came: its bytes were changed, so believe no page about it"


def _hold_secrets(game: GameRow, opened: Event) -> Iterator[str]:
    promised = opened.data["proof"]
    kept = {"seed": commit_seed(game.id, game.seed), "blind": commit_blind_key(game.id, game.blind)}
    for name, commitment in kept.items():
        if promised.get(name) not in (None, commitment):
            yield f"{game.id}: its {name} is not the one that was promised; restore a backup before anything is drawn"


def _hold_letters(game: GameRow, events: tuple[Event, ...], letters: Collection[str]) -> Iterator[str]:
    taken_in = events[0].data["proof"].get("taken_in", 0)
    for event in events[taken_in:]:
        named = event.data.get("letter")
        if named and named not in letters:
            yield f"{game.id}: the letter that event {event.seq} names is not there any more, or was changed"
