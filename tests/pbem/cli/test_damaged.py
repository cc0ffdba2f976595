"""A database that somebody has touched: every command says so in one line, keeps what comes, and changes nothing."""

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.events.chain import ORIGIN
from pbem.service.post_folder import open_post
from pbem.settings.load import read_settings
from pbem.settings.sections import Settings
from pbem.workflow.context import PostContext
from pbem.workflow.handle_letter import handle_arrived_letters
from pbem.workflow.tick import tick
from tests.old_tickets import format_old_address
from tests.post.post_games import Hours
from tests.second_verifier.second_chain import event_hash

Pbem = Callable[..., Any]

TABLE, SOUND = "sirocco-7", "bora-3"
SEATS = ("red=Anna:anna@players.test", "blue=Boris:boris@players.test", "green=Chiara:chiara@players.test")


@pytest.fixture
def post(pbem: Pbem, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A post with a game in its thirty-first turn, a case about it, and another game beside it."""
    assert pbem("init", tmp_path / "post", "--address", "caravan@post.test").exit_code == 0
    monkeypatch.setenv("PBEM_CONFIG", str(tmp_path / "post/post.toml"))
    record = root / "examples/sirocco.turns"
    seats = [word for seat in SEATS for word in ("--seat", seat)]
    for table in (TABLE, SOUND):
        assert pbem("record", table, "--import", record, *seats).exit_code == 0
    assert pbem("case", "open", TABLE, "--turn", "30", "--reason", "why").exit_code == 0
    return tmp_path / "post/post.toml"


def change(post: Path, statement: str) -> None:
    """Do something to the game in the database that nobody should."""
    with closing(sqlite3.connect(post.parent / "post.db")) as hand:
        hand.execute(statement, {"table": TABLE} if ":table" in statement else {})
        hand.commit()


def rechain(post: Path, seq: int, otherwise: dict[str, Any]) -> None:
    """Write other data into an event, and make every hash anew: the chain holds, the game does not."""
    with closing(sqlite3.connect(post.parent / "post.db")) as hand:
        head = ORIGIN
        rows = hand.execute("SELECT seq, kind, data, at FROM event WHERE game = ? ORDER BY seq", (TABLE,)).fetchall()
        for number, kind, written, at in rows:
            data = json.loads(written) | (otherwise if number == seq else {})
            event = SimpleNamespace(at=at, data=data, kind=kind, seq=number, seals=(), withheld=None)
            digest = event_hash(bytes.fromhex(head), TABLE, event).hex()
            hand.execute(
                "UPDATE event SET data = ?, prev = ?, hash = ? WHERE game = ? AND seq = ?",
                (json.dumps(data, sort_keys=True, separators=(",", ":")), head, digest, TABLE, number),
            )
            head = digest
        hand.execute("UPDATE game SET head_hash = ? WHERE id = ?", (head, TABLE))
        hand.commit()


DAMAGES: dict[str, Callable[[Path], None]] = {
    name: partial(change, statement=statement)
    for name, statement in {
        "a kind that is none": "UPDATE event SET kind = 'x' WHERE game = :table AND seq = 9",
        "another move": "UPDATE event SET data = replace(data, 'mint', 'lilac') WHERE game = :table",
        "no JSON": "UPDATE event SET data = '{' WHERE game = :table AND seq = 9",
        "JSON that is no object": "UPDATE event SET data = '7' WHERE game = :table AND seq = 1",
        "a hash that is none": "UPDATE event SET prev = 'zz' WHERE game = :table AND seq = 9",
        "an event left out": "DELETE FROM event WHERE game = :table AND seq = 9",
        "an end cut off": "DELETE FROM event WHERE game = :table AND seq > 20",
        "no event at all": "DELETE FROM event WHERE game = :table",
    }.items()
}
CHAINED: dict[str, dict[str, Any]] = {
    "a number for moves": {"phrase": 7},
    "moves that are none": {"phrase": "\x1b[31mnonsense"},
}
"""What stands in a chain that holds."""


@pytest.fixture(params=[*DAMAGES, *CHAINED])
def damaged(post: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    if request.param in CHAINED:
        rechain(post, 12, CHAINED[request.param])
    else:
        DAMAGES[request.param](post)
    before = dump(post)
    yield post
    assert dump(post) == before, "the game stands still"


def dump(post: Path) -> list[Any]:
    """All that is known of the game."""
    with closing(sqlite3.connect(post.parent / "post.db")) as hand:
        events = hand.execute("SELECT * FROM event WHERE game = ? ORDER BY seq", (TABLE,)).fetchall()
        return [*events, *hand.execute("SELECT * FROM game WHERE id = ?", (TABLE,)).fetchall()]


REFUSED = [
    ["case", "show", TABLE, "1"],
    ["case", "show", TABLE, "--turn", "12", "--json"],
    ["case", "list"],
    ["case", "list", TABLE],
    ["case", "open", TABLE, "--turn", "12", "--reason", "so"],
    ["case", "rule", TABLE, "1", "dismiss", "--reason", "so"],
    ["case", "warrant", TABLE, "1", "--as", "red", "--reason", "so"],
    ["case", "close", TABLE, "1"],
    ["case", "bundle", TABLE, "1", "-o", "case.zip"],
    ["record", TABLE],
    ["record", TABLE, "--secrets"],
    ["record", TABLE, "--bare"],
]


def test_every_command_says_in_one_line_what_is_wrong_and_what_to_do(
    pbem: Pbem, damaged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in REFUSED:
        answer = pbem(*words)
        assert answer.exit_code == 1, (words, answer.output)
        assert isinstance(answer.exception, SystemExit), words
        told = [line for line in answer.stderr.splitlines() if "the history of this game is damaged" in line]
        assert len(told) == 1, words
        assert TABLE in told[0]
        assert all(way in told[0] for way in ("`pbem doctor`", "backup", "`pbem record NEW-ID --import FILE`")), words
        assert "\x1b" not in answer.output, words
    assert not (tmp_path / "case.zip").exists()
    told = [each for each in json.loads(pbem("doctor", "--json").stdout)["results"] if each["about"] == "database"]
    assert any(each["state"] == "bad" and TABLE in each["told"] for each in told)


def test_the_other_games_are_told_as_ever(pbem: Pbem, post: Path) -> None:
    DAMAGES["no JSON"](post)
    answer = pbem("status")
    assert f"{SOUND}: turn 31, waits for" in answer.stdout
    assert pbem("record", SOUND).exit_code == 0
    assert pbem("case", "open", SOUND, "--turn", "30", "--reason", "so").exit_code == 0
    assert f"{SOUND} case 1, open" in pbem("case", "list").stdout


def deliver(post: Path, letter: bytes, *words: str) -> "subprocess.CompletedProcess[bytes]":
    line = [sys.executable, "-m", "pbem", "deliver", "--config", str(post), *words]
    return subprocess.run(line, input=letter, check=False, capture_output=True)


def settings_of(post: Path) -> Settings:
    found = read_settings(post)
    assert isinstance(found, Settings)
    return found


def letter_to(post: Path, table: str) -> bytes:
    """Red's letter for the turn that is due."""
    with open_post(settings_of(post)) as context:
        key, address = context.identity.ticket_key, context.identity.address
        to = format_old_address(key, address, game=table, seat="red", turn=31, epoch=0)
    head = f"From: anna@players.test\r\nTo: {to}\r\nMessage-ID: <{table}@players.test>\r\nSubject: Re\r\n"
    return f"{head}\r\nstatus\r\n".encode()


def test_a_letter_for_the_game_is_kept_and_put_aside_and_others_are_answered(pbem: Pbem, post: Path) -> None:
    DAMAGES["another move"](post)
    for table in (TABLE, SOUND):
        done = deliver(post, letter_to(post, table), "--now")
        assert done.returncode == 0
        assert b"Traceback" not in done.stderr
    health = json.loads(pbem("status", "--json").stdout)["health"]
    assert (health["quarantined"], health["applied"], health["unread"], health["difference"]) == (1, 1, 0, 0)
    (kept,) = json.loads(pbem("quarantine", "--json").stdout)["results"]
    assert kept["reason"] == "broken-history"


@pytest.mark.parametrize("damage", DAMAGES)
def test_status_tells_of_it_once_the_post_has_met_it(pbem: Pbem, post: Path, damage: str) -> None:
    DAMAGES[damage](post)
    assert deliver(post, letter_to(post, TABLE), "--now").returncode == 0
    for words in (["status"], ["status", "--json"]):
        answer = pbem(*words)
        assert answer.exit_code == 1, answer.output
        told = [line for line in answer.stderr.splitlines() if "the history of this game is damaged" in line]
        assert len(told) == 1
        assert TABLE in told[0]
    assert f"{SOUND}: turn 31, waits for" in pbem("status").stdout


def test_once_the_game_is_mended_the_letter_is_handled(pbem: Pbem, post: Path) -> None:
    change(post, "UPDATE event SET kind = 'x' WHERE game = :table AND kind = 'paused'")
    assert deliver(post, letter_to(post, TABLE), "--now").returncode == 0
    change(post, "UPDATE event SET kind = 'paused' WHERE game = :table AND kind = 'x'")
    (kept,) = json.loads(pbem("quarantine", "--json").stdout)["results"]
    assert pbem("quarantine", "redrive", str(kept["letter"])).exit_code == 0
    assert pbem("tick").exit_code == 0
    assert json.loads(pbem("status", "--json").stdout)["health"]["applied"] == 1


def test_a_round_of_the_clerk_tells_of_it_and_sees_to_the_others(pbem: Pbem, post: Path) -> None:
    assert pbem("case", "close", TABLE, "1").exit_code == 0
    DAMAGES["a kind that is none"](post)
    change(post, "UPDATE clock SET due_at = '2026-01-01T00:00:00+00:00'")
    answer = pbem("tick")
    assert answer.exit_code == 1
    assert f"broken history: {TABLE}" in answer.stdout
    assert "`pbem doctor`" in answer.stderr
    assert "Traceback" not in answer.output


def test_its_players_are_told_once_that_the_game_is_held(post: Path) -> None:
    def held(context: PostContext) -> list[tuple[str, bytes]]:
        with context.store.reading() as at_desk:
            mails = [mail for number in range(1, 200) if (mail := at_desk.find_mail(number)) is not None]
        return [(mail.recipient, mail.raw) for mail in mails if b"is on hold\r\n" in mail.raw]

    DAMAGES["another move"](post)
    change(post, "UPDATE clock SET due_at = '2026-01-01T00:00:00+00:00'")
    with open_post(settings_of(post)) as context:
        tick(context)
        tick(context)
        assert sorted(to for to, _ in held(context)) == [f"{name}@players.test" for name in ("anna", "boris", "chiara")]
        assert all(f"[{TABLE}]".encode() in raw and b"auto-generated" in raw for _, raw in held(context))
        context.store.receive(letter_to(post, TABLE), intake="test")
        assert [outcome.reason for outcome in handle_arrived_letters(context)] == ["broken-history"]
        assert len(held(context)) == 3
        with context.store.reading() as at_desk:
            last = at_desk.last_mails_to_seats()[0]
    assert b"We could not handle" in last.raw, "who writes later hears that the letter is kept"
    assert b"We keep it, and can read it when the game goes on" in last.raw


def test_who_writes_first_to_a_damaged_game_learns_it_with_the_others(post: Path) -> None:
    DAMAGES["no JSON"](post)
    letter = letter_to(post, TABLE)
    with open_post(settings_of(post)) as context:
        context.store.receive(letter, intake="test")
        assert [outcome.reason for outcome in handle_arrived_letters(context)] == ["broken-history"]
        with context.store.reading() as at_desk:
            mails = [mail for number in range(1, 200) if (mail := at_desk.find_mail(number)) is not None]
        assert sum(b"is on hold" in mail.raw for mail in mails) == 3


def test_an_open_post_puts_the_letter_aside_and_goes_on(pbem: Pbem, post: Path) -> None:
    DAMAGES["another move"](post)
    letters = [letter_to(post, table) for table in (TABLE, SOUND)]
    line = [sys.executable, "-m", "pbem", "serve", "--config", str(post)]
    with subprocess.Popen(line, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as served:
        assert [deliver(post, letter).returncode for letter in letters] == [0, 0]
        fates = dict[str, int]()
        for _ in range(300):
            fates = json.loads(pbem("status", "--json").stdout)["health"]
            if fates["applied"]:
                break
            time.sleep(0.1)
        served.terminate()
        said = b"".join(served.communicate(timeout=60))
    assert (fates["applied"], fates["quarantined"], served.returncode) == (1, 1, 0)
    assert b"Traceback" not in said


def test_a_mail_that_failed_is_no_reason_to_stumble(post: Path) -> None:
    change(post, "UPDATE outbox SET state = 'failed'")
    DAMAGES["no JSON"](post)
    with open_post(settings_of(post), Hours().now) as context:
        assert {done.game for done in tick(context) if done.what == "undelivered"} >= {TABLE, SOUND}


def test_a_line_of_the_log_that_cannot_be_read(pbem: Pbem, post: Path) -> None:
    change(post, "UPDATE log SET line = '{' WHERE number = 2")
    answer = pbem("log")
    assert answer.exit_code == 1
    assert "line 2 of the log is damaged" in answer.stderr
