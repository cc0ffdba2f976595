"""The letters of a bundle: compared with their digests, receipts and the record, then read and judged again.

After the first sealed value the table is not known. Letters after that are reported as not judged.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from itertools import takewhile
from typing import Any, Final

from engine.chance import Dealer, KeyedDealer
from pbem.disputes.bundle import UnpackedBundle
from pbem.disputes.rejudge import code_of, drafts_of, first_difference, rejudge
from pbem.disputes.replayed_history import ReplayedHistory, replay_history
from pbem.events.kinds import InvitationAccepted, TurnPlayed, letter_of
from pbem.mail.reading import Letter, read_letter
from pbem.mail.reply_address import PostIdentity
from pbem.proof.receipts import APPLIED, REFUSED, FoundReceipt, Receipt, read_receipts
from pbem.store.timestamps import format_timestamp
from pbem.tables.chance import GameDealer
from pbem.tables.fold import BrokenHistoryError
from pbem.verify.post_keys import PostKey, find_keys
from pbem.verify.read_proof import RecordProof
from pbem.workflow.sender_checks import REJECTIONS

JUDGED: Final = "judged"
DIGESTS: Final = "digests"
VEILED: Final = "veiled"
IDLE: Final = "idle"
_BY_LETTER: Final = (TurnPlayed, InvitationAccepted)


class LetterReviewer:
    """Checks the letters of one bundle whose record was found good."""

    def __init__(self, bundle: UnpackedBundle, proof: RecordProof, key: PostKey | None) -> None:
        self.done: Counter[str] = Counter()
        """What was done with the letters: judged again, or why not."""
        self._parts = bundle.parts
        self._listed = [each for each in bundle.letters if isinstance(each, dict)]
        self._keys = find_keys(proof, key.public if key is not None and key.is_given else None)
        self._recorded = proof.recorded
        self._post = _read_identity(bundle.post)
        self._caused = {
            letter_of(each.event.payload) for each in self._recorded if isinstance(each.event.payload, _BY_LETTER)
        }
        seed = proof.closing.seed
        self._chance = bool(seed)
        self._dealer: Dealer = GameDealer(bytes.fromhex(seed)) if seed else KeyedDealer(b"nobody knows")
        self._history: ReplayedHistory | None = None

    @property
    def veil(self) -> int:
        """The number of the first event with a sealed value; 0 if there is none."""
        return next((recorded.event.seq for recorded in self._recorded if not recorded.is_whole), 0)

    def review(self) -> Iterator[str]:
        """All problems with the letters."""
        try:
            self._history = replay_history(
                recorded.event for recorded in takewhile(lambda recorded: recorded.is_whole, self._recorded)
            )
        except (BrokenHistoryError, LookupError, TypeError, ValueError, AttributeError):
            yield "the events of the record do not make a table that letters could be judged at"
            return
        yield from self._compare_with_events()
        for each in self._listed:
            name = f"letter {each.get('number')}"
            if each.get("file") is None:
                self.done[DIGESTS] += 1
            else:
                yield from (f"{name} {why}" for why in self._review(each))

    def _compare_with_events(self) -> Iterator[str]:
        """Compare the list of letters with the events that name them."""
        known = {each.get("sha256"): each for each in self._listed}
        for event in (recorded.event for recorded in self._recorded):
            happened = event.payload
            named = letter_of(happened)
            listed = known.get(named)
            if named and listed is None:
                yield f"event {event.seq} names a letter that is not in the list"
            elif listed is None or not isinstance(happened, _BY_LETTER):
                continue
            elif (listed.get("seat"), listed.get("fate")) != (happened.seat, APPLIED):
                name = f"letter {listed.get('number')}"
                yield f"{name} is not listed as {APPLIED} for {happened.seat}, as event {event.seq} says"

    def _review(self, listed: dict[str, Any]) -> Iterator[str]:
        raw = self._parts.get(str(listed["file"]))
        if raw is None:
            yield "is missing"
            return
        digest = hashlib.sha256(raw).hexdigest()
        if digest != listed.get("sha256"):
            yield f"is not the letter that came: its digest is {digest}"
            return
        lines = listed.get("receipt")
        signed = next(read_receipts(map(str, lines if isinstance(lines, list) else [])), None)
        if signed is None:
            if self._wants_receipt(listed, digest):
                yield "has no receipt, though it was acted on"
            self.done[IDLE] += 1
            return
        wrong = [*self._check_receipt(signed, digest), *_compare(listed, signed.receipt)]
        yield from wrong or self._judge_again(raw, listed, signed.receipt)

    def _wants_receipt(self, listed: dict[str, Any], digest: str) -> bool:
        """Whether there must be a receipt. Only letters from unknown senders get none."""
        fate, reason = listed.get("fate"), listed.get("reason")
        acted = fate == APPLIED or (fate == REFUSED and reason not in REJECTIONS)
        return self._keys.last is not None and (acted or digest in self._caused)

    def _check_receipt(self, signed: FoundReceipt, digest: str) -> Iterator[str]:
        """Compare a receipt with the letter and the record."""
        receipt, name = signed.receipt, f"receipt {signed.receipt.number}"
        key = self._keys.at(receipt.after[0])
        if key is None or not signed.is_signed_by(key.public):
            yield f"is wrong: {name} is not signed with {key or 'a known key'}"
        if (receipt.letter, receipt.game) != (digest, self._recorded[0].event.game):
            yield f"is wrong: {name} is for another letter"
        for seq, head in (receipt.before, receipt.after):
            if not 0 < seq <= len(self._recorded) or self._recorded[seq - 1].event.hash != head:
                yield f"is wrong: {name} knows another event {seq}"

    def _judge_again(self, raw: bytes, listed: dict[str, Any], receipt: Receipt) -> Iterator[str]:
        if self._history is None or receipt.before[0] > len(self._history.tables):
            self.done[VEILED] += 1
            return
        sender, to = listed.get("envelope_from"), listed.get("envelope_to")
        letter = read_letter(
            raw,
            post=self._post,
            envelope_from=sender if isinstance(sender, str) else None,
            envelope_to=tuple(map(str, to)) if isinstance(to, list) else (),
        )
        met, now = self._history.tables[receipt.before[0] - 1], _read_moment(receipt.received)
        if not isinstance(letter, Letter) or receipt.seat not in met.seats or now is None:
            yield "cannot be read any more"
            return
        recorded = self._recorded[receipt.before[0] : receipt.after[0]]
        happened = [each.event for each in recorded]
        again = rejudge(
            met, receipt.seat, letter, digest=receipt.letter, dealer=self._dealer, now=now, happened=happened
        )
        self.done[JUDGED] += 1
        wrong = first_difference(
            drafts_of(again),
            happened,
            chance=self._chance,
            blinded=True,
            closed={each.event.seq for each in recorded if not each.is_whole},
        )
        if wrong is not None:
            yield f"does not make event {wrong} when it is read again"
        elif code_of(again) != receipt.rule:
            yield f"meets {code_of(again) or 'no rule'} instead of {receipt.rule or 'none'} when it is read again"


def _compare(listed: dict[str, Any], receipt: Receipt) -> Iterator[str]:
    """Compare the list's entry for a letter with its receipt."""
    fate = APPLIED if receipt.was_carried_out else REFUSED
    said = {"received": receipt.received, "seat": receipt.seat, "fate": fate}
    if fate == REFUSED:
        said["reason"] = receipt.rule
    for name, value in said.items():
        if listed.get(name) != value:
            yield f"is listed with another {name} than its receipt: {listed.get(name)}, not {value}"


def _read_identity(post: dict[str, Any]) -> PostIdentity:
    authserv, domains = post.get("authserv_id"), post.get("domains")
    return PostIdentity(
        str(post.get("address", "")),
        authserv if isinstance(authserv, str) else None,
        b"",
        tuple(map(str, domains)) if isinstance(domains, list) else (),
    )


def _read_moment(written: str) -> datetime | None:
    """A timestamp in the form of events, or None."""
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None and format_timestamp(moment) == written else None
