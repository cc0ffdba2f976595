"""A game can be made from its record, goes on from there, and gives the same record back."""

import pytest
from post_games import TABLE, make_friends, make_script, moves_of

from notation import Record, read_text, write_record
from pbem.clerk.handling import work
from pbem.clerk.office import Office, to_event
from pbem.clerk.opening import Guest
from pbem.intake import reply_address
from pbem.ledger.event import first_broken
from pbem.service.recording import read_record, take_in
from pbem.tables.folding import fold

GUESTS = [Guest(friend.seat, friend.name, friend.address) for friend in make_friends().values()]


def half(turns: int) -> Record:
    """The script, broken off."""
    script = make_script()
    headers = tuple((name, "*" if name == "Result" else value) for name, value in script.headers)
    return Record(headers, script.entries[:turns])


def test_a_game_that_is_over_needs_nobody_and_gives_its_record_back(office: Office) -> None:
    script = make_script()
    assert take_in(office, script, [], table=None) == ""
    record = read_record(office, TABLE)
    assert record is not None
    assert write_record(record) == write_record(script)
    with office.store.reading() as at_desk:
        game = at_desk.find_game(TABLE)
        assert game is not None
        assert game.stage == "over"
        assert at_desk.mails_by_state() == {}


@pytest.mark.parametrize("turns", [0, 1, 17, 40])
def test_a_game_that_is_not_over_goes_on(office: Office, turns: int) -> None:
    assert take_in(office, half(turns), GUESTS, table="bora-9") == ""
    record = read_record(office, "bora-9")
    assert record is not None
    assert record.entries == half(turns).entries
    seat, phrase = moves_of(make_script())[turns]
    with office.store.reading() as at_desk:
        assert first_broken([to_event(row) for row in at_desk.load_events("bora-9")]) is None
        assert at_desk.mails_by_state() == {"queued": 1}, "whoever is due is told"
    identity = office.identity
    to = reply_address(identity.ticket_key, identity.address, game="bora-9", seat=seat, turn=turns + 1, epoch=0)
    sender = make_friends()[seat].address
    letter = f"From: {sender}\r\nTo: {to}\r\nMessage-ID: <1@x.test>\r\n\r\n{phrase}\r\n"
    office.store.receive(letter.encode(), intake="test")
    assert [outcome.fate for outcome in work(office)] == ["applied"]
    record = read_record(office, "bora-9")
    assert record is not None
    assert moves_of(record) == moves_of(make_script(), turns + 1)


def test_what_the_table_said_is_kept_and_remarks_stay_with_the_file(office: Office) -> None:
    text = write_record(half(20)).rstrip("\n")
    seat, phrase = moves_of(make_script())[20]
    turn = 21
    text += f'\n{turn}. {seat}: {phrase} {{a fine move}}\n22. undo: {turn}\n{turn}. pause: "snow"\n'
    (reading,) = read_text(text)
    assert reading.record is not None, reading.faults
    assert take_in(office, reading.record, GUESTS, table=None) == ""
    record = read_record(office, TABLE)
    assert record is not None
    assert [entry.who for entry in record.entries[-3:]] == [seat, "undo", "pause"]
    assert "fine" not in write_record(record)


def test_time_does_not_stand_still_for_a_case_that_is_not_taken_in(office: Office) -> None:
    text = write_record(half(20)).rstrip("\n") + '\n21. pause: "case 1"\n21. pause: "snow"\n'
    (reading,) = read_text(text)
    assert reading.record is not None, reading.faults
    assert take_in(office, reading.record, GUESTS, table=None) == ""
    with office.store.reading() as at_desk:
        assert fold(map(to_event, at_desk.load_events(TABLE))).pauses == {"snow"}


def test_what_cannot_be_taken_in(office: Office) -> None:
    assert "say who plays red, blue, green" in take_in(office, half(5), [], table=None)
    assert "say who plays green" in take_in(office, half(5), GUESTS[:2], table=None)
    assert "nobody sits at mauve" in take_in(office, half(5), [*GUESTS, Guest("mauve", "M", "m@x.org")], table=None)
    assert "called" in take_in(office, half(5), GUESTS, table="No Name")
    assert take_in(office, half(5), GUESTS, table=None) == ""
    assert "already" in take_in(office, half(5), GUESTS, table=None)


def test_a_table_that_is_not_there_has_no_record(office: Office) -> None:
    assert read_record(office, "nowhere-1") is None
