"""A running game in one line: it leads back to the same position, holds no secret, and no line can do harm."""

import time
import zlib
from base64 import urlsafe_b64encode
from hashlib import blake2b

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.digest import digest
from notation import Record, write_record
from pbem.cli.sample import make
from pbem.exchange.resume_line import LONGEST, read_resume, write_resume
from pbem.judging.open_record import open_record
from pbem.judging.record_replay import replay_record
from tests.known_games import known_game

KEYS = ("through-the-desert", "nomadi", "brotherhood-base", "brotherhood")
GAMES = {key: make(known_game(key), 3, "resume") for key in KEYS}


def cut(record: Record, entries: int) -> Record:
    headers = tuple((name, "*" if name == "Result" else value) for name, value in record.headers)
    return Record(headers, record.entries[:entries])


@pytest.mark.parametrize("key", KEYS)
def test_a_line_leads_back_to_the_same_position(key: str) -> None:
    record = GAMES[key]
    lines = 0
    for entries in range(0, len(record.entries) - 1, 9):
        running = cut(record, entries)
        line = write_resume(running)
        if not isinstance(line, str):
            assert "hidden" in line.problem
            continue
        lines += 1
        assert len(line) < 800
        assert not set(line) - set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
        back = read_resume(line).record
        assert back is not None
        one, other = replay_record(open_record(running).record), replay_record(back)
        assert other.refusal is None
        assert digest(one.table, one.position) == digest(other.table, other.position)
        assert back.seats == running.seats
        assert write_resume(back) == line
    assert lines > 1


@pytest.mark.parametrize("key", KEYS)
def test_a_line_holds_no_more_than_everybody_knows(key: str) -> None:
    record = cut(GAMES[key], 60)
    public = open_record(record).record
    one, other = write_resume(record), write_resume(public)
    assert one == other or not (isinstance(one, str) or isinstance(other, str))
    if key == "nomadi":
        assert public != record
        assert isinstance(write_resume(record), str)


def test_names_and_remarks_stay_behind() -> None:
    record = cut(GAMES["through-the-desert"], 30)
    other = Record((*record.headers, ("Event", "secret"), ("Id", "else")), record.entries)
    assert write_resume(other) == write_resume(record)


@pytest.mark.parametrize(("entries", "said"), [(None, "the game is over"), (5, "breaks a rule")])
def test_what_has_no_line_is_said(entries: int | None, said: str) -> None:
    record = GAMES["through-the-desert"]
    if entries is not None:
        record = Record(cut(record, 9).headers, (*record.entries[:entries], *record.entries[entries + 1 :]))
    made = write_resume(record)
    assert not isinstance(made, str)
    assert said in made.problem


LINE = str(write_resume(cut(GAMES["nomadi"], 40)))


def test_blanks_and_line_ends_do_not_matter() -> None:
    folded = "\r\n ".join(LINE[at : at + 60] for at in range(0, len(LINE), 60))
    assert read_resume(f"  {folded}\n").record == read_resume(LINE).record


@given(st.integers(0, len(LINE) - 1), st.characters(codec="ascii", categories=["L", "N", "P"]))
@settings(max_examples=150, deadline=None)
def test_any_slip_is_found(at: int, letter: str) -> None:
    changed = LINE[:at] + letter + LINE[at + 1 :]
    read = read_resume(changed)
    assert read.record is None or read.record == read_resume(LINE).record
    assert read_resume(LINE[:at]).record is None


def sealed(body: bytes, key: str = "through-the-desert") -> str:
    """A line with a true check around anything."""
    check = blake2b(f"{key} 1 ".encode() + body, digest_size=4).digest()
    return f"CP1.{key}.1." + urlsafe_b64encode(check + b"\0\0\0\0" + body).decode().rstrip("=")


def packed(text: str) -> bytes:
    data = zlib.compress(text.encode(), 9, -15)
    return len(data).to_bytes(2, "big") + data


@pytest.mark.parametrize(
    "line",
    [
        "",
        "CP1.",
        "CP1.no-such-game.1.AAAA",
        "CP1.nomadi.99.AAAA",
        "CP1.nomadi.1.A",
        "CP2.nomadi.1.AAAA",
        "CP1.nomadi.1." + "A" * LONGEST,
        "CP1.nomadi.1.\u2028../../etc",
        sealed(b""),
        sealed(b"\xff\xff"),
        sealed(packed("red blue") + packed("") + b"\xff\xff" + b"\xff" * 2000),
        sealed(packed("red blue\nProof=2\nSeat.x=y") + packed("") + b"\0\0"),
        sealed(packed("red red\nOases=A1") + packed("") + b"\0\1\1"),
        sealed(packed(" ".join(["red"] * 20_000)) + packed("") + b"\0\0"),
        sealed(packed("x" * 10_000_000) + packed("") + b"\0\0"),
        sealed(b"\0\4\xff\xff\xff\xff" + packed("") + b"\0\0"),
        sealed(packed("blue yellow\nCards=B9 E4 F6 G17 J12 N3") + packed('blue offer "\x07{}"') + b"\0\5\0", "nomadi"),
    ],
)
def test_hostile_lines_are_refused_politely_and_soon(line: str) -> None:
    began = time.process_time()
    read = read_resume(line)
    assert read.record is None
    assert read.problem
    assert time.process_time() - began < 2


@given(st.binary(max_size=80))
@settings(max_examples=200, deadline=None)
def test_no_bytes_at_all_make_a_traceback(body: bytes) -> None:
    for whole in (body, packed("blue yellow\nCards=B9 E4 F6 G17 J12 N3") + body):
        read = read_resume(sealed(whole, "nomadi"))
        assert read.problem or write_record(read.record or Record())
