"""Moves of the Brotherhood in canonical form, read without the grammar: the words of a record, in their one order.

Records consist of little else, and the grammar takes a hundred times as long, for it reads what people write in five
languages. What is not found here is for the grammar. Whether a text is canonical to the last letter is seen by the
caller, who writes the move again.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.brotherhood import moves as m
from notation.phrasebook import HIDDEN

_KIND: Final = {name: kind for kind, name in enumerate(m.RESOURCES)}
_SEATS: Final = frozenset(("red", "blue", "yellow", "black"))
_HEXES: Final = frozenset("ABCDEFGHIJKLMNOPQRSTU")
_NUMBERS: Final = {str(number): number for number in range(100)}

_ALONE: Final[Mapping[str, object]] = {
    "roll": m.Roll(),
    "end": m.End(),
    "buy": m.Buy(),
    "accept": m.Accept(),
    "decline": m.Decline(),
    "withdraw": m.Withdraw(),
    "pass": m.Pass(),
    "flip": m.Flip(),
    "qhorin": m.Qhorin(),
    "melisandre": m.Melisandre(),
}
"""Moves of one word."""

_OF_NUMBER: Final = {
    "settlement": m.Settlement,
    "keep": m.Keep,
    "guard": m.Guard,
    "recruits": m.Recruits,
    "yoren": m.Yoren,
}
_OF_SEAT: Final = {"accept": m.Accept, "decline": m.Decline, "mance": m.Mance}
_OF_RESOURCE: Final = {"steal": m.Steal, "take": m.Take}
"""What may be hidden from the reader."""
_OF_CARD: Final = {"draw": m.Draw, "choose": m.Choose}


def read_canonical(text: str) -> object:
    """The move of a text in canonical form, or None where it must be read by the grammar."""
    found = _ALONE.get(text)
    if found is not None:
        return found
    words = text.split(" ")
    match words:
        case ["look", seen] if seen == HIDDEN or {*seen.split("-")} <= {*m.DEVELOPMENTS}:
            return m.Look(None if seen == HIDDEN else tuple(seen.split("-")))
        case [verb, word]:
            return _of_one_word(verb, word)
        case ["dice", *shown] if len(shown) in (2, 3) and _NUMBERS.keys() >= {*shown}:
            return m.Dice(*[_NUMBERS[each] for each in shown])
        case ["trade", number, given, *taken] if given[-1:] == ":":
            give, take = _cards((number, given[:-1])), _cards(taken)
            return m.Trade(give, take) if give and take else None
        case ["offer", *words, "to", ("any" | "red" | "blue" | "yellow" | "black") as seat] if "for" in words:
            middle = words.index("for")
            give, take = _cards(words[:middle]), _cards(words[middle + 1 :])
            return m.Offer(give, take, None if seat == "any" else seat) if give and take else None
        case ["discard", *words]:
            cards = _cards(words)
            return None if cards is None else m.Discard(cards)
        case ["tormund", hex_, seat] if hex_ in _HEXES and seat in _SEATS:
            return m.Tormund(hex_, seat)
        case ["ranger", ("tormund" | "wildling") as quarry, hex_] if hex_ in _HEXES:
            return m.Ranger(quarry, hex_)
        case ["ranger", "tormund", hex_, seat] if hex_ in _HEXES and seat in _SEATS:
            return m.Ranger(m.TORMUND, hex_, seat)
        case ["winter", one, two] if one in _KIND and two in _KIND:
            return m.Winter(one, two)
        case ["roads", one, two]:
            paths = _path(one), _path(two)
            return m.Roads((paths[0], paths[1])) if paths[0] and paths[1] else None
        case ["yarwyck", one, "to", two]:
            lifted, rebuilt = _path(one), _path(two)
            return m.Yarwyck(lifted, rebuilt) if lifted and rebuilt else None
    return _of_heroes(words)


def _of_one_word(verb: str, word: str) -> object:
    """Moves that consist of what is done and one thing more."""
    made: Any = None
    if verb in _OF_NUMBER and word in _NUMBERS:
        made = _OF_NUMBER[verb](_NUMBERS[word])
    elif verb in _OF_SEAT and word in _SEATS:
        made = _OF_SEAT[verb](word)
    elif verb in _OF_RESOURCE and (word in _KIND or word == HIDDEN):
        made = _OF_RESOURCE[verb](None if word == HIDDEN else word)
    elif verb in _OF_CARD and (word in m.DEVELOPMENTS or word == HIDDEN):
        made = _OF_CARD[verb](None if word == HIDDEN else word)
    elif verb in ("road", "roads"):
        path = _path(word)
        made = path and (m.Road(*path) if verb == "road" else m.Roads((path,)))
    elif verb in ("tormund", "ygritte") and word in _HEXES:
        made = m.Tormund(word) if verb == "tormund" else m.Ygritte(word)
    elif verb == "tarly" and word in _KIND:
        made = m.Tarly(word)
    elif verb == "swap" and word in m.HEROES:
        made = m.Swap(word)
    return made


def _of_heroes(words: Sequence[str]) -> object:
    """What the heroes of the Watch do, and its wildlings."""
    match words:
        case [("marsh" | "melisandre") as hero, give, take] if give[-1:] == ":" and {give[:-1], take} <= _KIND.keys():
            return m.Marsh(give[:-1], take) if hero == "marsh" else m.Melisandre(give[:-1], take)
        case ["thorne", section, spared, paid] if (
            section in _NUMBERS and spared[-1:] == ":" and {spared[:-1], paid} <= _KIND.keys()
        ):
            return m.Thorne(_NUMBERS[section], spared[:-1], paid)
        case ["mormont", resource, *asked] if resource in _KIND and asked:
            return _mormont(resource, asked)
        case ["benjen", clan, place] if place in _NUMBERS and (clan in m.CLANS or clan == "clearing"):
            return m.Benjen(None if clan == "clearing" else clan, _NUMBERS[place])
        case ["token", clan, kind] if clan in m.CLANS and kind in m.WILDLINGS:
            return m.Token(clan, kind)
    return None


def _mormont(resource: str, asked: Sequence[str]) -> m.Mormont | None:
    """``from blue for wool``, once for each who is asked."""
    demands = []
    for at in range(0, len(asked), 4):
        match asked[at : at + 4]:
            case ["from", seat, "for", back] if seat in _SEATS and back in _KIND:
                demands.append((seat, back))
            case _:
                return None
    return m.Mormont(resource, tuple(demands))


def _cards(words: Sequence[str]) -> m.Cards | None:
    """``2 wool 1 ore``."""
    counts = [0, 0, 0, 0, 0]
    for number, resource in zip(words[::2], words[1::2], strict=False):
        if number not in _NUMBERS or resource not in _KIND:
            return None
        counts[_KIND[resource]] += _NUMBERS[number]
    lumber, brick, wool, grain, ore = counts
    return (lumber, brick, wool, grain, ore) if any(counts) else None


def _path(text: str) -> tuple[int, int] | None:
    """``17-18``; the smaller number stands first."""
    one, _, two = text.partition("-")
    if one not in _NUMBERS or two not in _NUMBERS or _NUMBERS[one] > _NUMBERS[two]:
        return None
    return _NUMBERS[one], _NUMBERS[two]
