"""How Through the Desert is written; the grammar is in the file of the same name.

Camels of one colour are grouped: ``mint K8 K7``. The words of all languages lead to the English one.
"""

from functools import cache
from typing import Final

from engine.through_the_desert.board import COLOURS
from engine.through_the_desert.moves import Camel, Leader, Pass, Remove
from notation.lalr.grammar import read_grammar
from notation.move_words import fill_words, read_words
from notation.phrasebook import Phrasebook

_LOOK_ALIKES: Final = str.maketrans("\u0410\u0415\u041a\u041c\u041e\u0422", "AEKMOT")
"""Cyrillic letters that look and sound like Latin ones."""

_COLOUR: Final = "a camel's colour (lilac, mint, lemon, green, salmon)"


@cache
def _space(text: str) -> str:
    column, row = text[0].upper().translate(_LOOK_ALIKES), int(text[1:])
    return f"{column}{row}"


def _camels(colour: str, *spaces: str) -> tuple[Camel, ...]:
    return tuple([Camel(colour, space) for space in spaces])


def _turn(moves: tuple[object, ...]) -> str:
    """Commas part the moves; a camel of the same colour as the one before gives only its space."""
    phrase, last = "", None
    for move in moves:
        if isinstance(move, Camel) and isinstance(last, Camel) and move.colour == last.colour:
            phrase += f" {move.space}"
        else:
            phrase += (", " if phrase else "") + NOTATION.text(move)
        last = move
    return phrase


def _part(piece: str) -> list[str]:
    """``mint K8 K7`` as ``mint K8`` and ``mint K7``."""
    colour, *spaces = piece.split(" ")
    if colour in COLOURS and all(map(str.isalnum, spaces)):
        return [f"{colour} {space}" for space in spaces]
    return [piece]


NOTATION: Final = Phrasebook(
    grammar=fill_words(read_grammar("games/through_the_desert"), read_words("through-the-desert")),
    words=read_words("through-the-desert"),
    moves={"remove": Remove, "leader": Leader, "camels": _camels, "pass": Pass},
    example="lilac F4, salmon C9",
    values={
        "LILAC": "lilac",
        "MINT": "mint",
        "LEMON": "lemon",
        "GREEN": "green",
        "SALMON": "salmon",
        "RED": "red",
        "BLUE": "blue",
        "ORANGE": "orange",
        "CERISE": "cerise",
        "SPACE": _space,
        "_LEADER": "leader",
        "_REMOVE": "remove",
        "_PASS": "pass",
    },
    says={
        "LILAC": _COLOUR,
        "MINT": _COLOUR,
        "LEMON": _COLOUR,
        "GREEN": _COLOUR,
        "SALMON": _COLOUR,
        "SPACE": "a space such as K7",
        "_LEADER": "leader",
        "_REMOVE": "remove",
        "_PASS": "pass",
    },
    write={Camel: lambda camel: f"{camel.colour} {camel.space}"},
    join=_turn,
    part=_part,
    shortened={Camel: ("_LEADER", lambda camel: (Leader(camel.colour, camel.space),))},
    rivals=(("LILAC", "MINT", "LEMON", "GREEN", "SALMON"),),
    places=lambda position: position.ground.grid.spaces(position.ground.spaces),
)
