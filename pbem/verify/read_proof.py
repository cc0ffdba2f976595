"""Reads the proof in a record: its annotations as events, each with its line.

The codec checks the shape of every event; what does not fit is a Finding.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from engine.digest import canonical
from notation import ABOVE, WORDS, Entry, Record, Remark, write_moves
from pbem.events.annotations import (
    BLIND,
    DRAWN,
    ENTRIES,
    EVENT,
    HEAD,
    HEADERS,
    SEALED,
    SEED,
    SIGNED,
    STATE,
    TOLD,
    WITHHELD,
    Closing,
    is_proof_annotation,
    parse_annotation,
)
from pbem.events.chain import BY, WITHHOLDABLE, Event, Sealed, Withheld, epochs_before
from pbem.events.codec import MalformedEventError, decode, encode, form_of
from pbem.events.kinds import KINDS, GameEnded, GameOpened, InvitationDeclined, MovesMade, is_unknown_note
from pbem.events.payload import FIRST_FORM, SECOND_FORM, Payload
from pbem.events.post_kinds import GameCalledOff
from pbem.events.told import Told, find_seals, is_private
from pbem.proof.draws import Opening
from pbem.verify.finding import FORM, Finding

_HASH: Final = r"([0-9a-f]{64})"
_KIND: Final = r"([a-z-]{1,20}|note\.[a-z-]{1,100})"
_EVENT: Final = re.compile(rf"([1-9][0-9]{{0,6}}) {_KIND} (\S{{1,40}}) (\{{.*\}}) {_HASH}")
_SEALED: Final = re.compile(rf'([0-9]{{1,6}}|{BY}) {_HASH}(?: {_HASH} (".*"))?')
_TOLD: Final = re.compile(rf'([1-9][0-9]{{0,6}}) (\S{{1,100}}) {_HASH} (".*")')
_WITHHELD: Final = re.compile(rf"([1-9][0-9]{{0,6}}) {_HASH} ([0-9a-f]{{128}})")
_HEAD: Final = re.compile(rf"([1-9][0-9]{{0,6}}) {_HASH}")
_SECRET: Final = re.compile(_HASH)
_SIGNED: Final = re.compile(rf"(\S+) {_HASH} ([0-9a-f]{{128}})")


class _EventLines(NamedTuple):
    """The lines of an event that is no entry: where it begins, what it says, and the texts that are told of it."""

    line: int
    said: str
    told: list[str]
    withheld: list[str]


class _MalformedProofError(Exception):
    """An annotation of a proof is malformed or misplaced; the arguments are its line and the reason."""


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """An event in a record: its line, its entry if it is one, and its opened values."""

    event: Event
    line: int
    entry: Entry | None = None
    openings: Mapping[str, Opening] = field(default_factory=dict)
    state: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether all its hidden moves are open. Who prepared them does not count: that is sealed until the end."""
        return all(name in self.openings for name, _ in self.event.fields if name != BY)

    @property
    def withheld(self) -> tuple[str, ...]:
        """The fields of names and words that are not told; words to one seat never are, and do not count."""
        if is_private(self.event.kind, encode(self.event.payload)):
            return ()
        return tuple(name for name, told in self.event.told.items() if told.text is None)


class RecordProof(NamedTuple):
    """The parts of a record: the record without annotations, its events, and how it ends."""

    record: Record
    recorded: tuple[RecordedEvent, ...]
    closing: Closing
    last_line: int

    @property
    def opened(self) -> GameOpened:
        """The first event, which opened the game."""
        first = self.recorded[0].event.payload
        if not isinstance(first, GameOpened):
            raise TypeError("a proof begins with the event that opened the game")
        return first

    @property
    def is_whole(self) -> bool:
        """Whether all hidden moves are open."""
        return all(recorded.is_whole for recorded in self.recorded)

    @property
    def form(self) -> int:
        """The form of its proof."""
        return self.opened.form

    @property
    def is_over(self) -> bool:
        """Whether its secrets must be open."""
        payloads = [recorded.event.payload for recorded in self.recorded]
        if self.form == SECOND_FORM:
            return any(isinstance(payload, GameEnded | GameCalledOff) for payload in payloads)
        return isinstance(payloads[-1], GameEnded | InvitationDeclined)

    @property
    def epochs(self) -> tuple[int, ...]:
        """The epoch of each event."""
        return tuple(epochs_before(recorded.event for recorded in self.recorded))

    @property
    def taken_in(self) -> int:
        """How many events were imported from another record and happened elsewhere."""
        return self.opened.taken_in


def read_proof(record: Record, first: int) -> RecordProof | Finding:
    """Read the proof in a record in canonical form; `first` is its first line."""
    try:
        return _ProofReader(record, first).read()
    except _MalformedProofError as problem:
        line, reason = problem.args
        return Finding(FORM, line, reason)


class _ProofReader:
    """Reads one record from top to bottom."""

    def __init__(self, record: Record, first: int) -> None:
        self._record = record
        self._line = first + len(record.headers) + 1
        self._recorded: list[RecordedEvent] = []
        self._form = FIRST_FORM
        self._open: _EventLines | None = None
        """An event between entries of which more lines may follow."""

    def read(self) -> RecordProof:
        record, bare = self._record, []
        missing = [name for name in HEADERS if record.header(name) is None]
        if missing:
            raise _MalformedProofError(self._line - 1, f"the record carries no proof: it has no header {missing[0]}")
        for entry in record.entries:
            above = [remark for remark in entry.remarks if remark.at == ABOVE]
            self._read_between(above)
            self._read_entry(entry, [remark for remark in entry.remarks if remark.at != ABOVE])
            self._line += 1 + sum(_lines_in(remark) for remark in entry.remarks if remark.at != ABOVE)
            bare.append(entry._replace(remarks=()))
        closing = self._read_closing()
        if not self._recorded or not isinstance(self._recorded[0].event.payload, GameOpened):
            raise _MalformedProofError(self._line, "the first event does not open a game")
        headers = tuple(header for header in record.headers if header[0] not in HEADERS)
        return RecordProof(Record(headers, tuple(bare)), tuple(self._recorded), closing, self._line - 1)

    def _read_between(self, remarks: list[Remark]) -> None:
        for name, said in self._annotations(remarks):
            if not self._continue_event(name, said):
                raise _MalformedProofError(self._line, f"[%{name}] cannot stand here")
        self._end_event()

    def _continue_event(self, name: str, said: str) -> bool:
        """Read one line of the events between entries; False if it is none."""
        if name == EVENT:
            self._end_event()
            self._open = _EventLines(self._line, said, [], [])
        elif name == TOLD and self._open is not None:
            self._open.told.append(said)
        elif name == WITHHELD and self._open is not None:
            self._open.withheld.append(said)
        else:
            return name == DRAWN and bool(self._recorded or self._open)
        return True

    def _end_event(self) -> None:
        """Read the event between entries whose lines are complete."""
        if self._open is not None:
            line, said, told, withheld = self._open
            self._open = None
            event = self._read_withheld(self._read_event(said, None, told, line), withheld, line)
            self._recorded.append(RecordedEvent(event, line))

    def _annotations(self, remarks: list[Remark]) -> Iterator[tuple[str, str]]:
        """The annotations of the proof, each on its own line; the lines of other remarks are counted."""
        for remark in remarks:
            found = parse_annotation(remark)
            if found is not None and is_proof_annotation(remark):
                yield found
            self._line += 1 + _lines_in(remark)

    def _read_entry(self, entry: Entry, remarks: list[Remark]) -> None:
        said = [
            found
            for remark in remarks
            if is_proof_annotation(remark) and (found := parse_annotation(remark)) is not None
        ]
        events = [text for name, text in said if name == EVENT]
        if len(events) != 1:
            raise _MalformedProofError(self._line, f"this entry has {len(events) or 'no'} events")
        event = self._read_event(events[0], entry, [text for name, text in said if name == TOLD], self._line)
        event = self._read_withheld(event, [text for name, text in said if name == WITHHELD], self._line)
        fields, commitments, openings = [], [], {}
        for name, text in said:
            if name == SEALED:
                field, commitment, opening = self._read_sealed(event.seq, text)
                fields.append((field, opening.value if opening is not None else ""))
                commitments.append(commitment)
                if opening is not None:
                    openings[field] = opening
        if fields:
            full = self._phrase(entry)
            hidden = tuple(each for each in fields if each[0] != BY)
            event = replace(
                event,
                sealed=Sealed(full, (), hidden) if hidden else None,
                commitments=tuple(commitments),
                maker=next((value for name, value in fields if name == BY), None),
            )
            if len(event.fields) != len(commitments):
                raise _MalformedProofError(self._line, f"event {event.seq} seals one thing twice")
        state = next((text for name, text in said if name == STATE), "")
        self._recorded.append(RecordedEvent(event, self._line, entry._replace(remarks=()), openings, state))

    def _read_event(self, text: str, entry: Entry | None, told: list[str], line: int) -> Event:
        found = _EVENT.fullmatch(text)
        if found is None:
            raise _MalformedProofError(line, "the event cannot be read")
        seq, kind, at, written, digest = found.groups()
        data = self._read_json(written)
        if not isinstance(data, dict):
            raise _MalformedProofError(line, "the event cannot be read")
        known = KINDS.get(kind, Payload)
        if issubclass(known, ENTRIES) != (entry is not None):
            raise _MalformedProofError(line, f"{kind} is {'no' if entry is not None else 'an'} entry")
        if entry is not None and issubclass(known, MovesMade) == (entry.who in WORDS):
            raise _MalformedProofError(line, f"{kind} is not what this entry says")
        if entry is not None and issubclass(known, MovesMade):
            data = {"seat": entry.who, "turn": entry.number, "phrase": self._phrase(entry), **data}
        try:
            self._form = form_of(data) if not self._recorded and kind == GameOpened.KIND else self._form
            texts = self._read_told(int(seq), kind, data, told, line)
            payload = decode(kind, data, form=self._form, texts={name: each.text or "" for name, each in texts.items()})
        except MalformedEventError:
            raise _MalformedProofError(line, f"event {seq} is not what {kind} must be") from None
        if isinstance(payload, GameOpened) and payload.proof is None:
            raise _MalformedProofError(line, f"event {seq} is not what {kind} must be")
        before = self._recorded[-1].event.hash if self._recorded else "0" * 64
        seals = find_seals(kind, data) if self._form == SECOND_FORM else {}
        if is_unknown_note(kind):
            seals = {name: seal for name, seal in seals.items() if name in texts}  # what else is a seal nobody knows
        sealed = {name: texts.get(name, Told(seal)) for name, seal in seals.items()}
        return Event(self._record.header("Id") or "", int(seq), payload, at, before, digest, told=sealed)

    def _read_withheld(self, event: Event, lines: list[str], line: int) -> Event:
        """The event with what stands in for its data, if a name or words were taken out of it."""
        if not lines:
            return event
        found = _WITHHELD.fullmatch(lines[0])
        may_be = self._form == FIRST_FORM and event.kind in WITHHOLDABLE and len(lines) == 1
        if found is None or int(found[1]) != event.seq or not may_be:
            raise _MalformedProofError(line, f"nothing can be withheld so from event {event.seq}")
        return replace(event, withheld=Withheld(found[2], found[3]))

    def _phrase(self, entry: Entry) -> str:
        """The moves of a turn; empty for an entry that is none."""
        game = self._record.game
        return write_moves(game, entry.moves) if game is not None and entry.who not in WORDS else ""

    def _read_told(
        self, seq: int, kind: str, data: Mapping[str, object], lines: list[str], line: int
    ) -> dict[str, Told]:
        """The texts that are told of an event, by field."""
        seals = find_seals(kind, data) if self._form == SECOND_FORM else {}
        private = is_private(kind, data)
        told: dict[str, Told] = {}
        for text in lines:
            found = _TOLD.fullmatch(text)
            if found is None or int(found[1]) != seq or found[2] not in seals or found[2] in told or private:
                raise _MalformedProofError(line, f"event {seq} tells what it has not sealed, or what is private")
            said = self._read_json(found[4])
            if not isinstance(said, str) or not said:
                raise _MalformedProofError(line, "the told text cannot be read, or is empty")
            told[found[2]] = Told(seals[found[2]], found[3], said)
        return told

    def _read_sealed(self, seq: int, text: str) -> tuple[str, str, Opening | None]:
        found = _SEALED.fullmatch(text)
        if found is None:
            raise _MalformedProofError(self._line, "the sealed value cannot be read")
        name, commitment, blinding, written = found.groups()
        if written is None:
            return name, commitment, None
        value = self._read_json(written)
        if not isinstance(value, str):
            raise _MalformedProofError(self._line, "the sealed value cannot be read")
        return name, commitment, Opening(seq, name, value, blinding)

    def _read_json(self, text: str) -> object:
        try:
            read = json.loads(text, parse_float=_refuse, parse_constant=_refuse)
            canonical(read)  # half of a surrogate pair is valid JSON, but not text
        except (ValueError, RecursionError):
            raise _MalformedProofError(self._line, "the annotation is no JSON") from None
        return read

    def _read_closing(self) -> Closing:
        closing: Closing | None = None
        for name, said in self._annotations(list(self._record.afterword)):
            if closing is None and self._continue_event(name, said):
                continue
            self._end_event()
            if closing is None and name == HEAD and (found := _HEAD.fullmatch(said)):
                closing = Closing(int(found[1]), found[2])
            elif closing is not None and name == SEED and _SECRET.fullmatch(said):
                closing = closing._replace(seed=said)
            elif closing is not None and name == BLIND and _SECRET.fullmatch(said):
                closing = closing._replace(blind=said)
            elif closing is not None and name == SIGNED and (found := _SIGNED.fullmatch(said)):
                closing = closing._replace(signed=(found[1], found[2], found[3]))
            else:
                raise _MalformedProofError(self._line, f"[%{name}] cannot stand here, or cannot be read")
        self._end_event()
        if closing is None:
            raise _MalformedProofError(self._line - 1, "the record ends without [%head]: its end is missing")
        if bool(closing.seed) != bool(closing.blind):
            raise _MalformedProofError(self._line - 1, "seed and blind key are opened together")
        return closing


def _refuse(number: str) -> float:
    raise ValueError(f"{number} is no whole number")


def _lines_in(remark: Remark) -> int:
    """How many lines besides the first a remark takes."""
    return remark.value.count("\n") if isinstance(remark.value, str) else 0
