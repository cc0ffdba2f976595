"""How Nomadi is written; the grammar is in the file of the same name.

The words of all languages lead to the English one. What a player says with an offer comes back as it was written.
"""

from functools import cache
from typing import Final

from engine.nomadi.board import BITS
from engine.nomadi.legal import SUPPLY
from engine.nomadi.moves import Card, Dice, End, Give, Leave, Offer, Place, Step, Take
from notation.headers import quote, unquote
from notation.lalr.grammar import read_grammar
from notation.move_words import fill_words, read_words
from notation.phrasebook import HIDDEN, Phrasebook

_LOOK_ALIKES: Final = str.maketrans("\u0410\u0415\u041a\u041c\u041e\u0422", "AEKMOT")
"""Cyrillic letters that look and sound like Latin ones."""

_COLOUR: Final = "a player's colour (blue, yellow, red, green, black)"


@cache
def _square(text: str) -> str:
    column, row = text[0].upper().translate(_LOOK_ALIKES), int(text[1:])
    return f"{column}{row}"


_DICE_WORDS: Final = (
    *(("one", 1), ("two", 2), ("twee", 2), ("thr", 3), ("drie", 3), ("fou", 4), ("vier", 4), ("fiv", 5), ("vijf", 5)),
    *(("six", 6), ("zes", 6), ("jed", 1), ("dw", 2), ("tr", 3), ("cz", 4), ("pi", 5), ("sz", 6)),
    *(("ед", 1), ("од", 1), ("дв", 2), ("тр", 3), ("че", 4), ("пя", 5), ("ше", 6)),
    *(("אחת", 1), ("שתיים", 2), ("שלוש", 3), ("ארבע", 4), ("חמש", 5), ("שש", 6)),
)
"""How the words for the sides of a die begin, in five languages."""
_ARTICLES: Final = ("the ", "a ", "de ", "een ", "\u05d5", "\u05d1")


@cache
def _number(text: str) -> int:
    if text.isdecimal():
        return int(text)
    word = text.lower()
    for article in _ARTICLES:
        word = word.removeprefix(article)
    return next(number for beginning, number in _DICE_WORDS if word.startswith(beginning))


def _step(die: int, origin: str, *way: str) -> Step:
    """A die and two squares, or three when the bend is named."""
    *bend, target = way
    return Step(die, origin, target, *bend)


_PIPS: Final = frozenset("123456")
_CARDS: Final = {format(value, "+"): value for value in SUPPLY} | {HIDDEN: None}


def _read_canonical(text: str) -> object:
    """What records mostly consist of: steps, throws, cards and their answers."""
    match text.split(" "):
        case [("1" | "2" | "3" | "4" | "5" | "6") as die, way]:
            squares = way.split("-")
            return _step(int(die), *squares) if 2 <= len(squares) <= 3 and BITS.keys() >= {*squares} else None
        case ["dice", *pips] if pips and {*pips} <= _PIPS:
            return Dice(tuple(map(int, pips)))
        case ["card", square, value] if square in BITS and value in _CARDS:
            return Card(square, _CARDS[value])
        case ["place", square] if square in BITS:
            return Place(square)
        case ["take", square] if square in BITS:
            return Take(square)
        case ["leave", square] if square in BITS:
            return Leave(square)
        case ["offer"]:
            return Offer()
        case ["end"]:
            return End()
    return None


def _write_step(step: Step) -> str:
    way = [step.origin, step.target] if step.bend is None else [step.origin, step.bend, step.target]
    return f"{step.die} {'-'.join(way)}"


def _write_card(card: Card) -> str:
    return f"card {card.square} {HIDDEN if card.value is None else format(card.value, '+')}"


def _write_offer(offer: Offer) -> str:
    return f"offer {quote(offer.words)}" if offer.words else "offer"


NOTATION: Final = Phrasebook(
    grammar=fill_words(read_grammar("games/nomadi"), read_words("nomadi")),
    words=read_words("nomadi"),
    names=("BLUE", "YELLOW", "RED", "GREEN", "BLACK"),
    moves={
        "place": Place,
        "step": _step,
        "offer": Offer,
        "take": Take,
        "leave": Leave,
        "end": End,
        "give": Give,
        "dice": lambda *pips: Dice(pips),
        "card": Card,
    },
    example="6 F12-I15, 2 J14-H14",
    script=True,
    places=lambda _position: BITS,
    canonical=_read_canonical,
    bare="place {}",
    gap=(
        r"(?:(?<![\w-])|(?<=\bמ-))(?<![0-9] )(?<![0-9][:.)] )[A-P][0-9]{1,2}"
        r"(?:(?: ?(?:-|->|→|>) ?| (?:to|naar|na|do|на|до|אל) | ל-?)[A-P][0-9]{1,2}){1,2}(?![\w-])"
    ),
    fillers=tuple(f"{die} " for die in range(1, 7)),
    declines=(Leave,),
    values={
        "BLUE": "blue",
        "YELLOW": "yellow",
        "RED": "red",
        "GREEN": "green",
        "BLACK": "black",
        "SQUARE": _square,
        "NUMBER": _number,
        "PIPS": int,
        "VALUE": int,
        "HIDDEN": None,
        "WORDS": unquote,
        "_PLACE": "place",
        "_OFFER": "offer",
        "_TAKE": "take",
        "_LEAVE": "leave",
        "_END": "end",
        "_GIVE": "give",
        "_DICE": "dice",
        "_CARD": "card",
    },
    says={
        "BLUE": _COLOUR,
        "YELLOW": _COLOUR,
        "RED": _COLOUR,
        "GREEN": _COLOUR,
        "BLACK": _COLOUR,
        "SQUARE": "a square such as K7",
        "NUMBER": "a number",
        "PIPS": "a die from 1 to 6",
        "VALUE": "a card's value such as +2",
        "HIDDEN": "hidden",
        "WORDS": 'words in quotation marks, such as "a fine one"',
        "_PLACE": "place",
        "_OFFER": "offer",
        "_TAKE": "take",
        "_LEAVE": "leave",
        "_END": "end",
        "_GIVE": "give",
        "_DICE": "dice",
        "_CARD": "card",
    },
    write={
        Step: _write_step,
        Card: _write_card,
        Offer: _write_offer,
        Take: lambda take: f"take {take.square}" if take.square else "take",
        Leave: lambda leave: f"leave {leave.square}" if leave.square else "leave",
        Dice: lambda dice: f"dice {' '.join(map(str, dice.values))}",
    },
)
