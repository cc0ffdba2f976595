"""How command lines are read: the group of all commands, and groups of sub-commands such as `pbem case`.

Both only add to what click does: errors about the command line are printed as JSON too where JSON was asked for, and
a group of sub-commands falls back to its `list`.
"""

import sys
from collections.abc import Sequence
from typing import Any, Final

import click
import typer
from typer.core import TyperGroup

JSON: Final = "--json"
DEFAULT: Final = "list"
"""The sub-command that runs when none is named."""


class JsonErrorGroup(TyperGroup):
    """All commands of `pbem`. A command line that cannot be understood is answered in JSON too, if it has --json."""

    def main(self, *args: Any, **settings: Any) -> Any:
        """Run a command line, given as the first argument or as `args`, and end the process with its exit code."""
        words = args[0] if args else settings["args"]
        try:
            code = super().main(*args, **{**settings, "standalone_mode": False})
        except click.ClickException as problem:
            problem.show()
            if JSON in words:
                from pbem.terminal.report import print_problems  # only needed when something is wrong

                print_problems(problem.format_message())
            sys.exit(problem.exit_code)
        sys.exit(code)


class ListGroup(TyperGroup):
    """Sub-commands of which `list` is the default; options may stand before the name of the sub-command.

    `pbem case`, `pbem case --json` and `pbem case --config F show TABLE` are all understood.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the name of the sub-command first, `list` if there is none, and let click do the rest."""
        at = self._find_name(args)
        if at is not None:
            args = [args[at], *args[:at], *args[at + 1 :]]
        elif not set(args) & set(self.get_help_option_names(ctx)):
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)

    def _find_name(self, args: Sequence[str]) -> int | None:
        """The index of the first word that is neither an option nor the value of one."""
        takes_value = {
            name
            for command in self.commands.values()
            for option in command.params
            if isinstance(option, click.Option) and not option.is_flag
            for name in option.opts
        }
        index = 0
        while index < len(args):
            if not args[index].startswith("-") or args[index] == "-":
                return index
            index += 2 if args[index] in takes_value else 1
        return None


def list_group(about: str) -> typer.Typer:
    """An empty group of sub-commands with this help text."""
    return typer.Typer(cls=ListGroup, help=about, subcommand_metavar="[COMMAND] [ARGS]...", rich_markup_mode=None)
