"""What an operator is told when something is wrong with his post: one line, which file it is, and what to do."""

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from shlex import quote
from typing import Any

import pytest

from pbem.mail.transport.folder import FolderMailer
from pbem.mail.transport.protocols import Rejected, SendResult, Sent
from pbem.service.lock import SERVING, take_lock
from pbem.settings.load import read_settings
from pbem.settings.sections import Settings
from pbem.store import sqlite_copy
from pbem.store.store import Store
from tests.post.post_games import make_friends

Pbem = Callable[..., Any]

SEATS = [
    word for friend in make_friends(2).values() for word in ("--seat", f"{friend.seat}={friend.name}:{friend.address}")
]
LETTER = b"From: anna@players.test\n\nhelp\n"


@pytest.fixture
def config(pbem: Pbem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A post that was founded, whose settings the commands find by themselves."""
    assert pbem("init", tmp_path / "post", "--address", "caravan@post.test").exit_code == 0
    path = tmp_path / "post" / "post.toml"
    monkeypatch.setenv("PBEM_CONFIG", str(path))
    return path


def change(config: Path, was: str, becomes: str) -> Settings:
    """Write something else into the settings."""
    text = config.read_text("utf-8")
    assert was in text
    config.write_text(text.replace(was, becomes, 1), "utf-8")
    settings = read_settings(config)
    assert isinstance(settings, Settings)
    return settings


def run(*words: str, given: bytes = b"", redirected: str = "") -> subprocess.CompletedProcess[bytes]:
    """`pbem` as a process of its own."""
    line = [sys.executable, "-m", "pbem", *words]
    called = ["/bin/sh", "-c", f'"$@" {redirected}', "sh", *line] if redirected else line
    return subprocess.run(called, input=given, capture_output=True, check=False, timeout=60)


@pytest.mark.parametrize("command", [["status"], ["tick"], ["send"], ["backup", "copy.db"], ["quarantine"]])
def test_an_empty_database_is_a_lost_one(pbem: Pbem, config: Path, command: list[str]) -> None:
    (config.parent / "post.db").write_bytes(b"")
    answer = pbem(*command)
    assert answer.exit_code == 1
    assert answer.stderr.count("\n") == 1
    assert "is empty" in answer.stderr
    assert pbem("doctor").exit_code == 1
    assert (config.parent / "post.db").read_bytes() == b""


@pytest.mark.parametrize("name", ["what?", "with%20blank", "my post"])
def test_a_post_may_live_in_a_folder_of_any_name(pbem: Pbem, tmp_path: Path, name: str) -> None:
    made = pbem("init", tmp_path / name, "--address", "caravan@post.test")
    assert made.exit_code == 0
    assert f"pbem doctor --config {quote(str(tmp_path / name / 'post.toml'))}\n" in made.stdout
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert pbem("status", "--config", tmp_path / name).exit_code == 0


@pytest.mark.parametrize("address", ["nobody", "\udcff@x.net"])
def test_an_address_that_is_none_is_told_with_one_that_is(pbem: Pbem, tmp_path: Path, address: str) -> None:
    answer = pbem("init", tmp_path / "post", "--address", address)
    assert answer.exit_code == 2
    assert "write one such as caravan@example.org" in answer.stderr
    assert not (tmp_path / "post").exists()


def test_settings_that_the_environment_names_wrongly_are_told_so(
    pbem: Pbem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path / "other" / "post.toml"
    monkeypatch.setenv("PBEM_CONFIG", str(missing))
    answer = pbem("status")
    assert answer.exit_code == 2
    assert answer.stderr.startswith(f"pbem: {missing}: no such file; ")
    assert answer.stderr.endswith("the variable PBEM_CONFIG names this one\n")
    assert "PBEM_CONFIG" not in pbem("status", "--config", missing).stderr


def test_a_second_service_is_a_mistake_and_an_errand_that_lasts_is_none(config: Path) -> None:
    settings = change(config, 'patience = "10s"', 'patience = "1s"')
    with take_lock(settings, SERVING):
        served = run("serve")
        ticked = json.loads(run("tick", "--json").stdout)
    with take_lock(settings, "deliver"):
        waited = run("serve")
    assert (served.returncode, waited.returncode) == (2, 1)
    assert b"one is enough" in served.stderr
    assert f"process {os.getpid()} (`pbem deliver`)".encode() in waited.stderr
    assert ticked["left_to"] == f"the post is being served by process {os.getpid()}"


def test_a_lock_that_cannot_be_had_is_told_in_one_line(config: Path) -> None:
    (config.parent / "post.db.lock").mkdir()
    for command in ("serve", "tick", "send"):
        answer = run(command)
        assert answer.returncode == 1
        assert answer.stderr.count(b"\n") == 1
        assert str(config.parent / "post.db.lock").encode() in answer.stderr


def test_a_server_that_does_not_answer_is_named_and_said_to_be_why_mails_wait(pbem: Pbem, config: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as one:
        port = one.getsockname()[1]
    head, _, rest = config.read_text("utf-8").partition("[out]\n")
    out = f'[out]\nkind = "smtp"\nhost = "127.0.0.1"\nport = {port}\nsecurity = "none"\n'
    config.write_text(f"{head}{out}[time]\n{rest.partition('[time]')[2]}", "utf-8")
    pbem("new", "through-the-desert", *SEATS)
    assert "wait because" not in pbem("status").stdout
    sent = pbem("send")
    assert (sent.exit_code, sent.stdout) == (1, "0 sent, 2 later, 0 failed\n")
    assert sent.stderr.startswith(f"pbem: 127.0.0.1:{port}: the connection was refused; is the server running")
    assert f"mails wait, because of: 127.0.0.1:{port}: " in pbem("status").stdout
    assert json.loads(pbem("status", "--json").stdout)["health"]["last_error"].startswith(f"127.0.0.1:{port}")


def test_a_mail_that_failed_for_good_is_named_and_is_no_success(
    pbem: Pbem, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_self: FolderMailer, _raw: bytes, recipient: str) -> SendResult:
        return Rejected("550 nobody") if recipient.startswith("anna") else Sent()

    monkeypatch.setattr(FolderMailer, "deliver", refuse)
    pbem("new", "through-the-desert", *SEATS)
    sent = pbem("send")
    assert (sent.exit_code, sent.stdout.splitlines()[-1]) == (1, "1 sent, 0 later, 1 failed")
    assert sent.stderr == "pbem: mail 1: failed for good and will not be sent again; check the address\n"
    assert pbem("send").exit_code == 0, "it was told"


def test_a_journal_that_cannot_be_kept_stops_the_service_and_no_letter(pbem: Pbem, config: Path) -> None:
    change(config, '\nfile = ""', '\nfile = "gone/post.log"')
    served = run("serve")
    assert (served.returncode, served.stderr.count(b"\n")) == (1, 1)
    assert f"{config.parent / 'gone'} is not there".encode() in served.stderr
    taken = run("deliver", "--now", given=LETTER)
    assert taken.returncode == 0
    assert b"Traceback" not in taken.stderr
    assert "1 received" in pbem("status").stdout
    assert "WRONG journal" in pbem("doctor").stdout


def test_a_pipe_that_is_closed_brings_no_letter(pbem: Pbem, config: Path) -> None:
    taken = run("deliver", redirected="<&-")
    assert (taken.returncode, taken.stderr.count(b"\n")) == (75, 1)
    assert "0 received" in pbem("status").stdout


def test_a_copy_that_cannot_be_made_can_be_tried_again(
    pbem: Pbem, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(place: Path) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(sqlite_copy, "_flush", fail)
        failed = pbem("backup", tmp_path / "copy.db")
    assert (failed.exit_code, failed.stderr.count("\n")) == (1, 1)
    assert not [*tmp_path.glob("copy*")]
    assert pbem("backup", tmp_path / "copy.db").exit_code == 0


def test_nobody_plays_or_watches_at_the_address_of_the_post(pbem: Pbem, config: Path) -> None:
    for address in ("caravan@post.test", "Caravan+x@post.test"):
        answer = pbem("new", "through-the-desert", *SEATS[:2], "--seat", f"blue=Boris:{address}")
        assert answer.exit_code == 2
        assert "is an address of the post itself" in answer.stderr
    pbem("new", "through-the-desert", *SEATS, "--id", "bora-2")
    watching = pbem("observe", "bora-2", "--add", "Dov:caravan@post.test")
    assert watching.exit_code == 2
    assert "nobody watches" in pbem("observe", "bora-2").stdout


def test_a_table_of_one_is_refused_without_talk_of_turns(pbem: Pbem, config: Path) -> None:
    answer = pbem("new", "through-the-desert", *SEATS[:2])
    assert answer.stderr == "pbem: TD-P1 two to five can play, not 1; `pbem rule TD-P1` prints the rule\n"


def test_time_is_by_turn_or_by_bank(pbem: Pbem, config: Path) -> None:
    both = pbem("new", "through-the-desert", *SEATS, "--bank", "9d", "--per-turn", "3d")
    assert both.exit_code == 2
    assert "say --bank or --per-turn" in both.stderr


def test_a_letter_that_was_cut_is_not_told_as_what_came(pbem: Pbem, config: Path) -> None:
    assert run("deliver", given=LETTER + b"x" * 400_000).returncode == 0
    assert "too-large" in pbem("tick").stdout
    assert "the first 262,145 bytes of a larger letter" in pbem("quarantine").stdout
    assert json.loads(pbem("quarantine", "--json").stdout)["results"][0]["cut"] is True


def test_a_letter_beyond_the_limit_of_the_settings_is_not_read_as_far_as_it_was_kept(pbem: Pbem, config: Path) -> None:
    change(config, "largest_letter = 262144", "largest_letter = 16384")
    assert run("deliver", given=LETTER + b"> what you wrote\n" * 2_000 + b"\nno, wait\n").returncode == 0
    assert "quarantined, too-large" in pbem("tick").stdout


@pytest.mark.parametrize("number", ["99999999999999999999", "-99999999999999999999", "0", "-1"])
@pytest.mark.parametrize("action", ["show", "redrive"])
def test_a_number_that_no_letter_can_have(pbem: Pbem, config: Path, action: str, number: str) -> None:
    answer = pbem("quarantine", action, "--", number)
    assert (answer.exit_code, answer.stderr.count("\n")) == (1, 1)
    assert "there is no letter" in answer.stderr


def test_a_database_that_cannot_be_opened_is_told_with_what_helps(pbem: Pbem, config: Path) -> None:
    (config.parent / "post.db").write_bytes(b"no database at all\n" * 100)
    answer = pbem("status")
    assert (answer.exit_code, answer.stderr.count("\n")) == (1, 1)
    assert answer.stderr.endswith("it is damaged, or something else is in its place; put a backup there\n")


def test_a_database_whose_log_cannot_be_kept_is_told_with_what_helps(pbem: Pbem, config: Path) -> None:
    (config.parent / "post.db-wal").mkdir()
    answer = pbem("status")
    assert (answer.exit_code, answer.stderr.count("\n")) == (1, 1)
    assert "its folder must be on a disk that can be written and has room" in answer.stderr


@pytest.mark.parametrize("name", ["nowhere", "folder", "junk"])
@pytest.mark.parametrize(
    "command", [["verify", "record.turns", "--log"], ["verify", "record.turns", "--statement"], ["beacon", "take"]]
)
def test_a_file_that_cannot_be_read_is_told_in_words_and_not_in_numbers(
    pbem: Pbem, config: Path, tmp_path: Path, command: list[str], name: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "junk").write_bytes(b"\xff\xfe\x00")
    words = [word.replace("record.turns", str(tmp_path / "record.turns")) for word in command]
    (tmp_path / "record.turns").write_text(pbem("sample", "shy-well", "--seed", "1").stdout, "utf-8")
    answer = pbem(*words, tmp_path / name)
    assert answer.exit_code == 2
    told = {"nowhere": "no such file", "folder": "is a folder; name a file", "junk": "not a text file"}[name]
    assert f"pbem: {tmp_path / name}: {told}" in answer.stderr
    assert "Errno" not in answer.stderr


@pytest.mark.parametrize(
    "command", [["record", "\udcff"], ["observe", "\udcff"], ["case", "show", "\udcff"], ["case", "pause", "\udcff"]]
)
def test_a_table_whose_name_is_no_text_is_none(pbem: Pbem, config: Path, command: list[str]) -> None:
    more = ["--reason", "rest"] if "pause" in command else []
    answer = pbem(*command, *more)
    assert (answer.exit_code, answer.stderr.count("\n")) == (2, 1)
    assert "there is no table" in answer.stderr


def test_a_table_cannot_be_called_what_is_no_text(pbem: Pbem, config: Path) -> None:
    answer = pbem("new", "through-the-desert", *SEATS, "--id", "\udcff")
    assert (answer.exit_code, answer.stderr.count("\n")) == (2, 1)
    assert "a table cannot be called" in answer.stderr


def test_new_tells_of_one_person_in_two_seats_and_of_a_referee_who_plays(
    pbem: Pbem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pbem("init", tmp_path, "--address", "caravan@post.test", "--referee", "ref@post.test").exit_code == 0
    monkeypatch.setenv("PBEM_CONFIG", str(tmp_path / "post.toml"))
    two = ["--seat", "red=Anna:Anna@players.test", "--seat", "blue=A:anna@Players.test"]
    three = [*two, "--seat", "green=Rosa:Ref@post.test"]
    known = [
        "anna@players.test holds 2 seats: red, blue",
        "ref@post.test is the referee of this post, and plays as green",
    ]
    answer = pbem("new", "through-the-desert", *three)
    assert answer.exit_code == 0
    assert [line for line in answer.stdout.splitlines() if "note: " in line] == [f"  note: {each}" for each in known]
    assert json.loads(pbem("new", "through-the-desert", *three, "--json").stdout)["results"][0]["notes"] == known
    assert "note: " not in pbem("new", "through-the-desert", *SEATS).stdout


def test_taking_a_record_in_tells_of_one_person_in_two_seats(
    pbem: Pbem, tmp_path: Path, config: Path, root: Path
) -> None:
    seats = [word for seat in ("red", "blue", "green") for word in ("--seat", f"{seat}=Anna:{seat[0]}nna@x.test")]
    seats[3] = "blue=Anna:RNNA@x.test"
    answer = pbem("record", "--import", root / "examples/sirocco.turns", *seats)
    assert "  note: rnna@x.test holds 2 seats: red, blue" in answer.stdout, answer.output


def read_where_nothing_can_be_written(pbem: Pbem, folder: Path) -> Any:
    """What `pbem status` says of a post in a folder that it may only read."""
    nobody = 65_534 if os.geteuid() == 0 else os.geteuid()
    for path in (*folder.iterdir(), folder, folder.parent):
        os.chown(path, nobody, -1)
        path.chmod(0o555 if path.is_dir() else 0o400)
    before = os.geteuid()
    os.seteuid(nobody)
    try:
        return pbem("status")
    finally:
        os.seteuid(before)
        for path in (folder.parent, folder):
            path.chmod(0o700)


@pytest.fixture
def scratch(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a post that others may look into, unlike what pytest makes."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "post"
        assert pbem("init", folder, "--address", "caravan@post.test").exit_code == 0
        monkeypatch.setenv("PBEM_CONFIG", str(folder / "post.toml"))
        assert pbem("new", "through-the-desert", *SEATS).exit_code == 0
        yield folder


def test_status_reads_a_post_on_a_disk_that_cannot_be_written(pbem: Pbem, scratch: Path) -> None:
    written = pbem("status").stdout
    answer = read_where_nothing_can_be_written(pbem, scratch)
    assert answer.exit_code == 0, answer.output
    lines = answer.stdout.splitlines(keepends=True)
    assert len([line for line in lines if "cannot be written here" in line]) == 1
    assert "".join(line for line in lines if "cannot be written here" not in line) == written


def test_status_says_when_a_log_must_be_put_into_a_database_that_cannot_be_written(pbem: Pbem, scratch: Path) -> None:
    database = scratch / "post.db"
    with closing(Store.open(f"sqlite:///{database}")) as store:
        store.receive(b"hello", intake="test")
        left = {path: path.read_bytes() for path in (database, scratch / "post.db-wal")}
    for path, content in left.items():  # as a process that was killed leaves them
        path.write_bytes(content)
    answer = read_where_nothing_can_be_written(pbem, scratch)
    assert answer.exit_code == 1, answer.output
    assert answer.stderr.count("\n") == 1
    assert "copy the folder to a disk that can be written" in answer.stderr
