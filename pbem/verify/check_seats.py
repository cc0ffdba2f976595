"""Checks what only games of the second form have: free seats, a game called off, and who was asked until when."""

import re
from collections.abc import Iterator
from typing import Final

from pbem.events.kinds import GameEnded, GameStarted, InvitationAccepted, InvitationDeclined, SeatResigned, TurnPlayed
from pbem.events.payload import SECOND_FORM, Payload
from pbem.events.post_kinds import GameCalledOff, PlayerInvited
from pbem.tables.asking import asked_seat
from pbem.tables.table import Table
from pbem.verify.finding import RECORD, Finding
from pbem.verify.read_proof import RecordedEvent, RecordProof

_MOMENT: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


def check_seats(proof: RecordProof) -> Iterator[Finding]:
    """The first event that happens out of place before the start, or that has no time where it must."""
    if proof.form != SECOND_FORM:
        return
    seats, free, started, last = set(proof.opened.seats), set[str](), False, len(proof.recorded)
    for recorded in proof.recorded:
        payload, seq = recorded.event.payload, recorded.event.seq
        wrong = ""
        match payload:
            case InvitationAccepted(seat=seat) if started or seat in free or seat not in seats:
                wrong = f"event {seq} takes a seat that is not offered"
            case InvitationDeclined(seat=seat):
                wrong = "" if not started and seat in seats - free else f"event {seq} declines what is not offered"
                free.add(seat)
            case PlayerInvited(seat=seat):
                wrong = "" if not started and seat in free else f"event {seq} offers a seat that is not free"
                free.discard(seat)
            case GameStarted():
                wrong = "" if not free else f"event {seq} starts a game with a free seat"
                started = True
            case GameCalledOff() if started or seq != last:
                wrong = f"event {seq} calls off a game that took place"
        wrong = wrong or _check_times(payload, seq, taken_in=seq <= proof.taken_in)
        if wrong:
            yield Finding(RECORD, recorded.line, wrong)
            return


def _check_times(payload: Payload, seq: int, *, taken_in: bool) -> str:
    """What is wrong with the times of an event; empty if nothing is."""
    if not isinstance(payload, TurnPlayed | SeatResigned | GameEnded):
        return ""
    asked, due = payload.asked, payload.due
    if asked_seat(payload) is None or taken_in:
        return f"event {seq} tells a time though nobody was asked" if (asked, due) != (None, None) else ""
    if asked is None or due is None or not 0 <= asked < seq or (due and _MOMENT.fullmatch(due) is None):
        return f"event {seq} does not tell when its seat was asked, and until when"
    return ""


def check_asked(table: Table, recorded: RecordedEvent) -> Finding | None:
    """The finding if an event says that its seat was asked by another event than the table knows."""
    payload = recorded.event.payload
    if not isinstance(payload, TurnPlayed | SeatResigned | GameEnded) or payload.asked is None:
        return None
    seat = asked_seat(payload)
    if seat is not None and payload.asked == table.asked_by.get(seat, 0):
        return None
    return Finding(RECORD, recorded.line, f"event {recorded.event.seq} says that another event asked {seat}")
