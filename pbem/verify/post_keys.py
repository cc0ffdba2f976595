"""The keys that a post has signed a game with: the one it was opened with, and those that took its place later."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from pbem.events.annotations import signed_head
from pbem.events.chain import withheld_message
from pbem.events.codec import encode
from pbem.events.post_kinds import KeyReplaced
from pbem.proof.signatures import is_signed, new_key_message
from pbem.verify.finding import SIGNATURE, Finding
from pbem.verify.read_proof import RecordProof

_KEY: Final = re.compile(r"[0-9a-f]{64}")


class PostKey(NamedTuple):
    """A key that something must be signed with: given by the user, or only named by the record itself."""

    public: bytes
    is_given: bool

    def __str__(self) -> str:
        return "this key" if self.is_given else "the key that the record names"


class PostKeys(NamedTuple):
    """The keys of a game, each with the number of the event from which on it is in force."""

    keys: tuple[tuple[int, PostKey], ...]

    @property
    def last(self) -> PostKey | None:
        """The key that is in force at the end."""
        return self.keys[-1][1] if self.keys else None

    @property
    def all(self) -> tuple[PostKey, ...]:
        """Every key that ever was in force."""
        return tuple(key for _, key in self.keys)

    def at(self, seq: int) -> PostKey | None:
        """The key in force at an event; None if the post did not sign."""
        found = [key for since, key in self.keys if since <= seq]
        return found[-1] if found else None

    def since(self, seq: int) -> tuple[PostKey, ...]:
        """The key in force at an event, and all later ones: what was said about it later may be signed with these."""
        first = self.at(seq)
        return self.all[self.all.index(first) :] if first is not None else ()


def find_keys(proof: RecordProof, given: bytes | None) -> PostKeys:
    """The keys to check mails with. A key that was given takes the place of the last one that the record names."""
    named = [(0, proof.opened.promised.get("key"))]
    for recorded in proof.recorded:
        if isinstance(recorded.event.payload, KeyReplaced):
            named.append((recorded.event.seq, recorded.event.payload.key))
    keys = [(since, PostKey(bytes.fromhex(str(key)), False)) for since, key in named if _is_key(key)]
    if given is not None:
        since = keys[-1][0] if len(keys) > 1 else 0
        keys = [*keys[:-1], (since, PostKey(given, True))]
    return PostKeys(tuple(keys))


def _is_key(key: object) -> bool:
    return isinstance(key, str) and _KEY.fullmatch(key) is not None


def check_signature(proof: RecordProof, given: bytes | None) -> Iterator[Finding]:
    """The record must be signed with the last key that it names, and with the given key; new keys with the old ones."""
    closing, opened, line = proof.closing, proof.recorded[0].event, proof.last_line
    yield from _check_new_keys(proof)
    yield from _check_withheld(proof)
    named = _last_named(proof)
    if closing.signed is None:
        if given is not None or named is not None:
            yield Finding(SIGNATURE, line, "the record is not signed")
        return
    post, public, signature = closing.signed
    message = signed_head(post, opened.game, closing.seq, closing.head)
    if public != named or (given is not None and public != given.hex()):
        yield Finding(SIGNATURE, line, "the record is signed with another key")
    elif not is_signed(bytes.fromhex(public), message, bytes.fromhex(signature)):
        yield Finding(SIGNATURE, line, "the signature is not one under this record")


def _check_withheld(proof: RecordProof) -> Iterator[Finding]:
    """Where a name or words were taken out of an event, the post has signed what is left."""
    public = proof.closing.signed[1] if proof.closing.signed is not None else ""
    for recorded in proof.recorded:
        event, kept = recorded.event, recorded.event.withheld
        if kept is not None:
            message = withheld_message(event.game, event.seq, event.hash, kept.digest, encode(event.payload))
            if not is_signed(bytes.fromhex(public), message, bytes.fromhex(kept.signature)):
                yield Finding(SIGNATURE, recorded.line, f"the post has not signed what is left of event {event.seq}")


def _last_named(proof: RecordProof) -> object:
    """The key that the record names last; None if it names none."""
    named = proof.opened.promised.get("key")
    for recorded in proof.recorded:
        if isinstance(recorded.event.payload, KeyReplaced):
            named = recorded.event.payload.key
    return named


def _check_new_keys(proof: RecordProof) -> Iterator[Finding]:
    """A new key must be one, and be signed by the old key or by none."""
    post = proof.closing.signed[0] if proof.closing.signed is not None else ""
    old, game = proof.opened.promised.get("key"), proof.recorded[0].event.game
    for recorded in proof.recorded:
        payload, seq = recorded.event.payload, recorded.event.seq
        if not isinstance(payload, KeyReplaced):
            continue
        message = new_key_message(post, game, seq, payload.key)
        if not _is_key(payload.key):
            yield Finding(SIGNATURE, recorded.line, f"event {seq} names no key")
        elif payload.signature and not _is_signed(old, message, payload.signature):
            yield Finding(SIGNATURE, recorded.line, f"the new key of event {seq} is not signed with the old one")
        old = payload.key


def _is_signed(key: object, message: bytes, signature: str) -> bool:
    try:
        return isinstance(key, str) and is_signed(bytes.fromhex(key), message, bytes.fromhex(signature))
    except ValueError:
        return False


def remarks_on_keys(proof: RecordProof, given: bytes | None) -> Iterator[str]:
    """New keys that nobody vouches for."""
    for recorded in proof.recorded:
        payload = recorded.event.payload
        if isinstance(payload, KeyReplaced) and not payload.signature and given is None:
            yield (
                f"event {recorded.event.seq} of {recorded.event.at} names a new key that the old one has not signed: "
                f"nobody vouches for it; give --key to be sure it is the post's"
            )
