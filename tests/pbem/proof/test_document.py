"""docs/proof.md says what the house does: every number in it is made anew here, with the standard library alone."""

import base64
import hashlib
import hmac
import json
import re
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.events.codec import fields_of
from pbem.events.kinds import KINDS
from pbem.proof.draws import BoundDealer, DrawPlace, Sealer, seal_text
from pbem.proof.manifest import read_manifest
from pbem.proof.public_beacon import QUICKNET, Pulse
from pbem.proof.receipts import read_receipts
from pbem.proof.signatures import Signer, is_signed, new_key_message
from pbem.proof.statements import read_statements

GAME, S, B = "sirocco-7", bytes(range(32)), bytes(range(32, 64))
SIGNER = Signer("caravan@post.example", bytes(range(32)))


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs/proof.md").read_text("utf-8")


@pytest.fixture(scope="module")
def told(page: str) -> dict[str, str]:
    return dict(re.findall(r"^\| (.+?) \| `([0-9a-f ]+)` \|$", page, re.MULTILINE))


def canon(thing: object) -> bytes:
    return json.dumps(thing, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sha(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def link(before: str, seat: str, turn: int, move: str) -> str:
    said = hashlib.sha256(canon([seat, turn, move])).digest()
    return sha(b"\x03pbm-moves-1" + bytes.fromhex(before) + said)


def test_commitments_and_seals(told: dict[str, str]) -> None:
    assert told["commitment to S"] == sha(canon(["pbm-seed-1", GAME, S.hex()]))
    assert told["commitment to B"] == sha(canon(["pbm-blind-1", GAME, B.hex()]))
    blinding = hmac.new(B, canon(["pbm-blinding-1", GAME, 6, "0"]), "sha256").digest()
    assert told["blinding of field 0 of event 6"] == blinding.hex()
    value = canon([GAME, 6, "0", "card fennec 6"])
    assert told["commitment to `card fennec 6` there"] == sha(b"\x02" + blinding + value)


def test_the_chain(told: dict[str, str]) -> None:
    body = {
        "at": "2026-11-16T12:00:00Z",
        "data": {"reason": "", "seat": "red"},
        "game": GAME,
        "kind": "declined",
        "seq": 1,
    }
    parts = hashlib.sha256(canon(body)).digest() + hashlib.sha256(b"").digest()
    assert told["hash of the event"] == sha(b"\x01pbm-event-1" + bytes(32) + parts)


def test_draws(told: dict[str, str]) -> None:
    stirred = [sha(b"stirred by red"), sha(canon(["pbm-letter-1", "<1@players.example>"]))]
    assert [told["X of red"], told["X of the second seat"]] == stirred
    key = hmac.new(S, canon(["pbm-key-1", GAME, stirred, None]), "sha256").digest()
    assert told["K"] == key.hex()
    moves = [sha(canon(["pbm-moves-1", GAME]))]
    moves.append(link(moves[0], "*", 0, "{}"))
    moves.append(link(moves[1], "red", 1, "leader lilac E4"))
    assert [told[f"Q({n})"] for n in range(3)] == moves

    def block(number: int, more: int) -> bytes:
        asked = ["pbm-draw-1", GAME, 0, 2, number, "dice", moves[2], None]
        return hmac.new(key, canon([*asked, more] if more else asked), "sha256").digest()

    def draw(number: int, count: int) -> int:
        for more in range(100):
            raw = block(number, more)
            for word in (int.from_bytes(raw[at : at + 8], "big") for at in range(0, 32, 8)):
                if word < 2**64 // count * count:
                    return word % count
        raise AssertionError

    assert told["D(0) of the first draw after it, for `dice`"] == block(1, 0).hex()
    assert told["the first eight draws of 6 there"] == " ".join(str(draw(number, 6)) for number in range(1, 9))
    large = " ".join(str(draw(number, 2**63 + 1)) for number in range(1, 4))
    assert told["the first three of 2^63+1 there, instead"] == large
    assert told["the 29th of 2^63+1 there: no number of D(0) is low enough"] == str(draw(29, 2**63 + 1))


def test_the_post_draws_the_very_numbers_of_the_page(told: dict[str, str]) -> None:
    place = DrawPlace(GAME, 0, 2, told["Q(2)"])

    def first(many: int, count: int) -> list[str]:
        dealer = BoundDealer(bytes.fromhex(told["K"]), place)
        return [str(dealer.pick(count, "dice")) for _ in range(many)]

    assert " ".join(first(8, 6)) == told["the first eight draws of 6 there"]
    large = first(29, 2**63 + 1)
    assert " ".join(large[:3]) == told["the first three of 2^63+1 there, instead"]
    assert large[28] == told["the 29th of 2^63+1 there: no number of D(0) is low enough"]


def test_draws_that_are_bound_to_drand(page: str, told: dict[str, str]) -> None:
    facts = re.search(r"```text drand\n(.*?)```", page, re.DOTALL)
    assert facts is not None
    said = dict(line.split() for line in facts[1].splitlines())
    assert (said["name"], said["public"]) == (QUICKNET.name, QUICKNET.public)
    assert QUICKNET.time_of(1).timestamp() == int(said["epoch"])
    assert QUICKNET.time_of(2) - QUICKNET.time_of(1) == timedelta(seconds=int(said["period"]))
    assert QUICKNET.is_true(Pulse(int(said["round"]), said["signature"]))
    value = sha(bytes.fromhex(said["signature"]))
    assert told["value of round 1000 of quicknet"] == value
    key = hmac.new(S, canon(["pbm-key-1", GAME, [told["X of red"], told["X of the second seat"]], value]), "sha256")
    assert told["K, if that were the first round of the game"] == key.hexdigest()
    asked = ["pbm-draw-1", GAME, 0, 2, 1, "dice", told["Q(2)"], value]
    drawn = hmac.new(key.digest(), canon(asked), "sha256").hexdigest()
    assert told["D(0) of the same draw, if it were bound to that round too"] == drawn


def test_signatures(page: str, told: dict[str, str]) -> None:
    assert told["public key"] == SIGNER.public.hex()
    message = canon(["pbm-record-1", "caravan@post.example", GAME, 42, "3c" * 32])
    signature = next(value for name, value in told.items() if name.startswith("signature under event 42"))
    assert is_signed(SIGNER.public, message, bytes.fromhex(signature))
    receipt = re.search(r"```text receipt\n(.*?)```", page, re.DOTALL)
    assert receipt is not None
    (signed,) = read_receipts(receipt[1].splitlines())
    assert signed is not None
    assert signed.is_signed_by(SIGNER.public)
    statement = re.search(r"```text statement\n(.*?)```", page, re.DOTALL)
    assert statement is not None
    (stated,) = read_statements(statement[1].splitlines())
    assert stated is not None
    assert stated.note.is_signed_by(SIGNER.public)
    assert (stated.statement.seed, stated.statement.place) == (told["commitment to S"], (0, 2, told["Q(2)"]))
    manifest = re.search(r"```text manifest\n(.*?)```", page, re.DOTALL)
    assert manifest is not None
    listed = read_manifest(manifest[1].splitlines())
    assert listed is not None
    assert listed.note.is_signed_by(SIGNER.public)
    assert ("1a" * 32, "letters/000017.eml") in listed.manifest.files
    short = hashlib.sha256(b"caravan@post.example\n\x01" + SIGNER.public).hexdigest()[:8]
    assert signed.receipt.key == short == SIGNER.key_id
    note = re.search(r"```text checkpoint\n(.*?)\n\n— (\S+) (\S+)\n```", page, re.DOTALL)
    assert note is not None
    raw = base64.b64decode(note[3])
    assert raw[:4].hex() == short
    assert is_signed(SIGNER.public, f"{note[1]}\n".encode(), raw[4:])
    leaves = [hashlib.sha256(b"\x00" + line).digest() for line in (b"one", b"two", b"three")]
    left = hashlib.sha256(b"\x01" + leaves[0] + leaves[1]).digest()
    root = hashlib.sha256(b"\x01" + left + leaves[2]).digest()
    assert note[1].splitlines() == ["caravan@post.example", "3", base64.b64encode(root).decode()]


def test_the_page_lists_every_kind_of_event_with_its_data(page: str) -> None:
    rows = page.partition("| event |")[2].partition("\n\n")[0].splitlines()[2:]
    listed = {}
    for row in rows:
        kinds, data = (re.findall("`([a-z0-9_ ]+)`", cell) for cell in row.split("|")[1:3])
        for kind in kinds:
            listed[kind] = data[0].split()
    assert listed == {
        kind: [field.wire_name for field in fields_of(kind) if 1 in field.forms]
        for kind, payload in KINDS.items()
        if payload.SINCE == 1
    }


def test_the_page_lists_what_the_second_form_has_otherwise(page: str) -> None:
    rows = page.partition("## The second form")[2].partition("| event |")[2].partition("\n\n")[0].splitlines()[2:]
    listed: dict[str, list[str]] = {}
    for row in rows:
        kinds, data = (re.findall("`([a-z0-9_. -]+)`", cell) for cell in row.split("|")[1:3])
        listed |= {kind: data[0].split() if data else [] for kind in kinds}
    for kind, payload in KINDS.items():
        fields = [field for field in fields_of(kind) if 2 in field.forms]
        own = [field.wire_name for field in fields if 1 not in field.forms]
        if payload.SINCE == 2 or kind in ("declined", "press", "substituted"):
            assert sorted(listed.pop(kind)) == sorted(field.wire_name for field in fields)
        elif own or kind == "accepted":
            assert sorted(listed.pop(kind)) == sorted(own)
    assert not listed


def test_numbers_of_the_second_form(page: str, told: dict[str, str]) -> None:
    salt = bytes(range(64, 96))

    def seal(*words: object) -> str:
        return sha(b"\x04" + salt + canon(["pbm-told-1", GAME, *words]))

    assert told["seal of the name `Anna` of red in event 1"] == seal(1, "name.red", "Anna")
    assert seal_text(GAME, 1, "name.red", "Anna", salt) == seal(1, "name.red", "Anna")
    assert told["seal of the words `good luck` of the press in event 9"] == seal(9, "words", "good luck")
    for name, value, epoch, blinded, committed in (
        ("0", "card fennec 6", 1, "blinding of field 0 of event 6 in epoch 1", "d996f224"),
        ("by", "plan", 0, "blinding of field `by` of event 6 in epoch 0", "b30ba626"),
    ):
        blinding = hmac.new(B, canon(["pbm-blinding-2", GAME, epoch, 6, name]), "sha256").digest()
        assert told[blinded] == blinding.hex()
        commitment = sha(b"\x02" + blinding + canon([GAME, 6, name, value]))
        assert commitment.startswith(committed)
        assert f"| commitment to `{value}` there | `{commitment}` |" in page
        sealer = Sealer(GAME, B)
        assert sealer.open(6, name, value, epoch).blinding == blinding.hex()
        assert sealer.commit(6, name, value, epoch) == commitment
    message = canon(["pbm-rekeyed-1", "caravan@post.example", GAME, 12, "3c" * 32])
    assert new_key_message("caravan@post.example", GAME, 12, "3c" * 32) == message
    assert SIGNER.sign(message).hex() == told["what the old key signs, for event 12 and the key 3c3c…"]
    receipt = re.search(r"```text receipt-2\n(.*?)```", page, re.DOTALL)
    assert receipt is not None
    (signed,) = read_receipts(receipt[1].splitlines())
    assert signed is not None
    assert signed.is_signed_by(SIGNER.public)
    assert (signed.receipt.outcome, signed.receipt.until) == ("pencilled", "2026-11-16T14:30:00Z")
