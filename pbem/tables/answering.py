"""Questions that change nothing: help, status, board, history, a rule, a preview; and wishes about letters.

Only what the asking seat may know goes into an answer; the letters make it from a view.
"""

from typing import Final
from zoneinfo import available_timezones

from engine.game import Seat
from pbem.orders import commands
from pbem.orders.commands import Command
from pbem.referee.submission import judge_at
from pbem.tables import rules
from pbem.tables.decision import Answer, Decision, Refused
from pbem.tables.table import PLAYING, Table

LANGUAGES: Final = ("en", "he", "ru", "pl", "nl")
NOTICES: Final = ("each", "turn", "daily")

ANSWERED: Final = (
    commands.Help,
    commands.Status,
    commands.ShowBoard,
    commands.History,
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
            return Decision(answers=(Answer("rule", {"code": code}),))
        case commands.Preview(text):
            return _preview(table, seat, text)
        case commands.SetLanguage(code):
            return _wish("language", code, LANGUAGES)
        case commands.SetZone(name):
            return _wish("zone", name, tuple(available_timezones()))
        case commands.SetNotices(choice):
            return _wish("notices", choice, NOTICES)
        case commands.SetPlain(on):
            return Decision(settings={"plain": on}, answers=(Answer("settings", {"plain": on}),))
        case _:
            return Decision(answers=(Answer(type(command).__name__.lower().removeprefix("show")),))


def _preview(table: Table, seat: Seat, text: str) -> Decision:
    if table.stage != PLAYING:
        return Decision(refused=Refused(rules.T3, "no game is being played at this table"))
    ruling = judge_at(table.game, table.position, seat, text)
    return Decision(ruling=ruling, answers=(Answer("preview", {"text": text}),))


def _wish(what: str, value: str, known: tuple[str, ...]) -> Decision:
    if value not in known:
        shown = ", ".join(known) if len(known) < 10 else "a name such as Europe/Warsaw"
        says = "{value} is not known here; there is {known}"
        return Decision(refused=Refused(rules.S1, says, {"value": value, "known": shown}))
    return Decision(settings={what: value}, answers=(Answer("settings", {what: value}),))
