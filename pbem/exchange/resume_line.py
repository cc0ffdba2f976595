"""A running game in one line, short enough for a subject or a link, from which any post or terminal can go on.

It holds what everybody may know and nothing else: the game, its edition, seats, set-up and plies. A ply is its number
among the legal ones, sorted by how they are written, so that the line follows from the rules alone; what the rules do
not list, such as dice, is written out. A check finds what was cut off or mistyped, and the digest of the position says
that both sides mean the same game. Names are not in it.
"""

import binascii
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from engine.digest import digest
from engine.game import GameRules, Ply
from engine.registry import find_game
from engine.verdict import Verdict
from notation import RESIGN, Entry, Fault, Record, read_moves, write_moves
from notation.headers import sort_headers
from notation.record import POSE, SEAT
from pbem.judging.entries import standing_entries
from pbem.judging.open_record import open_record
from pbem.judging.record_replay import replay_record
from pbem.judging.result import Refusal
from pbem.judging.start_checks import start_from_headers

MARK: Final = "CP1"
LONGEST: Final = 8192
"""Characters of a line that is read."""
_MOST_TEXT: Final = 1 << 16
_MOST_PLIES: Final = 20_000
_CHECK: Final = 4
_LINE: Final = re.compile(rf"{MARK}\.([a-z][a-z0-9-]{{0,60}})\.([0-9A-Za-z]{{1,20}})\.([A-Za-z0-9_-]+)")


class Resumed(NamedTuple):
    """The record that a line tells; or what is wrong with it."""

    record: Record | None
    problem: str = ""


class _Misshapen(Exception):  # noqa: N818 - it is what the line is
    """Raised inside this module where a line is not of the form; callers get it as a value."""


def write_resume(record: Record) -> Resumed | str:
    """The line of a game that goes on; or, as a problem, why there is none."""
    opened = open_record(record)
    game = record.game
    if opened.replayed.refusal is not None or game is None:
        return Resumed(None, "the record breaks a rule; `pbem validate` says which")
    if opened.replayed.finished:
        return Resumed(None, "the game is over; hand on its record")
    if any(entry.who == RESIGN for entry in record.entries):
        return Resumed(None, "a seat was given up, which a line cannot say; hand on the record")
    shown = Record(opened.record.headers, tuple(standing_entries(opened.record.entries)))
    opening = start_from_headers(shown)
    if isinstance(opening, Refusal) or replay_record(_renumbered(shown, game)).refusal is not None:
        says = "moves of this game are hidden, and it cannot go on from what everybody may know; hand on the record"
        return Resumed(None, says)
    _, position = opening
    choices: list[tuple[int, int]] = []
    literal: list[str] = []
    for entry in shown.entries:
        for move in entry.moves:
            ply = Ply(entry.who, game.without_words(move)[0])
            listed = _listed(game, position)
            name = _name(game, ply)
            if name in listed:
                choices.append((listed.index(name) + 1, len(listed) + 1))
            else:
                choices.append((0, len(listed) + 1))
                literal.append(name)
            position = game.apply(position, ply)
    head = _pack("\n".join([" ".join(record.seats), *_set_up(shown, game)]))
    words = _pack("\n".join(literal))
    number = 0
    for choice, of in reversed(choices):
        number = number * of + choice
    body = b"".join([_size(len(head)), head, _size(len(words)), words, _size(len(choices))])
    body += number.to_bytes((number.bit_length() + 7) // 8, "big")
    seal = bytes.fromhex(digest(game, position))[:_CHECK]
    written = urlsafe_b64encode(_check(game, body) + seal + body).decode().rstrip("=")
    return f"{MARK}.{game.key}.{game.edition}.{written}"


def read_resume(line: str) -> Resumed:
    """The record that a line tells. Blanks and line ends inside it do not matter, because mail programs add them."""
    line = "".join(line[: 2 * LONGEST].split())
    if len(line) > LONGEST:
        return Resumed(None, f"it is longer than {LONGEST:,} characters")
    found = _LINE.fullmatch(line)
    if found is None:
        return Resumed(None, f"it is no line of a game: one begins with {MARK}. and has four parts with dots between")
    key, edition, written = found.groups()
    game = find_game(key, edition)
    if game is None:
        return Resumed(None, f"the game {key} in edition {edition} is not installed here")
    try:
        return Resumed(_Reader(game, urlsafe_b64decode(written + "=" * (-len(written) % 4))).record())
    except (_Misshapen, binascii.Error) as wrong:
        return Resumed(None, str(wrong) if isinstance(wrong, _Misshapen) else "a part of it is missing")


class _Reader:
    """Reads the bytes of one line."""

    def __init__(self, game: GameRules, data: bytes) -> None:
        self._game = game
        check, self._seal, self._left = data[:_CHECK], data[_CHECK : 2 * _CHECK], data[2 * _CHECK :]
        if len(self._seal) < _CHECK or check != _check(game, self._left):
            raise _Misshapen("a part of it is missing or was changed; copy all of it")

    def record(self) -> Record:
        """The game, with one entry for what one seat did in one turn."""
        game = self._game
        seats, *set_up = _unpack(self._take()).split("\n")
        literal = iter(_unpack(self._take()).split("\n"))
        plies = self._number()
        if plies > _MOST_PLIES:
            raise _Misshapen(f"it has more than {_MOST_PLIES:,} moves")
        headers = [("Format", "1"), ("Game", game.key), ("Rules", game.edition)]
        headers += [(f"{SEAT}{seat}", seat.capitalize()) for seat in seats.split()]
        for name, _, value in (each.partition("=") for each in set_up):
            if name not in [option.name for option in game.options] and name.partition(".")[0] != POSE:
                raise _Misshapen("its set-up says what the game does not know")
            headers.append((name, value))
        record = Record(sort_headers([*headers, ("Result", "*")]))
        opening = start_from_headers(record)
        if isinstance(opening, Refusal):
            raise _Misshapen("its set-up cannot start a game")
        _, position = opening
        number = int.from_bytes(self._left, "big")
        made: list[tuple[int, Ply]] = []
        for _ in range(plies):
            listed = _listed(game, position)
            number, choice = divmod(number, len(listed) + 1)
            name = listed[choice - 1] if choice else next(literal, "")
            ply = self._ply(name)
            if not game.to_act(position) or game.judge(position, ply) is not None:
                raise _Misshapen(f"its move {len(made) + 1} is not legal")
            made.append((game.turn(position), ply))
            position = game.apply(position, ply)
        if bytes.fromhex(digest(game, position))[:_CHECK] != self._seal:
            raise _Misshapen("it leads to another position than it should; is this the same edition of the game?")
        return Record(record.headers, tuple(_entries(made)))

    def _ply(self, name: str) -> Ply:
        seat, _, clause = name.partition(" ")
        moves = read_moves(self._game, clause) if clause else ()
        if isinstance(moves, Fault) or len(moves) != 1:
            raise _Misshapen("one of its moves cannot be read")
        return Ply(seat, moves[0])

    def _take(self) -> bytes:
        size = self._number()
        taken, self._left = self._left[:size], self._left[size:]
        if len(taken) < size:
            raise _Misshapen("a part of it is missing")
        return taken

    def _number(self) -> int:
        if len(self._left) < 2:
            raise _Misshapen("a part of it is missing")
        number, self._left = int.from_bytes(self._left[:2], "big"), self._left[2:]
        return number


def _listed(game: GameRules, position: Any) -> list[str]:
    """The legal plies as they are written, in an order that follows from that alone."""
    return sorted({_name(game, ply) for ply in game.legal(position)})


def _name(game: GameRules, ply: Ply) -> str:
    return f"{ply.seat} {write_moves(game, [ply.move])}"


def _set_up(record: Record, game: GameRules) -> Iterator[str]:
    """The headers that say how a game is set up, without what is usual."""
    usual = {option.name: option.default for option in game.options}
    for name, value in record.setup.options:
        if usual.get(name) != value:
            yield f"{name}={value}"
    yield from (f"{name}={value}" for name, value in record.headers if name.partition(".")[0] == POSE)


def _entries(made: Iterable[tuple[int, Ply]]) -> Iterator[Entry]:
    turn, who = 0, ""
    moves: list[Any] = []
    for number, ply in made:
        if moves and (number, ply.seat) != (turn, who):
            yield Entry(turn, who, tuple(moves))
            moves = []
        turn, who = number, ply.seat
        moves.append(ply.move)
    if moves:
        yield Entry(turn, who, tuple(moves))


def _renumbered(record: Record, game: GameRules) -> Record:
    """A record without what was taken back, so that its turns follow each other."""
    position = game.start(record.setup)
    made = []
    for entry in record.entries:
        for move in entry.moves:
            if isinstance(position, Verdict) or game.judge(position, Ply(entry.who, move)) is not None:
                return record
            made.append((game.turn(position), Ply(entry.who, move)))
            position = game.apply(position, made[-1][1])
    return Record(record.headers, tuple(_entries(made)))


def _check(game: GameRules, body: bytes) -> bytes:
    return blake2b(f"{game.key} {game.edition} ".encode() + body, digest_size=_CHECK).digest()


def _size(number: int) -> bytes:
    return number.to_bytes(2, "big")


def _pack(text: str) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(text.encode()) + packer.flush()


def _unpack(data: bytes) -> str:
    unpacker = zlib.decompressobj(-15)
    try:
        text = unpacker.decompress(data, _MOST_TEXT)
        if not unpacker.eof:
            raise _Misshapen("it is longer than a game can be")
        return text.decode()
    except (zlib.error, UnicodeDecodeError):
        raise _Misshapen("a part of it cannot be read") from None


def is_resume(text: str) -> bool:
    """Whether a text looks like a line of a game, and not like the name of a file."""
    return text.strip().startswith(f"{MARK}.")
