"""The settings choose the transports, and each section names a class that does what its protocol asks."""

import pytest

from pbem.mail.transport.factory import open_intakes, open_mailer
from pbem.settings.sections import INTAKES, MAILERS, ImapSettings, LmtpSettings, MaildirIntakeSettings, Settings


def test_every_section_in_the_settings_opens_its_way() -> None:
    settings = Settings(maildir=MaildirIntakeSettings(), imap=ImapSettings(), lmtp=LmtpSettings())
    assert [way.name for way in open_intakes(settings, lambda _: True)] == ["maildir", "imap", "lmtp"]
    assert open_intakes(Settings(), lambda _: True) == []


@pytest.mark.parametrize("name", INTAKES)
def test_every_intake_has_a_field_in_the_settings_and_a_class(name: str) -> None:
    (intake,) = open_intakes(Settings(**{name: INTAKES[name]()}), lambda _: True)  # type: ignore[arg-type]  # by name
    assert intake.name == name
    assert intake.address
    assert intake.listens in (True, False)
    assert all(callable(getattr(intake, verb)) for verb in ("collect", "watch", "check"))


@pytest.mark.parametrize("kind", MAILERS)
def test_every_mailer_has_a_class(kind: str) -> None:
    mailer = open_mailer(Settings(out=MAILERS[kind]()))
    assert all(callable(getattr(mailer, verb)) for verb in ("deliver", "check", "close"))
