"""How many steps it takes to read hostile letters of several lengths, as JSON; run in a process of its own.

    python -m tests.steps.letter_steps patterns|lines LENGTH,LENGTH,... GAME,GAME,... [FIRST:LAST:STEP]

`patterns` counts what regular expressions do (`counted_patterns`), `lines` the lines of Python that are run. Both are
the same on every machine and in every run. What neither sees is the time that functions in C take for long texts:
`str.find`, slices, codecs. They are few, and each goes once over what it is given.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from tests.steps.counted_patterns import StepCount, count_patterns

SHAPES: list[list[str]] = json.loads((Path(__file__).parent / "hostile_shapes.json").read_text("utf-8"))
"""Where it stands, what comes before, what is repeated, and what comes after."""
ADDRESS = "caravan@example.org"
BODIES = {
    "plain": "text/plain; charset=utf-8",
    "flowed": "text/plain; charset=utf-8; format=flowed",
    "html": "text/html; charset=utf-8",
    "qp": "text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable",
    "base64": "text/plain; charset=utf-8\nContent-Transfer-Encoding: base64",
    "multipart": "multipart/mixed; boundary=b",
}


def grow(shape: list[str], length: int) -> str:
    """The text of a shape, about as long as wanted."""
    _, before, again, after = shape
    return before + (again * (length // len(again) + 1))[:length] + after


def write_mail(shape: list[str], length: int, to: str) -> bytes:
    """A mail that is as the shape says, and sound otherwise."""
    where, text = shape[0], grow(shape, length)
    lines = {"From": "anna@example.net", "To": to, "Subject": "Re: your turn"}
    if where == "header":
        lines.pop(text.partition(":")[0], None)
        head = "".join(f"{name}: {value}\n" for name, value in lines.items())
        return f"{text}\n{head}\nlilac A3\n".encode()
    head = "".join(f"{name}: {value}\n" for name, value in lines.items())
    return f"{head}Content-Type: {BODIES[where]}\n\n{text}\n".encode()


@contextmanager
def counting_lines() -> Iterator[None]:
    """Count every line of Python that is run."""

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        StepCount.steps += event in ("line", "call")
        return trace

    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(None)


@contextmanager
def counting_patterns() -> Iterator[None]:
    """What patterns do is counted all the time."""
    yield


def main(what: str, lengths: list[int], keys: list[str], shapes: list[list[str]]) -> dict[str, dict[str, list[int]]]:
    """The steps of each shape in each game, for each length."""
    if what == "patterns":
        count_patterns()
    from engine.registry import find_game
    from pbem.mail.commands import parse_letter
    from pbem.mail.reading import Letter, limits, read_letter
    from pbem.mail.reply_address import PostIdentity, format_reply_address

    # Without these limits, so that nothing hides behind them.
    parse_letter.CHARACTERS = parse_letter.LINES = 10**9  # type: ignore[misc]  # constants of the program
    limits.HEADER = limits.HEADERS = limits.HOPS = limits.RESULTS = limits.LINES = 10**9  # type: ignore[misc]  # as above
    counting = counting_patterns if what == "patterns" else counting_lines
    post = PostIdentity(ADDRESS, authserv_id="mail.example.org", ticket_key=b"key")
    to = format_reply_address(b"key", ADDRESS, game="sirocco-7", seat="red", turn=13, mark="aaaaaa")

    def read(shape: list[str], length: int, key: str) -> int:
        StepCount.steps = 0
        raw = b"" if shape[0] == "words" else write_mail(shape, length, to)
        with counting():
            words = grow(shape, length)
            if raw:
                letter = read_letter(raw, post=post)
                words = letter.words if isinstance(letter, Letter) else ""
            if words:
                parse_letter.parse_commands(words, game=find_game(key))
        return StepCount.steps

    found: dict[str, dict[str, list[int]]] = {}
    for number, shape in enumerate(shapes):
        # What a mail is made of does not depend on the game; its words are read by each.
        for key in keys if shape[0] == "words" else [keys[number % len(keys)]]:
            read(shape, 60, key)  # what is loaded and cached at first is not counted
            found.setdefault(json.dumps(shape), {})[key] = [read(shape, length, key) for length in lengths]
    return found


if __name__ == "__main__":
    measured, sizes, games, *part = sys.argv[1:]
    some = SHAPES[slice(*(int(each) if each else None for each in (part[0] if part else ":").split(":")))]
    json.dump(main(measured, [*map(int, sizes.split(","))], games.split(","), some), sys.stdout)
