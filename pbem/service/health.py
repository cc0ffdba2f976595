"""How the post is doing in numbers: letters by outcome, mails by state, games by stage, and what is due."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from pbem.service.journal import without_addresses
from pbem.settings.durations import format_duration
from pbem.store.rows import MAIL_STATES, Counters
from pbem.store.store import CLOCK_BACK, Store, Transaction


@dataclass(frozen=True, slots=True)
class Health:
    """Everything counted at one moment."""

    letters: Counters
    mails: Mapping[str, int]
    games: Mapping[str, int]
    clocks_due: int
    behind: timedelta
    """By how much the machine's clock is behind a time that it has shown before."""
    last_error: str
    """Why waiting mails could not be sent; empty if none failed."""

    @property
    def facts(self) -> dict[str, Any]:
        """The counts as flat fields for the journal."""
        return {
            **asdict(self.letters),
            "difference": self.letters.difference,
            **{f"mails_{state}": count for state, count in self.mails.items()},
            **{f"games_{stage.replace(' ', '_')}": count for stage, count in self.games.items()},
            "clocks_due": self.clocks_due,
            "clock_behind": int(self.behind.total_seconds()),
            "last_error": self.last_error or None,
        }


@dataclass(slots=True)
class TickTimes:
    """How often the clocks were looked at since the service began, and how long that took."""

    count: int = 0
    seconds: float = 0.0

    def add(self, started: float) -> None:
        """One more look, which began at a time of `time.monotonic` and has just ended."""
        self.count += 1
        self.seconds += monotonic() - started


def count_everything(store: Store, now: datetime) -> Health:
    """Count everything at one moment."""
    with store.reading() as transaction:
        mails = transaction.mails_by_state()
        return Health(
            letters=transaction.counters(),
            mails={state: mails.get(state, 0) for state in MAIL_STATES},
            games=transaction.games_by_stage(),
            clocks_due=len(transaction.due_clocks(now)),
            behind=clock_behind(transaction, now),
            last_error=without_addresses(transaction.last_error()),
        )


def clock_behind(transaction: Transaction, now: datetime) -> timedelta:
    """By how much the machine's clock is behind a time that it has shown before; nothing if it is not."""
    latest = transaction.latest_moment()
    behind = latest - now if latest is not None else timedelta()
    return behind if behind >= CLOCK_BACK else timedelta()


def explain_clock_behind(behind: timedelta) -> str:
    """What that means, and what to do, in one line."""
    length = format_duration(behind)
    return f"it is {length} behind what it showed before; is it right now? Events keep the later time until then"


def format_counts(letters: Counters) -> str:
    """Arrivals and outcomes, which must be equal: `120 received = 100 applied + … + 2 waiting + 1 unread`."""
    fates = ("applied", "refused", "duplicate", "automatic", "quarantined", "waiting", "unread")
    outcomes = " + ".join(f"{getattr(letters, fate)} {fate}" for fate in fates)
    lost = f"; {letters.difference} CANNOT BE FOUND" if letters.difference else ""
    return f"{letters.received} received = {outcomes}{lost}"
