"""Checks a record against mailboxes.

Every mail about the game must agree with the record. A post that shows different histories to its players is found
by putting their mailboxes together.
"""

import hashlib
import unicodedata
from collections.abc import Iterator

from pbem.events.chain import phrase_of
from pbem.events.kinds import InvitationAccepted, TurnPlayed, seat_of
from pbem.events.payload import SECOND_FORM
from pbem.mail.commands.invitation import AcceptInvitation
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.format import HEAD_HEADER
from pbem.mail.reading import Letter, read_letter
from pbem.mail.reply_address import PostIdentity
from pbem.proof.draws import commitment
from pbem.proof.receipts import REFUSED, FoundReceipt, Receipt, mark_letter
from pbem.verify.finding import MAILBOX, Finding
from pbem.verify.forks import Fork, find_forks, fork_before
from pbem.verify.mailboxes import MailClaim, MailEvidence, SentMail
from pbem.verify.post_keys import PostKeys, find_keys
from pbem.verify.read_proof import RecordedEvent, RecordProof


def check_mailboxes(proof: RecordProof, evidence: MailEvidence, given: bytes | None) -> Iterator[Finding]:
    """Everything in which a record and some mailboxes contradict each other."""
    game, keys = proof.recorded[0].event.game, find_keys(proof, given)
    yield from _check_heads(proof, evidence, keys)
    yield from _check_promises(proof, evidence, game)
    yield from _check_openings(proof, evidence, game)
    letters: dict[str, list[RecordedEvent]] = {}
    for recorded in proof.recorded:
        if isinstance(recorded.event.payload, TurnPlayed):
            letters.setdefault(recorded.event.payload.letter, []).append(recorded)
    for signed in evidence.receipts:
        if signed.receipt.game == game:
            if not _is_signed(proof, signed, keys):
                key = keys.at(signed.receipt.after[0]) or "a known key"
                yield Finding(MAILBOX, 1, f"receipt {signed.receipt.number} is not signed with {key}")
            else:
                yield from _check_receipt(proof, signed.receipt, letters.get(signed.receipt.letter, []))
    for date in evidence.broken:
        yield Finding(MAILBOX, 1, f"the receipt in the mail of {date} is broken")
    yield from _check_entropy(proof, evidence, game)
    yield from _check_checkpoints(proof, evidence, keys, game)


def _is_signed(proof: RecordProof, signed: FoundReceipt, keys: PostKeys) -> bool:
    """Whether a receipt is signed with the key in force at its last event; in a lost history, with any of the keys."""
    after = signed.receipt.after
    possible = keys.all if fork_before(proof, *after) is not None else (keys.at(after[0]),)
    return any(key is not None and signed.is_signed_by(key.public) for key in possible)


def remarks_on_mailboxes(proof: RecordProof, evidence: MailEvidence, given: bytes | None) -> Iterator[str]:
    """What is not a contradiction but worth knowing: mails that have lost some of their evidence."""
    game, keys = proof.recorded[0].event.game, find_keys(proof, given)
    key = keys.last
    yield from _remark_forks(proof, evidence)
    if key is None:
        return
    for name in sorted({seen.what[0] for seen in evidence.bare}):
        dates = [seen.date for seen in evidence.bare if (seen.game, seen.what[0]) == (game, name)]
        if dates:
            many = (
                f"the mail of {dates[0]} has" if len(dates) == 1 else f"{len(dates)} mails, first of {dates[0]}, have"
            )
            yield f"{many} no header {name} that can be read; forwarding loses it, and a post that hides leaves it out"
    for seen in _other_heads(proof, evidence):
        if _is_refuted(proof, seen, keys):
            yield (
                f"the mail of {seen.date} has another event in its header {HEAD_HEADER} than in its receipt, which is "
                f"signed: the header was changed, and is passed over"
            )
    spoke = any(signed.receipt.game == game for signed in evidence.receipts) or bool(evidence.checkpoints)
    if spoke and not key.is_given:
        yield "mails are held against the key as named by the record; give --key to be sure it is the post's"


def _remark_forks(proof: RecordProof, evidence: MailEvidence) -> Iterator[str]:
    """Where the history of some mails parts from the record because of a restore, and what can then not be told."""
    parted: dict[Fork, list[str]] = {}
    for seen in evidence.heads:
        fork = _fork(proof, seen)
        if fork is not None:
            parted.setdefault(fork, []).append(seen.date)
    for fork, dates in sorted(parted.items()):
        many = f"the mail of {dates[0]} is" if len(dates) == 1 else f"{len(dates)} mails, first of {dates[0]}, are"
        yield f"{many} of a history that was lost; it parts from this one at {fork}"
    if find_forks(proof) and len(set(_sizes(evidence))) != len(list(_sizes(evidence))):
        yield "there are two logs of one size in the mails; after a restore the log of all games tells where they part"


def _sizes(evidence: MailEvidence) -> Iterator[int]:
    return (size for size, _ in {(each.size, each.root) for each in evidence.checkpoints})


def _fork(proof: RecordProof, seen: MailClaim) -> Fork | None:
    """Where the history of a mail's head parts from the record; None if it does not, or is of another game."""
    if seen.game != proof.recorded[0].event.game:
        return None
    return fork_before(proof, int(seen.what[0]), seen.what[1], seen.date)


def _check_checkpoints(proof: RecordProof, evidence: MailEvidence, keys: PostKeys, game: str) -> Iterator[Finding]:
    """Checkpoints that are not signed, or that contradict each other."""
    roots: dict[int, str] = {}
    key, restored = keys.last, bool(find_forks(proof))
    for checkpoint, games in evidence.checkpoints.items():
        # A mailbox may hold mails of another post too, whose key the record does not name.
        if game not in games and (key is None or not key.is_given):
            continue
        if key is not None and not any(checkpoint.is_signed_by(each.public) for each in keys.all):
            yield Finding(MAILBOX, 1, f"a checkpoint of {checkpoint.size} lines is not signed with {key}")
        elif roots.setdefault(checkpoint.size, checkpoint.root) != checkpoint.root and not restored:
            yield Finding(MAILBOX, 1, f"there are two logs of {checkpoint.size} lines: the post told two stories")


def _find(proof: RecordProof, seq: int) -> RecordedEvent | None:
    return proof.recorded[seq - 1] if 1 <= seq <= len(proof.recorded) else None


def _other_heads(proof: RecordProof, evidence: MailEvidence) -> Iterator[MailClaim]:
    """The mails whose header names an event that the record does not have."""
    for seen in evidence.heads:
        seq, head = seen.what
        recorded = _find(proof, int(seq))
        if seen.game == proof.recorded[0].event.game and (recorded is None or recorded.event.hash != head):
            yield seen


def _check_heads(proof: RecordProof, evidence: MailEvidence, keys: PostKeys) -> Iterator[Finding]:
    """Headers that contradict the record. They are not signed, so alone they do not prove anything against the post."""
    signed = {event for each in evidence.receipts for event in _signed_events(proof, each, keys)}
    for seen in _other_heads(proof, evidence):
        if _fork(proof, seen) is not None:
            continue
        seq, head = int(seen.what[0]), seen.what[1]
        who = f"the mail of {seen.date}"
        if (seq, head) in signed:
            yield from _check_head(proof, seq, head, f"{who}, as a signed receipt,")
        elif not _is_refuted(proof, seen, keys):
            recorded = _find(proof, seq)
            otherwise = f"names another event {seq}" if recorded is not None else f"names event {seq}, after its end,"
            says = (
                f"{who} {otherwise} in its header {HEAD_HEADER}, which nobody signs: either the mailbox was changed or "
                f"the record; a signed receipt, or what mail servers have kept of the mail, tells which"
            )
            yield Finding(MAILBOX, recorded.line if recorded is not None else proof.last_line, says)


def _is_refuted(proof: RecordProof, seen: MailClaim, keys: PostKeys) -> bool:
    """Whether a signed receipt in the same mail contradicts the event that its header names."""
    events = {event for signed in seen.beside for event in _signed_events(proof, signed, keys)}
    return (int(seen.what[0]), seen.what[1]) not in events and any(seq == int(seen.what[0]) for seq, _ in events)


def _signed_events(proof: RecordProof, signed: FoundReceipt, keys: PostKeys) -> tuple[tuple[int, str], ...]:
    """The events that a receipt names; none if the post has not signed it."""
    return (signed.receipt.before, signed.receipt.after) if _is_signed(proof, signed, keys) else ()


def _check_head(proof: RecordProof, seq: int, head: str, who: str) -> Iterator[Finding]:
    """Compare an event that was signed for with the record; one that a restore has lost is only told."""
    recorded = _find(proof, seq)
    if fork_before(proof, seq, head) is not None:
        return
    if recorded is None:
        says = f"{who} knows {seq} events, and the record only {len(proof.recorded)}: its end is cut off"
        yield Finding(MAILBOX, proof.last_line, says)
    elif recorded.event.hash != head:
        yield Finding(MAILBOX, recorded.line, f"{who} has another event {seq}: there were two histories")


def _check_promises(proof: RecordProof, evidence: MailEvidence, game: str) -> Iterator[Finding]:
    first = proof.recorded[0]
    for seen in evidence.promises:
        which, promised = seen.what
        if seen.game == game and proof.opened.promised.get(which) != promised:
            says = (
                f"the invitation of {seen.date} promised another {which}: it was changed after the answers, unless "
                f"this mail was, which nobody signs; the log of all games tells which"
            )
            yield Finding(MAILBOX, first.line, says)


def _check_openings(proof: RecordProof, evidence: MailEvidence, game: str) -> Iterator[Finding]:
    for opened in evidence.openings:
        opening = opened.opening
        recorded = _find(proof, opening.seq) if opened.game == game else None
        fork = fork_before(proof, *opened.head) if opened.head is not None else None
        if recorded is None or (fork is not None and fork.seq <= opening.seq):
            continue
        fields = [name for name, _ in recorded.event.fields]
        at = fields.index(opening.field) if opening.field in fields else None
        if at is None or commitment(game, opening) != recorded.event.commitments[at]:
            what = f"field {opening.field} of event {opening.seq}"
            says = f"a mail opened {what} as something else than was sealed, or was changed: nobody signs it"
            yield Finding(MAILBOX, recorded.line, says)


def _check_receipt(proof: RecordProof, receipt: Receipt, played: list[RecordedEvent]) -> Iterator[Finding]:
    who = f"receipt {receipt.number}"
    yield from _check_head(proof, *receipt.before, who)
    yield from _check_head(proof, *receipt.after, who)
    if fork_before(proof, *receipt.after) is not None:
        return  # what it says of turns is about a history that was lost
    if receipt.form != proof.form:
        yield Finding(MAILBOX, proof.last_line, f"{who} has another form than the record")
        return
    if not receipt.may_have_played and played:
        yield from _check_unplayed(receipt, played, who)
    # Moves that waited for the answers of others were played after the receipt was written.
    played = [recorded for recorded in played if recorded.event.seq <= receipt.after[0]]
    if receipt.may_have_played and len(played) != len(receipt.played):
        last = _find(proof, receipt.after[0])
        says = f"{who} names {len(receipt.played)} turns of {receipt.seat}, and the record {len(played)}"
        yield Finding(MAILBOX, last.line if last is not None else proof.last_line, says)
    for recorded, phrase in zip(played, receipt.played, strict=False):
        sealed, made = recorded.event.sealed, recorded.event.payload
        shown = phrase_of(recorded.event) if sealed is None or recorded.is_whole else phrase
        if (seat_of(made), shown) != (receipt.seat, phrase):
            yield Finding(MAILBOX, recorded.line, f"{who} says: {receipt.seat} {phrase}")


def _check_unplayed(receipt: Receipt, played: list[RecordedEvent], who: str) -> Iterator[Finding]:
    """A receipt that tells of no turn, though the record has one of its letter.

    In the first form nothing may ever come of a refused letter. In the second a letter may be played later, when its
    player had only pencilled it or was asked what it means.
    """
    early = [recorded for recorded in played if recorded.event.seq <= receipt.after[0]]
    if receipt.form == SECOND_FORM and not early:
        return
    says = "refused" if receipt.outcome == REFUSED else receipt.outcome
    yield Finding(MAILBOX, (early or played)[0].line, f"{who} says that this letter was {says}")


def _check_entropy(proof: RecordProof, evidence: MailEvidence, game: str) -> Iterator[Finding]:
    """Compare the entropy in an acceptance with the owner's own letter."""
    taken = {
        recorded.event.payload.seat: (recorded, recorded.event.payload)
        for recorded in proof.recorded
        if isinstance(recorded.event.payload, InvitationAccepted)
    }
    post = next((signed.receipt.post for signed in evidence.receipts), "")
    accepted = {signed.receipt.mark for signed in evidence.receipts if signed.receipt.was_carried_out}
    for sent in evidence.sent:
        recorded, acceptance = taken.get(sent.seat, (None, None))
        if (
            sent.game != game
            or recorded is None
            or acceptance is None
            or (accepted and mark_letter(sent.message_id) not in accepted)
        ):
            continue
        is_acceptance = mark_letter(sent.message_id) in _marks_of(recorded, evidence)
        entropy = _entropy_of(sent, post, proof, playing=not is_acceptance)
        if entropy is not None and entropy != acceptance.entropy_sha256:
            says = f"{sent.seat} stirred something else into the draws than the record says"
            yield Finding(MAILBOX, recorded.line, says)


def _marks_of(recorded: RecordedEvent, evidence: MailEvidence) -> set[str]:
    """The marks of the letters whose receipts cover an event."""
    receipts = [signed.receipt for signed in evidence.receipts]
    return {receipt.mark for receipt in receipts if receipt.before[0] < recorded.event.seq <= receipt.after[0]}


def _entropy_of(sent: SentMail, post: str, proof: RecordProof, *, playing: bool) -> str | None:
    """The entropy in an acceptance; None for other letters. While a game is played, `accept` is about offers."""
    letter = read_letter(sent.raw, post=PostIdentity(post or "post@example.org", None, b""))
    if not isinstance(letter, Letter):
        return None
    game = proof.record.game
    parsed = parse_commands(letter.words, game=game, playing=playing) if game is not None else None
    for command in parsed.commands if parsed is not None else ():
        if isinstance(command, AcceptInvitation):
            words = unicodedata.normalize("NFC", command.entropy)
            return hashlib.sha256(words.encode()).hexdigest() if words else mark_letter(letter.message_id)
    return None
