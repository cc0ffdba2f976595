"""Arguments that several commands share, and how to find what they name: a game, a rule, a public key."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from engine import registry
from engine.game import GameRules
from engine.verdict import Rule
from pbem.terminal.report import Report


def find_game(key: str, report: "Report", *, edition: str | None = None) -> GameRules:
    """The game with this key; if there is none, end the command."""
    found = registry.find_game(key.lower(), edition)
    if found is None and registry.list_editions(key.lower()):
        known = ", ".join(game.edition for game in registry.list_editions(key.lower()))
        report.give_up(f"{key} has no edition {edition} of its rules; there is {known}")
    if found is None:
        report.give_up(f"there is no game {key}; known are: {', '.join(registry.game_keys())}")
    return found


def read_options(words: Iterable[str], report: "Report") -> dict[str, str]:
    """The set-up that was chosen with `--option NAME=VALUE`, by header; if a word is not like that, end the command."""
    split = [each.partition("=") for each in words]
    if wrong := next((name for name, sign, _ in split if not sign), None):
        report.give_up(f"{wrong!r} is not an option; write NAME=VALUE, such as Board=standard")
    return {name: value for name, _, value in split}


def find_rule(code: str, report: "Report") -> Rule:
    """The rule with this code, in upper or lower case; if there is none, end the command."""
    wanted = code.upper()
    found = next((rule for rule in _rules_of_family(wanted.partition("-")[0]) if rule.code == wanted), None)
    if found is not None:
        return found
    return report.give_up(f"there is no rule {wanted}; `pbem rules GAME` lists the codes of a game")


def find_rules(key: str, word: str, report: "Report") -> tuple[Rule, ...]:
    """The rules of a game that have this code or are about this word, the best first; if none are, end the command."""
    from pbem.mail.commands.rule_topics import find_by_word, near_topics

    game = find_game(key, report)
    by_code = tuple(rule for rule in game.rules if rule.code == word.upper())
    found = find_by_word(game, word)
    if by_code or found is not None:
        return by_code or (found.rules if found is not None else ())
    near = ", ".join(topic.name("en") for topic in near_topics(game, word))
    advice = f"near words: {near}" if near else f"`pbem rules {key}` lists them all"
    return report.give_up(f"no rule of {key} is about {word!r}; {advice}")


def _rules_of_family(family: str) -> Iterator[Rule]:
    """The rules whose codes begin with `family`, or may do so; our own games first, so that others rarely load."""
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
        for key in (*registry.IN_HOUSE, *registry.game_keys()):
            for game in reversed(registry.list_editions(key)):
                yield from game.rules


Files: TypeAlias = Annotated[
    list[str], typer.Argument(metavar="FILE...", help="Record files; - reads standard input.", show_default=False)
]
Heap: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE...",
        help="Record files, packed or not, and folders of them; - reads standard input.",
        show_default=False,
    ),
]
FilesFrom: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--files-from", metavar="LIST", help="A file with names of more files, one a line.", show_default=False
    ),
]
File: TypeAlias = Annotated[
    str, typer.Argument(metavar="FILE", help="A record file; - reads standard input.", show_default=False)
]
GameKey: TypeAlias = Annotated[
    str, typer.Argument(metavar="GAME", help="The key of a game, as `pbem games` lists it.", show_default=False)
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
AsJsonLines: TypeAlias = Annotated[
    bool, typer.Option("--json-lines", help="Print JSON, one result a line, the totals last.")
]
Jobs: TypeAlias = Annotated[
    int | None,
    typer.Option("--jobs", min=1, metavar="N", help="Use so many cores.  [default: all]", show_default=False),
]
AtTurn: TypeAlias = Annotated[
    int | None, typer.Option("--at", min=0, metavar="N", help="After turn N.  [default: the last]", show_default=False)
]
Which: TypeAlias = Annotated[
    int, typer.Option("--game", min=1, metavar="K", help="The K-th game of a file that holds several.")
]


TableName: TypeAlias = Annotated[str, typer.Argument(metavar="TABLE", help="The name of a table.", show_default=False)]
CaseNumber: TypeAlias = Annotated[int, typer.Argument(metavar="N", help="The number of a case.", show_default=False)]
Reason: TypeAlias = Annotated[
    str, typer.Option("--reason", metavar="WORDS", help="Why, in one line that all players read.", show_default=False)
]
PublicKey: TypeAlias = Annotated[
    str | None,
    typer.Option("--key", metavar="PUB", help="The post's public key, or a file with it.", show_default=False),
]


def read_key(key: str | None, report: Report) -> bytes | None:
    """The bytes of a key, given as digits or as a file; None if none was given. Anything else ends the command."""
    if key is None:
        return None
    try:
        written = key if re.fullmatch("[0-9a-fA-F]{64}", key) else Path(key).read_text("utf-8").strip()
    except (OSError, ValueError):
        report.give_up(f"{key}: is neither a key nor a file with one")
    if not re.fullmatch("[0-9a-fA-F]{64}", written):
        report.give_up(f"{key}: a public key has 64 hexadecimal digits; `pbem key` prints the post's")
    return bytes.fromhex(written)
