"""Words beside a move that name something else of the game than the move does.

*Only salmon for me today: mint D4, lilac A3.* The moves are clear, and the words say others. Nobody can tell which of
them is a slip, so such a letter is pencilled and never played at once. Compared are only things of one kind, of which a
move has one where it could have another (`Phrasebook.rivals`): colours, what is built, yes and no, players, and numbers
in a game whose places are numbers. *The salmon one of Chiara's is in a nice spot* costs a pencil, too. So do
words that deny what the move does (*I don't use Marsh this time*), or lead to another number (*on the two*).

A move itself may be what is not wanted: *mint D4 without lilac A3*, *lilac anywhere but A3*. It is neither played nor
pencilled.
"""

import re
from collections.abc import Collection
from functools import cache, lru_cache
from typing import Final

from engine.game import GameRules
from notation.phrases import Phrases, phrases
from pbem.mail.commands.parse_moves import MOVE
from pbem.mail.commands.player_names import find_player
from pbem.mail.commands.vocabulary import Patterns, load_languages, patterns
from pbem.tables.play import Pending

_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_PLAIN_NUMBER: Final = re.compile(
    r"(?<![\w:./+,#-])(?<![+\d] )[1-9][0-9]?(?![\w:/%-]|[.,][0-9]| [0-9]|\s*(?:\u20ac|°))"
)
"""A number that is no part of a time, a date, a sum or a number to call."""
_CLAUSE: Final = re.compile(r"[.!?,;:()\n]")
_HEBREW: Final = re.compile(r"[\u05d1\u05d5\u05dc\u05de\u05d4](?=[\u05d0-\u05ea]{3})")
"""A Hebrew letter that is written together with a word."""
_BEFORE: Final = 60
"""Characters before a move in which words may shut it out."""
_LOWEST: Final = 2
"""The first of the numbers in the list of numbers that places are called by."""


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
    if _denies(reader, own, beside) or (reader.book.places is None and _leads_elsewhere(move, beside)):
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


def _denies(reader: Phrases, own: Collection[str], beside: str) -> bool:
    """Whether a clause says that something is not done which the move does: *I don't use Marsh this time*.

    Where a move robs somebody, robbing is such a thing, and so is building anything at all where it builds.
    """
    named = [reader.parser.terminals[kind].regexp for kind in own if kind in reader.book.deniable]
    robs = bool(named) and any(kind in reader.book.names for kind in own)
    builds = any(kind in reader.book.builds for kind in own)
    for clause in _CLAUSE.split(beside) if named or builds else ():
        if not _holds("denials", clause):
            continue
        if (robs and _holds("robbing", clause)) or (
            builds and _holds("building", clause) and not _holds("besides", clause)
        ):
            return True
        words = [bare for word in _WORD.findall(clause) for bare in (word, _HEBREW.sub("", word, count=1))]
        if any(re.fullmatch(regexp, word) for regexp in named for word in words):
            return True
    return False


def is_shut_out(text: str, start: int, end: int) -> bool:
    """Whether words right before a move, or right behind it, say that it is not wanted: *mint D4, not lilac A3*."""
    clause = _CLAUSE.split(text[max(0, start - _BEFORE) : start])[-1]
    return _shutting_out().search(clause) is not None or _shut_out().match(text, end) is not None


def shuts_out_within(told: str) -> bool:
    """The same for words before or inside a move of which only these words were read, with MOVE for them."""
    first, last = told.find(MOVE), told.rfind(MOVE)
    return is_shut_out(told, first, last + 1) or _holds("shuts_out", told[max(first, 0) : last])


@cache
def _shutting_out() -> re.Pattern[str]:
    """Words that shut out what follows them, with a short word or two before that, such as an article."""
    said = rf"(?<!\w)\u05d5?(?:{patterns('moves', 'shuts_out')})(?:\W+[^\W\d_]{{1,5}}){{0,2}}\W*\Z"
    return re.compile(said, re.IGNORECASE)


@cache
def _shut_out() -> re.Pattern[str]:
    """A no that ends the clause of a move."""
    return re.compile(rf"\s*(?:{patterns('moves', 'shut_out')})\s*(?:\Z|[.,;!])", re.IGNORECASE)


def _holds(name: str, clause: str) -> bool:
    return _pattern(name).search(clause) is not None


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{patterns('moves', name)})(?!\w)", re.IGNORECASE)


def _leads_elsewhere(move: str, beside: str) -> bool:
    """Whether words lead to a number that the move does not have: *on the two*, beside another number."""
    named = set(re.findall(r"[0-9]+", move))
    return any(str(number) not in named and said.search(beside) for number, said in _place_numbers())


@cache
def _place_numbers() -> list[tuple[int, re.Pattern[str]]]:
    """The numbers that places are called by in words, each with how they are said."""
    lists = [each.moves for each in load_languages().values()]
    count = max(len(each.get("place_numbers", ())) for each in lists)
    said = [
        "|".join(_led(each, at) for each in lists if at < len(each.get("place_numbers", ()))) for at in range(count)
    ]
    return [(at + _LOWEST, re.compile(rf"(?<!\w)(?:{each})(?!\w)", re.IGNORECASE)) for at, each in enumerate(said)]


def _led(words: Patterns, at: int) -> str:
    return rf"(?:{'|'.join(words['leads_to_number'])})(?:{words['place_numbers'][at]})"


def _names_other_player(reader: Phrases, own: Collection[str], said: list[str], pending: Pending) -> bool:
    """Whether a move is about one player, and the words name others only."""
    values = reader.book.values
    meant = {str(values.get(kind)) for kind in own if kind in reader.book.names}
    called = {seat for word in said if (seat := find_player(word, pending.names)) and seat != pending.seat}
    return bool(meant and called) and meant.isdisjoint(called)


def _has_other_number(move: str, beside: str) -> bool:
    """Whether a number beside a move, which may be a place, is not in the move."""
    return not set(_PLAIN_NUMBER.findall(beside)) <= set(re.findall(r"[0-9]+", move))
