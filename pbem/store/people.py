"""People, their addresses, what they wish about mails, and what is deleted when somebody is forgotten.

A wish is kept for one table or, under an empty table, for all. The rows of seats hold what is valid there, so that a
letter needs no more queries: whoever changes a wish changes them too. When somebody is forgotten, rows that others
point to stay, without bytes and addresses, so that numbers and digests go on as they were.
"""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from pbem.store.packs import PackQueries
from pbem.store.queries import Queries, Row, reading_row, upsert_into
from pbem.store.rows import PERSON_STATES, AddressRow, PersonRow, values_of
from pbem.store.timestamps import format_timestamp, parse_timestamp

_PERSON: Final = tuple(PersonRow.__slots__)
_PEOPLE: Final = f"SELECT {', '.join(f'person.{column}' for column in _PERSON)} FROM person"  # noqa: S608 - our own names
_ONE: Final = f"{_PEOPLE} WHERE person.id = :id"
_ALL: Final = f"{_PEOPLE} ORDER BY person.since, person.id"
_BY_NAME: Final = f"{_PEOPLE} WHERE person.name_key = :name_key"
_BY_ADDRESS: Final = f"{_PEOPLE} JOIN address ON address.person = person.id WHERE address.address_key = :address_key"
_SAVE_PERSON: Final = upsert_into("person", _PERSON, key=("id",))
_ADDRESSES: Final = """
    SELECT address, person, confirmed_at, writes FROM address
    WHERE person = :person ORDER BY writes DESC, address_key"""
_ADDRESS: Final = ("address_key", "address", "person", "confirmed_at", "writes")
_SAVE_ADDRESS: Final = upsert_into("address", _ADDRESS, key=("address_key",))
_DROP_ADDRESS: Final = "DELETE FROM address WHERE address_key = :address_key"
_DROP_ADDRESSES: Final = "DELETE FROM address WHERE person = :person"
_WISHES: Final = "SELECT what, value FROM wish WHERE person = :person AND game = :game ORDER BY what"
_SAVE_WISH: Final = upsert_into("wish", ("person", "game", "what", "value"), key=("person", "game", "what"))
_DROP_WISH: Final = "DELETE FROM wish WHERE person = :person AND game = :game AND what = :what"


_MERGE: Final = (
    "UPDATE answer_count SET person = :into WHERE person = :person",
    "UPDATE notice SET opener = :into WHERE opener = :person",
    "UPDATE place SET person = :into WHERE person = :person",
    """INSERT INTO office (person, role, scope) SELECT :into, role, scope FROM office WHERE person = :person
    ON CONFLICT DO NOTHING""",
    """INSERT INTO bond (person, kind, other, due_at)
    SELECT :into, kind, other, due_at FROM bond WHERE person = :person AND other <> :into ON CONFLICT DO NOTHING""",
    """INSERT INTO bond (person, kind, other, due_at)
    SELECT person, kind, :into, due_at FROM bond WHERE other = :person AND person <> :into ON CONFLICT DO NOTHING""",
    *(f"DELETE FROM {table} WHERE person = :person" for table in ("office", "bond", "wish", "pending")),  # noqa: S608 - our own names
    "DELETE FROM bond WHERE other = :person",
)
"""What was counted for somebody, what they decide and are tied to, where they sit before a game. What waits for their
second letter is dropped: it was asked of somebody whose seats and addresses were others."""


class PeopleQueries(Queries):
    """Queries about people."""

    __slots__ = ()

    def find_person(self, person: str) -> PersonRow | None:
        """A person by id."""
        found = self._row(_ONE, {"id": person})
        return None if found is None else _read_person(found)

    def person_at(self, address: str) -> PersonRow | None:
        """Whose address this is, confirmed or not; upper and lower case are the same."""
        found = self._row(_BY_ADDRESS, {"address_key": address.lower()})
        return None if found is None else _read_person(found)

    def person_named(self, name_key: str) -> PersonRow | None:
        """The person with a name, folded as names are."""
        found = self._row(_BY_NAME, {"name_key": name_key})
        return None if found is None else _read_person(found)

    def people(self) -> list[PersonRow]:
        """Everybody, longest here first."""
        return [_read_person(row) for row in self._rows(_ALL)]

    def save_person(self, person: PersonRow) -> None:
        """Add a person, or change what is known about one."""
        values = values_of(person) | {"since": format_timestamp(person.since)}
        self._change(_SAVE_PERSON, values)

    def addresses_of(self, person: str) -> list[AddressRow]:
        """The addresses of a person, the one that mails go to first."""
        return [_read_address(row) for row in self._rows(_ADDRESSES, {"person": person})]

    def save_address(self, address: AddressRow) -> None:
        """Add an address, or change whose it is and whether it is confirmed."""
        confirmed = None if address.confirmed_at is None else format_timestamp(address.confirmed_at)
        values = values_of(address) | {"address_key": address.address.lower(), "confirmed_at": confirmed}
        self._change(_SAVE_ADDRESS, values)

    def drop_address(self, address: str) -> None:
        """Forget an address."""
        self._change(_DROP_ADDRESS, {"address_key": address.lower()})

    def drop_addresses(self, person: str) -> None:
        """Forget all addresses of a person."""
        self._change(_DROP_ADDRESSES, {"person": person})

    def wishes_of(self, person: str, game: str = "") -> dict[str, str]:
        """What a person wishes at one table alone, or, without a table, everywhere."""
        known = self._known_wishes.get((person, game))
        if known is None:
            rows = self._rows(_WISHES, {"person": person, "game": game})
            known = self._known_wishes[person, game] = {str(what): str(value) for what, value in rows}
        return dict(known)

    def save_wish(self, person: str, what: str, value: str | None, *, game: str = "") -> None:
        """Keep a wish for one table, or for all; None takes it back."""
        values = {"person": person, "game": game, "what": what, "value": value}
        self._known_wishes.clear()
        if value is None:
            self._change(_DROP_WISH, values)
        else:
            self._change(_SAVE_WISH, values)

    def merge_rows(self, person: str, into: str) -> None:
        """Let everything that is tied to one person be tied to another, because they are the same; wishes are not."""
        self._known_wishes.clear()
        for statement in _MERGE:
            self._change(statement, {"person": person, "into": into})


_NOT_HELD: Final = "(game IS NULL OR game NOT IN (SELECT value FROM json_each(:held)))"
_THEIR_LETTERS: Final = (
    f"SELECT id FROM inbox WHERE sender IN (SELECT value FROM json_each(:addresses)) AND {_NOT_HELD}"  # noqa: S608 - our own names
)
_EMPTY_LETTERS: Final = f"""
    UPDATE inbox_bytes SET raw = :nothing
    WHERE inbox_id IN (SELECT coalesce(bytes_of, id) FROM inbox WHERE id IN ({_THEIR_LETTERS}))"""  # noqa: S608 - our own names
_STRIP_LETTERS: Final = f"""
    UPDATE inbox SET sender = '', env_from = NULL, env_to = '[]' WHERE id IN ({_THEIR_LETTERS})"""  # noqa: S608 - our own names
_DROP_SEEN: Final = f"""
    DELETE FROM seen WHERE player IN (SELECT value FROM json_each(:addresses)) AND {_NOT_HELD}"""  # noqa: S608 - our own names
_THEIR_MAILS: Final = f"""
    SELECT message_id FROM outbox
    WHERE lower(recipient) IN (SELECT value FROM json_each(:addresses)) AND {_NOT_HELD}
    AND CAST(id AS TEXT) NOT IN (SELECT CAST(value AS TEXT) FROM json_each(:spared))"""  # noqa: S608 - our own names
_STRIP_MAILS: Final = f"""
    UPDATE outbox SET recipient = '', last_error = '', told = TRUE,
        state = CASE WHEN state IN ('queued', 'sending', 'held') THEN 'failed' ELSE state END
    WHERE message_id IN ({_THEIR_MAILS})"""  # noqa: S608 - our own names
_ID_OF_MAIL: Final = "SELECT message_id FROM outbox WHERE id = :mail"
_STRIP_ONE: Final = "UPDATE outbox SET recipient = '', last_error = '' WHERE id = :mail"
_MAILS_TO: Final = """
    SELECT id FROM outbox WHERE lower(recipient) IN (SELECT value FROM json_each(:addresses)) ORDER BY id"""
_LIVE: Final = "SELECT id FROM game WHERE stage NOT IN ('over', 'called off')"
_OLD_LETTERS: Final = f"""
    SELECT id FROM inbox WHERE received_at < :before AND state IN ('applied', 'refused', 'duplicate', 'automatic')
    AND {_NOT_HELD} AND (game IS NULL OR game NOT IN ({_LIVE}))
    AND id NOT IN (SELECT bytes_of FROM inbox
        WHERE bytes_of IS NOT NULL AND (game IN ({_LIVE}) OR NOT {_NOT_HELD}))"""  # noqa: S608 - our own names
_THIN_BYTES: Final = f"UPDATE inbox_bytes SET raw = :nothing WHERE inbox_id IN ({_OLD_LETTERS}) AND length(raw) > 0"  # noqa: S608 - our own names
_THIN_LETTERS: Final = f"UPDATE inbox SET sender = '', env_from = NULL WHERE id IN ({_OLD_LETTERS}) AND sender <> ''"  # noqa: S608 - our own names
_DROP_SETTINGS: Final = "DELETE FROM setting WHERE replace(lower(key), :address, '') <> lower(key)"
_DROP_SETTING: Final = "DELETE FROM setting WHERE key = :key"
_DROP_ROWS: Final = tuple(
    f"DELETE FROM {table} WHERE person = :person"  # noqa: S608 - our own names
    for table in ("address", "wish", "bond", "pending", "office")
)
_DROP_BONDS_TO: Final = "DELETE FROM bond WHERE other = :person"
_WITHHOLD: Final = "UPDATE event SET data = :data, told = :told WHERE game = :game AND seq = :seq"
_CHANGE_TOLD: Final = "UPDATE event SET told = :told WHERE game = :game AND seq = :seq"


class ForgetQueries(PackQueries):
    """What is done when somebody is forgotten."""

    __slots__ = ()

    def forget_letters(self, addresses: Iterable[str], *, but: Iterable[str] = (), spare: Iterable[int] = ()) -> None:
        """Empty the letters from some addresses and the mails to them, but those about some games, and some mails."""
        values = {
            "addresses": json.dumps([each.lower() for each in addresses]),
            "held": json.dumps([*but]),
            "spared": json.dumps([*spare]),
            "nothing": b"",
        }
        for statement in (_EMPTY_LETTERS, _STRIP_LETTERS, _DROP_SEEN):
            self._change(statement, values)
        self.drop_mail_bytes(message_id for (message_id,) in self._rows(_THEIR_MAILS, values))
        self._change(_STRIP_MAILS, values)

    def forget_rows(self, person: str, addresses: Iterable[str]) -> None:
        """Delete addresses, wishes, ties and offices of a person, and what is kept under their addresses."""
        self._known_wishes.clear()
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

    def thin_letters(self, before: datetime, *, but: Iterable[str] = ()) -> int:
        """Empty the letters of games that have ended, but some, and of no game, that came before then; how many."""
        values = {"before": format_timestamp(before), "held": json.dumps([*but])}
        dropped = self._change(_THIN_BYTES, {**values, "nothing": b""})
        self._change(_THIN_LETTERS, values)
        return dropped

    def forget_mail(self, mail: int) -> None:
        """Delete the bytes and the recipient of one mail."""
        self.drop_mail_bytes(message_id for (message_id,) in self._rows(_ID_OF_MAIL, {"mail": mail}))
        self._change(_STRIP_ONE, {"mail": mail})

    def drop_setting(self, key: str) -> None:
        """Remember nothing under a key any more."""
        self._change(_DROP_SETTING, {"key": key})

    def change_told(self, game: str, seq: int, told: str) -> None:
        """Keep other names, words and salts beside an event; its hash does not depend on them."""
        self._change(_CHANGE_TOLD, {"game": game, "seq": seq, "told": told})

    def withhold(self, game: str, seq: int, data: str, told: str) -> None:
        """Take a name or words out of the data of an event; `told` says what stands in for them in the chain."""
        self._change(_WITHHOLD, {"game": game, "seq": seq, "data": data, "told": told})


@reading_row("person")
def _read_person(row: Row) -> PersonRow:
    person, name, name_key, state, since, generation = row
    if state not in PERSON_STATES:
        raise ValueError(state)
    return PersonRow(person, name, name_key, state, parse_timestamp(since), generation)


@reading_row("address")
def _read_address(row: Row) -> AddressRow:
    address, person, confirmed_at, writes = row
    return AddressRow(address, person, None if confirmed_at is None else parse_timestamp(confirmed_at), bool(writes))
