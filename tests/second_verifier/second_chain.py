"""The chain of hashes that holds the events of a game together."""

from typing import Any

from tests.second_verifier.second_writing import RecordError, canon, sha


def event_hash(before: Any, game: Any, event: Any) -> Any:
    """The hash of an event, from that of the one before it."""
    content = {"at": event.at, "data": event.data, "game": game, "kind": event.kind, "seq": event.seq}
    commitments = [bytes.fromhex(seal.commitment) for seal in event.seals]
    said = bytes.fromhex(event.withheld[0]) if event.withheld else sha(canon(content))
    return sha(b"\x01", b"pbm-event-1", before, said, sha(*commitments))


def check_chain(game: Any, events: Any, ending: Any) -> None:
    """Numbers and hashes from the first event to the head."""
    before = bytes(32)
    for number, event in enumerate(events, 1):
        if event.seq != number:
            raise RecordError("chain", event.line, f"event {number} was expected, not {event.seq}")
        before = event_hash(before, game, event)
        if before.hex() != event.hash:
            raise RecordError("chain", event.line, f"event {number} does not fit its hash, or not the event before it")
    if ending.head != (len(events), before.hex()):
        raise RecordError("chain", events[-1].line, "the head is not the hash of the last event")
