"""What is known of a game without reading it again: who played, how it went, how it began, and what was said.

Of a game that goes on only what everybody may know is known here: neither words nor keys tell what a hand holds.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import islice
from typing import Final, NamedTuple

from engine.game import CHANCE
from notation import COMMENT, END, VARIATION, Fault, Reading, Record, Remark, read_result, write_record
from notation.record import POSE, SEAT
from pbem.catalogue.catalogue_file import Player
from pbem.catalogue.plain_words import BETWEEN, plain_words
from pbem.catalogue.query import LEGAL, OPENING, plain_date
from pbem.judging.game_keys import ChainKeys, chain_keys, keyed_plies
from pbem.judging.open_record import open_record
from pbem.judging.record_replay import replay_record
from pbem.judging.result import ReplayResult

SHORT: Final = 32
"""Characters of a game's own header, such as `Board`, that can be asked for."""
KEY: Final = 16
"""Bytes of the key of a game's text."""

_OWN: Final = {"Format", "Game", "Rules", "Id", "Result", "Date", "Proof", "SeedCommitment", "BlindCommitment"}
"""Headers that are facts of their own, or tell people nothing."""
_PLAYER: Final = "Player."


class GameFacts(NamedTuple):
    """A game as a catalogue has it.

    `verdict` is LEGAL, or the code of the rule that the game breaks. `key` is that of its text as it stands in a file.
    Where the text holds more than everybody may know (`is_secret`), or could not be read, it is another key, which no
    text has: a key of a secret lets anybody guess it.
    """

    verdict: str
    key: bytes
    is_secret: bool = False
    id: str = ""
    game: str = ""
    rules: str = ""
    date: str = ""
    turns: int = 0
    plies: int = 0
    ending: str = ""
    finished: bool = False
    result: str = ""
    players: tuple[Player, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    opening: tuple[str, ...] = ()
    chain: ChainKeys | None = None
    said: str = ""
    """The plain words of all comments."""
    named: str = ""
    """The plain words of the names and of all headers that people write."""


def game_facts(reading: Reading, text: str | None) -> GameFacts:
    """The facts of a game as it was read from `text`."""
    record = reading.record
    if record is None:  # what cannot be read may hold anything
        code = reading.faults[0].code
        return GameFacts(code, _other_key(code), is_secret=True)
    replayed = replay_record(record)
    is_over = replayed.finished if replayed.refusal is None else any(entry.who == END for entry in record.entries)
    shown = record if is_over else open_record(record).record
    is_secret = shown != record
    # Headers alone may belong to the game that follows.
    has_key = text is not None and not is_secret and record.entries
    key = text_key(text) if text is not None and has_key else _other_key(write_record(shown))
    return _facts(shown, replayed, key)._replace(is_secret=is_secret)


def header_facts(record: Record) -> GameFacts:
    """What the headers of a record tell, so that a game that they rule out needs not be judged."""
    options = _options(record)
    headers = tuple((name, value) for name, value in record.headers if _is_plain_header(name, value, options))
    players = tuple(Player(seat, record.header(f"{SEAT}{seat}") or "", None, won=False) for seat in record.seats)
    written = [*(each.name for each in players), *(value for name, value in headers if name not in options)]
    game = record.game
    return GameFacts(
        LEGAL,
        b"",
        id=record.header("Id") or "",
        game=record.header("Game") or "",
        rules=game.edition if game is not None else record.header("Rules") or "",
        date=plain_date(record.header("Date") or ""),
        result=record.header("Result") or "",
        players=players,
        headers=headers,
        named=BETWEEN.join(filter(None, map(plain_words, written))),
    )


def _other_key(text: str) -> bytes:
    return sha256(b"\0" + text.encode()).digest()[:KEY]


def text_key(text: str) -> bytes:
    """The key of a game as it stands in a file."""
    return bytes_key(text.encode("utf-8", "surrogateescape"))


def bytes_key(text: bytes) -> bytes:
    """The key of a game as it stands in a file: line ends, and what is empty around it, do not count."""
    plain = text.replace(b"\r\n", b"\n") if b"\r" in text else text
    return sha256(plain.strip(b" \t\r\n")).digest()[:KEY]


def _facts(record: Record, replayed: ReplayResult, key: bytes) -> GameFacts:
    return header_facts(record)._replace(
        verdict=replayed.refusal.code if replayed.refusal is not None else LEGAL,
        key=key,
        turns=replayed.turns,
        plies=replayed.plies,
        ending=replayed.ending.kind if replayed.ending is not None else "",
        finished=replayed.finished,
        players=tuple(_players(record, replayed)),
        opening=tuple(islice(players_moves(record), OPENING)) if replayed.game is not None else (),
        chain=chain_keys(record) if replayed.refusal is None else None,
        said=BETWEEN.join(filter(None, map(plain_words, _comments(record)))),
    )


def players_moves(record: Record) -> Iterator[str]:
    """The clauses that players moved, chance and words of the table left out."""
    return (each.clause for each in keyed_plies(record, b"") if each.who != CHANCE)


def _options(record: Record) -> set[str]:
    return {option.name for option in record.game.options} if record.game is not None else set()


def _is_plain_header(name: str, value: str, options: set[str]) -> bool:
    """Whether a header can be asked for. Long set-ups are for replays to compare, not for words."""
    return (
        name not in _OWN
        and (name not in options or len(value) <= SHORT)
        and not name.startswith((SEAT, _PLAYER))
        and name.partition(".")[0] != POSE
    )


def _players(record: Record, replayed: ReplayResult) -> Iterator[Player]:
    """Everybody at the table. The record's own result decides where it gives one, as it may after an adjudication."""
    claimed = read_result(record.header("Result") or "", record.header("Game")) if replayed.finished else ()
    standings = {} if isinstance(claimed, Fault) else {each.seat: each for each in claimed}
    score = replayed.score if replayed.game is not None and replayed.refusal is None else None
    for seat in record.seats:
        points, won = (score.shown(seat), seat in score.winners) if score is not None else (None, False)
        if seat in standings:
            points, won = standings[seat].points, standings[seat].won
        yield Player(seat, record.header(f"{SEAT}{seat}") or "", points, won)


def _comments(record: Record) -> Iterator[str]:
    for entry in record.entries:
        yield from _comments_in(entry.remarks)
    yield from _comments_in(record.afterword)


def _comments_in(remarks: Iterable[Remark]) -> Iterator[str]:
    for remark in remarks:
        if remark.kind == COMMENT:
            yield remark.value
        elif remark.kind == VARIATION:
            for entry in remark.value:
                yield from _comments_in(entry.remarks)
