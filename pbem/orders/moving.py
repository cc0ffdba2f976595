"""Moves in a letter: reading them, telling what only looks like one, and finding the one turn they make up.

What a move is, the game's own grammar says. What looks like one is anything that a player may have meant as a
move: such a line must never be passed over while the rest of the letter is played.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from engine.game import CHANCE, Game
from notation import WORDS, Fault, read_moves, write_moves
from notation.phrases import phrases
from notation.reading.lookalikes import plain

_WORD: Final = re.compile(r"\w+(?:['-]\w+)*")
_PLACE: Final = re.compile(r"[^\W\d_]{1,2}\d{1,2}")
_LIKE_A_PLACE: Final = "C3"
_NONSENSE: Final = ("xqzjv", "7")
"""What no word of a game is; a pattern that takes them takes anything."""
_SHORTEST: Final = 3
"""Letters of a word by which a line may be known; shorter ones are in every sentence."""

_HEAD: Final = re.compile(r"(?:\d{1,6}\s*[.)]+\s*)?(?:([*]|[^\W\d_][\w-]*)\s*:)?\s*")


class Turn(NamedTuple):
    """The moves of a turn, in canonical form too, and its number if the player named it."""

    moves: tuple[Any, ...]
    phrase: str
    number: int | None = None


def read_turn(game: Game[Any], text: str, *, number: int | None = None) -> Turn | None:
    """The moves that a text holds, if it holds nothing else. Exclamation marks at its end are forgiven."""
    reader = phrases(game.key)
    moves = reader.read(_unmarked(text)) if reader is not None and text else None
    return Turn(moves, write_moves(game, moves), number) if type(moves) is tuple else None


def why_no_turn(game: Game[Any], text: str, line: int) -> Fault | None:
    """What keeps a text from being a turn."""
    fault = read_moves(game, _unmarked(text))
    return fault._replace(line=line) if isinstance(fault, Fault) else None


def _unmarked(text: str) -> str:
    return text.rstrip("! ")


def join(game: Game[Any], turns: Iterable[Turn]) -> Turn | None:
    """Lines that follow one another as one turn; None if they are more than one.

    The same turn twice is that turn. Different ones are one turn if each holds one move only, or if a turn of the game
    is a script, as long as one likes.
    """
    reader = phrases(game.key)
    is_script = reader is not None and reader.book.script
    different = list(dict.fromkeys(turns))
    numbers = {turn.number for turn in different}
    if len(different) == 1:
        return different[0]
    if len(numbers) > 1 or (not is_script and any(len(turn.moves) > 1 for turn in different)):
        return None
    moves = tuple(move for turn in different for move in turn.moves)
    return Turn(moves, write_moves(game, moves), *numbers)


def the_one_turn(game: Game[Any], groups: Sequence[Sequence[Turn]]) -> Turn | None:
    """The turn that all groups of lines hold alike; None if there are several."""
    found = {join(game, group) for group in groups}
    return found.pop() if len(found) == 1 else None


def looks_like_moves(game: Game[Any], text: str) -> bool:
    """True if a line that is no move may have been meant as one: it names a space, or mostly uses the game's words."""
    words = _WORD.findall(plain(text))
    known = _vocabulary(game.key)
    if known.has_places and any(map(_PLACE.fullmatch, words)):
        return True
    spoken = [word for word in words if not known.ignores.fullmatch(word)]
    named = [word for word in spoken if known.words.fullmatch(word)]
    return 2 * len(named) >= len(spoken) and any(len(word) >= _SHORTEST for word in named)


def is_of_a_record(game: Game[Any], text: str) -> bool:
    """True if a line begins as the post writes them: with a number, or with a seat and a colon."""
    head = _HEAD.match(plain(text))
    if head is None or not head[0].strip():
        return False
    who = head[1] or CHANCE
    return who in (CHANCE, *WORDS) or name_seat(game, who) in game.seats


def name_seat(game: Game[Any] | None, word: str) -> str:
    """The seat that a player's word names; a word that names none comes back as it is."""
    reader = phrases(game.key) if game is not None else None
    return word if reader is None else reader.seat(word)


class _Vocabulary(NamedTuple):
    """The words of a game's notation: those that say something, those that do not, and whether it names places."""

    words: re.Pattern[str]
    ignores: re.Pattern[str]
    has_places: bool


@lru_cache(maxsize=64)
def _vocabulary(key: str) -> _Vocabulary:
    reader = phrases(key)
    if reader is None:
        raise LookupError(f"{key} has no phrasebook")
    automaton = reader.automaton
    ignored = automaton.tables.ignored
    patterns = [terminal.regexp for terminal in automaton.tables.terminals if terminal.name not in ignored]
    telling = [each for each in patterns if not any(re.fullmatch(each, word) for word in _NONSENSE)]
    return _Vocabulary(
        re.compile("|".join(f"(?:{each})" for each in telling) or "(?!)"),
        re.compile(automaton.regexp(*ignored) or "(?!)"),
        any(re.fullmatch(each, _LIKE_A_PLACE) for each in patterns),
    )
