"""One thing that a referee does at a table: made from an order, decided as at the shell, and said in a sentence."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

from engine.game import PUBLIC, Seat
from pbem.clock.time_control import format_duration, parse_duration
from pbem.events.chain import Draft
from pbem.events.kinds import TurnUndone
from pbem.judging.entries import changed_lines, redact_record
from pbem.locale.cldr import format_length, join_list
from pbem.mail.commands.parse_moves import parse_seat
from pbem.mail.post_commands import court as orders
from pbem.mail.post_commands.court import CourtOrder
from pbem.mail.writing.sentences import Sentences, find_sentences
from pbem.mail.writing.terms import say_term
from pbem.people.names import fold_name
from pbem.render.players import show_name
from pbem.tables import cases, referee_decisions
from pbem.tables.cases import WantedRuling, find_case
from pbem.tables.decision import REFEREE, Decision, refuse_overlong
from pbem.tables.fold import BrokenHistoryError, apply_drafts
from pbem.tables.holidays import settle_holidays
from pbem.tables.table import ADJUDICATE, CORRECT, DISMISS, ROLL_BACK, SUBSTITUTE, Table, is_case
from pbem.tables.terms import say_term as term_value
from pbem.workflow.front_desk import Desk
from pbem.workflow.open_seats import may_hold
from pbem.workflow.referees import find_referee
from pbem.workflow.session import GameSession

_RULINGS: Final = {
    orders.DISMISS: DISMISS,
    orders.ROLL_BACK: ROLL_BACK,
    orders.CORRECT: CORRECT,
    orders.SUBSTITUTE: SUBSTITUTE,
    orders.ADJUDICATE: ADJUDICATE,
}
_IN_A_CASE: Final = (*_RULINGS, orders.CLOSE, orders.WARRANT)


@dataclass(frozen=True, slots=True)
class CourtAct:
    """One thing that a referee does at a table, with everything in it that the table knows by name."""

    act: str
    case: int = 0
    turn: int | None = None
    moves: tuple[tuple[Seat, str], ...] = ()
    seat: Seat = ""
    person: str = ""
    name: str = ""
    winners: tuple[Seat, ...] = ()
    length: str = ""
    reason: str = ""
    terms: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "CourtAct":
        """An act as it was kept while it waited."""
        kept = dict(data)
        moves = tuple((str(seat), str(text)) for seat, text in kept.pop("moves"))
        return cls(moves=moves, winners=tuple(kept.pop("winners")), terms=tuple(kept.pop("terms", ())), **kept)

    def decide(self, session: GameSession, table: Table) -> Decision:
        """What comes of it at a table, which may be ahead of the one that is kept."""
        match self.act:
            case orders.OPEN:
                decision = cases.appeal(table, REFEREE, self.reason, self.turn)
            case orders.CLOSE:
                decision = cases.close(table, self.case)
            case orders.WARRANT:
                decision = cases.warrant(table, self.case, self.seat, self.reason)
            case orders.EXTEND:
                decision = referee_decisions.extend(table, self.length, self.reason)
            case orders.PAUSE:
                decision = referee_decisions.pause(table, self.reason)
            case orders.RESUME:
                decision = referee_decisions.resume(table, self.reason)
            case orders.CALL_OFF:
                decision = referee_decisions.call_off(table, self.reason)
            case orders.EXCUSE:
                decision = referee_decisions.excuse(table, self.seat, None, self.reason)
            case orders.TERMS:
                decision = referee_decisions.change_terms(table, self.terms, self.reason)
            case _:
                decision = self._rule(session, table)
        return refuse_overlong(table, decision)

    def _rule(self, session: GameSession, table: Table) -> Decision:
        wanted = WantedRuling(
            _RULINGS[self.act], self.reason, self.turn, self.moves, self.seat, self.name, self.winners
        )
        return cases.rule(table, self.case, wanted, session.dealer())


def _hidden_seat(table: Table, act: CourtAct) -> Seat | None:
    """A seat whose secrets the answer would tell: whether a move is legal may depend on a hand. A warrant opens it."""
    case = find_case(table, act.case)
    if case is None:
        return None
    warranted = {warrant.seat for warrant in case.warrants}
    before = [table]
    with suppress(BrokenHistoryError, ValueError):
        turn = case.turn if act.turn is None else act.turn
        before.append(apply_drafts(table, [Draft(TurnUndone(turn, by=REFEREE))]))
    seats = (seat for seat, _ in act.moves if seat in table.seats and seat not in warranted)
    return next((seat for seat in seats if any(_hides(each, seat) for each in before)), None)


def _hides(table: Table, seat: Seat) -> bool:
    """Whether a seat sees anything that is not public."""
    game, position = table.game, table.position
    return position is not None and game.view(position, seat) != game.view(position, PUBLIC)


def changed_record(desk: Desk, act: CourtAct, table: Table, ahead: Table) -> Iterator[str]:
    """The lines of the record that a ruling takes out and writes; what chance or the rules add to them is not told."""
    if act.act not in (orders.ROLL_BACK, orders.CORRECT):
        return
    case = find_case(ahead, act.case)
    if case is None or not case.decrees:
        return
    decree, record = case.decrees[-1], redact_record(ahead.record, PUBLIC)
    sentences = find_sentences(desk.sentences.locale, table.game.key)
    wanted = [seat for seat, _ in act.moves]
    for line in changed_lines(record, decree.first, decree.last):
        sign, entry = line[:2], line[2:]
        seat = entry.partition(":")[0].rpartition(" ")[2]
        if sign.startswith("-"):
            yield sign + sentences.record_line(entry)
        elif wanted and seat == wanted[0]:
            wanted.pop(0)
            yield sign + sentences.record_line(entry)


def name_seat(desk: Desk, table: Table, seat: Seat) -> str:
    """A seat in the reader's language."""
    return find_sentences(desk.sentences.locale, table.game.key).seat(seat)


def say_act(desk: Desk, act: CourtAct, table: Table) -> str:
    """What an act does, in a sentence."""
    say = desk.sentences.say
    sentences = find_sentences(desk.sentences.locale, table.game.key)
    seat = name_seat(desk, table, act.seat) if act.seat else ""
    case = find_case(table, act.case)
    turn = act.turn if act.turn is not None or case is None else case.turn
    match act.act:
        case orders.SUBSTITUTE:
            return say("act_seat", show_name(act.name), seat)
        case orders.ADJUDICATE:
            return say("act_end", join_list(tuple(map(sentences.seat, act.winners)), desk.language))
        case orders.EXTEND:
            return say("act_extend", format_length(parse_duration(act.length) or timedelta(), desk.language))
        case orders.RESUME:
            return say("act_resume", act.reason)
        case orders.EXCUSE:
            return say("act_excuse", seat)
        case orders.TERMS:
            return " ".join((*_say_changes(act, table, sentences), say("act_terms")))
        case orders.WARRANT:
            return say("act_warrant", act.case, seat)
        case orders.OPEN:
            return say("act_open", cases.last_turn(table) if act.turn is None else act.turn)
        case orders.ROLL_BACK | orders.CORRECT:
            return say(f"act_{act.act.replace(' ', '_')}", turn)
        case orders.DISMISS | orders.CLOSE:
            return say(f"act_{act.act.partition(' ')[0]}", act.case)
    return say(f"act_{act.act.replace(' ', '_')}")


def _say_changes(act: CourtAct, table: Table, sentences: Sentences) -> Iterator[str]:
    """Each term that changes, as it will be and as it is."""
    for what in act.terms:
        name, _, value = what.partition(" ")
        new, old = (say_term(name, each, sentences) for each in (value, term_value(table.terms, name)))
        said = sentences.say("told_changed", new, old, "")
        yield f"{said[:1].upper()}{said[1:]}."


def say_refusal(desk: Desk, decision: Decision) -> str:
    """Why something is not done, with the code of the rule."""
    found = decision.refused or (decision.ruling.verdict if decision.ruling is not None else None)
    if found is None:
        return desk.sentences.say("not_readable")
    says = desk.sentences.gettext(found.says).format_map(found.facts)
    return f"{says[:1].upper()}{says[1:].rstrip('.')} ({found.rule.code})."


def seat_in(table: Table, word: str) -> Seat:
    """The seat that a colour or a player's name stands for; another word comes back as it is."""
    named = {name.lower(): seat for seat, name in table.names.items()}
    named |= {name.split()[0].lower(): seat for seat, name in table.names.items() if name.split()}
    found = parse_seat(table.game, word)
    return found if found in table.seats else named.get(word.lower(), found)


def find_act(desk: Desk, session: GameSession, order: CourtOrder) -> CourtAct | str:
    """What an order means at its table; or what is missing, in a sentence."""
    say, table = desk.sentences.say, session.table
    if order.act == orders.RULE:
        return say("no_ruling")
    case = order.case
    if order.act in _IN_A_CASE and not case:
        waiting = [each.number for each in table.cases if each.is_open]
        if len(waiting) != 1:
            return say("which_case", len(waiting))
        (case,) = waiting
    if not order.reason and order.act not in (orders.CLOSE, orders.RESUME):
        return say("no_reason")
    act = CourtAct(order.act, case, order.turn, reason=order.reason)
    match order.act:
        case orders.CORRECT:
            moves = _split_moves(table, order.moves)
            act = replace(act, moves=moves)
            hidden = _hidden_seat(table, act)
            return (
                say("needs_warrant", name_seat(desk, table, hidden))
                if hidden is not None
                else act
                if moves
                else say("no_moves")
            )
        case orders.SUBSTITUTE:
            return _find_newcomer(desk, session, replace(act, seat=seat_in(table, order.seat)), order.name)
        case orders.TERMS:
            today = desk.context.now().date()
            settled = tuple(settle_holidays(each, today) for each in order.terms)
            return replace(act, terms=settled) if settled else say("no_terms")
        case orders.EXCUSE:
            seat = seat_in(table, order.seat)
            has_missed = seat not in table.seats or table.tally.missed_by(seat)
            return replace(act, seat=seat) if has_missed else say("no_miss", name_seat(desk, table, seat))
        case orders.WARRANT:
            return replace(act, seat=seat_in(table, order.seat))
        case orders.ADJUDICATE:
            found = (seat_in(table, word) for word in order.winners.split())
            winners = tuple(dict.fromkeys(seat for seat in found if seat in table.seats))
            return replace(act, winners=winners) if winners or not order.winners else say("no_winner")
        case orders.EXTEND:
            length = "" if order.length is None else format_duration(order.length)
            return replace(act, length=length) if parse_duration(length) else say("no_length")
        case orders.RESUME:
            pauses = [each for each in table.pauses if not is_case(each)]
            return replace(act, reason=order.reason or (pauses[0] if len(pauses) == 1 else ""))
    return act


def _split_moves(table: Table, text: str) -> tuple[tuple[Seat, str], ...]:
    """Turns with their seats: `green: mint G4; blue: salmon C9`. A part without a seat goes on with the turn before."""
    found: list[tuple[Seat, str]] = []
    for part in text.split(";"):
        who, colon, moves = part.partition(":")
        seat = seat_in(table, who.strip()) if colon else ""
        if seat in table.seats:
            found.append((seat, moves.strip()))
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]}; {part.strip()}")
        else:
            return ()
    return tuple(found)


def _find_newcomer(desk: Desk, session: GameSession, act: CourtAct, name: str) -> CourtAct | str:
    """Who takes a seat: somebody who has written to us, does not play there, and knows no other hand."""
    say, transaction, table = desk.sentences.say, desk.transaction, session.row.id
    person = transaction.person_named(fold_name(name)) if fold_name(name) else None
    if person is None or person.state != "confirmed":
        return say("no_such_person", name or "?")
    addresses = transaction.addresses_of(person.id)
    is_judge = find_referee(desk.context, transaction, table, addresses[0].address) if addresses else None
    if act.seat in session.table.seats and not may_hold(transaction, person.id, table, act.seat):
        return say("may_not_sit", show_name(person.name))
    if is_judge is not None:
        return say("may_not_sit", show_name(person.name))
    return replace(act, person=person.id, name=person.name)
