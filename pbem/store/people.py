"""People, their addresses, and what they wish about mails.

A wish is kept for one table or, under an empty table, for all. The rows of seats hold what is valid there, so that a
letter needs no more queries: whoever changes a wish changes them too.
"""

from typing import Final

from pbem.store.queries import Queries, Row, insert_into, reading_row
from pbem.store.rows import PERSON_STATES, AddressRow, PersonRow, values_of
from pbem.store.timestamps import format_timestamp, parse_timestamp

_PERSON: Final = tuple(PersonRow.__slots__)
_PEOPLE: Final = f"SELECT {', '.join(f'person.{column}' for column in _PERSON)} FROM person"  # noqa: S608 - our own names
_ONE: Final = f"{_PEOPLE} WHERE person.id = :id"
_ALL: Final = f"{_PEOPLE} ORDER BY person.since, person.id"
_BY_NAME: Final = f"{_PEOPLE} WHERE person.name_key = :name_key"
_BY_ADDRESS: Final = f"{_PEOPLE} JOIN address ON address.person = person.id WHERE address.address_key = :address_key"
_ADD_PERSON: Final = insert_into("person", _PERSON)
_CHANGE_PERSON: Final = f"""
    UPDATE person SET {", ".join(f"{column} = :{column}" for column in _PERSON if column != "id")}
    WHERE id = :id"""  # noqa: S608 - our own names
_ADDRESSES: Final = """
    SELECT address, person, confirmed_at, writes FROM address
    WHERE person = :person ORDER BY writes DESC, address_key"""
_ADD_ADDRESS: Final = insert_into("address", ("address_key", "address", "person", "confirmed_at", "writes"))
_CHANGE_ADDRESS: Final = """
    UPDATE address SET address = :address, person = :person, confirmed_at = :confirmed_at, writes = :writes
    WHERE address_key = :address_key"""
_DROP_ADDRESS: Final = "DELETE FROM address WHERE address_key = :address_key"
_DROP_ADDRESSES: Final = "DELETE FROM address WHERE person = :person"
_WISHES: Final = "SELECT what, value FROM wish WHERE person = :person AND game = :game ORDER BY what"
_CHANGE_WISH: Final = "UPDATE wish SET value = :value WHERE person = :person AND game = :game AND what = :what"
_ADD_WISH: Final = insert_into("wish", ("person", "game", "what", "value"))
_DROP_WISH: Final = "DELETE FROM wish WHERE person = :person AND game = :game AND what = :what"
_DROP_WISHES: Final = "DELETE FROM wish WHERE person = :person"


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
        if not self._change(_CHANGE_PERSON, values):
            self._change(_ADD_PERSON, values)

    def addresses_of(self, person: str) -> list[AddressRow]:
        """The addresses of a person, the one that mails go to first."""
        return [_read_address(row) for row in self._rows(_ADDRESSES, {"person": person})]

    def save_address(self, address: AddressRow) -> None:
        """Add an address, or change whose it is and whether it is confirmed."""
        confirmed = None if address.confirmed_at is None else format_timestamp(address.confirmed_at)
        values = values_of(address) | {"address_key": address.address.lower(), "confirmed_at": confirmed}
        if not self._change(_CHANGE_ADDRESS, values):
            self._change(_ADD_ADDRESS, values)

    def drop_address(self, address: str) -> None:
        """Forget an address."""
        self._change(_DROP_ADDRESS, {"address_key": address.lower()})

    def drop_addresses(self, person: str) -> None:
        """Forget all addresses of a person."""
        self._change(_DROP_ADDRESSES, {"person": person})

    def wishes_of(self, person: str, game: str = "") -> dict[str, str]:
        """What a person wishes at one table alone, or, without a table, everywhere."""
        return {str(what): str(value) for what, value in self._rows(_WISHES, {"person": person, "game": game})}

    def save_wish(self, person: str, what: str, value: str | None, *, game: str = "") -> None:
        """Keep a wish for one table, or for all; None takes it back."""
        values = {"person": person, "game": game, "what": what, "value": value}
        if value is None:
            self._change(_DROP_WISH, values)
        elif not self._change(_CHANGE_WISH, values):
            self._change(_ADD_WISH, values)

    def drop_wishes(self, person: str) -> None:
        """Forget everything that a person has wished."""
        self._change(_DROP_WISHES, {"person": person})


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
