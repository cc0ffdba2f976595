"""`pbem deliver` stores a letter without loading the other commands, and leaves everything else to the full command."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.mail.reply_address import format_reply_address
from pbem.service.post_folder import create_post
from pbem.settings.load import read_settings
from pbem.settings.sections import Settings
from pbem.store.store import Store
from pbem.workflow.context import identity_of

LETTER = b"From: anna@example.org\r\n\r\nlilac E5\r\n"
HEAVY = {"sqlalchemy", "typer", "click", "dataclasses", "logging", "pathlib"}
COUNT = """
import json, sys
sys.argv[:] = ["pbem", *sys.argv[1:]]
from pbem.cli import main
try:
    main()
except SystemExit as end:
    ours = [name for name in sys.modules if name.split(".")[0] in ("engine", "notation", "pbem", "templates")]
    print(json.dumps([end.code or 0, len(ours), sorted({name.split(".")[0] for name in sys.modules})]))
"""


@pytest.fixture
def post(tmp_path: Path) -> Path:
    create_post(tmp_path / "post", {})
    return tmp_path / "post"


def run(
    *words: str, cwd: Path, letter: bytes = LETTER, config: str | None = None
) -> "subprocess.CompletedProcess[bytes]":
    env = {name: value for name, value in os.environ.items() if name != "PBEM_CONFIG"}
    if config is not None:
        env["PBEM_CONFIG"] = config
    line = [sys.executable, "-m", "pbem", "deliver", *words]
    return subprocess.run(line, cwd=cwd, input=letter, env=env, capture_output=True, check=False)


def test_it_loads_what_storing_takes_and_no_more(post: Path) -> None:
    line = [sys.executable, "-c", COUNT, "deliver", "--from", "a@b.org", "--to", "c@d.org"]
    done = subprocess.run(line, cwd=post, input=LETTER, capture_output=True, check=True)
    code, ours, loaded = json.loads(done.stdout)
    assert code == 0
    assert ours <= 30
    assert not HEAVY & {*loaded}


@pytest.mark.parametrize("now", [[], ["--now"]])
def test_both_ways_store_the_same(post: Path, now: list[str]) -> None:
    words = ["--from", "", "--to=caravan+x@post.test", "--to", "caravan@post.test", *now]
    assert run(*words, cwd=post).returncode == 0
    assert run(*words, cwd=post).returncode == 0
    with Store.open(f"sqlite:///{post}/post.db") as store, store.reading() as transaction:
        letter = transaction.find_letter(1)
        assert letter is not None
        assert (letter.raw, letter.intake) == (LETTER, "pipe")
        assert (letter.env_from, letter.env_to) == ("", ("caravan+x@post.test", "caravan@post.test"))
        assert transaction.counters().received == 2
        assert transaction.counters().duplicate == 1


def test_the_settings_are_named_by_the_option_the_variable_or_the_folder(post: Path, tmp_path: Path) -> None:
    assert run("--config", str(post), cwd=tmp_path, letter=b"1").returncode == 0
    assert run(f"--config={post}/post.toml", cwd=tmp_path, letter=b"2", config="/nowhere").returncode == 0
    assert run(cwd=tmp_path, letter=b"3", config=str(post)).returncode == 0
    assert run(cwd=post, letter=b"4", config="").returncode == 0
    assert run(cwd=tmp_path, letter=b"5").returncode == 75
    with Store.open(f"sqlite:///{post}/post.db") as store:
        assert store.counters().received == 4


def test_a_failure_is_logged_as_the_settings_say_and_temporary(post: Path) -> None:
    (post / "post.db").unlink()
    done = run(cwd=post)
    assert done.returncode == 75
    assert b"error mail: a letter could not be stored" in done.stderr
    assert b"post.db is not there" in done.stderr
    settings = (post / "post.toml").read_text("utf-8")
    (post / "post.toml").write_text(settings.replace('\nfile = ""', '\nfile = "post.log"'), "utf-8")
    done = run(cwd=post)
    assert (done.returncode, done.stderr) == (75, b"")
    assert "post.db is not there" in (post / "post.log").read_text("utf-8")


def test_what_it_does_not_know_is_left_to_the_full_command(post: Path) -> None:
    helped = run("--help", cwd=post)
    assert helped.returncode == 0
    assert b"Usage: pbem deliver" in helped.stdout
    for words in (["--nonsense"], ["--from"], ["extra"]):
        wrong = run(*words, cwd=post)
        assert wrong.returncode == 75
        assert b"Error: " in wrong.stderr
    (post / "post.toml").write_text('[store]\npatience = "soon"\n', "utf-8")
    wrong = run(cwd=post)
    assert wrong.returncode == 75
    assert b"store.patience" in wrong.stderr


def test_a_large_letter_is_stored_whole_if_its_ticket_is_good_or_if_nobody_can_tell(post: Path) -> None:
    settings = read_settings(post / "post.toml")
    assert isinstance(settings, Settings)
    identity = identity_of(settings)
    to = format_reply_address(identity.ticket_key, identity.address, game="a", seat="red", turn=1, mark="aaaaaa")
    large = LETTER + b"quoted\r\n" * 40_000
    assert run("--to", to, cwd=post, letter=large).returncode == 0
    assert run(cwd=post, letter=b"To: " + to.encode() + b"\r\n" + large).returncode == 0
    assert run("--to", to.replace(".1.", ".2."), cwd=post, letter=b"X: 3\r\n" + large).returncode == 0
    assert run("--to", to, "--now", cwd=post, letter=b"X: 4\r\n" + large).returncode == 0
    (post / "post.toml").write_text("[store]\n[post]\nname = 7\n", "utf-8")
    assert run(cwd=post, letter=b"X: 5\r\n" + large).returncode == 0
    with Store.open(f"sqlite:///{post}/post.db") as store, store.reading() as transaction:
        letters = [transaction.find_letter(number) for number in range(1, 6)]
    sizes = [len(letter.raw) for letter in letters if letter is not None]
    assert sizes == [len(large), len(large) + len(to) + 6, 262_145, len(large) + 6, len(large) + 6]
