"""The room in a game's record: people may fill most of it with words, and the rest is kept for the game.

A record holds every event, with all that was said to everybody, and whoever reads one reads only so much
(`notation/limits.py`). What could not be read again must not happen. Sizes are reckoned generously: a record
is never longer than they say.
"""

from typing import Final

from notation import limits
from pbem.events.annotations import length_of
from pbem.events.chain import Draft, Event
from pbem.tables import table_rules
from pbem.tables.decision import Decision, Refused
from pbem.tables.table import Table

FOR_WORDS: Final = limits.ANNOTATIONS // 4 * 3
"""How much of the room is for all; what is left is for moves, and for what the game cannot end without."""

_BARE: Final = 1_024
"""Characters that an event takes besides words: hashes, digests, sealed values, the names of things."""
_LONG: Final = 4 * _BARE
"""What no event takes that says only what the rules ask for."""
_WORDS: Final = ("press", "asked", "absence")
"""The kinds of event that can be had without end, and that nobody needs to play on."""


def room_for(event: Draft | Event) -> int:
    """Characters that an event takes in the record, at most."""
    words, phrase = event.data.get("words", ""), event.data.get("phrase", "")
    # A turn may be said as an entry, as what everybody may read of it, and move by move.
    return _BARE + length_of(words) + 3 * length_of(phrase)


def keep_within(table: Table, decision: Decision) -> Decision:
    """The decision, or its refusal if the record has no room for it."""
    sizes = [room_for(draft) for draft in decision.drafts]
    if not sizes or (table.written + sum(sizes) <= FOR_WORDS and max(sizes) <= limits.LINE):
        return decision
    wordy = any(draft.kind in _WORDS for draft in decision.drafts) or max(sizes) > _LONG
    if not wordy:
        return decision
    says = "the record of {table} has no room for so many words; say it in fewer, or by mails of your own"
    return Decision(refused=Refused(table_rules.P2, says, {"table": table.id}))
