"""The letters for a disputed turn: whether each is genuine, and what of it may be shown.

The chain holds the digest of a letter, and its sender has a signed receipt with digest, time and outcome. If the
database was tampered with, a page could accuse a player of a letter that was never sent, so the page lists every
contradiction.

A letter contains what its sender saw and said to others. Sender and route are always shown, the rest only if nothing in
it can be secret or there is a warrant. The length and the mail servers' signatures are left out too: where a player had
two possible moves, they would show which one it was. Codes of reply addresses are never shown, because they still work.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from engine.game import PUBLIC
from engine.verdict import Rule
from pbem.disputes import case_words
from pbem.disputes.case_facts import is_promised
from pbem.disputes.case_file import CitedRule, LetterItem, Mismatch
from pbem.disputes.case_words import Said
from pbem.disputes.rejudge import code_of, drafts_of, first_difference, rejudge
from pbem.disputes.replayed_history import ReplayedHistory
from pbem.disputes.trace import follow_trace
from pbem.events.chain import Event
from pbem.events.kinds import PressSent, TurnPlayed, letter_of
from pbem.events.post_kinds import KeyReplaced, MovePencilled
from pbem.mail.commands.command import LineMeaning, ParsedLine, PlannedTurns
from pbem.mail.commands.letter_line import LetterLine, LineContext, MessageWords
from pbem.mail.commands.parse_line import parse_line
from pbem.mail.reading import Authenticity, Letter, Unreadable, read_letter
from pbem.proof.receipts import APPLIED, REFUSED, Receipt, read_receipts
from pbem.store.rows import GameRow, LetterRow, ReceiptRow
from pbem.store.timestamps import format_timestamp
from pbem.tables.chance import GameDealer
from pbem.tables.decision import ALL, Decision
from pbem.tables.table import Table
from pbem.workflow.context import PostContext, press_secret
from pbem.workflow.reply import HandledLetter


class LetterCheck(NamedTuple):
    """The result of checking a letter against the chain and its receipt."""

    receipt: Receipt | None
    """The signed receipt, if there is one."""
    genuine: bool
    """Whether the bytes are those that came."""
    doubts: tuple[str, ...]


def check_letter(
    row: LetterRow, lines: Sequence[str], caused: Sequence[Event], events: Sequence[Event], keys: Sequence[bytes]
) -> LetterCheck:
    """Check a letter against the lines of its receipt and the events that it caused; `keys` are the post's."""
    receipt = _read_receipt(lines, events, keys)
    others = tuple(_other_bytes(row, receipt, caused))
    doubts = list(others)
    if lines and receipt is None:
        doubts.append(Said.of(case_words.OTHER_RECEIPT))
    if receipt is not None:
        doubts += _other_notes(row, receipt)
    return LetterCheck(receipt, not others, tuple(doubts))


def _read_receipt(lines: Sequence[str], events: Sequence[Event], keys: Sequence[bytes]) -> Receipt | None:
    signed = next(read_receipts(lines), None)
    if signed is None or (keys and not any(map(signed.is_signed_by, keys))):
        return None
    told = (signed.receipt.before, signed.receipt.after)
    known = all(0 < seq <= len(events) and events[seq - 1].hash == head for seq, head in told)
    return signed.receipt if known else None


def _other_bytes(row: LetterRow, receipt: Receipt | None, caused: Sequence[Event]) -> Iterator[str]:
    digest = hashlib.sha256(row.raw).hexdigest()
    named = [event for event in caused if letter_of(event.payload)]
    if named and all(letter_of(event.payload) != digest for event in named):
        yield Said.of(case_words.OTHER_EVENT, event=named[0].seq, digest=letter_of(named[0].payload))
    if receipt is not None and receipt.letter != digest:
        yield Said.of(case_words.OTHER_LETTER, digest=receipt.letter)
    if row.sha256 != digest:
        yield Said.of(case_words.OTHER_DIGEST, digest=row.sha256)


def _other_notes(row: LetterRow, receipt: Receipt) -> Iterator[str]:
    """Compare what was noted about a letter with its receipt."""
    outcome = APPLIED if receipt.was_carried_out else REFUSED
    noted = (
        (case_words.OTHER_MOMENT, "moment", format_timestamp(row.received_at), receipt.received),
        (case_words.OTHER_SEAT, "seat", row.seat or case_words.NOBODY, receipt.seat),
        (case_words.OTHER_OUTCOME, "outcome", row.state, outcome),
    )
    for says, name, here, there in noted:
        if here != there:
            yield Said.of(says, {name: here, f"receipt_{name}": there})


_CODE: Final = re.compile(
    r"([. ][0-9]{1,6}\.(?:[0-9]{1,6}[. ](?=[a-z2-7]{16})|[a-z2-7]{6}[. ](?=[a-z2-7]{12}(?![a-z2-7]))))"
    r"[a-z2-7]{12,16}(?![a-z2-7])",
    re.IGNORECASE,
)
_HIDDEN_CODE: Final = r"\1(code)"
_AUTHENTICATION: Final = re.compile(
    r"^(?:Authentication-Results|DKIM-Signature|Received-SPF):.*(?:\n[ \t].*)*", re.I | re.M
)
_ENVELOPE: Final = re.compile(
    r"^(?:From|Sender|To|Cc|Date|Message-ID|In-Reply-To|References|Return-Path|Delivered-To|User-Agent|X-Mailer|"
    r"Received|Received-SPF|Authentication-Results):.*(?:\n[ \t].*)*",
    re.I | re.M,
)
"""Headers that tell nothing about the words of a letter."""


class CaseLetterReader:
    """Reads the letters of one game again."""

    def __init__(self, context: PostContext, row: GameRow, history: ReplayedHistory, viewer: str) -> None:
        self._office = context
        self._row = row
        self._history = history
        self._viewer = viewer
        self._keys = _find_keys(context, history)

    def prove(self, row: LetterRow, given: ReceiptRow | None, *, caused: Sequence[Event]) -> LetterItem:
        """A letter as far as it may be shown. `caused` are the events that name it."""
        letter = self.read(row)
        lines = tuple(given.text.splitlines()) if given is not None else ()
        head, body = _parted(row.raw)
        way = follow_trace(head, row.received_at, self._office.identity)
        held = check_letter(row, lines, caused, self._history.events, self._keys)
        shown = LetterItem(
            number=row.id,
            received=format_timestamp(row.received_at),
            way=row.intake,
            envelope=row.env_from or "",
            sender=letter.sender if isinstance(letter, Letter) else "",
            digest=hashlib.sha256(row.raw).hexdigest(),
            size=len(row.raw),
            fate=row.state,
            reason=row.reason,
            seat=row.seat or "",
            ticket=_say_ticket(letter),
            authentic=letter.authentic.value if isinstance(letter, Letter) else "unknown",
            authentication=tuple(_mask(found[0]) for found in _AUTHENTICATION.finditer(head)),
            head=_mask(head),
            genuine=held.genuine,
            doubts=held.doubts,
            counted=format_timestamp(way.counted),
            skew=int(way.skew.total_seconds()),
            trace=way.stops,
            mismatches=_find_mismatches(row, letter),
        )
        if isinstance(letter, Unreadable):
            return _without_words(replace(shown, withheld=Said.of(case_words.NOT_READABLE, reason=letter.reason)))
        met = self._met(held.receipt, caused)
        shown = replace(shown, withheld=self._why_withheld(row, letter, met or self._history.now))
        if shown.withheld:
            # The code of a rule may tell what a player holds.
            shown = _without_words(replace(shown, reason="" if row.reason[:1].isupper() else row.reason))
        else:
            quotes = letter.cut and self._has_private_words()
            shown = replace(shown, body=_mask(letter.words if quotes else body), receipt=lines)
        if met is None or row.seat not in met.seats or row.state not in (APPLIED, REFUSED):
            return shown
        if not held.genuine:
            # These bytes were changed, so they are not what the player wrote.
            return shown
        receipt = held.receipt
        happened = self._history.events[receipt.before[0] : receipt.after[0]] if receipt is not None else caused
        judged = self._rejudge(letter, row, met, happened)
        shown = replace(shown, repeats=self._repeats(judged, receipt, happened))
        if shown.withheld:
            return shown
        understood = tuple(command.format() for command in judged.parsed.commands)
        # A rule is cited only if judging the letter again gives the same result as then.
        same = row.state == REFUSED or shown.repeats in ("", case_words.SAME)
        return replace(shown, understood=understood, against=_cite(judged) if same else None)

    def _has_private_words(self) -> bool:
        """Whether a quoted mail may contain words that were said to the sender alone, or a move that was not played."""
        return any(
            isinstance(event.payload, MovePencilled)
            or (isinstance(event.payload, PressSent) and event.payload.to != ALL)
            for event in self._history.events
        )

    def _was_only_pencilled(self, digest: str) -> bool:
        """Whether the move of a letter waits, or was never played."""
        causes = [event.payload for event in self._history.events if letter_of(event.payload) == digest]
        was_played = any(isinstance(payload, TurnPlayed) for payload in causes)
        return not was_played and any(isinstance(payload, MovePencilled) for payload in causes)

    def read(self, row: LetterRow) -> Letter | Unreadable:
        """Parse the bytes of a letter."""
        return read_letter(row.raw, post=self._office.identity, envelope_from=row.env_from, envelope_to=row.env_to)

    def turn_of(self, row: LetterRow) -> int | None:
        """The turn that a letter answers, from its reply address."""
        letter = self.read(row)
        return letter.ticket.turn if isinstance(letter, Letter) and letter.ticket is not None else None

    def _met(self, receipt: Receipt | None, caused: Sequence[Event]) -> Table | None:
        """The table at the moment when the letter was handled."""
        if receipt is not None:
            return self._history.tables[receipt.before[0] - 1]
        return self._history.before(caused[0]) if caused else None

    def _rejudge(self, letter: Letter, row: LetterRow, met: Table, happened: Sequence[Event]) -> HandledLetter:
        return rejudge(
            met,
            row.seat or "",
            letter,
            digest=hashlib.sha256(row.raw).hexdigest(),
            dealer=GameDealer(self._row.seed),
            now=row.received_at,
            happened=happened,
            secret=press_secret(self._office, self._row.id),
        )

    def _repeats(self, judged: HandledLetter, receipt: Receipt | None, happened: Sequence[Event]) -> str:
        if receipt is None:
            return ""
        seeded = is_promised(self._history.now, self._row.seed)
        wrong = first_difference(drafts_of(judged), happened, chance=seeded)
        if wrong is not None:
            return Said.of(case_words.OTHERWISE, event=wrong)
        return Said.of(case_words.SAME if code_of(judged) == receipt.rule else case_words.REFUSED_OTHERWISE)

    def _why_withheld(self, row: LetterRow, letter: Letter, met: Table) -> str:
        seat = row.seat or ""
        if seat and self._viewer == seat:
            return ""
        if self._was_only_pencilled(hashlib.sha256(row.raw).hexdigest()):
            return Said.of(case_words.PENCILLED, seat=seat)
        lines = enumerate(letter.words.splitlines(), start=1)
        if any(_is_private(parse_line(LineContext(LetterLine(*line), met.game))) for line in lines if line[1].strip()):
            return Said.of(case_words.PRIVATE, seat=seat)
        if seat in met.seats and not self._history.is_over and _knows_more(met, seat):
            return Said.of(case_words.KNOWS_MORE, seat=seat)
        return ""


def _find_mismatches(row: LetterRow, letter: Letter | Unreadable) -> tuple[Mismatch, ...]:
    """What speaks against the sender of a letter."""
    if isinstance(letter, Unreadable):
        return ()
    found: list[Mismatch] = []
    if row.env_from and row.env_from.strip("<>").lower() != letter.sender.lower():
        found.append("envelope")
    if letter.authentic is not Authenticity.PASS:
        found.append("no-check" if letter.authentic is Authenticity.UNKNOWN else "failed-check")
    return tuple(found)


def _find_keys(context: PostContext, history: ReplayedHistory) -> tuple[bytes, ...]:
    """The keys for receipts of this game: those that its events name, or the post's own."""
    named = [history.now.proof.get("key")]
    named += [event.payload.key for event in history.events if isinstance(event.payload, KeyReplaced)]
    keys = tuple(bytes.fromhex(key) for key in named if isinstance(key, str))
    return keys or ((context.signer.public,) if context.signer is not None else ())


def _is_private(line: LineMeaning) -> bool:
    """Whether a line is between the sender and the post, or another player."""
    return isinstance(line, ParsedLine | PlannedTurns | MessageWords) and line.is_private


def _knows_more(table: Table, seat: str) -> bool:
    """Whether a seat sees anything that is not public."""
    if table.position is None:
        return False
    return table.game.view(table.position, seat) != table.game.view(table.position, PUBLIC)


def _parted(raw: bytes) -> tuple[str, str]:
    text = raw.decode("utf-8", "replace").replace("\r\n", "\n")
    head, _, body = text.partition("\n\n")
    return head, body


def _without_words(shown: LetterItem) -> LetterItem:
    """The item without anything that depends on the words of the letter."""
    head = "\n".join(found[0] for found in _ENVELOPE.finditer(shown.head))
    notes = tuple(note for note in shown.authentication if _ENVELOPE.match(note))
    return replace(shown, size=None, head=head, authentication=notes)


def _mask(text: str) -> str:
    return _CODE.sub(_HIDDEN_CODE, text)


def _say_ticket(letter: Letter | Unreadable) -> str:
    if isinstance(letter, Unreadable) or letter.ticket is None:
        return Said.of(case_words.NO_TICKET)
    ticket = letter.ticket
    says = case_words.TICKETS[ticket.good, ticket.epoch is not None]
    place = {"table": ticket.game, "seat": ticket.seat, "turn": ticket.turn}
    return Said.of(says, place, epoch=ticket.epoch, mark=ticket.mark)


def _cite(judged: HandledLetter) -> CitedRule | None:
    question = judged.parsed.question
    if question is not None:
        return cite(question.rule, Said.of(question.says, question.facts))
    found = (cite_decision(decision) for _, decision in judged.decisions)
    return next((cited for cited in found if cited is not None), None)


def cite_decision(decision: Decision) -> CitedRule | None:
    """The rule behind a refusal."""
    found = decision.refused or (decision.ruling.verdict if decision.ruling is not None else None)
    if found is not None:
        return cite(found.rule, Said.of(found.says, found.facts))
    fault = decision.ruling.fault if decision.ruling is not None else None
    return None if fault is None else cite(fault.rule, fault.message)


def cite(rule: Rule, detail: str) -> CitedRule:
    """A rule and the detail of a case, for the page."""
    return CitedRule(rule.code, rule.name, rule.text, rule.source, detail)
