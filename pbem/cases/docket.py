"""All cases of a post, or of one table."""

from collections.abc import Iterator

from pbem.clerk.office import Office, to_event
from pbem.tables.cases import Case
from pbem.tables.folding import fold


def list_cases(office: Office, table: str = "") -> Iterator[tuple[str, Case]]:
    """Every case, or those of one table, with the table's name."""
    with office.store.reading() as transaction:
        for row in transaction.games():
            if table in ("", row.id):
                for case in fold(map(to_event, transaction.load_events(row.id))).cases:
                    yield row.id, case
