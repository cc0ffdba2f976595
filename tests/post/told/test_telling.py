"""What the people at a table are told of what happens there, and what they are not told."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest

from engine.brotherhood.base_game import GAME as GIFT
from engine.brotherhood.moves import Dice
from engine.chance import KeyedDealer
from engine.game import CHANCE, Game, Ply
from engine.nomadi import GAME as NOMADI
from engine.through_the_desert import GAME as DESERT
from engine.through_the_desert.moves import Leader
from pbem.tables.chance import random_moves
from pbem.tables.table import OVER
from tests.post.towns import Town, found_town

if TYPE_CHECKING:
    from email.message import Message

Found = Callable[..., Town]


@pytest.fixture
def found(tmp_path: Path) -> Iterator[Found]:
    """Found a town in which a game has begun; ``time__silence`` is `silence` in `[time]`."""
    with ExitStack() as stack:

        def call(game: Game[Any] = DESERT, players: int = 3, first: str = "", **chosen: object) -> Town:
            settings = {key.replace("__", "."): value for key, value in chosen.items()}
            options = {"First": first} if first else None
            return stack.enter_context(found_town(tmp_path / "post", game, players, options=options, chosen=settings))

        yield call


@pytest.fixture
def found_nomads(tmp_path: Path) -> Iterator[Found]:
    """Found a town in which Nomadi is played, with coins as wanted."""
    with ExitStack() as stack:

        def call(coins: str) -> Town:
            options = {"Coins": coins}
            return stack.enter_context(found_town(tmp_path / coins, NOMADI, 2, options=options, chosen={}))

        yield call


def some_turn(town: Town, seat: str) -> str:
    """A legal turn of a seat that is due."""
    return random_moves(town.table, seat, KeyedDealer(b"telling"))


def play(town: Town) -> str:
    """Let whoever is due play; who it was."""
    seat = town.table.due[0]
    assert town.write(seat, some_turn(town, seat)).fate == "applied"
    return seat


def counts(town: Town) -> dict[str, int]:
    return {seat: len(friend.mails) for seat, friend in town.friends.items()}


def words(town: Town, seat: str) -> str:
    """The last mail to a seat, on one line."""
    return text_of(town.friends[seat].mails[-1])


def text_of(mail: "Message[str, str]") -> str:
    part = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return " ".join(content.decode().replace("\n| ", "\n").split())


def plan_for(town: Town, planner: str) -> None:
    """Let somebody plan a leader that will be legal in his turn, whatever the player before him does."""
    taken = some_turn(town, town.table.due[0])
    free = (ply.move for ply in town.table.game.legal(town.table.position) if isinstance(ply.move, Leader))
    leader = next(move for move in free if move.space not in taken and move.colour not in taken)
    assert town.write(planner, f"plan leader {leader.colour} {leader.space}").fate == "applied"


@pytest.mark.parametrize("choice", ["turn", "each"])
def test_a_player_is_told_at_once_that_his_plan_was_played(found: Found, choice: str) -> None:
    town = found(first="red")
    town.write("blue", f"notify {choice}")
    plan_for(town, "blue")
    before = counts(town)
    assert play(town) == "red"
    assert town.table.due == ("green",)
    assert counts(town)["blue"] == before["blue"] + 1
    told = words(town, "blue")
    assert "Your plan was played" in told
    assert "Anna: " in told
    assert "Boris: " in told
    assert "This was planned." in told


def test_a_plan_that_was_told_is_not_told_again_with_the_next_turn(found: Found) -> None:
    town = found(first="red")
    plan_for(town, "blue")
    while town.table.turn < 5:
        play(town)
    assert "Your turn, Boris" in words(town, "blue")
    assert "This was planned." not in words(town, "blue")
    assert "Chloe: " in words(town, "blue")


def test_who_wants_one_mail_a_day_hears_of_his_plan_in_it(found: Found) -> None:
    town = found(first="red")
    town.write("blue", "notify daily")
    plan_for(town, "blue")
    before = counts(town)
    play(town)
    assert counts(town)["blue"] == before["blue"]
    town.wait(days=1.1)
    assert "This was planned." in words(town, "blue")


def test_a_planned_turn_with_dice_is_told_as_a_whole(found: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GIFT), "deal", staticmethod(lambda _position, _dealer: Ply(CHANCE, Dice(6, 6))))
    town = found(GIFT, first="red")
    town.write("blue", "plan roll; end")
    town.write("red", "roll; end")
    assert town.table.turn == 3
    told = words(town, "blue")
    assert "Your plan was played" in told
    assert "You rolled 12 (6+6)" in told
    assert "Boris: end. This was planned." in told


def end_by_resigning(town: Town) -> None:
    for seat in ("red", "blue"):
        assert town.write(seat, "resign").fate == "applied"
    assert town.table.stage == OVER
    assert all(" won" in words(town, seat) or "The game is over" in words(town, seat) for seat in town.friends)


def test_words_after_the_end_do_not_end_the_game_again(found: Found) -> None:
    town = found()
    end_by_resigning(town)
    before = counts(town)
    assert town.write("red", "press to all: good game").fate == "applied"
    assert counts(town) == {seat: number + 1 for seat, number in before.items()}
    assert "good game" in words(town, "blue")
    before = counts(town)
    assert town.write("red", "press to referee: thanks").fate == "applied"
    assert counts(town) == {**before, "red": before["red"] + 1}


def links(town: Town, seat: str) -> set[str]:
    """What the links of the last mail to a seat would answer with."""
    part = next(part for part in town.friends[seat].mails[-1].walk() if part.get_content_type() == "text/html")
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return {unquote(body) for body in re.findall(r"&amp;body=([^\"&]*)", content.decode())}


def test_a_late_player_is_told_that_he_may_still_answer_and_how(found: Found) -> None:
    town = found(first="red")
    town.wait(days=4)
    told = words(town, "red")
    assert "Your time for this turn is up. Everybody waits for you, and you can still answer." in told
    assert "For example: " in told
    assert any(link.startswith("leader ") for link in links(town, "red"))
    assert "We are waiting for red (Anna), whose time is up." in words(town, "blue")
    assert "What you may do" not in words(town, "blue")
    assert town.write("red", some_turn(town, "red")).fate == "applied"


def test_who_lost_his_seat_by_time_is_not_told_that_it_is_his_turn(found: Found) -> None:
    town = found(first="red", time__silence="forfeit")
    before = len(town.friends["red"].mails)
    town.wait(days=4)
    assert town.table.resigned == ("red",)
    texts = [text_of(mail) for mail in town.friends["red"].mails[before:]]
    lost = [text for text in texts if "and so you lost your seat" in text]
    assert len(lost) == 1
    assert all("your turn" not in text and "For example: " not in text for text in lost)
    town.write("blue", "status")
    assert "nobody plays this seat" in words(town, "blue")


def test_a_player_for_whom_a_substitute_is_sought_may_answer_first_and_knows_it(found: Found) -> None:
    town = found(first="red", time__silence="substitute")
    town.wait(days=4)
    assert town.table.pauses == {"red has no player"}
    told = words(town, "red")
    assert "The clock is stopped: the referee looks for somebody to play red." in told
    assert "Answer first, and you play on." in told
    assert "For example: " in told
    assert "If you answer first" not in words(town, "blue")
    assert town.write("red", some_turn(town, "red")).fate == "applied"
    assert not town.table.pauses


def test_a_seat_that_waits_for_a_player_gets_no_turn_mail(found: Found) -> None:
    town = found(first="red", time__silence="substitute")
    town.write("blue", "resign")
    before = counts(town)
    assert play(town) == "red"
    assert town.table.due == ("blue",)
    assert not any("Your turn" in text_of(mail) for mail in town.friends["blue"].mails[before["blue"] :])
    assert "It is the turn of blue, turn 2. Nobody plays that seat." in words(town, "red")


def test_in_a_pause_moves_are_offered_and_so_is_its_end(found: Found) -> None:
    town = found(first="red")
    town.write("blue", "pause")
    town.write("red", "agree")
    assert town.table.pauses == {"vote"}
    for seat in ("red", "green"):
        assert "To start the clock again, reply resume. The others are asked." in words(town, seat)
        assert "resume" in links(town, seat)
    assert play(town) == "red"
    told = words(town, "blue")
    assert "Your turn, Boris" in told
    assert "The clock is stopped: you all agreed on a pause. You can still play." in told
    assert "For example: " in told
    assert "resume" in links(town, "blue")
    assert any(link.startswith("leader ") for link in links(town, "blue"))
    assert town.write("blue", "resume").fate == "applied"
    assert "agree resume" in links(town, "red")
    assert "resume" not in links(town, "red")
    town.write("red", "agree")
    assert not town.table.pauses


def test_while_the_referee_looks_into_a_turn_no_moves_are_offered(found: Found) -> None:
    town = found(first="red")
    play(town)
    town.write("green", "appeal 1: That is my place.")
    assert "What you may do" not in words(town, "blue")
    assert "You may play" not in words(town, "blue")


@pytest.mark.parametrize("choice", ["turn", "each"])
def test_who_has_given_up_is_not_asked_for_consent(found: Found, choice: str) -> None:
    town = found(first="red")
    town.write("blue", f"notify {choice}")
    town.write("blue", "resign")
    play(town)
    before = len(town.friends["blue"].mails)
    assert town.write("red", "undo").fate == "applied"
    assert "undo" in town.table.votes
    assert "Anna asks to take back turn" in words(town, "green")
    told = [text_of(mail) for mail in town.friends["blue"].mails[before:]]
    assert len(told) == (choice == "each")
    assert not any("asks for your consent" in text for text in told)
    assert all("asks to take back turn" in text for text in told), "whoever wants to hear of everything hears of this"
    town.write("green", "status")
    assert "blue (Boris): nobody plays this seat" in words(town, "green")


def test_undo_is_offered_for_a_turn_of_ones_own_and_not_for_an_answer(
    found: Found, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(GIFT), "deal", staticmethod(lambda _position, _dealer: Ply(CHANCE, Dice(6, 6))))
    town = found(GIFT, first="red")
    held = town.table.game.view(town.table.position, "red")["hands"]["red"]["cards"]
    given = next(name for name, count in held.items() if count)
    wanted = "ore" if given != "ore" else "wool"
    town.write("red", f"roll; offer 1 {given} for 1 {wanted} to blue")
    told = words(town, "red")
    assert "To take it back, reply undo, until Boris has played." in told, "half a turn is one's own"
    assert f"Only this is taken back then: offer 1 {given} for 1 {wanted} to Boris" in told, "the dice stay"
    town.write("blue", "decline red")
    assert f"Declined Anna: 1 {given} for 1 {wanted}" in words(town, "blue")
    assert "answer with undo" not in words(town, "blue")
    assert town.write("red", "offer 9 ore for 1 wool to blue").fate == "refused"
    assert f"Played already in turn 1: roll, offer 1 {given} for 1 {wanted} to Boris" in words(town, "red")
    assert "To take it back, reply undo; the others are asked." in words(town, "red")
    town.write("red", f"offer 1 {given} for 2 {wanted} to blue; end")
    before = len(town.friends["blue"].mails)
    town.write("blue", "decline red")
    assert town.table.due == ("blue",), "the rest of the other letter was played, and the next turn has begun"
    assert not any("answer with undo" in text_of(mail) for mail in town.friends["blue"].mails[before:])
    town.write("blue", "roll; end")
    assert "To take it back, reply undo, until" in words(town, "blue"), "the end of a turn can be taken back"


@pytest.mark.parametrize("words", ["help", "status", "press to all: who else plays?", "decline?"])
def test_before_a_game_every_answer_says_how_to_take_the_seat(tmp_path: Path, words: str) -> None:
    with found_town(tmp_path / "post", DESERT, 2, accepting=False) as town:
        town.write("red", words)
        assert "Reply accept or decline." in " ".join(town.last_text("red").split())
        town.write("red", "accept")
        town.write("red", words)
        assert "To take the seat" not in " ".join(town.last_text("red").split())


def test_a_move_taken_back_at_once_is_answered_with_one_mail(found: Found) -> None:
    town = found(players=2)
    while town.table.turn < 12:
        play(town)
    seat = town.table.due[0]
    assert town.write(seat, some_turn(town, seat).partition(",")[0]).fate == "applied"
    assert (town.table.due, town.table.turn) == ((seat,), 12)
    before = counts(town)
    assert town.write(seat, "undo").fate == "applied"
    assert {each: told - before[each] for each, told in counts(town).items()} == {"red": 1, "blue": 1}
    assert "(you) has taken back turn 12 and plays it again" in words(town, seat)
    assert "For example: " in words(town, seat)
    assert town.write(seat, some_turn(town, seat)).fate == "applied", "and it can be answered with the new move"


def test_points_that_are_hidden_are_not_told_as_none(found_nomads: Found) -> None:
    for coins, told in (("open", True), ("hidden", False)):
        town = found_nomads(coins)
        town.write("blue", "status")
        assert ("Points: Anna 5, " in words(town, "blue")) == told
        assert "Points" in words(town, "blue") if told else "Points" not in words(town, "blue")
        town.write("blue", f"preview {some_turn(town, 'blue')}")
        assert ("points" in words(town, "blue").partition("The board")[0]) == told


def test_a_daily_summary_tells_what_an_answer_to_a_question_has_not(found: Found) -> None:
    town = found(players=3)
    first, second, reader = (*town.table.due, *(seat for seat in town.table.seats if seat not in town.table.due))
    town.write(reader, "notify daily")
    assert play(town) == first
    before = counts(town)[reader]
    town.write(reader, "rule TD-C3")
    assert counts(town)[reader] == before + 1
    done = town.wait(hours=30)
    summaries = [each.seat for each in done if each.what == "digest"]
    assert summaries == [reader]
    told = words(town, reader)
    assert "1 turn played" in told
    assert town.friends[first].name in told
    assert [each.what for each in town.wait(hours=30) if each.what == "digest"] == [], "nothing new, no summary"
    assert play(town) == second


def test_what_a_turn_mail_has_told_and_what_the_reader_did_himself_is_no_summary(found: Found) -> None:
    town = found(players=3)
    reader = town.table.due[0]
    town.write(reader, "notify daily")
    assert play(town) == reader
    assert not any(each.what == "digest" for each in town.wait(hours=30))
    while town.table.due[0] != reader:
        play(town)
    assert not any(each.what == "digest" for each in town.wait(hours=30)), "the turn mail has told it"


def test_the_last_to_accept_who_also_begins_gets_one_mail(tmp_path: Path) -> None:
    with found_town(tmp_path, DESERT, 3, options={"First": "red"}, accepting=False) as town:
        for seat in ("blue", "green"):
            assert town.write(seat, "accept").fate == "applied"
        before = len(town.friends["red"].mails)
        assert town.write("red", "accept").fate == "applied"
        (mail,) = town.friends["red"].mails[before:]
        assert "Your turn 1" in str(mail["Subject"])
        told = " ".join(town.last_text("red").split())
        assert "All have accepted, and the game begins." in told
        assert "outcome done" in told  # the signed receipt
