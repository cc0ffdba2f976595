"""Finding what a command line names: a game by its key, a rule by its code; or giving up in one line."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from engine import registry
from engine.game import Game
from engine.verdict import Rule

if TYPE_CHECKING:
    from pbem.terminal.report import Report


def find_game(key: str, report: "Report", *, edition: str | None = None) -> Game[Any]:
    """The game called `key`."""
    found = registry.find(key.lower(), edition)
    if found is None and registry.editions(key.lower()):
        known = ", ".join(game.edition for game in registry.editions(key.lower()))
        report.give_up(f"{key} has no edition {edition} of its rules; there is {known}")
    if found is None:
        report.give_up(f"there is no game {key}; known are: {', '.join(registry.keys())}")
    return found


def find_rule(code: str, report: "Report") -> Rule:
    """The rule with a code, in whatever case it is written."""
    wanted = code.upper()
    found = next((rule for rule in _shelf(wanted.partition("-")[0]) if rule.code == wanted), None)
    if found is not None:
        return found
    return report.give_up(f"there is no rule {wanted}; `pbem rules GAME` lists the codes of a game")


def _shelf(family: str) -> Iterator[Rule]:
    """The rules among which a family's would be, our own games first, so that guests load only when it must be."""
    if family == "RC":
        from pbem.judging.record_rules import RULES

        yield from RULES
    elif family == "NT":
        from notation import RULES as NOTATION

        yield from NOTATION
    elif family == "PO":
        from pbem.mail.commands.letter_rules import RULES as LETTERS
        from pbem.tables.table_rules import RULES as POST

        yield from (*LETTERS, *POST)
    else:
        for key in (*registry.HOUSE, *registry.keys()):
            for game in reversed(registry.editions(key)):
                yield from game.rules
