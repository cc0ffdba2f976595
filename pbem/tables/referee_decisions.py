"""Decisions of the referee: opening a table, seating a substitute, extra time, pauses, and adjudication.

A referee never plays. Each decision is an event with its author and its reason, which everybody is told. A new table is
checked before anybody is invited; the set-up is drawn when all have accepted.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.chance import Dealer, KeyedDealer
from engine.game import GameRules, Seat, Setup
from engine.verdict import Verdict
from notation import ADJUDICATED, Ending
from pbem.events.chain import Draft
from pbem.events.kinds import GamePaused, GameResumed, InvitationDeclined, SeatSubstituted, TimeExtended
from pbem.events.post_kinds import GameCalledOff, MissExcused, PlayerInvited
from pbem.events.record_conversion import draft_end, draft_opening
from pbem.tables import table_rules
from pbem.tables.absences import vacancy
from pbem.tables.consequences import add_consequences
from pbem.tables.decision import REFEREE, Decision, Refused
from pbem.tables.silence import SILENCE_POLICIES
from pbem.tables.table import INVITING, PLAYING, ROLLBACK, VOTED, Table, is_case
from pbem.tables.terms import draft_change

_LONGEST: Final = 200
"""Characters in a name or a reason."""


def seat_substitute(table: Table, seat: Seat, name: str, dealer: Dealer, *, by: str = REFEREE) -> Decision:
    """Give a seat to a substitute, and let the game go on if it waited for one."""
    refused = refuse_misplaced(table, seat) or refuse_bad_text(name)
    if refused is not None:
        return Decision(refused=refused)
    return Decision(add_consequences(table, substitute(table, seat, name, by), dealer))


def substitute(table: Table, seat: Seat, name: str, by: str = REFEREE) -> tuple[Draft, ...]:
    """The events that give a seat to a substitute and end a pause for want of a player."""
    taken = Draft(SeatSubstituted(seat, name, by=by))
    if vacancy(seat) not in table.pauses:
        return (taken,)
    return (taken, Draft(GameResumed(vacancy(seat), by=by)))


def pause(table: Table, reason: str) -> Decision:
    """Pause the game for a reason."""
    refused = refuse_misplaced(table) or refuse_bad_text(reason)
    if refused is None and (is_case(reason) or reason in (VOTED, ROLLBACK, *map(vacancy, table.seats))):
        says = "we use the reason {reason} ourselves; say it in other words"
        refused = Refused(table_rules.R1, says, {"reason": reason})
    if refused is None and reason in table.pauses:
        refused = Refused(table_rules.V2, "the game is paused for that reason already: {reason}", {"reason": reason})
    return Decision(refused=refused) if refused else Decision((Draft(GamePaused(reason, by=REFEREE)),))


def resume(table: Table, reason: str) -> Decision:
    """Remove a reason to pause; an open case must be closed first."""
    if is_case(reason) and reason in table.pauses:
        says = "the clock is stopped until {reason} is closed; close it, and the clock runs again"
        return Decision(refused=Refused(table_rules.K2, says, {"reason": reason}))
    if reason == ROLLBACK and reason in table.pauses:
        says = "the clock is stopped until the moves are sent again; `pbem restore --accept {table}` ends that"
        return Decision(refused=Refused(table_rules.K2, says, {"table": table.id}))
    if reason not in table.pauses:
        facts = {"reason": reason, "reasons": ", ".join(sorted(table.pauses)) or "none"}
        says = "the game is not paused for that reason: {reason}; there is {reasons}"
        return Decision(refused=Refused(table_rules.V2, says, facts))
    return Decision((Draft(GameResumed(reason, by=REFEREE)),))


def excuse(table: Table, seat: Seat, event: int | None, reason: str) -> Decision:
    """Excuse an answer that a player missed: the last one, or the one that was missed by an event."""
    refused = refuse_misplaced(table, seat) or refuse_bad_text(reason)
    missed = table.tally.missed_by(seat)
    if refused is None and (not missed or event not in (None, *missed)):
        facts = {"seat": seat, "events": ", ".join(map(str, missed)) or "none"}
        says = "there is no such answer missed by {seat}; events by which one was missed: {events}"
        refused = Refused(table_rules.E1, says, facts)
    if refused is not None:
        return Decision(refused=refused)
    return Decision((Draft(MissExcused(seat, missed[-1] if event is None else event, REFEREE, reason)),))


def change_terms(table: Table, changes: Sequence[str], reason: str) -> Decision:
    """Change terms such as `pace 2d`, one after the other; all of them or none."""
    refused = refuse_misplaced(table) or refuse_bad_text(reason)
    if refused is not None or not changes:
        return Decision(refused=refused)
    drafts = [draft_change(table, what, REFEREE, reason) for what in changes]
    wrong = next((each for each in drafts if isinstance(each, Refused)), None)
    return Decision(refused=wrong) if wrong else Decision(tuple(each for each in drafts if isinstance(each, Draft)))


def extend(table: Table, length: str, reason: str) -> Decision:
    """Give everybody who is due more time, written like ``24h``."""
    refused = refuse_misplaced(table) or refuse_bad_text(reason)
    extended = TimeExtended(length, reason, by=REFEREE)
    return Decision(refused=refused) if refused else Decision((Draft(extended),))


def adjudicate(table: Table, winners: tuple[Seat, ...], reason: str) -> Decision:
    """End a game that cannot be played to its end, with winners."""
    refused = refuse_misplaced(table, *winners) or refuse_bad_text(reason)
    if refused is None and not table.due:
        says = "the rules have ended the game: dismiss the case, and it closes with the result they give it"
        refused = Refused(table_rules.T3, says)
    if refused is not None:
        return Decision(refused=refused)
    return Decision((draft_end(table.seats, Ending(ADJUDICATED, winners, reason), table.score),))


def call_off(table: Table, reason: str) -> Decision:
    """Call a game off before it has begun."""
    if table.stage != INVITING:
        return Decision(refused=Refused(table_rules.I1, "the game has begun"))
    if (refused := refuse_bad_text(reason)) is not None:
        return Decision(refused=refused)
    if table.is_second_form:
        return Decision((Draft(GameCalledOff(reason, by=REFEREE)),))
    return Decision((Draft(InvitationDeclined(REFEREE, reason)),))


def invite(table: Table, seat: Seat, name: str) -> Decision:
    """Ask another person to take a seat that was declined."""
    if table.stage != INVITING:
        return Decision(refused=Refused(table_rules.I1, "the game has begun"))
    if seat not in table.free:
        facts = {"seat": seat, "free": ", ".join(sorted(table.free)) or "none"}
        return Decision(refused=Refused(table_rules.I1, "the seat {seat} is not free; free seats: {free}", facts))
    if (refused := refuse_bad_text(name)) is not None:
        return Decision(refused=refused)
    return Decision((Draft(PlayerInvited(seat, "", name, by=REFEREE)),))


def refuse_misplaced(table: Table, *seats: Seat) -> Refused | None:
    """The refusal if no game is being played or a seat does not exist; None if all is well."""
    if table.stage != PLAYING:
        return Refused(table_rules.T3, "this game has not begun, or is over")
    stranger = next((seat for seat in seats if seat not in table.seats), None)
    if stranger is not None:
        facts = {"seat": stranger, "seats": ", ".join(table.seats)}
        return Refused(table_rules.P1, "nobody sits at {seat}; the seats are {seats}", facts)
    return None


def refuse_bad_text(words: str) -> Refused | None:
    """The refusal of a name or reason that is empty, too long or not one printable line; None if it is good."""
    if 0 < len(words.strip()) <= _LONGEST and words.isprintable():
        return None
    return Refused(
        table_rules.R1, "write a name or a reason; one line of at most {longest} characters", {"longest": _LONGEST}
    )


def open_table(
    game: GameRules,
    *,
    names: Mapping[Seat, str],
    options: Mapping[str, str],
    terms: Mapping[str, object],
    headers: Mapping[str, str] | None = None,
) -> Draft | Refused:
    """The first event of a game, with the players by seat, in seat order; or why it cannot be played so."""
    known = [option.name for option in game.options]
    facts: dict[str, object] = {"title": game.title, "known": ", ".join(known)}
    for name in options:
        if name not in known:
            says = "{title} has no header {name}; it has {known}"
            return Refused(table_rules.O1, says, {**facts, "name": name})
    silence = terms.get("silence", "wait")
    if silence not in SILENCE_POLICIES:
        says = "there is no way to treat silence called {silence}; there is {known}"
        return Refused(table_rules.O1, says, {"silence": silence, "known": ", ".join(SILENCE_POLICIES)})
    seats = tuple(names)
    strangers = [seat for seat in seats if seat not in game.seats]
    if strangers:
        facts |= {"seat": strangers[0], "seats": ", ".join(game.seats)}
        return Refused(table_rules.O1, "{title} has no seat {seat}; it has {seats}", facts)
    # A trial start with throw-away draws shows whether a game can begin so.
    trial = game.start(game.lay_out(Setup(seats, tuple(options.items())), KeyedDealer(b"trial")))
    if isinstance(trial, Verdict):
        return Refused(trial.rule, trial.says, trial.facts)
    return draft_opening(game, seats=seats, names=names, options=options, terms=terms, headers=headers)
