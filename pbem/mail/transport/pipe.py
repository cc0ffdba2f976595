"""One letter on the standard input, as a mail server's pipe hands it over."""

import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import BinaryIO, Final

from pbem.mail.transport.ports import Letterbox

TAKEN: Final = 0
TRY_LATER: Final = 75
"""What mail servers understand as a temporary failure (EX_TEMPFAIL): they keep the letter and come back."""

_LOG: Final = logging.getLogger(__name__)


def take_letter(
    stream: BinaryIO,
    open_box: Callable[[], AbstractContextManager[Letterbox]],
    *,
    largest: int,
    env_from: str | None = None,
    env_to: Sequence[str] = (),
) -> int:
    """Read a letter to its end and keep it; the exit code for the mail server, 0 only if it is on the disk.

    Of a letter that is too large as much is kept as shows that it is: refusing it would make the mail server answer
    a sender who may be forged. Whatever goes wrong on our side, a letterbox that does not open included, is temporary.
    """
    try:
        raw = stream.read(largest + 1)
        while stream.read(1 << 16):  # a pipe that is closed early looks like a failure to the one who writes
            pass
        with open_box() as box:
            box.receive(raw, intake="pipe", env_from=env_from, env_to=env_to)
    except Exception:
        _LOG.exception("a letter could not be kept; the mail server is asked to come back")
        return TRY_LATER
    return TAKEN
