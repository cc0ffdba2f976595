"""Moves beside words that are not known: pencilled, read back, and played at their moment unless the player objects."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime, timedelta
from email.header import decode_header, make_header
from pathlib import Path

import pytest

from engine.chance import KeyedDealer
from engine.through_the_desert import GAME as DESERT
from pbem.events.chain import first_broken
from pbem.events.kinds import TurnPlayed
from pbem.events.post_kinds import MovePencilled, PencilErased
from pbem.proof.receipts import read_receipts
from pbem.tables.chance import random_moves
from pbem.workflow import referee_acts
from pbem.workflow.tick import tick
from tests.post.post_games import TABLE
from tests.post.towns import Town, found_town

Found = Callable[..., Town]
HERON = "Haikara lentää matalalla."


@pytest.fixture
def found(tmp_path: Path) -> Iterator[Found]:
    """Found a town in which two play, and red is on turn; ``time__silence`` is `silence` in `[time]`."""
    with ExitStack() as stack:

        def call(turns: int = 16, players: int = 2, **chosen: object) -> Town:
            settings = {key.replace("__", "."): value for key, value in chosen.items()}
            options = {"First": "red"}
            town = stack.enter_context(found_town(tmp_path / "post", DESERT, players, options=options, chosen=settings))
            for _ in range(turns):
                assert town.write(town.table.due[0], some_turn(town)).fate == "applied"
            return town

        yield call


def some_turn(town: Town, taste: str = "pencils") -> str:
    """A legal turn of whoever is due."""
    return random_moves(town.table, town.table.due[0], KeyedDealer(taste.encode()))


def pencil(town: Town, taste: str = "pencils", said: str = HERON) -> str:
    """Let red write a move beside words that nobody knows; the move."""
    move = some_turn(town, taste)
    outcome = town.write("red", f"{move}\n\n{said}")
    assert (outcome.fate, outcome.reason) == ("applied", "carried-out")
    return move


def words(town: Town, seat: str) -> str:
    """The last mail to a seat, on one line."""
    return " ".join(town.last_text(seat).replace("\n| ", "\n").split())


def played(town: Town, seat: str = "red") -> list[TurnPlayed]:
    """All turns of a seat."""
    return [
        event.payload for event in town.events if isinstance(event.payload, TurnPlayed) and event.payload.seat == seat
    ]


def outcomes(town: Town) -> list[str]:
    """What the receipts in the last mails to red say, oldest first."""
    found = []
    for mail in town.friends["red"].mails:
        part = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        lines = [line.removeprefix("| ") for line in content.decode().splitlines()]
        unfolded: list[str] = []
        for line in lines:
            if line.startswith("  ") and unfolded:
                unfolded[-1] += " " + line.strip()
            else:
                unfolded.append(line)
        found += [each.receipt.outcome for each in read_receipts(unfolded) if each is not None]
    return found


def test_a_move_beside_unknown_words_is_read_back_and_played_at_its_moment(found: Found) -> None:
    town = found()
    before = len(played(town))
    move = pencil(town)
    note = town.events[-1].payload
    assert isinstance(note, MovePencilled)
    assert note.move == move
    assert len(played(town)) == before
    mail = town.friends["red"].mails[-1]
    assert str(make_header(decode_header(mail["Subject"]))).startswith(f"Re: [{TABLE}]")
    said = words(town, "red")
    assert f"We read: {move}" in said
    assert "unless you say stop" in said
    assert f"You also wrote “{HERON}”, and we were not sure." in said
    assert outcomes(town)[-1] == "pencilled"
    until = datetime.fromisoformat(note.until)
    assert until - town.hours.now() >= timedelta(hours=1)
    assert until - town.hours.now() <= timedelta(hours=12, minutes=1)
    mails = len(town.friends["blue"].mails)
    town.wait(hours=11)
    assert len(played(town)) == before
    assert len(town.friends["blue"].mails) == mails
    town.wait(hours=2)
    *_, last = played(town)
    assert (last.phrase, last.letter, last.by) == (move, note.letter, "player")
    assert datetime.fromisoformat(town.events[-1].at) >= until
    assert "Played: " in words(town, "red")
    assert town.table.due == ("blue",)
    assert len(town.friends["blue"].mails) == mails + 1


@pytest.mark.parametrize(
    "said", ["play it now", "yes", "Ok!", "go ahead", "agreed", "ja", "сыграй это", "zagraj to", "כן"]
)
def test_it_is_played_at_once_if_the_player_says_so(found: Found, said: str) -> None:
    town = found()
    move = pencil(town)
    letter = town.table.pencils["red"].letter
    assert town.write("red", said).fate == "applied"
    assert (played(town)[-1].phrase, played(town)[-1].letter) == (move, letter)
    assert outcomes(town)[-2:] == ["pencilled", "done"]
    assert town.table.pencil("red") is None


@pytest.mark.parametrize(
    "said", ["stop", "Stop!", "don't play it", "no", "nee", "стоп", "עצור", "undo", "take it back"]
)
def test_it_is_not_played_if_the_player_says_stop(found: Found, said: str) -> None:
    town = found()
    before = len(played(town))
    move = pencil(town)
    assert town.write("red", said).fate == "applied"
    assert isinstance(town.events[-1].payload, PencilErased)
    assert "Stopped: your turn is open again" in words(town, "red")
    assert f"We do not play {move} any more." in words(town, "red")
    town.wait(hours=14)
    assert len(played(town)) == before
    assert town.table.due == ("red",)


@pytest.mark.parametrize(
    "said", ["wait", "hmm, let me think about it", "yes\nbut wait for Boris", "status\n\nnot yet!", "purple Z9"]
)
def test_words_that_may_withdraw_it_are_never_overlooked(found: Found, said: str) -> None:
    town = found()
    before = len(played(town))
    pencil(town)
    town.write("red", said)
    assert town.table.pencil("red") is None
    assert "We do not play" in words(town, "red")
    town.wait(hours=14)
    assert len(played(town)) == before


@pytest.mark.parametrize("said", ["status", "help", "press to blue: wait for it", "notify each", "Thanks!"])
def test_letters_without_a_word_about_it_leave_it_alone(found: Found, said: str) -> None:
    town = found()
    move = pencil(town)
    town.write("red", said)
    town.wait(hours=14)
    assert played(town)[-1].phrase == move


def test_another_move_takes_its_place(found: Found) -> None:
    town = found()
    pencil(town)
    other = some_turn(town, "another")
    assert town.write("red", other).fate == "applied"
    assert played(town)[-1].phrase == other
    count = len(played(town))
    town.wait(hours=14)
    assert len(played(town)) == count


def test_a_second_pencil_replaces_the_first_and_does_not_protect(found: Found) -> None:
    town = found(time__per_turn=timedelta(hours=24), time__grace=timedelta(hours=1), time__silence="forfeit")
    pencil(town)
    assert town.table.pencils["red"].is_first
    other = pencil(town, "another")
    kept = town.table.pencils["red"]
    assert (kept.text, kept.is_first) == (other, False)
    town.wait(hours=14)
    assert played(town)[-1].phrase == other


def test_it_protects_from_lateness_until_its_moment(found: Found) -> None:
    town = found(time__per_turn=timedelta(hours=10), time__grace=timedelta(minutes=1), time__silence="forfeit")
    town.wait(hours=9)
    move = pencil(town)
    town.wait(hours=2)
    assert played(town)[-1].phrase == move
    assert not town.table.resigned


def test_a_second_one_is_played_by_the_deadline(found: Found) -> None:
    town = found(time__per_turn=timedelta(hours=10), time__grace=timedelta(minutes=1), time__silence="forfeit")
    town.wait(hours=8)
    pencil(town)
    move = pencil(town, "another")
    assert town.table.pencils["red"].until <= town.hours.now() + timedelta(hours=2)
    town.wait(hours=2)
    assert played(town)[-1].phrase == move
    assert not town.table.resigned


def test_after_the_deadline_a_second_one_is_asked_about(found: Found) -> None:
    town = found(time__per_turn=timedelta(hours=10), time__grace=timedelta(hours=5))
    town.wait(hours=10)
    pencil(town)
    outcome = town.write("red", f"{some_turn(town, 'another')}\n\n{HERON}")
    assert town.table.pencil("red") is None
    assert outcome.fate == "applied"  # what was pencilled before is gone
    assert "PO-L11" in words(town, "red")


def test_it_is_not_played_while_a_letter_of_its_seat_lies_unread(found: Found) -> None:
    town = found()
    before = len(played(town))
    pencil(town)
    letter = town.friends["red"].answer("stop", town.hours.now())
    town.hours.forward(minutes=30)
    for _ in range(22):
        tick(town.context)
        town.hours.forward(minutes=30)
    town.context.store.receive(letter, intake="test")
    for _ in range(6):
        town.hours.forward(minutes=30)
        tick(town.context)
    assert len(played(town)) == before
    assert town.handle(town.context).fate == "applied"
    assert town.table.pencil("red") is None


def test_a_letter_that_cannot_be_read_rubs_it_out(found: Found) -> None:
    town = found()
    pencil(town)
    letter = town.friends["red"].answer("stop", town.hours.now())
    assert town.deliver(letter + b"\0").fate == "quarantined"
    assert town.table.pencil("red") is None
    assert "We do not play" in words(town, "red")


def test_time_in_which_the_post_was_down_is_given_back(found: Found) -> None:
    town = found()
    before = len(played(town))
    pencil(town)
    town.hours.forward(hours=13)
    tick(town.context)
    assert len(played(town)) == before
    assert town.table.pencils["red"].extended == ("1d13h",)
    town.wait(hours=34)
    assert len(played(town)) == before
    town.wait(hours=3)
    assert len(played(town)) == before + 1


def test_a_pause_or_going_back_drops_it_and_its_player_is_told(found: Found) -> None:
    town = found()
    before = len(played(town))
    move = pencil(town)
    referee_acts.pause(town.context, TABLE, "a storm")
    town.carry()
    assert town.table.pencil("red") is None
    assert any(f"We do not play {move} any more" in " ".join(text.split()) for text in texts(town, "red"))
    referee_acts.resume(town.context, TABLE, "a storm")
    town.wait(hours=14)
    assert len(played(town)) == before


def texts(town: Town, seat: str) -> Iterator[str]:
    """The text parts of all mails to a seat."""
    for mail in town.friends[seat].mails:
        part = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        yield content.decode()


def test_a_table_may_ask_instead_or_wait_for_a_fixed_time(found: Found) -> None:
    town = found(time__pencil="off")
    move = some_turn(town)
    outcome = town.write("red", f"{move}\n\n{HERON}")
    assert (outcome.fate, outcome.reason) == ("refused", "PO-L11")


def test_a_fixed_time(found: Found) -> None:
    town = found(time__pencil="3h")
    pencil(town)
    assert timedelta(hours=3) <= town.table.pencils["red"].until - town.hours.now() < timedelta(hours=3, minutes=1)


def test_status_tells_its_player_and_nobody_else(found: Found) -> None:
    town = found()
    move = pencil(town)
    town.write("red", "status")
    assert f"We play {move} on" in words(town, "red")
    town.write("blue", "status")
    assert move not in words(town, "blue")


def test_the_chain_seals_the_move_and_no_record_tells_it(found: Found) -> None:
    town = found()
    pencil(town)
    town.write("red", "stop")
    event = next(event for event in town.events if isinstance(event.payload, MovePencilled))
    with town.context.store.reading() as at_desk:
        row = at_desk.load_events(TABLE)[event.seq - 1]
    assert json.loads(row.data)["move"] == event.told["move"].seal
    assert first_broken(town.events) is None


def test_nothing_waits(found: Found) -> None:
    town = found()
    for said in ("stop", "play it now"):
        outcome = town.write("red", said)
        assert (outcome.fate, outcome.reason) == ("refused", "PO-T7")
