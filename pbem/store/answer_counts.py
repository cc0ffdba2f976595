"""How reliably people have answered, one row for each person at each table: written when it changes, read as a sum."""

from typing import Final

from pbem.store.queries import Queries, Row, reading_row, upsert_into
from pbem.store.rows import AnswerCountRow, values_of

_ROW: Final = tuple(AnswerCountRow.__slots__)
_AT: Final = f"SELECT {', '.join(_ROW)} FROM answer_count WHERE game = :game ORDER BY who"  # noqa: S608 - our own names
_OF: Final = f"SELECT {', '.join(_ROW)} FROM answer_count WHERE person = :person ORDER BY game, who"  # noqa: S608 - our own names
_SAVE: Final = upsert_into("answer_count", _ROW, key=("game", "who"), kept=("person",))


class AnswerCountQueries(Queries):
    """Queries about the answers of people."""

    __slots__ = ()

    def answer_counts_at(self, game: str) -> list[AnswerCountRow]:
        """The counts of everybody who sat at a table, by their ids there."""
        return [_read(row) for row in self._rows(_AT, {"game": game})]

    def answer_counts_of(self, person: str) -> list[AnswerCountRow]:
        """The counts of a person, table by table."""
        return [_read(row) for row in self._rows(_OF, {"person": person})]

    def save_answer_count(self, row: AnswerCountRow) -> None:
        """Add a count, or change it; whose it is never changes."""
        self._change(_SAVE, values_of(row))


@reading_row("answer_count")
def _read(row: Row) -> AnswerCountRow:
    game, who, person, *counts = row
    return AnswerCountRow(str(game), str(who), str(person), *map(int, counts))
