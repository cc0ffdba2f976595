"""Folding what happens before a game starts: seats are taken, declined, offered to others, or all is called off.

In the first form one player who declines calls the game off. In the second the seat is free again, and the table lives
on until the referee calls the game off.
"""

from dataclasses import replace

from engine.game import Seat
from pbem.events.kinds import InvitationAccepted, InvitationDeclined
from pbem.events.post_kinds import GameCalledOff, PlayerInvited
from pbem.tables.table import CALLED_OFF, Table


def accept_seat(table: Table, event: InvitationAccepted, at: str) -> Table:
    """A player took a seat."""
    entropy = {**table.entropy, event.seat: event.entropy_sha256}
    return replace(table, accepted=table.accepted | {event.seat}, entropy=entropy)


def free_seat(table: Table, event: InvitationDeclined, at: str) -> Table:
    """A player declined."""
    if not table.is_second_form:
        return replace(table, stage=CALLED_OFF)
    return replace(_without_acceptance(table, event.seat), free=table.free | {event.seat})


def invite_to_seat(table: Table, event: PlayerInvited, at: str) -> Table:
    """Somebody else is asked to take a free seat."""
    seat = event.seat
    return replace(
        _without_acceptance(table, seat),
        free=table.free - {seat},
        names={**table.names, seat: event.name},
        founders={**table.founders, seat: event.name},
    )


def _without_acceptance(table: Table, seat: Seat) -> Table:
    entropy = {other: digest for other, digest in table.entropy.items() if other != seat}
    return replace(table, accepted=table.accepted - {seat}, entropy=entropy)


def call_off(table: Table, event: GameCalledOff, at: str) -> Table:
    """The game does not take place."""
    return replace(table, stage=CALLED_OFF)
