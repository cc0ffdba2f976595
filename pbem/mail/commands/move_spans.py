"""Moves in the middle of prose: which parts of a line are moves by the game's own grammar, and what else it says.

*Sorry for the delay! lemon C9, salmon E7* holds one turn. The longest parts that the grammar takes are moves, the rest
is prose, and `prose` judges that. A word that is a whole move by itself (`end`, `pass`) is one only where it stands
alone between signs; a yes or a no never is. Reading takes time in proportion to the length of the line.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice, pairwise, product, takewhile
from typing import Any, Final, NamedTuple

from engine.game import GameRules, Seat
from notation import write_moves
from notation.lalr.parser import Unexpected
from notation.phrases import Phrases, phrases
from notation.speech import is_word_of_moves
from pbem.mail.commands.misspelt import ENDS, is_end_alone, is_misspelt
from pbem.mail.commands.parse_moves import (
    PLACED,
    Turn,
    at_last,
    begins_moves,
    count_words_of,
    is_struck,
    looks_like_moves,
    may_replace,
    names_places,
    only_words_of,
    read_phrase,
)
from pbem.mail.commands.player_names import find_player
from pbem.mail.commands.vocabulary import patterns
from pbem.tables.play import Pending

_PATIENCE: Final = 48
"""Words after which a move that cannot end is given up."""
_MOST_NAMES: Final = 8
_MOST_GAPS: Final = 2
_SENTENCE: Final = 4
"""Words that make a sentence."""
_AND: Final = "\u05d5"
_AND_WORD: Final = re.compile(rf"{_AND}(?=[^\W\d_])")
"""The Hebrew and, which is written together with what follows it."""
_AND_THEN: Final = re.compile(
    r"\b(?:and|then|en|dan|daarna|i|oraz|potem|\u0438|\u043f\u043e\u0442\u043e\u043c|\u05d5\u05d0\u05d6|\u05d0\u05d6)\s*\Z",
    re.I,
)
"""Words that lead from a move to the next one."""
_THEN_MOVES: Final = re.compile(
    r"\s*(?:,|and|then|en|dan|daarna|i|oraz|potem|\u0438|\u043f\u043e\u0442\u043e\u043c|\u05d5\u05d0\u05d6|\u05d0\u05d6)\s(?:[^\W\d_]+\s+){0,4}",
    re.I,
)
"""What stands between two moves, one of them a single word: *roll and then build a* road 24-30."""
_AND_TODAY: Final = (
    "and|en|i|oraz|\u0438|for (?:today|now|tonight)|voor (?:vandaag|nu)|hoor|na dzi[\u015bs]"
    "|\u043d\u0430 \u0441\u0435\u0433\u043e\u0434\u043d\u044f"
)
"""What else may follow an end: an and, and *for today*."""
_BEGINS_CLAUSE: Final = re.compile(r"\s*(?:\Z|[^\w\s'\u2019])")
_WORDS: Final = re.compile(r"[^\W_]+")
_TAKES: Final = re.compile(
    "takes?|choose|neem|kies|bior[\u0119e]|wybieram|\u0431\u0435\u0440\u0443|\u05dc\u05d5\u05e7\u05d7\u05ea?", re.I
)
"""Verbs that lead to any move, though games have moves that begin with them."""
_ANNOUNCED: Final = re.compile(r"((?:^|(?<=[.!?] ))\w+):(?= [0-9])")
"""A verb with a colon after it: ``offer: 1 ore for 1 wool``."""
_NAME: Final = re.compile(r"[^\W\d_]{2,24}(?!\w)")
_IN_WORDS: Final = re.compile(r"[0-9] ?[^\W\d_]++-? ?[A-Z][0-9]", re.IGNORECASE)  # so a die may stand anywhere
_PLACE: Final = re.compile(r"(?<![\w-])[A-Z][0-9]{1,2}(?![\w-])", re.IGNORECASE)
_CLAUSE_END: Final = re.compile(r"[.!?()\[\]…]")
_STRANGER: Final = re.compile(
    r",? (?:to|with|aan|met|do|dla|z|\u0434\u043b\u044f|\u0441|\u043a)"
    r"(?-i:(?: [A-Z\u00c0-\u00de\u0410-\u042f]\w+))(?!\w)"
    r"|,? (?:\u05dc-?|\u05e2\u05dd )(?!\u05db\u05d5\u05dc)[^\W\d_]{2,}",
    re.IGNORECASE,
)
"""Somebody to whom something is offered, with a capital where a script has them."""
_SIGNS: Final = frozenset(".!?,;:()[]…-")
_LOOKS_AND_SOUNDS: Final = dict[str, str](
    zip(
        "\u0412\u0421\u041d\u0420\u0423\u0425\u0410\u0415\u041a\u041c\u041e\u0422\u0391"
        "\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7",
        re.findall(r"\w+", "BV-CS-HN-PR-YU-XH-A-E-K-M-O-T-A-BV-E-Z-HI-I-K-M-N-O-PR-T-YU-XH"),
        strict=True,
    )
)
"""Cyrillic and Greek letters, each with the Latin one it looks like and the one it sounds like."""
_LOOK_ALIKE: Final = re.compile(rf"(?<!\w)([{''.join(_LOOKS_AND_SOUNDS)}])(?=0?([0-9]{{1,2}})(?!\w))", re.IGNORECASE)

BEFORE, BETWEEN, AFTER, SKIPPED = "before", "between", "after", "skipped"
"""Where prose stands: before the moves, between or after them, or in the middle of one."""


class ProsePiece(NamedTuple):
    """Prose on a line with moves, and where it stands."""

    text: str
    place: str


class TurnInProse(NamedTuple):
    """The turn in a line that says something else as well."""

    turn: Turn
    prose: tuple[ProsePiece, ...]
    parts: tuple[Turn, ...] = ()
    """The moves by the places where they stand, if prose parts them."""
    is_unclear: bool = False
    """Whether the prose beside it names something that a move is made of."""


class _Span(NamedTuple):
    start: int
    end: int
    moves: tuple[Any, ...]


def prepare(game: GameRules, text: str, pending: Pending | None) -> str:
    """A line with what only this table knows put into the game's own words: places in other letters, and names."""
    reader = phrases(game.key)
    if pending is None or reader is None:
        return text
    text = _LOOK_ALIKE.sub(lambda found: _latin(found, pending), text)
    text = _ANNOUNCED.sub(lambda found: found[1] if looks_like_moves(game, found[1]) else found[0], text)
    return _fill_gaps(game, reader, _put_bare(reader, _put_seats(game, reader, text, pending), pending), pending)


def _latin(found: re.Match[str], pending: Pending) -> str:
    """The only letter that makes a place of this board; where there are two, the letter stays."""
    letters = [each for each in _LOOKS_AND_SOUNDS[found[1].upper()] if f"{each}{int(found[2])}" in pending.places]
    return letters[0] if len(letters) == 1 else found[1]


def _put_seats(game: GameRules, reader: Phrases, text: str, pending: Pending) -> str:
    """The text with a seat for each player's name where a move goes on with it."""
    found = (
        (name, seat)
        for name in (_NAME.finditer(text) if pending.names else ())
        if (seat := find_player(name[0], pending.names))
        and (name[0].lower() in pending.names or not is_word_of_moves(game.key, name[0]))
    )
    called = list(islice(found, _MOST_NAMES))
    begins = _begins(reader).search(text) if called else None
    if begins is None or begins.start() >= called[-1][0].start():
        return text
    # All at once: each look for moves takes time, and a move that asks two players needs both names as seats.
    spans = _find_spans(reader, _with_seats(text, called))
    kept, shift = list[tuple[re.Match[str], Seat]](), 0
    for name, seat in called:
        at = name.start() + shift
        shift += len(seat) - len(name[0])
        kept += [(name, seat)] if any(span.start < at < span.end for span in spans) else []
    return _with_seats(text, kept)


def _with_seats(text: str, called: Sequence[tuple[re.Match[str], Seat]]) -> str:
    for name, seat in reversed(called):
        text = f"{text[: name.start()]}{seat}{text[name.end() :]}"
    return text


def _put_bare(reader: Phrases, text: str, pending: Pending) -> str:
    """The text with the word for a move before a place that stands alone, if that move is legal: ``place`` P18."""
    named = [found for found in _PLACE.finditer(text) if found[0].upper() in pending.places] if reader.book.bare else []
    if len({found[0].upper() for found in named}) != 1 or _find_spans(reader, _masked(text)):
        return text
    order = reader.book.bare.format(named[0][0].upper())
    return f"{text[: named[0].start()]}{order}{text[named[0].end() :]}" if pending.allows(order) else text


def _fill_gaps(game: GameRules, reader: Phrases, text: str, pending: Pending) -> str:
    """The text with what was left out of a move, if only one thing makes the turn legal."""
    gaps = [found.start() for found in re.finditer(reader.book.gap, text, re.IGNORECASE)] if reader.book.gap else []
    has_die = gaps and _IN_WORDS.search(text) and re.search(rf"(?<!\w)(?:{reader.parser.regexp('NUMBER')})", text)
    if has_die or not pending.fills or not 0 < len(gaps) <= _MOST_GAPS:
        return text

    def fill(fillers: Sequence[str]) -> tuple[str, tuple[Any, ...]]:
        filled = text
        for gap, filler in reversed(list(zip(gaps, fillers, strict=True))):
            filled = f"{filled[:gap]}{filler}{filled[gap:]}"
        return filled, tuple(move for span in _find_spans(reader, _masked(filled)) for move in span.moves)

    def is_legal(moves: Sequence[Any]) -> bool:
        return bool(moves) and pending.allows(write_moves(game, tuple(moves)))

    choices = reader.book.fillers
    firsts: Sequence[str] = choices
    if len(gaps) > 1:
        # Moves are judged one after the other, so what makes the first of them illegal need not be tried any further.
        apart = {first: [fill((first, *rest))[1] for rest in ((choices[0],), (choices[-1],))] for first in choices}
        same = {
            first: takewhile(lambda pair: pair[0] == pair[1], zip(*both, strict=False)) for first, both in apart.items()
        }
        firsts = [first for first, pairs in same.items() if is_legal([move for move, _ in pairs])]
    tried = (fill(fillers) for fillers in product(firsts, *[choices] * (len(gaps) - 1)))
    legal = [filled for filled, moves in tried if is_legal(moves)]
    return legal[0] if len(legal) == 1 else text


def find_moves(game: GameRules, text: str, pending: Pending | None) -> TurnInProse | None:
    """The moves in a line that is no move as a whole; None if there are none, or if more in it looks like one."""
    reader = phrases(game.key)
    if reader is None or is_struck(text):
        return None
    spans = [span for span in _find_spans(reader, _masked(text)) if not may_replace(game, text[span.start : span.end])]
    spans = list(_standing_alone(reader, text, spans))
    pieces = _prose(text, spans)
    if is_misspelt(game, reader, text, beside := " ".join(piece.text for piece in pieces)):
        return None
    if spans and text[: spans[0].start].rstrip().endswith("-") and text[spans[-1].end :].lstrip().startswith("-"):
        return None  # dashes around words strike them out
    moves = tuple(move for span in spans for move in span.moves)
    if is_end_alone(game, reader, moves, beside) or _names_stranger(moves, pieces):
        return None
    parts = tuple(make_turn(game, span.moves) for span in spans)
    own = {found[0].upper() for span in spans for found in _PLACE.finditer(text[span.start : span.end])}
    strays = [piece for piece in pieces if _names_others(game, piece.text, own) or _is_cut_off(game, piece)]
    if spans and not strays:
        is_unclear = any(_may_be_part(game, piece) for piece in pieces) or _names_player(moves, pieces, pending)
        return TurnInProse(make_turn(game, moves), pieces, parts if len(parts) > 1 else (), is_unclear)
    skipped = _skip_words(game, text, pending)
    told = "" if skipped is None else skipped.prose[0].text
    if is_misspelt(game, reader, text, told) or (skipped and _names_player(skipped.turn.moves, skipped.prose, pending)):
        return None
    is_told = skipped is None and bool(spans) and all(_is_told(game, stray) for stray in strays)
    if is_told and pending is not None and pending.allows(write_moves(game, moves)):
        return TurnInProse(make_turn(game, moves), pieces, parts if len(parts) > 1 else (), is_unclear=True)
    return skipped


def _is_told(game: GameRules, piece: ProsePiece) -> bool:
    """Whether places in prose stand in whole sentences: few words around one may be a move that is misspelt.

    So may a few words that begin like a move: *road up*.
    """
    clauses = re.split(r"[.!?()\[\]…;,]", piece.text) if piece.place != BEFORE else _CLAUSE_END.split(piece.text)
    short = [clause for clause in clauses if len(_NAME.findall(clause)) < _SENTENCE]
    return not any(_PLACE.search(clause) or begins_moves(game, clause) for clause in short)


def _may_be_part(game: GameRules, piece: ProsePiece) -> bool:
    """Whether prose may hold a move that was not read: a word or two between moves, or several of the game's words."""
    if piece.place == BETWEEN and any(len(_NAME.findall(part)) in (1, 2) for part in piece.text.split(",")[1:-1]):
        return True
    return any(count_words_of(game, clause) > 1 for clause in re.split(r"[.!?,;]", piece.text))


def _names_player(moves: Sequence[object], pieces: Sequence[ProsePiece], pending: Pending | None) -> bool:
    """Whether prose names a player beside a move that could be about one, but is about nobody."""
    about_nobody = any(getattr(move, field, "") is None for move in moves for field in ("victim", "to"))
    if not about_nobody or pending is None:
        return False
    return any(find_player(name[0], pending.names) for piece in pieces for name in _NAME.finditer(piece.text))


def _names_stranger(moves: Sequence[object], pieces: Sequence[ProsePiece]) -> bool:
    """Whether somebody stands behind a trade who is no player here: *offer 1 ore for 1 wool to Bob*."""
    if not any(hasattr(move, "give") and getattr(move, "to", None) is None for move in moves):
        return False
    return any(_STRANGER.match(piece.text) is not None for piece in pieces if piece.place != BEFORE)


def _names_others(game: GameRules, text: str, own: set[str]) -> bool:
    """Whether prose has something in it that a move is made of, other than the places of the moves beside it."""
    return names_places(game, _PLACE.sub(lambda found: "" if found[0].upper() in own else found[0], text))


def _is_cut_off(game: GameRules, piece: ProsePiece) -> bool:
    """Whether the words right beside a move look like a move themselves, of which something is missing."""
    clauses, nearest = _CLAUSE_END.split(_masked(piece.text)), -1 if piece.place == BEFORE else 0
    words = _WORDS.findall(clauses[nearest])
    # A verb further off (then I take guard 4) is only a verb.
    if not words or (piece.place == BEFORE and _TAKES.fullmatch(words[-1])):
        return False
    return looks_like_moves(game, words[nearest]) and looks_like_moves(game, clauses[nearest])


def make_turn(game: GameRules, moves: tuple[Any, ...]) -> Turn:
    """Moves as a turn."""
    return Turn(moves, write_moves(game, moves))


@cache
def _yes_or_no() -> re.Pattern[str]:
    said = "|".join([patterns("answers", "yes"), patterns("answers", "no"), patterns("moves", "not")])
    return re.compile(rf"(?<!\w)(?:{said})(?!\w)", re.IGNORECASE)


def _masked(text: str) -> str:
    """The text with every yes and no made unreadable, and every `at last`: beside prose they are talk."""
    for talk in (_yes_or_no(), at_last()):
        text = talk.sub(lambda found: "\x01" * len(found[0]), text)
    return text


def _find_spans(reader: Phrases, text: str) -> list[_Span]:
    """The longest parts of a text that are moves."""
    spans: list[_Span] = []
    at = 0
    for begin in _begins(reader).finditer(text):
        with_and = _AND_WORD.match(text, begin.start())
        for start in (begin.start(), with_and.end()) if with_and else (begin.start(),):
            found = reader.parser.longest(text, start, reader.start, patience=_PATIENCE) if start >= at else None
            if found is not None:
                at = found[1]
                spans += _trim(reader, text, *found)
                break
    return spans


@lru_cache(maxsize=64)
def _begins(reader: Phrases) -> re.Pattern[str]:
    """The beginning of a word that moves can begin with; an ignored one may be written together with it."""
    parser = reader.parser
    ignored = parser.regexp(*parser.tables.ignored)
    glued = rf"(?:{_AND_WORD.pattern})?(?:(?:{ignored})\B)?"
    return re.compile(rf"(?<!\w)(?=\w)(?={glued}(?:{parser.openings(reader.start)}))")


def _trim(reader: Phrases, text: str, start: int, end: int) -> Iterator[_Span]:
    """A part that is moves, without a last word that only looks like one in the middle of a sentence."""
    placed = reader.parse(text[start:end])
    if isinstance(placed, Unexpected):
        return
    moves, ends = placed
    while len(moves) > 1 and is_one_word(reader, moves[-1]) and not _ends_clause(text, start + ends[-1]):
        moves, ends = moves[:-1], ends[:-1]
    yield _Span(start, start + ends[-1], moves)


def _ends_clause(text: str, at: int) -> bool:
    """Whether a word that ends here ends what is said: a sign follows, or thanks, a greeting or an and."""
    return (_BEGINS_CLAUSE.match(text, at) or _polite().match(text, at)) is not None


@cache
def _polite() -> re.Pattern[str]:
    said = "|".join([patterns("moves", "thanks"), patterns("harmless", "openings"), _AND_TODAY])
    return re.compile(rf"\s+(?:(?:{said})(?!\w)|{_AND_WORD.pattern})", re.IGNORECASE)


def is_one_word(reader: Phrases, move: object) -> bool:
    """Whether a move is a single word."""
    return reader.book.text(move).isalpha()


def _standing_alone(reader: Phrases, text: str, spans: Sequence[_Span]) -> Iterator[_Span]:
    """The parts without words that are moves but stand in the middle of a sentence."""
    last = -1
    for at, span in enumerate(spans):
        after = text[span.end : spans[at + 1].start] if at + 1 < len(spans) else ""
        before = text[max(0, span.start - 2) : span.start].rstrip()
        between = text[max(last, 0) : span.start]
        leads = last >= 0 or len(between.split()) <= len(("and", "then"))
        goes_on = between.strip() == _AND or (leads and _AND_THEN.search(between) and not _CLAUSE_END.search(between))
        alone = (not before or before[-1] in _SIGNS or goes_on) and (
            _ends_clause(text, span.end) if last >= 0 else _BEGINS_CLAUSE.match(text, span.end)
        )
        last = span.end
        begun = _THEN_MOVES.fullmatch(after) and reader.book.text(span.moves[0]) not in ENDS
        if alone or begun or len(span.moves) > 1 or not is_one_word(reader, span.moves[0]):
            yield span


def _prose(text: str, spans: Sequence[_Span]) -> tuple[ProsePiece, ...]:
    if not spans:
        return ()
    pieces = [ProsePiece(text[: spans[0].start], BEFORE)]
    for one, other in pairwise(spans):
        pieces.append(ProsePiece(text[one.end : other.start], BETWEEN))
    pieces.append(ProsePiece(text[spans[-1].end :], AFTER))
    return tuple(piece for piece in pieces if piece.text.strip() not in ("", _AND))


def _skip_words(game: GameRules, text: str, pending: Pending | None) -> TurnInProse | None:
    """The one legal turn that is left of a line, or of its only sentence with a place, without words of no game.

    A turn in which nothing is a number is unclear: its words may be other words.
    """
    if pending is None:
        return None
    sentences = re.split(r"(?<=[.!?:])\s+", text)
    placed = [at for at, sentence in enumerate(sentences) if PLACED.search(sentence)]
    for first, last in dict.fromkeys(((0, len(sentences)), *((at, at + 1) for at in placed if len(placed) == 1))):
        kept, told = only_words_of(game, " ".join(sentences[first:last]))
        moves = read_phrase(game, kept) if kept and _NAME.search(told) else None
        if moves is not None and pending.allows(write_moves(game, moves)):
            prose = " ".join((*sentences[:first], told, *sentences[last:]))
            has_number = any(map(str.isdecimal, kept))
            return TurnInProse(make_turn(game, moves), (ProsePiece(prose, SKIPPED),), is_unclear=not has_number)
    return None
