"""Forgetting: what is deleted of a person's letters, mails and words, and what is left as an empty row.

Rows that others point to stay, without bytes and addresses, so that numbers and digests go on as they were.
"""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from pbem.store.queries import Queries
from pbem.store.timestamps import format_timestamp

_NOT_HELD: Final = "(game IS NULL OR game NOT IN (SELECT value FROM json_each(:held)))"
_THEIR_LETTERS: Final = (
    f"SELECT id FROM inbox WHERE sender IN (SELECT value FROM json_each(:addresses)) AND {_NOT_HELD}"  # noqa: S608 - our own names
)
_EMPTY_LETTERS: Final = f"""
    UPDATE inbox_bytes SET raw = x''
    WHERE inbox_id IN (SELECT coalesce(bytes_of, id) FROM inbox WHERE id IN ({_THEIR_LETTERS}))"""  # noqa: S608 - our own names
_STRIP_LETTERS: Final = f"""
    UPDATE inbox SET sender = '', env_from = NULL, env_to = '[]' WHERE id IN ({_THEIR_LETTERS})"""  # noqa: S608 - our own names
_DROP_SEEN: Final = f"""
    DELETE FROM seen WHERE player IN (SELECT value FROM json_each(:addresses)) AND {_NOT_HELD}"""  # noqa: S608 - our own names
_THEIR_MAILS: Final = f"""
    SELECT message_id FROM outbox
    WHERE lower(recipient) IN (SELECT value FROM json_each(:addresses)) AND {_NOT_HELD}
    AND id NOT IN (SELECT value FROM json_each(:spared))"""  # noqa: S608 - our own names
_DROP_MAIL_BYTES: Final = f"DELETE FROM outbox_bytes WHERE message_id IN ({_THEIR_MAILS})"  # noqa: S608 - our own names
_STRIP_MAILS: Final = f"""
    UPDATE outbox SET recipient = '', last_error = '', told = 1,
        state = CASE WHEN state IN ('queued', 'sending', 'held') THEN 'failed' ELSE state END
    WHERE message_id IN ({_THEIR_MAILS})"""  # noqa: S608 - our own names
_DROP_SHARED: Final = """
    DELETE FROM outbox_shared WHERE sha256 NOT IN (SELECT shared FROM outbox_bytes WHERE shared IS NOT NULL)"""
_DROP_ONE: Final = "DELETE FROM outbox_bytes WHERE message_id = (SELECT message_id FROM outbox WHERE id = :mail)"
_STRIP_ONE: Final = "UPDATE outbox SET recipient = '', last_error = '' WHERE id = :mail"
_MAILS_TO: Final = """
    SELECT id FROM outbox WHERE lower(recipient) IN (SELECT value FROM json_each(:addresses)) ORDER BY id"""
_LIVE: Final = "SELECT id FROM game WHERE stage NOT IN ('over', 'called off')"
_OLD_LETTERS: Final = f"""
    SELECT id FROM inbox WHERE received_at < :before AND state IN ('applied', 'refused', 'duplicate', 'automatic')
    AND (game IS NULL OR game NOT IN ({_LIVE}))
    AND id NOT IN (SELECT bytes_of FROM inbox WHERE bytes_of IS NOT NULL AND game IN ({_LIVE}))"""  # noqa: S608 - our own names
_THIN_BYTES: Final = f"UPDATE inbox_bytes SET raw = x'' WHERE inbox_id IN ({_OLD_LETTERS}) AND length(raw) > 0"  # noqa: S608 - our own names
_THIN_LETTERS: Final = f"UPDATE inbox SET sender = '', env_from = NULL WHERE id IN ({_OLD_LETTERS}) AND sender <> ''"  # noqa: S608 - our own names
_DROP_SETTINGS: Final = "DELETE FROM setting WHERE instr(lower(key), :address) > 0"
_DROP_SETTING: Final = "DELETE FROM setting WHERE key = :key"
_DROP_ROWS: Final = tuple(
    f"DELETE FROM {table} WHERE person = :person"  # noqa: S608 - our own names
    for table in ("address", "wish", "bond", "pending", "office")
)
_DROP_BONDS_TO: Final = "DELETE FROM bond WHERE other = :person"
_CHANGE_TOLD: Final = "UPDATE event SET told = :told WHERE game = :game AND seq = :seq"


class ForgetQueries(Queries):
    """What is done when somebody is forgotten."""

    __slots__ = ()

    def forget_letters(self, addresses: Iterable[str], *, but: Iterable[str] = (), spare: Iterable[int] = ()) -> None:
        """Empty the letters from some addresses and the mails to them, but those about some games, and some mails."""
        values = {
            "addresses": json.dumps([each.lower() for each in addresses]),
            "held": json.dumps([*but]),
            "spared": json.dumps([*spare]),
        }
        for statement in (_EMPTY_LETTERS, _STRIP_LETTERS, _DROP_SEEN, _DROP_MAIL_BYTES, _STRIP_MAILS):
            self._change(statement, values)
        self._change(_DROP_SHARED)

    def forget_rows(self, person: str, addresses: Iterable[str]) -> None:
        """Delete addresses, wishes, ties and offices of a person, and what is kept under their addresses."""
        for statement in (*_DROP_ROWS, _DROP_BONDS_TO):
            self._change(statement, {"person": person})
        for address in addresses:
            self._change(_DROP_SETTINGS, {"address": address.lower()})

    def letters_from(self, addresses: Iterable[str]) -> list[int]:
        """The numbers of letters from some addresses."""
        values = {"addresses": json.dumps([each.lower() for each in addresses]), "held": "[]"}
        return [int(number) for (number,) in self._rows(_THEIR_LETTERS, values)]

    def mails_to(self, addresses: Iterable[str]) -> list[int]:
        """The numbers of mails to some addresses."""
        values = {"addresses": json.dumps([each.lower() for each in addresses])}
        return [int(number) for (number,) in self._rows(_MAILS_TO, values)]

    def thin_letters(self, before: datetime) -> int:
        """Empty the letters of games that have ended, and of no game, that came before then; how many there were."""
        values = {"before": format_timestamp(before)}
        dropped = self._change(_THIN_BYTES, values)
        self._change(_THIN_LETTERS, values)
        return dropped

    def forget_mail(self, mail: int) -> None:
        """Delete the bytes and the recipient of one mail."""
        self._change(_DROP_ONE, {"mail": mail})
        self._change(_STRIP_ONE, {"mail": mail})

    def drop_setting(self, key: str) -> None:
        """Remember nothing under a key any more."""
        self._change(_DROP_SETTING, {"key": key})

    def change_told(self, game: str, seq: int, told: str) -> None:
        """Keep other names, words and salts beside an event; its hash does not depend on them."""
        self._change(_CHANGE_TOLD, {"game": game, "seq": seq, "told": told})
