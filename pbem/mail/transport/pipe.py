"""One letter from standard input, as a mail server's pipe hands it over."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, BinaryIO, Final

from pbem.mail.transport.envelope_check import envelope_problem

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from pbem.mail.transport.protocols import Letterbox

STORED: Final = 0
TRY_LATER: Final = 75
"""A temporary failure to mail servers (EX_TEMPFAIL): they keep the letter and try again."""

BAD_ENVELOPE: Final = 65
"""A failure that stays (EX_DATAERR): they return the letter to whoever sent it."""

_DRAIN: Final = 1 << 16


def take_letter(
    stream: BinaryIO,
    open_box: "Callable[[], AbstractContextManager[Letterbox]]",
    *,
    largest: int,
    larger: Callable[[bytes], int] | None = None,
    env_from: str | None = None,
    env_to: Sequence[str] = (),
    start_log: Callable[[], object] = lambda: None,
) -> int:
    """Read a letter to its end and store it; the exit code for the mail server, 0 only if it is on the disk.

    A letter that is longer than `largest` bytes may have the size that `larger` tells from its beginning. One that is
    too large is stored up to the first byte too many, so that it can be refused by mail: refusing it here would make
    the mail server answer a sender who may be forged. An envelope whose addresses are none is refused for good. Every
    failure on our side is temporary, and so is that a sender has left too much here. `start_log` is called before that
    is logged: most letters need no log.
    """
    try:
        raw = stream.read(largest + 1)
        if len(raw) > largest and larger is not None:
            raw += stream.read(max(0, larger(raw) - largest))
        while stream.read(_DRAIN):  # a pipe that is closed early looks like a failure to the mail server
            pass
        if problem := envelope_problem([env_from or "", *env_to]):
            import logging

            start_log()
            logging.getLogger(__name__).warning("a letter was refused for its envelope: %s", problem)
            return BAD_ENVELOPE
        with open_box() as box:
            taken = box.receive(raw, intake="pipe", env_from=env_from, env_to=env_to)
        if taken is None:
            import logging

            start_log()
            logging.getLogger(__name__).warning("a letter was not taken: too much from its sender is here already")
            return TRY_LATER
    except Exception:
        import logging

        start_log()
        logging.getLogger(__name__).exception("a letter could not be stored; the mail server is asked to try again")
        return TRY_LATER
    return STORED
