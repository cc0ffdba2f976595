"""Tables that wait for players, acts that wait for a second letter, offices, ties between people, and daily limits."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from pbem.store.queries import Queries, Row, insert_into, reading_row, upsert_into
from pbem.store.rows import NOTICE_STATES, PLACE_STATES, NoticeRow, PendingRow, PlaceRow, values_of
from pbem.store.timestamps import format_timestamp, parse_timestamp

_NOTICE: Final = tuple(NoticeRow.__slots__)
_NOTICES: Final = f"SELECT {', '.join(_NOTICE)} FROM notice"  # noqa: S608 - our own names
_ONE_NOTICE: Final = f"{_NOTICES} WHERE id = :id"
_NOTICES_IN_STATE: Final = f"{_NOTICES} WHERE state = :state ORDER BY created_at, id"
_NOTICES_DUE: Final = f"{_NOTICES} WHERE state = 'gathering' AND due_at <= :now ORDER BY due_at, id"
_SAVE_NOTICE: Final = upsert_into("notice", _NOTICE, key=("id",))
_PLACE: Final = tuple(PlaceRow.__slots__)
_PLACES: Final = f"SELECT {', '.join(_PLACE)} FROM place"  # noqa: S608 - our own names
_PLACES_AT: Final = f"{_PLACES} WHERE notice = :notice ORDER BY id"
_ONE_PLACE: Final = f"{_PLACES} WHERE id = :id"
_PLACES_OF: Final = f"{_PLACES} WHERE person = :person ORDER BY id"
_ADD_PLACE: Final = insert_into("place", _PLACE[1:], returning="id")
_CHANGE_PLACE: Final = """
    UPDATE place SET state = :state, person = :person, seat = :seat, created_at = :created_at, letter = :letter,
        mark = :mark
    WHERE id = :id"""
_PENDING: Final = ("id", "person", "kind", "data", "created_at", "due_at")
_ONE_PENDING: Final = f"SELECT {', '.join(_PENDING)} FROM pending WHERE id = :id"  # noqa: S608 - our own names
_PENDING_OF: Final = f"SELECT {', '.join(_PENDING)} FROM pending WHERE person = :person ORDER BY id"  # noqa: S608 - our own names
_ADD_PENDING: Final = insert_into("pending", _PENDING[1:], returning="id")
_CHANGE_PENDING: Final = "UPDATE pending SET data = :data WHERE id = :id"
_DROP_PENDING: Final = "DELETE FROM pending WHERE id = :id"
_PAST_PENDING: Final = f"SELECT {', '.join(_PENDING)} FROM pending WHERE kind = :kind AND due_at < :now ORDER BY id"  # noqa: S608 - our own names
_DROP_PAST: Final = "DELETE FROM pending WHERE due_at < :now"
_OFFICES: Final = "SELECT person, scope FROM office WHERE role = :role ORDER BY scope, person"
_ADD_OFFICE: Final = "INSERT INTO office (person, role, scope) VALUES (:person, :role, :scope) ON CONFLICT DO NOTHING"
_DROP_OFFICE: Final = "DELETE FROM office WHERE person = :person AND role = :role AND scope = :scope"
_BONDS_OF: Final = "SELECT other, due_at FROM bond WHERE person = :person AND kind = :kind ORDER BY other"
_BONDS_TO: Final = "SELECT person, due_at FROM bond WHERE other = :other AND kind = :kind ORDER BY person"
_ADD_BOND: Final = """
    INSERT INTO bond (person, kind, other, due_at) VALUES (:person, :kind, :other, :due_at)
    ON CONFLICT (person, kind, other) DO UPDATE SET due_at = excluded.due_at"""
_DROP_BOND: Final = "DELETE FROM bond WHERE person = :person AND kind = :kind AND other = :other"
_QUOTA: Final = "SELECT coalesce(sum(count), 0) FROM quota WHERE key = :key AND day >= :since"
_COUNT: Final = """
    INSERT INTO quota (key, day, count) VALUES (:key, :day, 1)
    ON CONFLICT (key, day) DO UPDATE SET count = quota.count + 1"""
_DROP_QUOTAS: Final = "DELETE FROM quota WHERE day < :before"


class LobbyQueries(Queries):
    """Queries about everything that happens before and beside a table."""

    __slots__ = ()

    def find_notice(self, notice: str) -> NoticeRow | None:
        """A table that waits or waited for players."""
        found = self._row(_ONE_NOTICE, {"id": notice})
        return None if found is None else _read_notice(found)

    def notices(self, state: str = "gathering") -> list[NoticeRow]:
        """All tables in one state, oldest first."""
        return [_read_notice(row) for row in self._rows(_NOTICES_IN_STATE, {"state": state})]

    def due_notices(self, now: datetime) -> list[NoticeRow]:
        """Tables that must be looked at now."""
        return [_read_notice(row) for row in self._rows(_NOTICES_DUE, {"now": format_timestamp(now)})]

    def save_notice(self, notice: NoticeRow) -> None:
        """Add a table that waits for players, or change it."""
        due = None if notice.due_at is None else format_timestamp(notice.due_at)
        values = values_of(notice) | {"created_at": format_timestamp(notice.created_at), "due_at": due}
        values |= {"terms": _format(notice.terms), "options": _format(notice.options)}
        values["pace"] = int(notice.pace.total_seconds())
        self._change(_SAVE_NOTICE, values)

    def places_at(self, notice: str) -> list[PlaceRow]:
        """The places at a table."""
        return [_read_place(row) for row in self._rows(_PLACES_AT, {"notice": notice})]

    def find_place(self, number: int) -> PlaceRow | None:
        """A place by its number."""
        found = self._row(_ONE_PLACE, {"id": number})
        return None if found is None else _read_place(found)

    def places_of(self, person: str) -> list[PlaceRow]:
        """The places that a person has taken or was asked to take."""
        return [_read_place(row) for row in self._rows(_PLACES_OF, {"person": person})]

    def save_place(self, place: PlaceRow) -> PlaceRow:
        """Change a place, or, if its number is 0, add it; the place with its number."""
        values = values_of(place) | {"created_at": format_timestamp(place.created_at)}
        if place.id:
            self._change(_CHANGE_PLACE, values)
            return place
        return replace(place, id=self._add(_ADD_PLACE, values))

    def find_pending(self, number: int) -> PendingRow | None:
        """An act that waits for a second letter."""
        found = self._row(_ONE_PENDING, {"id": number})
        return None if found is None else _read_pending(found)

    def pending_of(self, person: str) -> list[PendingRow]:
        """The acts of a person that wait for a second letter."""
        return [_read_pending(row) for row in self._rows(_PENDING_OF, {"person": person})]

    def add_pending(self, person: str, kind: str, data: Mapping[str, Any], *, until: datetime) -> int:
        """Let an act wait for a second letter; its number."""
        values = {"person": person, "kind": kind, "data": _format(data), "created_at": self._timestamp()}
        return self._add(_ADD_PENDING, values | {"due_at": format_timestamp(until)})

    def past_pending(self, kind: str, now: datetime) -> list[PendingRow]:
        """The acts of a kind whose time is over."""
        return [_read_pending(row) for row in self._rows(_PAST_PENDING, {"kind": kind, "now": format_timestamp(now)})]

    def change_pending(self, number: int, data: Mapping[str, Any]) -> None:
        """Change what is known of an act that waits."""
        self._change(_CHANGE_PENDING, {"id": number, "data": _format(data)})

    def drop_pending(self, number: int) -> bool:
        """Take an act away, because it is done or not wanted; False if it was not there any more."""
        return bool(self._change(_DROP_PENDING, {"id": number}))

    def drop_past(self, now: datetime) -> None:
        """Take all acts away whose time is over."""
        self._change(_DROP_PAST, {"now": format_timestamp(now)})

    def offices(self, role: str) -> list[tuple[str, str]]:
        """Everybody with a role, and for what."""
        return [(str(person), str(scope)) for person, scope in self._rows(_OFFICES, {"role": role})]

    def give_office(self, person: str, role: str, scope: str = "") -> None:
        """Give somebody a role, at one table or at the whole post."""
        self._change(_ADD_OFFICE, {"person": person, "role": role, "scope": scope})

    def take_office(self, person: str, role: str, scope: str = "") -> bool:
        """Take a role away; False if the person did not have it."""
        return bool(self._change(_DROP_OFFICE, {"person": person, "role": role, "scope": scope}))

    def bonds_of(self, person: str, kind: str) -> dict[str, datetime | None]:
        """What a person is tied to, and until when."""
        return {str(other): _parse(due) for other, due in self._rows(_BONDS_OF, {"person": person, "kind": kind})}

    def bonds_to(self, other: str, kind: str) -> dict[str, datetime | None]:
        """Who is tied to something, and until when."""
        return {str(person): _parse(due) for person, due in self._rows(_BONDS_TO, {"other": other, "kind": kind})}

    def save_bond(self, person: str, kind: str, other: str, *, until: datetime | None = None) -> None:
        """Tie a person to something."""
        due = None if until is None else format_timestamp(until)
        self._change(_ADD_BOND, {"person": person, "kind": kind, "other": other, "due_at": due})

    def drop_bond(self, person: str, kind: str, other: str) -> bool:
        """Untie a person from something; False if they were not tied."""
        return bool(self._change(_DROP_BOND, {"person": person, "kind": kind, "other": other}))

    def used(self, key: str, *, since: str) -> int:
        """How much of something was used up from a day on; days are written as dates."""
        return int(self._value(_QUOTA, {"key": key, "since": since}))

    def count_use(self, key: str, day: str) -> None:
        """Count one more use on a day."""
        self._change(_COUNT, {"key": key, "day": day})

    def drop_quotas(self, before: str) -> None:
        """Forget what was counted before a day."""
        self._change(_DROP_QUOTAS, {"before": before})


def _format(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _parse(moment: str | None) -> datetime | None:
    return None if moment is None else parse_timestamp(moment)


@reading_row("notice")
def _read_notice(row: Row) -> NoticeRow:
    notice, game, opener, state, created_at, due_at, pace, terms, options, *rest = row
    if state not in NOTICE_STATES:
        raise ValueError(state)
    moments = (parse_timestamp(created_at), _parse(due_at), timedelta(seconds=pace))
    return NoticeRow(notice, game, opener, state, *moments, json.loads(terms), json.loads(options), *rest)


@reading_row("place")
def _read_place(row: Row) -> PlaceRow:
    number, notice, state, person, seat, created_at, letter, mark = row
    if state not in PLACE_STATES:
        raise ValueError(state)
    return PlaceRow(number, notice, state, person, seat, parse_timestamp(created_at), letter, mark)


@reading_row("pending")
def _read_pending(row: Row) -> PendingRow:
    number, person, kind, data, created_at, due_at = row
    return PendingRow(number, person, kind, json.loads(data), parse_timestamp(created_at), parse_timestamp(due_at))
