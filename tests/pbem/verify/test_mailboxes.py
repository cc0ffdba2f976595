"""Mailboxes in all their forms, and such as say less than they should or cannot be checked with the post's own key."""

import mailbox
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.verify.check_record import Checker, Verified
from pbem.verify.mailboxes import NoMailboxError, read_mailboxes
from tests.second_verifier.second_mailbox import silences

HEAD, CHECKPOINT = b"X-Caravan-Head", b"X-Caravan-Checkpoint"


def put(folder: Path, *mails: bytes) -> Path:
    """A mailbox with these mails."""
    box = mailbox.mbox(folder / "kept.mbox")
    for raw in mails:
        box.add(raw)
    box.close()
    return folder / "kept.mbox"


def held(town: Any, folder: Path, mails: list[bytes], key: bytes | None = None) -> Verified:
    """The town's record, held against some mails."""
    (verified,) = Checker(key, read_mailboxes([put(folder, *mails)])).check(town.text())
    return verified


def without(raw: bytes, header: bytes) -> bytes:
    """A mail that lost a header on its way."""
    return re.sub(rb"(?m)^" + header + rb": .*\r?\n(?:[ \t].*\r?\n)*", b"", raw, count=1)


def test_without_a_key_the_one_that_the_record_names_is_used_and_told(town: Any, tmp_path: Path) -> None:
    verified = held(town, tmp_path, town.boxes["fennec"])
    assert verified.is_good
    assert [remark.partition(";")[0] for remark in verified.remarks] == [
        "mails are held against the key as named by the record"
    ]


def test_with_the_key_nothing_is_left_to_be_said(town: Any, tmp_path: Path) -> None:
    assert held(town, tmp_path, town.boxes["fennec"], town.public).remarks == ()


@pytest.mark.parametrize("key", ["given", "named"])
def test_a_receipt_that_somebody_else_signed_is_found_with_and_without_the_key(
    town: Any, tmp_path: Path, key: str
) -> None:
    spoiled = [re.sub(rb"(?m)^\| number ([0-9]+)", rb"| number 9\1", raw) for raw in town.boxes["fennec"]]
    verified = held(town, tmp_path, spoiled, town.public if key == "given" else None)
    says = {"given": "is not signed with this key", "named": "is not signed with the key that the record names"}[key]
    assert verified.findings
    assert all(finding.check == "mailbox" and says in finding.reason for finding in verified.findings)


def test_a_checkpoint_is_checked_without_the_key_too(town: Any, tmp_path: Path) -> None:
    spoiled = [re.sub(rb"(?m)^(X-Caravan-Checkpoint: \S+ )[0-9]+", rb"\g<1>7", raw) for raw in town.boxes["hare"]]
    verified = held(town, tmp_path, spoiled)
    assert {finding.reason for finding in verified.findings} == {
        "a checkpoint of 7 lines is not signed with the key that the record names"
    }


def test_the_mails_of_another_post_are_not_held_against_the_key_of_this_one(
    town: Any, settle: Callable[..., Any], tmp_path: Path
) -> None:
    other = settle(tmp_path / "elsewhere")
    strange = [raw.replace(b"sirocco-7", b"bora-3") for raw in other.boxes["fennec"]]
    assert strange
    assert held(town, tmp_path, [*town.boxes["fennec"], *strange]).is_good


@pytest.mark.parametrize(
    ("spoil", "header"),
    [
        (lambda raw: without(raw, CHECKPOINT), "X-Caravan-Checkpoint"),
        (lambda raw: without(raw, HEAD), "X-Caravan-Head"),
        (lambda raw: raw.replace(CHECKPOINT + b": ", CHECKPOINT + b": about "), "X-Caravan-Checkpoint"),
        (lambda raw: re.sub(rb"(X-Caravan-Checkpoint: \S+ )", rb"\1-", raw), "X-Caravan-Checkpoint"),
        (lambda raw: re.sub(rb"(?m)^(X-Caravan-Head: \S+ )[0-9]+", rb"\g<1>" + b"9" * 5000, raw), "X-Caravan-Head"),
    ],
    ids=["no checkpoint", "no head", "words before it", "a size that is none", "a number without end"],
)
def test_a_mail_that_lost_its_witness_is_told_of_and_convicts_nobody(
    town: Any, tmp_path: Path, spoil: Callable[[bytes], bytes], header: str
) -> None:
    first, *others = town.boxes["fennec"]
    verified = held(town, tmp_path, [spoil(first), *others], town.public)
    assert verified.is_good
    (said,) = verified.remarks
    assert said.startswith("the mail of ")
    assert f"no header {header} that can be read" in said
    assert [name for name, _ in silences("sirocco-7", [spoil(first), *others])] == [header]


def with_head(raw: bytes, digest: bytes = b"00" * 32) -> bytes:
    """A mail whose header names another event, as its owner can write it."""
    return re.sub(rb"(?m)^(X-Caravan-Head: \S+ [0-9]+ )\S+", rb"\g<1>" + digest, raw)


def test_a_header_that_nobody_signs_convicts_nobody(town: Any, tmp_path: Path) -> None:
    news = next(raw for raw in town.boxes["fennec"] if HEAD in raw and b"pbm-receipt-2" not in raw)
    verified = held(town, tmp_path, [with_head(news)], town.public)
    (finding,) = verified.findings
    assert "in its header X-Caravan-Head, which nobody signs" in finding.reason
    assert "either the mailbox was changed or the record" in finding.reason
    assert "two histories" not in finding.reason


def test_a_header_that_the_receipt_beside_it_refutes_is_passed_over_and_told(town: Any, tmp_path: Path) -> None:
    mail = next(raw for raw in town.boxes["fennec"] if b"pbm-receipt-2" in raw)
    verified = held(town, tmp_path, [with_head(mail)], town.public)
    assert verified.is_good
    (said,) = verified.remarks
    assert "than in its receipt, which is signed: the header was changed, and is passed over" in said


def test_a_receipt_that_is_forged_refutes_nothing(town: Any, tmp_path: Path) -> None:
    mail = next(raw for raw in town.boxes["fennec"] if b"pbm-receipt-2" in raw)
    unsigned = re.sub(rb"(?m)^\| number ([0-9]+)", rb"| number 9\1", with_head(mail))
    found = [finding.reason for finding in held(town, tmp_path, [unsigned], town.public).findings]
    assert len(found) == 2
    assert any("is not signed with this key" in reason for reason in found)
    assert any("which nobody signs" in reason for reason in found)


def test_a_header_that_a_signed_receipt_bears_out_convicts_the_post(
    town: Any, draft: Callable[..., Any], tmp_path: Path
) -> None:
    kept = next(event.seq for event in town.events if event.kind == "played")
    forged = town.operator().rewrite(lambda event: draft(event) if event.seq < kept else None).play().text()
    (verified,) = Checker(town.public, read_mailboxes([put(tmp_path, *town.boxes["fennec"])])).check(forged)
    said = [finding.reason for finding in verified.findings]
    assert any("as a signed receipt, has another event" in reason and "two histories" in reason for reason in said)


def test_a_receipt_that_the_post_has_not_signed_convicts_nobody(town: Any, tmp_path: Path) -> None:
    spoiled = [re.sub(rb"(?m)^\| after ([0-9]+) ..", rb"| after \1 00", raw) for raw in town.boxes["fennec"]]
    verified = held(town, tmp_path, spoiled, town.public)
    assert verified.findings
    assert {"is not signed with this key" in finding.reason for finding in verified.findings} == {True}


def test_both_verifiers_miss_the_same_headers(town: Any, tmp_path: Path) -> None:
    """Of mails that were forwarded without any header of the post's own, receipts and promises still tell the game."""
    mails = [without(without(raw, HEAD), CHECKPOINT) for raw in town.boxes["hare"]]
    mails[::2] = [without(raw, b"List-Id") for raw in mails[::2]]
    evidence = read_mailboxes([put(tmp_path, *mails, *town.sent["hare"])])
    bare = [(seen.what[0], seen.date) for seen in evidence.bare if seen.game == "sirocco-7"]
    assert len(bare) > len(mails)
    assert sorted(bare) == sorted(silences("sirocco-7", [*mails, *town.sent["hare"]]))
    assert not silences("sirocco-7", town.boxes["hare"])


def maildir(folder: Path, mails: list[bytes]) -> Path:
    """A Maildir with these mails, one of them read already."""
    box = mailbox.Maildir(folder)
    for number, raw in enumerate(mails):
        mail = mailbox.MaildirMessage(raw)
        mail.set_subdir("new" if number else "cur")
        box.add(mail)
    return folder


def saved(folder: Path, mails: list[bytes]) -> Path:
    """A folder into which somebody has saved mails, and something else."""
    folder.mkdir()
    for number, raw in enumerate(mails):
        (folder / f"{number:03}.eml").write_bytes(raw)
    (folder / "board.html").write_text("<!doctype html><title>From: nobody</title>")
    (folder / "notes").write_text("Reminder: From is a header, too\n")
    return folder


def several(folder: Path, mails: list[bytes]) -> Path:
    """A folder with a Maildir for every other mail."""
    folder.mkdir()
    for number, raw in enumerate(mails):
        maildir(folder / f"{number}@players.test", [raw])
    return folder


@pytest.mark.parametrize("form", [maildir, saved, several])
def test_a_mailbox_says_the_same_in_whatever_form_it_is_kept(
    town: Any, tmp_path: Path, form: Callable[[Path, list[bytes]], Path]
) -> None:
    mails = [*town.boxes["hare"], *town.sent["hare"]]
    kept, evidence = read_mailboxes([put(tmp_path, *mails)]), read_mailboxes([form(tmp_path / "box", mails)])
    assert evidence.mails == kept.mails == evidence.about["sirocco-7"] == len(mails)
    assert {seen.what for seen in evidence.heads} == {seen.what for seen in kept.heads}
    assert {signed.receipt for signed in evidence.receipts} == {signed.receipt for signed in kept.receipts}


def test_a_mail_that_was_saved_alone_bears_witness(town: Any, tmp_path: Path) -> None:
    mail = next(raw for raw in town.boxes["hare"] if b"\n| outcome played" in raw)
    path = tmp_path / "saved.eml"
    path.write_bytes(b"\xef\xbb\xbf" + mail.replace(b"\n| seat hare", b"\n| seat fennec"))
    (verified,) = Checker(None, read_mailboxes([path])).check(town.text())
    assert any("is not signed" in finding.reason for finding in verified.findings)


def test_mails_about_other_things_are_counted_as_such(town: Any, tmp_path: Path) -> None:
    spam = b"From: a@b.test\r\nSubject: Rich!\r\n\r\nsirocco-7\r\n"
    evidence = read_mailboxes([put(tmp_path, spam, *town.boxes["hare"])])
    assert (evidence.mails, evidence.about["sirocco-7"]) == (len(town.boxes["hare"]) + 1, len(town.boxes["hare"]))


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("empty.mbox", b"", "holds no mail"),
        ("mails.zip", b"PK\x03\x04 and so on", "unpack it"),
        ("game.turns", b'[Game "shy-well"]\n[Id "sirocco-7"]\n', "holds no mail"),
        ("words.txt", b"From here on there is nothing to read.\n\nNothing: at all\n", "holds no mail"),
        ("long.eml", b"From: a@b.test\n\n" + b"x" * 5_000_000, "more than 5,000,000 bytes"),
    ],
)
def test_a_file_without_a_mail_is_no_mailbox(tmp_path: Path, name: str, content: bytes, says: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(NoMailboxError, match=says):
        read_mailboxes([tmp_path / name])


def test_a_folder_without_a_mail_is_no_mailbox(tmp_path: Path) -> None:
    for folder in (maildir(tmp_path / "box", []), tmp_path):
        with pytest.raises(NoMailboxError, match="holds no mail"):
            read_mailboxes([folder])
