"""Checks a record against mailboxes and against signed statements of the post.

Every mail about the game must agree with the record. A post that shows different histories to its players is found
by putting their mailboxes together.
"""

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from pbem.events.chain import extend_move_chain, phrase_of, start_move_chain
from pbem.events.kinds import InvitationAccepted, TurnPlayed, TurnUndone, seat_of
from pbem.mail.commands.invitation import AcceptInvitation
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.format import HEAD_HEADER
from pbem.mail.reading import Letter, read_letter
from pbem.mail.reply_address import PostIdentity
from pbem.proof.draws import commitment
from pbem.proof.receipts import APPLIED, FoundReceipt, Receipt, mark_letter
from pbem.proof.statements import FoundStatement, Statement, read_statements
from pbem.verify.finding import MAILBOX, STATEMENT, Finding
from pbem.verify.mailboxes import MailClaim, MailEvidence, SentMail
from pbem.verify.read_proof import RecordedEvent, RecordProof


class PostKey(NamedTuple):
    """The key that mails must be signed with: given by the user, or only named by the record itself."""

    public: bytes
    is_given: bool

    def __str__(self) -> str:
        return "this key" if self.is_given else "the key that the record names"


def choose_key(proof: RecordProof, given: bytes | None) -> PostKey | None:
    """The key to check mails with: the given one, or else the one that the record names; None if it names none."""
    if given is not None:
        return PostKey(given, True)
    named = proof.opened.promised.get("key")
    return PostKey(bytes.fromhex(named), False) if isinstance(named, str) else None


def check_mailboxes(proof: RecordProof, evidence: MailEvidence, given: bytes | None) -> Iterator[Finding]:
    """Everything in which a record and some mailboxes contradict each other."""
    game, key = proof.recorded[0].event.game, choose_key(proof, given)
    yield from _check_heads(proof, evidence, key)
    yield from _check_promises(proof, evidence, game)
    yield from _check_openings(proof, evidence, game)
    letters: dict[str, list[RecordedEvent]] = {}
    for recorded in proof.recorded:
        if isinstance(recorded.event.payload, TurnPlayed):
            letters.setdefault(recorded.event.payload.letter, []).append(recorded)
    for signed in evidence.receipts:
        if signed.receipt.game == game:
            if key is None or not signed.is_signed_by(key.public):
                yield Finding(MAILBOX, 1, f"receipt {signed.receipt.number} is not signed with {key or 'a known key'}")
            else:
                yield from _check_receipt(proof, signed.receipt, letters.get(signed.receipt.letter, []))
    for date in evidence.broken:
        yield Finding(MAILBOX, 1, f"the receipt in the mail of {date} is broken")
    yield from _check_entropy(proof, evidence, game)
    yield from _check_checkpoints(evidence, key, game)


def remarks_on_mailboxes(proof: RecordProof, evidence: MailEvidence, given: bytes | None) -> Iterator[str]:
    """What is not a contradiction but worth knowing: mails that have lost some of their evidence."""
    game, key = proof.recorded[0].event.game, choose_key(proof, given)
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
        if _is_refuted(seen, key):
            yield (
                f"the mail of {seen.date} has another event in its header {HEAD_HEADER} than in its receipt, which is "
                f"signed: the header was changed, and is passed over"
            )
    spoke = any(signed.receipt.game == game for signed in evidence.receipts) or bool(evidence.checkpoints)
    if spoke and not key.is_given:
        yield "mails are held against the key as named by the record; give --key to be sure it is the post's"


def _check_checkpoints(evidence: MailEvidence, key: PostKey | None, game: str) -> Iterator[Finding]:
    """Checkpoints that are not signed, or that contradict each other."""
    roots: dict[int, str] = {}
    for checkpoint, games in evidence.checkpoints.items():
        # A mailbox may hold mails of another post too, whose key the record does not name.
        if game not in games and (key is None or not key.is_given):
            continue
        if key is not None and not checkpoint.is_signed_by(key.public):
            yield Finding(MAILBOX, 1, f"a checkpoint of {checkpoint.size} lines is not signed with {key}")
        elif roots.setdefault(checkpoint.size, checkpoint.root) != checkpoint.root:
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


def _check_heads(proof: RecordProof, evidence: MailEvidence, key: PostKey | None) -> Iterator[Finding]:
    """Headers that contradict the record. They are not signed, so alone they do not prove anything against the post."""
    signed = {event for each in evidence.receipts for event in _signed_events(each, key)}
    for seen in _other_heads(proof, evidence):
        seq, head = int(seen.what[0]), seen.what[1]
        who = f"the mail of {seen.date}"
        if (seq, head) in signed:
            yield from _check_head(proof, seq, head, f"{who}, as a signed receipt,")
        elif not _is_refuted(seen, key):
            recorded = _find(proof, seq)
            otherwise = f"names another event {seq}" if recorded is not None else f"names event {seq}, after its end,"
            says = (
                f"{who} {otherwise} in its header {HEAD_HEADER}, which nobody signs: either the mailbox was changed or "
                f"the record; a signed receipt, or what mail servers have kept of the mail, tells which"
            )
            yield Finding(MAILBOX, recorded.line if recorded is not None else proof.last_line, says)


def _is_refuted(seen: MailClaim, key: PostKey | None) -> bool:
    """Whether a signed receipt in the same mail contradicts the event that its header names."""
    events = {event for signed in seen.beside for event in _signed_events(signed, key)}
    return (int(seen.what[0]), seen.what[1]) not in events and any(seq == int(seen.what[0]) for seq, _ in events)


def _signed_events(signed: FoundReceipt, key: PostKey | None) -> tuple[tuple[int, str], ...]:
    """The events that a receipt names; none if the post has not signed it."""
    return (signed.receipt.before, signed.receipt.after) if key is not None and signed.is_signed_by(key.public) else ()


def _check_head(proof: RecordProof, seq: int, head: str, who: str) -> Iterator[Finding]:
    """Compare an event that was signed for with the record."""
    recorded = _find(proof, seq)
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
    for named, opening in evidence.openings:
        recorded = _find(proof, opening.seq) if named == game else None
        if recorded is None:
            continue
        fields = [name for name, _ in recorded.event.sealed.fields] if recorded.event.sealed is not None else []
        at = fields.index(opening.field) if opening.field in fields else None
        if at is None or commitment(game, opening) != recorded.event.commitments[at]:
            what = f"field {opening.field} of event {opening.seq}"
            says = f"a mail opened {what} as something else than was sealed, or was changed: nobody signs it"
            yield Finding(MAILBOX, recorded.line, says)


def _check_receipt(proof: RecordProof, receipt: Receipt, played: list[RecordedEvent]) -> Iterator[Finding]:
    who = f"receipt {receipt.number}"
    yield from _check_head(proof, *receipt.before, who)
    yield from _check_head(proof, *receipt.after, who)
    if receipt.outcome != APPLIED and played:
        yield Finding(MAILBOX, played[0].line, f"{who} says that this letter was refused")
    # Moves that waited for the answers of others were played after the receipt was written.
    played = [recorded for recorded in played if recorded.event.seq <= receipt.after[0]]
    if receipt.outcome == APPLIED and len(played) != len(receipt.played):
        last = _find(proof, receipt.after[0])
        says = f"{who} names {len(receipt.played)} turns of {receipt.seat}, and the record {len(played)}"
        yield Finding(MAILBOX, last.line if last is not None else proof.last_line, says)
    for recorded, phrase in zip(played, receipt.played, strict=False):
        sealed, made = recorded.event.sealed, recorded.event.payload
        shown = phrase_of(recorded.event) if sealed is None or recorded.is_whole else phrase
        if (seat_of(made), shown) != (receipt.seat, phrase):
            yield Finding(MAILBOX, recorded.line, f"{who} says: {receipt.seat} {phrase}")


def _check_entropy(proof: RecordProof, evidence: MailEvidence, game: str) -> Iterator[Finding]:
    """Compare the entropy in an acceptance with the owner's own letter."""
    taken = {
        recorded.event.payload.seat: (recorded, recorded.event.payload)
        for recorded in proof.recorded
        if isinstance(recorded.event.payload, InvitationAccepted)
    }
    post = next((signed.receipt.post for signed in evidence.receipts), "")
    accepted = {signed.receipt.mark for signed in evidence.receipts if signed.receipt.outcome == APPLIED}
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
    letter = read_letter(sent.raw, post=PostIdentity(post or "post@example.org", None, b""), ticketed=True)
    if not isinstance(letter, Letter):
        return None
    game = proof.record.game
    parsed = parse_commands(letter.words, game=game, playing=playing) if game is not None else None
    for command in parsed.commands if parsed is not None else ():
        if isinstance(command, AcceptInvitation):
            words = unicodedata.normalize("NFC", command.entropy)
            return hashlib.sha256(words.encode()).hexdigest() if words else mark_letter(letter.message_id)
    return None


Found: TypeAlias = list[FoundStatement | None]
"""The statements in a text; None for each that is malformed."""
Place: TypeAlias = tuple[int, int, str]


def find_statements(text: str) -> Found:
    """The statements in a text, such as the page about a case or a mail."""
    return list(read_statements(line.strip().removeprefix("| ").strip() for line in text.splitlines()))


def check_statements(
    proof: RecordProof, stated: Iterable[FoundStatement | None], key: PostKey | None
) -> Iterator[Finding]:
    """Everything in which a record whose draws were found good and some statements contradict each other.

    A statement that a draw follows from the seed agrees with any such record; a false one shows as a wrong draw.
    """
    game, places = proof.recorded[0].event.game, list(_places(proof))
    for each in stated:
        if each is None:
            yield Finding(STATEMENT, 1, "a statement is broken")
        elif each.statement.game == game:
            if key is None or not each.note.is_signed_by(key.public):
                says = f"the statement about event {each.statement.event[0]} is not signed with {key or 'a known key'}"
                yield Finding(STATEMENT, 1, says)
            else:
                yield from _check_statement(proof, each.statement, places)


def _check_statement(proof: RecordProof, statement: Statement, places: list[Place]) -> Iterator[Finding]:
    seq, head = statement.event
    recorded = proof.recorded[seq - 1] if 1 <= seq <= len(proof.recorded) else None
    if recorded is None or recorded.event.hash != head:
        line = recorded.line if recorded is not None else proof.last_line
        yield Finding(STATEMENT, line, f"the post made a statement about another event {seq}: there were two histories")
        return
    if seq <= proof.taken_in:
        says = f"the post made a statement about event {seq}, which was taken in: no seed of its own speaks for that"
        yield Finding(STATEMENT, recorded.line, says)
        return
    if statement.seed != proof.opened.promised.get("seed"):
        yield Finding(STATEMENT, recorded.line, f"the statement about event {seq} is about another seed")
    if statement.place != places[seq - 1]:
        yield Finding(STATEMENT, recorded.line, f"the statement about event {seq} binds it to another place")
    if not statement.follows:
        says = "and it does" if proof.closing.seed else "and has not opened it yet"
        yield Finding(
            STATEMENT, recorded.line, f"the post stated that event {seq} does not follow from the seed, {says}"
        )


def _places(proof: RecordProof) -> Iterator[Place]:
    """The place before every event: how often the table had gone back, and the chain of moves."""
    moves, epoch = start_move_chain(proof.recorded[0].event.game), 0
    for recorded in proof.recorded:
        yield epoch, moves.length, moves.head
        moves = extend_move_chain(moves, recorded.event.payload)
        epoch += isinstance(recorded.event.payload, TurnUndone)
