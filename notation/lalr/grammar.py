"""From a grammar's text to a machine that reads by it.

Lark checks and compiles a grammar; the tables are saved for the next start (`saved.py`), because importing Lark
and compiling takes longer than reading a record. This is the only module that imports Lark, and it does so only when
there is nothing saved.
"""

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from notation.lalr import saved
from notation.lalr.automaton import Automaton, Rule, Tables, Terminal

_REVISION = "3"
"""Changes with the form of the tables, so that older saved ones are left alone."""


def text_of(name: str) -> str:
    """The text of one of our own grammars: ``record``, ``games/nomadi``."""
    return (Path(__file__).parent.parent / f"{name}.lark").read_text("utf-8")


@cache
def automaton(grammar: str, *starts: str) -> Automaton:
    """The machine for a grammar's text; one for all who ask with the same text and start rules."""
    key = json.dumps([_REVISION, grammar, starts])
    kept = saved.load(key)
    if kept is None:
        kept = compile_tables(grammar, starts)
        saved.save(key, kept)
    return Automaton(_tables(kept))


def compile_tables(grammar: str, starts: tuple[str, ...]) -> Any:
    """The tables of a grammar as plain data. A grammar that is not LALR(1) is an error of its author."""
    from lark import Lark
    from lark.grammar import Rule as LarkRule
    from lark.lexer import TerminalDef

    lark = Lark(grammar, parser="lalr", start=list(starts), maybe_placeholders=False)
    data, memo = lark.memo_serialize([TerminalDef, LarkRule])
    table = data["parser"]["parser"]
    rules = {each["@"]: index for index, each in enumerate(data["rules"])}
    names = table["tokens"]
    order = {each.name: place for place, each in enumerate(lark.terminals)}
    return {
        "terminals": [
            [each.name, each.pattern.to_regexp(), _literal(each), _covers(each, lark.terminals)]
            for each in sorted(lark.terminals, key=_precedence)
        ],
        "ignored": data["parser"]["lexer_conf"]["ignore"],
        "rules": [_rule(memo[each["@"]]) for each in data["rules"]],
        # What can follow is listed in the order of the grammar, the end last: players are shown it.
        "actions": [
            {
                names[symbol]: -1 - rules[goal["@"]] if reduces else goal
                for symbol, (reduces, goal) in sorted(
                    row.items(), key=lambda each: order.get(names[each[0]], len(order))
                )
            }
            for _, row in sorted(table["states"].items())
        ],
        "starts": table["start_states"],
    }


def _precedence(terminal: Any) -> tuple[int, int, int, str]:
    """The order in which Lark tries terminals."""
    pattern = terminal.pattern
    return -terminal.priority, -pattern.max_width, -len(pattern.value), terminal.name


def _literal(terminal: Any) -> str:
    """The text of a terminal that is one fixed word."""
    return str(terminal.pattern.value) if terminal.pattern.type == "str" else ""


def _covers(pattern: Any, terminals: Iterable[Any]) -> dict[str, bool]:
    """The fixed words that a pattern of the same rank matches too, and whether it does so whatever their case."""
    if _literal(pattern):
        return {}
    matches = re.compile(pattern.pattern.to_regexp()).fullmatch
    return {
        each.name: set(each.pattern.flags) <= set(pattern.pattern.flags)
        for each in terminals
        if _literal(each) and each.priority == pattern.priority and matches(_literal(each))
    }


def _rule(rule: Any) -> list[Any]:
    origin, options = rule["origin"]["name"], rule["options"]
    kept = [
        index
        for index, symbol in enumerate(rule["expansion"])
        if options["keep_all_tokens"] or not symbol.get("filter_out", False)
    ]
    inlined = origin.startswith("_") and not rule["alias"]
    make = "" if inlined else rule["alias"] or origin
    return [origin, len(rule["expansion"]), kept, make, options["expand1"] and not rule["alias"]]


def _tables(data: Any) -> Tables:
    return Tables(
        terminals=tuple(Terminal(*each) for each in data["terminals"]),
        ignored=tuple(data["ignored"]),
        rules=tuple(Rule(*each) for each in data["rules"]),
        actions=tuple(data["actions"]),
        starts=data["starts"],
    )
