"""What every desk of the store has: the pen, and the clock."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Insert
from sqlalchemy.sql.expression import ClauseElement

from pbem.store.moments import write_moment
from pbem.store.statements import Found, Pen, Values

_NOTHING: Final[Values] = {}


class Desk:
    """A set of verbs inside one transaction."""

    __slots__ = ("_now", "_pen")

    def __init__(self, pen: Pen, now: Callable[[], datetime]) -> None:
        self._pen = pen
        self._now = now

    def _rows(self, statement: ClauseElement, values: Values = _NOTHING) -> list[Found]:
        return self._pen.rows(statement, values)

    def _row(self, statement: ClauseElement, values: Values) -> Found | None:
        return self._pen.row(statement, values)

    def _value(self, statement: ClauseElement, values: Values = _NOTHING) -> Any:
        found = self._pen.row(statement, values)
        return None if found is None else found[0]

    def _change(self, statement: ClauseElement, values: Values) -> int:
        return self._pen.change(statement, values)

    def _change_all(self, statement: ClauseElement, values: Sequence[Values]) -> None:
        if values:
            self._pen.change_all(statement, values)

    def _add(self, statement: Insert, values: Values) -> int:
        return self._pen.add(statement, values)

    def _stamp(self) -> str:
        return write_moment(self._now())
