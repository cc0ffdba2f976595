"""Check a bundle on another machine: nothing in it is believed, everything is computed again.

A problem is reported as a sentence, never as an exception. The check ends for any forged input.
"""

from collections.abc import Iterator
from typing import NamedTuple

from pbem.disputes.bundle import (
    LETTERS,
    MANIFEST,
    POST,
    RECORD,
    STATEMENTS,
    NotABundleError,
    UnpackedBundle,
    unpack,
)
from pbem.disputes.bundle_letters import DIGESTS, IDLE, JUDGED, VEILED, LetterReviewer
from pbem.events.kinds import CaseAppealed
from pbem.proof.manifest import list_files
from pbem.proof.public_beacon import UncheckedBeaconError
from pbem.verify.check_record import Checker, Verified
from pbem.verify.check_statements import find_statements
from pbem.verify.post_keys import PostKey, find_keys
from pbem.verify.read_proof import RecordProof


def check_manifest(bundle: UnpackedBundle, key: PostKey) -> Iterator[str]:
    """All differences between the files of a bundle and the signed manifest."""
    if MANIFEST not in bundle.parts:
        return
    if bundle.manifest is None:
        yield f"{MANIFEST} is broken"
        return
    manifest, note = bundle.manifest
    if not note.is_signed_by(key.public):
        yield f"{MANIFEST} is not signed with {key}"
        return
    if (manifest.post, manifest.game, manifest.case) != (_say(bundle, "address"), _say(bundle, "table"), bundle.case):
        yield f"{MANIFEST} is of another bundle: case {manifest.case} at {manifest.game}, of {manifest.post}"
    signed = {name: digest for digest, name in manifest.files}
    found = {name: digest for digest, name in list_files(_others(bundle))}
    for name in sorted({*signed, *found}):
        if name not in found:
            yield f"{name} was taken out"
        elif name not in signed:
            yield f"{name} was put in by somebody else"
        elif signed[name] != found[name]:
            yield f"{name} is not as the post made it: somebody has changed it"


def why_unproved(bundle: UnpackedBundle, key: PostKey | None) -> Iterator[str]:
    """What is not covered by a signature although the post signs."""
    if key is None or MANIFEST in bundle.parts:
        return
    proved = (RECORD, STATEMENTS)
    rest = ", ".join(sorted(name for name in _others(bundle) if name not in proved and not name.startswith("letters/")))
    yield (
        f"it has no {MANIFEST}, as older bundles have none, so anybody can have changed {rest}: only the record, its "
        f"statements and letters with receipts are proved; ask the post for a new bundle"
    )


def check_description(bundle: UnpackedBundle, proof: RecordProof, key: PostKey | None) -> Iterator[str]:
    """All differences between what a bundle says about itself and what its record says."""
    opened, signed = proof.recorded[0].event, proof.closing.signed
    if _say(bundle, "table") != opened.game:
        yield f"{POST} is about {_say(bundle, 'table')}, and the record about {opened.game}"
    payloads = [recorded.event.payload for recorded in proof.recorded]
    cases = [payload.case for payload in payloads if isinstance(payload, CaseAppealed)]
    if bundle.case not in cases:
        yield f"{POST} is about case {bundle.case}, and the record has no such case"
    if (rules := f"{proof.opened.game}, edition {proof.opened.rules}") != _say(bundle, "rules"):
        yield f"{POST} says that the rules are {_say(bundle, 'rules')}, and the record {rules}"
    if signed is not None and signed[0] != _say(bundle, "address"):
        yield f"{POST} is of {_say(bundle, 'address')}, and the record of {signed[0]}"
    if (key.public.hex() if key is not None else "") != _say(bundle, "key"):
        yield f"{POST} names another key than {key}" if key is not None else f"{POST} names a key, and the record none"
    if any(not isinstance(each, dict) for each in bundle.letters):
        yield f"{LETTERS} cannot be read: something in it is no letter"


def _others(bundle: UnpackedBundle) -> dict[str, bytes]:
    return {name: content for name, content in bundle.parts.items() if name != MANIFEST}


def _say(bundle: UnpackedBundle, name: str) -> str:
    return str(bundle.post.get(name) or "")


class CheckedBundle(NamedTuple):
    """The result of a check."""

    table: str
    case: int
    wrong: tuple[str, ...]
    unproved: tuple[str, ...]
    """What no signature covers. Anybody could have written it."""
    key: str
    """The public key that was used; empty if the post does not sign."""
    key_given: bool
    """True if the key came from the person who checks; False if it came with the bundle."""
    letters: int
    judged: int
    """Letters that were read and judged again."""
    digests: int
    """Letters of which only the digest is in the bundle."""
    veiled: int
    """Letters that cannot be judged yet, because something before them is still sealed."""
    veil: int
    """The number of the first event with a sealed value; 0 if there is none."""
    idle: int
    """Letters that the post did not act on."""
    sealed: int
    """Values that are still sealed."""


def check_bundle(content: bytes, given: bytes | None = None) -> CheckedBundle:
    """Check everything that a bundle claims. `given` is the post's public key, if you have it from elsewhere."""
    bundle = unpack(content)
    verified = _verify(bundle, given)
    proof = verified.proof if verified.is_good else None
    key = PostKey(given, True) if given is not None else None
    if proof is not None:
        key = find_keys(proof, given).last
    wrong = [f"{RECORD}:{finding.line}: {finding.check} {finding.reason}" for finding in verified.findings]
    if key is not None:
        wrong += check_manifest(bundle, key)
    reviewer = None
    if proof is not None:
        reviewer = LetterReviewer(bundle, proof, key)
        wrong += check_description(bundle, proof, key)
        wrong += reviewer.review()
    done = reviewer.done if reviewer is not None else {}
    return CheckedBundle(
        table=verified.game,
        case=bundle.case,
        wrong=tuple(wrong),
        unproved=tuple(why_unproved(bundle, key)),
        key=key.public.hex() if key is not None else "",
        key_given=given is not None,
        letters=len(bundle.letters),
        judged=done.get(JUDGED, 0),
        digests=done.get(DIGESTS, 0),
        veiled=done.get(VEILED, 0),
        veil=reviewer.veil if reviewer is not None else 0,
        idle=done.get(IDLE, 0),
        sealed=verified.sealed,
    )


def _verify(bundle: UnpackedBundle, given: bytes | None) -> Verified:
    stated = find_statements(bundle.parts.get(STATEMENTS, b"").decode("utf-8", "replace"))
    text = bundle.parts[RECORD].decode("utf-8", "surrogateescape")
    try:
        verified = list(Checker(given, stated=stated).check(text))
    except UncheckedBeaconError as problem:
        raise NotABundleError(str(problem)) from None
    if len(verified) != 1:
        raise NotABundleError(f"it holds {len(verified) or 'no'} records")
    return verified[0]
