"""Every hostile mail has a fate and a reason: none is obeyed, none raises, none keeps the reader busy."""

import random
import time
import tracemalloc

import pytest

from pbem.mail.reading import REASONS, Authenticity, Letter, Unreadable, read_letter
from pbem.mail.reply_address import PostIdentity, Ticket
from tests.hostile.hostile_draft import Target, sound
from tests.hostile.hostile_mails import TRAPS, HostileMail, hostile_mails

TARGET = Target()
POST = PostIdentity(TARGET.address, authserv_id=TARGET.authserv_id, ticket_key=TARGET.key)
DUE = Ticket(TARGET.game, TARGET.seat, TARGET.turn, "", good=True, epoch=TARGET.epoch)

SECONDS = 2.0  # the hard limit for one mail; the slowest took 0.05 s where this was written
MEBIBYTES = 64


@pytest.fixture(scope="module")
def corpus() -> list[HostileMail]:
    return list(hostile_mails(seed=20261116))


def reason_against(read: Letter | Unreadable) -> str | None:
    """Why this mail moves nothing; None if it would."""
    if isinstance(read, Unreadable):
        return f"unreadable: {read.reason}"
    if read.automatic:
        return f"automatic: {read.automatic}"
    if read.sender != TARGET.sender:
        return "not the player's address"
    if read.authentic is Authenticity.FAIL:
        return "not authentic"
    if read.ticket != DUE:
        return "no ticket for this turn"
    return None if TARGET.orders in read.words else "no orders of his own"


def test_the_mail_that_the_traps_are_made_from_would_be_obeyed() -> None:
    read = read_letter(sound(random.Random(1), TARGET).raw(), post=POST)
    assert reason_against(read) is None
    assert isinstance(read, Letter)
    assert read.authentic is Authenticity.PASS


def test_there_are_a_thousand_of_them_and_each_trap_has_a_name(corpus: list[HostileMail]) -> None:
    assert len(corpus) >= 1_000
    threats = {trap.partition(" ")[0] for trap in TRAPS}
    assert {"0.3", "0.4", "T3", "T4", "T5", "T6", "T10", "T11", "T12", "T13", "T15", "T16", "T17", "T20"} <= threats


def test_the_same_seed_gives_the_same_mails(corpus: list[HostileMail]) -> None:
    assert corpus == list(hostile_mails(seed=20261116))
    assert corpus != list(hostile_mails(seed=1))


def test_none_is_obeyed_and_each_has_a_reason(corpus: list[HostileMail]) -> None:
    obeyed = {mail.trap for mail in corpus if reason_against(read_letter(mail.raw, post=POST)) is None}
    assert not obeyed


def test_every_reason_to_put_a_mail_aside_is_met(corpus: list[HostileMail]) -> None:
    reads = [read_letter(mail.raw, post=POST) for mail in corpus]
    assert {read.reason for read in reads if isinstance(read, Unreadable)} == set(REASONS)


def test_every_kind_of_robot_is_met(corpus: list[HostileMail]) -> None:
    reads = [read_letter(mail.raw, post=POST) for mail in corpus]
    robots = {read.automatic for read in reads if isinstance(read, Letter)}
    assert robots == {None, "own-mail", "bounce", "receipt", "auto-reply", "list", "bulk"}


def test_a_subject_is_always_one_line_without_control_signs(corpus: list[HostileMail]) -> None:
    for mail in corpus:
        read = read_letter(mail.raw, post=POST)
        if isinstance(read, Letter):
            assert not [sign for sign in read.subject if ord(sign) < 32 or sign in "\x7f\x85\u2028\u2029"], mail.trap
            assert len(read.subject) <= 998


def test_none_keeps_the_reader_busy(corpus: list[HostileMail]) -> None:
    slow = {}
    for mail in corpus:
        started = time.process_time()
        read_letter(mail.raw, post=POST)
        took = time.process_time() - started
        if took > SECONDS:
            slow[mail.trap] = took
    assert not slow


@pytest.mark.parametrize("trap", list(TRAPS))
def test_none_fills_the_memory(trap: str) -> None:
    raw = TRAPS[trap](random.Random(7), TARGET)
    tracemalloc.start()
    try:
        read_letter(raw, post=POST)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MEBIBYTES * 2**20
