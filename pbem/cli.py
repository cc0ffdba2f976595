"""The way into `pbem`: one process, one command line.

It arranges how the process meets the system (encodings, pipes, Ctrl-C, the garbage collector) and knows nothing
of what the commands do.
"""

import gc
import signal
import sys
from io import TextIOWrapper
from typing import Final

INTERRUPTED: Final = 130
"""The exit code of a program stopped by Ctrl-C, as shells have it."""

DELIVER: Final = "deliver"
TRY_LATER: Final = 75
"""What a mail server's pipe must hear whatever goes wrong: any other code would send the letter back to its writer."""


def main() -> None:
    """Run the command line of this process."""
    if hasattr(signal, "SIGPIPE"):
        # A reader that has seen enough, as in `pbem replay game.turns | head`, ends us without a word.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Records are UTF-8 with plain line ends, whatever the machine prefers.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    try:
        _run(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _run(words: list[str]) -> None:
    # Nothing is garbage while modules are loaded, and looking for some would take a tenth of the start.
    gc.disable()
    from pbem.contents import choose, make_app

    chosen = choose(words)
    try:
        app = make_app(chosen)
        gc.freeze()
        gc.enable()
        app(words, prog_name="pbem")
    except BaseException as problem:
        if chosen == DELIVER and not (isinstance(problem, SystemExit) and not problem.code):
            _ask_to_try_later(problem)
        raise


def _ask_to_try_later(problem: BaseException) -> None:
    if not isinstance(problem, SystemExit):
        sys.excepthook(type(problem), problem, problem.__traceback__)
    sys.exit(TRY_LATER)
