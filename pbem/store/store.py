"""The store: everything that can be done to the database, as whole transactions or inside one.

One process writes at a time, and nothing is acknowledged before it is on the disk.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from pbem.store.answer_counts import AnswerCountQueries
from pbem.store.arrivals import ArrivalStore
from pbem.store.games import GameQueries, LogQueries
from pbem.store.inbox import InboxQueries
from pbem.store.lobby import LobbyQueries
from pbem.store.outbox import OutboxQueries
from pbem.store.people import ForgetQueries, PeopleQueries
from pbem.store.queries import reading_row, upsert_into
from pbem.store.rows import Counters, Extent, LetterRow, MailRow, Taken
from pbem.store.seats import SeatQueries
from pbem.store.sqlite import GENERATION
from pbem.store.sqlite_connection import SqliteConnection
from pbem.store.sqlite_copy import EXTENT, write_copy
from pbem.store.timestamps import parse_timestamp

_SETTING: Final = "SELECT value FROM setting WHERE key = :key"
_SETTINGS: Final = "SELECT key, value FROM setting WHERE key >= :prefix AND key < :beyond"
CLOCK_BACK: Final = timedelta(minutes=1)
"""A machine's clock that is behind a time it has shown by this much was set back; less is ordinary correction."""
LAST_TICK: Final = "last look at the clocks"
"""The setting that says when the clocks of games were checked last."""
LAST_SWEEP: Final = "last sweep of the outbox"
LAST_PACKING: Final = "last packing of the outbox"
"""The settings that say when what is old was deleted, and when sent mails were packed."""
SWEEP_EVERY: Final = timedelta(days=1)
PACK_EVERY: Final = timedelta(minutes=50)
"""How often the one is done, and the other."""
CHECKPOINT: Final = "checkpoint"
"""The setting with the latest signed checkpoint of the public log."""
HELD: Final = "rollback of "
GOODBYE: Final = "last mail to somebody forgotten "
EVIDENCE: Final = "evidence of somebody forgotten "
"""The beginnings of settings about a game that is held, and about what is deleted later of somebody forgotten."""
FORGET_AT_END: Final = "forget"
"""The tie of a person who wants to be forgotten when the games that go on have ended."""
_SAVE_SETTING: Final = upsert_into("setting", ("key", "value"), key=("key",))


PAGE: Final = 4_096
"""Bytes in a page of SQLite, in every database of ours."""

ROOM: Final = "what takes the room"
"""The setting that says what took the room when it was measured last, and when that was."""


class FileSize(NamedTuple):
    """The size of a database in bytes, how much of it is free, and whether it shrinks by that."""

    file: int
    free: int
    shrinks: bool


LOST_TABLE: Final = "letter for the lost table "
"""Begins the settings that name tables which letters with good reply addresses came for, and which are not here."""


class Transaction(
    InboxQueries,
    GameQueries,
    PeopleQueries,
    LobbyQueries,
    AnswerCountQueries,
    ForgetQueries,
    SeatQueries,
    OutboxQueries,
    LogQueries,
):
    """Everything that can be done to the store in one transaction. Only a `Store` makes one."""

    __slots__ = ()

    def load_setting(self, key: str) -> str | None:
        """What the post remembers under a key."""
        found = self._value(_SETTING, {"key": key})
        return None if found is None else str(found)

    def load_settings(self, prefix: str) -> dict[str, str]:
        """What the post remembers under all keys with a prefix."""
        beyond = prefix[:-1] + chr(ord(prefix[-1]) + 1)
        return {str(key): str(value) for key, value in self._rows(_SETTINGS, {"prefix": prefix, "beyond": beyond})}

    def save_setting(self, key: str, value: str) -> None:
        """Remember a value under a key."""
        self._change(_SAVE_SETTING, {"key": key, "value": value})

    @reading_row("event or setting")
    def latest_moment(self) -> datetime | None:
        """The latest time at which something is known to have happened; later than now if the clock went back."""
        known = (self.load_setting(LAST_TICK), self.newest_event())
        return max((parse_timestamp(moment) for moment in known if moment), default=None)

    def misshapen(self) -> list[str]:
        """Tables, columns and values that are not what we write. If there are any, other queries may fail."""
        return [*self._connection.find_misshapen()]

    @reading_row("setting")
    def extent(self) -> Extent:
        """How many letters arrived, and how many events, mails and lines of the log there are."""
        return Extent(*map(int, self._row(EXTENT, {}) or ()))

    @reading_row("event, mail or letter")
    def measure_room(self) -> dict[str, int]:
        """What takes the room in the file, in bytes. Reads a part of every page, so it is not for each look."""
        parts, (whole, free, _) = self._connection.measure()
        named = dict(zip(("letters", "mails", "pictures", "archive", "events"), parts, strict=True))
        return {**named, "other": max(0, whole - free - sum(parts)), "free": free, "file": whole}

    def file_size(self) -> FileSize:
        """How large the file is, and how much of it is free."""
        return FileSize(*self._connection.size())

    def lost_tables(self) -> list[str]:
        """The tables that letters with good reply addresses came for, and that this database does not know."""
        found = self.load_settings(LOST_TABLE)
        return sorted(name.removeprefix(LOST_TABLE) for name, moment in found.items() if moment)

    def forget_lost_tables(self) -> None:
        """Somebody knows about them, and the database counts as it is."""
        for name in self.lost_tables():
            self.save_setting(f"{LOST_TABLE}{name}", "")

    @property
    def generation(self) -> str:
        """The name of this run of history; a database that is put back to an older copy gets another."""
        return self.load_setting(GENERATION) or ""

    def integrity_problems(self) -> list[str]:
        """What is wrong with the database; empty if nothing is. Reads all of it."""
        broken = [f"{game}: its chain does not end where the game says" for game in self.wrong_heads()]
        return self._connection.find_damage() + broken


class Store(ArrivalStore):
    """An open database.

    Threads may share it; transactions follow one another. Each method here is a whole transaction: what it did is on
    the disk when it returns. Everything else happens inside `transaction()`.
    """

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """Everything inside is on the disk when the block ends, or nothing of it if the block raises."""
        with self._begin("write") as connection:
            yield Transaction(connection, self._now)

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """A snapshot of the store, for reading only: it keeps no other process from writing, and writing fails."""
        with self._begin("read") as connection:
            yield Transaction(connection, self._now)

    def next_received(self) -> LetterRow | None:
        """The oldest letter that has no outcome yet."""
        with self.reading() as transaction:
            return transaction.next_received()

    def take_next(self, choose: Callable[[Transaction], LetterRow | None] = lambda _: None) -> Taken | None:
        """The next letter to work on: the one that `choose` names, or the oldest. That work on it begins is noted.

        The note outlives this process but not a power cut, which no letter causes: so each letter costs one flush.
        """
        with self._begin("claim") as connection:
            transaction = Transaction(connection, self._now)
            return transaction.take_next(choose(transaction))

    def count_failure(self, letter: int, claim: int | None = None) -> None:
        """Work on a letter has failed."""
        with self.transaction() as transaction:
            transaction.count_failure(letter, claim)

    def put_down(self, letter: int, claim: int | None = None) -> None:
        """Work on a letter has ended early, and not because of the letter."""
        with self.transaction() as transaction:
            transaction.put_down(letter, claim)

    def claim_due(self, now: datetime, limit: int) -> list[MailRow]:
        """Mails to send now; no other sender gets them until their lease ends."""
        with self.transaction() as transaction:
            return transaction.claim_due(now, limit)

    def mark_sent(self, mail: int) -> None:
        """The mail was sent."""
        with self.transaction() as transaction:
            transaction.mark_sent(mail)

    def mark_retry(self, mail: int, *, not_before: datetime, error: str) -> None:
        """The mail could not be sent now; the same bytes again later."""
        with self.transaction() as transaction:
            transaction.mark_retry(mail, not_before=not_before, error=error)

    def mark_failed(self, mail: int, error: str) -> None:
        """The mail will never be sent."""
        with self.transaction() as transaction:
            transaction.mark_failed(mail, error)

    def put_back(self, mails: Sequence[int], *, not_before: datetime, error: str = "") -> None:
        """Claimed mails that were not tried after all."""
        with self.transaction() as transaction:
            transaction.put_back(mails, not_before=not_before, error=error)

    def redrive(self, letter: int) -> bool:
        """Take a letter out of quarantine to be tried again."""
        with self.transaction() as transaction:
            return transaction.redrive(letter)

    def counters(self) -> Counters:
        """How many letters arrived, and their outcomes."""
        with self.reading() as transaction:
            return transaction.counters()

    def checkpoint(self) -> None:
        """Move SQLite's log into the database, and empty it: what was deleted is gone from both."""
        self._refuse_nesting()
        with self._lock:
            self._connection.empty_log(wait=True)

    def release_pages(self, most: int, *, spare: int) -> bool:
        """Let the file shrink by up to `most` pages that nothing is in, but some; whether there may be more of them.

        The file of an older release cannot do that until it was compacted.
        """
        with self.reading() as transaction:
            size = transaction.file_size()
        surplus = min(most, size.free // PAGE - spare)
        if not size.shrinks or surplus <= 0:
            return False
        with self._begin("write") as connection:
            connection.shrink(surplus)
        with self._lock:
            # The file ends where its log says only once that is copied into it. Who reads meanwhile is not waited for.
            self._connection.empty_log(wait=False)
        return surplus == most

    def compact(self, folder: Path) -> None:
        """Write the file anew without the pages that nothing is in, and so that it can shrink from now on.

        SQLite writes a copy in the folder, and then its log.
        """
        self._refuse_nesting()
        with self._lock:
            try:
                self._connection.rewrite(folder)
            except self._connection.failures as reason:
                raise self._judge(reason, reading=False) from reason

    def copy_to(self, path: Path) -> None:
        """Write a consistent copy of everything to a new file, while others go on reading and writing."""
        self._refuse_nesting()
        with self._lock:
            if isinstance(self._connection, SqliteConnection):
                write_copy(self._connection, path)
            else:
                from pbem.store.moving import copy_to_file  # loads the schema, which only such a copy needs

                copy_to_file(self._connection, path)
