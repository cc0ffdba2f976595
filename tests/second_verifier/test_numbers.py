"""The second verifier arrives at every number on the page that it was written from."""

import base64
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.second_verifier.second_beacon import Quicknet, first_round
from tests.second_verifier.second_chain import event_hash
from tests.second_verifier.second_draws import draw, draw_key, first_link, next_link
from tests.second_verifier.second_mailbox import stirred
from tests.second_verifier.second_receipts import is_whole
from tests.second_verifier.second_secrets import blinding, commitment, promise, second_blinding
from tests.second_verifier.second_signing import checkpoint_holds, receipt_holds, rekeyed_by, signed_by, tree_root
from tests.second_verifier.second_told import told_seal
from tests.second_verifier.second_writing import canon, mac, sha

GAME, SEED, BLIND = "sirocco-7", bytes(range(32)), bytes(range(32, 64))
SALT = bytes(range(64, 96))
POST = "caravan@post.example"


@pytest.fixture(scope="module")
def page(root: Path) -> Any:
    return (root / "docs/proof.md").read_text("utf-8")


def table(text: Any) -> Any:
    return dict(re.findall(r"^\| (.+?) \| `([0-9a-f ]+)` \|$", text, re.MULTILINE))


@pytest.fixture(scope="module")
def told(page: Any) -> Any:
    return table(page.partition("\n## The second form\n")[0] + page.partition("\n## Receipts\n")[2])


@pytest.fixture(scope="module")
def second(page: Any) -> Any:
    """The numbers of the second form, which has some of the same names."""
    return table(page.partition("\n## The second form\n")[2].partition("\n## Receipts\n")[0])


def sample(page: Any, name: Any) -> Any:
    """The lines of an example on the page."""
    return re.findall(rf"^```text {name}\n(.*?)\n```$", page, re.DOTALL | re.MULTILINE)[0].split("\n")


def test_promises_and_seals(told: Any) -> None:
    assert promise("seed", GAME, SEED.hex()) == told["commitment to S"]
    assert promise("blind", GAME, BLIND.hex()) == told["commitment to B"]
    blind = blinding(BLIND, GAME, 6, "0")
    assert blind.hex() == told["blinding of field 0 of event 6"]
    assert commitment(blind, GAME, 6, "0", "card fennec 6").hex() == told["commitment to `card fennec 6` there"]


def test_the_chain_of_events(told: Any) -> None:
    data = {"reason": "", "seat": "red"}
    event = SimpleNamespace(at="2026-11-16T12:00:00Z", data=data, kind="declined", seq=1, seals=(), withheld=None)
    assert event_hash(bytes(32), GAME, event).hex() == told["hash of the event"]


def test_draws(told: Any) -> None:
    stirs = [stirred("stirred by red", "<0@players.example>"), stirred("", "<1@players.example>")]
    assert stirs == [told["X of red"], told["X of the second seat"]]
    key = draw_key(SEED, GAME, stirs)
    links = [first_link(GAME)]
    links.append(next_link(links[-1], "*", 0, "{}"))
    links.append(next_link(links[-1], "red", 1, "leader lilac E4"))
    assert key.hex() == told["K"]
    assert links == [told["Q(0)"], told["Q(1)"], told["Q(2)"]]
    questions = [["pbm-draw-1", GAME, 0, 2, j, "dice", links[2], None] for j in range(1, 30)]
    assert mac(key, questions[0]).hex() == told["D(0) of the first draw after it, for `dice`"]
    assert " ".join(str(draw(key, each, 6)) for each in questions[:8]) == told["the first eight draws of 6 there"]
    wide = " ".join(str(draw(key, each, 2**63 + 1)) for each in questions[:3])
    assert wide == told["the first three of 2^63+1 there, instead"]
    again = draw(key, questions[28], 2**63 + 1)
    assert str(again) == told["the 29th of 2^63+1 there: no number of D(0) is low enough"]


def test_a_round_of_drand_and_a_draw_that_is_bound_to_it(page: Any, told: Any) -> None:
    said = dict(line.split() for line in sample(page, "drand"))
    beacon, number, signature = Quicknet(), int(said["round"]), said["signature"]
    assert (beacon.name, beacon.public) == (said["name"], said["public"])
    assert (beacon.epoch, beacon.period) == (int(said["epoch"]), int(said["period"]))
    assert beacon.said(number, signature)
    assert not beacon.said(number + 1, signature)
    assert not beacon.said(number, signature[:-1] + "8")
    assert not beacon.said(number, "c0" + "00" * 47)
    value = sha(bytes.fromhex(signature)).hex()
    assert value == told["value of round 1000 of quicknet"]
    key = draw_key(SEED, GAME, [told["X of red"], told["X of the second seat"]], value)
    assert key.hex() == told["K, if that were the first round of the game"]
    question = ["pbm-draw-1", GAME, 0, 2, 1, "dice", told["Q(2)"], value]
    assert mac(key, question).hex() == told["D(0) of the same draw, if it were bound to that round too"]
    assert first_round(beacon, "2023-08-23T15:49:24Z") == 1000
    assert first_round(beacon, "2023-08-23T15:49:25Z") == 1001


def test_the_signature_of_a_record(told: Any) -> None:
    public = bytes.fromhex(told["public key"])
    signature = bytes.fromhex(
        next(value for what, value in told.items() if what.startswith("signature under event 42"))
    )
    assert signed_by(public, signature, canon(["pbm-record-1", POST, GAME, 42, "3c" * 32]))
    assert not signed_by(public, signature, canon(["pbm-record-1", POST, GAME, 41, "3c" * 32]))


def test_the_receipt(page: Any, told: Any) -> None:
    receipt, public = sample(page, "receipt"), bytes.fromhex(told["public key"])
    assert receipt_holds(receipt, public)
    for place in range(len(receipt) - 1):
        changed = [*receipt[:place], receipt[place] + "0", *receipt[place + 1 :]]
        assert not receipt_holds(changed, public)


def test_the_statement(page: Any, told: Any) -> None:
    statement, public = sample(page, "statement"), bytes.fromhex(told["public key"])
    assert receipt_holds(statement, public)
    for place in range(len(statement) - 1):
        assert not receipt_holds([*statement[:place], statement[place] + "0", *statement[place + 1 :]], public)


def test_the_manifest(page: Any, told: Any) -> None:
    manifest, public = sample(page, "manifest"), bytes.fromhex(told["public key"])
    assert receipt_holds(manifest, public)
    for place in range(len(manifest) - 1):
        assert not receipt_holds([*manifest[:place], manifest[place] + "0", *manifest[place + 1 :]], public)


def test_the_checkpoint(page: Any, told: Any) -> None:
    origin, size, root, _, signature = sample(page, "checkpoint")
    public = bytes.fromhex(told["public key"])
    assert checkpoint_holds((origin, size, root, signature.split(" ")[2]), public)
    assert not checkpoint_holds((origin, "4", root, signature.split(" ")[2]), public)
    assert base64.b64encode(tree_root([b"one", b"two", b"three"])).decode() == root


# -- The second form


def test_seals_of_what_people_say(second: Any) -> None:
    anna = told_seal(SALT, GAME, 1, "name.red", "Anna").hex()
    words = told_seal(SALT, GAME, 9, "words", "good luck").hex()
    assert anna == second["seal of the name `Anna` of red in event 1"]
    assert words == second["seal of the words `good luck` of the press in event 9"]


def test_blindings_know_the_epoch(second: Any) -> None:
    card, by = second_blinding(BLIND, GAME, 1, 6, "0"), second_blinding(BLIND, GAME, 0, 6, "by")
    made = {
        "blinding of field 0 of event 6 in epoch 1": card,
        "commitment to `card fennec 6` there": commitment(card, GAME, 6, "0", "card fennec 6"),
        "blinding of field `by` of event 6 in epoch 0": by,
        "commitment to `plan` there": commitment(by, GAME, 6, "by", "plan"),
    }
    assert {name: value.hex() for name, value in made.items()} == {name: second[name] for name in made}


def test_the_old_key_vouches_for_the_new_one(told: Any, second: Any) -> None:
    public = bytes.fromhex(told["public key"])
    signature = second["what the old key signs, for event 12 and the key 3c3c…"]
    assert rekeyed_by(public, POST, GAME, 12, "3c" * 32, signature)
    assert not rekeyed_by(public, POST, GAME, 13, "3c" * 32, signature)
    assert len(second) == 7


def test_the_receipt_of_a_pencilled_turn(page: Any, told: Any) -> None:
    receipt, public = sample(page, "receipt-2"), bytes.fromhex(told["public key"])
    assert is_whole(receipt)
    assert receipt_holds(receipt, public)
    for place in range(len(receipt) - 1):
        changed = [*receipt[:place], receipt[place] + "0", *receipt[place + 1 :]]
        assert not receipt_holds(changed, public)
        assert not is_whole([*receipt[:place], *receipt[place + 1 :]]) or not place
