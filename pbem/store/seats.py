"""Players in their seats, the clocks of games, and the moves that players planned ahead."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from pbem.store.queries import Queries, Row, reading_row, upsert_into
from pbem.store.rows import SeatRow, values_of
from pbem.store.timestamps import format_timestamp

JSON = Mapping[str, Any]

_COLUMNS: Final = tuple(SeatRow.__slots__)
_CHANGING: Final = (*(name for name in _COLUMNS if name not in ("game", "seat")), "player")

_SEATS: Final = f"SELECT {', '.join(_COLUMNS)} FROM seat"  # noqa: S608 - our own names
_AT_TABLE: Final = f"{_SEATS} WHERE game = :of ORDER BY seat"
_IN_SEAT: Final = f"{_SEATS} WHERE game = :of AND seat = :who"
_OF_PLAYER: Final = f"""{_SEATS}
    WHERE player = :player OR (person <> '' AND person = (SELECT person FROM address WHERE address_key = :player))
    ORDER BY game, seat"""  # noqa: S608 - our own names
_PLAYERS: Final = "SELECT seat, address, player FROM seat WHERE game = :of ORDER BY seat"
_OF_PERSON: Final = f"{_SEATS} WHERE person = :person ORDER BY game, seat"
_GAMES_BEFORE: Final = """
    SELECT event.data FROM seat
    JOIN game AS mine ON mine.id = :game
    JOIN game AS other ON other.id = seat.game AND other.id <> mine.id
        AND (other.created_at < mine.created_at OR (other.created_at = mine.created_at AND other.id < mine.id))
    JOIN event ON event.game = other.id AND event.seq = 1
    WHERE seat.player = :player OR (seat.person <> '' AND seat.person = (
        SELECT person FROM address WHERE address_key = :player))"""
_SAVE_SEAT: Final = upsert_into("seat", (*_COLUMNS, "player"), key=("game", "seat"))
_CHANGE_SEAT: Final = f"""
    UPDATE seat SET {", ".join(f"{name} = :{name}" for name in _CHANGING)}
    WHERE game = :game AND seat = :seat"""  # noqa: S608 - our own names
_CLOCK: Final = "SELECT data FROM clock WHERE game = :game"
_DUE: Final = "SELECT game FROM clock WHERE due_at <= :now ORDER BY due_at, game"
_SAVE_CLOCK: Final = upsert_into("clock", ("game", "data", "due_at"), key=("game",))
_LOOK_SOON: Final = "UPDATE clock SET due_at = :now WHERE game = :game"
_PLAN: Final = 'SELECT data FROM "plan" WHERE game = :game AND seat = :seat'
_PLANNING: Final = 'SELECT seat FROM "plan" WHERE game = :game ORDER BY seat'
_SAVE_PLAN: Final = upsert_into('"plan"', ("game", "seat", "data"), key=("game", "seat"))
_DROP_PLAN: Final = 'DELETE FROM "plan" WHERE game = :game AND seat = :seat'


class SeatQueries(Queries):
    """Queries about seats, clocks and plans."""

    __slots__ = ()

    def find_seats(self, game: str) -> list[SeatRow]:
        """Everyone at a table."""
        return [_read_seat(row) for row in self._rows(_AT_TABLE, {"of": game})]

    def find_seat(self, game: str, seat: str) -> SeatRow | None:
        """The player in one seat."""
        found = self._row(_IN_SEAT, {"of": game, "who": seat})
        return None if found is None else _read_seat(found)

    def find_player(self, address: str) -> list[SeatRow]:
        """Every seat of the player with this address; upper and lower case are the same."""
        return [_read_seat(row) for row in self._rows(_OF_PLAYER, {"player": address.lower()})]

    def seats_of(self, person: str) -> list[SeatRow]:
        """Every seat of a person, in games that go on and in others."""
        return [_read_seat(row) for row in self._rows(_OF_PERSON, {"person": person})]

    def unrecognised(self, game: str) -> list[str]:
        """Seats of a game by whose address no sender would be recognised: none, unless somebody changed the file."""
        found = self._rows(_PLAYERS, {"of": game})
        return [str(seat) for seat, address, player in found if str(address).lower() != player]

    def games_before(self, address: str, game: str) -> set[str]:
        """The keys of what a player was asked to play before some game was opened."""
        found = self._rows(_GAMES_BEFORE, {"player": address.lower(), "game": game})
        return {str((_parse(data) or {}).get("game", "")) for (data,) in found}

    def save_seat(self, seat: SeatRow) -> None:
        """Add a player, or change what is known about the one in that seat."""
        values = values_of(seat) | {"player": seat.address.lower()}
        self._change(_SAVE_SEAT, values)

    def save_seats(self, seats: Sequence[SeatRow]) -> None:
        """Change what is known about several players at once; they must have their seats already."""
        self._change_all(_CHANGE_SEAT, [values_of(seat) | {"player": seat.address.lower()} for seat in seats])

    def load_clock(self, game: str) -> dict[str, Any] | None:
        """The clock of a game, as it was saved."""
        return _parse(self._value(_CLOCK, {"game": game}))

    def save_clock(self, game: str, data: JSON, *, due_at: datetime | None) -> None:
        """Store a game's clock, and when it must be checked next."""
        values = {"game": game, "data": _format(data), "due_at": None if due_at is None else format_timestamp(due_at)}
        self._change(_SAVE_CLOCK, values)

    def look_soon(self, game: str) -> None:
        """Let the next tick look at a game: something has changed that its clock was not told of."""
        self._change(_LOOK_SOON, {"game": game, "now": self._timestamp()})

    def due_clocks(self, now: datetime) -> list[str]:
        """Games whose clocks must be checked now, the most urgent first."""
        return [str(game) for (game,) in self._rows(_DUE, {"now": format_timestamp(now)})]

    def load_plan(self, game: str, seat: str) -> dict[str, Any] | None:
        """What a player has planned ahead."""
        return _parse(self._value(_PLAN, {"game": game, "seat": seat}))

    def seats_with_plans(self, game: str) -> list[str]:
        """The seats of a game that have planned something ahead."""
        return [str(seat) for (seat,) in self._rows(_PLANNING, {"game": game})]

    def save_plan(self, game: str, seat: str, data: JSON | None) -> None:
        """Store a player's plan, or delete it."""
        values = {"game": game, "seat": seat}
        if data is None:
            self._change(_DROP_PLAN, values)
        else:
            self._change(_SAVE_PLAN, values | {"data": _format(data)})


@reading_row("seat")
def _read_seat(row: Row) -> SeatRow:
    # SQLite stores booleans as numbers.
    game, seat, address, name, language, zone, notices, plain, mails_sent, paused, bounces, last_seen_seq, person = row
    return SeatRow(
        *(game, seat, address, name, language, zone, notices),
        *(bool(plain), mails_sent, bool(paused), bounces, last_seen_seq, person),
    )


@reading_row("clock or plan")
def _parse(text: str | None) -> dict[str, Any] | None:
    found: dict[str, Any] | None = None if text is None else json.loads(text)
    return found


def _format(data: JSON) -> str:
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
