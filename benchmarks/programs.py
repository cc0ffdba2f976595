"""The programs whose start is measured: ours, as it is installed, and the smallest that typer can make."""

import sys
from pathlib import Path
from typing import Final

PBEM: Final = (sys.executable, str(Path(sys.executable).with_name("pbem")))
"""`pbem` as it was installed beside this Python."""

ONE_COMMAND: Final = '''"""Count the lines of a file."""

from pathlib import Path

import typer


def main(file: Path) -> None:
    """Count the lines of FILE."""
    typer.echo(len(file.read_text("utf-8").splitlines()))


if __name__ == "__main__":
    typer.run(main)
'''
"""A one-command program as typer's own first page would have it."""

LEAN_COMMAND: Final = ONE_COMMAND.replace(
    "    typer.run(main)\n",
    "    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)\n"
    "    app.command()(main)\n"
    "    app()\n",
)
"""The same with everything left out that costs time."""
