"""Hostile letters of any length, and a reader without the limits of the post, at a table where a game is being played.

Nothing of ours is imported before a reader is made, so that patterns can be counted from the first one on.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from engine.game import GameRules
    from pbem.tables.play import Pending

SHAPES: Final[list[list[str]]] = json.loads((Path(__file__).parent / "hostile_shapes.json").read_text("utf-8"))
"""Where it stands, what comes before, what is repeated, and what comes after."""
KEYS: Final = ("through-the-desert", "nomadi", "brotherhood-base", "brotherhood")
ADDRESS: Final = "caravan@example.org"
BODIES: Final = {
    "plain": "text/plain; charset=utf-8",
    "flowed": "text/plain; charset=utf-8; format=flowed",
    "html": "text/html; charset=utf-8",
    "qp": "text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable",
    "base64": "text/plain; charset=utf-8\nContent-Transfer-Encoding: base64",
    "multipart": "multipart/mixed; boundary=b",
    "twice": "multipart/alternative; boundary=b",
}
_TWICE: Final = "--b\nContent-Type: text/plain\n\n{0}\n--b\nContent-Type: text/html\n\n<pre>{0}\nx</pre>\n--b--"
"""The same words in plain text and, nearly, in HTML."""
_NAMES: Final = ("Anna Smith", "Bert", "Carla", "Dora de Vries")
_BEGUN: Final = 0.4
"""How much of a game is over where letters are read."""


def grow(shape: Sequence[str], length: int) -> str:
    """The text of a shape, about as long as wanted."""
    _, before, again, after = shape
    return before + (again * (length // len(again) + 1))[:length] + after


def write_mail(shape: Sequence[str], length: int, to: str) -> bytes:
    """A mail that is as the shape says, and sound otherwise."""
    where, text = shape[0], grow(shape, length)
    lines = {"From": "anna@example.net", "To": to, "Subject": "Re: your turn"}
    if where == "header":
        lines.pop(text.partition(":")[0], None)
        head = "".join(f"{name}: {value}\n" for name, value in lines.items())
        return f"{text}\n{head}\nlilac A3\n".encode()
    head = "".join(f"{name}: {value}\n" for name, value in lines.items())
    body = _TWICE.format(text) if where == "twice" else text
    return f"{head}Content-Type: {BODIES[where]}\n\n{body}\n".encode()


def table_of(key: str) -> "tuple[GameRules, Pending]":
    """A game, and what a seat can do in the middle of it, at a table of four with names."""
    from engine.chance import KeyedDealer
    from engine.registry import find_game
    from pbem.judging.lookahead import sample_game
    from pbem.judging.record_replay import replay_record
    from pbem.tables.play import open_to

    game = find_game(key)
    assert game is not None
    seats = game.seats[: len(_NAMES)]
    record = sample_game(game, seats=seats, dealer=KeyedDealer(b"hostile"), name="sirocco-7")
    begun = replace(record, entries=record.entries[: int(_BEGUN * len(record.entries))])
    position = replay_record(begun).position
    due = [seat for seat in game.to_act(position) if seat in seats]
    return game, open_to(game, position, due[0] if due else seats[0], names=dict(zip(seats, _NAMES, strict=True)))


class HostileLetter(NamedTuple):
    """A mail, or words that were read from one."""

    raw: bytes
    words: str


class PatientReader:
    """Reads letters as the post does; without the limits on their length, so that nothing hides behind them."""

    def __init__(self, keys: Sequence[str], *, limited: bool = False) -> None:
        from pbem.mail.commands import parse_letter
        from pbem.mail.reading import limits
        from pbem.mail.reply_address import PostIdentity, format_reply_address

        if not limited:
            lifted = {
                "HEADER",
                "HEADERS",
                "HOPS",
                "RESULTS",
                "LINES",
                "WORDS",
                "LINES_OF_WORDS",
                "TAGS",
                "HIDING_RULES",
            }
            vars(limits).update(dict.fromkeys(lifted, 10**9))
            vars(parse_letter).update(CHARACTERS=10**9, LINES=10**9)
        self._post = PostIdentity(ADDRESS, authserv_id="mail.example.org", ticket_key=b"key")
        self._to = format_reply_address(b"key", ADDRESS, game="sirocco-7", seat="red", turn=13, mark="aaaaaa")
        self._tables = {key: table_of(key) for key in keys}

    def write(self, shape: Sequence[str], length: int) -> HostileLetter:
        """A letter of a shape."""
        if shape[0] == "words":
            return HostileLetter(b"", grow(shape, length))
        return HostileLetter(write_mail(shape, length, self._to), "")

    def read(self, letter: HostileLetter, key: str) -> None:
        """Read a letter and what it says, at the table of a game."""
        from pbem.mail.commands.parse_letter import parse_letter
        from pbem.mail.reading import Letter, read_letter

        words, shown = letter.words, ""
        if letter.raw:
            found = read_letter(letter.raw, post=self._post)
            words, shown = (found.words, found.shown) if isinstance(found, Letter) else ("", "")
        if words:
            game, pending = self._tables[key]
            parse_letter(words, shown, game=game, pending=pending)
