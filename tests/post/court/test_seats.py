"""A seat in other hands: nothing that was the choice of whoever left is done to whoever comes."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from engine.brotherhood.base_game import GAME
from engine.brotherhood.moves import Dice
from engine.game import CHANCE, Ply
from pbem.events.codec import encode
from pbem.store.rows import SeatRow
from tests.post.court.courts import Court, convene, text_of
from tests.post.post_games import TABLE

DANA = "dana@elsewhere.test"
CHOICES = "language he\n\nnotify daily\n\nzone Asia/Jerusalem\n\nplain on"


@pytest.fixture
def court(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Court]:
    """Red has the first turn, every roll is a twelve, and the post speaks Dutch to whoever has not chosen."""
    monkeypatch.setattr(type(GAME), "deal", staticmethod(lambda _position, _dealer: Ply(CHANCE, Dice(6, 6))))
    spoken = {"post__language": "nl", "time__zone": "Europe/Amsterdam"}
    with convene(tmp_path, monkeypatch, GAME, 3, options={"First": "red"}, **spoken) as court:
        yield court


def substitute(court: Court, seat: str) -> None:
    """Let Dana take a seat."""
    court.pbem("case", "open", TABLE, "--turn", "1", "--reason", "somebody is gone")
    who = f"{seat}=Dana:{DANA}"
    court.pbem("case", "rule", TABLE, "1", "substitute", "--seat", who, "--reason", "no answer for a month")


def close_case(court: Court, seat: str) -> None:
    """Let time run again, and Dana write from her own address."""
    court.pbem("case", "close", TABLE, "1")
    friend = replace(court.town.friends[seat], name="Dana", address=DANA, mails=[])
    for raw in court.town.mails[DANA]:
        friend.get(raw)
    court.town.friends[seat] = friend


def person(court: Court, seat: str) -> SeatRow:
    with court.town.context.store.reading() as at_desk:
        found = at_desk.find_seat(TABLE, seat)
    assert found is not None
    return found


def test_a_newcomer_is_written_to_as_the_post_writes_to_whoever_has_not_chosen(court: Court) -> None:
    assert court.town.write("red", "roll").fate == "applied"
    assert court.town.write("blue", CHOICES).fate == "applied"
    before = person(court, "blue")
    assert (before.language, before.notices, before.zone, before.plain) == ("he", "daily 08:00", "Asia/Jerusalem", True)
    substitute(court, "blue")
    (welcome,) = court.town.mails[DANA]
    assert "Dana speelt nu blauw" in text_of(welcome)
    fresh = SeatRow(TABLE, "blue", DANA, "Dana", "nl", "Europe/Amsterdam")
    sent = before.mails_sent + 2
    sits = person(court, "blue")
    assert sits == replace(fresh, mails_sent=sent, last_seen_seq=court.town.table.seq, person=sits.person)
    assert sits.person not in ("", before.person)


def test_a_newcomer_whose_turn_it_is_gets_it_at_once(court: Court) -> None:
    assert court.town.write("red", "roll").fate == "applied"
    substitute(court, "red")
    (turn,) = court.town.mails[DANA]
    assert "Jij bent aan de beurt, Dana" in text_of(turn)
    close_case(court, "red")
    assert court.town.write("red", "end").fate == "applied"
    assert court.town.table.turn == 2


def test_what_somebody_had_planned_and_ordered_leaves_with_him(court: Court) -> None:
    assert court.town.write("blue", "plan roll; end\n\nstanding auto-roll").fate == "applied"
    substitute(court, "blue")
    close_case(court, "blue")
    assert court.town.write("red", "roll; end").fate == "applied"
    assert (court.town.table.turn, court.town.table.due) == (2, ("blue",))
    assert not any(encode(event.payload).get("by") in ("plan", "standing") for event in court.town.events)
    assert court.town.write("blue", "roll").fate == "applied"


def test_the_rest_of_a_letter_leaves_with_its_writer(court: Court) -> None:
    table = court.town.table
    held = table.game.view(table.position, "red")["hands"]["red"]["cards"]
    given = next(name for name, number in held.items() if number)
    taken = next(name for name in ("wood", "brick", "wool", "grain", "ore") if name != given)
    assert court.town.write("red", f"roll; offer 1 {given} for 1 {taken} to all; end").fate == "applied"
    substitute(court, "red")
    close_case(court, "red")
    for seat in tuple(each for each in court.town.table.due if each != "red"):
        assert court.town.write(seat, "decline").fate == "applied"
    assert (court.town.table.turn, court.town.table.due) == (1, ("red",))


def test_days_away_leave_with_whoever_announced_them(court: Court) -> None:
    today = court.town.hours.now().date()
    assert court.town.write("red", f"vacation {today} to {today + timedelta(days=20)}").fate == "applied"
    substitute(court, "red")
    close_case(court, "red")
    (game,) = json.loads(court.pbem("status", "--json"))["results"]
    assert datetime.fromisoformat(game["waits_for"]["red"]) <= court.town.hours.now() + timedelta(days=3)
    her_own = today + timedelta(days=30)
    assert court.town.write("red", f"vacation {her_own} to {her_own + timedelta(days=20)}").fate == "applied"


def test_the_referee_is_told_when_a_newcomer_has_another_seat(court: Court) -> None:
    court.pbem("case", "open", TABLE, "--turn", "1", "--reason", "somebody is gone")
    who, why = "blue=Anna:ANNA@players.test", "no answer for a month"
    told = court.pbem("case", "rule", TABLE, "1", "substitute", "--seat", who, "--reason", why)
    assert "note: anna@players.test holds 2 seats: blue, red" in told
    assert "note: " not in court.pbem("case", "close", TABLE, "1")
