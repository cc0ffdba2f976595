"""Conditions as SQL over a catalogue. What they mean stands in `query_match`; a test holds the two together."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from pbem.catalogue.catalogue_file import WIDE, Catalogue
from pbem.catalogue.query import (
    DATE,
    FIELDS,
    LEGAL,
    NUMBERS,
    OPENING,
    PLAYER,
    REFUSED,
    SEAT,
    TEXTS,
    WON,
    Condition,
    Moves,
    Phrase,
    Plain,
    Position,
    Sought,
)

Value = str | int | bytes


class Where(NamedTuple):
    """A condition on a row of `games` (called `g`) and its `kinds` (called `k`), and the values that go with it."""

    sql: str
    values: tuple[Value, ...] = ()


_NOT: Final = {"!=": "not "}
_TEXT: Final = {"game": "k.game", "rules": "k.rules"}
_NUMBER: Final = {"turns": "g.turns", "plies": "g.plies", "seats": "g.seats"}


def sql_of(terms: Iterable[Plain], sought: Iterable[Sought], catalogue: Catalogue) -> Where:
    """Some conditions as one; of positions only that a game may have come to them."""
    every = [_where(term, catalogue) for term in terms]
    every += [_may_have(each) for each in sought if isinstance(each, Position)]
    return Where(" and ".join(each.sql for each in every) or "1", tuple(each for some in every for each in some.values))


def unknown_header(terms: Iterable[Plain], catalogue: Catalogue) -> Iterator[str]:
    """The headers that are asked for and that no game has: most likely a slip."""
    for term in terms:
        if isinstance(term, Condition) and term.field not in FIELDS and not term.field.startswith(SEAT):
            asked = "select 1 from headers where name = ? limit 1"
            if catalogue.database.execute(asked, (term.field,)).fetchone() is None:
                yield term.field


def _may_have(sought: Position) -> Where:
    begins = Where("g.start = ?", (sought.start,)) if sought.start is not None else Where("1")
    if sought.turn is None:
        return begins
    return Where(f"{begins.sql} and g.turns + 1 >= ?", (*begins.values, sought.turn))


def _where(term: Plain, catalogue: Catalogue) -> Where:
    if isinstance(term, Phrase):
        said = f'"{term.words}"{"*" if term.begun else ""}'
        return Where("g.game in (select rowid from words where words match ?)", (said,))
    if isinstance(term, Moves):
        return _moves(term, catalogue)
    if term.field in (PLAYER, WON) or term.field.startswith(SEAT):
        return _players(term)
    if term.field == DATE:
        sign = "==" if term.sign == "=" else term.sign
        return Where(
            f"g.date glob '[0-9][0-9][0-9][0-9]*' and substr(g.date, 1, ?) {sign} ?", (len(term.value), term.value)
        )
    if term.field == "points":
        asked = f"select game from players where points {term.sign} ?"  # noqa: S608 - signs of the language
        return Where(f"g.game in ({asked})", (term.number,))
    if term.field in NUMBERS:
        return Where(f"{_NUMBER[term.field]} {term.sign} ?", (term.number,))
    if term.field in TEXTS:
        if term.field == "verdict" and term.value == REFUSED and term.sign != "~":
            return Where(f"g.verdict {'!=' if term.sign == '=' else '='} ?", (LEGAL,))
        column = _TEXT.get(term.field, f"g.{term.field}")
        if term.sign == "~":
            return Where(f"instr(lower({column}), ?) > 0", (term.value,))
        return Where(f"lower({column}) {term.sign} ?", (term.value,))
    return _among("select game from headed join headers using (header) where name = ?", "folded", term, (term.field,))


def _players(term: Condition) -> Where:
    asked = "select game from players join names using (name)"
    if term.field == WON:
        asked += " join seats using (seat) where won"
        if term.sign == "~":
            return Where(
                f"g.game in ({asked} and (instr(folded, ?) > 0 or instr(seats.text, ?) > 0))", (term.value, term.value)
            )
        return Where(
            f"{_NOT.get(term.sign, '')}g.game in ({asked} and (folded = ? or seats.text = ?))", (term.value, term.value)
        )
    if term.field.startswith(SEAT):
        seat = term.field.removeprefix(SEAT)
        return _among(f"{asked} join seats using (seat) where seats.text = ?", "folded", term, (seat,))
    return _among(f"{asked} where 1", "folded", term, ())


def _among(asked: str, column: str, term: Condition, values: tuple[Value, ...]) -> Where:
    """Games of which one row holds the value; for `!=`, those of which none does."""
    if term.sign == "~":
        return Where(f"g.game in ({asked} and instr({column}, ?) > 0)", (*values, term.value))
    return Where(f"{_NOT.get(term.sign, '')}g.game in ({asked} and {column} = ?)", (*values, term.value))


def _moves(term: Moves, catalogue: Catalogue) -> Where:
    """The beginning of `games.opening`: the numbers of the clauses, and of all that the last one may be."""
    *whole, last = term.clauses[:OPENING]
    numbers = [_clauses("lower(text) = ?", (each,), catalogue) for each in whole]
    wanted = "lower(text) = ? or substr(lower(text), 1, ?) = ?"
    numbers.append(_clauses(wanted, (last, len(last) + 1, f"{last} "), catalogue))
    return Where(
        " and ".join(f"hex(substr(g.opening, {1 + WIDE * at}, {WIDE})) in ({each})" for at, each in enumerate(numbers))
    )


def _clauses(wanted: str, values: tuple[Value, ...], catalogue: Catalogue) -> str:
    """The numbers of some clauses, as they stand in `games.opening`."""
    found = catalogue.database.execute(f"select clause from clauses where {wanted}", values)  # noqa: S608 - from here
    return ",".join(f"'{number:0{2 * WIDE}X}'" for (number,) in found)
