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
INTERRUPTED: Final = 130
"""The exit code of a program stopped by Ctrl-C, as shells have it."""


class Report:
    """What one command prints, and its exit code."""

    def __init__(self, *, json: bool, lines: bool = False) -> None:
        self.json = json or lines
        self._lines = lines
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
        if self._lines:
            sys.stdout.write(_dump(result) + "\n")
        elif self.json:
            sys.stdout.write('{"results": [\n' if not self._results else ",\n")
            self._results += 1
            sys.stdout.write(_dump(result))

    def note(self, message: str) -> None:
        """Print something good to know beside the results, on stderr; nothing is wrong."""
        sys.stderr.write(f"pbem: {message}\n")

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

    def interrupt(self, message: str) -> None:
        """Note that Ctrl-C ended the work early; what was found until then is printed all the same."""
        self.problem(message)
        self.code = INTERRUPTED

    def give_up(self, message: str, *, misuse: bool = True) -> NoReturn:
        """Print what went wrong, and end the command; JSON output stays a whole document."""
        self.problem(message, misuse=misuse)
        self.end()

    def end(self, **summary: object) -> NoReturn:
        """End the command, with totals for the JSON document."""
        if self._lines:
            sys.stdout.write(_dump({**summary, "problems": self._problems}) + "\n")
        elif self.json:
            opening = '{"results": [' if not self._results else "\n"
            rest = _dump({**summary, "problems": self._problems})
            sys.stdout.write(f"{opening}], {rest[1:]}\n")
        raise SystemExit(self.code)


class RecordedReport(Report):
    """A report of work in another process: kept until it is told in its turn."""

    def __init__(self, like: Report) -> None:
        super().__init__(json=like.json)
        self.colour = like.colour
        self._told: list[tuple[str, ...] | Mapping[str, object] | _Problem | None] = []

    def say(self, *lines: str) -> None:
        """Keep lines of text."""
        if not self.json:
            self._told.append(lines)

    def add(self, result: Mapping[str, object]) -> None:
        """Keep a result."""
        if self.json:
            self._told.append(result)

    def refuse(self) -> None:
        """Keep that something was refused."""
        self.troubles += 1
        self._told.append(None)

    def problem(self, message: str, *, misuse: bool = True) -> None:
        """Keep what went wrong."""
        self.troubles += 1
        self._told.append(_Problem(message, misuse))

    def retell(self, report: Report, *, game: int | None = None) -> None:
        """Tell everything to the report of the command; the number of the `game` in its file is known only there."""
        for each in self._told:
            if each is None:
                report.refuse()
            elif isinstance(each, _Problem):
                report.problem(each.message, misuse=each.misuse)
            elif isinstance(each, tuple):
                report.say(*each)
            else:
                report.add({**each, "game": game} if game and isinstance(each.get("game"), int) else each)


class _Problem:
    """Something that went wrong, to be told later."""

    def __init__(self, message: str, misuse: bool) -> None:
        self.message = message
        self.misuse = misuse


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
