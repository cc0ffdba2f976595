"""What the post signs: records, receipts, and checkpoints of the log of all games."""

import base64
import binascii
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.second_verifier.second_writing import RecordError, canon, sha


def signed_by(public: Any, signature: Any, message: Any) -> Any:
    """Whether this is the signature of a public key under a message."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def short_name(post: Any, public: Any) -> Any:
    """The short name of a post's key."""
    return sha(post.encode(), b"\x0a\x01", public)[:4]


def keys_of(events: Any) -> Any:
    """The keys of the post in this game, each with the number of the event from which on it signs."""
    key = events[0].data["proof"].get("key")
    later = [(event.seq, event.data["key"]) for event in events if event.kind == "rekeyed"]
    return [*([(1, key)] if key is not None else []), *later]


def key_at(events: Any, seq: Any) -> Any:
    """The key in force at an event, as bytes; no bytes if there was none."""
    return bytes.fromhex(next((key for since, key in reversed(keys_of(events)) if since <= seq), ""))


def rekeyed_by(public: Any, post: Any, game: Any, seq: Any, key: Any, signature: Any) -> Any:
    """Whether an old key vouches for a new one."""
    return signed_by(public, bytes.fromhex(signature), canon(["pbm-rekeyed-1", post, game, seq, key]))


def unvouched(events: Any) -> Any:
    """The numbers of events that bring a new key for which the old one does not vouch."""
    return [event.seq for event in events if event.kind == "rekeyed" and not event.data["signature"]]


def check_signature(game: Any, events: Any, ending: Any, key: Any = None) -> None:
    """A post that signs has signed the head, with the last key that it named and that is asked for."""
    line, named = events[-1].line, next((key for _, key in reversed(keys_of(events))), None)
    for event in events:
        if event.withheld:
            digest, signature = event.withheld
            left = canon(["pbm-withheld-1", game, event.seq, event.hash, digest, sha(canon(event.data)).hex()])
            if not signed_by(bytes.fromhex(named or ""), bytes.fromhex(signature), left):
                raise RecordError("signature", event.line, f"nobody signed what is left of event {event.seq}")
    if key is not None and named != key:
        raise RecordError("signature", events[0].line, "the post named another key")
    if named is None and ending.signed is None:
        return
    if named is None or ending.signed is None:
        raise RecordError("signature", line, "the record is signed and no key was named, or the other way round")
    post, public, signature = ending.signed
    message = canon(["pbm-record-1", post, game, *ending.head])
    if public != named or not signed_by(bytes.fromhex(public), bytes.fromhex(signature), message):
        raise RecordError("signature", line, "the signature is not the post's")
    for event in events:
        data = event.data
        if event.kind == "rekeyed" and data["signature"]:
            old = key_at(events, event.seq - 1)
            if not rekeyed_by(old, post, game, event.seq, data["key"], data["signature"]):
                raise RecordError("signature", event.line, f"the old key did not sign event {event.seq}")


def receipt_holds(lines: Any, public: Any) -> Any:
    """Whether a receipt, given line by line, is signed by this key."""
    *said, last = lines
    word, _, signature = last.partition(" ")
    body = "".join(f"{line}\n" for line in said).encode()
    return word == "signature" and signed_by(public, base64_bytes(signature.replace(" ", "")), body)


def checkpoint_holds(checkpoint: Any, public: Any) -> Any:
    """Whether a checkpoint (origin, size, root, signature) is signed by this key."""
    origin, size, root, signature = checkpoint
    signed = base64_bytes(signature)
    note = f"{origin}\n{size}\n{root}\n".encode()
    return signed[:4] == short_name(origin, public) and signed_by(public, signed[4:], note)


def base64_bytes(text: Any) -> Any:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def tree_root(leaves: Any) -> Any:
    """The root of the Merkle tree of RFC 6962 over these lines."""
    if len(leaves) < 2:
        return sha(b"\x00", leaves[0]) if leaves else sha()
    half = 1
    while half * 2 < len(leaves):
        half *= 2
    return sha(b"\x01", tree_root(leaves[:half]), tree_root(leaves[half:]))
