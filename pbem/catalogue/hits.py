"""The games that were found: where they stand, and what is told of them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.catalogue.catalogue_file import Catalogue, Player
from pbem.catalogue.query_sql import Where

if TYPE_CHECKING:
    from pbem.catalogue.game_facts import GameFacts


class Told(NamedTuple):
    """What a list of games says of each."""

    verdict: str
    id: str
    game: str
    rules: str
    date: str
    turns: int
    ending: str
    finished: bool
    result: str
    players: tuple[Player, ...]


class Hit(NamedTuple):
    """A game that was found: the file, its number in there from 1, its line, and the key of its text."""

    file: str
    number: int
    line: int
    told: Told
    key: bytes
    begin: int | None = None


def tell(facts: "GameFacts") -> Told:
    """What a list says of a game with these facts."""
    return Told(*(getattr(facts, name) for name in Told._fields))


_FROM: Final = (
    "from places p join files f using (file) join games g using (game) join kinds k using (kind) where f.done"
)


def count_hits(catalogue: Catalogue, where: Where) -> int:
    """How many games meet a condition."""
    asked = f"select count(*) {_FROM} and {where.sql}"
    (number,) = catalogue.database.execute(asked, where.values).fetchone()
    return int(number)


def find_hits(catalogue: Catalogue, where: Where) -> Iterator[Hit]:
    """The games that meet a condition, in the order of the files."""
    columns = (
        "f.name, p.number, p.line, p.begin, g.game, g.key, "
        "g.verdict, g.id, k.game, k.rules, g.date, g.turns, g.ending, g.finished, g.result"
    )
    asked = f"select {columns} {_FROM} and {where.sql} order by f.rank, p.number"
    shown: dict[str, str] = {}
    for name, number, line, begin, game, key, *told in catalogue.database.execute(asked, where.values):
        file = shown.get(name) or shown.setdefault(name, catalogue.shown(name))
        verdict, identity, title, rules, date, turns, ending, finished, result = told
        players = _players(catalogue, game)
        facts = Told(verdict, identity, title, rules, date, turns, ending, bool(finished), result, players)
        yield Hit(file, number, line, facts, key, begin)


def _players(catalogue: Catalogue, game: int) -> tuple[Player, ...]:
    asked = (
        "select seats.text, names.text, points, won from players join names using (name) "
        "join seats on seats.seat = players.seat where players.game = ? order by place"
    )
    found = catalogue.database.execute(asked, (game,))
    return tuple(Player(seat, name, points, bool(won)) for seat, name, points, won in found)
