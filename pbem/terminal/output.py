"""What a command writes into the file that `-o` names, and says about it."""

from typing import TYPE_CHECKING

from pbem.archive.keeping import write_file

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.terminal.report import Report


def put(path: "Path", content: bytes, report: "Report", *, private: bool) -> None:
    """Write a file and say so, or give up. What not everybody may see is private: for the file's owner alone."""
    try:
        write_file(path, content, private=private)
    except OSError as problem:
        report.give_up(f"{path}: cannot be written; {(problem.strerror or str(problem)).lower()}")
    report.say(f"wrote {path}")
