"""What a command does at a table: the one door through which players change anything.

Each kind of command has a function here or in the modules it leans on; all are pure. A command that may not be
carried out is refused with a rule of the post, a move that may not be made with a rule of the game.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from engine.chance import Dealer
from engine.game import Seat
from pbem.ledger.event import Draft
from pbem.orders import commands
from pbem.orders.commands import Command
from pbem.tables import answering, playing, rules, voting
from pbem.tables.decision import Decision, Refused
from pbem.tables.table import INVITING, PLAYING, Table


@dataclass(frozen=True, slots=True)
class Moment:
    """What a decision may know of the world outside the table."""

    now: datetime
    dealer: Dealer
    """Settles the set-up and whatever chance is due."""
    letter: str = ""
    """The digest of the letter that asks, for the record."""
    absent: int = 0
    """Days of absence that the seat has used."""


def decide(table: Table, seat: Seat, command: Command, moment: Moment) -> Decision:
    """What comes of a command from `seat`."""
    return _DOORS[type(command)](table, seat, command, moment)


def _accept(table: Table, seat: Seat, command: commands.Accept, moment: Moment) -> Decision:
    if table.stage != INVITING or seat in table.accepted:
        return Decision(refused=Refused(rules.I1, "{seat} has already taken the seat", {"seat": seat}))
    drafts = [Draft("accepted", {"seat": seat, "entropy": command.entropy})]
    if table.accepted | {seat} == set(table.seats):
        drafts.append(playing.start(table, moment.dealer))
    return Decision(tuple(drafts))


def _decline(table: Table, seat: Seat, command: commands.Decline, moment: Moment) -> Decision:
    if table.stage != INVITING:
        return Decision(refused=Refused(rules.I1, "the game has begun; `resign` gives it up"))
    return Decision((Draft("declined", {"seat": seat}),))


def _resign(table: Table, seat: Seat, command: commands.Resign, moment: Moment) -> Decision:
    if table.stage != PLAYING or seat in table.resigned:
        return Decision(refused=Refused(rules.T3, "there is no game for {seat} to give up", {"seat": seat}))
    drafts = [Draft("resigned", {"seat": seat})]
    left = [other for other in table.active if other != seat]
    if len(left) < 2:
        gone = [*table.resigned, seat]
        drafts.append(Draft("ended", {"kind": "resigned", "seats": gone, "reason": ""}))
    return Decision(tuple(drafts))


def _press(table: Table, seat: Seat, command: commands.Press, moment: Moment) -> Decision:
    if command.to not in ("all", "referee", *table.seats):
        facts = {"to": command.to, "seats": ", ".join(table.seats)}
        says = "nobody sits at {to}; words go to all, to referee or to {seats}"
        return Decision(refused=Refused(rules.P1, says, facts))
    return Decision((Draft("press", {"from": seat, "to": command.to, "words": command.words}),))


def _vacation(table: Table, seat: Seat, command: commands.Vacation, moment: Moment) -> Decision:
    days = (command.last - command.first).days + 1
    allowed = int(table.terms.get("absence", 30))
    facts = {"days": days, "used": moment.absent, "allowed": allowed}
    if days < 1 or command.first < moment.now.date():
        return Decision(refused=Refused(rules.A1, "an absence begins today or later and ends after it begins", facts))
    if moment.absent + days > allowed:
        says = "{days} days are too many: the table allows {allowed}, of which {used} are used"
        return Decision(refused=Refused(rules.A1, says, facts))
    data = {"seat": seat, "first": command.first.isoformat(), "last": command.last.isoformat()}
    return Decision((Draft("absence", data),))


def _play(table: Table, seat: Seat, command: commands.Play, moment: Moment) -> Decision:
    return playing.play(table, seat, command, moment.dealer, letter=moment.letter)


def _plan(table: Table, seat: Seat, command: commands.Plan, moment: Moment) -> Decision:
    return playing.plan(table, seat, command)


def _ask(table: Table, seat: Seat, command: commands.Ask, moment: Moment) -> Decision:
    return voting.ask(table, seat, command.what)


def _agree(table: Table, seat: Seat, command: commands.Agree, moment: Moment) -> Decision:
    return voting.agree(table, seat, command.what)


def _object(table: Table, seat: Seat, command: commands.Object, moment: Moment) -> Decision:
    return voting.object_to(table, seat, command.what)


def _answer(table: Table, seat: Seat, command: Command, moment: Moment) -> Decision:
    return answering.answer(table, seat, command)


_DOORS: Final[Mapping[type, Callable[[Table, Seat, Any, Moment], Decision]]] = {
    commands.Accept: _accept,
    commands.Decline: _decline,
    commands.Resign: _resign,
    commands.Press: _press,
    commands.Vacation: _vacation,
    commands.Play: _play,
    commands.Plan: _plan,
    commands.Ask: _ask,
    commands.Agree: _agree,
    commands.Object: _object,
    **dict.fromkeys(answering.ANSWERED, _answer),
}
