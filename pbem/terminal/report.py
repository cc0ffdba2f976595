"""What a command prints and how it ends: text or one JSON document on stdout, problems on stderr, an exit code.

0 is fine, 1 refused, 2 misuse; the worst decides. JSON results are written as they come, so a report on a hundred
thousand games needs no more memory than one on three. It does not use Typer, so that quick commands start without it.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NoReturn

from pbem.terminal.display import Colour

FINE: Final = 0
REFUSED: Final = 1
MISUSE: Final = 2


class Report:
    """What one command prints, and its exit code."""

    def __init__(self, *, json: bool) -> None:
        self.json = json
        self.code = FINE
        self.troubles = 0
        """How many things were refused or went wrong so far."""
        self.colour = Colour(sys.stdout)
        self._problems: list[str] = []
        self._results = 0

    def say(self, *lines: str) -> None:
        """Print lines of text, if JSON was not asked for."""
        if not self.json:
            for line in lines:
                sys.stdout.write(line + "\n")

    def add(self, result: Mapping[str, object]) -> None:
        """Print one result as JSON, if JSON was asked for."""
        if self.json:
            sys.stdout.write('{"results": [\n' if not self._results else ",\n")
            self._results += 1
            sys.stdout.write(_dump(result))

    def refuse(self) -> None:
        """Note that something was refused."""
        self.code = max(self.code, REFUSED)
        self.troubles += 1

    def problem(self, message: str, *, misuse: bool = True) -> None:
        """Print what went wrong, in one line; the command goes on."""
        self.code = max(self.code, MISUSE if misuse else REFUSED)
        self.troubles += 1
        self._problems.append(message)
        sys.stderr.write(f"pbem: {message}\n")

    def give_up(self, message: str, *, misuse: bool = True) -> NoReturn:
        """Print what went wrong, and end the command; JSON output stays a whole document."""
        self.problem(message, misuse=misuse)
        self.end()

    def end(self, **summary: object) -> NoReturn:
        """End the command, with totals for the JSON document."""
        if self.json:
            opening = '{"results": [' if not self._results else "\n"
            rest = _dump({**summary, "problems": self._problems})
            sys.stdout.write(f"{opening}], {rest[1:]}\n")
        raise SystemExit(self.code)


def print_json(data: object) -> None:
    """Print a JSON document that has no `results`."""
    sys.stdout.write(_dump(data, indent=2) + "\n")


def print_problems(*messages: str) -> None:
    """Print the JSON document of a command that could not run; its problems are on stderr already."""
    sys.stdout.write(f"{_dump({'results': [], 'problems': messages})}\n")


def _dump(data: object, *, indent: int | None = None) -> str:
    import json  # only when JSON is asked for: most runs start quicker without it

    return json.dumps(data, ensure_ascii=False, indent=indent)


def read_text(path: Path, report: "Report") -> str:
    """The text of a file that an option names; if it cannot be read, end the command."""
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
