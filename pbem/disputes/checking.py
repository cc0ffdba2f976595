"""A bundle checked on another machine: nothing in it is believed, and everything is done again.

What is wrong is a sentence, never an exception; whatever a forged bundle holds, the check ends.
"""

from typing import NamedTuple

from pbem.disputes.bundle import RECORD, STATEMENTS
from pbem.disputes.bundle_check import judge_manifest, judge_words, why_unproved
from pbem.disputes.bundle_letters import DIGESTS, IDLE, JUDGED, VEILED, Reviewer
from pbem.disputes.unpacking import NoBundleError, Unpacked, unpack
from pbem.proof.public_beacon import UncheckedBeaconError
from pbem.verify.check_mails import Key, choose_key
from pbem.verify.check_record import Checker, Verified
from pbem.verify.stating import find_statements


class Checked(NamedTuple):
    """What came of a bundle."""

    table: str
    case: int
    wrong: tuple[str, ...]
    unproved: tuple[str, ...]
    """What nobody vouches for, so that it may be anybody's."""
    key: str
    """The public key that it was checked with; empty if the post does not sign."""
    key_given: bool
    """Whether that is the key of whoever checks; else the bundle brought it along."""
    letters: int
    judged: int
    """Letters that were read and judged again."""
    digests: int
    """Letters that are not in the bundle, only their digests."""
    veiled: int
    """Letters that met a table which cannot be known yet."""
    veil: int
    """The first event of which something is sealed; 0 if nothing is."""
    idle: int
    """Letters that the post did not act on."""
    sealed: int
    """Values that are sealed still."""


def check_bundle(content: bytes, given: bytes | None = None) -> Checked:
    """Do everything again that a bundle tells of; `given` is the post's public key, if that is known."""
    bundle = unpack(content)
    verified = _verify(bundle, given)
    testimony = verified.testimony if verified.is_good else None
    key = Key(given, True) if given is not None else None
    if testimony is not None:
        key = choose_key(testimony, given)
    wrong = [f"{RECORD}:{finding.line}: {finding.check} {finding.reason}" for finding in verified.findings]
    if key is not None:
        wrong += judge_manifest(bundle, key)
    reviewer = None
    if testimony is not None:
        reviewer = Reviewer(bundle, testimony, key)
        wrong += judge_words(bundle, testimony, key)
        wrong += reviewer.review()
    done = reviewer.done if reviewer is not None else {}
    return Checked(
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


def _verify(bundle: Unpacked, given: bytes | None) -> Verified:
    stated = find_statements(bundle.parts.get(STATEMENTS, b"").decode("utf-8", "replace"))
    text = bundle.parts[RECORD].decode("utf-8", "surrogateescape")
    try:
        verified = list(Checker(given, stated=stated).check(text))
    except UncheckedBeaconError as problem:
        raise NoBundleError(str(problem)) from None
    if len(verified) != 1:
        raise NoBundleError(f"it holds {len(verified) or 'no'} records")
    return verified[0]
