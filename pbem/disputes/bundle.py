"""A case in one file (zip): record, letters, receipts, page, key and versions; written, and read again.

If the post signs, it also signs a manifest of all files. Otherwise anybody could change the page or the list of letters
on the way.

A letter contains what its sender saw and reply addresses that still work. So a letter is in the bundle only if the game
is over or there is a warrant for its seat. Its digest is always there.
"""

import hashlib
import io
import json
import platform
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, NamedTuple

from pbem.disputes.case_file import CaseFile
from pbem.disputes.case_page import HTML, TEXT, build_case_file, render_page
from pbem.disputes.replayed_history import ReplayedHistory, read_history
from pbem.proof.manifest import FoundManifest, Manifest, list_files, read_manifest, sign_manifest
from pbem.proof.signatures import Signer
from pbem.store.rows import LetterRow
from pbem.store.store import Transaction
from pbem.store.timestamps import format_timestamp
from pbem.tables.cases import find_case
from pbem.workflow.context import PostContext
from pbem.workflow.record_proof import record_text

FORM: Final = "caravan-post-case-1"
README: Final = "README.txt"
RECORD: Final = "record.turns"
LETTERS: Final = "letters.json"
POST: Final = "post.json"
STATEMENTS: Final = "statements.txt"
MANIFEST: Final = "manifest.txt"
_LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)
"""The date of every file, so that the same case gives the same bytes."""

_WELCOME: Final = """\
Case {case} at {table}: {title}
made {made} by {post}, with caravan-post {program}

To check all of it, on any machine, without the post and without a network:

    pip install caravan-post
    pbem case check this-file.zip --key KEY

KEY is the post's public key as it was published, or as you have it from elsewhere. Without it the key in this bundle is
used, and told: whoever forges a bundle brings a key along, so compare it.

The record is verified, {vouched}.
Every letter is held against its digest and its signed receipt, then read and judged again, and must bring about the
same events. While a game goes on, that can be done only for letters from before the first event that is sealed, and
only as far as the dice, whose seed is opened in the end; the check says how many letters were judged, and why not all.

{record}    the public record of the game with its proof
case.html       the page about the case, for people; case.txt is the same as text
{letters}    every letter of the game: number, seat, digest, fate, receipt
letters/        the letters as they came, as far as they may leave the house
{statements}  what the post stated and signed about the draws of the turn, if chance had a hand in it
{post_file}       the post, its public key, and the versions of program and rules
{manifest}

Keep this file to yourself: whoever has a letter has the reply address that it was sent to.
"""


_VOUCHED: Final = "and every file here must be the one that the post has put in and signed for"
_NOT_VOUCHED: Final = "but this post does not sign: nothing here shows who made the bundle, or changed it"
_MANIFEST_LINE: Final = f"{MANIFEST}    the digests of all files, signed by the post"


class Bundle(NamedTuple):
    """A bundle, and how many of the letters are in it."""

    content: bytes
    letters: int
    of: int


def make_bundle(context: PostContext, table: str, number: int) -> Bundle | str:
    """The bundle of a case, or one line that says why there is none."""
    file = build_case_file(context, table, case=number)
    if isinstance(file, str):
        return file
    with context.store.reading() as transaction:
        found = read_history(transaction, table)
        if found is None:
            return f"there is no table {table}"
        row, history = found
        letters = transaction.letters_of(table)
        open_to = _opened_seats(history, number)
        listed = [_list_letter(transaction, letter, whole=letter.seat in open_to) for letter in letters]
    # After a new key, games that cannot say so in their chain are still signed for with the old one.
    signer = context.signer_for(history.now)
    parts: dict[str, bytes] = {
        RECORD: record_text(context, row, history.events).encode(),
        LETTERS: _dump(listed),
        POST: _dump(_describe(context, file, signer)),
        "case.html": render_page(file, HTML).encode(),
        "case.txt": render_page(file, TEXT).encode(),
        STATEMENTS: "".join(f"{line}\n" for draw in file.draws for line in draw.statement).encode(),
        **{_name(letter): letter.raw for letter in letters if letter.seat in open_to},
    }
    parts[README] = _WELCOME.format(
        case=number,
        table=table,
        title=file.title,
        made=format_timestamp(context.now()),
        post=context.identity.address,
        program=program_version(),
        record=RECORD,
        letters=LETTERS,
        post_file=POST,
        statements=STATEMENTS,
        vouched=_VOUCHED if signer is not None else _NOT_VOUCHED,
        manifest=_MANIFEST_LINE if signer is not None else "",
    ).encode()
    if signer is not None:
        manifest = Manifest(signer.name, table, number, list_files(parts), signer.key_id)
        parts[MANIFEST] = "".join(f"{line}\n" for line in sign_manifest(manifest, signer)).encode()
    return Bundle(_pack(parts), sum(letter.seat in open_to for letter in letters), len(letters))


def program_version() -> str:
    """The installed version of this program."""
    try:
        return version("caravan-post")
    except PackageNotFoundError:
        return "run from its sources"


def _opened_seats(history: ReplayedHistory, number: int) -> set[str | None]:
    """The seats whose letters may be in the bundle."""
    if history.is_over:
        return {*history.now.seats}
    case = find_case(history.now, number)
    return {warrant.seat for warrant in case.warrants} if case is not None else set()


def _list_letter(transaction: Transaction, letter: LetterRow, *, whole: bool) -> dict[str, Any]:
    receipt = transaction.find_receipt(letter.id)
    listed: dict[str, Any] = {
        "number": letter.id,
        "seat": letter.seat,
        "received": format_timestamp(letter.received_at),
        "sha256": hashlib.sha256(letter.raw).hexdigest(),
        "fate": letter.state,
        "file": _name(letter) if whole else None,
    }
    if whole:
        # Why a letter was refused, and what it played, may be private.
        listed |= {
            "reason": letter.reason,
            "envelope_from": letter.env_from,
            "envelope_to": list(letter.env_to),
            "receipt": receipt.text.splitlines() if receipt is not None else [],
        }
    return listed


def _name(letter: LetterRow) -> str:
    return f"letters/{letter.id:06d}.eml"


def _describe(context: PostContext, file: CaseFile, signer: Signer | None) -> dict[str, Any]:
    identity = context.identity
    return {
        "form": FORM,
        "address": identity.address,
        "authserv_id": identity.authserv_id,
        "domains": list(identity.domains),
        "key": signer.public.hex() if signer is not None else None,
        "table": file.table,
        "case": file.case,
        "rules": file.rules,
        "program": program_version(),
        "python": platform.python_version(),
    }


def _dump(data: object) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()


def _pack(parts: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _in_order(parts):
            archive.writestr(zipfile.ZipInfo(name, _LONG_AGO), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _in_order(parts: dict[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """The files that explain the bundle come first."""
    yield README, parts[README]
    yield from ((name, content) for name, content in sorted(parts.items()) if name != README)


LARGEST: Final = 200_000_000
"""The most bytes that a bundle may unpack to."""


class NotABundleError(Exception):
    """The file is not a bundle, or not one that this version can check. The message says why."""


class UnpackedBundle(NamedTuple):
    """The contents of a bundle. None of it is trusted yet."""

    parts: dict[str, bytes]
    post: dict[str, Any]
    letters: list[Any]
    manifest: FoundManifest | None
    """None if it is missing or broken."""

    @property
    def case(self) -> int:
        """The number of the case, as the bundle claims."""
        case = self.post.get("case")
        return case if isinstance(case, int) else 0


def unpack(content: bytes) -> UnpackedBundle:
    """Read a bundle. Raises NotABundleError."""
    parts = _read_archive(content)
    post, letters = _read_json(parts, POST, dict), _read_json(parts, LETTERS, list)
    if post.get("form") != FORM:
        raise NotABundleError(f"it is not of the form {FORM}")
    lines = parts.get(MANIFEST, b"").decode("utf-8", "replace").splitlines()
    return UnpackedBundle(parts, post, letters, read_manifest(lines))


def _read_archive(content: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(each.file_size for each in archive.infolist()) > LARGEST:
                raise NotABundleError("it is too large")
            names = archive.namelist()
            # Of two files with one name, some programs show the first and others the last.
            if twice := next((name for name, times in Counter(names).items() if times > 1), None):
                raise NotABundleError(f"it has two files called {twice}")
            parts = {each.filename: archive.read(each) for each in archive.infolist()}
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError) as problem:
        raise NotABundleError(f"it cannot be unpacked: {problem}") from None
    if missing := [name for name in (RECORD, LETTERS, POST) if name not in parts]:
        raise NotABundleError(f"it has no {missing[0]}")
    return parts


def _read_json(parts: dict[str, bytes], name: str, kind: type) -> Any:
    try:
        found = json.loads(parts[name])
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, kind):
        raise NotABundleError(f"its {name} cannot be read")
    return found
