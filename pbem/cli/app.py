"""The commands of `pbem` by name. Only the one that is called is imported.

So starting costs what that command needs and no more; the others are known here by their first line of help.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Final

import typer

from pbem.terminal.groups import JsonErrorGroup

COMMANDS: Final = {
    "demo": "Play a whole game by mail in a folder, and show it.",
    "init": "Create a post.",
    "new": "Open a table and invite the players.",
    "invite": "Ask another person to take a seat that was declined.",
    "serve": "Run the post as a service.",
    "deliver": "Store one letter from standard input.",
    "fetch": "Fetch the letters that are in the mailboxes now.",
    "send": "Send the mails that are due.",
    "tick": "Handle the letters that arrived, and check the clocks.",
    "status": "Show how the post is doing.",
    "record": "Print the record of a game, or import one.",
    "log": "Print the log of all games.",
    "key": "Print the public key of the post, or replace a key.",
    "observe": "Let somebody watch a table by mail, or list who does.",
    "person": "List, show, export, merge or forget people.",
    "beacon": "List the rounds of the public beacon that tables wait for, or bring them.",
    "case": "Open, show, rule on and close cases: the referee's commands.",
    "quarantine": "List, show or try again the letters that were put aside.",
    "doctor": "Check whether a post is in order.",
    "backup": "Write a copy of the database.",
    "restore": "Put the database back to a copy.",
    "compact": "Write the database again, without its empty room.",
    "move": "Bring the post to another database.",
    "games": "List the games that can be played.",
    "rules": "List the rules of a game, each with its code.",
    "rule": "Print one rule, and a move that breaks it beside one that obeys.",
    "sample": "Write a complete random game.",
    "replay": "Print a game turn by turn, with the score explained.",
    "validate": "Judge records, or a move that a player sent in.",
    "verify": "Check whether records can be believed.",
    "upgrade": "List what a newer edition of the rules would change in records.",
    "fmt": "Rewrite records in canonical form.",
    "annotate": "Write comments, signs, variations and marks for boards beside a game.",
    "edition": "Write annotated games as a book.",
    "index": "Make a catalogue of games, or bring it up to date.",
    "find": "Find games by players, words, results and positions.",
    "twins": "Find games that are in an archive twice, in whole or in part.",
    "merge": "Join annotated copies of games without losing a word.",
    "tree": "Show how finished games began, how often, and which seats won.",
    "stats": "Say what many finished games say together.",
    "export": "Write games as JSON, tables or records of Abstract Play.",
    "dump": "Write finished games as packed files with a manifest, or check such a dump.",
    "import": "Read games from JSON, and list what has no place in a record.",
    "resume": "Write a running game as one line, or go on from such a line.",
    "publish": "Write games as web pages that you can step through.",
    "show": "Draw the board.",
    "legal": "List the legal moves.",
    "suggest": "Look ahead for whole turns.",
    "perft": "Count the positions that can be reached.",
    "diff": "Find the first difference of two records.",
    "schema": "Print the JSON Schema of what a command prints with --json.",
    "contract": "Check whether a game keeps the contract of games.",
}
"""Every command and its first line of help, in the order of `pbem --help`."""

MODULES: Final = {
    **dict.fromkeys(("legal", "suggest", "perft"), "moves"),
    **dict.fromkeys(("games", "rules", "rule"), "rulebook"),
    **dict.fromkeys(("key", "log"), "published"),
    "import": "import_games",
}
"""The module of a command, where that is not its name."""

FUNCTIONS: Final = {"import": "import_games"}
"""The function of a command whose name Python keeps for itself."""


def make_app(chosen: str | None) -> typer.Typer:
    """The chosen command, ready to run; or, when none is, all commands by name and first line."""
    app = typer.Typer(
        cls=JsonErrorGroup,
        help="Board games by mail: a post for players, and records that are read, replayed and judged.",
        no_args_is_help=True,
        add_completion=False,
        suggest_commands=False,  # click does
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(_top_level)
    if chosen in COMMANDS:
        found = getattr(import_module(f"pbem.cli.{MODULES.get(chosen, chosen)}"), FUNCTIONS.get(chosen, chosen))
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=chosen)
        else:
            app.command(chosen)(found)
        return app
    for name, summary in COMMANDS.items():
        app.command(name, help=summary)(_not_loaded)
    return app


def choose(words: Sequence[str]) -> str | None:
    """The command among the words of a command line: the first that is no option."""
    return next((word for word in words if not word.startswith("-")), None)


def _print_version(wanted: bool) -> None:
    if not wanted:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        typer.echo(f"caravan-post {version('caravan-post')}")
    except PackageNotFoundError:
        typer.echo("caravan-post, run from its sources without being installed")
    raise typer.Exit


def _top_level(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Options before any command."""


def _not_loaded() -> None:
    raise AssertionError("only the chosen command is ever run")
