"""Who vouches for a bundle: its manifest held against its files, and what it says of itself against its record."""

from collections.abc import Iterator

from pbem.disputes.bundle import LETTERS, MANIFEST, POST, RECORD, STATEMENTS
from pbem.disputes.unpacking import Unpacked
from pbem.proof.manifest import list_files
from pbem.verify.check_mails import Key
from pbem.verify.read_proof import Testimony


def judge_manifest(bundle: Unpacked, key: Key) -> Iterator[str]:
    """Everything in which the files of a bundle are not those that its post has signed."""
    if MANIFEST not in bundle.parts:
        return
    if bundle.manifest is None:
        yield f"{MANIFEST} is broken"
        return
    manifest, slip = bundle.manifest
    if not slip.is_signed_by(key.public):
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


def why_unproved(bundle: Unpacked, key: Key | None) -> Iterator[str]:
    """What nobody has vouched for, though the post signs."""
    if key is None or MANIFEST in bundle.parts:
        return
    proved = (RECORD, STATEMENTS)
    rest = ", ".join(sorted(name for name in _others(bundle) if name not in proved and not name.startswith("letters/")))
    yield (
        f"it has no {MANIFEST}, as older bundles have none, so anybody can have changed {rest}: only the record, its "
        f"statements and letters with receipts are proved; ask the post for a new bundle"
    )


def judge_words(bundle: Unpacked, testimony: Testimony, key: Key | None) -> Iterator[str]:
    """Everything in which what a bundle says of itself is not what its record says."""
    opened, signed = testimony.told[0].event, testimony.closing.signed
    if _say(bundle, "table") != opened.game:
        yield f"{POST} is about {_say(bundle, 'table')}, and the record about {opened.game}"
    cases = [told.event.data.get("case") for told in testimony.told if told.event.kind == "appealed"]
    if bundle.case not in cases:
        yield f"{POST} is about case {bundle.case}, and the record has no such case"
    if (rules := f"{opened.data['game']}, edition {opened.data['rules']}") != _say(bundle, "rules"):
        yield f"{POST} says that the rules are {_say(bundle, 'rules')}, and the record {rules}"
    if signed is not None and signed[0] != _say(bundle, "address"):
        yield f"{POST} is of {_say(bundle, 'address')}, and the record of {signed[0]}"
    if (key.public.hex() if key is not None else "") != _say(bundle, "key"):
        yield f"{POST} names another key than {key}" if key is not None else f"{POST} names a key, and the record none"
    if any(not isinstance(each, dict) for each in bundle.letters):
        yield f"{LETTERS} cannot be read: something in it is no letter"


def _others(bundle: Unpacked) -> dict[str, bytes]:
    return {name: content for name, content in bundle.parts.items() if name != MANIFEST}


def _say(bundle: Unpacked, name: str) -> str:
    return str(bundle.post.get(name) or "")
