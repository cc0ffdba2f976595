"""Calling the referee: a case about a turn, while which time stands still.

Whoever appeals stops the clock for everybody, so a seat has one open case at a time and appeals about a turn once.
"""

from typing import Final

from engine.game import Seat
from pbem.events.chain import Draft
from pbem.judging.standing import standing_entries
from pbem.tables import table_rules
from pbem.tables.cases_court import Case, pause_for
from pbem.tables.decision import REFEREE, Decision, Notice, Refused
from pbem.tables.table import PLAYING, Table

LONGEST: Final = 2_000
"""Characters of what an appeal says."""


def appeal(table: Table, by: Seat, words: str, turn: int | None = None) -> Decision:
    """Open a case about a turn, the last one played if none is named; `by` may be the referee too."""
    if table.stage != PLAYING:
        return Decision(refused=Refused(table_rules.T3, "no game is being played at this table"))
    meant = last_turn(table) if turn is None else turn
    refused = _out_of_place(table, by, words, meant)
    if refused is not None:
        return Decision(refused=refused)
    number = len(table.cases) + 1
    drafts = (
        Draft("appealed", {"case": number, "by": by, "turn": meant, "words": words}),
        Draft("paused", {"reason": pause_for(number), "by": by}),
    )
    about = f"case {number}, turn {meant}: {words}"
    return Decision(drafts, notices=(Notice(REFEREE, "appeal", {"seat": by, "about": about}),))


def last_turn(table: Table) -> int:
    """The last turn in which anybody has moved; the one that is due, if nobody has yet."""
    standing = standing_entries(table.entries)
    return (standing[-1].number or 0) if standing else table.turn


def find_case(table: Table, number: int) -> Case | None:
    """The case of that number."""
    return table.cases[number - 1] if 0 < number <= len(table.cases) else None


def _out_of_place(table: Table, by: Seat, words: str, turn: int) -> Refused | None:
    facts = {"seat": by, "turn": turn, "now": table.turn, "longest": LONGEST}
    if not 0 < len(words.strip()) <= LONGEST:
        return Refused(table_rules.K1, "an appeal says what is wrong, in at most {longest} characters", facts)
    if not 1 <= turn <= table.turn:
        return Refused(table_rules.K1, "there is no turn {turn} to appeal about; play has come to turn {now}", facts)
    for case in table.cases:
        facts["case"] = case.number
        if by == case.by != REFEREE and case.is_open:
            return Refused(table_rules.K1, "case {case} of {seat} is open still", facts)
        if by == case.by != REFEREE and case.turn == turn:
            return Refused(table_rules.K1, "{seat} has appealed about turn {turn} before, in case {case}", facts)
    return None
