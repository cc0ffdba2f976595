"""What a command does at a table: the one door through which players change anything.

Each kind of command has a function here or in the modules it leans on; all are pure. A command that may not be
carried out is refused with a rule of the post, a move that may not be made with a rule of the game.
"""

import hashlib
import hmac
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from engine.chance import Dealer
from engine.digest import canonical
from engine.game import Seat
from pbem.events.chain import Draft
from pbem.events.kinds import InvitationAccepted, InvitationDeclined, PressSent
from pbem.mail.commands import commands
from pbem.mail.commands.commands import Command
from pbem.tables import absences, cases, play, questions, standing_orders, table_rules, votes
from pbem.tables.absences import leave, wanted
from pbem.tables.consequences import follow
from pbem.tables.decision import ALL, REFEREE, Decision, Refused, Said, keep_within
from pbem.tables.fold import foresee
from pbem.tables.standing_orders import StandingOrder
from pbem.tables.table import CALLED_OFF, INVITING, PLAYING, Table


@dataclass(frozen=True, slots=True)
class Moment:
    """What a decision may know of the world outside the table."""

    now: datetime
    """In the time zone of whoever asks, whose days are meant by an absence."""
    dealer: Dealer
    """Settles the set-up and whatever chance is due."""
    letter: str = ""
    """The digest of the letter that asks, for the record."""
    mark: str = ""
    """The digest of what the sender's own copy of the letter has as well."""
    standing: tuple[StandingOrder, ...] = ()
    """The orders of whoever asks that stand already."""
    secret: bytes = b""
    """The post's own, never opened. It blinds the digests of private words, which could be guessed otherwise."""


def decide(table: Table, seat: Seat, command: Command, moment: Moment) -> Decision:
    """What comes of a command from `seat`, with all that happens by itself afterwards."""
    return keep_within(table, _DOORS[type(command)](table, seat, command, moment))


def _happening(table: Table, decision: Decision, moment: Moment) -> Decision:
    """A decision with all that happens by itself after its drafts."""
    return replace(decision, drafts=follow(table, decision.drafts, moment.dealer))


def _accept(table: Table, seat: Seat, command: commands.AcceptInvitation, moment: Moment) -> Decision:
    refused = _not_invited(table)
    if table.stage != CALLED_OFF and seat in table.accepted:
        refused = Refused(table_rules.I1, "{seat} has already taken the seat", {"seat": seat})
    if refused is not None:
        return Decision(refused=refused)
    drafts = [Draft(InvitationAccepted(seat, _stir(command, moment), moment.letter))]
    if table.accepted | {seat} == set(table.seats):
        begun = play.start(foresee(table, drafts), moment.dealer)
        drafts += [begun] if begun is not None else []
    return _happening(table, Decision(tuple(drafts)), moment)


def _stir(command: commands.AcceptInvitation, moment: Moment) -> str:
    """What an acceptance stirs into the draws: the digest of its words, which are nobody's business, or its mark."""
    if command.entropy:
        return hashlib.sha256(unicodedata.normalize("NFC", command.entropy).encode()).hexdigest()
    return moment.mark or hashlib.sha256(b"").hexdigest()


def _decline(table: Table, seat: Seat, command: commands.DeclineInvitation, moment: Moment) -> Decision:
    refused = _not_invited(table)
    if refused is not None:
        return Decision(refused=refused)
    return Decision((Draft(InvitationDeclined(seat, reason="")),))


def _not_invited(table: Table) -> Refused | None:
    if table.stage == INVITING:
        return None
    if table.stage == CALLED_OFF:
        return Refused(table_rules.I1, "the invitation was called off")
    if table.stage == PLAYING:
        return Refused(table_rules.I1, "the game has begun; `resign` gives it up")
    return Refused(table_rules.I1, "the game has begun")


def _resign(table: Table, seat: Seat, command: commands.Resign, moment: Moment) -> Decision:
    if table.stage != PLAYING or seat in table.resigned:
        return Decision(refused=Refused(table_rules.T3, "there is no game for {seat} to give up", {"seat": seat}))
    drafts = leave(table, seat, "resigned", seat)
    return _happening(table, Decision(drafts, notices=(wanted(seat),) if len(table.active) > 2 else ()), moment)


def _press(table: Table, seat: Seat, command: commands.Press, moment: Moment) -> Decision:
    if command.to not in (ALL, REFEREE, *table.seats):
        facts = {"to": command.to, "seats": ", ".join(table.seats)}
        says = "nobody sits at {to}; words go to all, to referee or to {seats}"
        return Decision(refused=Refused(table_rules.P1, says, facts))
    said = Said(seat, command.to, command.words)
    digest = hmac.digest(moment.secret, canonical([said.by, said.to, said.words]), "sha256").hex()
    # An event can be read by everybody, now or when the history is opened: so can only what was said to all.
    shown = said.words if said.to == ALL else None
    return Decision((Draft(PressSent(said.by, said.to, digest, shown)),), said=said)


def _appeal(table: Table, seat: Seat, command: commands.Appeal, moment: Moment) -> Decision:
    return cases.appeal(table, seat, command.words, command.turn)


def _vacation(table: Table, seat: Seat, command: commands.Vacation, moment: Moment) -> Decision:
    return absences.announce(table, seat, command, moment.now.date())


def _drop_vacation(table: Table, seat: Seat, command: commands.DropVacation, moment: Moment) -> Decision:
    return absences.take_back(table, seat, moment.now.date())


def _play(table: Table, seat: Seat, command: commands.Play, moment: Moment) -> Decision:
    return play.play(table, seat, command, moment.dealer, letter=moment.letter)


def _plan(table: Table, seat: Seat, command: commands.Plan, moment: Moment) -> Decision:
    return play.plan(table, seat, command)


def _bid(table: Table, seat: Seat, command: commands.SetStanding, moment: Moment) -> Decision:
    return standing_orders.bid(table, seat, command, moment.standing)


def _list_standing(table: Table, seat: Seat, command: commands.ListStanding, moment: Moment) -> Decision:
    return standing_orders.list_orders(table, seat, moment.standing)


def _drop_standing(table: Table, seat: Seat, command: commands.DropStanding, moment: Moment) -> Decision:
    return standing_orders.drop()


def _ask(table: Table, seat: Seat, command: commands.Ask, moment: Moment) -> Decision:
    return _happening(table, votes.ask(table, seat, command.what), moment)


def _agree(table: Table, seat: Seat, command: commands.Agree, moment: Moment) -> Decision:
    return _happening(table, votes.agree(table, seat, command.what), moment)


def _object(table: Table, seat: Seat, command: commands.Object, moment: Moment) -> Decision:
    return _happening(table, votes.object_to(table, seat, command.what), moment)


def _answer(table: Table, seat: Seat, command: Command, moment: Moment) -> Decision:
    return questions.answer(table, seat, command)


_DOORS: Final[Mapping[type, Callable[[Table, Seat, Any, Moment], Decision]]] = {
    commands.AcceptInvitation: _accept,
    commands.DeclineInvitation: _decline,
    commands.Resign: _resign,
    commands.Press: _press,
    commands.Appeal: _appeal,
    commands.Vacation: _vacation,
    commands.DropVacation: _drop_vacation,
    commands.Play: _play,
    commands.Plan: _plan,
    commands.SetStanding: _bid,
    commands.ListStanding: _list_standing,
    commands.DropStanding: _drop_standing,
    commands.Ask: _ask,
    commands.Agree: _agree,
    commands.Object: _object,
    **dict.fromkeys(questions.ANSWERED, _answer),
}
