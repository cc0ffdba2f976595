"""From a record's headers to the first position: the game, its edition, the seats and the set-up."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine import registry
from engine.game import Setup
from engine.pose import TABLE, Misplaced
from engine.verdict import Rule, Verdict
from notation.record import POSE
from pbem.judging import record_rules
from pbem.judging.result import Refusal

if TYPE_CHECKING:
    from engine.game import GameRules
    from notation.record import Record


def start_from_headers(record: "Record") -> "tuple[GameRules, object] | Refusal":
    """The game and its first position, or what is wrong with the headers."""
    game = record.game
    if game is None:
        return _unknown(record.header("Game") or "", record.header("Rules"))
    if not record.seats:
        facts = {"example": f'[Seat.{game.seats[0]} "Anna"]'}
        return _refuse(
            record_rules.P1, "nobody sits at the table; name the seats, for example {example}", "Game", facts
        )
    for seat in record.seats:
        if seat not in game.seats:
            facts = {"seat": seat, "title": game.title, "seats": ", ".join(game.seats)}
            return _refuse(record_rules.P2, "{title} has no seat {seat}; it has {seats}", f"Seat.{seat}", facts)
    position = game.start(record.setup)
    if isinstance(position, Verdict):
        return Refusal(position, header=_at_fault(game, record.setup, position))
    return _pose(game, position, record) if record.setup.pose else (game, position)


def _pose(game: "GameRules", position: object, record: "Record") -> "tuple[GameRules, object] | Refusal":
    """The position that the headers state, or what is wrong with them."""
    stated = dict(record.setup.pose)
    if odd := [seat for seat in stated if seat not in (TABLE, *record.seats)]:
        facts = {"seat": odd[0], "seats": ", ".join(record.seats)}
        return _refuse(record_rules.P3, "nobody sits at {seat}; the seats are {seats}", f"{POSE}.{odd[0]}", facts)
    posed = game.pose(position, stated)
    if posed is None:
        return _refuse(record_rules.P3, "positions of {title} cannot be stated", POSE, {"title": game.title})
    if isinstance(posed, Misplaced):
        header = f"{POSE}.{posed.seat}" if posed.seat != TABLE else POSE
        return _refuse(record_rules.P3, posed.says, header if posed.seat in stated else POSE, posed.facts)
    return game, posed


def _at_fault(game: "GameRules", setup: Setup, verdict: Verdict) -> str | None:
    """The header without which the same rule would be broken otherwise, or none; None if one is missing."""
    for name, _ in setup.options:
        without = tuple(option for option in setup.options if option[0] != name)
        found = game.start(Setup(setup.seats, without))
        if not isinstance(found, Verdict) or (found.rule == verdict.rule and found[1:3] != verdict[1:3]):
            return name
    return None


def _unknown(key: str, edition: str | None) -> Refusal:
    editions = registry.list_editions(key)
    if not editions:
        facts = {"key": key, "known": ", ".join(registry.game_keys())}
        wrong, nothing = (
            "there is no game {key} here; known are: {known}",
            "the record does not name its game; known are: {known}",
        )
        return _refuse(record_rules.G1, wrong if key else nothing, "Game", facts)
    facts = {"key": key, "edition": edition or "", "known": ", ".join(game.edition for game in editions)}
    return _refuse(
        record_rules.G2, "{key} has no edition {edition} of its rules here; there is {known}", "Rules", facts
    )


def _refuse(rule: Rule, says: str, header: str, facts: Mapping[str, object]) -> Refusal:
    return Refusal(Verdict(rule, says, facts), header=header)
