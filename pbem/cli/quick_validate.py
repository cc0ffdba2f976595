"""`pbem validate FILE…` as scripts run it: judge whole records, without loading Typer.

Loading Typer takes as long as reading and judging a game. The command in `pbem.cli.validate` has the help, checks the
options and judges single moves; it uses the same function for records.
"""

from collections.abc import Sequence

from pbem.archive.source import STDIN
from pbem.terminal.inputs import record_files
from pbem.terminal.judged_games import judge_files
from pbem.terminal.report import Report

JSON = "--json"


def validate_quickly(words: Sequence[str]) -> None:
    """Judge the files and end the process, unless there are options that need the full command."""
    files = [word for word in words if word != JSON]
    if files and not any(word.startswith("-") and word != STDIN for word in files):
        report = Report(json=len(files) < len(words))
        judge_files(record_files(files, None, report), report)
