"""Receipts, checkpoints and the log of all games: what is signed, and what is not."""

import base64
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.proof.public_log import Tree, grown_roots, leaf_hash, read_checkpoint, read_tree, sign_tree
from pbem.proof.receipts import Receipt, mark_letter, read_receipts, sign_receipt
from pbem.proof.signatures import Signer, is_signed, key_id

SIGNER = Signer("caravan@post.example", bytes(range(32)))
RECEIPT = Receipt(
    post="caravan@post.example",
    number=17,
    game="sirocco-7",
    seat="red",
    letter="1a" * 32,
    mark=mark_letter("<1@players.example>"),
    received="2026-11-16T12:00:00Z",
    outcome="applied",
    rule="",
    played=("lilac F4, salmon C9",),
    before=(41, "2b" * 32),
    after=(42, "3c" * 32),
    key=SIGNER.key_id,
)


def test_a_signature_is_that_of_rfc_8032() -> None:
    """The first test of its chapter 7.1."""
    private = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    signer = Signer("x", private)
    assert signer.public.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert signer.sign(b"").hex() == (
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    )


def test_a_receipt_is_read_as_it_was_signed() -> None:
    (signed,) = read_receipts(["hello", *sign_receipt(RECEIPT, SIGNER), "bye"])
    assert signed is not None
    assert signed.receipt == RECEIPT
    assert signed.is_signed_by(SIGNER.public)
    assert not signed.is_signed_by(Signer("caravan@post.example", bytes(32)).public)


def test_a_refusal_has_a_receipt_too() -> None:
    refused = RECEIPT._replace(outcome="refused", rule="TD-C3", played=())
    (signed,) = read_receipts(sign_receipt(refused, SIGNER))
    assert signed is not None
    assert signed.receipt == refused


@pytest.mark.parametrize("line", range(1, 13))
def test_a_receipt_of_which_a_line_was_changed_is_not_signed(line: int) -> None:
    lines = list(sign_receipt(RECEIPT, SIGNER))
    name, _, value = lines[line].partition(" ")
    lines[line] = f"{name} {'7' + value[1:] if value[0] != '7' else '8' + value[1:]}"
    (signed,) = read_receipts(lines)
    assert signed is None or not signed.is_signed_by(SIGNER.public)


@pytest.mark.parametrize("change", ["drop", "double", "swap"])
def test_a_receipt_of_another_shape_is_broken(change: str) -> None:
    lines = list(sign_receipt(RECEIPT, SIGNER))
    match change:
        case "drop":
            del lines[3]
        case "double":
            lines.insert(3, lines[3])
        case "swap":
            lines[3], lines[4] = lines[4], lines[3]
    assert list(read_receipts(lines)) == [None]


def naive_root(lines: list[bytes]) -> bytes:
    """RFC 6962, 2.1, as it is written there."""
    if not lines:
        return hashlib.sha256(b"").digest()
    if len(lines) == 1:
        return leaf_hash(lines[0])
    split = 1
    while split * 2 < len(lines):
        split *= 2
    return hashlib.sha256(b"\x01" + naive_root(lines[:split]) + naive_root(lines[split:])).digest()


@given(st.lists(st.binary(max_size=5), max_size=40))
def test_the_root_of_a_log_is_that_of_rfc_6962(lines: list[bytes]) -> None:
    assert list(grown_roots(lines)) == [naive_root(lines[:size]) for size in range(len(lines) + 1)]
    tree = Tree()
    for line in lines:
        tree = read_tree(tree.write()).grow(line)
    assert tree.root == naive_root(lines)


def test_a_checkpoint_is_a_signed_note() -> None:
    checkpoint = sign_tree(Tree().grow(b"one").grow(b"two"), SIGNER)
    assert checkpoint.is_signed_by(SIGNER.public)
    assert read_checkpoint(checkpoint.line) == checkpoint
    origin, size, root, empty, signature, end = checkpoint.note.split("\n")
    assert (origin, size, empty, end) == ("caravan@post.example", "2", "", "")
    assert len(root) == 44
    assert signature.startswith("— caravan@post.example ")
    assert checkpoint.key_id == key_id("caravan@post.example", SIGNER.public)
    assert not checkpoint._replace(size=3).is_signed_by(SIGNER.public)
    assert not checkpoint._replace(signature="AAAA").is_signed_by(SIGNER.public)
    assert not checkpoint._replace(signature="!").is_signed_by(SIGNER.public)


def test_a_checkpoint_that_names_another_key_than_it_is_signed_with_is_not_signed() -> None:
    """Whoever looks keys up by their short names, as programs for signed notes do, would take it for another's."""
    checkpoint = sign_tree(Tree().grow(b"one"), SIGNER)
    raw = base64.b64decode(checkpoint.signature)
    other = bytes.fromhex(key_id("somebody@else.example", SIGNER.public)) + raw[4:]
    renamed = checkpoint._replace(signature=base64.b64encode(other).decode())
    assert renamed.key_id != checkpoint.key_id
    assert not renamed.is_signed_by(SIGNER.public)


@pytest.mark.parametrize("line", ["", "a b c d", "one two", "a 1 b c d"])
def test_what_is_no_checkpoint_is_none(line: str) -> None:
    assert read_checkpoint(line) is None


def test_a_signature_of_nonsense_is_no_signature() -> None:
    assert not is_signed(b"short", b"message", b"signature")
    assert not is_signed(SIGNER.public, b"message", bytes(64))
