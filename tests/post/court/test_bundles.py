"""Bundles on another machine: whatever somebody has done to one is found, and what cannot be known is said."""

import io
import json
import re
import time
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner

from pbem.cli.app import choose, make_app
from pbem.disputes.bundle import NotABundleError, unpack
from pbem.proof.manifest import Manifest, list_files, sign_manifest
from pbem.proof.receipts import read_receipts, sign_receipt
from pbem.proof.signatures import Signer
from pbem.tables.table import PLAYING
from tests.post.court.courts import sit_by_the_well
from tests.post.post_games import TABLE

Parts = dict[str, bytes]
Change = Callable[[Parts], None]


class Taken(NamedTuple):
    """What was taken elsewhere: bundles of one case, while the game went on and when it was over, and the key."""

    running: Path
    over: Path
    key: str
    signer: Signer


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Taken:
    folder = tmp_path_factory.mktemp("court")
    running, over = folder / "running.zip", folder / "over.zip"
    with pytest.MonkeyPatch.context() as patched, sit_by_the_well(folder, patched) as court:
        friend, stranger = court.town.friends["fennec"], "thief@elsewhere.test"
        letter = friend.answer("go", court.town.hours.now()).replace(friend.address.encode(), stranger.encode())
        assert court.town.deliver(letter).reason == "other-sender"
        assert court.town.write("fennec", "fly to the moon").fate == "refused"
        court.pbem("case", "warrant", TABLE, "1", "--as", "fennec", "--reason", "to see what was sent")
        court.pbem("case", "bundle", TABLE, "1", "-o", running)
        court.pbem("case", "rule", TABLE, "1", "roll-back", "--reason", "everybody agrees")
        court.pbem("case", "close", TABLE, "1")
        while court.town.table.stage == PLAYING:
            assert court.town.write(court.town.table.due[0], "wait").fate == "applied"
        court.pbem("case", "bundle", TABLE, "1", "-o", over)
        signer = court.town.context.signer
        assert signer is not None
        return Taken(running, over, signer.public.hex(), signer)


def check(path: Path, *words: str, fails: int = 0) -> str:
    """What `pbem case check` says, on a machine without a post."""
    line = ["case", "check", str(path), *words]
    answer = CliRunner().invoke(make_app(choose(line)), line, prog_name="pbem", env={"PBEM_CONFIG": "/nowhere"})
    assert answer.exit_code == fails, answer.output
    assert isinstance(answer.exception, SystemExit | None), answer.output
    return answer.output


def data(path: Path, *words: str, fails: int = 0) -> dict[str, Any]:
    (found,) = json.loads(check(path, *words, "--json", fails=fails))["results"]
    return dict(found)


def read(path: Path) -> Parts:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack(path: Path, parts: Parts) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def sign(parts: Parts, signer: Signer, case: int = 1) -> None:
    """Sign for what a bundle holds now."""
    parts.pop("manifest.txt")
    manifest = Manifest(signer.name, TABLE, case, list_files(parts), signer.key_id)
    parts["manifest.txt"] = "".join(f"{line}\n" for line in sign_manifest(manifest, signer)).encode()


def change_list(parts: Parts, change: Callable[[dict[str, Any]], object]) -> None:
    """Change what is said of every letter."""
    listed = json.loads(parts["letters.json"])
    for each in listed:
        change(each)
    parts["letters.json"] = json.dumps(listed).encode()


def replace(name: str, old: bytes, new: bytes) -> Change:
    def change(parts: Parts) -> None:
        assert old in parts[name], name
        parts[name] = parts[name].replace(old, new)

    return change


def tell_all(**said: object) -> Change:
    """Say something of every letter that was acted on."""
    return lambda parts: change_list(parts, lambda each: each.get("receipt") and each.update(said))


def forge_letter(parts: Parts) -> None:
    name = next(name for name in parts if name.endswith("3.eml"))
    parts[name] = parts[name].replace(b"\r\n\r\ngo", b"\r\n\r\nwait")


def forge_letter_and_list(parts: Parts) -> None:
    """Change a letter, and its digest in the list."""
    forge_letter(parts)

    def change(each: dict[str, Any]) -> None:
        each["sha256"] = sha256(parts[each["file"]]).hexdigest()

    change_list(parts, change)


def drop_letter(parts: Parts) -> None:
    listed = json.loads(parts["letters.json"])
    parts["letters.json"] = json.dumps([each for each in listed if each["number"] != 3]).encode()


def change_envelope(parts: Parts) -> None:
    change_list(parts, lambda each: each.update(envelope_from="thief@elsewhere.test"))


FORGERIES: dict[str, tuple[Change, str]] = {
    "another move": (replace("record.turns", b"fennec: wait", b"fennec: go"), "record.turns:"),
    "another letter": (forge_letter, "letter 3 is not the letter that came"),
    "another letter, and its digest": (forge_letter_and_list, "names a letter that is not in the list"),
    "a letter left out": (drop_letter, "names a letter that is not in the list"),
    "another outcome": (replace("letters.json", b"outcome done", b"outcome asked"), "is not signed with"),
    "no receipts": (tell_all(receipt=[]), "has no receipt, though it was acted on"),
    "another fate": (tell_all(fate="refused"), "is not listed as applied for"),
    "another reason": (tell_all(reason="PO-T1"), "is listed with another reason than its receipt"),
    "another seat": (tell_all(seat="hare"), "is listed with another seat than its receipt"),
    "another time": (tell_all(received="2020-01-01T00:00:00Z"), "is listed with another received than its receipt"),
    "another statement": (replace("statements.txt", b"follows yes", b"follows no"), "statement"),
    "another key": (lambda parts: _describe(parts, key="ab" * 32), "post.json names another key"),
    "another table": (lambda parts: _describe(parts, table="bora-3"), "post.json is about bora-3"),
    "another case": (lambda parts: _describe(parts, case=7), "post.json is about case 7"),
    "other rules": (lambda parts: _describe(parts, rules="chess, edition 1"), "says that the rules are chess"),
    "another post": (lambda parts: _describe(parts, address="other@post.test"), "post.json is of other@post.test"),
    "something that is no letter": (lambda parts: parts.update({"letters.json": b"[1, 2]"}), "is no letter"),
}
"""What is found even without a manifest, and how it is told."""

TOUCHES: dict[str, tuple[Change, str]] = {
    "another page": (replace("case.html", b"</h1>", b", and fennec cheated</h1>"), "case.html is not as the post made"),
    "another text": (replace("case.txt", b"legal", b"ILLEGAL"), "case.txt is not as the post made it"),
    "another envelope": (change_envelope, "letters.json is not as the post made it"),
    "another program": (lambda parts: _describe(parts, program="9.9"), "post.json is not as the post made it"),
    "no statements": (lambda parts: parts.__delitem__("statements.txt"), "statements.txt was taken out"),
    "a file more": (lambda parts: parts.update({"confession.txt": b"I did it"}), "confession.txt was put in"),
    "another manifest": (replace("manifest.txt", b"case 1", b"case 2"), "manifest.txt is not signed with"),
    "a broken manifest": (replace("manifest.txt", b"signature", b"sign"), "manifest.txt is broken"),
}
"""What only the manifest shows."""


def _describe(parts: Parts, **otherwise: object) -> None:
    parts["post.json"] = json.dumps({**json.loads(parts["post.json"]), **otherwise}).encode()


def test_a_bundle_is_read_and_judged_again_on_any_machine(taken: Taken) -> None:
    told = check(taken.over, "--key", taken.key)
    assert "believed, case 1 at sirocco-7" in told
    letters = len([name for name in read(taken.over) if name.endswith(".eml")])
    assert f"{letters - 1} of {letters} letters read and judged again" in told
    assert "1 letter without a receipt" in told, "nobody vouched for the thief, and nobody got a receipt"
    assert f"held against the key that you gave, {taken.key}" in told


def test_a_bundle_that_brings_its_key_along_says_so(taken: Taken) -> None:
    told = check(taken.over)
    assert f"held against the key {taken.key}\n" in told
    assert "the bundle brought this key along; compare it" in told
    found = data(taken.over)
    assert (found["key"], found["key_given"], found["wrong"], found["unproved"]) == (taken.key, False, [], [])


@pytest.mark.parametrize("what", [*FORGERIES, *TOUCHES])
def test_whatever_somebody_does_to_a_bundle_is_found(taken: Taken, tmp_path: Path, what: str) -> None:
    change, says = (FORGERIES | TOUCHES)[what]
    parts = read(taken.over)
    change(parts)
    told = check(pack(tmp_path / "changed.zip", parts), fails=1)
    assert says in told
    assert "wrong" in told
    assert "believed" not in told


@pytest.mark.parametrize("what", FORGERIES)
def test_without_a_manifest_what_contradicts_the_record_is_found_all_the_same(
    taken: Taken, tmp_path: Path, what: str
) -> None:
    change, says = FORGERIES[what]
    parts = read(taken.over)
    del parts["manifest.txt"]
    change(parts)
    assert says in check(pack(tmp_path / "changed.zip", parts), fails=1)


def test_a_bundle_without_a_manifest_says_what_nobody_vouches_for(taken: Taken, tmp_path: Path) -> None:
    parts = read(taken.over)
    del parts["manifest.txt"]
    told = check(pack(tmp_path / "old.zip", parts), fails=1)
    assert "unproved it has no manifest.txt" in told
    for name in ("README.txt", "case.html", "case.txt", "letters.json", "post.json"):
        assert name in told.partition("only the record")[0]
    assert "the rest is good, case 1 at sirocco-7" in told
    assert "believed" not in told


def test_the_bundle_of_another_post_with_the_same_address_is_known_by_its_key(taken: Taken) -> None:
    other = Signer(taken.signer.name, b"m" * 32).public.hex()
    told = check(taken.over, "--key", other, fails=1)
    assert "the record is signed with another key" in told
    assert "manifest.txt is not signed with this key" in told


def test_a_manifest_of_another_case_does_not_serve(taken: Taken, tmp_path: Path) -> None:
    parts = read(taken.over)
    sign(parts, taken.signer, case=2)
    assert "manifest.txt is of another bundle: case 2" in check(pack(tmp_path / "changed.zip", parts), fails=1)


def test_letters_are_judged_as_far_as_nothing_is_sealed(taken: Taken) -> None:
    found = data(taken.running, "--key", taken.key)
    assert (found["wrong"], found["unproved"]) == ([], [])
    assert found["judged"] > 0
    assert found["veiled"] > 0
    assert found["judged"] + found["veiled"] + found["digests"] + found["idle"] == found["letters"]
    told = check(taken.running)
    assert f"{found['judged']} of {found['letters']} letters read and judged again" in told
    assert f"came after event {found['veil']}, which is sealed: to be judged when the game is over" in told
    assert re.search(rf"\n  {found['digests']} letters? not in it, only as digests", told)


def test_a_post_that_signs_for_what_a_letter_did_not_do_is_found_before_the_game_is_over(
    taken: Taken, tmp_path: Path
) -> None:
    """It says that an acceptance came to a table at which its writer had accepted."""
    parts = read(taken.running)

    def change(each: dict[str, Any]) -> None:
        if each["number"] == 1:
            (signed,) = read_receipts(each["receipt"])
            assert signed is not None
            receipt = signed.receipt._replace(before=signed.receipt.after)
            each["receipt"] = sign_receipt(receipt, taken.signer)

    change_list(parts, change)
    sign(parts, taken.signer)
    told = check(pack(tmp_path / "changed.zip", parts), fails=1)
    assert re.search(r"wrong letter 1 meets PO-\w+ instead of none when it is read again", told)


def test_a_post_that_does_not_sign_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.workflow.context.make_signer", lambda settings: None)
    with sit_by_the_well(tmp_path, monkeypatch) as court:
        path = court.folder / "case.zip"
        court.pbem("case", "bundle", TABLE, "1", "-o", path)
    parts = read(path)
    assert "manifest.txt" not in parts
    assert b"this post does not sign" in parts["README.txt"]
    assert "this post does not sign, so anybody can have made this bundle" in check(path)
    assert "the record is not signed" in check(path, "--key", "ab" * 32, fails=1)


def test_two_files_of_one_name_are_no_bundle(taken: Taken, tmp_path: Path) -> None:
    path = pack(tmp_path / "twice.zip", read(taken.over))
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(path, "a") as archive:
        archive.writestr("case.html", b"<h1>fennec cheated</h1>")
    assert "it has two files called case.html" in check(path, fails=2)


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 broken"])
def test_what_is_no_bundle_is_misuse(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "no.zip"
    path.write_bytes(content)
    assert "is not a bundle" in check(path, fails=2)
    assert "cannot be read" in check(tmp_path / "nowhere.zip", fails=2)
    assert "is neither a key nor a file with one" in check(path, "--key", "nonsense", fails=2)


def test_a_bundle_with_very_many_files_is_read_in_proportion_to_their_number() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(20_000):
            archive.writestr(f"{number}", b"")
    began = time.process_time()
    with zipfile.ZipFile(io.BytesIO(packed.getvalue())) as archive:
        for each in archive.infolist():
            archive.read(each)
    plain = time.process_time() - began
    began = time.process_time()
    with pytest.raises(NotABundleError, match=r"it has no record\.turns"):
        unpack(packed.getvalue())
    assert time.process_time() - began < 4 * plain
