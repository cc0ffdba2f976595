"""The settings open the ways in."""

from pbem.mail.transport.factory import open_intakes
from pbem.settings.sections import ImapSettings, LmtpSettings, MaildirIntakeSettings, Settings


def test_each_section_opens_one_way() -> None:
    settings = Settings(maildir=MaildirIntakeSettings(), imap=ImapSettings(), lmtp=LmtpSettings())
    assert [way.name for way in open_intakes(settings, lambda _: True)] == ["maildir", "imap", "lmtp"]
    assert open_intakes(Settings(), lambda _: True) == []
