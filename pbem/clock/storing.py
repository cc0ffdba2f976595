"""A Clock as plain data and back, for whoever keeps it.

The control and the zones are not written: they stand in the table's terms and with the players.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any

from engine.game import Seat
from pbem.clock.calendar import Absence
from pbem.clock.clock import Clock, Due
from pbem.clock.time_control import TimeControl


def to_data(clock: Clock) -> dict[str, Any]:
    """What a clock shows, in strings and numbers."""
    return {
        "due": {seat: _write_due(turn) for seat, turn in clock.due.items()},
        "halted": {seat: _write_due(turn) for seat, turn in clock.halted.items()},
        "banks": {seat: bank.total_seconds() for seat, bank in clock.banks.items()},
        "absences": {
            seat: [[away.first.isoformat(), away.last.isoformat()] for away in absences]
            for seat, absences in clock.absences.items()
        },
        "paused": {reason: _write(since) for reason, since in clock.paused.items()},
    }


def from_data(data: Mapping[str, Any], control: TimeControl, zones: Mapping[Seat, tzinfo]) -> Clock:
    """The clock that `to_data` wrote."""
    return Clock(
        control,
        zones,
        due={seat: _read_due(turn) for seat, turn in data["due"].items()},
        # A clock that was kept before turns could halt has none that does.
        halted={seat: _read_due(turn) for seat, turn in data.get("halted", {}).items()},
        banks={seat: timedelta(seconds=bank) for seat, bank in data["banks"].items()},
        absences={
            seat: tuple(Absence(date.fromisoformat(first), date.fromisoformat(last)) for first, last in absences)
            for seat, absences in data["absences"].items()
        },
        paused={reason: datetime.fromisoformat(since) for reason, since in data["paused"].items()},
    )


def _write_due(turn: Due) -> dict[str, Any]:
    return {
        "turn": turn.turn,
        "since": _write(turn.since),
        "left": turn.left.total_seconds(),
        "deadline": _write(turn.deadline),
        "reminded": turn.reminded,
        "late": turn.late,
        "asked": turn.asked,
    }


def _read_due(data: Mapping[str, Any]) -> Due:
    return Due(
        data["turn"],
        datetime.fromisoformat(data["since"]),
        timedelta(seconds=data["left"]),
        datetime.fromisoformat(data["deadline"]),
        reminded=data["reminded"],
        late=data["late"],
        asked=data.get("asked", False),
    )


def _write(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()
