"""The operator's commands, from founding a post to looking after it."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from email import message_from_string
from email.policy import SMTP
from pathlib import Path
from typing import Any

import pytest

from engine.game import CHANCE
from engine.nomadi import GAME as NOMADI
from notation import Record, write_record
from pbem.cli.sample import make
from tests.post.post_games import make_friends

Pbem = Callable[..., Any]

SEATS = [
    word for friend in make_friends(2).values() for word in ("--seat", f"{friend.seat}={friend.name}:{friend.address}")
]


@pytest.fixture
def config(pbem: Pbem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A post that was founded, whose settings the commands find by themselves."""
    answer = pbem("init", tmp_path / "post", "--address", "caravan@post.test", "--referee", "ref@post.test")
    assert answer.exit_code == 0, answer.output
    path = tmp_path / "post" / "post.toml"
    monkeypatch.setenv("PBEM_CONFIG", str(path))
    return path


def data(answer: Any) -> Any:
    """The JSON that a command printed."""
    return json.loads(answer.stdout)


def deliver(config: Path, letter: bytes, *words: str) -> int:
    """`pbem deliver`, as a mail server runs it."""
    line = [sys.executable, "-m", "pbem", "deliver", "--config", str(config), *words]
    return subprocess.run(line, input=letter, check=False, stderr=subprocess.DEVNULL).returncode


def outgoing(config: Path) -> dict[str, list[str]]:
    """The mails that were written, by recipient."""
    found: dict[str, list[str]] = {}
    for path in sorted((config.parent / "outgoing").glob("*.eml")):
        found.setdefault(path.name.split("-")[1], []).append(path.read_bytes().decode())
    return found


def reply_to(mail: str) -> str:
    (address,) = re.findall(r"^Reply-To: (\S+)\r$", mail, re.MULTILINE)
    return str(address)


def test_init_says_what_to_do_next(pbem: Pbem, tmp_path: Path) -> None:
    answer = pbem("init", tmp_path)
    assert answer.exit_code == 0
    assert all(name in answer.stdout for name in ("post.toml", "ticket.key", "post.db", "pbem doctor", "pbem serve"))


def test_init_is_done_once(pbem: Pbem, config: Path) -> None:
    before = config.read_bytes()
    answer = pbem("init", config.parent)
    assert answer.exit_code == 2
    assert "created once" in answer.stderr
    assert config.read_bytes() == before


def test_init_wants_an_address_that_is_one(pbem: Pbem, tmp_path: Path) -> None:
    answer = pbem("init", tmp_path / "post", "--address", "nobody")
    assert answer.exit_code == 2
    assert answer.stderr == "pbem: 'nobody' is not a mail address; write one such as caravan@example.org\n"
    assert not (tmp_path / "post").exists()


@pytest.mark.parametrize("place", ["notes", "notes/post"])
def test_init_wants_a_folder(pbem: Pbem, tmp_path: Path, place: str) -> None:
    (tmp_path / "notes").write_text("mine")
    answer = pbem("init", tmp_path / place)
    assert answer.exit_code == 2
    assert f"{tmp_path / 'notes'} is a file, not a folder; name another" in answer.stderr
    assert (tmp_path / "notes").read_text() == "mine"


def test_the_settings_are_found_by_option_environment_or_folder(
    pbem: Pbem, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pbem("status").exit_code == 0
    monkeypatch.delenv("PBEM_CONFIG")
    monkeypatch.chdir(tmp_path)
    missing = pbem("status")
    assert missing.exit_code == 2
    assert "pbem init" in missing.stderr
    assert pbem("status", "--config", config).exit_code == 0
    monkeypatch.chdir(config.parent)
    assert pbem("status").exit_code == 0


def test_everything_wrong_with_the_settings_is_told_at_once(pbem: Pbem, config: Path) -> None:
    config.write_text('[post]\naddres = "a@b.org"\n[out]\nkind = "pigeon"\n', "utf-8")
    answer = pbem("status")
    assert answer.exit_code == 2
    assert answer.stderr.count("\n") == 2
    assert "did you mean address" in answer.stderr


@pytest.mark.parametrize("command", [["status"], ["tick"], ["send"], ["fetch"], ["quarantine"], ["record", "x"]])
def test_a_database_that_is_gone_is_told_in_one_line(pbem: Pbem, config: Path, command: list[str]) -> None:
    (config.parent / "post.db").unlink()
    answer = pbem(*command)
    assert answer.exit_code == 1
    assert answer.stderr.count("\n") == 1
    assert "is not there" in answer.stderr


def test_a_new_table_and_its_invitations(pbem: Pbem, config: Path) -> None:
    answer = pbem(
        "new", "through-the-desert", *SEATS, "--per-turn", "2d", "--language", "pl", "--zone", "Europe/Warsaw"
    )
    assert answer.exit_code == 0, answer.output
    assert "table sirocco-1: Through the Desert" in answer.stdout
    assert pbem("send").stdout == "2 sent, 0 later, 0 failed\n"
    assert outgoing(config).keys() == {"anna@players.test", "boris@players.test"}
    (game,) = data(pbem("status", "--json"))["results"]
    assert (game["table"], game["stage"], [*game["waits_for"]]) == ("sirocco-1", "inviting", ["red", "blue"])
    assert "waits for red, blue to accept" in pbem("status").stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["no-such-game", *SEATS], "there is no game"),
        (["through-the-desert", "--seat", "red"], "names nobody"),
        (["through-the-desert", *SEATS, "--id", "No Name"], "cannot be called"),
        (["through-the-desert", *SEATS, "--per-turn", "soon"], "not a length of time"),
        (["through-the-desert", *SEATS, "--increment", "1d"], "no bank of time"),
        (["through-the-desert", *SEATS, "--silence", "scream"], "silence"),
        (["through-the-desert", *SEATS, "--default", "pass"], "say --silence play as well"),
        (["through-the-desert", *SEATS, "--silence", "play", "--default", "sleep"], "'sleep' is no move of Through"),
        (["through-the-desert", *SEATS, "--language", "tlh"], "no language"),
        (["through-the-desert", *SEATS, "--option", "Board"], "NAME=VALUE"),
        (["through-the-desert", *SEATS[:2], *SEATS[:2]], "one seat"),
    ],
)
def test_a_table_that_makes_no_sense(pbem: Pbem, config: Path, words: list[str], told: str) -> None:
    answer = pbem("new", *words)
    assert answer.exit_code == 2
    assert told in answer.stderr
    assert pbem("status").stdout.count("none yet") == 1


def test_what_is_played_for_the_silent_is_declared_and_told_to_those_who_are_invited(pbem: Pbem, config: Path) -> None:
    assert pbem("new", "through-the-desert", *SEATS, "--silence", "play", "--default", "Pass.").exit_code == 0
    pbem("send")
    for (mail,) in outgoing(config).values():
        text: Any = message_from_string(mail, policy=SMTP).get_body(("plain",))
        told = re.sub(r"[|\s]+", " ", text.get_content())
        assert "If you are over 12 hours late, we answer for you: pass" in told


def test_a_table_that_the_rules_refuse(pbem: Pbem, config: Path) -> None:
    for words in (SEATS[:2], [*SEATS, "--board", "round"], [*SEATS, "--option", "Weather=fine"]):
        answer = pbem("new", "through-the-desert", *words)
        assert answer.exit_code == 1
        assert re.match(r"pbem: [A-Z]{2}-\w+ ", answer.stderr)


def test_a_game_begins_by_pipe_tick_and_send(pbem: Pbem, config: Path) -> None:
    pbem("new", "through-the-desert", *SEATS, "--id", "bora-2")
    pbem("send")
    for address, mails in outgoing(config).items():
        letter = f"From: {address}\nTo: {reply_to(mails[0])}\nMessage-ID: <1@{address}>\n\naccept\n"
        assert deliver(config, letter.encode(), "--from", address, "--to", reply_to(mails[0])) == 0
    ticked = data(pbem("tick", "--json"))
    assert [letter["fate"] for letter in ticked["results"]] == ["applied", "applied"]
    assert ticked["letters"] == 2
    status = pbem("status").stdout
    assert "2 received = 2 applied" in status
    assert re.search(r"bora-2: turn 1, waits for red until 2\d{3}-", status)
    assert '[Id "bora-2"]' in pbem("record", "bora-2").stdout


def test_a_letter_can_be_handled_as_it_is_delivered(pbem: Pbem, config: Path) -> None:
    pbem("new", "through-the-desert", *SEATS)
    pbem("send")
    address, (mail,) = next(iter(outgoing(config).items()))
    letter = f"From: {address}\nTo: {reply_to(mail)}\n\nhelp\n"
    assert deliver(config, letter.encode(), "--now") == 0
    assert len(outgoing(config)[address]) == 2
    assert "1 received = 1 applied" in pbem("status").stdout


def test_a_letter_that_was_never_in_quarantine_is_not_shown_there(pbem: Pbem, config: Path, tmp_path: Path) -> None:
    pbem("new", "through-the-desert", *SEATS)
    pbem("send")
    address, (mail,) = next(iter(outgoing(config).items()))
    code = reply_to(mail)
    assert deliver(config, f"From: {address}\nTo: {code}\n\nhelp\n".encode(), "--now") == 0
    assert "1 received = 1 applied" in pbem("status").stdout
    for words in ([], ["--json"], ["-o", tmp_path / "letter.eml"]):
        answer = pbem("quarantine", "show", "1", *words)
        assert answer.exit_code == 1
        assert code.partition("@")[0] not in answer.output
    assert not (tmp_path / "letter.eml").exists()


@pytest.mark.parametrize("words", [["--nonsense"], ["--from"], ["extra"]])
def test_a_mail_server_is_asked_to_come_back_whatever_is_wrong(config: Path, words: list[str]) -> None:
    assert deliver(config, b"From: a@b.org\n\nx\n", *words) == 75
    assert deliver(config.parent / "no.toml", b"From: a@b.org\n\nx\n") == 75
    config.write_text("[post", "utf-8")
    assert deliver(config, b"From: a@b.org\n\nx\n") == 75


def test_a_full_disk_or_a_missing_one_is_temporary(config: Path) -> None:
    (config.parent / "post.db").unlink()
    assert deliver(config, b"From: a@b.org\n\nx\n") == 75
    assert not (config.parent / "post.db").exists()


def test_letters_are_fetched_from_a_maildir(pbem: Pbem, config: Path) -> None:
    none = pbem("fetch")
    assert none.exit_code == 2
    assert "no mailbox" in none.stderr
    config.write_text(config.read_text("utf-8") + '\n[in.maildir]\npath = "box"\n', "utf-8")
    broken = pbem("fetch")
    assert broken.exit_code == 1
    assert f"maildir: {config.parent / 'box/new'} is not there; " in broken.stderr
    for name in ("new", "cur", "tmp"):
        (config.parent / "box" / name).mkdir(parents=True)
    (config.parent / "box/new/1").write_bytes(b"From: a@b.org\n\nx\n")
    assert pbem("fetch").stdout == "maildir: 1 letter\n"
    assert data(pbem("fetch", "--json"))["results"] == [{"way": "maildir", "letters": 0, "trouble": None}]


def test_letters_in_quarantine_are_listed_shown_and_tried_again(pbem: Pbem, config: Path, tmp_path: Path) -> None:
    assert "no letter" in pbem("quarantine").stdout
    evil = b"Subject: \x1b[2J\n\nno sender\n"
    assert deliver(config, evil, "--from", "evil@x.test") == 0
    assert "quarantined, no-sender" in pbem("tick").stdout
    listed = pbem("quarantine")
    assert "no-sender" in listed.stdout
    (letter,) = data(pbem("quarantine", "--json"))["results"]
    number = str(letter["letter"])
    shown = pbem("quarantine", "show", number)
    assert "no sender" in shown.stdout
    assert "\x1b" not in shown.stdout + listed.stdout
    pbem("quarantine", "show", number, "-o", tmp_path / "letter.eml")
    assert (tmp_path / "letter.eml").read_bytes() == evil
    assert (tmp_path / "letter.eml").stat().st_mode & 0o077 == 0
    assert "tried anew" in pbem("quarantine", "redrive", number).stdout
    for action in ("redrive", "show"):
        answer = pbem("quarantine", action, number)
        assert (answer.exit_code, answer.stdout) == (1, "")
        assert f"letter {number} is not in quarantine" in answer.stderr
    assert pbem("quarantine", "show", "99").exit_code == 1
    assert pbem("quarantine", "show").exit_code == 2
    assert pbem("quarantine", "list", number).exit_code == 2


def test_a_record_is_taken_in_and_given_back(pbem: Pbem, config: Path, file: Path) -> None:
    assert "turns taken in" in pbem("record", "bora-3", "--import", file).stdout
    answer = pbem("record", "bora-3", "--bare", "-o", config.parent / "out.turns")
    assert answer.exit_code == 0
    was, now = file.read_text("utf-8"), (config.parent / "out.turns").read_text("utf-8")
    assert re.sub(r'\[Id "[^"]*"\]', "", was) == re.sub(r'\[Id "[^"]*"\]', "", now)
    assert pbem("record", "bora-3", "--import", file).exit_code == 1
    assert "bora-3: over" in pbem("status", "--all").stdout
    assert data(pbem("record", "bora-3", "--bare", "--json"))["results"][0]["text"] == now


def test_of_several_games_the_one_to_take_in_is_named(pbem: Pbem, config: Path, archive: Path) -> None:
    unnamed = pbem("record", "bora-3", "--import", archive)
    assert unnamed.exit_code == 2
    assert unnamed.stderr == f"pbem: {archive}: holds several games; say with --game K which one you mean\n"
    assert "bora-3" not in pbem("status", "--all").stdout
    assert pbem("record", "bora-3", "--import", archive, "--game", "2").exit_code == 0
    assert pbem("record", "bora-4", "--import", archive, "--game", "9").exit_code == 2
    lost = pbem("record", "bora-3", "--game", "2")
    assert (lost.exit_code, "--game are for --import" in lost.stderr) == (2, True)


@pytest.mark.parametrize("words", [["--secrets"], ["--as", "red"]])
def test_a_record_with_secrets_is_for_its_owner_alone(pbem: Pbem, config: Path, file: Path, words: list[str]) -> None:
    pbem("record", "bora-3", "--import", file)
    out, link = config.parent / "out.turns", config.parent / "link.turns"
    assert pbem("record", "bora-3", *words, "-o", out).exit_code == 0
    assert out.stat().st_mode & 0o077 == 0
    out.write_text("old", "utf-8")
    out.chmod(0o644)
    link.symlink_to(out)
    with out.open("rb") as reader:
        assert pbem("record", "bora-3", *words, "-o", link).exit_code == 0
        assert reader.read() == b"old"  # not even who has it open already
    assert link.is_symlink()
    assert out.stat().st_mode & 0o077 == 0
    assert out.read_text("utf-8") == pbem("record", "bora-3", *words).stdout
    assert sorted(config.parent.glob(".*turns*")) == []
    assert pbem("record", "bora-3", *words, "-o", "/dev/null").exit_code == 0
    assert not Path("/dev/null").is_file()
    assert pbem("record", "bora-3", *words, "-o", config.parent / "no" / "out.turns").exit_code == 2


@pytest.mark.parametrize("words", [["--as", "blue"], ["--secrets"], ["--bare"], ["-o", "out.turns"]], ids=" ".join)
def test_a_record_is_taken_in_or_printed_but_not_both(pbem: Pbem, config: Path, file: Path, words: list[str]) -> None:
    answer = pbem("record", "bora-3", "--import", file, *words)
    assert answer.exit_code == 2
    assert "for printing a record" in answer.stderr
    assert pbem("status").stdout.count("none yet") == 1


def test_a_record_that_does_not_stand_is_not_taken_in(pbem: Pbem, config: Path, spoiled: Path) -> None:
    answer = pbem("record", "bora-3", "--import", spoiled)
    assert answer.exit_code == 1
    assert "TD-" in answer.stdout
    assert pbem("record", "bora-3").exit_code == 2


@pytest.fixture
def nomads(tmp_path: Path) -> Path:
    """A game of Nomadi in a file, broken off after the dice of turn 21."""
    whole = make(NOMADI, 3, "nomads")
    thrown = next(at for at, entry in enumerate(whole.entries) if (entry.number, entry.who) == (21, CHANCE))
    headers = tuple((name, "*" if name == "Result" else value) for name, value in whole.headers)
    path = tmp_path / "nomads.turns"
    path.write_text(write_record(Record(headers, whole.entries[: thrown + 1])), "utf-8")
    return path


def seats_of(file: Path) -> list[str]:
    """Who plays on: those whom the record names."""
    named = re.findall(r'\[Seat\.(\w+) "(\w+)"\]', file.read_text("utf-8"))
    return [word for seat, name in named for word in ("--seat", f"{seat}={name}:{seat}@players.test")]


def test_the_page_of_a_turn_that_was_taken_in_accuses_nobody(pbem: Pbem, config: Path, nomads: Path) -> None:
    assert pbem("record", "nomads-1", "--import", nomads, *seats_of(nomads)).exit_code == 0
    assert pbem("case", "open", "nomads-1", "--turn", "20", "--reason", "the dice").exit_code == 0
    html, bundle = config.parent / "page.html", config.parent / "case.zip"
    pbem("case", "show", "nomads-1", "1", "-o", html)
    for page in (pbem("case", "show", "nomads-1", "1").stdout, html.read_text("utf-8")):
        assert "taken in with the record; it was drawn elsewhere, and this post cannot prove it" in page
        assert not any(said in page for said in ("SOMETHING ELSE", "pbm-statement", "has drawn again"))
    assert pbem("case", "bundle", "nomads-1", "1", "-o", bundle).exit_code == 0
    checked = pbem("case", "check", bundle)
    assert checked.exit_code == 0, checked.output


def test_record_wants_a_table(pbem: Pbem, config: Path) -> None:
    assert pbem("record").exit_code == 2
    assert "pbem status" in pbem("record", "nowhere-1").stderr


def test_the_doctor_is_content_or_not(pbem: Pbem, config: Path) -> None:
    good = pbem("doctor")
    assert good.exit_code == 0, good.output
    assert "ok    database" in good.stdout
    (config.parent / "ticket.key").write_text("short", "utf-8")
    bad = pbem("doctor")
    assert bad.exit_code == 1
    assert "WRONG ticket key" in bad.stdout
    assert {finding["state"] for finding in data(pbem("doctor", "--json"))["results"]} == {"good", "advice", "bad"}


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [('language = "en"', 'language = "fr"', "post.language"), ('absence = "21d"', 'absence = "12h"', "time.absence")],
)
def test_the_doctor_tells_of_settings_that_nothing_can_be_done_with(
    pbem: Pbem, config: Path, right: str, wrong: str, told: str
) -> None:
    written = config.read_text("utf-8")
    config.write_text(re.sub(f"#?{right}", wrong, written), "utf-8")
    assert config.read_text("utf-8") != written
    answer = pbem("doctor")
    assert answer.exit_code == 2
    assert answer.stderr.startswith(f"pbem: {told}: ")


def test_a_copy_of_everything_is_whole_and_private(pbem: Pbem, config: Path, tmp_path: Path) -> None:
    pbem("new", "through-the-desert", *SEATS)
    copy = tmp_path / "copy.db"
    assert pbem("backup", copy).exit_code == 0
    assert copy.stat().st_mode & 0o077 == 0
    assert pbem("backup", copy).exit_code == 2
    assert pbem("backup", tmp_path / "no" / "copy.db").exit_code == 2
    (config.parent / "post.db").unlink()
    copy.rename(config.parent / "post.db")
    assert "sirocco-1" in pbem("status").stdout
    assert pbem("doctor").exit_code == 0
