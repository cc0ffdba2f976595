"""Whether a game meets conditions: what a catalogue answers by SQL, said once more for the facts of one game.

Positions cannot be told from facts: there the record is replayed, and every moment of it is looked at.
"""

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from engine.digest import digest
from engine.game import PUBLIC, GameRules
from notation import Entry, Record
from pbem.catalogue.game_facts import GameFacts, header_facts, players_moves
from pbem.catalogue.plain_words import fold, holds_phrase
from pbem.catalogue.query import (
    DATE,
    LEGAL,
    NUMBERS,
    OPENING,
    PLAYER,
    REFUSED,
    SEAT,
    TEXTS,
    WON,
    Condition,
    Moves,
    OnView,
    Phrase,
    Plain,
    Position,
    Sought,
    small,
)
from pbem.judging.record_replay import replay_record

_COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def meets(facts: GameFacts, terms: Iterable[Plain], sought: Iterable[Sought] = ()) -> bool:
    """Whether the facts of a game meet every condition, as far as they can tell."""
    return all(_meets(facts, term) for term in terms) and all(_may_have(facts, each) for each in sought)


def headers_allow(record: Record, terms: Iterable[Plain]) -> bool:
    """Whether the headers of a record leave it possible that it meets all conditions."""
    asked = [each for each in terms if isinstance(each, Condition) and each.field not in _JUDGED]
    return not asked or meets(header_facts(record), asked)


_JUDGED: Final = {WON, "points", "turns", "plies", "ending", "verdict"}
"""What only a judge can tell."""


def _may_have(facts: GameFacts, sought: Sought) -> bool:
    """Whether a game may have come to a position: one that never began so, or is too short, has not."""
    if isinstance(sought, OnView):
        return True
    begins = sought.start is None or (facts.chain is not None and facts.chain.start == sought.start)
    return begins and (sought.turn is None or facts.turns + 1 >= sought.turn)


def _meets(facts: GameFacts, term: Plain) -> bool:
    if isinstance(term, Phrase):
        return any(holds_phrase(each, term.words, begun=term.begun) for each in (facts.said, facts.named))
    if isinstance(term, Moves):
        return begins_so(facts.opening, Moves(term.clauses[:OPENING]))
    if term.field in (PLAYER, WON) or term.field.startswith(SEAT):
        return _meets_players(facts, term)
    if term.field == DATE:
        date = facts.date[: len(term.value)]
        return facts.date[:4].isdigit() and _COMPARE[term.sign](date, term.value)
    if term.field == "points":
        return any(
            player.points is not None and _COMPARE[term.sign](player.points, term.number) for player in facts.players
        )
    if term.field in NUMBERS:
        found = {"turns": facts.turns, "plies": facts.plies, "seats": len(facts.players)}[term.field]
        return _COMPARE[term.sign](found, term.number)
    if term.field in TEXTS:
        return _meets_text(facts, term)
    values = [fold(value) for name, value in facts.headers if fold(name) == term.field]
    return _any(term, values)


def _any(term: Condition, values: Iterable[str]) -> bool:
    """Whether one of some texts is the value, or holds it; for `!=`, whether none is."""
    if term.sign == "~":
        return any(term.value in each for each in values)
    return any(each == term.value for each in values) == (term.sign == "=")


def _meets_players(facts: GameFacts, term: Condition) -> bool:
    if term.field == WON:
        won = [player for player in facts.players if player.won]
        return _any(term, [text for player in won for text in (fold(player.name), player.seat)])
    seat = term.field.removeprefix(SEAT) if term.field.startswith(SEAT) else None
    return _any(term, [fold(player.name) for player in facts.players if seat in (None, player.seat)])


def _meets_text(facts: GameFacts, term: Condition) -> bool:
    if term.field == "verdict" and term.value == REFUSED and term.sign != "~":
        return (facts.verdict != LEGAL) == (term.sign == "=")
    found = {
        "game": facts.game,
        "rules": facts.rules,
        "id": facts.id,
        "ending": facts.ending,
        "result": facts.result,
        "verdict": facts.verdict,
    }[term.field]
    return _any(term, [small(found)])


def begins_so(moves: Iterable[str], term: Moves) -> bool:
    """Whether some moves begin with those that are looked for."""
    made = iter(moves)
    *whole, last = term.clauses
    if any(small(next(made, "")) != each for each in whole):
        return False
    found = small(next(made, ""))
    return found == last or found.startswith(f"{last} ")


def record_meets(record: Record, terms: Iterable[Plain], sought: tuple[Sought, ...]) -> bool:
    """Whether a record meets what only it can tell: long beginnings, and positions, all at the same moment."""
    for term in terms:
        if isinstance(term, Moves) and term.is_long and not begins_so(players_moves(record), term):
            return False
    return not sought or had_position(record, sought)


class _Found(Exception):  # noqa: N818 - what it tells
    """Raised inside this module where replaying need not go on."""


def had_position(record: Record, sought: tuple[Sought, ...]) -> bool:
    """Whether everything that is sought stood on the table at one moment, as everybody could see it."""
    game = record.game
    if game is None:
        return False

    def look(_entry: Entry, _turn: int, position: object) -> None:
        if all(_stands(game, position, each) for each in sought):
            raise _Found

    try:
        replay_record(record, watch=look)
    except _Found:
        return True
    return False


def _stands(game: GameRules, position: object, sought: Sought) -> bool:
    if isinstance(sought, Position):
        return sought.turn in (None, game.turn(position)) and digest(game, position).startswith(sought.digest)
    return _holds(game.view(position, PUBLIC), sought.path, sought)


def _holds(seen: object, path: tuple[str, ...], sought: OnView) -> bool:
    if path:
        if not isinstance(seen, Mapping):
            return False
        if path[0] == "*":
            return any(_holds(each, path[1:], sought) for each in seen.values())
        return path[0] in seen and _holds(seen[path[0]], path[1:], sought)
    if sought.sign == "is":
        return isinstance(seen, str | int) and fold(str(seen)) == sought.value
    if isinstance(seen, str):
        return sought.value in fold(seen).split()
    return isinstance(seen, Mapping | list | tuple) and any(fold(str(each)) == sought.value for each in seen)
