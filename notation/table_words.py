"""What the table itself says, in every game: turns taken back, pauses, seats that change hands, how a game ended.

An entry whose seat is one of WORDS is read by `table.lark`, the same in every game. The same grammar reads the Result
header.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from notation.faults import Fault
from notation.format_rules import BY_CODE
from notation.headers import quote, unquote
from notation.lalr.grammar import read_grammar
from notation.lalr.parser import Unexpected
from notation.lookalikes import plain
from notation.phrasebook import Phrasebook
from notation.phrases import Phrases, phrases
from notation.record import Ending, Left, Paused, Resumed, Seated, Standing, Undone

END: Final = "end"
"""Where a seat would stand, in the entry that ends a game."""

UNDO: Final = "undo"
PAUSE: Final = "pause"
RESUME: Final = "resume"
SUBSTITUTE: Final = "substitute"
RESIGN: Final = "resign"

WORDS: Final = {
    END: "normal",
    UNDO: "turn 29",
    PAUSE: '"vote"',
    RESUME: '"vote"',
    SUBSTITUTE: 'red "Dana"',
    RESIGN: "red",
}
"""The words that stand where a seat would, and are none, with an example of each. They are rules of `table.lark`."""

UNFINISHED: Final = "*"
"""The Result of a game that goes on."""

_KINDS: Final = ("normal", "resigned", "agreed", "time", "abandoned", "adjudicated")


def _ending(kind: str, *more: tuple[str, str]) -> Ending:
    seats = tuple(text for what, text in more if what == "seat")
    return Ending(kind, seats, next((text for what, text in more if what == "reason"), ""))


def _write_ending(ending: Ending) -> str:
    # Without one an adjudication could not be read again.
    reason = [quote(ending.reason)] if ending.reason or ending.kind == "adjudicated" else []
    return " ".join([ending.kind, *ending.seats, *reason])


BOOK: Final = Phrasebook(
    grammar=read_grammar("table"),
    moves={
        "ending": _ending,
        "undone": Undone,
        "paused": lambda reason: Paused(reason[1]),
        "resumed": lambda reason: Resumed(reason[1]),
        "seated": lambda seat, name: Seated(seat[1], name[1]),
        "left": lambda seat: Left(seat[1]),
    },
    example="normal",
    values={
        **{kind.upper(): kind for kind in _KINDS},
        "SEAT": lambda text: ("seat", text.lower()),
        "REASON": lambda text: ("reason", unquote(text)),
        "POINTS": int,
    },
    says={
        **{kind.upper(): kind for kind in _KINDS},
        "SEAT": "a seat",
        "REASON": "a text in quotation marks",
        "POINTS": "a number",
        "WON": "won",
        "UNFINISHED": "*",
    },
    write={
        Ending: _write_ending,
        Undone: lambda undone: f"turn {undone.turn}" + (f" after {undone.kept}" if undone.kept else ""),
        Paused: lambda paused: quote(paused.reason),
        Resumed: lambda resumed: quote(resumed.reason),
        Seated: lambda seated: f"{seated.seat} {quote(seated.name)}",
        Left: lambda left: left.seat,
    },
    also=(*WORDS, "result"),
)


@lru_cache(maxsize=256)
def table(word: str = END, key: str | None = None) -> Phrases:
    """The reader of what follows a table word, in the game called `key`: seats are called there as in its moves."""
    values = {**BOOK.values, "SEAT": lambda text: ("seat", _seat(text, key))}
    return Phrases(replace(BOOK, example=WORDS[word], values=values), start=word)


def _seat(word: str, key: str | None) -> str:
    reader = None if key is None else phrases(key)
    return word.lower() if reader is None else reader.seat(word)


def read_result(text: str, key: str | None = None) -> tuple[Standing, ...] | Fault:
    """The standings of a Result header, in the order given; empty while the game goes on. `key` names the game."""
    read: tuple[Standing, ...] | Unexpected = table().parser.parse(plain(text), "result", _result)
    if not isinstance(read, Unexpected):
        return tuple(standing._replace(seat=_seat(standing.seat, key)) for standing in read)
    from notation.explain import explain  # needed only when something went wrong

    why = explain(table(), text, read)
    return Fault(
        code="NT-M3",
        line=1,
        column=why.at + 1,
        text=text,
        read=why.read,
        expected=why.expected,
        example=BY_CODE["NT-M3"].obeys,
        length=max(1, len(why.read)),
        meant=why.meant,
    )


def write_result(standings: Iterable[Standing]) -> str:
    """The Result header for standings in seat order."""
    return ", ".join(_write_standing(*standing) for standing in standings) or UNFINISHED


def _write_standing(seat: str, points: int | None, won: bool) -> str:
    return " ".join([seat, *([] if points is None else [str(points)]), *(["won"] if won else [])])


def _result(rule: str, parts: Sequence[Any], _end: int) -> Any:
    if rule == "standing":
        seat, *more = parts
        points = next((int(part.text) for part in more if part.kind == "POINTS"), None)
        return Standing(seat.text.lower(), points, any(part.kind == "WON" for part in more))
    return tuple(part for part in parts if isinstance(part, Standing))
