"""Which post a command works for: its settings file, and errors that any command at a post may meet.

The settings are those that `--config` or PBEM_CONFIG names, or post.toml in this folder.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NoReturn, TypeAlias

import click
import typer
from click.core import ParameterSource

if TYPE_CHECKING:
    from pbem.settings.sections import Settings
    from pbem.terminal.report import Report

POST_FILE: Final = Path("post.toml")
VARIABLE: Final = "PBEM_CONFIG"
DAMAGED_HISTORY: Final = (
    "the history of this game is damaged and it stands still, nothing was changed; `pbem doctor` names all such games, "
    "and a backup in the place of the database brings it back; or its record is played on as a new table "
    "(`pbem record NEW-ID --import FILE`)"
)
"""What to do about a game whose events do not fit their hash chain."""

Config: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        envvar=VARIABLE,
        help="The settings of the post.  [default: post.toml]",
        show_default=False,
    ),
]


def load_settings(config: Path | None, report: "Report") -> "Settings":
    """The settings; if something is wrong with them, report all of it and end the command."""
    from pbem.settings.load import read_settings
    from pbem.settings.sections import Settings

    unasked = config is not None and _is_from_environment()
    file = (config or POST_FILE).absolute() if unasked else config or POST_FILE
    found = read_settings(file)
    if isinstance(found, Settings):
        return found
    for problem in found:
        # Without this, you would look for the mistake in this folder.
        source = f"; the variable {VARIABLE} names this one" if unasked and problem.key.startswith(str(file)) else ""
        report.problem(f"{problem}{source}")
    return report.end()


def _is_from_environment() -> bool:
    """Whether the settings were named by the environment variable, not on the command line."""
    context = click.get_current_context(silent=True)
    return context is not None and context.get_parameter_source("config") is ParameterSource.ENVIRONMENT


def report_busy(reason: Exception, report: "Report") -> NoReturn:
    """End the command because another process is running the post, and does the same work."""
    report.say(f"nothing to do: {reason}")
    report.end(left_to=str(reason))


def ignore_sigpipe() -> None:
    """Make a closed connection an error that can be reported, instead of the end of the process."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)


@contextmanager
def store_errors(report: "Report") -> Iterator[None]:
    """Report errors of the database, and damaged histories, and end the command."""
    from pbem.store.errors import StoreDamagedError, StoreError

    try:
        yield
    except (StoreError, StoreDamagedError) as reason:
        report.give_up(str(reason), misuse=False)
    except Exception as reason:
        from notation.faults import printable
        from pbem.tables.fold import BrokenHistoryError  # not every command has loaded it

        if not isinstance(reason, BrokenHistoryError):
            raise
        report.give_up(f"{printable(str(reason))}; {DAMAGED_HISTORY}", misuse=False)
