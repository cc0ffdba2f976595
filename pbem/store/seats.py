"""The desk of players: who sits where, what their clocks say, and what they have planned ahead."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import BindParameter, bindparam, delete, select, update

from pbem.store.rows import SeatRow, values_of, write_moment
from pbem.store.schema import CLOCK, PLAN, SEAT
from pbem.store.queries import Found, Queries, adding_to

JSON = Mapping[str, Any]

_GAME: Final[BindParameter[Any]] = bindparam("of")
_WHO: Final[BindParameter[Any]] = bindparam("who")

_SEATS: Final = select(*(SEAT.c[name] for name in SeatRow.__slots__))
_AT_TABLE: Final = _SEATS.where(SEAT.c.game == _GAME).order_by(SEAT.c.seat)
_IN_SEAT: Final = _SEATS.where(SEAT.c.game == _GAME, SEAT.c.seat == _WHO)
_OF_PLAYER: Final = _SEATS.where(SEAT.c.player == _WHO).order_by(SEAT.c.game, SEAT.c.seat)
_CHANGE_SEAT: Final = (
    update(SEAT)
    .where(SEAT.c.game == _GAME, SEAT.c.seat == _WHO)
    .values({column.name: bindparam(column.name) for column in SEAT.c if column.name not in ("game", "seat")})
)
_ADD_SEAT: Final = adding_to(SEAT)
_CLOCK: Final = select(CLOCK.c.data).where(CLOCK.c.game == _GAME)
_DUE: Final = select(CLOCK.c.game).where(CLOCK.c.due_at <= bindparam("by")).order_by(CLOCK.c.due_at, CLOCK.c.game)
_CHANGE_CLOCK: Final = (
    update(CLOCK).where(CLOCK.c.game == _GAME).values(data=bindparam("data"), due_at=bindparam("due_at"))
)
_ADD_CLOCK: Final = adding_to(CLOCK)
_PLAN: Final = select(PLAN.c.data).where(PLAN.c.game == _GAME, PLAN.c.seat == _WHO)
_CHANGE_PLAN: Final = update(PLAN).where(PLAN.c.game == _GAME, PLAN.c.seat == _WHO).values(data=bindparam("data"))
_ADD_PLAN: Final = adding_to(PLAN)
_DROP_PLAN: Final = delete(PLAN).where(PLAN.c.game == _GAME, PLAN.c.seat == _WHO)


class SeatQueries(Queries):
    """Verbs about seats, clocks and plans."""

    __slots__ = ()

    def find_seats(self, game: str) -> list[SeatRow]:
        """Everyone at a table."""
        return [_read_seat(row) for row in self._rows(_AT_TABLE, {"of": game})]

    def find_seat(self, game: str, seat: str) -> SeatRow | None:
        """Who sits in one seat."""
        found = self._row(_IN_SEAT, {"of": game, "who": seat})
        return None if found is None else _read_seat(found)

    def find_player(self, address: str) -> list[SeatRow]:
        """Every seat of the person with this address, whatever the size of its letters."""
        return [_read_seat(row) for row in self._rows(_OF_PLAYER, {"who": address.lower()})]

    def save_seat(self, seat: SeatRow) -> None:
        """Seat a person, or change what is known of the one who sits there."""
        values = values_of(seat) | {"player": seat.address.lower()}
        if not self._change(_CHANGE_SEAT, values | {"of": seat.game, "who": seat.seat}):
            self._change(_ADD_SEAT, values)

    def save_seats(self, seats: Sequence[SeatRow]) -> None:
        """Change what is known of several people at a table at once; they must be seated already."""
        rows = [values_of(seat) | {"player": seat.address.lower(), "of": seat.game, "who": seat.seat} for seat in seats]
        self._change_all(_CHANGE_SEAT, rows)

    def load_clock(self, game: str) -> dict[str, Any] | None:
        """The clock of a game, as it was saved."""
        return _read(self._value(_CLOCK, {"of": game}))

    def save_clock(self, game: str, data: JSON, *, due_at: datetime | None) -> None:
        """Keep a game's clock, and the next moment at which somebody must look at it."""
        values = {"data": _write(data), "due_at": None if due_at is None else write_moment(due_at)}
        if not self._change(_CHANGE_CLOCK, values | {"of": game}):
            self._change(_ADD_CLOCK, values | {"game": game})

    def due_clocks(self, now: datetime) -> list[str]:
        """Games whose clocks must be looked at, the most urgent first."""
        return [str(game) for (game,) in self._rows(_DUE, {"by": write_moment(now)})]

    def load_plan(self, game: str, seat: str) -> dict[str, Any] | None:
        """What a player has planned ahead."""
        return _read(self._value(_PLAN, {"of": game, "who": seat}))

    def save_plan(self, game: str, seat: str, data: JSON | None) -> None:
        """Keep a player's plan, or forget it."""
        place = {"of": game, "who": seat}
        if data is None:
            self._change(_DROP_PLAN, place)
        elif not self._change(_CHANGE_PLAN, place | {"data": _write(data)}):
            self._change(_ADD_PLAN, {"game": game, "seat": seat, "data": _write(data)})


def _read_seat(row: Found) -> SeatRow:
    # SQLite keeps truth as a number.
    game, seat, address, name, language, zone, notices, plain, mails_sent, paused, bounces, last_seen_seq = row
    return SeatRow(
        *(game, seat, address, name, language, zone, notices),
        *(bool(plain), mails_sent, bool(paused), bounces, last_seen_seq),
    )


def _read(text: str | None) -> dict[str, Any] | None:
    found: dict[str, Any] | None = None if text is None else json.loads(text)
    return found


def _write(data: JSON) -> str:
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
