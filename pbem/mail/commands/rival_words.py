"""Words beside a move that name something else of the game than the move does.

*Only salmon for me today: mint D4, lilac A3.* The moves are clear, and the words say others. Nobody can tell which of
them is a slip, so such a letter is pencilled and never played at once. Compared are only things of one kind, of which a
move has one where it could have another (`Phrasebook.rivals`): colours, what is built, yes and no, players, and numbers
in a game whose places are numbers. *The salmon one of Chiara's is in a nice spot* costs a pencil, too.
"""

import re
from collections.abc import Collection
from functools import cache, lru_cache
from typing import Final

from engine.game import GameRules
from notation.phrases import Phrases, phrases
from pbem.mail.commands.player_names import find_player
from pbem.mail.commands.vocabulary import patterns
from pbem.tables.play import Pending

_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_PLAIN_NUMBER: Final = re.compile(
    r"(?<![\w:./+,#-])(?<![+\d] )[1-9][0-9]?(?![\w:/%-]|[.,][0-9]| [0-9]|\s*(?:\u20ac|°))"
)
"""A number that is no part of a time, a date, a sum or a number to call."""


def speaks_of_others(game: GameRules, move: str, beside: str, pending: Pending | None) -> bool:
    """Whether the words beside a move, in canonical form, name a rival of something that the move has."""
    reader = phrases(game.key)
    tokens = reader.parser.tokens(move, "moves") if reader is not None else None
    if reader is None or tokens is None or not reader.book.rivals:
        return False
    own = frozenset(token.kind for token in tokens)
    said = _WORD.findall(beside)
    for group in reader.book.rivals:
        named = own.intersection(group)
        kinds = {kind for word in said for kind in _kinds(game.key, group, word)} if named else set[str]()
        if kinds - named:
            return True
    declines = any(isinstance(each, reader.book.declines) for each in reader.read_cached(move) or ())
    if declines and _agreeing().search(beside) is not None:
        return True
    if pending is not None and _names_other_player(reader, own, said, pending):
        return True
    return reader.book.places is None and _has_other_number(move, beside)


@lru_cache(maxsize=2_048)
def _kinds(key: str, group: tuple[str, ...], word: str) -> frozenset[str]:
    """Which terminals of a group a word can be."""
    reader = phrases(key)
    terminals = reader.parser.terminals if reader is not None else {}
    return frozenset(kind for kind in group if kind in terminals and re.fullmatch(terminals[kind].regexp, word))


@cache
def _agreeing() -> re.Pattern[str]:
    """What people say when they take an offer, beside the word for it."""
    return re.compile(rf"(?<!\w)(?:{patterns('answers', 'agrees')})(?!\w)", re.IGNORECASE)


def _names_other_player(reader: Phrases, own: Collection[str], said: list[str], pending: Pending) -> bool:
    """Whether a move is about one player, and the words name others only."""
    values = reader.book.values
    meant = {str(values.get(kind)) for kind in own if kind in reader.book.names}
    called = {seat for word in said if (seat := find_player(word, pending.names)) and seat != pending.seat}
    return bool(meant and called) and meant.isdisjoint(called)


def _has_other_number(move: str, beside: str) -> bool:
    """Whether a number beside a move, which may be a place, is not in the move."""
    return not set(_PLAIN_NUMBER.findall(beside)) <= set(re.findall(r"[0-9]+", move))
