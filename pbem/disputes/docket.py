"""All cases of a post, or of one table; a table whose history is damaged has none that can be told."""

from collections.abc import Iterator

from pbem.tables.cases_court import Case
from pbem.tables.fold import BrokenHistoryError, fold
from pbem.workflow.annals import read_events
from pbem.workflow.context import Office


def list_cases(office: Office, table: str = "") -> Iterator[tuple[str, Case | BrokenHistoryError]]:
    """Every case, or those of one table, with the table's name; or why those of a table cannot be told."""
    with office.store.reading() as transaction:
        for row in transaction.games():
            if table in ("", row.id):
                try:
                    cases = fold(read_events(transaction, row.id)).cases
                except BrokenHistoryError as reason:
                    yield row.id, reason
                    continue
                yield from ((row.id, case) for case in cases)
