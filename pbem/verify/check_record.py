"""Checks a whole record: its form, chain, rules and signature, and with `Checker` mailboxes and statements too.

A record is rebuilt from its events and compared with the text, so that nothing in it is left unchecked.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from notation import Reading, Record, read_text, write_games, write_record
from pbem.events.annotations import is_proof_annotation
from pbem.events.chain import ORIGIN, hash_event
from pbem.events.kinds import GameStarted, TurnUndone
from pbem.events.post_kinds import Note
from pbem.events.told import is_name
from pbem.judging.entry_checks import digest
from pbem.judging.record_replay import replay_record
from pbem.proof.public_beacon import find_beacon
from pbem.proof.statements import FoundStatement
from pbem.tables.fold import BrokenHistoryError
from pbem.tables.replay_draws import Pick, replay_all_draws
from pbem.verify.check_draws import (
    Beacons,
    check_openings,
    check_play,
    check_rounds,
    check_seating,
    check_secrets_opened,
    late_rounds,
)
from pbem.verify.check_mails import check_mailboxes, remarks_on_mailboxes
from pbem.verify.check_seats import check_seats
from pbem.verify.check_statements import check_statements, remarks_on_statements
from pbem.verify.check_undone import check_undone
from pbem.verify.finding import CHAIN, FORM, RECORD, RULES, SEALS, Finding
from pbem.verify.forks import compare_records
from pbem.verify.mailboxes import MailEvidence
from pbem.verify.post_keys import check_signature, find_keys, remarks_on_keys
from pbem.verify.read_proof import RecordProof, read_proof
from pbem.verify.rebuild import NoEntryError, rebuild


def check_chain(proof: RecordProof) -> Iterator[Finding]:
    """The first event whose number or hash does not fit, or a wrong head at the end."""
    head, game = ORIGIN, proof.record.header("Id") or ""
    for seq, recorded in enumerate(proof.recorded, start=1):
        event = recorded.event
        if event.seq != seq:
            yield Finding(CHAIN, recorded.line, f"event {event.seq} stands where event {seq} belongs")
            return
        found = hash_event(
            head,
            game=game,
            seq=seq,
            payload=event.payload,
            at=event.at,
            commitments=event.commitments,
            told=event.told,
            withheld=event.withheld,
        )
        if found != event.hash:
            yield Finding(CHAIN, recorded.line, f"event {seq} does not fit its hash, or not the event before it")
            return
        head = found
    closing = proof.closing
    if (closing.seq, closing.head) != (len(proof.recorded), head):
        yield Finding(CHAIN, proof.last_line, f"the record says that it ends with event {closing.seq}, and does not")


class Verified(NamedTuple):
    """The outcome for one record: its findings by line, none if the record is good."""

    game: str
    findings: tuple[Finding, ...]
    proof: RecordProof | None = None
    remarks: tuple[str, ...] = ()
    """What is not wrong but worth knowing."""

    @property
    def is_good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    @property
    def sealed(self) -> int:
        """How many values are still sealed."""
        recorded = self.proof.recorded if self.proof is not None else ()
        return sum(len(each.event.commitments) - len(each.openings) for each in recorded)

    @property
    def withheld_names(self) -> int:
        """How many names are not told."""
        return sum(is_name(name) for name in self._withheld)

    @property
    def withheld_words(self) -> int:
        """How many words and reasons are not told."""
        return sum(not is_name(name) for name in self._withheld)

    @property
    def is_whole(self) -> bool:
        """Whether nothing was taken out of the record: neither names nor words, in either form of proof."""
        recorded = self.proof.recorded if self.proof is not None else ()
        return not self._withheld and all(each.event.withheld is None for each in recorded)

    @property
    def _withheld(self) -> list[str]:
        recorded = self.proof.recorded if self.proof is not None else ()
        return [name for each in recorded for name in each.withheld]

    @property
    def rollbacks(self) -> int:
        """How often the table went back."""
        recorded = self.proof.recorded if self.proof is not None else ()
        return sum(isinstance(each.event.payload, TurnUndone) for each in recorded)


class Checker:
    """Checks records, also against each other, against mailboxes and against statements."""

    def __init__(
        self,
        key: bytes | None = None,
        evidence: MailEvidence | None = None,
        *,
        stated: Sequence[FoundStatement | None] = (),
        remarks: bool = False,
        beacons: Beacons = find_beacon,
    ) -> None:
        self.evidence = evidence or MailEvidence()
        self._beacons = beacons
        self._stated = stated
        self.proofs: list[RecordProof] = []
        self._by_game: dict[str, list[RecordProof]] = {}
        self._key = key
        self._remarks = remarks
        self._seeds: dict[str, str] = {}

    def check(self, text: str) -> Iterator[Verified]:
        """Check every record of a text."""
        return self.check_together(verify_text(text, key=self._key, remarks=self._remarks, beacons=self._beacons))

    def check_together(self, alone: Iterable[Verified]) -> Iterator[Verified]:
        """Check records against others, mailboxes and statements, after `verify_text` has checked each by itself."""
        for verified in alone:
            proof = verified.proof
            if proof is not None and verified.is_good:
                others = self._by_game.setdefault(verified.game, [])
                parted = tuple(compare_records(proof, others))
                others.append(proof)
                self.proofs.append(proof)
                found = [*self._check_seed(proof), *check_mailboxes(proof, self.evidence, self._key)]
                found += check_statements(proof, self._stated, find_keys(proof, self._key))
                wrong = tuple(sorted(found, key=lambda finding: finding.line))
                said = (*remarks_on_mailboxes(proof, self.evidence, self._key), *self._remark_rounds(proof))
                said += (*remarks_on_statements(proof, self._stated), *parted)
                verified = verified._replace(findings=wrong, remarks=verified.remarks + said)
            yield verified

    def _remark_rounds(self, proof: RecordProof) -> Iterator[str]:
        arrivals = self.evidence.arrivals(proof.recorded[0].event.game)
        late, known = late_rounds(proof, self._beacons, arrivals)
        if late:
            yield f"{late} of {known} rounds were out before the first mail here that knows of them arrived"

    def _check_seed(self, proof: RecordProof) -> Iterator[Finding]:
        seed, game = proof.closing.seed, proof.recorded[0].event.game
        if seed and self._seeds.setdefault(seed, game) != game:
            yield Finding(SEALS, proof.last_line, f"the seed served {self._seeds[seed]} already")


def verify_text(
    text: str, *, key: bytes | None = None, remarks: bool = False, beacons: Beacons = find_beacon
) -> list[Verified]:
    """Check every record of a text; with `remarks`, comments of people are ignored."""
    readings = read_text(text)
    records = [reading.record for reading in readings if reading.record is not None]
    if len(records) == len(readings) and records:
        wrong = _first_difference("".join(write_games(records)), text, 1, "in canonical form this line is")
        if wrong is not None:
            return [Verified(records[0].header("Id") or "", (Finding(FORM, *wrong),))]
    return [_verify(reading, key, beacons, remarks=remarks) for reading in readings]


def _verify(reading: Reading, key: bytes | None, beacons: Beacons, *, remarks: bool) -> Verified:
    record = reading.record
    if record is None:
        faults = tuple(Finding(FORM, fault.line, fault.message) for fault in reading.faults)
        return Verified("", faults)
    name = record.header("Id") or ""
    proof = read_proof(record, reading.line)
    if isinstance(proof, Finding):
        return Verified(name, (proof,))
    found = list(check_secrets_opened(proof)) or list(_check_record(record, proof, reading.line, remarks=remarks))
    if not found:
        found += [*check_openings(proof), *check_seating(proof), *check_rounds(proof, beacons)]
        found += [*check_seats(proof), *check_undone(proof)]
        found += check_play(proof) if proof.is_whole and not found else ()
        found += check_signature(proof, key)
    said = () if found else (*_remark_notes(proof), *remarks_on_keys(proof, key))
    return Verified(name, tuple(sorted(found, key=lambda finding: finding.line)), proof, said)


def _remark_notes(proof: RecordProof) -> Iterator[str]:
    """Events from which something was taken, and kinds that change nothing and that nobody here knows, once each."""
    kinds = Counter(each.event.kind for each in proof.recorded if isinstance(each.event.payload, Note))
    for each in proof.recorded:
        if each.event.withheld is not None:
            yield f"in event {each.event.seq} the post withholds a name or words; its other data rest on a signature"
    for kind, many in sorted(kinds.items()):
        times = "an event" if many == 1 else f"{many} events"
        yield f"{times} of the kind {kind} passed over: it is not known here, and changes nothing"


def _check_record(record: Record, proof: RecordProof, first: int, *, remarks: bool) -> Iterator[Finding]:
    """Check the chain, the rules, and that the record is what its events make."""
    yield from check_chain(proof)
    computed: list[str] = []
    states = [recorded.state for recorded in proof.recorded if recorded.entry is not None]
    if proof.is_whole and any(isinstance(recorded.event.payload, GameStarted) for recorded in proof.recorded):
        game = proof.record.game
        if game is not None:
            replayed = replay_record(
                proof.record, watch=lambda entry, turn, position: computed.append(digest(game, position))
            )
            if replayed.refusal is not None:
                line = replayed.refusal.line or first + _lines_above(replayed.refusal.header, record)
                yield Finding(RULES, line, f"{replayed.refusal.code}: {replayed.refusal.verdict.detail}")
            else:
                states = computed
    elif any(states):
        yield Finding(SEALS, first, "states are told, though something is still sealed")
        return
    try:
        drawn = _replay_draws(proof) if states is computed else {}
        made = write_record(rebuild(proof, states if any(states) else (), drawn))
    except NoEntryError as problem:
        line, reason = problem.args
        yield Finding(RECORD, line, reason)
        return
    except (BrokenHistoryError, LookupError, TypeError, ValueError, AttributeError):
        # The payload of a forged event may be anything.
        yield Finding(RECORD, first, "no record can be made of these events")
        return
    given = write_record(_without_remarks(record) if remarks else record)
    wrong = _first_difference(made, given, first, "by its events this line is")
    if wrong is not None:
        yield Finding(RECORD, *wrong)


def _lines_above(header: str | None, record: Record) -> int:
    """How many lines are above a header; in canonical form each takes one line."""
    return next((above for above, (name, _) in enumerate(record.headers) if name == header), 0)


def _replay_draws(proof: RecordProof) -> dict[int, tuple[Pick, ...]]:
    """The picks that the opened seed makes."""
    seed = bytes.fromhex(proof.closing.seed)
    events = [recorded.event for recorded in proof.recorded]
    return replay_all_draws(events, seed, taken_in=proof.taken_in) if seed else {}


def _without_remarks(record: Record) -> Record:
    """The record without comments of people."""
    entries = [entry._replace(remarks=tuple(filter(is_proof_annotation, entry.remarks))) for entry in record.entries]
    return Record(record.headers, tuple(entries), tuple(filter(is_proof_annotation, record.afterword)))


def _first_difference(made: str, given: str, first: int, says: str) -> tuple[int, str] | None:
    """The first line in which two texts differ, and what it should be; None if they are equal."""
    if made == given:
        return None
    for number, (ours, theirs) in enumerate(zip_longest(_lines(made), _lines(given)), start=first):
        if ours is not None and theirs == f"{ours}\r":
            return number, "the line ends with a carriage return; put a line feed alone at the end of every line"
        if ours != theirs:
            return number, f"{says} {_shorten('not there' if ours is None else ours or 'empty')}"
    # We always end the last line.
    return first + given.count("\n"), "the last line does not end: a line end is missing after it"


def _lines(text: str) -> list[str]:
    """The lines of a text, whether the last one ends with a line feed or not."""
    return text.removesuffix("\n").split("\n")


def _shorten(line: str) -> str:
    return line if len(line) <= 160 else f"{line[:160]}…"
