"""A game can be made from its record, goes on from there, and gives the same record back."""

from dataclasses import replace

import pytest

from engine import registry
from engine.chance import KeyedDealer
from engine.game import CHANCE, PUBLIC
from engine.nomadi import GAME as NOMADI
from notation import Ending, Entry, Record, Seated, chunks, read_text, write_record
from notation.reader import measure
from pbem.events.chain import first_broken
from pbem.events.codec import encode
from pbem.judging.entries import redact_record
from pbem.judging.lookahead import sample_game
from pbem.mail.reading.limits import WORDS
from pbem.service.game_records import import_record, read_proof, read_record
from pbem.tables.decision import FOR_WORDS
from pbem.tables.fold import fold
from pbem.tables.table import Table
from pbem.verify.check_record import verify_text
from pbem.verify.finding import Finding
from pbem.workflow.context import PostContext, events_from_rows
from pbem.workflow.handle_letter import handle_arrived_letters
from pbem.workflow.open_game import Guest
from tests.old_tickets import format_old_address
from tests.post.court.courts import text_of
from tests.post.post_games import TABLE, make_friends, make_script, moves_of
from tests.second_verifier import second_verifier

GUESTS = [Guest(friend.seat, friend.seat.capitalize(), friend.address) for friend in make_friends().values()]
"""Whoever sits there by the record too."""


def half(turns: int) -> Record:
    """The script, broken off."""
    return break_off(make_script(), turns)


def break_off(record: Record, entries: int) -> Record:
    """The first entries of a record, as it was while the game went on."""
    headers = tuple((name, "*" if name == "Result" else value) for name, value in record.headers)
    return Record(headers, record.entries[:entries])


def table_of(context: PostContext, name: str = TABLE) -> Table:
    """How a table stands."""
    with context.store.reading() as at_desk:
        return fold(events_from_rows(at_desk.load_events(name)))


def write(context: PostContext, name: str, seat: str, words: str) -> str:
    """Let somebody write a letter for the turn that is due; its fate."""
    key, address, turn = context.identity.ticket_key, context.identity.address, table_of(context, name).turn
    to = format_old_address(key, address, game=name, seat=seat, turn=turn, epoch=0)
    sender = make_friends()[seat].address
    plain = "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit"
    letter = f"From: {sender}\r\nTo: {to}\r\nMessage-ID: <{seat}@x.test>\r\n{plain}\r\n\r\n{words}\r\n"
    context.store.receive(letter.encode(), intake="test")
    (outcome,) = handle_arrived_letters(context)
    return outcome.fate


def findings_in(context: PostContext, name: str = TABLE) -> tuple[Finding, ...]:
    """What is wrong with the post's own record of a table, secrets and all."""
    record = read_proof(context, name, None)
    assert record is not None
    (verified,) = verify_text(write_record(record))
    return verified.findings


def assert_over(context: PostContext, script: Record) -> None:
    """The table has the record that was taken in, is over, and nobody was told."""
    record = read_record(context, TABLE)
    assert record is not None
    assert write_record(record) == write_record(script)
    with context.store.reading() as at_desk:
        game = at_desk.find_game(TABLE)
        assert game is not None
        assert game.stage == "over"
        assert at_desk.mails_by_state() == {}


def test_a_game_that_is_over_needs_nobody_and_gives_its_record_back(context: PostContext) -> None:
    script = make_script()
    assert import_record(context, script, [], table=None) == ""
    assert_over(context, script)


@pytest.mark.parametrize("turns", [0, 1, 17, 40])
def test_a_game_that_is_not_over_goes_on(context: PostContext, turns: int) -> None:
    assert import_record(context, half(turns), GUESTS, table="bora-9") == ""
    record = read_record(context, "bora-9")
    assert record is not None
    assert record.entries == half(turns).entries
    seat, phrase = moves_of(make_script())[turns]
    with context.store.reading() as at_desk:
        assert first_broken(events_from_rows(at_desk.load_events("bora-9"))) is None
        assert at_desk.mails_by_state() == {"queued": 1}, "whoever is due is told"
    assert write(context, "bora-9", seat, phrase) == "applied"
    record = read_record(context, "bora-9")
    assert record is not None
    assert moves_of(record) == moves_of(make_script(), turns + 1)


def test_what_the_table_said_is_kept_and_remarks_stay_with_the_file(context: PostContext) -> None:
    text = write_record(half(20)).rstrip("\n")
    seat, phrase = moves_of(make_script())[20]
    turn = 21
    text += f'\n{turn}. {seat}: {phrase} {{a fine move}}\n22. undo: {turn}\n{turn}. pause: "snow"\n'
    (reading,) = read_text(text)
    assert reading.record is not None, reading.faults
    assert import_record(context, reading.record, GUESTS, table=None) == ""
    record = read_record(context, TABLE)
    assert record is not None
    assert [entry.who for entry in record.entries[20:23]] == [seat, "undo", "pause"]
    assert "fine" not in write_record(record)


def test_time_does_not_stand_still_for_a_case_that_is_not_taken_in(context: PostContext) -> None:
    assert import_record(context, at_rest("case 1"), GUESTS, table=None) == ""
    assert table_of(context).pauses == frozenset()


def at_rest(*reasons: str) -> Record:
    """A game in which time stands still."""
    lines = [f'21. pause: "{reason}"\n' for reason in reasons]
    (reading,) = read_text(write_record(half(20)).rstrip("\n") + "\n" + "".join(lines))
    assert reading.record is not None, reading.faults
    return reading.record


@pytest.mark.parametrize("reasons", [("snow",), ("vote",), ("case 1", "snow", "lunch"), ("snow", "vote")])
def test_the_players_end_a_rest_that_they_did_not_begin_here(context: PostContext, reasons: tuple[str, ...]) -> None:
    assert import_record(context, at_rest(*reasons), GUESTS, table=None) == ""
    table = table_of(context)
    assert table.pauses == {"vote"}
    assert write(context, TABLE, "red", "resume") == "applied"
    assert write(context, TABLE, "blue", "agree resume") == "applied"
    assert table_of(context).pauses == frozenset()
    assert findings_in(context) == ()


def test_what_cannot_be_taken_in(context: PostContext) -> None:
    assert "say who plays red, blue, green" in import_record(context, half(5), [], table=None)
    assert "say who plays green" in import_record(context, half(5), GUESTS[:2], table=None)
    assert "nobody sits at mauve" in import_record(
        context, half(5), [*GUESTS, Guest("mauve", "M", "m@x.org")], table=None
    )
    assert "two people" in import_record(context, half(5), [*GUESTS, GUESTS[0]], table=None)
    assert "called" in import_record(context, half(5), GUESTS, table="No Name")
    assert import_record(context, half(5), GUESTS, table=None) == ""
    assert "already" in import_record(context, half(5), GUESTS, table=None)


@pytest.fixture(scope="module")
def nomads() -> Record:
    return sample_game(NOMADI, seats=NOMADI.seats[:3], dealer=KeyedDealer(b"nomads"), name=TABLE)


def guests_of(record: Record) -> list[Guest]:
    """Whoever sits there by the record."""
    return [Guest(seat, record.header(f"Seat.{seat}") or "", f"{seat}@players.test") for seat in record.seats]


@pytest.mark.parametrize("turn", [19, 20, 30])
def test_dice_that_are_due_next_are_thrown_as_the_post_throws_them(
    context: PostContext, nomads: Record, turn: int
) -> None:
    until = next(at for at, entry in enumerate(nomads.entries) if (entry.number, entry.who) == (turn, CHANCE))
    assert import_record(context, break_off(nomads, until), guests_of(nomads), table=None) == ""
    table = table_of(context)
    assert (table.entries[-1].number, table.entries[-1].who) == (turn, CHANCE)
    assert len(table.entries) == until + 1
    assert table.due == (nomads.entries[until + 1].who,)
    with context.store.reading() as at_desk:
        assert at_desk.mails_by_state() == {"queued": 1}, "whoever is due is told"
    assert findings_in(context) == ()


def test_chance_plays_for_whoever_gave_up_elsewhere(context: PostContext) -> None:
    (gone, _), (after, _) = moves_of(make_script())[20:22]
    text = write_record(half(20)).rstrip("\n") + f"\n21. resign: {gone}\n"
    (reading,) = read_text(text)
    assert reading.record is not None, reading.faults
    assert import_record(context, reading.record, guests_of(reading.record), table=None) == ""
    table = table_of(context)
    assert table.due == (after,)
    assert (table.entries[-1].number, table.entries[-1].who) == (21, gone)
    assert findings_in(context) == ()


def test_everybody_hears_of_the_end_if_only_chance_was_left_to_play(context: PostContext) -> None:
    gone = "".join(f"41. resign: {guest.seat}\n" for guest in GUESTS)
    (reading,) = read_text(write_record(half(40)).rstrip("\n") + f"\n{gone}")
    assert reading.record is not None, reading.faults
    assert import_record(context, reading.record, GUESTS, table=None) == ""
    assert table_of(context).ending == Ending("normal")
    with context.store.reading() as at_desk:
        assert at_desk.mails_by_state() == {"queued": len(GUESTS)}
    # A record in which nobody is left is refused before it is taken in; a game that came in earlier can still be told.
    assert findings_in(context)[0].reason.startswith("RC-L2")


def test_whoever_plays_on_in_place_of_another_is_named_so(context: PostContext) -> None:
    dana = Guest("red", "Dana", "dana@players.test")
    assert import_record(context, half(19), [dana, *GUESTS[1:]], table=None) == ""
    table = table_of(context)
    assert (table.name("red"), table.name("blue")) == ("Dana", "Blue")
    assert table.entries[19:] == (Entry(20, "substitute", (Seated("red", "Dana"),)),)
    assert findings_in(context) == ()
    with context.store.reading() as at_desk:
        mail = at_desk.find_mail(1)
        assert mail is not None
        assert "Dana now plays red" in text_of(mail.raw)


def test_whoever_takes_a_seat_that_was_given_up_plays_it(context: PostContext) -> None:
    gone, _ = moves_of(make_script())[20]
    text = write_record(half(20)).rstrip("\n") + f'\n21. resign: {gone}\n21. pause: "{gone} has no player"\n'
    (reading,) = read_text(text)
    assert reading.record is not None, reading.faults
    guests = [replace(guest, name="Dana") if guest.seat == gone else guest for guest in GUESTS]
    assert import_record(context, reading.record, guests, table=None) == ""
    table = table_of(context)
    assert (table.due, table.resigned, table.pauses) == ((gone,), (), frozenset())
    assert findings_in(context) == ()


@pytest.mark.parametrize("known", [False, True])
def test_a_game_that_the_rules_have_ended_is_over_though_its_record_does_not_say_so(
    context: PostContext, known: bool
) -> None:
    script = make_script()
    unclosed = break_off(script, len(script.entries) - 1)
    assert import_record(context, unclosed, guests_of(script) if known else [], table=None) == ""
    assert_over(context, script)
    assert findings_in(context) == ()


@pytest.mark.parametrize("key", ["nomadi", "brotherhood-base", "brotherhood", "shy-well"])
def test_a_copy_that_hides_something_cannot_be_played_on(context: PostContext, key: str) -> None:
    game = registry.find_game(key)
    assert game is not None
    whole = sample_game(game, seats=game.seats[: game.players[0]], dealer=KeyedDealer(b"hidden"), name=TABLE)
    records = (break_off(whole, until) for until in range(1, len(whole.entries)))
    secret = next(record for record in records if redact_record(record, PUBLIC) != record)
    copy = redact_record(secret, PUBLIC)
    refused = import_record(context, copy, guests_of(copy), table=None)
    assert refused.startswith(f"turn {copy.entries[-1].number} hides something")
    assert "`pbem record ID --secrets`" in refused
    assert read_record(context, TABLE) is None
    assert import_record(context, secret, guests_of(secret), table=None) == ""


def test_a_record_that_begins_with_a_stated_position_is_not_played_on(context: PostContext) -> None:
    script = break_off(make_script(), 3)
    posed = replace(script, headers=(*script.headers, ("Pose", "turn 23")))
    assert "begins with a stated position" in import_record(context, posed, guests_of(script), table=None)
    assert read_record(context, TABLE) is None


def test_a_table_that_is_not_there_has_no_record(context: PostContext) -> None:
    assert read_record(context, "nowhere-1") is None


@pytest.mark.parametrize("sign", ["🐫", "ж", "x", '"', "]", "\\"])
def test_the_longest_letter_to_all_leaves_a_record_that_can_be_read_and_taken_in(
    context: PostContext, sign: str
) -> None:
    assert import_record(context, half(3), GUESTS, table="bora-9") == ""
    greeting = "press to all: "
    said = sign * (WORDS - len(greeting))
    assert write(context, "bora-9", "red", greeting + said) == "applied"
    proved = read_proof(context, "bora-9", None)
    assert proved is not None
    text = write_record(proved)
    assert WORDS < max(map(len, text.split("\n"))) <= chunks.LINE
    assert measure(text).annotations < table_of(context, "bora-9").written + 4_096 < FOR_WORDS
    (verified,) = verify_text(text)
    assert verified.findings == ()
    assert verified.proof is not None
    assert said in [encode(recorded.event.payload).get("words") for recorded in verified.proof.recorded]
    second_verifier.check(text)
    (reading,) = read_text(text)
    assert reading.record == proved
    assert import_record(context, reading.record, GUESTS, table="bora-10") == ""


def test_a_record_that_could_not_be_read_with_a_proof_is_not_taken_in(context: PostContext) -> None:
    script = make_script()
    wordy = replace(script, headers=(*script.headers, ("Event", "ж" * 50_000)))
    assert "too long" in import_record(context, wordy, [], table=None)
    assert read_record(context, TABLE) is None
    assert import_record(context, script, [], table=None) == ""
