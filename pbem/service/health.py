"""Where each game stands: its turn, whom it waits for and until when, without a view of anybody's board.

How the post is doing, in numbers: letters by fate, mails by state, games by stage, and what is due.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from engine.game import CHANCE, Seat
from pbem.service.journal import without_addresses
from pbem.store.rows import MAIL_STATES, Counters
from pbem.store.store import Store, Transaction
from pbem.tables.fold import BrokenHistoryError
from pbem.tables.table import INVITING, PLAYING, Table
from pbem.workflow.context import PostContext
from pbem.workflow.session import GameSession

DAMAGED_STAGE: Final = "damaged"
"""The stage of a game whose history is not the one that was written down."""


@dataclass(frozen=True, slots=True)
class GameStatus:
    """One game at a glance. `waits_for` are the seats that must act, or accept, each with its deadline if any."""

    table: str
    game: str
    stage: str
    turn: int
    waits_for: dict[Seat, datetime | None]
    pauses: tuple[str, ...]
    result: str
    cases: tuple[int, ...] = ()
    """The cases that are open."""
    warrants: int = 0
    """How often the referee was allowed to see what a seat sees."""
    broken: str = ""
    """Why nothing more can be said: its history is damaged, and it stands still."""


def game_statuses(context: PostContext, transaction: Transaction, *, all_of_them: bool) -> Iterator[GameStatus]:
    """Every game that is being played or prepared, oldest first; with `all_of_them` also those that are over."""
    for row in transaction.games():
        if all_of_them or row.stage in (INVITING, PLAYING):
            try:
                session = GameSession(context, transaction, row)
            except BrokenHistoryError as reason:
                yield GameStatus(row.id, "", DAMAGED_STAGE, 0, {}, (), "", broken=str(reason))
                continue
            yield _standing(session.table, session)


def _standing(table: Table, session: GameSession) -> GameStatus:
    waits: dict[Seat, datetime | None] = {seat: session.deadline(seat) for seat in _open_seats(table)}
    if table.rounds.round and (table.stage == INVITING or CHANCE in waits):
        waits = {CHANCE: session.context.beacon.time_of(table.rounds.round)}
    return GameStatus(
        table=table.id,
        game=table.game.key,
        stage=table.stage,
        turn=table.turn,
        waits_for=waits,
        pauses=tuple(sorted(table.pauses)),
        result=table.result,
        cases=tuple(case.number for case in table.cases if case.is_open),
        warrants=table.warrants,
    )


def _open_seats(table: Table) -> tuple[Seat, ...]:
    """Who must act, or accept."""
    if table.stage != INVITING:
        return table.due
    return tuple(seat for seat in table.seats if seat not in table.accepted)


@dataclass(frozen=True, slots=True)
class Health:
    """One look at the whole."""

    letters: Counters
    mails: Mapping[str, int]
    games: Mapping[str, int]
    clocks_due: int
    last_error: str
    """Why mails that wait could not leave; empty if none was refused."""

    @property
    def facts(self) -> dict[str, Any]:
        """The look as flat facts for the journal."""
        return {
            **asdict(self.letters),
            "difference": self.letters.difference,
            **{f"mails_{state}": count for state, count in self.mails.items()},
            **{f"games_{stage.replace(' ', '_')}": count for stage, count in self.games.items()},
            "clocks_due": self.clocks_due,
            "last_error": self.last_error or None,
        }


def count_everything(store: Store, now: datetime) -> Health:
    """Count everything at one moment."""
    with store.reading() as transaction:
        mails = transaction.mails_by_state()
        return Health(
            letters=transaction.counters(),
            mails={state: mails.get(state, 0) for state in MAIL_STATES},
            games=Counter(game.stage for game in transaction.games()),
            clocks_due=len(transaction.due_clocks(now)),
            last_error=without_addresses(transaction.last_error()),
        )


def format_counts(letters: Counters) -> str:
    """What came is what became of it: ``120 received = 100 applied + … + 2 waiting + 1 unread``."""
    fates = ("applied", "refused", "duplicate", "automatic", "quarantined", "waiting", "unread")
    told = " + ".join(f"{getattr(letters, fate)} {fate}" for fate in fates)
    lost = f"; {letters.difference} CANNOT BE FOUND" if letters.difference else ""
    return f"{letters.received} received = {told}{lost}"
