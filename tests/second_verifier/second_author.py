"""Honest records of the second form, each by its number: written from the page alone, before any post could write one.

The moves are those of whole games in tests/records. Whether they fit what happens to the table is not asked here: a
verifier without rules could not tell.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from tests.second_verifier.second_counts import Counting
from tests.second_verifier.second_draws import seat_lot
from tests.second_verifier.second_events import Ending, Event, Seal, Told, epochs
from tests.second_verifier.second_reading import Entry, Record
from tests.second_verifier.second_scribe import POST, Scribe
from tests.second_verifier.second_secrets import PREPARED, blinding_of, commitment, promise
from tests.second_verifier.second_shapes import SAID, TURNS
from tests.second_verifier.second_told import told_seal
from tests.second_verifier.second_writing import canon

RECORDS = Path(__file__).parents[1] / "records"
SOURCES = (
    "through-the-desert/whole-game-of-three.turns",
    "through-the-desert/whole-game-of-five.turns",
    "nomadi/whole-game-of-three.turns",
)
OPTIONS = ("Board", "Oases", "Water", "Herds", "Oasis", "Cards", "Deals", "Coins")
WORDS = (
    "good luck",
    'a "strange" \\] reason\n',
    "\u05e9\u05dc\u05d5\u05dd \u2028 \U0001f42a",
    "it is {hidden} [%told 1]",
)
NAMES = ("Anna", "Boris", "Chiara", 'Dana "the fox"', "\u0417\u043e\u044f", "Eva]")
MOVING = ("started", "played", "dealt", "undone")
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


class Author:
    """One table of the second form, lived by chance."""

    def __init__(self, number: Any, kinds: Any = None) -> None:
        self.chance = Random(f"author {number}")
        self.game, self.kinds = f"sirocco-{number}", kinds
        text = (RECORDS / self.chance.choice(SOURCES)).read_text("utf-8")
        self.headers = dict(re.findall(r'^\[(\S+) "(.*)"\]$', text, re.MULTILINE))
        self.seats = [name.removeprefix("Seat.") for name in self.headers if name.startswith("Seat.")]
        self.moves = re.findall(r"^(\d+)\. (\w+|\*): ([^\[\n]*[^\[\n ])", text, re.MULTILINE)
        self.scribe = Scribe(*(self.chance.randbytes(32) for _ in range(4)))
        self.seed, self.blind = self.chance.randbytes(32).hex(), self.chance.randbytes(32).hex()
        self.events: list[Any] = []
        self.waiting: dict[str, Any] = {}
        """Letters that are to be played later, by seat."""
        self.at, self.turn, self.key = datetime(2026, 11, 16, 12, tzinfo=UTC), 0, 0
        self.keeps_rule = number % 3 > 0
        self.forces = number % 4 > 0
        self.gone: set[str] = set()
        """Seats that were given up."""
        self.stirs = self.draw_seats(Random(f"seats {number}"))
        """What those stir in who were drawn to their seats."""
        self.open()

    # -- One event

    def add(
        self, kind: Any, data: Any, said: Any = None, sealed: Any = (), draws: Any = (), entry: Any = False
    ) -> None:
        """An event: what people say in it, by field, is sealed; so are values, by field."""
        self.at += timedelta(seconds=self.chance.randrange(1, 4000))
        if kind == "resigned":
            self.gone.add(data["seat"])
        elif kind == "substituted":
            self.gone.discard(data["seat"])
        if kind in ("paused", "undone", "restored"):
            self.waiting.clear()
        elif kind in ("resigned", "substituted", "note.pencilled"):
            self.waiting.pop(data["seat"], None)
        at = f"{self.at:%Y-%m-%dT%H:%M:%SZ}"
        line = Entry(self.turn or 1, "", "", [], 0) if entry else None
        event = Event(len(self.events) + 1, kind, at, dict(data), "", 0, line, (), tuple(draws), (), 2)
        told = []
        for field, text in (said or {}).items():
            salt = self.chance.randbytes(32)
            seal = told_seal(salt, self.game, event.seq, field, text).hex() if text else ""
            self.put(event.data, field, seal)
            private = event.data.get("to", "all") != "all" or kind == "note.pencilled"
            if text and not private and self.chance.random() < 0.7:
                told.append(Told(event.seq, field, salt.hex(), text))
        event = event._replace(told=tuple(told))
        self.events.append(event._replace(seals=tuple(self.seal(event, *each) for each in sealed)))

    def put(self, data: Any, field: Any, seal: Any) -> None:
        """Write a seal where it belongs."""
        if field.startswith("name."):
            data["people"][field.removeprefix("name.")]["name"] = seal
        else:
            data[field] = seal

    def seal(self, event: Any, field: Any, value: Any) -> Any:
        """The seal of a value, open."""
        *_, epoch = epochs([*self.events, event])
        blind = blinding_of(bytes.fromhex(self.blind), self.game, event, epoch, field)
        made = commitment(blind, self.game, event.seq, field, value).hex()
        return Seal(field, made, blind.hex(), value)

    # -- The beginning

    def person(self) -> Any:
        return "".join(self.chance.choices(LETTERS, k=12))

    def draw_seats(self, chance: Random) -> Any:
        """Some letters, by the seats to which they were drawn; sometimes all seats were wished for."""
        wished = chance.choice([0, 0, 1, len(self.seats)])
        seats = self.seats[wished:]
        letters = [chance.randbytes(32).hex() for _ in seats]
        letters.sort(key=lambda letter: seat_lot(self.seed, self.game, letter))
        return dict(zip(seats, letters, strict=True)) if len(seats) > 1 else {}

    def open(self) -> None:
        proof = {
            "form": 2,
            "level": 1,
            "seed": promise("seed", self.game, self.seed),
            "blind": promise("blind", self.game, self.blind),
            "key": self.scribe.public(0),
            **({"undo": 1} if self.keeps_rule else {}),
            **({"seated": [*self.stirs]} if self.stirs else {}),
        }
        people = {seat: {"id": self.person(), "name": ""} for seat in self.seats}
        names = {f"name.{seat}": self.chance.choice(NAMES) for seat in self.seats}
        self.add(
            "opened",
            {
                "game": self.headers["Game"],
                "rules": "1",
                "seats": self.seats,
                "people": people,
                "options": {},
                "terms": {"pace": "a day", **({"forced": "play"} if self.forces else {})},
                "headers": {"Event": "a fair"},
                "proof": proof,
            },
            names,
        )

    def fill(self, *, calls_off: Any) -> None:
        """All accept, some only after others declined; or the game does not take place."""
        for seat in self.seats:
            if self.chance.random() < 0.4:
                if self.chance.random() < 0.5:
                    self.accept(seat)
                self.add("declined", {"seat": seat}, {"reason": self.words()})
                if calls_off:
                    self.add("called-off", {"by": "operator"}, {"reason": self.words()})
                    return
                named = {"name": self.chance.choice(NAMES)}
                self.add("invited", {"seat": seat, "id": self.person(), "by": "operator"}, named)
            self.accept(seat)
        if calls_off:
            self.add("called-off", {"by": "operator"}, {"reason": self.words()})
            return
        options = {name: self.headers[name] for name in OPTIONS if name in self.headers}
        self.add("started", {"options": options}, draws=[(0, many, "oasis") for many in (7, 6, 5, 4)])

    def accept(self, seat: Any) -> None:
        stirred, letter = self.hash(), self.hash()
        self.add("accepted", {"seat": seat, "entropy_sha256": self.stirs.get(seat, stirred), "letter": letter})

    def hash(self) -> Any:
        return self.chance.randbytes(32).hex()

    def words(self) -> Any:
        return self.chance.choice([*WORDS, ""])

    # -- What happens

    def asked(self) -> Any:
        """By what somebody was asked to move, and until when there is time."""
        due = self.at + timedelta(days=self.chance.choice([1, 1, 1, -1]))
        last = next(event.seq for event in reversed(self.events) if event.kind in MOVING)
        return {"asked": last, "due": self.chance.choice(["", f"{due:%Y-%m-%dT%H:%M:%SZ}"])}

    def late(self) -> Any:
        """The same, when there is no time left."""
        return {**self.asked(), "due": f"{self.at:%Y-%m-%dT%H:%M:%SZ}"}

    def move(self, turn: Any, who: Any, phrase: Any) -> None:
        """A turn, by the player or somebody else."""
        self.turn = int(turn)
        phrase = re.sub(r' ?"(?:[^"\\]|\\.)*"', "", phrase)
        data = {"seat": who, "turn": self.turn, "letter": self.hash(), "phrase": phrase, "by": "player"}
        plies = phrase.split(", ")
        if len(plies) > 1:
            data["plies"] = plies
        if who == "*":
            hidden = re.sub(r"(card \w+) .*", r"\1 hidden", phrase)
            sealed = [("0", phrase)] if hidden != phrase else []
            data |= {"phrase": hidden, "by": "dealer", "letter": ""}
            self.add("dealt", data, sealed=sealed, draws=[(0, 6, "die"), (0, 5, "card")], entry=True)
            return
        dice = self.chance.random()
        if self.forces and len(plies) == 1 and who not in {*self.gone, *self.waiting} and dice > 0.6:
            self.add("played", {**data, "letter": "", "by": "forced"}, entry=True)
            return
        if who in self.waiting:
            dice, data["letter"] = 0, self.waiting.pop(who)
        if dice < 0.8:
            self.add("played", {**data, **self.asked()}, sealed=[("by", self.chance.choice(PREPARED))], entry=True)
        elif dice < 0.9:
            self.add("played", {**data, **self.late(), "by": "clock"}, draws=[(0, 9, "silence")], entry=True)
        elif dice < 0.95:
            self.add("played", {**data, "by": "chance"}, draws=[(0, 99, "silence")], entry=True)
        else:
            self.add("played", {**data, "by": "referee"}, entry=True)

    def who_goes_back(self) -> Any:
        """The player who has made the only move of the turn, just now; or all together."""
        last = next((event for event in reversed(self.events) if event.kind in (*MOVING, "substituted")), None)
        moves = [event for event in self.events if event.kind in TURNS and event.data["turn"] == self.turn]
        own = last is not None and last.kind == "played" and moves == [last] and last.data["by"] == "player"
        return last.data["seat"] if last is not None and own else "consent"

    def something(self) -> None:
        """Something else than a turn."""
        kind = self.chance.choice(
            self.kinds
            or [*SAID, "rekeyed", "vacant", "undone", "resigned", "paused", "note", "pencil", "absence", "successor"]
        )
        seat, by = self.chance.choice(self.seats), {"by": "operator"}
        match kind:
            case "press":
                to = self.chance.choice(["all", "referee", seat])
                self.add("press", {"from": self.seats[0], "to": to}, {"words": self.chance.choice(WORDS)})
            case "appealed" | "ruled" | "warranted" | "extended" | "restored":
                more: dict[str, Any] = {
                    "appealed": {"case": 1, "turn": self.turn},
                    "ruled": {"case": 1, "ruling": "dismiss", "turn": self.turn},
                    "warranted": {"case": 1, "seat": seat},
                    "extended": {"length": "24h"},
                }
                self.add(kind, {**more.get(kind, {}), **by}, {SAID[kind]: self.words()})
            case "substituted":
                named = {"name": self.chance.choice(NAMES)}
                self.add("substituted", {"seat": seat, "id": self.person(), **by}, named, entry=True)
            case "rekeyed" if self.key < 2:
                self.rekey(vouched=self.chance.random() < 0.7)
            case "undone":
                self.add("undone", {"turn": self.turn, "by": self.who_goes_back()}, entry=True)
            case "resigned":
                by = self.chance.choice([{"by": "player"}, {"by": "clock", **self.late()}])
                by = {"by": "player"} if seat in self.waiting else by
                self.add("resigned", {"seat": seat, **by}, entry=True)
            case "paused":
                reason = self.chance.choice(WORDS)
                self.add("paused", {"reason": reason, **by}, entry=True)
                self.add("resumed", {"reason": reason, **by}, entry=True)
            case "note.excused" | "note.changed":
                self.agree(kind, seat)
            case "vacant":
                self.add("paused", {"reason": f"{seat} has no player", "by": "post"}, entry=True)
                self.waiting.clear()
                self.add("resumed", {"reason": f"{seat} has no player", "by": "post"}, entry=True)
            case "note":
                kind = self.chance.choice(["note.pen", "note.weather-report"])
                self.add(
                    kind, {"turn": self.turn, "seat": seat, "more": [1, None]}, {"words": self.chance.choice(WORDS)}
                )
            case "pencil":
                self.pencil(seat)
            case "note.delegated" | "successor" if seat not in self.gone:
                self.hand_on(seat, for_days=kind == "note.delegated")
            case "absence":
                self.add("absence", {"seat": seat, "first": "2026-12-01", "last": "2026-12-03"})

    def hand_on(self, seat: Any, *, for_days: bool) -> None:
        """A seat passes to somebody else, for good or for some days; or its player stays."""
        named = {"name": self.chance.choice(NAMES)}
        if for_days:
            data = {"seat": seat, "id": self.person(), "first": "2026-12-01", "last": "2026-12-03"}
            self.add("note.delegated", data, named)
            self.add("note.delegation-ended", {"seat": seat})
            return
        self.add("note.seat-offered", {"seat": seat})
        if self.chance.random() < 0.5:
            self.add("note.seat-kept", {"seat": seat})
        else:
            self.add("substituted", {"seat": seat, "id": self.person(), "by": seat}, named, entry=True)

    def agree(self, kind: Any, seat: Any) -> None:
        """An answer is excused, if one was missed; or a term is another from now on."""
        if kind == "note.changed":
            new = self.chance.choice(["1d", "2d", "36h"])
            self.add(kind, {"term": "pace", "old": "3d", "new": new, "by": seat}, {"reason": self.words()})
        elif missed := self.missed():
            number, whose = self.chance.choice(missed)
            data = {"seat": whose, "event": number, "by": self.chance.choice([whose, "referee"])}
            self.add(kind, data, {"reason": self.words()})

    def missed(self) -> Any:
        """The events by which an answer was missed that nobody has excused, each with its seat."""
        counting = Counting(self.events[0].data)
        for event in self.events[1:]:
            counting.read(event)
        return [pair for person in counting.people.values() for pair in person.missed_by.items()]

    def pencil(self, seat: Any) -> None:
        """A letter is to be played later; it is stopped, taken back by a pause, or played with the next turn."""
        until = f"{self.at + timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}"
        data = {"seat": seat, "turn": self.turn, "letter": self.hash(), "until": until}
        self.add("note.pencilled", data, {"move": "lilac F4"})
        if self.chance.random() < 0.5:
            self.add("note.erased", {"seat": seat, "letter": data["letter"]})
        elif self.chance.random() < 0.5:
            self.add("paused", {"reason": "tea", "by": "operator"}, entry=True)
            self.add("resumed", {"reason": "tea", "by": "operator"}, entry=True)
        else:
            self.waiting[seat] = data["letter"]

    def rekey(self, *, vouched: Any) -> None:
        """From here on the post signs with another key."""
        old, self.key = self.scribe.public(self.key), self.key + 1
        key, seq = self.scribe.public(self.key), len(self.events) + 1
        said = canon(["pbm-rekeyed-1", POST, self.game, seq, key])
        signature = self.scribe.sign(old, said).hex() if vouched else ""
        self.add("rekeyed", {"key": key, "signature": signature, "by": "operator"})

    def end(self) -> None:
        kind = self.chance.choice(["normal", "adjudicated", *([] if self.seats[0] in self.waiting else ["time"])])
        data = {"kind": kind, "seats": self.seats[:1] if kind == "time" else [], "result": f"{self.seats[0]} 3 won"}
        if kind == "time":
            data |= self.late()
        reason = self.chance.choice(WORDS) if kind == "adjudicated" else self.chance.choice(["", *WORDS])
        self.add("ended", data, {"reason": reason}, entry=True)

    # -- Records

    def records(self, most: Any = 40) -> Iterator[Any]:
        """What anybody may be given at some moments of this life, and at its end."""
        self.fill(calls_off=self.chance.random() < 0.12)
        if self.events[-1].kind == "called-off":
            yield self.text()
            return
        moments = {self.chance.randrange(most) for _ in range(2)}
        for moment, (turn, who, phrase) in enumerate(self.moves[-most:]):
            if self.chance.random() < 0.3:
                self.something()
            self.move(turn, who, phrase)
            if moment in moments:
                yield self.text()
        if self.chance.random() < 0.9:
            self.end()
        yield self.text()

    def text(self) -> Any:
        """The record of all that has happened so far."""
        over = self.events[-1].kind in ("ended", "called-off")
        seed, blind = (self.seed, self.blind) if over else (None, None)
        events = self.events if over else [closed(event) for event in self.events]
        ending = Ending((0, ""), seed, blind, (POST, "", ""))
        return self.scribe.write(self.game, events, ending, Record([], []))


def closed(event: Any) -> Any:
    """An event as everybody knows it while the game goes on."""
    seals = tuple(seal._replace(blinding=None, value=None) for seal in event.seals)
    return event._replace(seals=seals, draws=())
