"""How people answered, counted by the post and by a second counter that has only the page and the record."""

from collections import Counter
from typing import Any

import pytest

from pbem.events.codec import decode
from pbem.events.kinds import GameOpened
from pbem.events.payload import SECOND_FORM
from pbem.tables.reliability import Counts, begin_tally
from tests.second_verifier.second_author import Author
from tests.second_verifier.second_counts import count
from tests.second_verifier.second_events import Event
from tests.second_verifier.second_verifier import check

LIVES = 60
PEOPLE = {"red": {"id": "a" * 12, "name": "0" * 64}, "blue": {"id": "b" * 12, "name": "1" * 64}}
RED, BLUE, CARL = "a" * 12, "b" * 12, "c" * 12


def count_as_the_post_does(events: Any) -> dict[str, dict[str, int]]:
    """The counts of everybody in a record, by our own code."""
    opened = decode("opened", events[0].data, form=SECOND_FORM)
    assert isinstance(opened, GameOpened)
    tally = begin_tally(opened)
    for event in events[1:]:
        tally = tally.after(decode(event.kind, event.data, form=SECOND_FORM), event.seq, event.at)
    return {who: named(counts) for who, counts in tally.counts.items()}


def named(counts: Counts) -> dict[str, int]:
    """Counts as the second counter says them."""
    return {"on time" if name == "on_time" else name: number for name, number in counts._asdict().items()}


def test_both_count_alike_in_made_histories() -> None:
    found = Counter[str]()
    for author in map(Author, range(LIVES)):
        for text in author.records():
            events, _ = check(text)
            counted = count(events)
            assert counted == count_as_the_post_does(events), author.game
            for person in counted.values():
                found.update(person)
    assert all(found[name] > LIVES // 3 for name in ("on time", "late", "missed", "excused", "left")), found


class Story:
    """Events one after the other, a minute apart, at a table of two."""

    def __init__(self, **terms: str) -> None:
        self.events: list[Event] = []
        proof = {"form": 2, "level": 1, "seed": "", "blind": ""}
        opened = {"game": "nomadi", "rules": "1", "seats": ["red", "blue"], "people": PEOPLE, "options": {}}
        self.tell("opened", **opened, terms=terms, headers={}, proof=proof)
        self.tell("started", options={})

    def tell(self, kind: str, **data: Any) -> int:
        """One more event; its number."""
        seq = len(self.events) + 1
        self.events.append(Event(seq, kind, f"2026-11-18T12:{seq:02}:00Z", data, "", 0, None, (), (), (), 2))
        return seq

    def play(self, seat: str, turn: int, *, asked: int = 2, due: str = "", by: str = "player") -> int:
        """A turn of a seat."""
        data = {"seat": seat, "turn": turn, "phrase": "roll", "by": by, "letter": ""}
        return self.tell("played", **data, asked=asked, due=due)

    def counts(self) -> dict[str, Counts]:
        """What both counters agree on."""
        ours, theirs = count_as_the_post_does(self.events), count(self.events)
        assert ours == theirs
        return {who: Counts(*found.values()) for who, found in ours.items()}


PAST, TO_COME = "2026-11-18T11:00:00Z", "2026-11-18T13:00:00Z"


def test_an_answer_is_counted_once_a_turn_and_the_worst_of_it() -> None:
    story = Story()
    for due in (TO_COME, TO_COME, PAST, TO_COME):
        story.play("red", 1, due=due)
    assert story.counts()[RED] == Counts(late=1)


def test_what_the_clock_played_is_missed_and_can_be_excused() -> None:
    story = Story()
    missed = story.play("red", 1, due=PAST, by="clock")
    story.play("red", 1, due=PAST, by="clock")
    story.play("red", 3, due=TO_COME)
    assert story.counts()[RED] == Counts(on_time=1, missed=1)
    story.tell("note.excused", seat="red", event=missed, by="referee", reason="")
    assert story.counts()[RED] == Counts(on_time=1, excused=1)


@pytest.mark.parametrize(("offers", "counted"), [("third", 0), ("off", 1)])
def test_no_answer_to_a_short_offer_counts_for_nothing(offers: str, counted: int) -> None:
    story = Story(offers=offers)
    offered = story.play("red", 1)
    story.play("blue", 1, asked=offered, due=PAST, by="clock")
    story.play("blue", 2, asked=offered, due=TO_COME)
    assert story.counts()[BLUE] == Counts(on_time=1, missed=counted)


def test_a_player_who_comes_back_has_missed_one_answer() -> None:
    story = Story()
    story.tell("paused", reason="red has no player", by="post")
    story.play("red", 1, due=PAST)
    story.play("red", 2, due=TO_COME)
    assert story.counts()[RED] == Counts(on_time=1, missed=1)


def test_who_is_replaced_while_everybody_waits_has_left_the_game() -> None:
    story = Story()
    story.tell("paused", reason="red has no player", by="post")
    story.tell("substituted", seat="red", id=CARL, name="2" * 64, by="red")
    story.play("red", 1, due=TO_COME)
    assert story.counts() == {RED: Counts(missed=1, left=1), BLUE: Counts(), CARL: Counts(on_time=1)}


def test_who_hands_on_the_seat_in_time_has_not_left() -> None:
    story = Story()
    story.tell("note.seat-offered", seat="red")
    story.tell("substituted", seat="red", id=CARL, name="2" * 64, by="red")
    assert story.counts()[RED] == Counts()


def test_who_loses_the_seat_by_the_clock_has_missed_and_left() -> None:
    story = Story()
    story.tell("resigned", seat="red", by="clock", asked=2, due=PAST)
    story.tell("resigned", seat="blue", by="blue")
    assert story.counts() == {RED: Counts(missed=1, left=1), BLUE: Counts(left=1)}


def test_a_letter_that_was_pencilled_came_when_it_was_read() -> None:
    story, letter = Story(), "e" * 64
    story.tell("note.pencilled", seat="red", turn=1, letter=letter, until=TO_COME, move="0" * 64)
    data = {"seat": "red", "turn": 1, "phrase": "roll", "by": "player", "letter": letter}
    story.tell("played", **data, asked=2, due="2026-11-18T12:03:30Z")
    assert story.counts()[RED] == Counts(on_time=1)
