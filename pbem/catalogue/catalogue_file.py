"""The catalogue's file: one SQLite database, which can be deleted and made again.

A game has one row, however many files hold it; `places` says where it stands. A file that is read anew gets a second
row in `files`, which takes the place of the first only when all of it was read: so whoever looks sees the old state or
the new one, never half of it, whenever the work was stopped.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from pbem.catalogue.plain_words import fold
from pbem.catalogue.query import LEGAL

if TYPE_CHECKING:
    from pbem.catalogue.game_facts import GameFacts

FORM: Final = 1
"""The form of the file. A catalogue of another form is not read: it is made again."""
MARK: Final = 0x43506361
"""What SQLite keeps in the head of the file, so that no other database is taken for a catalogue."""

SCHEMA: Final = """
create table files (
    file integer primary key, name text not null, rank blob not null, done integer not null default 0,
    size integer, mtime integer, digest blob, judge blob,
    games integer, refused integer, unread integer
);
create index files_by_name on files (name);
create table games (
    game integer primary key, key blob not null, judge integer not null, verdict text not null, id text not null,
    kind integer not null, date text not null, seats integer not null, turns integer not null, plies integer not null,
    ending text not null, finished integer not null, result text not null, start blob, chain blob, opening blob not null
);
create unique index games_by_key on games (key, judge);
create table judges (judge integer primary key, text blob not null unique);
create table seats (seat integer primary key, text text not null unique);
create table kinds (kind integer primary key, game text not null, rules text not null, unique (game, rules));
create table places (
    file integer not null, number integer not null, line integer not null, begin integer, game integer not null,
    primary key (file, number)
) without rowid;
create index places_of_game on places (game);
create table names (name integer primary key, text text not null, folded text not null);
create unique index names_folded on names (folded, text);
create table players (
    name integer not null, game integer not null, place integer not null, seat integer not null, points integer,
    won integer not null, primary key (name, game, place)
) without rowid;
create table clauses (clause integer primary key, text text not null unique);
create table headers (
    header integer primary key, name text not null, text text not null, folded text not null, unique (name, text)
);
create table headed (header integer not null, game integer not null, primary key (header, game)) without rowid;
create table state (untidy integer not null);
insert into state values (0);
create virtual table words using fts5 (said, named, tokenize = 'ascii');
"""

WIDE: Final = 3
"""Bytes of the number of a clause in `games.opening`."""


class NoCatalogue(Exception):  # noqa: N818 - what the file is
    """A file is no catalogue, or cannot be used as one; the message says what to do."""


class Player(NamedTuple):
    """Who sat where; `points` is None while nobody may know them."""

    seat: str
    name: str
    points: int | None
    won: bool


class GameCounts(NamedTuple):
    """How many games there are, how many of them break a rule, and how many cannot be read."""

    games: int = 0
    refused: int = 0
    unread: int = 0

    @property
    def legal(self) -> int:
        """Games that are legal as far as they go."""
        return self.games - self.refused - self.unread

    def plus(self, other: "GameCounts") -> "GameCounts":
        """These and others."""
        return GameCounts(*(one + more for one, more in zip(self, other, strict=True)))

    def counting(self, verdict: str) -> "GameCounts":
        """These and one game more."""
        unread = verdict.startswith(UNREAD)
        return GameCounts(self.games + 1, self.refused + (verdict != LEGAL and not unread), self.unread + unread)


UNREAD: Final = "NT-"
"""What the codes of games that cannot be read begin with."""


class FileState(NamedTuple):
    """What tells whether a file has changed; one without a digest is read again each time."""

    size: int
    mtime: int
    digest: bytes | None
    judge: bytes


class KnownFile(NamedTuple):
    """A file as it was when it was read last."""

    file: int
    state: FileState
    counts: GameCounts


class Catalogue:
    """An open catalogue. Changes are kept when `commit` is called."""

    def __init__(self, database: sqlite3.Connection, folder: str) -> None:
        self.database = database
        self._folder = folder
        """Where the catalogue is: files below it are named from there, so that they can be moved together."""
        self._interned: dict[tuple[str | bytes, ...], int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.database.close()

    def commit(self) -> None:
        """Keep what was changed."""
        self.database.commit()

    def known_file(self, name: str) -> KnownFile | None:
        """What is known of a file that was read to its end."""
        asked = "select file, size, mtime, digest, judge, games, refused, unread from files where name = ? and done"
        row = self.database.execute(asked, (self._stored(name),)).fetchone()
        return KnownFile(row[0], FileState(*row[1:5]), GameCounts(*row[5:])) if row is not None else None

    def names_below(self, folder: str) -> list[str]:
        """The names of all known files in a folder and below it, as they can be opened from here."""
        asked = "select distinct name from files where substr(name, 1, ?) = ? or ? = '' order by rank"
        begins = self._stored(folder)
        begins = "" if begins == "." else begins + os.sep
        found = [name for (name,) in self.database.execute(asked, (len(begins), begins, begins))]
        return [self.shown(name) for name in found if begins or not Path(name).is_absolute()]

    def _stored(self, name: str) -> str:
        whole = os.path.abspath(name)  # noqa: PTH100 - links stay as they are named
        return os.path.relpath(whole, self._folder) if _is_below(whole, self._folder) else whole

    def shown(self, stored: str) -> str:
        """The name of a file as it can be opened from here."""
        whole = os.path.join(self._folder, stored)  # noqa: PTH118 - as above, and for a million names
        here = os.getcwd()  # noqa: PTH109 - as above
        return os.path.relpath(whole, here) if _is_below(whole, here) else whole

    def begin_file(self, name: str) -> int:
        """A new row for a file; what was known of it stays until `finish_file`."""
        self.database.execute("update state set untidy = 1")
        stored = self._stored(name)
        asked = "select file from files where name = ? and not done"
        for (old,) in self.database.execute(asked, (stored,)).fetchall():
            self._drop(old)
        asked = "insert into files (name, rank) values (?, ?)"
        made = self.database.execute(asked, (stored, _rank(stored))).lastrowid
        assert made is not None  # noqa: S101 - a row was inserted
        return made

    def finish_file(self, file: int, name: str, state: FileState, counts: GameCounts) -> None:
        """A file was read to its end: its new row counts from now on, and the old one is dropped."""
        asked = "select file from files where name = ? and file <> ?"
        for (old,) in self.database.execute(asked, (self._stored(name), file)).fetchall():
            self._drop(old)
        changed = (
            "update files set done = 1, size = ?, mtime = ?, digest = ?, judge = ?, games = ?, refused = ?, unread = ? "
            "where file = ?"
        )
        self.database.execute(changed, (*state, *counts, file))

    def touch_file(self, file: int, mtime: int) -> None:
        """A file has another time and the same content."""
        self.database.execute("update files set mtime = ? where file = ?", (mtime, file))

    def forget_file(self, name: str) -> None:
        """Drop a file that is gone."""
        for (old,) in self.database.execute("select file from files where name = ?", (self._stored(name),)).fetchall():
            self._drop(old)

    def _drop(self, file: int) -> None:
        self.database.execute("update state set untidy = 1")
        self.database.execute("delete from places where file = ?", (file,))
        self.database.execute("delete from files where file = ?", (file,))

    def known_games(self, keys: Iterable[bytes], judge: bytes) -> dict[bytes, int]:
        """Those games of some keys that were judged before, by this judge."""
        found: dict[bytes, int] = {}
        every, number = list(keys), self._number("judges", "judge", text=judge)
        for begin in range(0, len(every), 500):
            some = every[begin : begin + 500]
            marks = ",".join("?" * len(some))
            asked = f"select key, game from games where judge = ? and key in ({marks})"  # noqa: S608 - marks only
            found.update(self.database.execute(asked, (number, *some)))
        return found

    def place(self, file: int, number: int, line: int, begin: int | None, game: int) -> None:
        """Note that a game stands in a file."""
        self.database.execute("insert into places values (?, ?, ?, ?, ?)", (file, number, line, begin, game))

    def verdict(self, game: int) -> str:
        """What was found of a game when it was judged."""
        (verdict,) = self.database.execute("select verdict from games where game = ?", (game,)).fetchone()
        return str(verdict)

    def add_game(self, facts: "GameFacts", judge: bytes) -> tuple[int, bool]:
        """The number of a game, and whether it is new here."""
        known = self.known_games([facts.key], judge)
        if facts.key in known:
            return known[facts.key], False
        chain = facts.chain
        row = (
            facts.key,
            self._number("judges", "judge", text=judge),
            facts.verdict,
            facts.id,
            self._number("kinds", "kind", game=facts.game, rules=facts.rules),
            facts.date,
            len(facts.players),
            facts.turns,
            facts.plies,
            facts.ending,
            facts.finished,
            facts.result,
            chain.start if chain is not None else None,
            b"".join(key for _, key in chain.at) if chain is not None else None,
            b"".join(self._number("clauses", "clause", text=each).to_bytes(WIDE, "big") for each in facts.opening),
        )
        marks = ",".join("?" * (len(row) + 1))
        made = f"insert into games values ({marks})"  # noqa: S608 - marks only
        game = self.database.execute(made, (None, *row)).lastrowid
        assert game is not None  # noqa: S101 - a row was inserted
        for place, player in enumerate(facts.players):
            who = self._number("names", "name", folded=fold(player.name), text=player.name)
            seat = self._number("seats", "seat", text=player.seat)
            seated = (who, game, place, seat, player.points, player.won)
            self.database.execute("insert into players values (?, ?, ?, ?, ?, ?)", seated)
        for name, value in facts.headers:
            header = self._number("headers", "header", name=fold(name), text=value, folded=fold(value))
            self.database.execute("insert or ignore into headed values (?, ?)", (header, game))
        if facts.said or facts.named:
            said = (game, facts.said, facts.named)
            self.database.execute("insert into words (rowid, said, named) values (?, ?, ?)", said)
        return game, True

    def tidy(self) -> int:
        """Drop what no file holds any more, and files that were not read to their end; how many games were dropped."""
        (untidy,) = self.database.execute("select untidy from state").fetchone()
        if not untidy:
            return 0
        for (file,) in self.database.execute("select file from files where not done").fetchall():
            self._drop(file)
        gone = "select game from games where game not in (select game from places)"
        (dropped,) = self.database.execute(f"select count(*) from ({gone})").fetchone()  # noqa: S608 - names from here
        if dropped:
            for table, column in (("players", "game"), ("headed", "game"), ("words", "rowid"), ("games", "game")):
                self.database.execute(f"delete from {table} where {column} in ({gone})")  # noqa: S608 - as above
            for table, column, user in (("names", "name", "players"), ("headers", "header", "headed")):
                used = f"select {column} from {user}"  # noqa: S608 - as above
                self.database.execute(f"delete from {table} where {column} not in ({used})")  # noqa: S608 - as above
        self.database.execute("update state set untidy = 0")
        return int(dropped)

    def _number(self, table: str, column: str, **values: str | bytes) -> int:
        """The number of something that many rows name; it gets one if it has none."""
        asked_for = (table, *values.values())
        found = self._interned.get(asked_for)
        if found is None:
            if len(self._interned) > _REMEMBERED:
                self._interned.clear()
            found = self._interned[asked_for] = self._intern(table, column, values)
        return found

    def _intern(self, table: str, column: str, values: Mapping[str, str | bytes]) -> int:
        wanted = " and ".join(f"{each} = ?" for each in values)
        given = tuple(values.values())
        asked = f"select {column} from {table} where {wanted}"  # noqa: S608 - names from here
        row = self.database.execute(asked, given).fetchone()
        if row is not None:
            return int(row[0])
        marks = ",".join("?" * len(given))
        made = f"insert into {table} ({', '.join(values)}) values ({marks})"  # noqa: S608 - names from here
        number = self.database.execute(made, given).lastrowid
        assert number is not None  # noqa: S101 - a row was inserted
        return number


_REMEMBERED: Final = 100_000
"""How many of them are remembered at once, so that the memory stays as it is however many there are."""


def _is_below(name: str, folder: str) -> bool:
    return name == folder or name.startswith(folder.rstrip(os.sep) + os.sep)


def _rank(name: str) -> bytes:
    """Sorts names as folders are read: the files of a folder before the folders in it."""
    *folders, file = Path(name).parts
    return b"".join(b"1%b\0" % os.fsencode(each) for each in folders) + b"0" + os.fsencode(file)


@contextmanager
def open_catalogue(path: Path, *, create: bool) -> Iterator[Catalogue]:
    """The catalogue in a file; with `create`, a new one if there is no such file. Otherwise nothing is ever written."""
    if not create and not path.is_file():
        raise NoCatalogue(f"{path}: no such catalogue; make one with `pbem index FILE… --in {path}`")
    if path.is_dir():
        raise NoCatalogue(f"{path}: is a folder; name a file for the catalogue")
    try:
        mode = "rwc" if create else "ro"
        uri = f"{path.resolve().as_uri()}?mode={mode}"
        database = sqlite3.connect(uri, uri=True, timeout=60)
        try:
            _check(database, path, create=create)
            yield Catalogue(database, str(path.resolve().parent))
        finally:
            database.close()
    except sqlite3.Error as problem:
        raise NoCatalogue(f"{path}: {_explain(problem)}") from problem


def _check(database: sqlite3.Connection, path: Path, *, create: bool) -> None:
    (mark,) = database.execute("pragma application_id").fetchone()
    (form,) = database.execute("pragma user_version").fetchone()
    (tables,) = database.execute("select count(*) from sqlite_master").fetchone()
    if create and not tables and not mark:
        database.executescript(f"begin; {SCHEMA} pragma application_id = {MARK}; pragma user_version = {FORM}; commit;")
        return
    if mark != MARK:
        raise NoCatalogue(f"{path}: is no catalogue, so nothing is written to it; name another file")
    if form != FORM:
        raise NoCatalogue(f"{path}: was made by another version; delete it and make it again with `pbem index`")


def _explain(problem: sqlite3.Error) -> str:
    said = str(problem)
    if "not a database" in said:
        return "is no catalogue, so nothing is written to it; name another file"
    if "malformed" in said:
        return "is damaged; delete it and make it again with `pbem index`"
    if "locked" in said:
        return "is being written by another `pbem index`; try again when that is done"
    return f"cannot be used; {said}"
