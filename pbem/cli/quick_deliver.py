"""`pbem deliver` as mail servers run it: store one letter and end, without loading what the other commands need.

The command in `pbem.cli.deliver` does the same and more: it has the help, checks every option and setting, and can
handle the letter at once. Anything but the plain case is left to it.
"""

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from pbem.mail.transport.pipe import take_letter
from pbem.settings.delivery import POST_FILE, DeliverySettings, read_delivery_settings
from pbem.store.arrivals import Arrival, ArrivalStore
from pbem.store.door import Door, Limits

VARIABLE: Final = "PBEM_CONFIG"


class _Options(NamedTuple):
    config: str
    sender: str | None
    recipients: Sequence[str]


def deliver_quickly(words: Sequence[str]) -> int | None:
    """Store the letter on standard input; the exit code, or None if the full command has to run instead."""
    options = _parse(words)
    if options is None or sys.stdin is None:
        return None
    settings = read_delivery_settings(options.config)
    if settings is None:
        return None
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    return take_letter(
        sys.stdin.buffer,
        lambda: _open_door(options.config, settings),
        largest=settings.largest,
        larger=lambda start: _largest(start, options),
        env_from=options.sender,
        env_to=options.recipients,
        start_log=lambda: _start_log(options.config),
    )


@contextmanager
def _open_door(config: str, settings: DeliverySettings) -> Iterator[Door]:
    """The door of the post. Only a letter that there is no room for is looked at, and then the rest is loaded."""
    with ArrivalStore.open(settings.url, timeout=settings.timeout) as store:
        yield Door(store, Limits(*settings.limits), lambda arrival: _is_genuine(config, arrival))


def _is_genuine(config: str, arrival: Arrival) -> bool:
    from pathlib import Path

    from pbem.service.front_door import is_genuine_by_settings
    from pbem.settings.load import read_settings
    from pbem.settings.sections import Settings

    settings = read_settings(Path(config))
    return isinstance(settings, Settings) and is_genuine_by_settings(settings, arrival)


def _parse(words: Sequence[str]) -> _Options | None:
    """The options; None if there are others than those of the envelope and the settings."""
    given: dict[str, list[str]] = {"--from": [], "--to": [], "--config": []}
    rest = iter(words)
    for word in rest:
        name, sign, value = word.partition("=")
        if name not in given:
            return None
        if not sign:
            following = next(rest, None)
            if following is None:
                return None
            value = following
        given[name].append(value)
    config = given["--config"][-1] if given["--config"] else os.environ.get(VARIABLE) or POST_FILE
    sender = given["--from"][-1] if given["--from"] else None
    return _Options(config, sender, given["--to"]) if config else None


def _largest(start: bytes, options: _Options) -> int:
    """How large a letter may be that is larger than others."""
    from pathlib import Path

    from pbem.service.single_run import largest_for
    from pbem.settings.load import read_settings
    from pbem.settings.sections import Settings

    settings = read_settings(Path(options.config))
    return largest_for(settings if isinstance(settings, Settings) else None, start, options.recipients)


def _start_log(config: str) -> None:
    """Log as the settings say; to standard error if they cannot be read."""
    from pathlib import Path

    from pbem.service.journal import start_journal
    from pbem.settings.load import read_settings
    from pbem.settings.sections import Settings
    from pbem.settings.upkeep import LogSettings

    settings = read_settings(Path(config))
    start_journal(settings.log if isinstance(settings, Settings) else LogSettings())
