"""How long a letter takes to read, beside the standard library's parser on the same bytes.

    python -m benchmarks.letter_reading [--quick] [--json]

Ours reads the header, the parts, the text, what is quoted and what the commands and moves mean, in the game with the
most words. The library only takes the mail apart and decodes its texts. CPU time, the best of several runs in shuffled
order.
"""

import gc
import json
import random
import sys
import time
from email import message_from_bytes, policy
from pathlib import Path
from typing import TYPE_CHECKING

from engine.registry import find_game
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.reading import Letter, read_letter
from pbem.mail.reply_address import PostIdentity, format_reply_address

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[1]
GAME = find_game("brotherhood")
ADDRESS = "caravan@example.org"
POST = PostIdentity(ADDRESS, "mail.example.org", b"key")
TICKET = format_reply_address(b"key", ADDRESS, game="sirocco-7", seat="red", turn=13, mark="aaaaaa")
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


def ours(raw: bytes) -> None:
    """Read a letter and its commands."""
    letter = read_letter(raw, post=POST)
    if isinstance(letter, Letter):
        parse_commands(letter.words, game=GAME)


def theirs(raw: bytes) -> None:
    """Take a mail apart and decode its texts."""
    for part in message_from_bytes(raw, policy=policy.default).walk():
        if part.get_content_maintype() == "text":
            part.get_content()


def measure(rounds: int) -> dict[str, tuple[float, float]]:
    """The best time of each letter in seconds, ours and the library's."""
    found = letters()
    best: dict[tuple[str, int], float] = {}
    contenders: list[tuple[str, int, Callable[[bytes], None]]] = [
        (name, side, work) for name in found for side, work in enumerate((ours, theirs))
    ]
    for name, _, work in contenders:
        work(found[name])
    gc.disable()
    for _ in range(rounds):
        random.shuffle(contenders)
        for name, side, work in contenders:
            started = time.process_time()
            work(found[name])
            took = time.process_time() - started
            best[name, side] = min(took, best.get((name, side), took))
    return {name: (best[name, 0], best[name, 1]) for name in found}


if __name__ == "__main__":
    figures = measure(2 if "--quick" in sys.argv else 15)
    if "--json" in sys.argv:
        sys.stdout.write(json.dumps({name: mine / other for name, (mine, other) in figures.items()}) + "\n")
    else:
        for name, (mine, other) in figures.items():
            sys.stdout.write(f"{name:45} {1000 * mine:9.2f} ms {1000 * other:9.2f} ms {mine / other:7.2f}x\n")
