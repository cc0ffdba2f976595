"""From the text of a grammar to a parser for it, with a cache of compiled grammars.

Lark checks and compiles a grammar. Importing it and compiling takes longer than reading a record, so the tables are
cached in a folder that only this user can open, and this is the only module that imports Lark. A file in the cache that
is missing, damaged, foreign or cannot be written is treated as absent, without a message; its key and a checksum are in
it, so that a damaged file or one of another key does no harm.
"""

import json
import os
import re
import stat
import sys
import zlib  # enough against damage; loading a hash function would take longer than reading a record
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from notation.lalr.parser import GrammarRule, LalrParser, Tables, Terminal


def cache_folder() -> Path:
    """Where compiled grammars are cached for this user and this version of Python."""
    version = "{}.{}".format(*sys.version_info)
    return _caches() / "caravan-post" / f"grammars-{version}"


def load_tables(key: str) -> Any | None:
    """The data cached under a key, or None."""
    try:
        if not _is_private(cache_folder()):
            return None
        checksum, _, kept = _file(key).read_text("utf-8").partition("\n")
        owner, data = json.loads(kept) if checksum == _checksum(kept) else ("", None)
        return data if owner == key else None
    except (OSError, RuntimeError, ValueError):
        return None


def save_tables(key: str, data: Any) -> None:
    """Cache data under a key, if the folder allows it; a reader meanwhile sees the old file or the new one whole."""
    kept = json.dumps([key, data])
    try:
        cache_folder().mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
        if _is_private(cache_folder()):
            draft = _file(key).with_suffix(f".{os.getpid()}")
            draft.write_text(f"{_checksum(kept)}\n{kept}", "utf-8")
            draft.replace(_file(key))
    except (OSError, RuntimeError, ValueError):
        return


def _caches() -> Path:
    """The user's folder for caches; RuntimeError when there is no home."""
    given = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(given) if given else Path.home() / ".cache"


def _is_private(path: Path) -> bool:
    """True when nobody else can have put anything there."""
    found = path.stat()
    ours = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    return ours and (os.name != "posix" or not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def _file(key: str) -> Path:
    return cache_folder() / f"{_checksum(key)}.json"


def _checksum(text: str) -> str:
    return f"{zlib.crc32(text.encode()):08x}"


_REVISION = "3"
"""Changes with the form of the tables, so that older saved ones are left alone."""


def read_grammar(name: str) -> str:
    """The text of one of our own grammars: ``record``, ``games/nomadi``."""
    return (Path(__file__).parent.parent / f"{name}.lark").read_text("utf-8")


@cache
def read_word_files() -> dict[str, str]:
    """The texts of the files with words for our grammars, by the code of their language."""
    files = (Path(__file__).parent.parent / "words").glob("*.txt")
    return {path.stem: path.read_text("utf-8") for path in sorted(files)}


@cache
def make_parser(grammar: str, *starts: str) -> LalrParser:
    """The parser of a grammar's text; the same one for the same text and start rules."""
    key = json.dumps([_REVISION, grammar, starts])
    kept = load_tables(key)
    if kept is None:
        kept = compile_tables(grammar, starts)
        save_tables(key, kept)
    return LalrParser(_tables(kept))


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
    """The fixed words that a pattern of the same rank matches too, and whether it does so in any case of letters."""
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
        rules=tuple(GrammarRule(*each) for each in data["rules"]),
        actions=tuple(data["actions"]),
        starts=data["starts"],
    )
