"""The Wall as a viewer may see it, its points explained, and what is told of moves that show something to one player.

Tokens, camps, guards and heroes are open to all. Hidden are only the cards that Melisandre's player sees and the hand
that Mance's player sees, and what they take of them.

The part ``watch`` of a view:

- ``sections``: for each section of the Wall, from the west, the seats of its guards, space 1 first;
- ``camps``: clan -> kinds of wildlings, the hottest camp first; ``clearings``: regulars waiting before each section;
- ``gift``: letter of a hex -> the kind that holds it; ``frostfangs``: kind -> figures there; ``breaches``;
- ``tokens``: {``pool``: how many, ``used``: those face up, ``unseen``: for each shuffle those face down, both as
  ``ice-river giant`` -> count, ``cards``: seat -> {``settlements``: the shuffle of the token under each, ``keeps``}};
- ``due``: what must be turned up: settlement, keep, pool, or return for a token laid under a settlement;
- ``heroes``: {``before``: seat -> {``hero``, ``side``, ``rests``: not to be used in this turn any more}, ``display``,
  ``used_by``: a seat that must flip or swap, ``searched``: the seat whose hand Mance sees; and for that user alone
  ``cards``: what Melisandre sees, ``hand``: what Mance sees}.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.brotherhood.board import each
from engine.brotherhood.hero_roster import Company
from engine.brotherhood.moves import CLANS, HEROES, WILDLINGS, Choose, Look, Take
from engine.brotherhood.position import NOBODY, Position
from engine.brotherhood.rules import guards as guarding
from engine.brotherhood.table import WorkingPosition
from engine.brotherhood.view import developments, resources
from engine.brotherhood.wall import watch_of
from engine.brotherhood.wall_sections import guard_points, guards_of
from engine.brotherhood.wall_state import FACES, Counts, Tokens
from engine.game import Seat
from engine.score import Line


def points_of_guards(table: WorkingPosition, who: int) -> int:
    """The points of a player's guards (BW-G3)."""
    return guard_points(guards_of(watch_of(table), who))


def lines(position: Position, who: int) -> list[Line]:
    """The same, explained."""
    guards = guards_of(watch_of(position), who)
    says = "guards on the Wall: {guards}"
    return [Line("guards", guarding.G3.code, guard_points(guards), says, {"guards": guards})]


def look(position: Position, viewer: Seat) -> Mapping[str, Any]:
    """The view's part ``watch``."""
    watch = watch_of(position)
    seats, letters = position.ground.seats, position.ground.chart.letters
    return {
        "sections": [[seats[who] for who in section] for section in watch.sections],
        "camps": {clan: [WILDLINGS[kind] for kind in camps] for clan, camps in zip(CLANS, watch.camps, strict=True)},
        "clearings": list(watch.clearings),
        "gift": {letters[at]: WILDLINGS[kind] for kind, held in enumerate(watch.gift) for at in each(held)},
        "frostfangs": dict(zip(WILDLINGS, watch.frostfangs, strict=True)),
        "breaches": watch.breaches,
        "tokens": _tokens(watch.tokens, seats),
        "due": [due.source for due in watch.due],
        "heroes": _heroes(position, watch.company, viewer),
    }


def _tokens(tokens: Tokens, seats: tuple[Seat, ...]) -> dict[str, object]:
    return {
        "pool": tokens.pool,
        "used": _faces(tokens.used),
        "unseen": [_faces(counts) for counts in tokens.unseen],
        "cards": {
            seat: {"settlements": list(card.settlements), "keeps": card.keeps}
            for seat, card in zip(seats, tokens.cards, strict=True)
        },
    }


def _faces(counts: Counts) -> dict[str, int]:
    return {f"{clan} {kind}": count for (clan, kind), count in zip(FACES, counts, strict=True) if count}


def _heroes(position: Position, company: Company, viewer: Seat) -> dict[str, object]:
    """Who has which hero; and what the viewer alone sees by a hero's help."""
    seats = position.ground.seats
    shown: dict[str, object] = {
        "before": {
            seat: {
                "hero": HEROES[holding.hero],
                "side": "B" if holding.worn else "A",
                "rests": holding.taken == position.turn
                or (seats[position.who] == seat and company.spent == position.turn),
            }
            for seat, holding in zip(seats, company.holdings, strict=True)
        },
        "display": [HEROES[hero] for hero in company.display],
        "used_by": None if company.user == NOBODY else seats[company.user],
        "searched": None if company.victim == NOBODY else seats[company.victim],
    }
    if company.user != NOBODY and viewer == seats[company.user]:
        if company.shown:
            shown["cards"] = developments(company.shown)
        if company.victim != NOBODY:
            shown["hand"] = resources(position.hands[company.victim])
    return shown


def _tell_look(position: Position, move: Look, viewer: Seat) -> Look:
    return move if viewer == position.ground.seats[position.who] else Look(None)


def _tell_choice(position: Position, move: Choose, viewer: Seat) -> Choose:
    return move if viewer == position.ground.seats[position.who] else Choose(None)


def _tell_taking(position: Position, move: Take, viewer: Seat) -> Take:
    seats = position.ground.seats
    entitled = {seats[position.who], seats[watch_of(position).company.victim]}
    return move if viewer in entitled else Take(None)


TOLD: Final[Mapping[type, Callable[[Position, Any, Seat], Any]]] = {
    Look: _tell_look,
    Choose: _tell_choice,
    Take: _tell_taking,
}
