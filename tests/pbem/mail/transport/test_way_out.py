"""Mails leave as files or into Maildirs, whole, once, and under names that stay in their folder."""

import mailbox
from pathlib import Path

import pytest

from pbem.mail.transport.factory import open_mailer
from pbem.mail.transport.folder import FolderMailer
from pbem.mail.transport.maildir import MaildirMailer
from pbem.mail.transport.protocols import Deferred, Sent
from pbem.mail.transport.smtp import SmtpMailer
from pbem.settings.sections import FolderMailerSettings as FolderWishes
from pbem.settings.sections import MaildirMailerSettings as MaildirWishes
from pbem.settings.sections import Settings
from pbem.settings.sections import SmtpSettings as SmtpWishes

POST = "caravan@post.test"
MAIL = b"From: caravan@example.org\r\nSubject: =?utf-8?q?=D7=A9?=\r\n\r\nyour turn\r\n.\r\n\xff"


def test_a_mail_becomes_a_file_that_is_numbered_and_addressed(tmp_path: Path) -> None:
    way = FolderMailer(FolderWishes(tmp_path / "out"), POST)
    assert way.deliver(MAIL, "anna@example.org") == Sent()
    assert way.deliver(b"second", "boris@example.org") == Sent()
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert [name[:23] for name in names] == ["000001-anna@example.org", "000002-boris@example.or"]
    assert (tmp_path / "out" / names[0]).read_bytes() == MAIL


def test_a_mail_that_lies_there_is_not_written_twice_even_after_a_restart(tmp_path: Path) -> None:
    assert FolderMailer(FolderWishes(tmp_path), POST).deliver(MAIL, "anna@example.org") == Sent()
    again = FolderMailer(FolderWishes(tmp_path), POST)
    assert again.deliver(MAIL, "anna@example.org") == Sent()
    assert again.deliver(MAIL, "boris@example.org") == Sent()
    assert again.deliver(b"other", "anna@example.org") == Sent()
    assert [path.name[:7] for path in sorted(tmp_path.iterdir())] == ["000001-", "000002-", "000003-"]


def test_a_draft_left_by_a_crash_is_written_over(tmp_path: Path) -> None:
    FolderMailer(FolderWishes(tmp_path), POST).deliver(MAIL, "anna@example.org")
    (done,) = tmp_path.iterdir()
    draft = tmp_path / f".{done.name.partition('-')[2]}"
    done.unlink()
    draft.write_bytes(MAIL[:9])
    assert FolderMailer(FolderWishes(tmp_path), POST).deliver(MAIL, "anna@example.org") == Sent()
    (path,) = tmp_path.iterdir()
    assert path.read_bytes() == MAIL


def test_two_writers_never_write_over_each_other(tmp_path: Path) -> None:
    one, other = FolderMailer(FolderWishes(tmp_path), POST), FolderMailer(FolderWishes(tmp_path), POST)
    one.deliver(b"1", "a@x.org")
    other.deliver(b"2", "b@x.org")
    one.deliver(b"3", "a@x.org")
    other.deliver(b"4", "b@x.org")
    assert sorted(path.read_bytes() for path in tmp_path.iterdir()) == [b"1", b"2", b"3", b"4"]


def test_each_recipient_has_a_maildir_that_mail_programs_read(tmp_path: Path) -> None:
    way = MaildirMailer(MaildirWishes(tmp_path / "boxes"), POST)
    assert way.deliver(MAIL, "anna@example.org") == Sent()
    assert way.deliver(b"Subject: second\n\n", "anna@example.org") == Sent()
    assert way.deliver(MAIL, "boris@example.org") == Sent()
    assert sorted(path.name for path in (tmp_path / "boxes").iterdir()) == ["anna@example.org", "boris@example.org"]
    box = mailbox.Maildir(tmp_path / "boxes" / "anna@example.org", create=False)
    assert {message["Subject"] for message in box} == {"second", "=?utf-8?q?=D7=A9?="}


@pytest.mark.parametrize("address", ["../../etc/passwd@x.org", "..", ".", "a/b@x.org", "\0@x.org", "a" * 900])
@pytest.mark.parametrize("wishes", [FolderWishes, MaildirWishes])
def test_no_address_leads_out_of_the_folder(
    tmp_path: Path, wishes: type[FolderWishes] | type[MaildirWishes], address: str
) -> None:
    assert open_mailer(Settings(out=wishes(tmp_path / "inner"))).deliver(MAIL, address) == Sent()
    assert [path.name for path in tmp_path.iterdir()] == ["inner"]
    assert len([*(tmp_path / "inner").iterdir()]) == 1


@pytest.mark.parametrize("wishes", [FolderWishes, MaildirWishes])
def test_a_folder_that_cannot_be_written_closes_the_way(
    tmp_path: Path, wishes: type[FolderWishes] | type[MaildirWishes]
) -> None:
    (tmp_path / "file").touch()
    outcome = open_mailer(Settings(out=wishes(tmp_path / "file"))).deliver(MAIL, "anna@example.org")
    assert isinstance(outcome, Deferred)
    assert (outcome.closed, outcome.tried) == (True, False)


def test_the_settings_choose_the_way() -> None:
    made = []
    for wishes in (FolderWishes(), MaildirWishes(), SmtpWishes()):
        way = open_mailer(Settings(out=wishes))
        made.append(type(way))
        way.close()
    assert made == [FolderMailer, MaildirMailer, SmtpMailer]
