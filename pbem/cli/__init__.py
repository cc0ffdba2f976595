"""The entry point of `pbem`: encodings, pipes, Ctrl-C, the garbage collector and exit codes of the process.

It knows nothing about what the commands do, except that `deliver` and `validate` can start without Typer.
"""

import errno
import gc
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from typing import Final

UNWRITTEN: Final = 2
"""The exit code when there is no room for what was to be printed."""
NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What a full or failing disk says; no command can do anything about it."""

VALIDATE: Final = "validate"
DELIVER: Final = "deliver"
TRY_LATER: Final = 75
"""What a mail server must get for every failure: any other code would return the letter to its sender."""


def main() -> None:
    """Run the command line of this process."""
    if hasattr(signal, "SIGPIPE"):
        # A reader that stops early, as in `pbem replay game.turns | head`, ends us silently.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            # Closed by the caller; no other file that is opened may take its place.
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 - as long as we run
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Records are UTF-8 with plain line ends on every system.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    try:
        _run(sys.argv[1:])
    except KeyboardInterrupt:
        from pbem.terminal.report import INTERRUPTED

        sys.exit(INTERRUPTED)


def _run(words: list[str]) -> None:
    # Loading modules makes no garbage, and looking for some would take a tenth of the start.
    gc.disable()
    delivers = next((word for word in words if not word.startswith("-")), None) == DELIVER
    try:
        if delivers and words[0] == DELIVER:
            from pbem.cli.quick_deliver import deliver_quickly

            if (code := deliver_quickly(words[1:])) is not None:
                sys.exit(code)
        if words[:1] == [VALIDATE]:
            from pbem.cli.quick_validate import validate_quickly

            gc.freeze()
            gc.enable()
            _print_all(lambda: validate_quickly(words[1:]))
        from pbem.cli.app import choose, make_app

        app = make_app(choose(words))
        gc.freeze()
        gc.enable()
        _print_all(lambda: app(words, prog_name="pbem"))
    except BaseException as problem:
        if delivers and not (isinstance(problem, SystemExit) and not problem.code):
            _ask_to_try_later(problem)
        raise


def _print_all(work: Callable[[], object]) -> None:
    """Do the work and print all of it, or say in one line that there is no room.

    A short output is written only when the process ends, where Python would report a full disk with a traceback.
    """
    try:
        try:
            work()
        finally:
            sys.stdout.flush()
    except OSError as problem:
        # A pipe whose reader has gone needs no message.
        if problem.errno not in (*NO_ROOM, errno.EPIPE):
            raise
        # What is left in the buffers goes nowhere, or Python would try to write it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if problem.errno != errno.EPIPE:
            what = problem.filename or "the output"
            with suppress(OSError):  # it may be the same disk
                sys.stderr.write(f"pbem: {what}: cannot be written; {(problem.strerror or str(problem)).lower()}\n")
        sys.exit(UNWRITTEN)


def _ask_to_try_later(problem: BaseException) -> None:
    if not isinstance(problem, SystemExit):
        sys.excepthook(type(problem), problem, problem.__traceback__)
    sys.exit(TRY_LATER)
