"""A text file that an option names, read whole; what keeps it from being read is told in the operator's words."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.terminal.report import Report


def read_text(path: Path, report: "Report") -> str:
    """What stands in a file, or the end of the command."""
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        report.give_up(f"{path}: no such file; check the name")
    except IsADirectoryError:
        report.give_up(f"{path}: is a folder; name a file")
    except PermissionError:
        report.give_up(f"{path}: may not be read; check its permissions")
    except OSError as problem:
        report.give_up(f"{path}: cannot be read; {(problem.strerror or str(problem)).lower()}")
    except ValueError:
        report.give_up(f"{path}: not a text file, or not in UTF-8; name another one")
