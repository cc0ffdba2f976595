"""Between real mail hosts: SMTP in, LMTP and a pipe to us, a real bounce, mailboxes over IMAP and on the disk."""

import smtplib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid
from functools import partial
from threading import Event, Thread
from typing import Any

import pytest

from pbem.mail.reading.letter import Letter, read_letter
from pbem.mail.reply_address import PostIdentity
from pbem.mail.transport.imap import ImapIntake
from pbem.mail.transport.maildir import MaildirIntake
from pbem.mail.transport.protocols import Accepted, Deferred, Sent
from pbem.mail.transport.retry import SendCounts, send_claimed
from pbem.mail.transport.smtp import SmtpMailer
from pbem.settings.kinds import Secret
from pbem.settings.sections import ImapSettings as ImapWishes
from pbem.settings.sections import MaildirIntakeSettings as MaildirWishes
from pbem.settings.sections import SmtpSettings as SmtpWishes
from pbem.store.rows import LetterRow, NewMail
from pbem.store.store import Store

POST = "caravan@post.test"
ACCEPTED = Accepted(262_144, lambda _: True)
TICKET = "caravan+sirocco-7.red.12.0.abcdefghijklmnop@post.test"
IDENTITY = PostIdentity(POST, None, b"key")


def letter(words: str, **headers: str) -> bytes:
    mail = EmailMessage(policy=SMTP)
    usual = {"From": "anna@players.test", "To": POST, "Subject": "my move", "Message-ID": make_msgid(domain="x.test")}
    for name, value in (usual | {"Date": format_datetime(datetime.now(UTC))} | headers).items():
        mail[name] = value
    mail.set_content(words)
    return mail.as_bytes()


def send(hosts: Any, raw: bytes, *recipients: str, sender: str = "anna@players.test") -> None:
    """What a player's mail program does, without login because the recipient is the server's own."""
    with smtplib.SMTP("127.0.0.1", hosts.ports["SMTP"], timeout=40) as server:
        assert server.sendmail(sender, [*recipients], raw) == {}


def wait_until(hosts: Any, holds: Callable[[], object], seconds: float = 40.0) -> None:
    """Wait for something to become true; if it does not, the servers' logs say why."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, hosts.log
        time.sleep(0.05)


def wait_for(store: Store, hosts: Any) -> LetterRow:
    """The first letter that reaches a store."""
    wait_until(hosts, store.next_received)
    found = store.next_received()
    assert found is not None
    return found


def way_out(hosts: Any, **more: Any) -> SmtpMailer:
    plain = SmtpWishes("127.0.0.1", hosts.ports["SMTP"], "starttls", hosts.ca, "caravan", Secret("open sesame"))
    return SmtpMailer(replace(plain, **more), POST)


def mailbox_of(hosts: Any, user: str, **more: Any) -> ImapIntake:
    plain = ImapWishes("127.0.0.1", hosts.ports["IMAPS"], "tls", hosts.ca, user, Secret("open sesame"))
    return ImapIntake(replace(plain, **more), ACCEPTED)


@contextmanager
def watching(way: ImapIntake, store: Store) -> Iterator[None]:
    stop = Event()
    watcher = Thread(target=way.watch, args=(store, stop))
    watcher.start()
    try:
        yield
    finally:
        stop.set()
        watcher.join(40)


def test_a_letter_comes_over_smtp_and_lmtp_with_its_ticket(
    hosts: Any, store: Store, listening: Callable[[], None]
) -> None:
    listening()
    raw = letter("lilac E5\nלילך\n.\n..\n")
    send(hosts, raw, TICKET)
    found = wait_for(store, hosts)
    assert (found.intake, found.env_from, found.env_to) == ("lmtp", "anna@players.test", (TICKET,))
    assert found.raw.endswith(raw)
    assert b"Received: from" in found.raw
    read = read_letter(found.raw, post=IDENTITY, envelope_from=found.env_from, envelope_to=found.env_to)
    assert isinstance(read, Letter)
    assert read.words.splitlines()[:2] == ["lilac E5", "לילך"]
    assert store.counters().received == 1


def test_while_our_door_is_closed_the_mail_server_keeps_the_letter(
    hosts: Any, store: Store, listening: Callable[[], None]
) -> None:
    before = hosts.log.count("status=deferred")
    send(hosts, letter("lilac E5\n"), POST)
    wait_until(hosts, lambda: hosts.log.count("status=deferred") > before)
    listening()
    assert wait_for(store, hosts).env_to == (POST,)


def test_our_own_trouble_is_answered_4xx_and_the_letter_comes_again_once(
    hosts: Any, store: Store, listening: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = []
    keep = store.receive

    def stumble(raw: bytes, **envelope: Any) -> object:
        tries.append(raw)
        if len(tries) == 1:
            raise RuntimeError("the disk is full")
        return keep(raw, **envelope)

    monkeypatch.setattr(store, "receive", stumble)
    listening()
    send(hosts, letter("lilac E5\n"), POST)
    wait_for(store, hosts)
    assert len(tries) == 2
    assert tries[0] == tries[1]
    assert "451 4.3.0 our own trouble" in hosts.log
    assert store.counters().received == 1


def test_a_letter_comes_through_a_pipe_and_a_failure_of_ours_only_delays_it(hosts: Any) -> None:
    hosts.failures_of_pipe = 1
    ticket = TICKET.replace("post.test", "pipe.test")
    send(hosts, letter("lilac E5\n"), ticket)
    with Store.create(hosts.pipe_url) as store:
        found = wait_for(store, hosts)
        assert (found.intake, found.env_from, found.env_to) == ("pipe", "anna@players.test", (ticket,))
        assert b"\r" not in found.raw
        assert found.raw.endswith(b"\n\nlilac E5\n")
        assert store.counters().received == 1
    wait_until(hosts, lambda: len(hosts.runs_of_pipe) == 2)
    assert hosts.runs_of_pipe == [75, 0]


def test_a_mail_to_nobody_comes_back_as_a_bounce_that_names_it_by_its_address(
    hosts: Any, store: Store, listening: Callable[[], None]
) -> None:
    listening()
    name = "0f" * 16
    own = {"Auto-Submitted": "auto-generated", "Message-ID": f"<{name}@post.test>"}
    mail = letter("your turn\n", From=POST, To="nobody@players.test", **own)
    assert way_out(hosts, bounces="verp").deliver(mail, "nobody@players.test") == Sent()
    found = wait_for(store, hosts)
    assert (found.env_from, found.env_to) == ("", (f"caravan+bounce-{name}@post.test",))
    read = read_letter(found.raw, post=IDENTITY, envelope_from=found.env_from, envelope_to=found.env_to)
    assert isinstance(read, Letter)
    assert read.automatic is not None
    assert read.bounce_of == ("nobody@players.test",)
    assert read.returned == (f"<{name}@post.test>",)


def test_mails_leave_with_tls_and_login_and_reach_the_mailbox_to_the_byte(hosts: Any, store: Store) -> None:
    mail = letter("your turn \N{DROMEDARY CAMEL}\n", From=POST, To="anna@players.test")
    with store.transaction() as at_desk:
        at_desk.enqueue([NewMail("<1@post.test>", "anna@players.test", "turn", mail)])
    assert send_claimed(store, way_out(hosts), lambda: datetime.now(UTC)) == SendCounts(sent=1)
    with watching(mailbox_of(hosts, "anna"), store):
        found = wait_for(store, hosts)
    assert found.intake == "imap"
    assert found.raw.endswith(mail)
    assert b"with ESMTPSA" in found.raw


def test_a_wrong_password_closes_the_way_out_and_the_way_in(hosts: Any) -> None:
    outcome = way_out(hosts, password=Secret("open barley")).deliver(letter("x"), "anna@players.test")
    assert isinstance(outcome, Deferred)
    assert (outcome.closed, outcome.tried) == (True, False)
    assert ": 535 " in outcome.reason
    checked = mailbox_of(hosts, "anna", password=Secret("open barley")).check()
    assert not checked.good
    assert "AUTHENTICATIONFAILED" in checked.text


def _has_received(store: Store, number: int) -> bool:
    return store.counters().received > number


def test_dovecot_tells_of_new_letters_and_lets_them_be_moved(hosts: Any, store: Store) -> None:
    reader = mailbox_of(hosts, "boris", every=timedelta(hours=1))
    assert reader.check().good
    with watching(reader, store):
        for number in range(3):
            send(hosts, letter(f"move {number}\n"), "boris@players.test")
            wait_until(hosts, partial(_has_received, store, number))
    letters = []
    while (taken := store.take_next()) is not None:
        letters.append(taken.letter)
        with store.transaction() as at_desk:
            at_desk.set_fate(taken.letter.id, "applied", "move")
    assert [f"move {number}\r\n".encode() in one.raw for number, one in enumerate(letters)] == [True] * 3
    done = hosts.maildir("boris") / ".Done"
    assert len([*(done / "cur").iterdir(), *(done / "new").iterdir()]) == 3
    assert store.counters().difference == 0


def test_starttls_works_at_the_mailbox_too(hosts: Any) -> None:
    assert mailbox_of(hosts, "boris", port=hosts.ports["IMAP"], security="starttls").check().good


def test_the_maildir_that_a_mail_server_fills_is_read_on_the_disk(hosts: Any, store: Store) -> None:
    send(hosts, letter("lilac E5\n"), "chloe+sirocco-7@players.test")
    new = hosts.maildir("chloe") / "new"
    wait_until(hosts, lambda: new.is_dir() and [*new.iterdir()])
    assert MaildirIntake(MaildirWishes(hosts.maildir("chloe")), ACCEPTED).collect(store) == 1
    found = store.next_received()
    assert found is not None
    assert b"lilac E5" in found.raw
    assert [*new.iterdir()] == []


def test_letters_beyond_ascii_pass_through_all_of_it(hosts: Any, store: Store, listening: Callable[[], None]) -> None:
    listening()
    head = "From: аня@players.test\r\nTo: caravan@post.test\r\nSubject: ход\r\nMessage-ID: <1@x.test>\r\n"
    raw = f"{head}Date: {format_datetime(datetime.now(UTC))}\r\n\r\nсиреневый E5\r\n".encode()
    with smtplib.SMTP("127.0.0.1", hosts.ports["SMTP"], timeout=40) as server:
        server.sendmail("аня@players.test", [POST], raw, mail_options=["SMTPUTF8", "BODY=8BITMIME"])
    found = wait_for(store, hosts)
    assert found.env_from == "аня@players.test"
    assert found.raw.endswith(raw)
