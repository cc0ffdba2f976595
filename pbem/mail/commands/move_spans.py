"""Moves in the middle of prose: which parts of a line are moves by the game's own grammar, and what else it says.

*Sorry for the delay! lemon C9, salmon E7* holds one turn. The longest parts that the grammar takes are moves; `prose`
judges the rest. A word that is a whole move by itself (`end`, `pass`) is one only where it stands alone between signs,
a yes or a no never. It takes time in proportion to the line.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from engine.game import GameRules
from notation import write_moves
from notation.lalr.parser import Unexpected
from notation.phrases import Phrases, phrases
from pbem.mail.commands.misspelt import ENDS, is_end_alone, is_misspelt
from pbem.mail.commands.parse_moves import (
    MOVE,
    PLACED,
    Turn,
    at_last,
    begins_moves,
    count_words_of,
    is_one_word,
    is_sequence,
    is_struck,
    looks_like_moves,
    may_replace,
    names_places,
    only_words_of,
    read_phrase,
)
from pbem.mail.commands.player_names import find_player
from pbem.mail.commands.rival_words import is_shut_out, shuts_out_within
from pbem.mail.commands.vocabulary import patterns, small_talk
from pbem.tables.play import Pending

_PATIENCE: Final = 48
"""Words after which a move that cannot end is given up."""
_NEAR: Final = 60
"""Characters before a move in which words may name its place by another one."""
_SENTENCE: Final = 4  # words
AND: Final = "\u05d5"
_AND_WORD: Final = re.compile(rf"{AND}(?=[^\W\d_])")
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
TAKES: Final = re.compile(
    "takes?|choose|neem|kies|bior[\u0119e]|wybieram|\u0431\u0435\u0440\u0443|\u05dc\u05d5\u05e7\u05d7\u05ea?", re.I
)
"""Verbs that lead to any move, though games have moves that begin with them."""
NAME: Final = re.compile(r"[^\W\d_]{2,24}(?!\w)")
PLACE: Final = re.compile(r"(?<![\w-])[A-Z][0-9]{1,2}(?![\w-])", re.IGNORECASE)
_CLAUSE_END: Final = re.compile(r"[.!?()\[\]…]")
_NUMBERS: Final = re.compile(r"[0-9]+")
_PIECE_END: Final = re.compile(r"[.!?](?:\s|\Z)|[()\[\]…;]")
_STRANGER: Final = re.compile(
    r",? (?:to|with|aan|met|do|dla|z|\u0434\u043b\u044f|\u0441|\u043a)"
    r"(?-i:(?: [A-Z\u00c0-\u00de\u0410-\u042f]\w+))(?!\w)"
    r"|,? (?:\u05dc-?|\u05e2\u05dd )(?!\u05db\u05d5\u05dc)[^\W\d_]{2,}",
    re.IGNORECASE,
)
"""Somebody to whom something is offered, with a capital where a script has them."""
_BARE_STRANGER: Final = re.compile(r" ([A-Z\u00c0-\u00de\u0410-\u042f]\w+)\W*\Z")
"""The same without a word for *to*, which cases make needless: *1 grain for 1 brick Bobowi*."""
_FIRST_STRANGER: Final = re.compile(
    rf"[^{MOVE}]*{MOVE} ([^\W\d_]{{2,}}) {MOVE}|([A-Z\u00c0-\u00de\u0410-\u042f]\w+) {MOVE}"
)
"""The same right behind the verb, or before it."""
_SIGNS: Final = frozenset(".!?,;:()[]…-")
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
    is_shut_out: bool = False
    """Whether the prose says that a move of it is not wanted."""


class Span(NamedTuple):
    """A part of a text that is moves."""

    start: int
    end: int
    moves: tuple[Any, ...]


def find_moves(game: GameRules, text: str, pending: Pending | None) -> TurnInProse | None:
    """The moves in a line that is no move as a whole; None if there are none, or if more in it looks like one."""
    reader = phrases(game.key)
    if reader is None or is_struck(text):
        return None
    spans = [span for span in find_spans(reader, masked(text)) if not may_replace(game, text[span.start : span.end])]
    spans = list(_standing_alone(reader, text, spans))
    spans, is_talk = _without_takes(game, text, spans, pending)
    pieces = _prose(text, spans)
    if is_misspelt(game, reader, text, beside := " ".join(piece.text for piece in pieces)):
        return None
    if spans and text[: spans[0].start].rstrip().endswith("-") and text[spans[-1].end :].lstrip().startswith("-"):
        return None  # dashes around words strike them out
    moves = tuple(move for span in spans for move in span.moves)
    if any(_beside().search(text[max(0, span.start - _NEAR) : span.start]) for span in spans):
        return None
    if is_end_alone(game, reader, moves, beside) or _names_stranger(moves, pieces) or _is_half(game, pieces):
        return None
    if leaves_piece(reader, " ".join(text[span.start : span.end] for span in spans), (each.text for each in pieces)):
        return None
    is_ended = any(is_one_word(reader, span.moves[-1]) for span in spans[:-1])
    in_order = not is_ended and is_sequence(game, (piece.text for piece in pieces if piece.place == BETWEEN))
    parts = () if in_order or len(spans) < 2 else tuple(make_turn(game, span.moves) for span in spans)
    own = {found[0].upper() for span in spans for found in PLACE.finditer(text[span.start : span.end])}
    strays = [piece for piece in pieces if _names_others(game, piece.text, own) or _is_cut_off(game, piece)]
    if spans and not strays:
        is_unclear = is_talk or any(_may_be_part(game, piece) for piece in pieces)
        is_unclear = is_unclear or _names_player(moves, pieces, pending)
        is_out = any(is_shut_out(text, span.start, span.end) for span in spans)
        return TurnInProse(make_turn(game, moves), pieces, parts, is_unclear, is_out)
    skipped = _skip_words(game, text, pending)
    told = "" if skipped is None else skipped.prose[0].text
    if is_misspelt(game, reader, text, told) or (skipped and _names_somebody(skipped, pending)):
        return None
    is_told = skipped is None and bool(spans) and all(_is_told(game, stray) for stray in strays)
    if is_told and pending is not None and pending.allows(write_moves(game, moves)):
        return TurnInProse(make_turn(game, moves), pieces, parts, is_unclear=True)
    return skipped


def _without_takes(game: GameRules, text: str, spans: list[Span], pending: Pending | None) -> tuple[list[Span], bool]:
    """The parts without what only says that somebody takes something: *I take that grain. I accept red's offer*.

    So it is where the whole is not legal and the rest is; the second value says whether anything was left out.
    """
    others = [span for span in spans if not TAKES.match(text, span.start)]
    if pending is None or not others or len(others) == len(spans):
        return spans, False

    def is_legal(some: Sequence[Span]) -> bool:
        return pending.allows(write_moves(game, tuple(move for span in some for move in span.moves)))

    return (others, True) if not is_legal(spans) and is_legal(others) else (spans, False)


@cache
def _beside() -> re.Pattern[str]:
    """Words that name a place by another one beside it, up to that place: *next to the oasis at*."""
    said = patterns("moves", "beside")
    return re.compile(rf"(?<!\w)(?:{said})(?!\w)\s*(?:[^\W\d_]+\s+){{0,3}}(?:\u05dc-?)?(?:{MOVE}|\Z)", re.IGNORECASE)


def _is_half(game: GameRules, pieces: Sequence[ProsePiece]) -> bool:
    """Whether a second move names its place only by the first one: *lilac C5 and mint next to it*."""
    behind = [clause for piece in pieces if piece.place != BEFORE for clause in _CLAUSE_END.split(piece.text)]
    return any(count_words_of(game, clause) and _near().search(clause) for clause in behind)


@cache
def _near() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{patterns('moves', 'beside')})(?!\w)", re.IGNORECASE)


def leaves_piece(reader: Phrases, read: str, prose: Iterable[str]) -> bool:
    """Whether prose names something that is built, with a number, and no move that was read builds such a thing."""
    kinds = [re.compile(rf"(?<![\w-])(?:{reader.parser.regexp(kind)})", re.IGNORECASE) for kind in reader.book.builds]
    clauses = [clause for text in prose for clause in _PIECE_END.split(text) if any(map(str.isdigit, clause))]
    own, built = set(_NUMBERS.findall(read)), [kind for kind in kinds if kind.search(read)]
    if built and any(set(_leading_to().findall(clause)) - own for clause in clauses):
        return True
    return any(_is_numbered(kind, clause) for kind in kinds if kind not in built for clause in clauses)


def _is_numbered(kind: re.Pattern[str], clause: str) -> bool:
    """Whether a clause has a number behind a word, or right before it; *from 1 to 3 June I am away* has none."""
    found = ((clause[: each.start()], clause[each.end() :]) for each in kind.finditer(clause))
    return any(_NUMBERS.search(after) or before.rstrip()[-1:].isdigit() for before, after in found)


@cache
def _leading_to() -> re.Pattern[str]:
    """A word that something leads to a number that ends its clause: *a track to 35*."""
    return re.compile(rf"(?<=\w )(?:{patterns('moves', 'bound_for')}) ?([1-9][0-9]?)(?=\W*(?:\Z|[,]))", re.IGNORECASE)


def _is_told(game: GameRules, piece: ProsePiece) -> bool:
    """Whether places in prose stand in whole sentences: few words around one may be a move that is misspelt.

    So may a few words that begin like a move: *road up*.
    """
    clauses = re.split(r"[.!?()\[\]…;,]", piece.text) if piece.place != BEFORE else _CLAUSE_END.split(piece.text)
    short = [clause for clause in clauses if len(NAME.findall(clause)) < _SENTENCE]
    return not any(PLACE.search(clause) or begins_moves(game, clause) for clause in short)


def _may_be_part(game: GameRules, piece: ProsePiece) -> bool:
    """Whether prose may hold a move that was not read: a word or two between moves, or several of the game's words."""
    if piece.place == BETWEEN and any(len(NAME.findall(part)) in (1, 2) for part in piece.text.split(",")[1:-1]):
        return True
    return any(count_words_of(game, clause) > 1 for clause in re.split(r"[.!?,;]", piece.text))


def _names_player(moves: Sequence[object], pieces: Sequence[ProsePiece], pending: Pending | None) -> bool:
    """Whether prose names a player beside a move that could be about one, but is about nobody."""
    about_nobody = any(getattr(move, field, "") is None for move in moves for field in ("victim", "to"))
    trades = any(hasattr(move, "give") and not hasattr(move, "to") for move in moves)  # with the supply
    said = [piece.text for piece in pieces if about_nobody or (trades and piece.place == SKIPPED)]
    if pending is None:
        return False
    return any(find_player(name[0], pending.names) for text in said for name in NAME.finditer(text))


def _names_stranger(moves: Sequence[object], pieces: Sequence[ProsePiece]) -> bool:
    """Whether somebody stands behind a trade who is no player here: *offer 1 ore for 1 wool to Bob*."""
    if not any(hasattr(move, "give") and getattr(move, "to", None) is None for move in moves):
        return False
    if any(_STRANGER.match(piece.text) is not None for piece in pieces if piece.place != BEFORE):
        return True
    bare = [_BARE_STRANGER.match(piece.text) for piece in pieces if piece.place == AFTER]
    first = [_FIRST_STRANGER.match(piece.text) for piece in pieces if piece.place == SKIPPED]
    first += [_FIRST_STRANGER.match(f"{piece.text.rstrip(',')}{MOVE}") for piece in pieces if piece.place == BEFORE]
    called = [found[found.lastindex or 0].lower() for found in (*bare, *first) if found is not None]
    return any(not small_talk().knows(name) for name in called)


def _names_somebody(found: TurnInProse, pending: Pending | None) -> bool:
    """Whether words that were skipped name somebody, a player or not, beside a move that could be about one."""
    return _names_player(found.turn.moves, found.prose, pending) or _names_stranger(found.turn.moves, found.prose)


def _names_others(game: GameRules, text: str, own: set[str]) -> bool:
    """Whether prose has something in it that a move is made of, other than the places of the moves beside it."""
    return names_places(game, PLACE.sub(lambda found: "" if found[0].upper() in own else found[0], text))


def _is_cut_off(game: GameRules, piece: ProsePiece) -> bool:
    """Whether the words right beside a move look like a move themselves, of which something is missing."""
    clauses, nearest = _CLAUSE_END.split(masked(piece.text)), -1 if piece.place == BEFORE else 0
    words = _WORDS.findall(clauses[nearest])
    # A verb further off (then I take guard 4) is only a verb.
    if not words or (piece.place == BEFORE and TAKES.fullmatch(words[-1])):
        return False
    return looks_like_moves(game, words[nearest]) and looks_like_moves(game, clauses[nearest])


def make_turn(game: GameRules, moves: tuple[Any, ...]) -> Turn:
    """Moves as a turn."""
    return Turn(moves, write_moves(game, moves))


@cache
def _yes_or_no() -> re.Pattern[str]:
    said = "|".join([patterns("answers", "yes"), patterns("answers", "no"), patterns("moves", "not")])
    return re.compile(rf"(?<!\w)(?:{said})(?!\w)", re.IGNORECASE)


def masked(text: str) -> str:
    """The text with every yes and no made unreadable, and every `at last`: beside prose they are talk."""
    for talk in (_yes_or_no(), at_last()):
        text = talk.sub(lambda found: "\x01" * len(found[0]), text)
    return text


def find_spans(reader: Phrases, text: str) -> list[Span]:
    """The longest parts of a text that are moves."""
    spans: list[Span] = []
    at = 0
    for begin in begins(reader).finditer(text):
        with_and = _AND_WORD.match(text, begin.start())
        for start in (begin.start(), with_and.end()) if with_and else (begin.start(),):
            found = reader.parser.longest(text, start, reader.start, patience=_PATIENCE) if start >= at else None
            if found is not None:
                at = found[1]
                spans += _trim(reader, text, *found)
                break
    return spans


@lru_cache(maxsize=64)
def begins(reader: Phrases) -> re.Pattern[str]:
    """The beginning of a word that moves can begin with; an ignored one may be written together with it.

    What follows an apostrophe begins no word: the last letter of *let's* is no colour.
    """
    parser = reader.parser
    ignored = parser.regexp(*parser.tables.ignored)
    glued = rf"(?:{_AND_WORD.pattern})?(?:(?:{ignored})\B)?"
    return re.compile(rf"(?<!\w)(?<!\w['\u2019])(?=\w)(?={glued}(?:{parser.openings(reader.start)}))")


def _trim(reader: Phrases, text: str, start: int, end: int) -> Iterator[Span]:
    """A part that is moves, without a last word that only looks like one in the middle of a sentence."""
    placed = reader.parse(text[start:end])
    if isinstance(placed, Unexpected):
        return
    moves, ends = placed
    while len(moves) > 1 and is_one_word(reader, moves[-1]) and not _ends_clause(text, start + ends[-1]):
        moves, ends = moves[:-1], ends[:-1]
    yield Span(start, start + ends[-1], moves)


def _ends_clause(text: str, at: int) -> bool:
    """Whether a word that ends here ends what is said: a sign follows, or thanks, a greeting or an and."""
    return (_BEGINS_CLAUSE.match(text, at) or _polite().match(text, at)) is not None


@cache
def _polite() -> re.Pattern[str]:
    said = "|".join([patterns("moves", "thanks"), patterns("harmless", "openings"), _AND_TODAY])
    return re.compile(rf"\s+(?:(?:{said})(?!\w)|{_AND_WORD.pattern})", re.IGNORECASE)


def _standing_alone(reader: Phrases, text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """The parts without words that are moves but stand in the middle of a sentence."""
    last = -1
    for at, span in enumerate(spans):
        after = text[span.end : spans[at + 1].start] if at + 1 < len(spans) else ""
        before = text[max(0, span.start - 2) : span.start].rstrip()
        between = text[max(last, 0) : span.start]
        leads = last >= 0 or len(between.split()) <= len(("and", "then"))
        goes_on = between.strip() == AND or (leads and _AND_THEN.search(between) and not _CLAUSE_END.search(between))
        alone = (not before or before[-1] in _SIGNS or goes_on) and (
            _ends_clause(text, span.end) if last >= 0 else _BEGINS_CLAUSE.match(text, span.end)
        )
        last = span.end
        begun = _THEN_MOVES.fullmatch(after) and reader.book.text(span.moves[0]) not in ENDS
        if alone or begun or len(span.moves) > 1 or not is_one_word(reader, span.moves[0]):
            yield span


def _prose(text: str, spans: Sequence[Span]) -> tuple[ProsePiece, ...]:
    if not spans:
        return ()
    pieces = [ProsePiece(text[: spans[0].start], BEFORE)]
    for one, other in pairwise(spans):
        pieces.append(ProsePiece(text[one.end : other.start], BETWEEN))
    pieces.append(ProsePiece(text[spans[-1].end :], AFTER))
    return tuple(piece for piece in pieces if piece.text.strip() not in ("", AND))


def _skip_words(game: GameRules, text: str, pending: Pending | None) -> TurnInProse | None:
    """The one turn that is left of a line, or of its only sentence with a place, without words of no game.

    A legal one, if there is: another is refused with a reason. Without a number it is unclear: words may be others. So
    it is with strange words in its middle.
    """
    if pending is None:
        return None
    sentences = re.split(r"(?<=[.!?:])\s+", text)
    placed = [at for at, sentence in enumerate(sentences) if PLACED.search(sentence)]
    illegal = None
    for first, last in dict.fromkeys(((0, len(sentences)), *((at, at + 1) for at in placed if len(placed) == 1))):
        kept, told = only_words_of(game, " ".join(sentences[first:last]))
        moves = read_phrase(game, kept) if kept and NAME.search(told) and not _beside().search(told) else None
        if moves is not None:
            prose = " ".join((*sentences[:first], told, *sentences[last:]))
            is_clear = any(map(str.isdecimal, kept)) and _is_talk(told[told.find(MOVE) : told.rfind(MOVE)])
            skipped, is_out = (ProsePiece(prose, SKIPPED),), shuts_out_within(told)
            found = TurnInProse(make_turn(game, moves), skipped, is_unclear=not is_clear, is_shut_out=is_out)
            if pending.allows(found.turn.phrase):
                return found
            illegal = illegal or found
    return illegal


def _is_talk(inside: str) -> bool:
    """Whether words in the middle of a move are all small talk."""
    return all(small_talk().knows(word.lower()) for word in NAME.findall(inside))
