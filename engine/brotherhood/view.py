"""The table as plain data, to be drawn, mailed or hashed, and moves as each viewer may read them.

The state digest is taken of the public view: what is written here, and how, is part of the record format and changes
only with a new edition. The shape, with R for a mapping of the resources held or named to counts above 0:

- ``game`` the key; ``seats``; ``to_act``; ``turn``; ``first``, ``on_turn``: seats; ``phases``: strict or free;
- ``stage``: settle, pave, roll, trade, build, over, or a stage of the Watch (guard); ``waits_for``: the same, or the
  first item of the agenda (dice, discard, tormund, steal, draw, or one of the Watch);
- ``hexes``: a list of {``hex``: letter, ``row``, ``index``, ``land``, ``number`` (``""`` on ice, ``2/12`` as such),
  ``corners``: its six intersections from the north clockwise};
- ``spots``: for each intersection in order its point [x, y], north and west being small; ``paths``: all as [17, 18];
- ``routes``: a list of {``spots``: two intersections, ``resource``: a resource, or ``any`` for 3:1};
- ``roads``: seat -> paths as [17, 18]; ``settlements``, ``keeps``: seat -> intersections;
- ``pieces``: seat -> {``roads``, ``settlements``, ``keeps``}: how many are left to build;
- ``tormund``: a letter, or None in his camp; ``supply``: R with zeros; ``deck``: how many development cards are left;
- ``hands``: seat -> {``count``, and for its owner ``cards``: R}; once the game is over everybody sees them;
- ``developments``: seat -> {``count``, and for its owner ``cards``: card -> count, ``bought``: those of this turn};
- ``played``: whether the player on turn has played a development card; ``patrols``: seat -> Rangers face up;
- ``longest``, ``largest``: the seat that holds the card, or None; ``lengths``: seat -> longest road;
- ``rates``: seat -> resource -> what the supply asks; ``points``: seat -> public points (all once the game is over);
- ``offers``: a list of {``seat``, ``give``: R, ``take``: R, ``to``: the seats that have not answered};
- ``owing``: seat -> cards still to discard, only those who must; ``robbed``: a seat, while a theft is pending;
- ``dice``: this turn's roll, empty before it; ``gains``: seat -> R, what it gave;
- ``winner``: a seat or None; ``watch``: None in the base game, else what `wall_view.look` says.
"""

from functools import lru_cache

from engine.brotherhood.board import ANY, each, read_land
from engine.brotherhood.building import KEEPS, ROADS, SETTLEMENTS
from engine.brotherhood.hands import size, unpack
from engine.brotherhood.moves import DEVELOPMENTS, RESOURCES, Draw, Steal
from engine.brotherhood.position import NOBODY, OVER, Ground, Position
from engine.brotherhood.table import WorkingPosition
from engine.brotherhood.trade import rates
from engine.digest import write_parts
from engine.frozen_copy import freeze, thaw
from engine.game import CHANCE, PUBLIC, Ply, Seat, View


def view(position: Position, viewer: Seat) -> View:
    """What a viewer may know."""
    ground = position.ground
    standing = _standing(ground, position.roads, position.settlements, position.keeps)
    still: dict[str, object] = thaw(_kept(ground))
    return still | standing | _changing(position, viewer)


def public_parts(position: Position) -> tuple[dict[str, str], View]:
    """The public view for the digest: what never or seldom changes as it is written, the rest as data."""
    ground = position.ground
    standing = _written_standing(ground, position.roads, position.settlements, position.keeps)
    return _written(ground) | standing, _changing(position, PUBLIC)


def _changing(position: Position, viewer: Seat) -> dict[str, object]:
    """What a viewer may know of what moves change."""
    ground, table = position.ground, WorkingPosition(position)
    places = list(enumerate(ground.seats))
    over = position.stage == OVER
    named = {**dict(places), NOBODY: None}
    return {
        "to_act": list(table.due()),
        "turn": position.turn,
        "on_turn": ground.seats[position.who],
        "stage": position.stage,
        "waits_for": table.now,
        "tormund": None if position.tormund < 0 else ground.chart.letters[position.tormund],
        "supply": dict(zip(RESOURCES, unpack(position.supply), strict=True)),
        "deck": size(position.deck),
        "hands": {seat: _hand(position.hands[who], seen=over or seat == viewer) for who, seat in places},
        "developments": {seat: _developments(position, who, seen=over or seat == viewer) for who, seat in places},
        "played": position.played,
        "patrols": {seat: position.patrols[who] for who, seat in places},
        "longest": named[position.longest],
        "largest": named[position.largest],
        "lengths": {seat: position.lengths[who] for who, seat in places},
        "points": {seat: table.points(who) if over else table.public_points(who) for who, seat in places},
        "offers": _offers(position),
        "owing": {seat: position.owing[who] for who, seat in places if position.owing[who]},
        "robbed": named[position.robbed],
        "dice": list(position.dice),
        "gains": {seat: resources(position.gains[who]) for who, seat in places if position.gains[who]},
        "winner": named[position.winner],
        "watch": ground.law.look(position, viewer),
    }


def told(position: Position, ply: Ply, viewer: Seat) -> object:
    """The move of a ply as a viewer may read it."""
    seat, move = ply
    hide = position.ground.law.told.get(type(move))
    return move if hide is None or seat == viewer != CHANCE else hide(position, move, viewer)


def tell_steal(position: Position, move: Steal, viewer: Seat) -> Steal:
    """Thief and victim learn which card was stolen (BB-S5)."""
    seats = position.ground.seats
    return move if viewer in (seats[position.who], seats[position.robbed]) else Steal(None)


def tell_draw(position: Position, move: Draw, viewer: Seat) -> Draw:
    """The buyer learns which card it is (BB-C10)."""
    return move if viewer == position.ground.seats[position.who] else Draw(None)


def resources(hand: int) -> dict[str, int]:
    """A hand by the names of its cards."""
    return {name: cards for name, cards in zip(RESOURCES, unpack(hand), strict=True) if cards}


def developments(hand: int) -> dict[str, int]:
    """A hand of development cards by their names."""
    return {name: cards for name, cards in zip(DEVELOPMENTS, unpack(hand), strict=True) if cards}


def _hand(hand: int, *, seen: bool) -> dict[str, object]:
    return {"count": size(hand), "cards": resources(hand)} if seen else {"count": size(hand)}


def _developments(position: Position, who: int, *, seen: bool) -> dict[str, object]:
    cards = position.cards[who]
    if not seen:
        return {"count": size(cards)}
    bought = position.bought if who == position.who else 0
    return {"count": size(cards), "cards": developments(cards), "bought": developments(bought)}


def _offers(position: Position) -> list[dict[str, object]]:
    seats = position.ground.seats
    return [
        {
            "seat": seats[maker],
            "give": resources(bid.give),
            "take": resources(bid.take),
            "to": [seats[place] for place in each(bid.to)],
        }
        for maker, bid in enumerate(position.offers)
        if bid is not None
    ]


def _standing(
    ground: Ground, roads: tuple[int, ...], settlements: tuple[int, ...], keeps: tuple[int, ...]
) -> dict[str, object]:
    """What pieces stand where, and what follows from that alone."""
    places, paths = list(enumerate(ground.seats)), ground.chart.paths
    return {
        "roads": {seat: [list(paths[path]) for path in each(roads[who])] for who, seat in places},
        "settlements": {seat: list(each(settlements[who])) for who, seat in places},
        "keeps": {seat: list(each(keeps[who])) for who, seat in places},
        "pieces": {
            seat: {
                "roads": ROADS - roads[who].bit_count(),
                "settlements": SETTLEMENTS - settlements[who].bit_count(),
                "keeps": KEEPS - keeps[who].bit_count(),
            }
            for who, seat in places
        },
        "rates": {
            seat: dict(zip(RESOURCES, rates(ground, settlements[who] | keeps[who]), strict=True))
            for who, seat in places
        },
    }


@lru_cache(maxsize=256)
def _written_standing(
    ground: Ground, roads: tuple[int, ...], settlements: tuple[int, ...], keeps: tuple[int, ...]
) -> dict[str, str]:
    """The same, written for the digest: pieces are built much more seldom than digests are taken."""
    return write_parts(_standing(ground, roads, settlements, keeps))


@lru_cache(maxsize=64)
def _kept(ground: Ground) -> bytes:
    """What never changes as bytes, of which every view gets its own copy."""
    return freeze(_still(ground))


@lru_cache(maxsize=64)
def _written(ground: Ground) -> dict[str, str]:
    """The same, written for the digest."""
    return write_parts(_still(ground))


def _still(ground: Ground) -> dict[str, object]:
    """What never changes during a game."""
    chart, layout = ground.chart, ground.layout
    land = read_land(ground.land) or ()
    markers = [
        *zip(layout.markers, ground.routes, strict=True),
        *[(spots, ANY) for spots in layout.open_routes],
    ]
    return {
        "game": ground.key,
        "seats": list(ground.seats),
        "first": ground.seats[ground.first],
        "phases": "free" if ground.free else "strict",
        "hexes": [
            {"hex": letter, "row": row, "index": index, "land": kind, "number": number, "corners": chart.ring(hex_)}
            for hex_, (letter, (row, index), (kind, number)) in enumerate(
                zip(chart.letters, chart.hexes, land, strict=True)
            )
        ],
        "spots": [list(point) for point in chart.points],
        "paths": [list(path) for path in chart.paths],
        "routes": [{"spots": list(each(spots)), "resource": resource} for spots, resource in markers],
    }
