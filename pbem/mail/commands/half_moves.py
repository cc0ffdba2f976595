"""What players leave out of a move: *settlement 20 and a road to 21*, where the road begins at the settlement.

In a game whose places are numbers, people say where such a piece leads and leave out where it begins, because anybody
who sees the board knows. It begins at the piece named before it, or else at the only place from which it is legal. What
stays half said is never passed over: the rest of its line is asked about.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from engine.game import GameRules
from notation import write_moves
from notation.phrases import Phrases, phrases
from pbem.mail.commands.move_spans import is_one_word, make_turn
from pbem.mail.commands.parse_moves import Turn, read_phrase
from pbem.mail.commands.vocabulary import patterns
from pbem.tables.play import Pending

_MOST: Final = 4
"""Half pieces of one letter that are looked for on the board; every place is tried."""
_HIGHEST: Final = 60
"""No board has a place with a higher number."""
_MOST_FILLED: Final = 512
"""Characters of the lines of a letter in which something was left out; each is looked at many times."""
_SHORT: Final = 8
"""Words of a line that may be a move without its words."""
_ALONE: Final = re.compile(r"(?<![\w:.,+-])([1-9][0-9]?)(?![\w:-]|[.,][0-9]| ?[-\u2013] ?[0-9]|\s*(?:\u20ac|%))")
_AMOUNT: Final = re.compile(
    r"(?<!\w)(?:[1-9][0-9]?|an?|one|een|\u00e9\u00e9n|jed\w+|\u043e\u0434\w+) .+", re.IGNORECASE
)
"""A number of something, and what follows it."""
_BOTH: Final = re.compile(r"(?<![\w-])([1-9][0-9]?) ?[-\u2013] ?([1-9][0-9]?)(?![\w-])")
"""A place, and a way between two, without a word that says what is there."""
_NUMBER: Final = "([1-9][0-9]?)(?![\\w-])"
_WORDS: Final = r"(?:[^\W\d_]+[ -]){0,3}?"


def complete_halves(lines: list[str], game: GameRules | None, pending: Pending | None) -> list[str]:
    """The lines of a letter with both ends of each piece that names only one, where the other is known."""
    reader = phrases(game.key) if game is not None else None
    return lines if reader is None or not reader.book.half else list(_complete(lines, reader, pending))


def _complete(lines: list[str], reader: Phrases, pending: Pending | None) -> Iterator[str]:
    begun, tried = "", 0
    for line in lines:
        done, last = list[str](), 0
        for found in _pieces(reader).finditer(line):
            at, to = found.groups()
            if to is None:
                begun = at or ""  # after a piece with both its ends none is begun
                continue
            starts = [begun] if begun else _find_starts(reader, to, pending) if tried < _MOST else []
            tried += not begun
            if len(starts) == 1:
                done += [line[last : found.start()], reader.book.half[-1].format(starts[0], to)]
                last, begun = found.end(), ""
        yield "".join((*done, line[last:]))


def find_whole(game: GameRules, text: str, pending: Pending | None) -> tuple[str, ...]:
    """What a line can be that says half of a piece, or only its place: *road to 22*, *18 and 18-24*. Each is legal."""
    reader = phrases(game.key)
    if reader is None or not reader.book.half or pending is None or len(text.split()) > _SHORT:
        return ()
    offer = _find_offer(game, text, pending)
    if offer:
        return (offer,)
    found, alone = _pieces(reader).search(text), _ALONE.findall(text)
    if found is not None and found[2] is not None:
        form = reader.book.half[-1]
        return tuple(form.format(start, found[2]) for start in _find_starts(reader, found[2], pending))
    if len(alone) != 1:
        return ()
    way, (_, stands, _, leads) = _BOTH.search(text), reader.book.half
    whole = [stands.format(alone[0]), *([leads.format(*way.groups())] if way is not None else [])]
    return tuple(each for each in (", ".join(whole),) if pending.allows(each))


def _find_offer(game: GameRules, text: str, pending: Pending) -> str:
    """The offer that a line is without its verb, if it can be made now: *1 lumber for 1 ore?*."""
    amount = _AMOUNT.search(text)
    moves = read_phrase(game, f"offer {amount[0].rstrip(' ?!.')}") if amount is not None else None
    if moves is None or len(moves) != 1:
        return ""
    turn = complete_turn(game, make_turn(game, moves), text, pending)
    return turn.phrase if pending.allows(turn.phrase) else ""


def _find_starts(reader: Phrases, to: str, pending: Pending | None) -> list[str]:
    """The places from which a piece can lead to another now."""
    form = reader.book.half[-1]
    places = map(str, range(1, _HIGHEST + 1)) if pending is not None else ()
    return [start for start in places if pending is not None and pending.allows(form.format(start, to))]


@cache
def _pieces(reader: Phrases) -> re.Pattern[str]:
    """A piece with the place where it stands, one with both its ends, or one with the place where it leads."""
    stands, leads = (reader.parser.regexp(terminal) for terminal in reader.book.half[::2])
    way = rf"(?:(?:{patterns('moves', 'leading')})(?!\w)[ ,]*+|\u05dc-?(?=[0-9])){{0,5}}"
    return re.compile(
        rf"(?<![\w-])\u05d5?(?:{stands}) {_WORDS}{_NUMBER}|[0-9]{{1,2}} ?- ?[0-9]{{1,2}}"
        rf"|(?<![\w-])\u05d5?(?:{leads}),? {way}{_NUMBER}(?! ?[-\u2013] ?[0-9]| {way}[0-9])",
        re.IGNORECASE,
    )


def limit_gaps(game: GameRules, lines: Sequence[str], pending: Pending) -> Pending:
    """What is known of a table, for a letter with these lines; where they leave out very much, nothing is filled in."""
    reader = phrases(game.key)
    if reader is None or not reader.book.gap:
        return pending
    gap = re.compile(reader.book.gap, re.IGNORECASE)
    return pending._replace(fills=sum(len(line) for line in lines if gap.search(line)) <= _MOST_FILLED)


def complete_turn(game: GameRules, turn: Turn, text: str, pending: Pending | None) -> Turn:
    """A turn with what its words leave out, where it is not legal as it was read and only one completion is.

    An end that is said twice (done, the end) is one.
    """
    reader = phrases(game.key)
    kept, moves = len(turn.moves), turn.moves
    while reader is not None and kept > 1 and moves[kept - 1] == moves[kept - 2] and is_one_word(reader, moves[-1]):
        kept -= 1
    if kept < len(moves):
        turn = make_turn(game, moves[:kept])._replace(number=turn.number)
    at = [index for index, move in enumerate(turn.moves) if reader is not None and type(move) in reader.book.shortened]
    if reader is None or pending is None or len(at) != 1 or pending.allows(turn.phrase):
        return turn
    for_all, meanings = reader.book.shortened[type(turn.moves[at[0]])]
    if re.search(rf"(?<!\w)(?:{reader.parser.regexp(for_all)})", text):
        return turn
    tried = [(*turn.moves[: at[0]], each, *turn.moves[at[0] + 1 :]) for each in meanings(turn.moves[at[0]])]
    legal = [moves for moves in tried if pending.allows(write_moves(game, moves))]
    return make_turn(game, legal[0])._replace(number=turn.number) if len(legal) == 1 else turn
