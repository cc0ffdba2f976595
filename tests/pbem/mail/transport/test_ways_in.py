"""The settings open the ways in."""

from pbem.mail.transport.factory import open_ways_in
from pbem.settings.sections import ImapSettings, LmtpSettings, MaildirInSettings, Settings


def test_each_section_opens_one_way() -> None:
    settings = Settings(maildir=MaildirInSettings(), imap=ImapSettings(), lmtp=LmtpSettings())
    assert [way.name for way in open_ways_in(settings, lambda _: True)] == ["maildir", "imap", "lmtp"]
    assert open_ways_in(Settings(), lambda _: True) == []
