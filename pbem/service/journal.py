"""The journal: what the running service logs, as lines for people or as one JSON object a line.

Letters are named by number and players by seat. No address, no text of a letter and no secret is ever logged; of an
unexpected error only the type and the place, because its message may quote a letter. What the system says, such as
"disk full", is quoted. Libraries are logged only if they warn, and without their arguments.
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
from pbem.settings.upkeep import LogSettings
from pbem.store.errors import StoreError

_FACTS: Final = "facts"
_OURS: Final = "pbem."
_BARE: Final = re.compile(r"[\w.:+/-]+")
"""Values that are logged without quotes."""
_ADDRESS: Final = re.compile(r"<?[^\s<>@]+@[^\s<>@,;:]+>?")


def note(log: logging.Logger, said: str, **facts: Any) -> None:
    """Log something that happened; facts that are None are left out."""
    log.info(said, extra={_FACTS: {name: fact for name, fact in facts.items() if fact is not None}})


def warn(log: logging.Logger, said: str, **facts: Any) -> None:
    """Log something that a person should look at."""
    log.warning(said, extra={_FACTS: {name: fact for name, fact in facts.items() if fact is not None}})


def without_addresses(words: str) -> str:
    """The words of a mail server without addresses, for the journal."""
    return _ADDRESS.sub("(an address)", words)


def start_journal(settings: LogSettings) -> logging.Handler:
    """Send all log lines where the settings say; the handler, to be passed to `close_journal`."""
    handler: logging.Handler
    if settings.file is None:
        handler = logging.StreamHandler(sys.stderr)
    else:
        handler = _InFile(settings.file, encoding="utf-8", delay=True)
    handler.addFilter(_is_wanted)
    handler.setFormatter(_AsJson() if settings.form == "json" else _AsText())
    top = logging.getLogger()
    top.addHandler(handler)
    top.setLevel(settings.level.upper())
    return handler


def journal_problem(settings: LogSettings) -> str | None:
    """Why the file in the settings cannot be written, and what to do; None if it can. The file is not created."""
    if settings.file is None:
        return None
    try:
        os.close(os.open(settings.file, os.O_WRONLY | os.O_APPEND))
    except FileNotFoundError:
        if os.access(settings.file.parent, os.W_OK | os.X_OK):
            return None
        missing = not settings.file.parent.is_dir()
        problem: OSError = FileNotFoundError() if missing else PermissionError()
        why = explain_os_error(problem, settings.file.parent)
    except OSError as problem:
        why = explain_os_error(problem, settings.file)
    else:
        return None
    return f"the journal cannot be written (log.file): {why.mistake}; {why.advice}"


def close_journal(handler: logging.Handler) -> None:
    """Stop logging."""
    logging.getLogger().removeHandler(handler)
    handler.close()


class _InFile(WatchedFileHandler):
    """A file that is reopened after log rotation. If it cannot be written, lines go to standard error.

    No letter waits because the journal cannot be written.
    """

    def emit(self, record: logging.LogRecord) -> None:
        try:
            super().emit(record)
        except OSError:
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - its name in the library
        sys.stderr.write(f"{self.format(record)}\n")


class _AsText(logging.Formatter):
    """``2026-11-16T09:30:00Z info workflow: letter handled (letter=12 fate=applied)``."""

    def format(self, record: logging.LogRecord) -> str:
        line = _line(record)
        head = f"{line.pop('at')} {line.pop('level')} {line.pop('from')}: {line.pop('said')}"
        rest = " ".join(f"{name}={_plain(fact)}" for name, fact in line.items())
        return f"{head} ({rest})" if rest else head


class _AsJson(logging.Formatter):
    """The same as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(_line(record), ensure_ascii=False, default=str)


def _is_wanted(record: logging.LogRecord) -> bool:
    return record.name.startswith(_OURS) or record.levelno >= logging.WARNING


def _line(record: logging.LogRecord) -> dict[str, Any]:
    at = datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    said = record.getMessage() if record.name.startswith(_OURS) else str(record.msg)
    line: dict[str, Any] = {
        "at": at,
        "level": record.levelname.lower(),
        "from": _package(record.name),
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


def _package(name: str) -> str:
    return name.split(".")[1] if name.startswith(_OURS) else name


def _plain(fact: object) -> str:
    text = str(fact)
    return text if _BARE.fullmatch(text) else json.dumps(text, ensure_ascii=False)
