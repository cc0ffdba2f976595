"""Every way in takes a letter that may be larger than others whole, and of others no more than before."""

import io
import mailbox as mailboxes
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from pbem.mail.transport import maildir
from pbem.mail.transport.lmtp import LmtpIntake
from pbem.mail.transport.maildir import MaildirIntake
from pbem.mail.transport.pipe import take_letter
from pbem.mail.transport.protocols import Accepted
from pbem.settings.sections import LmtpSettings, MaildirIntakeSettings
from pbem.store.arrivals import Received
from tests.pbem.mail.transport import test_imap_in
from tests.pbem.mail.transport.test_lmtp_in import Client

LARGEST, MOST = 1_000, 9_000


def larger(start: bytes, recipients: Sequence[str] = ()) -> int:
    """Letters with the word ticket in their beginning, or in an address that they come to, may be larger."""
    assert len(start) > LARGEST, "only what is larger is asked about"
    return MOST if b"ticket" in start[:100] or any("ticket" in address for address in recipients) else LARGEST


ACCEPTED = Accepted(LARGEST, lambda _: True, MOST, larger)
LINE = b"x" * 70 + b"\r\n"
GOOD = b"To: ticket\r\n\r\n" + LINE * 100
PLAIN = b"To: nobody\r\n\r\n" + LINE * 100
HUGE = b"To: ticket\r\n\r\n" + LINE * 200


def test_a_pipe_takes_it_and_drains_the_rest(box: Any) -> None:
    for raw in (GOOD, PLAIN, HUGE):
        stream = io.BytesIO(raw)
        assert take_letter(stream, lambda: nullcontext(box), largest=LARGEST, larger=larger) == 0
        assert stream.read() == b""
    assert box.letters == [GOOD, PLAIN[: LARGEST + 1], HUGE[: MOST + 1]]


def test_a_maildir_gives_it_in_its_order_and_little_is_in_memory_at_once(
    tmp_path: Path, box: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = []

    def receive_all(raws: Sequence[bytes], *, intake: str) -> list[Received]:
        batches.append(list(raws))
        return [Received(number, duplicate=False) for number, _ in enumerate(raws)]

    monkeypatch.setattr(maildir, "_BATCH_BYTES", len(GOOD))
    monkeypatch.setattr(box, "receive_all", receive_all, raising=False)
    mailboxes.Maildir(tmp_path / "maildir")
    for number, raw in enumerate((GOOD, PLAIN, HUGE)):
        (tmp_path / "maildir" / "new" / f"{number}.1.here").write_bytes(raw)
    assert MaildirIntake(MaildirIntakeSettings(tmp_path / "maildir"), ACCEPTED).collect(box) == 3
    assert batches == [[GOOD, PLAIN[: LARGEST + 1]], [HUGE[: MOST + 1]]]


def test_an_imap_server_is_asked_for_the_rest_of_it(mailbox: Any, box: Any) -> None:
    mailbox.put("TheLarge", GOOD, test_imap_in.ONE, PLAIN, HUGE)
    intake = test_imap_in.way(mailbox, "TheLarge")
    intake._accepted = ACCEPTED
    assert intake.collect(box) == 4
    assert box.letters == [test_imap_in.ONE, GOOD, PLAIN[: LARGEST + 1], HUGE[: MOST + 1]]
    assert len(mailbox.look("TheLargeDone")) == 4
    assert mailbox.look("TheLarge") == []


def test_lmtp_takes_it_by_its_recipient_and_refuses_others_for_every_recipient(box: Any, unused_port: int) -> None:
    stop, way = Event(), LmtpIntake(LmtpSettings("127.0.0.1", unused_port), ACCEPTED)
    thread = Thread(target=way.watch, args=(box, stop))
    thread.start()
    try:
        assert way.listening.wait(10)
        client = Client(way.port)
        assert client.say("LHLO here").startswith("250")
        assert client.hand_over(PLAIN, "us+ticket@y.org") == ["250 2.0.0 kept"]
        assert client.hand_over(GOOD, "us@y.org") == ["250 2.0.0 kept"]
        assert client.hand_over(PLAIN, "us@y.org", "them@y.org") == ["552 5.3.4 at most 1000 bytes"] * 2
        assert client.hand_over(HUGE, "us+ticket@y.org") == ["552 5.3.4 at most 9000 bytes"]
        assert client.say("MAIL FROM:<anna@x.org> SIZE=9001").startswith("552")
    finally:
        stop.set()
        thread.join(20)
    assert box.letters == [PLAIN, GOOD]
