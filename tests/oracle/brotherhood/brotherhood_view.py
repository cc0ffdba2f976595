"""What one viewer may know of the oracle's table, in the shape of the engine's views, counted out from scratch."""

from typing import Any

from tests.oracle.brotherhood import brotherhood_map
from tests.oracle.brotherhood.brotherhood_allowed import to_act
from tests.oracle.brotherhood.brotherhood_roads import road_length
from tests.oracle.brotherhood.brotherhood_table import RESOURCES, all_points, pieces_left, public_points
from tests.oracle.brotherhood.brotherhood_trade import rate
from tests.oracle.brotherhood.brotherhood_watch_view import watch_view

STILL = ("game", "seats", "first", "phases", "hexes", "spots", "paths", "routes")
"""What never changes during a game."""

WAITING_TO_PLACE = {"settlement": "settle", "road": "pave", "guard": "guard"}
ON_THE_AGENDA = {"tarly": "react", "hero": "part", "token": "tokens"}
"""How the views call what the oracle calls otherwise."""
PLURALS = {"road": "roads", "settlement": "settlements", "keep": "keeps"}


def still_view(table: Any, seats: Any) -> Any:
    """What never changes."""
    board = table.board
    return {
        "game": "brotherhood" if table.watch else "brotherhood-base",
        "seats": list(seats),
        "first": table.seats[0],
        "phases": "free" if table.free_phases else "strict",
        "hexes": [
            {
                "hex": board.letter(place),
                "row": place[0],
                "index": place[1],
                "land": board.terrain[place],
                "number": "/".join(map(str, sorted(board.numbers[place]))),
                "corners": [board.number(point) for point in brotherhood_map.corners(place)],
            }
            for place in board.hexes
        ],
        "spots": [list(point) for point in board.points],
        "paths": sorted(list(board.ends(path)) for path in board.paths),
        "routes": [{"spots": sorted(map(board.number, ends)), "resource": kind} for kind, ends in board.routes],
    }


def view(table: Any, viewer: Any) -> Any:
    """All that can change, as `viewer` may know it."""
    seats, board = table.seats, table.board
    of = {seat: [item for item in table.buildings.items() if item[1][0] == seat] for seat in seats}
    return {
        "turn": table.turn,
        "on_turn": table.to_place[0][0] if table.to_place else table.mover,
        "stage": stage(table),
        "waits_for": waits_for(table),
        "to_act": to_act(table),
        "roads": {
            seat: sorted(list(board.ends(path)) for path, owner in table.roads.items() if owner == seat)
            for seat in seats
        },
        "settlements": {
            seat: sorted(board.number(point) for point, (_, kind) in of[seat] if kind == "settlement") for seat in seats
        },
        "keeps": {
            seat: sorted(board.number(point) for point, (_, kind) in of[seat] if kind == "keep") for seat in seats
        },
        "pieces": {seat: {name: pieces_left(table, seat, piece) for piece, name in PLURALS.items()} for seat in seats},
        "tormund": table.tormund and board.letter(table.tormund),
        "supply": {kind: table.supply[kind] for kind in RESOURCES},
        "deck": table.deck.total(),
        "hands": {seat: hand(table, seat, open_to(table, seat, viewer)) for seat in seats},
        "developments": {seat: developments(table, seat, open_to(table, seat, viewer)) for seat in seats},
        "played": table.card_played,
        "patrols": dict(table.patrols),
        "longest": table.longest,
        "largest": table.largest,
        "lengths": {seat: road_length(table, seat) for seat in seats},
        "rates": {seat: {kind: rate(table, seat, kind) for kind in RESOURCES} for seat in seats},
        "points": {seat: (all_points if table.over else public_points)(table, seat) for seat in seats},
        "offers": [
            {"seat": one["by"], "give": dict(one["give"]), "take": dict(one["take"]), "to": sorted(one["asked"])}
            for one in sorted(table.offers, key=lambda one: one["by"])
        ],
        "owing": dict(table.agenda[0][1]) if waits_for(table) == "discard" else {},
        "robbed": table.agenda[0][2] if waits_for(table) == "steal" else None,
        "dice": list(table.dice),
        "gains": {seat: held(cards) for seat, cards in table.gains.items()},
        "winner": table.winner,
        "watch": watch_view(table) if table.watch else None,
    }


def stage(table: Any) -> Any:
    """Where the turn stands."""
    if table.over:
        return "over"
    if table.to_place:
        return WAITING_TO_PLACE[table.to_place[0][1]]
    if not table.rolled:
        return "roll"
    return "build" if table.building and not table.free_phases else "trade"


def waits_for(table: Any) -> Any:
    """What has to be settled first."""
    if table.over or not table.agenda:
        return stage(table)
    return ON_THE_AGENDA.get(table.agenda[0][0], table.agenda[0][0])


def open_to(table: Any, seat: Any, viewer: Any) -> Any:
    """Whether a viewer sees the cards of a seat."""
    return table.over or viewer == seat


def held(cards: Any) -> Any:
    """Counts above nought."""
    return {kind: count for kind, count in cards.items() if count}


def hand(table: Any, seat: Any, seen: Any) -> Any:
    """Resource cards."""
    cards = table.hands[seat]
    return {"count": cards.total(), **({"cards": held(cards)} if seen else {})}


def developments(table: Any, seat: Any, seen: Any) -> Any:
    """Development cards."""
    kinds = [kind for kind, _ in table.cards[seat]]
    last_played = table.turn - 1 if table.over else table.turn
    bought = [kind for kind, turn in table.cards[seat] if turn == last_played]
    seen_cards = {"cards": counts(kinds), "bought": counts(bought)} if seen else {}
    return {"count": len(kinds), **seen_cards}


def counts(kinds: Any) -> Any:
    """How many of each."""
    return {kind: kinds.count(kind) for kind in kinds}
