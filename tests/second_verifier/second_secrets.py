"""What was promised before the game and sealed in it, against what was opened afterwards."""

import re
from typing import Any

from tests.second_verifier.second_events import HIDDEN, WORDS, epochs
from tests.second_verifier.second_writing import RecordError, canon, hexed, mac, sha

PREPARED = ("player", "plan", "standing", "if")
"""Who may have prepared a move of a player's own."""


def promise(name: Any, game: Any, secret: Any) -> Any:
    """The commitment to a seed or a blind key, which is given in hexadecimal digits."""
    return hexed([f"pbm-{name}-1", game, secret])


def blinding(key: Any, game: Any, seq: Any, field: Any) -> Any:
    """The blinding of one field of an event, in the first form."""
    return mac(key, ["pbm-blinding-1", game, seq, field])


def second_blinding(key: Any, game: Any, epoch: Any, seq: Any, field: Any) -> Any:
    """The blinding of one field of an event, in the second form: numbers of events come again after a restore."""
    return mac(key, ["pbm-blinding-2", game, epoch, seq, field])


def blinding_of(key: Any, game: Any, event: Any, epoch: Any, field: Any) -> Any:
    """The blinding of one field of an event, in the form of its game."""
    if event.form == 1:
        return blinding(key, game, event.seq, field)
    return second_blinding(key, game, epoch, event.seq, field)


def commitment(blind: Any, game: Any, seq: Any, field: Any, value: Any) -> Any:
    """The commitment to a value, with its blinding."""
    return sha(b"\x02", blind, canon([game, seq, field, value]))


def check_promises(game: Any, events: Any, ending: Any) -> None:
    """The opened seed and blind key are those that were promised in the invitation."""
    proof = events[0].data["proof"]
    for name, secret in (("seed", ending.seed), ("blind", ending.blind)):
        if secret is not None and promise(name, game, secret) != proof[name]:
            raise RecordError("seals", events[0].line, f"this is not the {name} that was promised")


def check_seals(game: Any, events: Any, ending: Any) -> None:
    """Every hidden move has its commitment, and every opened value is the one that was sealed."""
    for event, epoch in zip(events, epochs(events), strict=True):
        if [seal.field for seal in event.seals] != event.fields:
            raise RecordError("seals", event.line, f"event {event.seq} has not one commitment for each hidden move")
        for seal in event.seals:
            check_seal(game, event, epoch, seal, ending)


def check_seal(game: Any, event: Any, epoch: Any, seal: Any, ending: Any) -> None:
    """One seal: open if the game is over, and then true to its commitment and to the blind key."""
    what = f"field {seal.field} of event {event.seq}"
    if seal.value is None:
        if ending.blind is not None:
            raise RecordError("seals", event.line, f"{what} stayed closed")
        return
    blind = bytes.fromhex(seal.blinding)
    if commitment(blind, game, event.seq, seal.field, seal.value).hex() != seal.commitment:
        raise RecordError("seals", event.line, f"{what} was sealed as something else")
    if ending.blind is not None and blinding_of(bytes.fromhex(ending.blind), game, event, epoch, seal.field) != blind:
        raise RecordError("seals", event.line, f"{what} has a blinding of another key")
    if seal.field == "by":
        if ending.blind is None:
            raise RecordError("seals", event.line, f"{what} is open before the game is over")
        if seal.value not in PREPARED:
            raise RecordError("seals", event.line, f"nobody prepares a move like {what}")
    elif not reveals(seal.value, event.moves[int(seal.field)]):
        raise RecordError("seals", event.line, f"{what} is another move than the public one")
    elif event.form == 2 and '"' in seal.value:
        raise RecordError("seals", event.line, f"{what} has words in it")


def reveals(value: Any, public: Any) -> Any:
    """Whether a move in full is a public one with something in place of `hidden`."""
    pattern = HIDDEN.sub(".+", re.escape(WORDS.sub('""', public)))
    return re.fullmatch(pattern, WORDS.sub('""', value)) is not None


def opened_moves(event: Any) -> Any:
    """The moves of a turn as far as they are open, parted as the notation parts them."""
    opened = {seal.field: seal.value for seal in event.seals if seal.value is not None}
    return ", ".join(opened.get(str(place), move) for place, move in enumerate(event.moves))
