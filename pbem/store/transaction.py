"""One transaction: all verbs of all desks, committed together or not at all."""

from typing import Final

from sqlalchemy import bindparam, func, select, update

from pbem.store.games import GamesDesk
from pbem.store.inbox import InboxDesk
from pbem.store.log import LogDesk
from pbem.store.outbox import OutboxDesk
from pbem.store.schema import SETTING
from pbem.store.seats import SeatsDesk
from pbem.store.sqlite import complaints
from pbem.store.statements import adding_to

_SETTING: Final = select(SETTING.c.value).where(SETTING.c.key == bindparam("name"))
_NAMED: Final = select(SETTING.c.key, SETTING.c.value).where(
    func.substr(SETTING.c.key, 1, func.length(bindparam("beginning"))) == bindparam("beginning")
)
_CHANGE: Final = update(SETTING).where(SETTING.c.key == bindparam("name")).values(value=bindparam("value"))
_ADD: Final = adding_to(SETTING)


class Transaction(InboxDesk, GamesDesk, SeatsDesk, OutboxDesk, LogDesk):
    """What can be done to the store at one go. Only a `Store` makes one."""

    __slots__ = ()

    def load_setting(self, key: str) -> str | None:
        """What the post remembers under a name."""
        found = self._value(_SETTING, {"name": key})
        return None if found is None else str(found)

    def load_settings(self, beginning: str) -> dict[str, str]:
        """What the post remembers under all names that begin so."""
        return {str(key): str(value) for key, value in self._rows(_NAMED, {"beginning": beginning})}

    def save_setting(self, key: str, value: str) -> None:
        """Remember something under a name."""
        if not self._change(_CHANGE, {"name": key, "value": value}):
            self._change(_ADD, {"key": key, "value": value})

    def complaints(self) -> list[str]:
        """What is wrong with the database; nothing, if all is well. Reads all of it."""
        broken = [f"{game}: its chain does not end where the game says" for game in self.loose_heads()]
        return complaints(self._pen.connection) + broken
