"""What a catalogue holds, without the numbers by which its tables refer to each other."""

import sqlite3
from pathlib import Path

from engine.registry import find_game
from notation import Record, write_record
from pbem.cli.sample import make

PLACES = """
    select files.name, places.number, places.line, places.begin, games.key, verdict, games.id, kinds.game, rules, date,
        seats, turns, plies, ending, finished, result, start, chain, games.opening, said, named
    from places join files using (file) join games using (game) join kinds using (kind)
    left join words on words.rowid = games.game where files.done order by files.rank, number"""
PLAYERS = """
    select games.key, place, seats.text, names.text, folded, points, won from players join games using (game)
    join names using (name) join seats on seats.seat = players.seat order by games.key, place"""
HEADERS = """
    select games.key, name, text, folded
    from headed join headers using (header) join games using (game) order by 1, 2"""
FILES = "select name, size, digest, games, refused, unread from files where done order by rank"


def rows(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Everything that can be asked of a catalogue, in an order that does not depend on how it came about."""
    database = sqlite3.connect(path)
    try:
        clauses = dict(database.execute("select clause, text from clauses"))
        found = {
            name: list(database.execute(asked))
            for name, asked in (("places", PLACES), ("players", PLAYERS), ("headers", HEADERS), ("files", FILES))
        }
        counts = [
            database.execute(f"select count(*) from {each}").fetchone()[0]  # noqa: S608 - names from here
            for each in ("games", "players", "headed", "headers", "names", "words")
        ]
        assert database.execute("pragma integrity_check").fetchone() == ("ok",)
    finally:
        database.close()
    found["places"] = [
        (*row[:18], tuple(clauses[int.from_bytes(row[18][at : at + 3])] for at in range(0, len(row[18]), 3)), *row[19:])
        for row in found["places"]
    ]
    return found | {"counts": [tuple(counts)]}


def sampled(key: str, players: int, seed: str) -> Record:
    game = find_game(key)
    assert game is not None
    return make(game, players, seed)


def small(seed: str, players: int = 2, *, named: str = "", said: str = "") -> str:
    """A game in progress of a few lines, with a name and a comment."""
    lines = write_record(sampled("through-the-desert", players, seed)).splitlines()[: 22 + players]
    text = "\n".join(line if not line.startswith("[Result") else '[Result "*"]' for line in lines) + "\n"
    text = text.replace('[Seat.red "Red"]', f'[Seat.red "{named}"]') if named else text
    return f"{text}{{{said}}}\n" if said else text
