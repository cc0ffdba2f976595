"""What was promised before the game and sealed in it, against what was opened afterwards."""

import re
from typing import Any

from tests.second_verifier.second_events import HIDDEN, TURNS, WORDS
from tests.second_verifier.second_writing import RecordError, canon, hexed, mac, sha


def promise(name: Any, game: Any, secret: Any) -> Any:
    """The commitment to a seed or a blind key, which is given in hexadecimal digits."""
    return hexed([f"pbm-{name}-1", game, secret])


def blinding(key: Any, game: Any, seq: Any, field: Any) -> Any:
    """The blinding of one field of an event."""
    return mac(key, ["pbm-blinding-1", game, seq, field])


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
    for event in events:
        expected = event.hidden if event.kind in TURNS else []
        if [seal.field for seal in event.seals] != expected:
            raise RecordError("seals", event.line, f"event {event.seq} has not one commitment for each hidden move")
        for seal in event.seals:
            check_seal(game, event, seal, ending)


def check_seal(game: Any, event: Any, seal: Any, ending: Any) -> None:
    """One seal: open if the game is over, and then true to its commitment and to the blind key."""
    if seal.value is None:
        if ending.blind is not None:
            raise RecordError("seals", event.line, f"field {seal.field} of event {event.seq} stayed closed")
        return
    blind = bytes.fromhex(seal.blinding)
    if commitment(blind, game, event.seq, seal.field, seal.value).hex() != seal.commitment:
        raise RecordError("seals", event.line, f"field {seal.field} of event {event.seq} was sealed as something else")
    if ending.blind is not None and blinding(bytes.fromhex(ending.blind), game, event.seq, seal.field) != blind:
        raise RecordError("seals", event.line, f"field {seal.field} of event {event.seq} has a blinding of another key")
    if not reveals(seal.value, event.moves[int(seal.field)]):
        raise RecordError(
            "seals", event.line, f"field {seal.field} of event {event.seq} is another move than the public one"
        )


def reveals(value: Any, public: Any) -> Any:
    """Whether a move in full is a public one with something in place of `hidden`."""
    pattern = HIDDEN.sub(".+", re.escape(WORDS.sub('""', public)))
    return re.fullmatch(pattern, WORDS.sub('""', value)) is not None


def opened_moves(event: Any) -> Any:
    """The moves of a turn as far as they are open, parted as the notation parts them."""
    opened = {seal.field: seal.value for seal in event.seals if seal.value is not None}
    return ", ".join(opened.get(str(place), move) for place, move in enumerate(event.moves))
