"""How long to wait before trying again: longer each time, the same for everyone, and not for ever."""

from datetime import timedelta
from typing import Final

MAIL: Final = tuple(
    timedelta(minutes=minutes) for minutes in (1, 5, 30, 2 * 60, 6 * 60, 24 * 60, 24 * 60, 24 * 60, 24 * 60)
)
"""The waits between tries of one mail: within an hour at first, then daily, and given up in the sixth day."""

CLOSED: Final = timedelta(minutes=1)
"""The wait before a way out that was closed is tried again; that costs no mail a try."""

_KNOCK: Final = (1.0, 5.0, 15.0, 60.0, 300.0)


def wait_for_mail(attempts: int) -> timedelta | None:
    """The wait after so many tries of a mail, or None when it is time to give up."""
    return MAIL[attempts - 1] if attempts <= len(MAIL) else None


def wait_to_knock(failures: int) -> float:
    """The seconds to wait before knocking again at a server that did not open so many times."""
    return _KNOCK[min(failures, len(_KNOCK)) - 1]
