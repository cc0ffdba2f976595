"""A player asks to be replaced; somebody takes the seat with its hand, and the former player sees no more of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.events.kinds import SeatSubstituted
from pbem.events.post_kinds import SeatKept, SeatOffered
from pbem.locale.catalogues import find_locale
from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.resign import AskSubstitute, DropSubstitute
from pbem.mail.writing.sentences import find_sentences
from pbem.verify.check_record import verify_text
from pbem.workflow import referee_acts
from pbem.workflow.history import read_events
from pbem.workflow.record_proof import record_text
from tests.post.people.desks import Lobby, open_lobby

ANNA, BORIS, DOV, EVA = "anna@people.test", "boris@people.test", "dov@people.test", "eva@people.test"
TABLE = "sirocco-1"


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    """Three people play; a fourth and a fifth look for something to do."""
    with open_lobby(tmp_path / "post") as found:
        for who in (ANNA, BORIS, DOV, EVA):
            found.come_in(who, f"yes, I am {who.partition('@')[0].title()}")
        found.answer(ANNA, "open shy-well seats 2")
        found.answer(BORIS, f"join {TABLE}")
        yield found


def kinds(lobby: Lobby) -> list[str]:
    with lobby.context.store.reading() as at_desk:
        return [event.kind for event in read_events(at_desk, TABLE)]


def seat_of(lobby: Lobby, address: str) -> str:
    with lobby.context.store.reading() as at_desk:
        return next((seat.seat for seat in at_desk.find_seats(TABLE) if seat.address == address), "")


def to_table(lobby: Lobby, who: str, words: str) -> str:
    """Answer the last mail about the table; what became of the letter."""
    last = next(mail for mail in reversed(lobby.mails[who]) if f"+{TABLE}." in str(mail["Reply-To"]))
    return lobby.write(who, words, to=str(last["Reply-To"]), subject=f"Re: {last['Subject']}").fate


def test_a_seat_is_offered_listed_and_taken(lobby: Lobby) -> None:
    seat = seat_of(lobby, ANNA)
    assert to_table(lobby, ANNA, "substitute") == "applied"
    assert "substitute none" in str(lobby.mails[ANNA][-1]).replace("%20", " ")
    assert "looking for somebody to take over the seat" in lobby.last(BORIS)
    lobby.write(DOV, "tables")
    assert TABLE in lobby.last(DOV)
    lobby.answer(DOV, f"join {TABLE}")
    assert (seat_of(lobby, DOV), seat_of(lobby, ANNA)) == (seat, "")
    assert f"Dov has taken over your seat at {TABLE}" in lobby.last(ANNA)
    assert kinds(lobby)[-2:] == ["note.seat-offered", "substituted"]
    lobby.write(EVA, "tables")
    assert TABLE not in lobby.last(EVA)
    assert to_table(lobby, DOV, "status") == "applied"


def test_the_owner_answers_for_the_seat_until_somebody_comes(lobby: Lobby) -> None:
    to_table(lobby, ANNA, "substitute")
    assert to_table(lobby, ANNA, "go") == "applied"
    assert kinds(lobby)[-1] == "played"


def test_the_owner_can_stay_after_all(lobby: Lobby) -> None:
    assert to_table(lobby, ANNA, "substitute none") == "refused"
    to_table(lobby, ANNA, "substitute")
    assert to_table(lobby, ANNA, "substitute") == "refused"
    assert to_table(lobby, ANNA, "substitute none") == "applied"
    assert kinds(lobby)[-2:] == [SeatOffered.KIND, SeatKept.KIND]
    lobby.answer(DOV, f"join {TABLE}")
    assert not seat_of(lobby, DOV)


def test_the_former_player_gets_nothing_more_of_the_seat(lobby: Lobby) -> None:
    to_table(lobby, ANNA, "substitute")
    lobby.answer(DOV, f"join {TABLE}")
    before = len(lobby.mails[ANNA])
    assert to_table(lobby, ANNA, "go") == "refused"
    for who in (BORIS, DOV):
        to_table(lobby, who, "go")
    lobby.write(ANNA, f"record {TABLE}")
    later = [mail for mail in lobby.mails[ANNA][before:] if f"+{TABLE}." in str(mail["Reply-To"])]
    assert later == []
    assert "You do not sit at" in lobby.last(ANNA)


def test_nobody_sees_two_hands_of_one_table(lobby: Lobby) -> None:
    to_table(lobby, ANNA, "substitute")
    lobby.answer(DOV, f"join {TABLE}")
    to_table(lobby, BORIS, "substitute")
    for who in (ANNA, DOV):
        lobby.write(who, f"join {TABLE}")
        lobby.write(who, "tables")
        assert TABLE not in lobby.last(who)
    assert {seat_of(lobby, who) for who in (DOV, BORIS)} == {"red", "blue"} or seat_of(lobby, BORIS)
    to_table(lobby, DOV, "substitute")
    lobby.write(ANNA, f"join {TABLE}")
    assert seat_of(lobby, ANNA), "her own old seat shows her nothing new"


def test_who_waits_for_the_game_is_told_once(lobby: Lobby) -> None:
    lobby.answer(DOV, "wait for shy-well")
    before = len(lobby.mails[DOV])
    to_table(lobby, ANNA, "substitute")
    assert len(lobby.mails[DOV]) == before + 1
    assert f"a seat is free at {TABLE}" in str(lobby.mails[DOV][-1]["Subject"])
    to_table(lobby, ANNA, "substitute none")
    to_table(lobby, ANNA, "substitute")
    assert len(lobby.mails[DOV]) == before + 1


def test_others_name_somebody_even_at_a_private_table(lobby: Lobby) -> None:
    lobby.write(ANNA, "open shy-well seats 2 private tent")
    with lobby.context.store.reading() as at_desk:
        (private,) = [notice.id for notice in at_desk.notices()]
    lobby.write(BORIS, f"join {private} tent")
    last = next(mail for mail in reversed(lobby.mails[ANNA]) if f"+{private}." in str(mail["Reply-To"]))
    lobby.write(ANNA, "substitute", to=str(last["Reply-To"]))
    lobby.write(DOV, f"join {private}")
    assert f"No table {private} waits" in lobby.last(DOV)
    to = next(str(mail["Reply-To"]) for mail in reversed(lobby.mails[BORIS]) if f"+{private}." in str(mail["Reply-To"]))
    assert lobby.write(BORIS, "invite Eva", to=to).fate == "applied"
    assert "Eva is asked" in lobby.last(BORIS)
    assert "Boris asks you to take over a seat" in str(lobby.mails[EVA][-1]["Subject"])
    lobby.answer(EVA, f"join {private}")
    with lobby.context.store.reading() as at_desk:
        assert EVA in {seat.address for seat in at_desk.find_seats(private)}


def test_whom_a_player_blocks_cannot_take_the_seat(lobby: Lobby) -> None:
    lobby.write(BORIS, "block Dov")
    to_table(lobby, ANNA, "substitute")
    lobby.write(DOV, f"join {TABLE}")
    assert not seat_of(lobby, DOV)


def test_the_record_verifies_and_seals_the_successor(lobby: Lobby) -> None:
    to_table(lobby, ANNA, "substitute")
    lobby.answer(DOV, f"join {TABLE}")
    with lobby.context.store.reading() as at_desk:
        row = at_desk.find_game(TABLE)
        events = read_events(at_desk, TABLE)
        assert row is not None
        assert isinstance(events[-1].payload, SeatSubstituted)
        assert (events[-1].payload.by, bool(events[-1].payload.person)) == (events[-1].payload.seat, True)
        text = record_text(lobby.context, row, events)
    assert [each.is_good for each in verify_text(text)] == [True]


@pytest.mark.parametrize("language", LANGUAGE_CODES)
def test_the_words_are_known_in_every_language(language: str) -> None:
    command = find_sentences(find_locale(language), "shy-well").command
    (asked,) = parse_commands(command("substitute"), game=None).commands
    (dropped,) = parse_commands(command("substitute none"), game=None).commands
    assert (type(asked), type(dropped)) == (AskSubstitute, DropSubstitute)


def test_a_referee_may_still_seat_somebody(lobby: Lobby) -> None:
    to_table(lobby, ANNA, "substitute")
    assert referee_acts.pause(lobby.context, TABLE, "rain") is not None
    lobby.answer(DOV, f"join {TABLE}")
    assert seat_of(lobby, DOV)
