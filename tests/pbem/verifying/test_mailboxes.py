"""Mailboxes that say less than they should, or cannot be checked with a key that is known to be the post's."""

import mailbox
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from second_mailbox import silences

from pbem.verifying.verifying import Checker, Verified
from pbem.verifying.witness import read_mailboxes

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
    town: Any, settle: Callable, tmp_path: Path
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


def test_both_verifiers_miss_the_same_headers(town: Any, tmp_path: Path) -> None:
    """Of mails that were forwarded without any header of the post's own, receipts and promises still tell the game."""
    mails = [without(without(raw, HEAD), CHECKPOINT) for raw in town.boxes["hare"]]
    mails[::2] = [without(raw, b"List-Id") for raw in mails[::2]]
    witness = read_mailboxes([put(tmp_path, *mails, *town.sent["hare"])])
    bare = [(seen.what[0], seen.date) for seen in witness.bare if seen.game == "sirocco-7"]
    assert len(bare) > len(mails)
    assert sorted(bare) == sorted(silences("sirocco-7", [*mails, *town.sent["hare"]]))
    assert not silences("sirocco-7", town.boxes["hare"])
