"""`pbem verify`, `pbem key` and `pbem log`: what they print, and how they end."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pbem.service.post_folder import CreatedPost, create_post


@pytest.fixture
def post(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = create_post(tmp_path / "post", {"post.address": "caravan@post.test"})
    assert isinstance(made, CreatedPost)
    monkeypatch.setitem(os.environ, "PBEM_CONFIG", str(made.file))
    return made.file


@pytest.fixture
def proved(pbem: Any, post: Path, file: Path, tmp_path: Path) -> Path:
    """A record that was taken in, and given back with a proof."""
    assert pbem("record", "bora-3", "--import", file).exit_code == 0
    path = tmp_path / "bora-3.turns"
    assert pbem("record", "bora-3", "-o", path).exit_code == 0
    return path


def test_a_record_is_believed(pbem: Any, proved: Path) -> None:
    answer = pbem("verify", proved)
    assert answer.exit_code == 0
    assert "believed, bora-3" in answer.stdout


def test_with_the_key_of_the_post_and_with_no_other(pbem: Any, proved: Path, tmp_path: Path) -> None:
    public = pbem("key").stdout.strip()
    assert len(public) == 64
    (tmp_path / "post.pub").write_text(f"{public}\n")
    assert pbem("verify", proved, "--key", public).exit_code == 0
    assert pbem("verify", proved, "--key", tmp_path / "post.pub").exit_code == 0
    answer = pbem("verify", proved, "--key", "00" * 32)
    assert answer.exit_code == 1
    assert "signed with another key" in answer.stdout


def test_the_first_wrong_line_is_told(pbem: Any, proved: Path) -> None:
    lines = proved.read_text("utf-8").splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if line.startswith("9. "))
    lines[place] = lines[place].replace('"by":"record"', '"by":"player"')
    proved.write_text("".join(lines), "utf-8")
    answer = pbem("verify", proved)
    assert answer.exit_code == 1
    assert f"{proved}:{place + 1}: chain event" in answer.stdout
    told = json.loads(pbem("verify", proved, "--json").stdout)
    assert told["results"][0]["findings"][0]["line"] == place + 1
    assert (told["records"], told["believed"]) == (1, 0)


def test_a_last_line_without_an_end_is_told_at_the_last_line(pbem: Any, proved: Path) -> None:
    whole = proved.read_text("utf-8")
    proved.write_text(whole.removesuffix("\n"), "utf-8")
    answer = pbem("verify", proved)
    assert answer.exit_code == 1
    assert answer.stdout.startswith(f"{proved}:{len(whole.splitlines())}: form the last line does not end")
    proved.write_text(f"{whole}\n", "utf-8")
    assert f"{proved}:{len(whole.splitlines()) + 1}: form" in pbem("verify", proved).stdout


def test_the_log_goes_with_the_records(pbem: Any, proved: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text(pbem("log").stdout, "utf-8")
    assert len(log.read_text("utf-8").splitlines()) == 2
    assert pbem("verify", proved, "--log", log).exit_code == 0
    log.write_text(log.read_text("utf-8").splitlines(keepends=True)[0], "utf-8")
    answer = pbem("verify", proved, "--log", log)
    assert answer.exit_code == 1
    assert "the log knows another end of bora-3, or none" in answer.stdout
    assert pbem("log", "--checkpoint").stdout.startswith("caravan@post.test\n2\n")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--key", "nonsense"], "is neither a key nor a file with one"),
        (["--mbox", "nowhere.mbox"], "no such mailbox"),
        (["--mbox", __file__], "holds no mail; give an mbox file"),
        (["--mbox", str(Path(__file__).parent)], "holds no mail; give an mbox file"),
        (["--log", "nowhere.log"], "no such file"),
    ],
)
def test_what_makes_no_sense_is_said_in_one_line(pbem: Any, proved: Path, words: list[str], says: str) -> None:
    answer = pbem("verify", proved, *words)
    assert answer.exit_code == 2
    assert says in answer.output
    told = json.loads(pbem("verify", proved, *words, "--json").stdout)
    assert says in told["problems"][0]


def test_what_is_no_record_is_not_believed(pbem: Any, file: Path, tmp_path: Path) -> None:
    bare = pbem("verify", file)
    assert bare.exit_code == 1
    assert "carries no proof" in bare.stdout
    assert pbem("verify", "-", given="").exit_code == 1
    assert pbem("verify", "-", given=b"\x00\x01").exit_code == 1
    assert pbem("verify", tmp_path / "nothing.turns").exit_code == 2


def test_a_post_without_a_key_says_so(pbem: Any, post: Path) -> None:
    post.write_text(post.read_text("utf-8").replace('signing_key_file = "signing.key"', ""), "utf-8")
    answer = pbem("key")
    assert answer.exit_code == 2
    assert "signing_key_file" in answer.output


@pytest.mark.parametrize("command", ["validate", "fmt", "show", "replay"])
def test_what_reads_records_loads_nothing_that_signs(command: str) -> None:
    said = f"import sys; from pbem.cli.app import make_app; make_app({command!r}); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True).stdout.split()
    assert "pbem.cli.app" in loaded
    assert not [name for name in loaded if name.startswith(("cryptography", "pbem.proof", "pbem.verify"))]


def test_what_a_mailbox_leaves_open_is_noted_and_the_record_believed(pbem: Any, proved: Path, tmp_path: Path) -> None:
    mail = tmp_path / "mbox"
    mail.write_text(
        "From post Mon Nov 16 12:00:00 2026\n"
        "Date: Mon, 16 Nov 2026 12:00:00 +0000\nList-Id: <bora-3.post.test>\n\nNews.\n"
    )
    answer = pbem("verify", proved, "--mbox", mail)
    assert answer.exit_code == 0
    said = [line for line in answer.stdout.splitlines() if line.startswith("  note: ")]
    assert ["no header X-Caravan-Checkpoint" in line for line in said] == [True, False]
    told = json.loads(pbem("verify", proved, "--mbox", mail, "--json").stdout)
    assert [f"  note: {remark}" for remark in told["results"][0]["remarks"]] == said
    assert (told["results"][0]["mails_read"], told["results"][0]["mails_about"]) == (1, 1)
    assert "\n  1 mail read, 1 about this game\n" in answer.stdout


def test_a_mailbox_that_knows_nothing_of_the_game_is_told_of(pbem: Any, proved: Path, tmp_path: Path) -> None:
    mail = tmp_path / "saved.eml"
    mail.write_text("Date: Mon, 16 Nov 2026 12:00:00 +0000\nFrom: a@b.test\n\nNews.\n")
    answer = pbem("verify", proved, "--mbox", mail)
    assert answer.exit_code == 0
    assert "note: 1 mail read, and none is about this game" in answer.stdout
    (told,) = json.loads(pbem("verify", proved, "--mbox", mail, "--json").stdout)["results"]
    assert (told["mails_read"], told["mails_about"]) == (1, 0)
