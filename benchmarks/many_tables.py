"""What a post costs while nothing happens at its tables: one look at the clocks, and the summary of `pbem status`.

Two posts are compared that differ only in how many games go on. They are made in bulk, from the rows of one that was
opened by mail; no clock is due at any of them. CPU time, as everywhere but in `post`.
"""

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.letters_by_post import TABLE, open_post, script, take_mails
from benchmarks.measuring import Contender, Tell, race
from benchmarks.sizes import Sizes
from benchmarks.table import Row, Target
from pbem.service.game_status import quick_statuses
from pbem.service.health import count_everything
from pbem.service.water_mark import find_rollback
from pbem.workflow.context import PostContext
from pbem.workflow.tick import tick

FEW: Final = 10
TICK: Final = "idle look at the clocks"
SUMMARY: Final = "summary of `pbem status`"
LIST: Final = "list of games of `pbem status`"
_OTHERS: Final = "WITH RECURSIVE others (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM others WHERE n < :most) "
_TIMES: Final = 5
"""How often something is done in one round: a single time is too short to be timed."""


def measure(sizes: Sizes, tell: Tell) -> Iterator[Row]:
    """Many tables beside few."""
    runs: dict[str, Callable[[PostContext], object]] = {TICK: tick, SUMMARY: _count, LIST: _list}
    with tempfile.TemporaryDirectory(prefix="tables-") as folder, ExitStack() as stack:
        posts = {}
        for amount in (FEW, sizes.tables):
            tell(f"a post with {amount:,} tables")
            posts[amount] = _open_post(Path(folder, str(amount)), amount)
            stack.callback(posts[amount].store.close)
        contenders = [
            Contender(f"{name} {amount}", 1, partial(_repeat, run), partial(_same, context), _TIMES)
            for name, run in runs.items()
            for amount, context in posts.items()
        ]
        paces = race(contenders, rounds=sizes.short_rounds, tell=tell)
    for name in runs:
        target = None if name == LIST else Target(2)
        many, few = paces[f"{name} {sizes.tables}"], paces[f"{name} {FEW}"]
        what = f"{name}, {sizes.tables:,} tables, {_TIMES} times"
        yield Row.of_times(what, ours=many, peer=f"{FEW} tables", theirs=few, target=target)


def _open_post(folder: Path, tables: int) -> PostContext:
    context = open_post(folder, script(0), notices="each")
    for mail in context.store.claim_due(context.now(), len(take_mails(context))):
        context.store.mark_sent(mail.id)
    tick(context)
    with closing(sqlite3.connect(folder / "post.db")) as database, database:
        for table, key in (("game", "id"), ("seat", "game"), ("clock", "game"), ("event", "game")):
            columns = [name for _, name, *_ in database.execute(f"PRAGMA table_info({table})")]
            values = ", ".join("'sirocco-' || n" if name == key else f'"{name}"' for name in columns)
            names = ", ".join(f'"{name}"' for name in columns)
            copies = f'SELECT {values} FROM "{table}", others WHERE {key} = :table'  # noqa: S608 - our own names
            database.execute(f'{_OTHERS} INSERT INTO "{table}" ({names}) {copies}', {"most": tables, "table": TABLE})
    with context.store.reading() as transaction:
        assert transaction.games_by_stage() == {"playing": tables}
    assert tick(context) == []
    return context


def _repeat(run: Callable[[PostContext], object], context: PostContext) -> int:
    for _ in range(_TIMES):
        run(context)
    return _TIMES


def _same(context: PostContext, number: int) -> PostContext:
    """A post is the same in every round."""
    return context


def _count(context: PostContext) -> None:
    count_everything(context.store, context.now())
    with context.store.reading() as transaction:
        find_rollback(context.settings, transaction)
        transaction.lost_tables()


def _list(context: PostContext) -> None:
    with context.store.reading() as transaction:
        assert quick_statuses(transaction, all_of_them=False) is not None
