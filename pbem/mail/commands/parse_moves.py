"""Moves in a letter: which text is one, what only looks like one, and which one turn they make up.

What a move is, the game's own grammar says. What looks like one is anything that a player may have meant as a move:
such a line must never be passed over while the rest of the letter is played.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, Final, NamedTuple

from engine.game import CHANCE, GameRules
from notation import WORDS, Fault, read_moves, write_moves
from notation.explain import closest_word
from notation.lalr.parser import Unexpected
from notation.lookalikes import plain
from notation.phrases import Phrases, phrases
from pbem.mail.commands.vocabulary import patterns
from pbem.tables.play import Pending

_WORD: Final = re.compile(r"\w+(?:['-]\w+)*")
_PLACES: Final = re.compile(r"(?:[^\W\d_]{1,2}\d{1,2})+")
"""One space of a board, or several written without blanks."""
_GLUED: Final = re.compile(r"([^\W\d_]+)[^\W\d_]\d{1,2}")
"""A word and a space, written without a blank."""
_NUMBER_AT_END: Final = re.compile(r"\d+\Z")
_JOINTS: Final = re.compile(r"['_-]")
_LIKE_A_PLACE: Final = "C3"
MOVE: Final = "\N{SYMBOL FOR START OF TEXT}"
"""Stands for a move in a text."""
_MOVES_TOLD: Final = re.compile(rf"{MOVE}(?:[\s,;:-]*{MOVE})+")
PLACED: Final = re.compile(r"[0-9]|(?<!\w)[B-HJ-Z](?!\w)")
"""A number, or a letter that stands alone, as regions of the Brotherhood are named; A and I are words."""
_ODD_SIGN: Final = re.compile(r"[^\w\s.,;:!'()-]")
_NUMBERED: Final = re.compile(r"(?<!\w)([^\W\d_]+)\W{0,3}(\d{1,2})(?!\w)(?:\W{1,3}(\d{1,2})(?!\w))?")
"""A word with the one or two numbers after it, and any signs between them."""
_NONSENSE: Final = ("xqzjv", "7")
"""Words that no game has; a pattern that matches them matches anything."""
_SHORTEST: Final = 3
"""Letters of a word that makes a line look like a move; shorter ones are in every sentence."""
_MISSPELT: Final = 5
_ALIKE: Final = 0.8
_FEW: Final = 6
"""A misspelt word: how many letters it has, how like a word of the game it is, and how many words its line has."""

_MOST_RIVALS: Final = 6
_YES_OR_NO: Final = ({"Accept", "Decline"}, {"Take", "Leave"})
"""Kinds of moves that answer the same question."""

_SAID: Final = re.compile(r'"[^"]*"')
_STRIKES_FROM: Final = re.compile(r"\A-+|(?<!\S)-+(?=[^\s>-])")
_STRIKES_TO: Final = re.compile(r"(?<!-)-++\Z|(?<=[^\s-])-+(?![\w>-])")
"""Dashes around words strike them out in plain text; a dash only before them is a bullet."""

_THEN: Final = re.compile(
    r"[\s,;]*(?:(?:and|then|next|after that|en|dan|daarna|vervolgens|i|oraz|a|potem|nast\u0119pnie|\u0438|\u0430"
    r"|\u043f\u043e\u0442\u043e\u043c|\u0437\u0430\u0442\u0435\u043c|\u05d5|\u05d5?\u05d0\u05d6|the|de|het"
    r"|with|met|ze?|\u0441\u043e?|\u05e2\u05dd)(?!\w)[\s,;]*)*",
    re.IGNORECASE,
)
"""Words that lead from one move to the next, and to its die."""
_HEAD: Final = re.compile(r"(?:\d{1,6}\s*[.)]+\s*)?(?:([*]|[^\W\d_][\w-]*)\s*:)?\s*")


@cache
def _courtesy() -> re.Pattern[str]:
    """Thanks and smiles at the end of a line; faces that think it over are not among them."""
    return re.compile(
        rf"(?<![\s,.!-])(?:[\s,.!-]*+(?:(?<!\w)(?:{patterns('moves', 'thanks')})(?!\w)"
        r"|[:;]-?[)D]|[🙂😀😃😄😁😊😉😎👍🙏🐪🐫🏜🌴][\U0001f3fb-\U0001f3ff\ufe0f]?)){1,4}[\s.!]*+\Z",
        re.IGNORECASE,
    )


@cache
def _towards() -> re.Pattern[str]:
    """An arrow after a space, or a word for one."""
    return re.compile(rf"(?<=\d)\s*(?:[-=]*>|[→⇒]|(?<!\w)(?:{patterns('moves', 'towards')})(?!\w))", re.IGNORECASE)


@cache
def _no() -> re.Pattern[str]:
    """A no that is followed by a word."""
    return re.compile(rf"(?<!\w)(?:{patterns('moves', 'not')})\s+(?=\w)", re.IGNORECASE)


@cache
def at_last() -> re.Pattern[str]:
    """At last, in languages where that is made of the word for the end."""
    return re.compile(rf"(?:{patterns('moves', 'at_last')})(?!\w)")


class Turn(NamedTuple):
    """The moves of a turn, in canonical form too, and its number if the player named it."""

    moves: tuple[Any, ...]
    phrase: str
    number: int | None = None


def parse_turn(game: GameRules, text: str, *, number: int | None = None) -> Turn | None:
    """The moves in a text, if it holds nothing else; exclamation marks and thanks at its end are ignored."""
    moves = read_phrase(game, _unmarked(text)) if text else None
    if moves is None or is_struck(text) or at_last().search(text) is not None:
        return None
    if may_replace(game, text) or _may_forbid(game, text):
        return None
    return Turn(moves, write_moves(game, moves), number)


def read_phrase(game: GameRules, text: str) -> tuple[Any, ...] | None:
    """The moves in a text that holds nothing else at all."""
    reader = phrases(game.key)
    moves = reader.read(text) if reader is not None else None
    return moves if type(moves) is tuple else None


def may_replace(game: GameRules, text: str) -> bool:
    """Whether an arrow leads from a whole move to another, which may be meant in its place."""
    towards = None if is_script(game) else _towards().search(text)
    return towards is not None and read_phrase(game, text[: towards.start()]) is not None


def _may_forbid(game: GameRules, text: str) -> bool:
    """Whether a no stands right before a move, so that the move may be what is not wanted."""
    said = _no().search(text)
    return said is not None and read_phrase(game, _unmarked(text[said.end() :])) is not None


def explain_turn(game: GameRules, text: str, line: int) -> Fault | None:
    """Why a text cannot be read as a turn."""
    fault = read_moves(game, _unmarked(text))
    return fault._replace(line=line) if isinstance(fault, Fault) else None


@lru_cache(maxsize=16)
def _unmarked(text: str) -> str:
    return _courtesy().sub("", text).rstrip("! ")


def is_struck(text: str) -> bool:
    """Whether part of a text may be struck out; text in quotation marks does not count."""
    bare = _SAID.sub("", plain(_unmarked(text)))
    begins = _STRIKES_FROM.search(bare)
    return begins is not None and _STRIKES_TO.search(bare, begins.end()) is not None


def is_script(game: GameRules) -> bool:
    """Whether a turn of a game may have any number of moves."""
    reader = phrases(game.key)
    return reader is not None and reader.book.script


def is_one_word(reader: Phrases, move: object) -> bool:
    """Whether a move is a single word."""
    return reader.book.text(move).isalpha()


def is_sequence(game: GameRules, between: Iterable[str]) -> bool:
    """Whether words between moves of a script say no more than that one follows the other: *, and then with the*."""
    said = list(between)
    return is_script(game) and said != [] and all(map(_THEN.fullmatch, said))


def join_turns(game: GameRules, turns: Iterable[Turn]) -> Turn | None:
    """Lines that follow one another as one turn; None if they are more than one.

    The same turn twice is that turn. Different ones are one turn if each holds one move only, or if a turn of the game
    is a script of any length.
    """
    different = list(dict.fromkeys(turns))
    numbers = {turn.number for turn in different}
    if len(different) == 1:
        return different[0]
    if len(numbers) > 1 or (not is_script(game) and any(len(turn.moves) > 1 for turn in different)):
        return None
    moves = tuple(move for turn in different for move in turn.moves)
    return Turn(moves, write_moves(game, moves), *numbers)


def single_turn(game: GameRules, groups: Sequence[Sequence[Turn]]) -> Turn | None:
    """The turn that every group of lines makes up; None if they differ."""
    found = {join_turns(game, group) for group in groups}
    return found.pop() if len(found) == 1 else None


def has_rivals(game: GameRules, turn: Turn, pending: Pending) -> bool:
    """Whether two moves of a turn are each legal now but not one after the other, so that only one can be meant.

    Moves of one kind are rivals, and a yes and a no to the same offer. Moves that can be made as they were written, one
    perhaps only after another between them, are none; nor are those that wait for what one before them shows.
    """
    first = turn.moves[:_MOST_RIVALS]
    alone = [move for move in dict.fromkeys(first) if pending.allows(write_moves(game, (move,)))]

    def settles(*moves: Any) -> bool:
        return pending.settles(write_moves(game, moves))

    def goes(*moves: Any) -> bool:
        return settles(*moves) or pending.shows(write_moves(game, moves))

    ends = (end for end in range(len(first), 0, -1) if goes(*first[:end]))
    going = first[: next(ends, 0)] if len(alone) > 1 else ()

    def are_rivals(one: Any, two: Any) -> bool:
        if {type(one).__name__, type(two).__name__} in _YES_OR_NO:
            return not settles(one, two) and not settles(two, one)
        together = (one in going and two in going) or goes(one, two) or goes(two, one)
        return type(one) is type(two) and not together

    return any(are_rivals(one, two) for one, two in combinations(alone, 2))


def looks_like_moves(game: GameRules, text: str) -> bool:
    """Whether a line that cannot be read as a move may have been meant as one.

    It names a space, or mostly uses the game's words. Numbers say nothing for or against, once there is a word that a
    move can begin with: `road 8/13` has one, and nothing else. Where spaces are numbers, it may be misspelt.
    """
    words = _WORD.findall(at_last().sub("", plain(text)))
    known = _vocabulary(game.key)
    if known.has_places and any(_names_place(known, word) for word in words):
        return True
    spoken = [word for word in words if not known.ignores(word)]
    named = [word for word in spoken if known.words(word)]
    if _are_most(named, spoken) and any(len(word) >= _SHORTEST for word in named):
        return True
    bare = (_NUMBER_AT_END.sub("", word) if word[-1].isdecimal() else word for word in spoken)
    said = [word for word in bare if any(map(str.isalpha, word))]
    mended = _mended(game, plain(text))
    if any(mended.values()):
        return True
    begun = {*mended, *(word for word in said if len(word) >= _SHORTEST and known.begins(word))}
    if not known.has_places and len(said) < len(spoken) <= _FEW:
        begun |= {word for word in said if known.is_misspelt(word)}
    tells = begun | {word for word in named if len(word) >= _SHORTEST}
    telling = [word for word in said if word in tells]
    return bool(begun) and _are_most(telling, said)


def count_words_of(game: GameRules, text: str) -> int:
    """How many words of a text mean something in the game's moves."""
    known, words = _vocabulary(game.key), _WORD.findall(at_last().sub("", text))
    return sum(len(word) >= _SHORTEST and known.words(word) and not known.ignores(word) for word in words)


def is_near_word_of(game: GameRules, word: str) -> bool:
    """Whether a word is nearly one that a move can begin with."""
    return _vocabulary(game.key).is_misspelt(word)


def begins_moves(game: GameRules, text: str) -> bool:
    """Whether a word of a text is one that a move can begin with."""
    known = _vocabulary(game.key)
    return any(len(word) >= _SHORTEST and known.begins(word) for word in _WORD.findall(at_last().sub("", text)))


def names_places(game: GameRules, text: str) -> bool:
    """Whether prose beside moves has something in it that a move is made of: a space, or a word with its numbers."""
    known = _vocabulary(game.key)
    if known.has_places and any(_names_place(known, word) for word in _WORD.findall(text)):
        return True
    return any(_mended(game, text).values())


def only_words_of(game: GameRules, text: str) -> tuple[str, str]:
    """The words of a line that the game knows, and the line with MOVE for them; nothing if odd signs stand in it.

    A region is a capital here: *a* is a word of every sentence.
    """
    if not PLACED.search(text) or _ODD_SIGN.search(text):
        return "", ""
    known = _vocabulary(game.key)
    kept = list[str]()

    def put(found: re.Match[str]) -> str:
        word = found[0]
        is_said = word.isdecimal() or (known.words(word) and not (len(word) == 1 and word.islower()))
        kept.extend((word,) if is_said or known.ignores(word) else ())
        return MOVE if is_said else word

    told = _WORD.sub(put, text)
    said = " ".join(kept)
    return (said, _MOVES_TOLD.sub(MOVE, told)) if PLACED.search(said) else ("", "")


def _are_most(some: Sequence[str], words: Sequence[str]) -> bool:
    return 2 * len(some) >= len(words)


def _names_place(known: "_Vocabulary", word: str) -> bool:
    """Whether a word is a space, or has one in it: `L15-K16`, `lilacJ7`."""
    parts = _JOINTS.split(word)
    glued = filter(None, map(_GLUED.fullmatch, parts))
    return any(map(_PLACES.fullmatch, parts)) or any(known.names(each[1]) for each in glued)


def _mended(game: GameRules, text: str) -> Mapping[str, bool]:
    """The words of a line that would be moves with the numbers after them, if only other signs stood between.

    True for a whole word with two numbers, which hardly anybody writes without meaning it.
    """

    @cache
    def is_move(word: str, first: str, second: str) -> bool:
        numbers = (f"{first}-{second}", f"{first} {second}") if second else (first,)
        # Short forms stand close to their number, as in r17-18; a blank between is what may be wrong.
        gap = " " if len(word) >= _SHORTEST else ""
        return any(parse_turn(game, f"{word}{gap}{each}") for each in numbers)

    found = {}
    for word, first, second in _NUMBERED.findall(text):
        if is_move(word, first, second):
            found[word] = len(word) >= _SHORTEST and bool(second)
    return found


def is_record_line(game: GameRules, text: str) -> bool:
    """Whether a line begins like a line of a record: with a number, or with a seat and a colon."""
    head = _HEAD.match(plain(text))
    if head is None or not head[0].strip():
        return False
    who = head[1] or CHANCE
    return who in (CHANCE, *WORDS) or parse_seat(game, who) in game.seats


def parse_seat(game: GameRules | None, word: str) -> str:
    """The seat that a player's word names; a word that does not name one is returned as it is."""
    reader = phrases(game.key) if game is not None else None
    return word if reader is None else reader.seat(word)


def _test_of(pattern: str) -> Callable[[str], bool]:
    """Whether a pattern matches a whole word. It remembers: patterns of a game are long, and people use few words."""
    match = re.compile(pattern).fullmatch
    return lru_cache(maxsize=2_048)(lambda word: match(word) is not None)


class _Vocabulary(NamedTuple):
    """The words of a game's notation: those with a meaning, those that are ignored, and whether spaces have names."""

    words: Callable[[str], bool]
    ignores: Callable[[str], bool]
    has_places: bool
    beginnings: Callable[[str], bool]
    """What a move can begin with."""
    spelt: tuple[str, ...]
    """The same words as the grammar spells them."""

    def names(self, word: str) -> bool:
        """Whether a word means something in the game, or nearly does."""
        return self.words(word) or self.is_misspelt(word)

    def begins(self, word: str) -> bool:
        """Whether a move can begin with a word."""
        return self.beginnings(word)

    def is_misspelt(self, word: str) -> bool:
        """Whether a word is nearly one that a move can begin with."""
        return len(word) >= _MISSPELT and closest_word(word.lower(), self.spelt, cutoff=_ALIKE) != ""


@lru_cache(maxsize=64)
def _vocabulary(key: str) -> _Vocabulary:
    reader = phrases(key)
    if reader is None:
        raise LookupError(f"{key} has no phrasebook")
    parser = reader.parser
    ignored = parser.tables.ignored
    patterns = [terminal.regexp for terminal in parser.tables.terminals if terminal.name not in ignored]
    nothing = reader.parse("")
    first = nothing.expected if isinstance(nothing, Unexpected) else ()
    beginnings = [terminal.regexp for terminal in parser.tables.terminals if terminal.name in first]
    telling = [each for each in patterns if not any(re.fullmatch(each, word) for word in _NONSENSE)]
    return _Vocabulary(
        _test_of("|".join(f"(?:{each})" for each in telling) or "(?!)"),
        _test_of(parser.regexp(*ignored) or "(?!)"),
        any(re.fullmatch(each, _LIKE_A_PLACE) for each in patterns),
        _test_of("|".join(f"(?:{each})" for each in beginnings if each in telling) or "(?!)"),
        tuple(reader.vocabulary(first)),
    )
