"""How reliably people answered, counted from the events of a record as docs/proof.md says: not as the post counts."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

RANKS = ("on time", "late", "missed")


@dataclass
class Person:
    """Somebody who sat at the table, and what came of each answer that was asked."""

    answers: dict[int, str] = field(default_factory=dict)
    """By turn: one answer each."""
    settled: set[int] = field(default_factory=set)
    """Turns of which no more is counted, because their answer was missed before it came."""
    others: list[str] = field(default_factory=list)
    """Answers that belong to no turn, because a pause, the clock or the end took their place."""
    missed_by: dict[int, str] = field(default_factory=dict)
    """The seat of each answer that was missed and is not excused, by the event that took its place."""
    excused: int = 0
    left: int = 0

    def total(self) -> dict[str, int]:
        """The counts, as the post would say them."""
        found = Counter([*self.answers.values(), *self.others])
        counts = {rank: found[rank] for rank in RANKS}
        counts["missed"] -= self.excused
        return {**counts, "excused": self.excused, "left": self.left}


class Counting:
    """Reads the events of one game in their order."""

    def __init__(self, opened: dict[str, Any]) -> None:
        self.people = dict[str, Person]()
        self.sits = {seat: who["id"] for seat, who in opened["people"].items()}
        self.offers = opened["terms"].get("offers", "off") != "off"
        self.taken_in = opened["proof"].get("taken_in", 0)
        self.played = dict[int, tuple[str, int]]()
        """Every turn that was played, by its event."""
        self.pencils = dict[str, tuple[str, str]]()
        self.lent = dict[str, str]()
        """The ids of those for whom somebody else plays, by seat."""
        self.waiting, self.gone = set[str](), set[str]()

    def read(self, event: Any) -> str:
        """Count one more event; what is wrong with it, if it excuses what cannot be excused."""
        data, seat = event.data, event.data.get("seat", "")
        person = self.people.get(self.sits.get(seat, ""), Person())
        if event.kind == "started":
            self.people = {who: Person() for who in self.sits.values()}
        elif event.kind == "invited":
            self.sits[seat] = data["id"]
        elif event.kind == "note.pencilled":
            self.pencils[seat] = (data["letter"], event.at)
        elif event.kind == "note.excused":
            owner = next((each for each in self.people.values() if data["event"] in each.missed_by), None)
            if owner is None or owner.missed_by.pop(data["event"]) != seat:
                return "excuses what its seat has not missed"
            owner.excused += 1
        elif event.kind == "note.delegated":
            self.lent[seat] = self.sits[seat]
            self.sits[seat] = data["id"]
            self.people[data["id"]] = Person()
        elif event.kind == "note.delegation-ended":
            self.sits[seat] = self.lent.pop(seat, self.sits[seat])
        elif event.kind == "substituted":
            self.lent.pop(seat, None)
            person.left += seat in self.waiting and seat not in self.gone
            self.sits[seat] = data["id"]
            self.people[data["id"]] = Person()
            self.pencils.pop(seat, None)
            self.waiting.discard(seat)
            self.gone.discard(seat)
        elif event.kind == "played":
            if "asked" in data and not self._answers_an_offer(data):
                self._answer(person, event)
            self.played[event.seq] = (seat, data["turn"])
        elif event.seq > self.taken_in:
            self._read_losses(event, person)
        return ""

    def _read_losses(self, event: Any, person: Person) -> None:
        """Answers that will not come, and games that somebody left."""
        data, seat = event.data, event.data.get("seat", "")
        if event.kind == "resigned":
            if data["by"] == "clock":
                self._lose(seat, event)
            person.left += 1
            self.gone.add(seat)
        elif event.kind == "ended" and data["kind"] == "time" and data["seats"] and "asked" in data:
            self._lose(data["seats"][-1], event)
        elif event.kind == "paused":
            for each in self.sits:
                if data["reason"] == f"{each} has no player" and each not in self.gone:
                    self._lose(each, event)
                    self.waiting.add(each)

    def _answers_an_offer(self, data: Any) -> bool:
        who, turn = self.played.get(data["asked"], (data["seat"], 0))
        return bool(self.offers and who != data["seat"] and turn == data["turn"])

    def _answer(self, person: Person, event: Any) -> None:
        data = event.data
        if data["seat"] in self.waiting:
            self.waiting.discard(data["seat"])
            person.answers.setdefault(data["turn"], "")
            person.settled.add(data["turn"])
            return
        letter, moment = self.pencils.get(data["seat"], ("", ""))
        came = moment if letter and letter == data["letter"] else event.at
        is_late = data["due"] != "" and came > data["due"]
        rank = "missed" if data["by"] == "clock" else "late" if is_late else "on time"
        highest = max(person.answers, default=0)
        if data["turn"] < highest or data["turn"] in person.settled:
            return
        before = person.answers.get(data["turn"])
        if before is None or (before and RANKS.index(rank) > RANKS.index(before)):
            person.answers[data["turn"]] = rank
            if rank == "missed":
                self._note(person, event, data["seat"])

    def _lose(self, seat: str, event: Any) -> None:
        """An answer will not come any more."""
        if seat not in self.waiting | self.gone and self.sits[seat] in self.people:
            person = self.people[self.sits[seat]]
            person.others.append("missed")
            self._note(person, event, seat)

    def _note(self, person: Person, event: Any, seat: str) -> None:
        person.missed_by[event.seq] = seat


def count(events: list[Any]) -> dict[str, dict[str, int]]:
    """What came of the answers of everybody, by their ids."""
    counting = Counting(events[0].data)
    for event in events[1:]:
        counting.read(event)
    return {who: person.total() for who, person in counting.people.items()}
