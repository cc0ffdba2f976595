"""The desk of the log: lines about all games, only ever added."""

from typing import Final

from sqlalchemy import func, select

from pbem.store.desk import Desk
from pbem.store.schema import LOG
from pbem.store.statements import adding_to

_LINES: Final = select(LOG.c.line).order_by(LOG.c.number)
_LAST: Final = select(func.max(LOG.c.number))
_ADD: Final = adding_to(LOG)


class LogDesk(Desk):
    """Verbs about the log of all games."""

    __slots__ = ()

    def log_lines(self) -> list[str]:
        """All lines, the oldest first."""
        return [str(line) for (line,) in self._rows(_LINES)]

    def add_log_line(self, line: str) -> int:
        """Add a line; its number, from 1."""
        number = int(self._value(_LAST) or 0) + 1
        self._change(_ADD, {"number": number, "line": line})
        return number
