"""What players leave out of a move: *settlement 20 and a road to 21*, where the road begins at the settlement.

In a game whose places are numbers, people say where such a piece leads and leave out where it begins, because anybody
who sees the board knows. It begins at the piece named before it, or else at the only place from which it is legal. What
stays half said is never passed over: the rest of its line is asked about.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Final

from engine.game import GameRules
from notation import write_moves
from notation.phrases import Phrases, phrases
from pbem.mail.commands.move_spans import NAME, make_turn
from pbem.mail.commands.parse_moves import Turn, is_one_word, read_phrase
from pbem.mail.commands.player_names import find_player
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
_LONG: Final = 16
"""Words of one that says what somebody needs and gives."""
_MOST_PLACES: Final = 6
"""Places of a piece that are told."""
_ALONE: Final = re.compile(r"(?<![\w:.,+-])([1-9][0-9]?)(?![\w:-]|[.,][0-9]| ?[-\u2013] ?[0-9]|\s*(?:\u20ac|%))")
_AMOUNT: Final = re.compile(
    r"(?<!\w)(?:[1-9][0-9]?|an?|my|one|mijn|een|\u00e9\u00e9n|m[o\u00f3]j\w*|jed\w+|\u043c\u043e\w|\u043e\u0434\w+) .+",
    re.IGNORECASE,
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
    lines = [_joined(reader).sub(_without_signs, line) for line in lines]
    stand = [found[1] for line in lines for found in _pieces(reader).finditer(line) if found[1]]
    only = stand[0] if len(stand) == 1 else ""
    for line in lines:
        done, last = list[str](), 0
        for found in _pieces(reader).finditer(line):
            at, one, other, to = found.groups()
            if to is None and one is None:
                begun = at or ""  # after a piece with both its ends none is begun
                continue
            starts = [one or begun] if one or begun else _find_starts(reader, to, pending) if tried < _MOST else []
            tried += not (one or begun)
            starts = starts if len(starts) == 1 or not only else [only]
            if len(starts) == 1:
                done += [line[last : found.start()], _lead(reader, starts[0], other or to)]
                last, begun = found.end(), ""
        yield "".join((*done, line[last:]))


def find_whole(game: GameRules, text: str, pending: Pending | None) -> tuple[str, ...]:
    """What a line can be that says half of a piece, or only its place: *road to 22*, *18 and 18-24*. Each is legal."""
    reader = phrases(game.key)
    if reader is None or not reader.book.half or pending is None or len(text.split()) > _LONG:
        return ()
    wished = _find_wish(game, text, pending)
    if wished or len(text.split()) > _SHORT:
        return wished
    if says_end(text, pending):
        return ("end",)
    offer = find_offer(game, text, pending)
    if offer:
        return (offer,)
    if not any(map(str.isdecimal, text)):
        return _find_places(reader, text, pending)
    found, alone = _pieces(reader).search(text), _ALONE.findall(text)
    if found is not None and found[4] is not None:
        return tuple(_lead(reader, start, found[4]) for start in _find_starts(reader, found[4], pending))
    if len(alone) != 1 or re.search(rf"(?<![\w-])(?:{reader.parser.regexp(reader.book.half[2])})", text):
        return ()  # the only number is where a road leads
    way, (_, stands, _, leads) = _BOTH.search(text), reader.book.half
    whole = [stands.format(alone[0]), *([leads.format(*way.groups())] if way is not None else [])]
    return tuple(each for each in (", ".join(whole),) if pending.allows(each))


def says_end(text: str, pending: Pending | None) -> bool:
    """Whether words say that the next player is to go on, as *next* and *pass* do, and the turn can be ended."""
    is_said = _passes().fullmatch(text) is not None
    return is_said and pending is not None and pending.allows("end") and not pending.allows("pass")


@cache
def _passes() -> re.Pattern[str]:
    """What people say instead of an end, and thanks."""
    passes, thanks = patterns("moves", "passes"), patterns("moves", "thanks")
    return re.compile(rf"(?:{passes})(?:\W+(?:{thanks}))*\W*", re.IGNORECASE)


def _find_places(reader: Phrases, text: str, pending: Pending) -> tuple[str, ...]:
    """Where a piece can be built that a line names without its place: *build a road*. A few, if there are many."""
    stands, _, leads, _ = reader.book.half
    kinds = [kind for kind in (stands, leads) if re.search(rf"(?<!\w)(?:{reader.parser.regexp(kind)})", text)]
    if len(kinds) != 1 or "?" in text:
        return ()
    form = reader.book.half[1 if kinds[0] == stands else 3].partition(" ")[0]
    return tuple(islice((each for each in pending.orders() if each.startswith(f"{form} ")), _MOST_PLACES))


def _find_wish(game: GameRules, text: str, pending: Pending) -> tuple[str, ...]:
    """The offer to all that half a sentence is: *I need brick! I'll give 2 grain*, if it can be made now."""
    needs, gives = (_wish(verb).search(text) for verb in ("needs", "gives"))
    if needs is None or gives is None:
        return ()
    have, want = (" ".join((found[1] or "1", found[2])) for found in (gives, needs))
    moves = read_phrase(game, f"offer {have} for {want} to any")
    phrase = write_moves(game, moves) if moves is not None else ""
    return (phrase,) if phrase and pending.allows(phrase) else ()


@cache
def _wish(verb: str) -> re.Pattern[str]:
    """What somebody needs or gives: a verb, perhaps a number, and what it is."""
    one = r"[1-9]|an?|een|\u043e\u0434(?:\u0438\u043d|\u043d[\u0430\u0443\u043e])"
    said = rf"(?<!\w)(?:{patterns('moves', verb)}) (?!to )(?:({one}) )?([^\W\d_]{{2,}})"
    return re.compile(said, re.IGNORECASE)


def find_offer(game: GameRules, text: str, pending: Pending) -> str:
    """The offer that a line is without its verb, if it can be made now: *1 lumber for 1 ore?*, *Boris, 1 ore for …*."""
    reader, amount = phrases(game.key), _AMOUNT.search(text) if len(text.split()) <= _LONG else None
    if reader is None or not reader.book.half or amount is None:
        return ""
    named = {find_player(name[0], pending.names) for name in NAME.finditer(text[: amount.start()])} - {""}
    to = f" to {named.pop()}" if len(named) == 1 else ""
    moves = read_phrase(game, f"offer {amount[0].rstrip(' ?!.')}{to}") if not named else None
    if moves is None or len(moves) != 1:
        return ""
    turn = complete_turn(game, make_turn(game, moves), text, pending)
    return turn.phrase if pending.allows(turn.phrase) else ""


def find_longer(game: GameRules, move: str, beside: str, pending: Pending) -> tuple[str, ...]:
    """A move with the piece that words beside it name without its place, if it can be built now: *and a road north*."""
    reader = phrases(game.key)
    half = reader.book.half if reader is not None else ()
    begun = re.findall(r"[0-9]+", move)
    if reader is None or not half or not begun:
        return ()
    _, builds, leads, _ = half
    said = rf"(?<![\w-])\u05d5?(?:{reader.parser.regexp(leads)})"
    if not move.startswith(builds.partition(" ")[0]) or len(begun) > 1 or not re.search(said, beside, re.IGNORECASE):
        return ()
    ends = (str(place) for place in range(1, _HIGHEST + 1))
    longer = (f"{move}, {_lead(reader, begun[0], end)}" for end in ends if end != begun[0])
    return tuple(islice(filter(pending.allows, longer), _MOST_PLACES))


def _find_starts(reader: Phrases, to: str, pending: Pending | None) -> list[str]:
    """The places from which a piece can lead to another now."""
    places = map(str, range(1, _HIGHEST + 1)) if pending is not None else ()
    return [start for start in places if pending is not None and pending.allows(_lead(reader, start, to))]


def _lead(reader: Phrases, *ends: str) -> str:
    """A piece between two places, the lower one first."""
    return reader.book.half[-1].format(*sorted(ends, key=int))


def _without_signs(found: re.Match[str]) -> str:
    return found["ordinal"] or found["before"] or f"{found['sign']} "


@cache
def _joined(reader: Phrases) -> re.Pattern[str]:
    """What is built, with a sign between it and its place (*settlement: 39*), or with *second* before it."""
    built = "|".join(map(reader.parser.regexp, reader.book.builds))
    sign = r"\s?(?:[:=]|[-\u2013\u2014](?= ))\s*(?=[1-9])"
    which, behind = (patterns("moves", name) for name in ("ordinals", "ordinals_behind"))
    return re.compile(
        rf"(?:(?<!\w)(?:{which}) )?(?<![\w-])(?P<sign>{built})(?: (?:{behind}))?{sign}"
        rf"|(?<!\w)(?:{which}) (?P<ordinal>{built})|(?P<before>{built}) (?:{behind})(?!\w)",
        re.IGNORECASE,
    )


@cache
def _pieces(reader: Phrases) -> re.Pattern[str]:
    """A piece with the place where it stands, one with both its ends, or one with the place where it leads."""
    stands, leads = (reader.parser.regexp(terminal) for terminal in reader.book.half[::2])
    way = rf"(?:(?:{patterns('moves', 'leading')})(?!\w)[ ,]*+|\u05dc-?(?=[0-9])){{0,5}}"
    both = rf"(?:(?:{patterns('moves', 'starting')})(?!\w)|\u05de-?(?=[0-9])) ?([1-9][0-9]?)(?!\w)[ ,]*{way}{_NUMBER}"
    return re.compile(
        rf"(?<![\w-])\u05d5?(?:{stands}) {_WORDS}{_NUMBER}|[0-9]{{1,2}} ?- ?[0-9]{{1,2}}"
        rf"|(?<![\w-])\u05d5?(?:{leads}),? {both}"
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

    An end that is said twice (done, the end) is one. What leads away from a piece comes after it where it has to.
    """
    reader = phrases(game.key)
    if reader is not None and pending is not None and _is_turned(reader, turn) and not pending.allows(turn.phrase):
        turned = make_turn(game, turn.moves[::-1])._replace(number=turn.number)
        turn = turned if pending.allows(turned.phrase) else turn
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


def _is_turned(reader: Phrases, turn: Turn) -> bool:
    """Whether a turn is what leads away from a piece, and then that piece."""
    kinds = [form.partition(" ")[0] for form in reader.book.half[1::2]]
    return kinds != [] and [part.partition(" ")[0] for part in turn.phrase.split(", ")] == kinds[::-1]
