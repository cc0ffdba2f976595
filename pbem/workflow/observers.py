"""Observers: people who play nowhere at a table and get its public news by mail.

They are kept beside the events, which name no addresses. An observer writes nothing: a letter is not acted on, and the
first one is answered with that.
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
    """Somebody who watches. The number is never given to another observer of the same table."""

    number: int
    name: str
    address: str
    language: str = "en"
    zone: str = "UTC"
    leaves: bool = False
    """Whether this one watches no longer; the number stays taken."""
    answered: bool = False
    """Whether a letter was answered already with what somebody who watches may do."""

    @property
    def role(self) -> str:
        """What stands in the place of a seat: no seat is called so."""
        return f"observer-{self.number}"


def find_observers(transaction: Transaction, game: str) -> tuple[Observer, ...]:
    """Everybody who watches a table."""
    return tuple(observer for observer in _load(transaction, game) if not observer.leaves)


def add_observer(transaction: Transaction, game: str, *, name: str, address: str, language: str, zone: str) -> bool:
    """Let somebody watch a table; False if the address watches or plays there already."""
    known = [observer.address.lower() for observer in find_observers(transaction, game)]
    known += [person.address.lower() for person in transaction.find_seats(game)]
    if address.lower() in known:
        return False
    kept = _load(transaction, game)
    _save(transaction, game, (*kept, Observer(len(kept) + 1, name, address, language, zone)))
    return True


def remove_observer(transaction: Transaction, game: str, address: str) -> bool:
    """Let somebody watch no longer; False if nobody with that address does."""
    kept = _load(transaction, game)
    gone = [each for each in kept if not each.leaves and each.address.lower() == address.lower()]
    if not gone:
        return False
    # The address of somebody who left is not kept.
    empty = Observer(gone[0].number, "", "", leaves=True)
    _save(transaction, game, tuple(empty if each in gone else each for each in kept))
    return True


def find_observed(transaction: Transaction, address: str) -> dict[str, Observer]:
    """The tables that somebody watches, and as whom."""
    games = [key.removeprefix(_OF) for key in transaction.load_settings(_OF)]
    return {
        game: observer
        for game in games
        for observer in find_observers(transaction, game)
        if observer.address.lower() == address.lower()
    }


def mark_answered(transaction: Transaction, watched: Mapping[str, Observer]) -> None:
    """Remember that somebody who watches has been answered; there is no second time."""
    for game, observer in watched.items():
        told = (replace(each, answered=True) if each == observer else each for each in _load(transaction, game))
        _save(transaction, game, tuple(told))


def observers_at(session: GameSession) -> tuple[Observer, ...]:
    """Everybody who watches the table on a desk."""
    return find_observers(session.transaction, session.row.id)


def _load(transaction: Transaction, game: str) -> tuple[Observer, ...]:
    kept = json.loads(transaction.load_setting(_OF + game) or "[]")
    return tuple(Observer(**each) for each in kept)


def _save(transaction: Transaction, game: str, observers: tuple[Observer, ...]) -> None:
    transaction.save_setting(_OF + game, json.dumps([asdict(each) for each in observers]))
