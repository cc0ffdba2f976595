"""Absences of players, and seats without a player.

A player announces days away and can cancel those that have not begun. Days away belong to the player, not to the seat:
a substitute has taken none.

A player who resigns, or loses the seat by running out of time, leaves it vacant. With one other player left the game is
over. Otherwise it goes on: chance moves for the seat, or the clock stops, if the table agreed so, until the referee
finds a substitute.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from engine.game import Seat
from notation import Ending
from pbem.events.chain import Draft
from pbem.events.kinds import AbsenceAnnounced, AbsenceCancelled, GamePaused, SeatResigned
from pbem.events.post_kinds import SeatKept, SeatOffered
from pbem.events.record_conversion import draft_end
from pbem.tables import table_rules
from pbem.tables.decision import REFEREE, Answer, DaysAway, Decision, Notice, Refused
from pbem.tables.table import INVITING, PLAYING, Table

ABSENCE: Final = "absence"
"""The answer that lists a seat's days away."""
USUAL: Final = 21
"""Days away that a player may take in one game, where the terms do not say."""

_DAY: Final = timedelta(days=1)
_TELL: Final = (Answer(ABSENCE),)


def announce_absence(table: Table, seat: Seat, first: date, last: date, today: date) -> Decision:
    """Announce that the player of a seat is away on more days."""
    length = (last - first).days + 1
    used = table.absences.get(seat, frozenset())
    facts = {"days": length, "used": len(used), "allowed": days_allowed(table)}
    if (refused := _not_played(table)) is not None:
        return Decision(refused=refused)
    if length < 1 or first < today:
        return Decision(
            refused=Refused(table_rules.A1, "days off begin today or later; the last one comes after the first", facts)
        )
    # No set is built of an absence that is far too long.
    days = {first + day * _DAY for day in range(min(length, facts["allowed"] + len(used) + 1))}
    if len(used | days) > facts["allowed"]:
        says = (
            "{days} days are too many; you have {allowed} in all, and {used} are used. Take fewer, or write vacation "
            "none first"
        )
        return Decision(refused=Refused(table_rules.A1, says, facts))
    return Decision((Draft(AbsenceAnnounced(seat, first, last)),), answers=_TELL)


def announce_most(table: Table, seat: Seat, first: date, last: date, today: date) -> Decision:
    """Announce as many of some days as the player has left: for who says it of all tables at once."""
    whole = announce_absence(table, seat, first, last, today)
    if whole.refused is None:
        return replace(whole, away=(DaysAway(table.id),))
    if last < first or first < today or whole.refused.rule is not table_rules.A1:
        return whole
    until = min(last, first + days_left(table, seat) * _DAY + len(table.absences.get(seat, ())) * _DAY)
    while until >= first:
        part = announce_absence(table, seat, first, until, today)
        if part.refused is None:
            return replace(part, away=(DaysAway(table.id, until + _DAY),))
        until -= _DAY
    return Decision(answers=_TELL, away=(DaysAway(table.id, first),))


def cancel_absence(table: Table, seat: Seat, today: date) -> Decision:
    """Cancel the days away of a seat that have not begun."""
    if (refused := _not_played(table)) is not None:
        return Decision(refused=refused)
    first = today + _DAY
    if not any(day >= first for day in table.absences.get(seat, ())):
        return Decision(answers=_TELL)
    return Decision((Draft(AbsenceCancelled(seat, first)),), answers=_TELL)


def days_allowed(table: Table) -> int:
    """How many days a player may be away in the whole game."""
    return int(str(table.terms.get("absence", USUAL)))


def days_left(table: Table, seat: Seat) -> int:
    """How many days away the player of a seat has left."""
    return max(0, days_allowed(table) - len(table.absences.get(seat, ())))


def announced_days(table: Table, seat: Seat, today: date) -> list[tuple[date, date]]:
    """The announced absences of a seat that are not over, each with its first and last day."""
    return [stretch for stretch in _stretches(table.absences.get(seat, ())) if stretch[1] >= today]


def _stretches(days: Iterable[date]) -> list[tuple[date, date]]:
    found: list[tuple[date, date]] = []
    for day in sorted(days):
        if found and day - found[-1][1] == _DAY:
            found[-1] = (found[-1][0], day)
        else:
            found.append((day, day))
    return found


def _not_played(table: Table) -> Refused | None:
    if table.stage in (INVITING, PLAYING):
        return None
    return Refused(table_rules.T3, "this game has not begun, or is over")


SUBSTITUTE: Final = "substitute"
"""The policy for silence of a table that waits for a substitute."""


def vacancy(seat: Seat) -> str:
    """The reason of a pause while a seat has no player; a player who was late may still answer."""
    return f"{seat} has no player"


def vacant_seat(reason: str) -> Seat:
    """The seat that a reason to pause is about; empty if it is another reason."""
    seat = reason.partition(" ")[0]
    return seat if reason == vacancy(seat) else ""


def leave_seat(table: Table, seat: Seat, kind: str, by: str) -> tuple[Draft, ...]:
    """The events when a player leaves a seat; `kind`, resigned or time, is how the game ends if too few are left."""
    if len(table.active) <= 2:
        return (draft_end(table.seats, Ending(kind, (*table.resigned, seat)), table.score),)
    gone = Draft(SeatResigned(seat, by))
    return (gone, *await_player(table, seat)) if waits_for_substitute(table) else (gone,)


def await_player(table: Table, seat: Seat) -> tuple[Draft, ...]:
    """Pause the game until a seat has a player."""
    reason = vacancy(seat)
    return () if reason in table.pauses else (Draft(GamePaused(reason, by="post")),)


def waits_for_substitute(table: Table) -> bool:
    """Whether the table waits for a substitute instead of letting chance play."""
    return bool(table.terms.get("silence") == SUBSTITUTE)


def open_seats(table: Table) -> tuple[Seat, ...]:
    """The seats that somebody else may take: whose player asks for that, or that have none."""
    if table.stage != PLAYING:
        return ()
    return tuple(
        seat
        for seat in table.seats
        if seat in table.stand_ins.offered or seat in table.resigned or vacancy(seat) in table.pauses
    )


def offer_seat(table: Table, seat: Seat) -> Decision:
    """A player asks to be replaced, and answers for the seat until then."""
    if table.stage != PLAYING or seat in table.resigned:
        return Decision(refused=Refused(table_rules.T3, "you have no game to hand on", {"seat": seat}))
    if not table.is_second_form:
        says = "this game began before you could ask for a substitute by mail; write to the referee, or `resign`"
        return Decision(refused=Refused(table_rules.D1, says))
    if seat in table.stand_ins.delegated:
        return Decision(refused=refuse_for_owner())
    if seat in table.stand_ins.offered:
        return Decision(refused=Refused(table_rules.D1, "you have asked for that already, and nobody has come yet"))
    return Decision((Draft(SeatOffered(seat)),), notices=(substitute_wanted(seat),))


def refuse_for_owner() -> Refused:
    """Why whoever plays for somebody else cannot give the seat away."""
    says = "you play for somebody else here, and only they can give up the seat; `delegate off` gives it back"
    return Refused(table_rules.D1, says)


def keep_seat(table: Table, seat: Seat) -> Decision:
    """A player who asked to be replaced stays."""
    if seat not in table.stand_ins.offered:
        return Decision(refused=Refused(table_rules.D1, "you have not asked for a substitute"))
    return Decision((Draft(SeatKept(seat)),))


def substitute_wanted(seat: Seat) -> Notice:
    """The notice to the referee that a seat needs a player."""
    return Notice(REFEREE, "substitute wanted", seat)
