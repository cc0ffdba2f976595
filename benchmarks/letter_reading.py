"""How long letters take to read, beside the standard library's parser, and beside what the post does for a move.

    python -m benchmarks.letter_reading [--quick] [--json]

Ours reads the header, the parts, the text, what is quoted and what the commands and moves mean, at a table in the
middle of a game. The library only takes the mail apart and decodes its texts. The dearest letters within the limits are
looked for first, among all hostile shapes of `tests/steps` in all games, and among letters of much prose in which no
line comes twice, which are read for the first time then. Then, in the same rounds, a table of the full
Brotherhood is played at a post of its own: each move is a letter that is read, judged, made durable and answered, with
all mails about it. CPU time, in shuffled order: the best of several runs beside the library, and the middle one beside
the moves, because every move is another one.
"""

import gc
import json
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from itertools import product
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from engine.brotherhood.full_game import GAME
from engine.chance import KeyedDealer
from pbem.mail.reply_address import format_reply_address
from pbem.tables.chance import random_moves
from pbem.workflow.context import PostContext
from pbem.workflow.handle_letter import LetterOutcome, handle_arrived_letters
from tests.letters.prose.train import MARK, rows
from tests.post.towns import Town, found_town
from tests.steps.hostile_letters import ADDRESS, KEYS, SHAPES, HostileLetter, PatientReader, write_mail

ROOT: Final = Path(__file__).resolve().parents[1]
TICKET: Final = format_reply_address(b"key", ADDRESS, game="sirocco-7", seat="red", turn=13, mark="aaaaaa")
DEAREST: Final = 6
"""How many of the dearest letters are measured again."""
OPENING: Final = 16
"""Turns that are played before moves are measured: the pieces of the beginning, and a few more."""
MOVES_IN_ROUND: Final = 2
MOVES: Final = dict(zip(KEYS, ("lilac A3", "take A1", "road 3-4", "road 3-4"), strict=True))
"""A move of each game."""
PICTURE = ("A" * 76 + "\n") * 2_400
PROSE = "Thank you for the game, it was very nice\n"


def plain(text: str) -> bytes:
    """A mail of plain text."""
    return f"From: anna@example.net\nTo: {TICKET}\nContent-Type: text/plain; charset=utf-8\n\n{text}\n".encode()


def quoting(text: str, times: int) -> bytes:
    """An answer that quotes a mail with pictures."""
    page = f"<p>{text}</p><blockquote>{'<p>quoted <b>words</b> of ours</p>' * 300}</blockquote>"
    parts = [f"Content-Type: text/html; charset=utf-8\n\n{page}\n"]
    parts += [f"Content-Type: image/png\nContent-Transfer-Encoding: base64\n\n{PICTURE}\n"] * times
    body = "".join(f"--b\n{part}" for part in parts) + "--b--\n"
    head = f"From: anna@example.net\nTo: {TICKET}\nContent-Type: multipart/related; boundary=b\n\n"
    return (head + body).encode()


def letters() -> dict[str, bytes]:
    """What is measured."""
    named = {
        "a move": plain("road 3-4"),
        "a move and ten lines of prose": plain("road 3-4\n\n" + PROSE * 10),
        "a move above 60 kB quoted": plain("road 3-4\n\n" + f"> {PROSE}" * 1_400),
        "a move above our mail with its picture": quoting("road 3-4", 1),
        "a move and 9 MB of pictures": quoting("road 3-4", 48),
        "8 kB of prose": plain(PROSE * 190),
        "200 lines of one word": plain("hello\n" * 199),
        "64 moves": plain("road 3-4\n" * 64),
        "8 kB of dots": plain("not " + "." * 8_000),
        "8 kB of brackets": plain("(" * 8_000),
    }
    folder = ROOT / "tests" / "letters"
    return named | {f"tests/letters/{path.name}": path.read_bytes() for path in sorted(folder.glob("*.eml"))[:6]}


def theirs(raw: bytes) -> None:
    """Take a mail apart and decode its texts."""
    for part in message_from_bytes(raw, policy=policy.default).walk():
        if part.get_content_maintype() == "text":
            part.get_content()


class LimitLetter(NamedTuple):
    """A hostile letter as long as it may be, the game in which it is read, and how long that took."""

    name: str
    raw: bytes
    key: str
    seconds: float


def longest(shape: list[str]) -> Iterator[int]:
    """Lengths at which a letter of a shape comes to a limit: on words or lines of them, on all text, on HTML."""
    yield 8_000
    lines = shape[2].count("\n")
    if lines:
        yield from (198 * len(shape[2]) // lines, 1_990 * len(shape[2]) // lines)
    if shape[0] != "words":
        yield from (980, 60_000, 250_000)


def find_dearest(reader: PatientReader, shapes: list[list[str]]) -> list[LimitLetter]:
    """The dearest letters of all shapes and games."""
    found = []
    for key in KEYS:
        for shape in shapes:
            placed = ["plain", *shape[1:]] if shape[0] == "words" else shape
            took = [_read_long(reader, key, placed, length) for length in longest(shape)]
            found.append(max(took, key=lambda letter: letter.seconds))
        gc.collect()
    found += [_read_once(reader, name, raw, key) for key in KEYS for name, raw in chatter(key)]
    return sorted(found, key=lambda letter: -letter.seconds)[:DEAREST]


def chatter(key: str) -> Iterator[tuple[str, bytes]]:
    """A move and as much prose as a letter may have, with no sentence twice: as lines, as one, and in HTML too."""
    apart = re.compile(r"(?<=[.!?])\s+|\n")
    for language, gap, where in product(("en", "nl", "pl", "ru", "he"), ("\n", " "), ("plain", "twice")):
        said = (
            each
            for row in rows()
            if row["language"] == language and row["label"] == "plain"
            for each in apart.split(row["text"])
            if MARK not in each
        )
        talk = list(dict.fromkeys(map(str.strip, said)))
        random.Random(f"{key}{language}{gap}").shuffle(talk)
        length, lines = 0, [MOVES[key]]
        while length < 7_600 and len(lines) < 195:
            lines.append(talk.pop())
            length += len(lines[-1]) + 1
        yield f"{where} prose {language} {gap!r} {key}", write_mail([where, gap.join(lines), "\n", ""], 1, TICKET)


def _read_once(reader: PatientReader, name: str, raw: bytes, key: str) -> LimitLetter:
    started = time.process_time()
    reader.read(HostileLetter(raw, ""), key)
    return LimitLetter(name, raw, key, time.process_time() - started)


def _read_long(reader: PatientReader, key: str, shape: list[str], length: int) -> LimitLetter:
    raw = write_mail(shape, length, TICKET)
    reader.read(HostileLetter(write_mail(shape, 100, TICKET), ""), key)  # what is loaded at first does not count
    return _read_once(reader, f"{shape[0]} {shape[1][:12]!r} {shape[2][:24]!r} {length} {key}", raw, key)


class TimedMoves:
    """A table of the full Brotherhood that is played by mail, and the seconds that each move took."""

    def __init__(self, town: Town) -> None:
        self._town = town
        town.handle = self._handle
        self.seconds: list[float] = []

    def _handle(self, context: PostContext) -> LetterOutcome:
        started = time.process_time()
        (outcome,) = handle_arrived_letters(context)
        self.seconds.append(time.process_time() - started)
        return outcome

    def play(self) -> None:
        """Let somebody who is due write a letter with a turn of random moves."""
        table = self._town.table
        seat = table.due[0]
        moves = random_moves(table, seat, KeyedDealer(b"%d" % len(self.seconds)))
        outcome = self._town.write(seat, moves)
        assert outcome.fate == "applied", (seat, moves, outcome)


@contextmanager
def table_by_mail() -> Iterator[TimedMoves]:
    """A table at a new post, after its opening."""
    with tempfile.TemporaryDirectory(prefix="letters-") as home, found_town(Path(home) / "post", GAME, 4) as town:
        moves = TimedMoves(town)
        for _ in range(OPENING):
            moves.play()
        moves.seconds.clear()
        yield moves


class ReadingFigures(NamedTuple):
    """The best seconds of each letter, ours and the library's; the dearest letters; and the seconds of moves.

    `middle` has the middle seconds of each of the dearest.
    """

    letters: dict[str, tuple[float, float]]
    dearest: dict[str, tuple[float, float]]
    middle: dict[str, float]
    moves: list[float]

    @property
    def share(self) -> float:
        """The dearest letter, as a share of an ordinary move."""
        return max(self.middle.values()) / median(self.moves)


def measure(rounds: int, shapes: list[list[str]]) -> ReadingFigures:
    """Everything in one run."""
    reader = PatientReader(KEYS, limited=True)
    named = [LimitLetter(name, raw, GAME.key, 0) for name, raw in letters().items()]
    gc.disable()
    dearest = find_dearest(reader, shapes)
    seconds: dict[tuple[str, int], list[float]] = {}
    sides: tuple[Callable[[LimitLetter], None], ...] = (
        lambda letter: reader.read(HostileLetter(letter.raw, ""), letter.key),
        lambda letter: theirs(letter.raw),
    )
    contenders = [(letter, side) for letter in (*named, *dearest) for side in range(len(sides))]
    with table_by_mail() as table:
        for _ in range(rounds):
            for letter, side in random.sample(contenders, len(contenders)):
                started = time.process_time()
                sides[side](letter)
                seconds.setdefault((letter.name, side), []).append(time.process_time() - started)
            for _ in range(MOVES_IN_ROUND):
                table.play()
            gc.collect()
    best = {name: (min(seconds[name, 0]), min(seconds[name, 1])) for name in (letter.name for letter, _ in contenders)}
    return ReadingFigures(
        {letter.name: best[letter.name] for letter in named},
        {letter.name: best[letter.name] for letter in dearest},
        {letter.name: median(seconds[letter.name, 0]) for letter in dearest},
        table.seconds,
    )


def report(figures: ReadingFigures) -> Iterator[str]:
    """The figures as lines."""
    for title, timed in (("letters", figures.letters), ("the dearest within the limits", figures.dearest)):
        yield f"{title}:"
        for name, (mine, other) in timed.items():
            yield f"{name:70} {1000 * mine:9.2f} ms {1000 * other:9.2f} ms {mine / other:7.2f}x"
    low, middle = min(figures.moves), median(figures.moves)
    yield f"an ordinary move by mail: {1000 * middle:.1f} ms, the cheapest of {len(figures.moves)}: {1000 * low:.1f} ms"
    dear = 1000 * max(figures.middle.values())
    yield f"the dearest letter takes {dear:.1f} ms in the middle, {figures.share:.2f} of an ordinary move"


if __name__ == "__main__":
    is_quick = "--quick" in sys.argv
    found = measure(2 if is_quick else 15, SHAPES[::20] if is_quick else SHAPES)
    if "--json" in sys.argv:
        ratios = {name: mine / other for name, (mine, other) in (found.letters | found.dearest).items()}
        sys.stdout.write(json.dumps({"letters": ratios, "dearest to move": found.share}) + "\n")
    else:
        sys.stdout.write("\n".join(report(found)) + "\n")
