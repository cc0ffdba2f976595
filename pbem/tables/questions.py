"""Questions that change nothing: help, status, board, history, a rule, a preview; and wishes about letters.

Only what the asking seat may know goes into an answer; the letters make it from a view.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final
from zoneinfo import available_timezones

from engine.game import Game, Seat
from engine.verdict import Rule
from notation import RULES as OF_THE_NOTATION
from pbem.judging.record_rules import RULES as OF_RECORDS
from pbem.judging.submission import preview_at
from pbem.languages import LANGUAGE_CODES
from pbem.mail.commands import commands
from pbem.mail.commands.commands import Command
from pbem.mail.commands.letter_rules import RULES as OF_LETTERS
from pbem.tables import table_rules
from pbem.tables.decision import Answer, Decision, Refused
from pbem.tables.table import PLAYING, Table

NOTICES: Final = ("each", "turn", "daily")

UNKNOWN: Final = "{value} is not known here; there is {known}"

_KINDS: Final[Mapping[type, str]] = {
    commands.Help: "help",
    commands.Status: "status",
    commands.ShowBoard: "board",
    commands.ShowHistory: "history",
}

ANSWERED: Final = (
    *_KINDS,
    commands.AskRule,
    commands.Preview,
    commands.SetLanguage,
    commands.SetZone,
    commands.SetNotices,
    commands.SetPlain,
)


def answer(table: Table, seat: Seat, command: Command) -> Decision:
    """Answer a question, or note a wish."""
    match command:
        case commands.AskRule(code):
            return _tell_rule(table, code)
        case commands.Preview(text):
            return _preview(table, seat, text)
        case commands.SetLanguage(code):
            return _wish("language", code, {each: each for each in LANGUAGE_CODES})
        case commands.SetZone(name):
            return _wish("zone", name, _zones(), "{value} is not known here; write a name such as Europe/Warsaw")
        case commands.SetNotices(choice):
            return _wish("notices", choice, {each: each for each in NOTICES})
        case commands.SetPlain(on):
            return Decision(settings={"plain": on}, answers=(Answer("settings", {"plain": on}),))
        case _:
            return Decision(answers=(Answer(_KINDS[type(command)]),))


def find_rule(game: Game[Any], code: str) -> Rule | None:
    """The rule with a code: of the game, of the post, of letters, of records or of the notation."""
    shelves: Iterable[Iterable[Rule]] = (game.rules, table_rules.RULES, OF_LETTERS, OF_RECORDS, OF_THE_NOTATION)
    return next((rule for shelf in shelves for rule in shelf if rule.code == code.upper()), None)


def _tell_rule(table: Table, code: str) -> Decision:
    rule = find_rule(table.game, code)
    if rule is None:
        return Decision(refused=Refused(table_rules.C1, "there is no rule {code}", {"code": code}))
    return Decision(answers=(Answer("rule", {"code": rule.code}),))


def _preview(table: Table, seat: Seat, text: str) -> Decision:
    if table.stage != PLAYING:
        return Decision(refused=Refused(table_rules.T3, "no game is being played at this table"))
    ruling = preview_at(table.game, table.position, seat, text)
    return Decision(ruling=ruling, answers=(Answer("preview", {"text": text}),))


def _wish(what: str, value: str, known: Mapping[str, str], otherwise: str = UNKNOWN) -> Decision:
    """Note a wish for one of the values that are known; `otherwise` says what there is."""
    chosen = known.get(value.lower())
    if chosen is None:
        return Decision(refused=Refused(table_rules.S1, otherwise, {"value": value, "known": ", ".join(known)}))
    return Decision(settings={what: chosen}, answers=(Answer("settings", {what: chosen}),))


@cache
def _zones() -> Mapping[str, str]:
    return {name.lower(): name for name in available_timezones()}
