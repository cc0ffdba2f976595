"""Observers: people who do not play at a table and get its public news by mail.

They are kept beside the events, because events hold no addresses. Letters from observers are not acted on; the first
one is answered with that.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Final

from pbem.store.store import Transaction
from pbem.workflow.session import GameSession

_OF: Final = "observers of "


@dataclass(frozen=True, slots=True)
class Observer:
    """An observer of one table. The number is never reused at that table."""

    number: int
    name: str
    address: str
    language: str = "en"
    zone: str = "UTC"
    leaves: bool = False
    """True once the observer has left. The number stays taken."""
    answered: bool = False
    """Whether a letter of this observer has been answered."""

    @property
    def role(self) -> str:
        """What stands where players have a seat. No seat has such a name."""
        return f"observer-{self.number}"


def find_observers(transaction: Transaction, game: str) -> tuple[Observer, ...]:
    """Everybody who observes a table."""
    return tuple(observer for observer in _load(transaction, game) if not observer.leaves)


def add_observer(transaction: Transaction, game: str, *, name: str, address: str, language: str, zone: str) -> bool:
    """Add an observer. False if the address already observes or plays at the table."""
    known = [observer.address.lower() for observer in find_observers(transaction, game)]
    known += [person.address.lower() for person in transaction.find_seats(game)]
    if address.lower() in known:
        return False
    kept = _load(transaction, game)
    _save(transaction, game, (*kept, Observer(len(kept) + 1, name, address, language, zone)))
    return True


def remove_observer(transaction: Transaction, game: str, address: str) -> bool:
    """Remove an observer and the address. False if nobody with that address observes."""
    kept = _load(transaction, game)
    gone = [each for each in kept if not each.leaves and each.address.lower() == address.lower()]
    if not gone:
        return False
    # The address of somebody who left is not kept.
    empty = Observer(gone[0].number, "", "", leaves=True)
    _save(transaction, game, tuple(empty if each in gone else each for each in kept))
    return True


def find_observed(transaction: Transaction, address: str) -> dict[str, Observer]:
    """The tables that an address observes."""
    games = [key.removeprefix(_OF) for key in transaction.load_settings(_OF)]
    return {
        game: observer
        for game in games
        for observer in find_observers(transaction, game)
        if observer.address.lower() == address.lower()
    }


def mark_answered(transaction: Transaction, watched: Mapping[str, Observer]) -> None:
    """Remember that this observer had an answer; there is no second one."""
    for game, observer in watched.items():
        told = (replace(each, answered=True) if each == observer else each for each in _load(transaction, game))
        _save(transaction, game, tuple(told))


def observers_at(session: GameSession) -> tuple[Observer, ...]:
    """Everybody who observes the table of a session."""
    return find_observers(session.transaction, session.row.id)


def _load(transaction: Transaction, game: str) -> tuple[Observer, ...]:
    kept = json.loads(transaction.load_setting(_OF + game) or "[]")
    return tuple(Observer(**each) for each in kept)


def _save(transaction: Transaction, game: str, observers: tuple[Observer, ...]) -> None:
    transaction.save_setting(_OF + game, json.dumps([asdict(each) for each in observers]))
