"""Cases: players call the referee about a turn, and the referee rules.

The game is paused while a case is open, so a seat has one open case at a time and appeals about a turn only once.

Nothing is edited. A ruling is an event with its reason, followed by other events: a roll-back is an `undone` like any
other, and a correction plays legal moves in the name of the seat, with the referee as their author.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from engine.chance import Dealer
from engine.game import Seat
from pbem.events.chain import Draft
from pbem.events.kinds import CaseAppealed, CaseClosed, CaseRuled, CaseWarranted, GamePaused, GameResumed, TurnUndone
from pbem.tables import referee_decisions, table_rules
from pbem.tables.consequences import add_consequences
from pbem.tables.decision import REFEREE, Decision, Notice, Refused
from pbem.tables.fold import apply_drafts
from pbem.tables.play import play
from pbem.tables.table import ADJUDICATE, CORRECT, DISMISS, PLAYING, ROLL_BACK, SUBSTITUTE, Case, Table, pause_for

CARRIED: Final = "Most of the other players want it."
LOST: Final = "Not enough of the other players want anything else."
"""Why a case is decided so at a table without a referee; mails say it in their reader's language."""
LONGEST: Final = 2_000
"""Characters that an appeal may have."""


def appeal(table: Table, by: Seat, words: str, turn: int | None = None) -> Decision:
    """Open a case about a turn, the last one played if none is named; `by` may be the referee too."""
    if table.stage != PLAYING:
        return Decision(refused=Refused(table_rules.T3, "this game has not begun, or is over"))
    meant = last_turn(table) if turn is None else turn
    refused = _refuse_appeal(table, by, words, meant)
    if refused is not None:
        return Decision(refused=refused)
    number = len(table.cases) + 1
    drafts = (
        Draft(CaseAppealed(number, by, meant, words)),
        Draft(GamePaused(pause_for(number), by)),
    )
    about = f"case {number}, turn {meant}: {words}"
    return Decision(drafts, notices=(Notice(REFEREE, "appeal", by, about),))


def last_turn(table: Table) -> int:
    """The last turn with a move; the turn that is due, if there is none yet."""
    standing = table.standing
    return (standing[-1].number or 0) if standing else table.turn


def find_case(table: Table, number: int) -> Case | None:
    """The case with a number; None if there is none."""
    return table.cases[number - 1] if 0 < number <= len(table.cases) else None


def _refuse_appeal(table: Table, by: Seat, words: str, turn: int) -> Refused | None:
    facts = {"seat": by, "turn": turn, "now": table.turn, "longest": LONGEST}
    if not 0 < len(words.strip()) <= LONGEST:
        return Refused(table_rules.K1, "say in a few words what is wrong; at most {longest} characters", facts)
    played = table.was_played(turn)
    # Who is to move may be kept from moving, and the referee has cases about anything. For others it would be wasted.
    if not played and not (turn == table.turn and by in (REFEREE, *table.due)):
        says = "turn {turn} was not played; the game is at turn {now}"
        return Refused(table_rules.K3, says, facts)
    for case in table.cases:
        facts["case"] = case.number
        if by == case.by != REFEREE and case.is_open:
            return Refused(table_rules.K1, "your case {case} is still open", facts)
        if by == case.by != REFEREE and (case.turn, case.played) == (turn, played):
            return Refused(
                table_rules.K1, "you called the referee about turn {turn} before; that is case {case}", facts
            )
    return None


class WantedRuling(NamedTuple):
    """A ruling that the referee wants to make, with the fields that its kind needs."""

    ruling: str
    reason: str
    turn: int | None = None
    """Where to go back to; the turn of the case, if it is not said."""
    moves: tuple[tuple[Seat, str], ...] = ()
    """What is played instead, turn by turn."""
    seat: Seat = ""
    name: str = ""
    """Who takes which seat."""
    winners: tuple[Seat, ...] = ()


def rule(table: Table, number: int, wanted: WantedRuling, dealer: Dealer) -> Decision:
    """The events of a ruling in a case: all of them, or a refusal."""
    case = _open_case(table, number)
    if isinstance(case, Refused):
        return Decision(refused=case)
    if (refused := referee_decisions.refuse_bad_text(wanted.reason)) is not None:
        return Decision(refused=refused)
    turn = case.turn if wanted.turn is None else wanted.turn
    ruled = Draft(CaseRuled(number, wanted.ruling, turn, wanted.reason, by=REFEREE))
    decision = _RULINGS[wanted.ruling](_Ruling(apply_drafts(table, [ruled]), wanted, turn, dealer))
    if decision.refused is not None or (decision.ruling is not None and not decision.ruling.is_legal):
        return decision
    return Decision((ruled, *decision.drafts), ruling=decision.ruling, notices=decision.notices)


def warrant(table: Table, number: int, seat: Seat, reason: str) -> Decision:
    """Allow the referee to see what a seat sees; everybody is told, and it is counted."""
    case = _open_case(table, number)
    if isinstance(case, Refused):
        return Decision(refused=case)
    refused = referee_decisions.refuse_misplaced(table, seat) or referee_decisions.refuse_bad_text(reason)
    if refused is not None:
        return Decision(refused=refused)
    return Decision((Draft(CaseWarranted(number, seat, reason, by=REFEREE)),))


def close(table: Table, number: int) -> Decision:
    """Close a case; the game goes on, unless there is another reason to pause."""
    case = _open_case(table, number)
    if isinstance(case, Refused):
        return Decision(refused=case)
    drafts = [Draft(CaseClosed(number, by=REFEREE))]
    if case.pause in table.pauses:
        drafts.append(Draft(GameResumed(case.pause, by=REFEREE)))
    return Decision(tuple(drafts))


class _Ruling(NamedTuple):
    """What a ruling is made from."""

    table: Table
    wanted: WantedRuling
    turn: int
    dealer: Dealer


def _open_case(table: Table, number: int) -> Case | Refused:
    case = find_case(table, number)
    facts = {"case": number, "table": table.id}
    if case is None:
        return Refused(table_rules.K2, "there is no case {case} at {table}", facts)
    if table.stage != PLAYING:
        return Refused(table_rules.T3, "this game has not begun, or is over")
    return case if case.is_open else Refused(table_rules.K2, "case {case} is closed", facts)


def _dismiss(ruling: _Ruling) -> Decision:
    """Change nothing, but let what is due happen."""
    return _follow(ruling, [])


def _roll_back(ruling: _Ruling) -> Decision:
    undone = _go_back(ruling)
    return Decision(refused=undone) if isinstance(undone, Refused) else _follow(ruling, [undone])


def _correct(ruling: _Ruling) -> Decision:
    """Go back and play the given moves instead."""
    if not ruling.wanted.moves:
        return Decision(refused=Refused(table_rules.R1, "a correction says what is played instead"))
    undone = _go_back(ruling)
    if isinstance(undone, Refused):
        return Decision(refused=undone)
    drafts = [*add_consequences(ruling.table, [undone], ruling.dealer)]
    decision = Decision()
    for seat, text in ruling.wanted.moves:
        table = apply_drafts(ruling.table, drafts)
        if (stranger := referee_decisions.refuse_misplaced(table, seat)) is not None:
            return Decision(refused=stranger)
        decision = play(table, seat, text, ruling.dealer, letter="", by=REFEREE)
        if decision.ruling is None or not decision.ruling.is_legal:
            return decision
        drafts += decision.drafts
    return Decision(tuple(drafts), ruling=decision.ruling)


def _substitute(ruling: _Ruling) -> Decision:
    return referee_decisions.seat_substitute(ruling.table, ruling.wanted.seat, ruling.wanted.name, ruling.dealer)


def _adjudicate(ruling: _Ruling) -> Decision:
    return referee_decisions.adjudicate(ruling.table, ruling.wanted.winners, ruling.wanted.reason)


def _go_back(ruling: _Ruling) -> Draft | Refused:
    played = {entry.number for entry in ruling.table.standing}
    if ruling.turn not in played:
        return Refused(table_rules.K2, "turn {turn} was not played, or was taken back already", {"turn": ruling.turn})
    return Draft(TurnUndone(ruling.turn, by=REFEREE))


def _follow(ruling: _Ruling, drafts: Iterable[Draft]) -> Decision:
    return Decision(add_consequences(ruling.table, drafts, ruling.dealer))


_RULINGS: Final[Mapping[str, Callable[[_Ruling], Decision]]] = {
    DISMISS: _dismiss,
    ROLL_BACK: _roll_back,
    CORRECT: _correct,
    SUBSTITUTE: _substitute,
    ADJUDICATE: _adjudicate,
}
