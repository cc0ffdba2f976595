"""The transports that the settings ask for, found through the class that each settings section names."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from pbem.mail.transport.protocols import Accepted, Intake, Mailer
from pbem.settings.sections import IntakeSettings, MailerSettings, Settings


def open_intakes(
    settings: Settings,
    owns: Callable[[str], bool],
    *,
    most: int = 0,
    larger: Callable[[bytes, Sequence[str]], int] | None = None,
) -> list[Intake]:
    """An intake for every section under `in`. Nothing is connected yet.

    `owns` says whether an address is ours; for `most` and `larger` see `Accepted`.
    """
    accepted = Accepted(settings.post.largest_letter, owns, most, larger)
    return [_load_class(section)(section, accepted) for section in settings.intakes]


def open_mailer(settings: Settings) -> Mailer:
    """The mailer that `[out]` asks for; it connects when the first mail is sent."""
    mailer: Mailer = _load_class(settings.out)(settings.out, settings.post.address)
    return mailer


def _load_class(section: IntakeSettings | MailerSettings) -> Any:
    module, _, name = section.transport.partition(":")
    return getattr(import_module(f"pbem.mail.transport.{module}"), name)
