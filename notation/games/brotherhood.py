"""How both games of the Brotherhood of the Watch are written; the grammar is in the file of the same name.

One phrasebook serves both: a guard in the base game can be written, and is refused by the rules. The words of all
languages lead to the English one.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any, Final

from engine.brotherhood import moves as m
from engine.brotherhood import standing_orders
from notation.games.brotherhood_canonical import read_canonical
from notation.lalr.grammar import read_grammar
from notation.move_words import fill_words, read_words
from notation.phrasebook import BARE_STANDING, HIDDEN, STANDING, Phrasebook

_LOOK_ALIKES: Final = str.maketrans("\u0410\u0415\u041a\u041c\u041e\u0422", "AEKMOT")
"""Cyrillic letters that look and sound like Latin ones."""

_NOTHING: Final = "nothing"
"""Where cards should stand and none do."""

_FOR: Final = object()
"""What parts the two sides of a trade."""

_SEATS: Final = ("red", "blue", "yellow", "black")
_COLOUR: Final = "a player's colour (red, blue, yellow, black)"
_RESOURCE: Final = "a resource (lumber, brick, wool, grain, ore)"
_CARD: Final = "a development card (ranger, winter, roads, recruits, point)"


@cache
def _path(text: str) -> tuple[int, int]:
    """``18-17`` as the path 17-18."""
    one, two = sorted(map(int, text.lstrip("rR").split("-")))
    return one, two


_NUMBER_WORDS: Final = (
    *(("two", 2), ("twee", 2), ("thr", 3), ("drie", 3), ("fou", 4), ("vier", 4), ("fiv", 5), ("vijf", 5), ("six", 6)),
    *(("zes", 6), ("dw", 2), ("tr", 3), ("cz", 4), ("pi", 5), ("sz", 6)),
    *(("дв", 2), ("тр", 3), ("че", 4), ("пя", 5), ("ше", 6)),
    *(("\u05e9\u05ea\u05d9", 2), ("\u05e9\u05e0\u05d9", 2), ("\u05e9\u05dc\u05d5\u05e9", 3)),
    *(("\u05d0\u05e8\u05d1\u05e2", 4), ("\u05d7\u05de", 5), ("\u05e9\u05e9", 6), ("\u05e9\u05d9\u05e9", 6)),
)
"""How the words for numbers of cards begin, in five languages."""


@cache
def _number(text: str) -> int:
    if text.isdecimal():
        return int(text)
    word = text.lower()
    return next(number for beginning, number in _NUMBER_WORDS if word.startswith(beginning))


def _short(text: str) -> int:
    return int(text[1:])


# Reading


def _cards(words: tuple[Any, ...]) -> m.Cards:
    """Counts and resources, in any order of resources; without a count one card is meant."""
    found, number = dict.fromkeys(m.RESOURCES, 0), 1
    for word in words:
        if isinstance(word, int):
            number = word
        elif word != _NOTHING:
            found[word] += number
            number = 1
    lumber, brick, wool, grain, ore = found.values()
    return lumber, brick, wool, grain, ore


def _sides(words: tuple[object, ...]) -> tuple[m.Cards, m.Cards]:
    middle = words.index(_FOR)
    return _cards(words[:middle]), _cards(words[middle + 1 :])


def _offer(*words: Any) -> m.Offer:
    """Both sides, and to whom; to any if nobody is named."""
    asked = [word for word in words if word in _SEATS or word == "any"]
    to = asked[0] if asked else "any"
    return m.Offer(*_sides(tuple(word for word in words if word not in asked)), None if to == "any" else to)


def _to_one(offer: m.Offer) -> Iterable[m.Offer]:
    """An offer without a name, to each of those it can be meant for: a counter-offer goes to the player on turn."""
    return [replace(offer, to=seat) for seat in _SEATS] if offer.to is None else []


def _road(*ends: Any) -> m.Road:
    return m.Road(*(ends[0] if len(ends) == 1 else sorted(ends)))


def _mormont(_name: str, resource: str, *words: Any) -> m.Mormont:
    return m.Mormont(resource, tuple(zip(words[0::3], words[2::3], strict=True)))


# Writing


def _amount(cards: m.Cards) -> str:
    return " ".join(f"{count} {name}" for count, name in zip(cards, m.RESOURCES, strict=True) if count) or _NOTHING


def _line(path: tuple[int, int]) -> str:
    return "{}-{}".format(*path)


def _words(*words: object) -> str:
    return " ".join(str(word) for word in words if word is not None)


def _write_mormont(move: m.Mormont) -> str:
    demands = [f"from {seat} for {resource}" for seat, resource in move.demands]
    return " ".join(["mormont", move.resource, *demands])


_NAMES: Final = {
    **{word.upper(): word for word in (*m.RESOURCES, *m.DEVELOPMENTS, *m.HEROES, *m.WILDLINGS)},
    **{clan.upper().replace("-", "_"): clan for clan in m.CLANS},
    **{seat.upper(): seat for seat in ("red", "blue", "yellow", "black", "any")},
}
_VERBS: Final = (
    *("roll", "discard", "tormund", "end", "trade", "offer", "accept", "decline", "withdraw"),
    *("road", "settlement", "keep", "guard", "buy", "wildling", "pass", "choose", "take", "clearing", "swap", "flip"),
    *("dice", "steal", "draw", "token", "look", "from"),
)

NOTATION: Final = Phrasebook(
    grammar=fill_words(read_grammar("games/brotherhood"), read_words("brotherhood")),
    words=read_words("brotherhood"),
    names=("RED", "BLUE", "YELLOW", "BLACK"),
    moves={
        "roll": m.Roll,
        "discard": lambda *words: m.Discard(_cards(words)),
        "tormund": m.Tormund,
        "end": m.End,
        "trade": lambda *words: m.Trade(*_sides(words)),
        "offer": _offer,
        "accept": m.Accept,
        "decline": m.Decline,
        "withdraw": m.Withdraw,
        "road": _road,
        "settlement": m.Settlement,
        "keep": m.Keep,
        "guard": m.Guard,
        "buy": m.Buy,
        "ranger": lambda _card, *words: m.Ranger(m.TORMUND, *words),
        "hunt": lambda _card, hex_: m.Ranger(m.WILDLING, hex_),
        "winter": lambda _card, one, two: m.Winter(one, two),
        "roads": lambda _card, *paths: m.Roads(paths),
        "recruits": lambda _card, section: m.Recruits(section),
        "mormont": _mormont,
        "marsh": lambda _name, give, _for, take: m.Marsh(give, take),
        "tarly": lambda _name, resource: m.Tarly(resource),
        "pass": m.Pass,
        "yarwyck": lambda _name, lifted, rebuilt: m.Yarwyck(lifted, rebuilt),
        "thorne": lambda _name, section, spared, _for, paid: m.Thorne(section, spared, paid),
        "melisandre": lambda _name, *words: m.Melisandre(*words[::2]),
        "choose": m.Choose,
        "mance": lambda _name, victim: m.Mance(victim),
        "take": m.Take,
        "benjen": lambda _name, clan, camp: m.Benjen(clan, camp),
        "clearing": lambda _name, clearing: m.Benjen(None, clearing),
        "ygritte": lambda _name, hex_: m.Ygritte(hex_),
        "yoren": lambda _name, section: m.Yoren(section),
        "qhorin": lambda _name: m.Qhorin(),
        "swap": m.Swap,
        "flip": m.Flip,
        "dice": m.Dice,
        "steal": m.Steal,
        "draw": m.Draw,
        "token": m.Token,
        "look": m.Look,
        "accepting": lambda *words: standing_orders.AcceptOffers(*_sides(words)),
        "discarding": lambda *resources: standing_orders.DiscardFirst(tuple(dict.fromkeys(resources))),
        "reacting": lambda _name, resource: standing_orders.TarlyTakes(resource),
        "passing": standing_orders.TarlyRests,
        "no_trades": standing_orders.NoTrades,
        "auto_roll": standing_orders.AutoRoll,
    },
    example="trade 4 wool: 1 ore, road 17-18, end",
    standing_example="accept 1 grain for 1 brick",
    canonical=read_canonical,
    script=True,
    asks=(m.Offer,),
    half=("_SETTLEMENT", "settlement {}", "_ROAD", "road {}-{}"),
    shortened={m.Offer: ("ANY", _to_one)},
    answers={m.Accept: lambda move: move.seat},
    declines=(m.Decline,),
    rivals=(
        ("_ROAD", "_SETTLEMENT", "_KEEP", "_GUARD"),
        ("_ACCEPT", "_DECLINE", "_ODRZUCAM"),
        ("RED", "BLUE", "YELLOW", "BLACK"),
    ),
    deniable=("_TORMUND", "_BUY", "_SWAP", "_FLIP", *map(str.upper, (*m.DEVELOPMENTS, *m.HEROES))),
    builds=("_ROAD", "_SETTLEMENT", "_KEEP"),
    retold={"_TRADE": "FOR", "_SUPPLY": "FOR"},
    also=(STANDING, BARE_STANDING),
    values={
        **_NAMES,
        **{f"_{verb.upper()}": verb for verb in _VERBS},
        "PATH": _path,
        "NUMBER": _number,
        "HEX": lambda text: text.upper().translate(_LOOK_ALIKES),
        "SHORT_ROAD": _path,
        "SHORT_SETTLEMENT": _short,
        "SHORT_KEEP": _short,
        "SHORT_GUARD": _short,
        "SEEN": lambda text: tuple(text.lower().split("-")),
        "HIDDEN": None,
        "NOTHING": _NOTHING,
        "FOR": _FOR,
    },
    says={
        **dict.fromkeys(map(str.upper, ("red", "blue", "yellow", "black")), _COLOUR),
        **dict.fromkeys(map(str.upper, m.RESOURCES), _RESOURCE),
        **{f"_{verb.upper()}": verb for verb in _VERBS},
        "_ODRZUCAM": "discard",
        "_SUPPLY": "bank",
        "_ROBS": "from",
        "_OFFERED": "offer",
        "_ACCEPT_OFFER": "accept",
        "_DECLINE_OFFER": "decline",
        "POINT": _CARD,
        "ANY": "any",
        "PATH": "a path such as 17-18",
        "NUMBER": "a number",
        "HEX": "a hex such as H",
        "SHORT_ROAD": "a road such as R17-18",
        "SHORT_SETTLEMENT": "a settlement such as S17",
        "SHORT_KEEP": "a keep such as K17",
        "SHORT_GUARD": "a guard such as G2",
        "SEEN": _CARD,
        "HIDDEN": HIDDEN,
        "FOR": "for",
        "NOTHING": _NOTHING,
        "_NO_TRADES": "no trades",
        "_AUTO_ROLL": "auto-roll",
        "_ORDER": "the word order",
    },
    write={
        m.Discard: lambda move: f"discard {_amount(move.cards)}",
        m.Tormund: lambda move: _words("tormund", move.hex, move.victim),
        m.Trade: lambda move: f"trade {_amount(move.give)}: {_amount(move.take)}",
        m.Offer: lambda move: f"offer {_amount(move.give)} for {_amount(move.take)} to {move.to or 'any'}",
        m.Accept: lambda move: _words("accept", move.seat),
        m.Decline: lambda move: _words("decline", move.seat),
        m.Road: lambda move: f"road {move.one}-{move.two}",
        m.Ranger: lambda move: _words("ranger", move.quarry, move.hex, move.victim),
        m.Winter: lambda move: f"winter {move.one} {move.two}",
        m.Roads: lambda move: _words("roads", *map(_line, move.paths)),
        m.Recruits: lambda move: f"recruits {move.section}",
        m.Mormont: _write_mormont,
        m.Marsh: lambda move: f"marsh {move.give}: {move.take}",
        m.Tarly: lambda move: f"tarly {move.resource}",
        m.Yarwyck: lambda move: f"yarwyck {_line(move.lifted)} to {_line(move.rebuilt)}",
        m.Thorne: lambda move: f"thorne {move.section} {move.spared}: {move.paid}",
        m.Melisandre: lambda move: f"melisandre {move.spared}: {move.paid}" if move.spared else "melisandre",
        m.Choose: lambda move: f"choose {move.card or HIDDEN}",
        m.Mance: lambda move: f"mance {move.victim}",
        m.Take: lambda move: f"take {move.resource or HIDDEN}",
        m.Benjen: lambda move: f"benjen {move.clan or 'clearing'} {move.place}",
        m.Ygritte: lambda move: f"ygritte {move.hex}",
        m.Yoren: lambda move: f"yoren {move.section}",
        m.Qhorin: lambda _move: "qhorin",
        m.Dice: lambda move: _words("dice", move.white, move.red, move.wild),
        m.Steal: lambda move: f"steal {move.resource or HIDDEN}",
        m.Draw: lambda move: f"draw {move.card or HIDDEN}",
        standing_orders.AcceptOffers: lambda order: f"accept {_amount(order.get)} for {_amount(order.give)}",
        standing_orders.DiscardFirst: lambda order: _words("discard", *order.resources),
        standing_orders.TarlyTakes: lambda order: f"tarly {order.resource}",
        standing_orders.TarlyRests: lambda _order: "pass",
        standing_orders.NoTrades: lambda _order: "no trades",
        standing_orders.AutoRoll: lambda _order: "auto-roll",
        m.Look: lambda move: f"look {HIDDEN if move.cards is None else '-'.join(move.cards)}",
    },
)
