"""The chain: every event holds on to the one before it, and the record ends where it says."""

from collections.abc import Iterator

from pbem.events.chain import ORIGIN, link
from pbem.verify.finding import CHAIN, Finding
from pbem.verify.read_proof import Testimony


def judge_chain(testimony: Testimony) -> Iterator[Finding]:
    """The first event that does not fit, or an end that is not the end."""
    head, game = ORIGIN, testimony.record.header("Id") or ""
    for seq, told in enumerate(testimony.told, start=1):
        event = told.event
        if event.seq != seq:
            yield Finding(CHAIN, told.line, f"event {event.seq} stands where event {seq} belongs")
            return
        found = link(
            head, game=game, seq=seq, kind=event.kind, data=event.data, at=event.at, commitments=event.commitments
        )
        if found != event.hash:
            yield Finding(CHAIN, told.line, f"event {seq} does not fit its hash, or not the event before it")
            return
        head = found
    closing = testimony.closing
    if (closing.seq, closing.head) != (len(testimony.told), head):
        yield Finding(
            CHAIN, testimony.last_line, f"the record says that it ends with event {closing.seq}, and does not"
        )
