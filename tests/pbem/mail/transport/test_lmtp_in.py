"""Letters over LMTP: an answer for every recipient, 250 only for what is kept, 4xx for what is our own trouble."""

import smtplib
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread
from typing import Any

import pytest

from pbem.mail.transport.lmtp import LmtpIntake
from pbem.mail.transport.protocols import Accepted
from pbem.settings.sections import LmtpSettings as Wishes

LETTER = b"From: anna@x.org\r\nSubject: move\r\n\r\nlilac E5\r\n"


@contextmanager
def listening(box: Any, port: int, **more: Any) -> Iterator[LmtpIntake]:
    stop = Event()
    way = LmtpIntake(Wishes("127.0.0.1", port, **more), Accepted(5_000, lambda address: "caravan" in address))
    thread = Thread(target=way.watch, args=(box, stop))
    thread.start()
    assert way.listening.wait(10)
    try:
        yield way
    finally:
        stop.set()
        thread.join(20)
    assert not thread.is_alive()


@pytest.fixture
def server(box: Any, unused_port: int) -> Iterator[LmtpIntake]:
    with listening(box, unused_port) as way:
        yield way


class Client:
    """Speaks LMTP by hand, so that every answer is seen."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self._lines = self._socket.makefile("rb")
        self.answer()

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def answer(self) -> str:
        while True:
            line = self._lines.readline().decode().rstrip("\r\n")
            if line[3:4] != "-":
                return line

    def hangs_up(self) -> bool:
        """Whether the server ends the conversation, rather than keeping us waiting for longer than we wait."""
        self._lines.read()
        return self._socket.recv(1) == b""

    def say(self, line: str) -> str:
        self.send(line.encode() + b"\r\n")
        return self.answer()

    def hand_over(self, content: bytes, *recipients: str) -> list[str]:
        """The answers after the content, one for each recipient that was known."""
        assert self.say("MAIL FROM:<anna@x.org>").startswith("250")
        known = [address for address in recipients if self.say(f"RCPT TO:<{address}>").startswith("250")]
        assert self.say("DATA").startswith("354")
        self.send(content + b".\r\n")
        return [self.answer() for _ in known]


@pytest.fixture
def client(server: LmtpIntake) -> Client:
    client = Client(server.port)
    assert client.say("LHLO here").startswith("250")
    return client


def test_a_letter_is_kept_to_the_byte_with_its_envelope(server: LmtpIntake, box: Any) -> None:
    with smtplib.LMTP("127.0.0.1", server.port) as sender:
        dotted = LETTER + b".\r\n..\r\nend\r\n"
        assert sender.sendmail("anna@x.org", ["caravan+sirocco-7.red.12.0.abc@y.org"], dotted) == {}
    assert box.letters == [dotted]
    assert box.envelopes == [("lmtp", "anna@x.org", ("caravan+sirocco-7.red.12.0.abc@y.org",))]


def test_every_recipient_gets_an_answer_of_its_own(client: Client, box: Any) -> None:
    answers = client.hand_over(LETTER, "caravan+a@y.org", "stranger@y.org", "caravan+b@y.org")
    assert answers == ["250 2.0.0 kept", "250 2.0.0 kept"]
    assert box.envelopes == [("lmtp", "anna@x.org", ("caravan+a@y.org", "caravan+b@y.org"))]
    assert client.say("NOOP").startswith("250"), "there was no answer too many"


def test_a_recipient_that_is_not_ours_is_refused_at_the_door(client: Client) -> None:
    client.say("MAIL FROM:<anna@x.org>")
    assert client.say("RCPT TO:<stranger@y.org>") == "550 5.1.1 nobody here by that name"


@pytest.mark.parametrize("address", ["caravan+\x00@y.org", "caravan+\x07a@y.org"])
def test_an_address_that_can_be_none_is_refused_for_good(client: Client, box: Any, address: str) -> None:
    assert client.say(f"MAIL FROM:<{address}>") == "553 5.1.3 an address has no control characters and is valid UTF-8"
    client.say("MAIL FROM:<anna@x.org>")
    assert client.say(f"RCPT TO:<{address}>").startswith("553 5.1.3")


def test_our_own_trouble_is_temporary_for_every_recipient(client: Client, box: Any) -> None:
    box.broken = True
    answers = client.hand_over(LETTER, "caravan+a@y.org", "caravan+b@y.org")
    assert answers == ["451 4.3.0 our own trouble, try again later"] * 2
    box.broken = False
    assert client.hand_over(LETTER, "caravan+a@y.org") == ["250 2.0.0 kept"]


@pytest.mark.parametrize("content", [b"x" * 70 + b"\r\n", b"x" * 9_000 + b"\r\n"])
def test_a_letter_too_large_is_refused_for_every_recipient(client: Client, box: Any, content: bytes) -> None:
    answers = client.hand_over(content * (5_100 // len(content) + 1), "caravan+a@y.org", "caravan+b@y.org")
    assert answers == ["552 5.3.4 at most 5000 bytes"] * 2
    assert client.say("NOOP").startswith("250")
    assert box.letters == []


def test_a_size_announced_too_large_is_refused_before_it_is_sent(client: Client) -> None:
    assert client.say("MAIL FROM:<anna@x.org> SIZE=5001").startswith("552")


def test_long_lines_within_the_size_are_taken(client: Client, box: Any) -> None:
    content = b"Subject: x\r\n\r\n" + b"y" * 3_000 + b"\r\n"
    assert client.hand_over(content, "caravan@y.org") == ["250 2.0.0 kept"]
    assert box.letters == [content]


@pytest.mark.parametrize("end", [b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r", b"\r.\r\n", b"\r\n.\r"])
def test_no_odd_line_end_smuggles_a_second_letter(client: Client, box: Any, end: bytes) -> None:
    smuggled = b"MAIL FROM:<mallory@evil.org>\r\nRCPT TO:<caravan@y.org>\r\nDATA\r\nI resign\r\n"
    (answer,) = client.hand_over(b"Subject: x\r\n\r\nhello" + end + smuggled, "caravan@y.org")
    assert answer == "554 5.6.0 some lines do not end with CRLF"
    assert client.say("NOOP").startswith("250")
    assert box.letters == []


def test_the_empty_sender_of_bounces_is_kept_as_nothing(client: Client, box: Any) -> None:
    assert client.say("MAIL FROM:<>").startswith("250")
    assert client.say("RCPT TO:<caravan@y.org>").startswith("250")
    assert client.say("DATA").startswith("354")
    client.send(LETTER + b".\r\n")
    assert client.answer().startswith("250")
    assert box.envelopes[0][1] == ""


def test_what_is_no_lmtp_is_refused_and_the_door_stays_open(client: Client, server: LmtpIntake, box: Any) -> None:
    assert client.say("EHLO here").startswith("500")
    assert client.say("DATA").startswith("503")
    client.send(b"\xff\xfe\r\n" * 3)
    assert client.answer().startswith("500")
    with smtplib.LMTP("127.0.0.1", server.port) as sender:
        sender.sendmail("anna@x.org", ["caravan@y.org"], LETTER)
    assert box.letters == [LETTER]


def test_a_connection_that_says_nothing_is_not_kept_for_ever(box: Any, unused_port: int) -> None:
    with listening(box, unused_port, timeout=timedelta(seconds=0.2)) as way:
        silent = Client(way.port)
        assert silent.hangs_up()


def test_a_letter_that_is_being_handed_over_is_taken_to_its_end_before_the_door_closes(
    box: Any, unused_port: int
) -> None:
    with listening(box, unused_port) as way:
        client = Client(way.port)
        client.say("LHLO here")
        client.say("MAIL FROM:<anna@x.org>")
        client.say("RCPT TO:<caravan@y.org>")
        client.say("DATA")
        ending = Thread(target=lambda: client.send(LETTER + b".\r\n"))
        ending.start()
    assert client.answer() == "250 2.0.0 kept"
    assert box.letters == [LETTER]
    ending.join()


def test_a_letter_that_there_is_no_room_for_is_put_off(box: Any, server: LmtpIntake) -> None:
    box.no_room_for = b"lilac"
    client = Client(server.port)
    client.say("LHLO here")
    assert (
        client.hand_over(LETTER, "caravan+a@y.org", "caravan@y.org")
        == ["452 4.2.2 too much from this sender is here, try again later"] * 2
    )
    assert client.hand_over(LETTER.replace(b"lilac", b"white"), "caravan@y.org") == ["250 2.0.0 kept"]
