"""What is said of a command line that cannot be understood: how to call the command, in JSON too if that was wanted."""

import sys
from typing import Any, Final

import click
from typer.core import TyperGroup

JSON: Final = "--json"


class Understanding(TyperGroup):
    """The commands, as a whole that answers in the form it was asked for even when it understood nothing else."""

    def main(self, *args: Any, **settings: Any) -> Any:
        """Run a command line, its words given first or as `args`, and end the process as it came out."""
        words = args[0] if args else settings["args"]
        try:
            code = super().main(*args, **{**settings, "standalone_mode": False})
        except click.ClickException as problem:
            problem.show()
            if JSON in words:
                from pbem.terminal.report import print_problems  # for the few that were misunderstood

                print_problems(problem.format_message())
            sys.exit(problem.exit_code)
        sys.exit(code)
