"""Which post a command works for: the settings that `--config` or PBEM_CONFIG names, or those of this folder."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from notation.faults import printable

if TYPE_CHECKING:
    from pbem.console.report import Report
    from pbem.settings.sections import Settings

POST_FILE: Final = Path("post.toml")
MENDING: Final = (
    "the history of this game is damaged and it stands still, nothing was changed; `pbem doctor` names all such games, "
    "and a backup in the place of the database, or the game's record (`pbem record --import`), brings it back"
)
"""What is said of a game whose events are not those that were written down."""

Config: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        envvar="PBEM_CONFIG",
        help="The settings of the post.  [default: post.toml]",
        show_default=False,
    ),
]


def settle(config: Path | None, report: "Report") -> "Settings":
    """The settings; or everything that is wrong with them, a line each, and the command is over."""
    from pbem.settings.reading import read_settings
    from pbem.settings.sections import Settings

    found = read_settings(config or POST_FILE)
    if isinstance(found, Settings):
        return found
    for problem in found:
        report.problem(str(problem))
    return report.end()


def expect_lost_lines() -> None:
    """Let a server that hangs up be an error that is told, as everywhere but in a pipe between programs."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)


@contextmanager
def store_troubles(report: "Report") -> Iterator[None]:
    """What the store cannot do, or must not do with what somebody has touched, is told, and the command is over."""
    from pbem.store.errors import StoreError
    from pbem.tables.folding import BrokenHistoryError

    try:
        yield
    except StoreError as reason:
        report.give_up(str(reason), misuse=False)
    except BrokenHistoryError as reason:
        report.give_up(f"{printable(str(reason))}; {MENDING}", misuse=False)
