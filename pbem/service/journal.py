"""The journal: what the running service tells about itself, as lines for people or as one JSON object a line.

Letters are told by number, players by seat. What somebody wrote, where he gets mail and what only he may see does not
stand here, and of an unexpected error only its kind and place do, for its words may quote a letter. What the outside
world says of itself, such as a full disk, is quoted. Libraries are heard only when they warn, and without the facts
that they would add.
"""

import json
import logging
import os
import re
import sys
import traceback
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler
from typing import Any, Final

from pbem.settings.access import explain_os_error
from pbem.settings.sections import LogSettings
from pbem.store.errors import StoreError

_FACTS: Final = "facts"
_HOUSE: Final = "pbem."
_BARE: Final = re.compile(r"[\w.:+/-]+")
"""Facts that are told without quotes."""
_ADDRESS: Final = re.compile(r"<?[^\s<>@]+@[^\s<>@,;:]+>?")


def note(log: logging.Logger, said: str, **facts: Any) -> None:
    """Tell that something happened; facts that are None are left out."""
    log.info(said, extra={_FACTS: {name: fact for name, fact in facts.items() if fact is not None}})


def warn(log: logging.Logger, said: str, **facts: Any) -> None:
    """Tell of something that a person should look at."""
    log.warning(said, extra={_FACTS: {name: fact for name, fact in facts.items() if fact is not None}})


def without_addresses(words: str) -> str:
    """What a mail server says, for the journal: it may name whom a mail was for."""
    return _ADDRESS.sub("(an address)", words)


def start_journal(wishes: LogSettings) -> logging.Handler:
    """Let every room's lines go where the settings say; the handler, to be handed to `close_journal`."""
    handler: logging.Handler
    if wishes.file is None:
        handler = logging.StreamHandler(sys.stderr)
    else:
        handler = _InFile(wishes.file, encoding="utf-8", delay=True)
    handler.addFilter(_is_wanted)
    handler.setFormatter(_AsJson() if wishes.form == "json" else _AsText())
    top = logging.getLogger()
    top.addHandler(handler)
    top.setLevel(wishes.level.upper())
    return handler


def journal_problem(wishes: LogSettings) -> str | None:
    """Why the file that the settings name cannot be written, and what to do; it is not made by asking."""
    if wishes.file is None:
        return None
    try:
        os.close(os.open(wishes.file, os.O_WRONLY | os.O_APPEND))
    except FileNotFoundError:
        if os.access(wishes.file.parent, os.W_OK | os.X_OK):
            return None
        missing = not wishes.file.parent.is_dir()
        problem: OSError = FileNotFoundError() if missing else PermissionError()
        why = explain_os_error(problem, wishes.file.parent)
    except OSError as problem:
        why = explain_os_error(problem, wishes.file)
    else:
        return None
    return f"no journal can be kept (log.file): {why.wrong}; {why.write}"


def close_journal(handler: logging.Handler) -> None:
    """The last line has been written."""
    logging.getLogger().removeHandler(handler)
    handler.close()


class _InFile(WatchedFileHandler):
    """A file that is opened anew when it was moved away, as log rotation does; without one, lines go to the terminal.

    Nobody's letter waits because a journal cannot be written.
    """

    def emit(self, record: logging.LogRecord) -> None:
        try:
            super().emit(record)
        except OSError:
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - its name in the library
        sys.stderr.write(f"{self.format(record)}\n")


class _AsText(logging.Formatter):
    """``2026-11-16T09:30:00Z info clerk: letter handled (letter=12 fate=applied)``."""

    def format(self, record: logging.LogRecord) -> str:
        line = _line(record)
        head = f"{line.pop('at')} {line.pop('level')} {line.pop('from')}: {line.pop('said')}"
        rest = " ".join(f"{name}={_plain(fact)}" for name, fact in line.items())
        return f"{head} ({rest})" if rest else head


class _AsJson(logging.Formatter):
    """The same as one object."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(_line(record), ensure_ascii=False, default=str)


def _is_wanted(record: logging.LogRecord) -> bool:
    return record.name.startswith(_HOUSE) or record.levelno >= logging.WARNING


def _line(record: logging.LogRecord) -> dict[str, Any]:
    at = datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    said = record.getMessage() if record.name.startswith(_HOUSE) else str(record.msg)
    line: dict[str, Any] = {
        "at": at,
        "level": record.levelname.lower(),
        "from": _room(record.name),
        "said": " ".join(said.split()),
        **getattr(record, _FACTS, {}),
    }
    problem = record.exc_info[1] if record.exc_info else None
    if problem is not None:
        line["error"] = type(problem).__name__
        if isinstance(problem, OSError | StoreError):
            line["detail"] = " ".join(str(problem).split())
        frames = traceback.extract_tb(problem.__traceback__)
        line["where"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    return line


def _room(name: str) -> str:
    return name.split(".")[1] if name.startswith(_HOUSE) else name


def _plain(fact: object) -> str:
    text = str(fact)
    return text if _BARE.fullmatch(text) else json.dumps(text, ensure_ascii=False)
