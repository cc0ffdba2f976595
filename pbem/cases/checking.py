"""A bundle checked on another machine: nothing in it is believed, and everything is done again.

What is wrong is a sentence, never an exception; whatever a forged bundle holds, the check ends.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from engine.chance import Dealer, KeyedDealer
from pbem.cases.bundling import FORM, LETTERS, POST, RECORD, STATEMENTS
from pbem.cases.history import History, retell
from pbem.cases.rejudging import code_of, drafts_of, first_difference, rejudge
from pbem.intake import Letter, PostIdentity, read_letter
from pbem.proof.receipts import Receipt, Signed, read_receipts
from pbem.tables.chance.dealing import GameDealer
from pbem.tables.folding import BrokenHistoryError
from pbem.verifying.rounds import UncheckedBeaconError
from pbem.verifying.stating import find_statements
from pbem.verifying.verifying import Checker, Verified

LARGEST: Final = 200_000_000
"""Bytes that a bundle may unpack to."""


class NoBundleError(Exception):
    """The file is no bundle, or none that can be checked here; why, in a few words."""


class Checked(NamedTuple):
    """What came of a bundle."""

    table: str
    case: int
    wrong: tuple[str, ...]
    letters: int
    judged: int
    """Letters that were read and judged again."""
    sealed: int
    """Values that are sealed still; while there are any, letters cannot be judged again."""


def check_bundle(content: bytes) -> Checked:
    """Do everything again that a bundle tells of."""
    parts = _unpack(content)
    post, listed = _read_json(parts, POST, dict), _read_json(parts, LETTERS, list)
    if post.get("form") != FORM:
        raise NoBundleError(f"it is not of the form {FORM}")
    key = _read_key(post.get("key"))
    stated = find_statements(parts.get(STATEMENTS, b"").decode("utf-8", "replace"))
    text = parts[RECORD].decode("utf-8", "surrogateescape")
    try:
        verified = next(iter(Checker(key, stated=stated).check(text)), None)
    except UncheckedBeaconError as problem:
        raise NoBundleError(str(problem)) from None
    if verified is None:
        raise NoBundleError("it holds no record")
    wrong = [f"{RECORD}:{finding.line}: {finding.check} {finding.reason}" for finding in verified.findings]
    judged = 0
    if verified.is_good:
        checker = _Letters(parts, post, key, verified)
        wrong += checker.check([each for each in listed if isinstance(each, dict)])
        judged = checker.judged
    table, case = str(post.get("table", "")), post.get("case")
    return Checked(table, case if isinstance(case, int) else 0, tuple(wrong), len(listed), judged, verified.sealed)


class _Letters:
    """The letters of a bundle, held against its record."""

    def __init__(self, parts: Mapping[str, bytes], post: dict[str, Any], key: bytes | None, verified: Verified) -> None:
        self.judged = 0
        self._parts = parts
        self._key = key
        authserv = post.get("authserv_id")
        domains = post.get("domains")
        self._post = PostIdentity(
            str(post.get("address", "")),
            authserv if isinstance(authserv, str) else None,
            b"",
            tuple(map(str, domains)) if isinstance(domains, list) else (),
        )
        self._testimony = verified.testimony
        self._history = self._retell()
        seed = self._testimony.closing.seed if self._testimony is not None else ""
        self._chance = bool(seed)
        self._dealer: Dealer = GameDealer(bytes.fromhex(seed)) if seed else KeyedDealer(b"nobody knows")

    def _retell(self) -> History | None:
        """The tables of the game; none while something is sealed."""
        if self._testimony is None or not self._testimony.is_whole:
            return None
        try:
            return retell(told.event for told in self._testimony.told)
        except (BrokenHistoryError, LookupError, TypeError, ValueError):
            return None

    def check(self, listed: list[dict[str, Any]]) -> Iterator[str]:
        known = {each.get("sha256") for each in listed}
        for told in self._testimony.told if self._testimony is not None else ():
            named = told.event.data.get("letter")
            if named and named not in known:
                yield f"event {told.event.seq} names a letter that is not in the list"
        for each in listed:
            if each.get("file") is not None:
                yield from self._check(each)

    def _check(self, listed: dict[str, Any]) -> Iterator[str]:
        name = f"letter {listed.get('number')}"
        raw = self._parts.get(str(listed["file"]))
        if raw is None:
            yield f"{name} is missing"
            return
        digest = hashlib.sha256(raw).hexdigest()
        if digest != listed.get("sha256"):
            yield f"{name} is not the letter that came: its digest is {digest}"
            return
        lines = listed.get("receipt")
        signed = next(read_receipts(map(str, lines if isinstance(lines, list) else [])), None)
        if signed is not None:
            yield from (f"{name}: {why}" for why in self._hold(signed, digest))
            yield from (f"{name}: {why}" for why in self._judge_again(raw, listed, signed.receipt))

    def _hold(self, signed: Signed, digest: str) -> Iterator[str]:
        """A receipt against the letter and the record."""
        receipt = signed.receipt
        if self._key is None or not signed.is_signed_by(self._key):
            yield f"receipt {receipt.number} is not signed with the key of the post"
        if receipt.letter != digest:
            yield f"receipt {receipt.number} is for another letter"
        told = self._testimony.told if self._testimony is not None else ()
        for seq, head in (receipt.before, receipt.after):
            if not 0 < seq <= len(told) or told[seq - 1].event.hash != head:
                yield f"receipt {receipt.number} knows another event {seq}"

    def _judge_again(self, raw: bytes, listed: dict[str, Any], receipt: Receipt) -> Iterator[str]:
        history = self._history
        if history is None or not 0 < receipt.before[0] <= receipt.after[0] <= len(history.events):
            return
        sender, to = listed.get("envelope_from"), listed.get("envelope_to")
        letter = read_letter(
            raw,
            post=self._post,
            envelope_from=sender if isinstance(sender, str) else None,
            envelope_to=tuple(map(str, to)) if isinstance(to, list) else (),
        )
        met, happened = history.tables[receipt.before[0] - 1], history.events[receipt.before[0] : receipt.after[0]]
        if not isinstance(letter, Letter) or receipt.seat not in met.seats:
            yield "it cannot be read any more"
            return
        now = datetime.fromisoformat(receipt.received)
        again = rejudge(met, receipt.seat, letter, digest=receipt.letter, dealer=self._dealer, now=now)
        self.judged += 1
        wrong = first_difference(drafts_of(again), happened, chance=self._chance, blinded=True)
        if wrong is not None:
            yield f"read again, it does not make event {wrong}"
        elif code_of(again) != receipt.rule:
            yield f"read again, it meets {code_of(again) or 'no rule'} instead of {receipt.rule or 'none'}"


def _unpack(content: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(each.file_size for each in archive.infolist()) > LARGEST:
                raise NoBundleError("it is too large")
            parts = {each.filename: archive.read(each) for each in archive.infolist()}
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError) as problem:
        raise NoBundleError(f"it cannot be unpacked: {problem}") from None
    if missing := [name for name in (RECORD, LETTERS, POST) if name not in parts]:
        raise NoBundleError(f"it has no {missing[0]}")
    return parts


def _read_json(parts: Mapping[str, bytes], name: str, kind: type) -> Any:
    try:
        found = json.loads(parts[name])
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, kind):
        raise NoBundleError(f"its {name} cannot be read")
    return found


def _read_key(written: object) -> bytes | None:
    try:
        return bytes.fromhex(written) if isinstance(written, str) and len(written) == 64 else None
    except ValueError:
        return None
