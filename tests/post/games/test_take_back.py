"""Taking a turn back by mail, in every game: free once a turn, until somebody acts or something is shown."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from engine.brotherhood.base_game import GAME as BASE
from engine.brotherhood.full_game import GAME as WATCH
from engine.chance import KeyedDealer
from engine.game import CHANCE, PUBLIC, Game, Ply
from engine.nomadi import GAME as NOMADI
from engine.through_the_desert import GAME as DESERT
from notation import Fault, read_moves, write_moves
from pbem.clock.clock import Clock
from pbem.demo.players import plan_moves
from pbem.events.codec import encode
from pbem.tables.chance import random_moves
from pbem.verify.check_record import verify_text
from pbem.workflow.record_proof import record_text
from pbem.workflow.session import GameSession
from tests.post.post_games import TABLE
from tests.post.towns import Town, found_town
from tests.second_verifier.second_verifier import verify

if TYPE_CHECKING:
    from engine.through_the_desert.position import Position

Found = Callable[..., Town]


@pytest.fixture
def found(tmp_path: Path) -> Iterator[Found]:
    """Found a town in which a game has been played for some turns; both verifiers believe its record in the end."""
    with ExitStack() as stack:
        towns: list[Town] = []

        def call(game: Game[Any], players: int, turns: int = 0, **chosen: object) -> Town:
            settings = {key.replace("__", "."): value for key, value in chosen.items()}
            town = stack.enter_context(found_town(tmp_path / "post", game, players, chosen=settings))
            towns.append(town)
            while town.table.turn <= turns:
                play(town)
            return town

        yield call
        for town in towns:
            assert_believed(town)


def play(town: Town) -> str:
    """A turn, or a part of one, of whoever is due."""
    seat = town.table.due[0]
    words = random_moves(town.table, seat, KeyedDealer(f"{len(town.events)}".encode()))
    assert town.write(seat, words).fate == "applied"
    return seat


def assert_believed(town: Town) -> None:
    with town.context.store.reading() as at_desk:
        row = at_desk.find_game(TABLE)
    assert row is not None
    text = record_text(town.context, row, tuple(town.events), PUBLIC)
    (verified,) = verify_text(text)
    assert verified.findings == ()
    assert verify(text) is None


def words(town: Town, seat: str) -> str:
    return " ".join(town.last_text(seat).replace("\n| ", "\n").split())


def page(town: Town, seat: str) -> str:
    """The HTML of the last mail to a seat."""
    part = next(part for part in town.friends[seat].mails[-1].walk() if part.get_content_type() == "text/html")
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode("utf-8")


def kinds(town: Town, since: int) -> list[str]:
    return [event.kind for event in town.events[since:]]


def clock_of(town: Town) -> Clock:
    with town.context.store.reading() as at_desk:
        row = at_desk.find_game(TABLE)
        assert row is not None
        return GameSession(town.context, at_desk, row).clock


def take_back(town: Town, seat: str) -> list[str]:
    """Let a seat write undo; the kinds of what came of it."""
    since = len(town.events)
    assert town.write(seat, "undo").fate == "applied"
    return kinds(town, since)


def test_two_camels_are_taken_back_until_the_next_player_has_played(found: Found) -> None:
    town = found(DESERT, 3, turns=18)
    for each in town.friends:
        town.write(each, "notify turn")
    before = town.table
    seat = play(town)
    (following,) = town.table.due
    told = words(town, seat)
    assert f"reply undo, until {town.table.name(following)} has played" in told
    assert "body=undo" in page(town, seat)
    assert "Take it back" in page(town, seat)
    mails = {each: len(friend.mails) for each, friend in town.friends.items()}
    assert take_back(town, seat) == ["undone"]
    assert encode(town.events[-1].payload) == {"turn": before.turn, "by": seat}
    assert (town.table.position, town.table.due) == (before.position, (seat,))
    got = {each: len(friend.mails) - mails[each] for each, friend in town.friends.items()}
    assert got == {each: int(each in (seat, following)) for each in got}, "only those who knew of the move are told"
    assert f"has taken back turn {before.turn} and plays it again" in words(town, following)
    assert f"(you) has taken back turn {before.turn} and plays it again" in words(town, seat)
    play(town)
    assert "You have taken this turn back once" in words(town, seat)
    assert take_back(town, seat) == ["asked"], "a second time the others are asked"
    assert "cannot be taken back again without the others" in words(town, seat)


def test_after_somebody_has_acted_the_others_are_asked(found: Found) -> None:
    town = found(DESERT, 3, turns=18)
    seat = play(town)
    following = play(town)
    assert take_back(town, seat) == ["asked"]
    assert "Others have acted since, so this cannot be taken back without them." in words(town, seat)
    town.write(seat, "object undo")
    assert take_back(town, following) == ["undone"]
    assert take_back(town, seat) == ["asked"], "the other has acted, though it was taken back"


def test_votes_and_words_of_others_are_no_acts(found: Found) -> None:
    town = found(DESERT, 2, turns=14)
    seat = play(town)
    (following,) = town.table.due
    town.write(following, "press all: oh dear")
    town.write(following, "pause")
    assert take_back(town, seat) == ["undone"]


def test_a_plan_that_follows_at_once_is_an_act(found: Found) -> None:
    town = found(DESERT, 2, turns=14)
    table, (seat,) = town.table, town.table.due
    (other,) = (each for each in table.seats if each != seat)
    now = random_moves(table, seat, KeyedDealer(b"now"))
    moves, position = read_moves(DESERT, now), cast("Position", table.position)
    assert not isinstance(moves, Fault)
    for move in moves:
        position = DESERT.apply(position, Ply(seat, move))
    after = random_moves(replace(table, position=position), other, KeyedDealer(b"then"))
    assert town.write(other, f"plan {after}").fate == "applied"
    assert town.write(seat, now).fate == "applied"
    assert town.table.due == (seat,), "the other has played by plan"
    assert take_back(town, seat) == ["asked"]


def test_what_the_post_played_for_somebody_is_not_taken_back_at_once(found: Found) -> None:
    town = found(DESERT, 2, turns=14, time__silence="play")
    (seat,) = town.table.due
    town.wait(days=4)
    assert town.table.due != (seat,)
    assert take_back(town, seat) == ["asked"]
    assert "Others have acted since" in words(town, seat)


def test_no_time_is_won_and_the_next_turn_has_all_of_it(found: Found) -> None:
    town = found(DESERT, 2, turns=14)
    (seat,) = town.table.due
    deadline = clock_of(town).due[seat].deadline
    town.wait(days=2)
    play(town)
    (following,) = town.table.due
    town.wait(hours=20)
    take_back(town, seat)
    assert clock_of(town).due[seat].deadline == deadline, "the old deadline stands"
    assert set(clock_of(town).due) == {seat}, "and the other waits"
    play(town)
    again = clock_of(town).due[following]
    assert again.left == timedelta(days=3)
    assert abs(again.deadline - town.hours.now() - timedelta(days=3)) < timedelta(minutes=1)


def test_an_hour_is_left_at_least(found: Found) -> None:
    town = found(DESERT, 2, turns=14)
    (seat,) = town.table.due
    town.wait(days=3, hours=1)
    play(town)
    take_back(town, seat)
    now = clock_of(town).due[seat]
    assert now.deadline - now.since == timedelta(hours=1)


def test_a_bank_earns_nothing_by_it(found: Found) -> None:
    town = found(
        DESERT, 2, turns=14, time__mode="bank", time__bank=timedelta(days=5), time__increment=timedelta(days=1)
    )
    (seat,) = town.table.due
    before = clock_of(town)
    town.wait(hours=10)
    play(town)
    (following,) = town.table.due
    start = clock_of(town).due[following].left
    town.wait(hours=5)
    take_back(town, seat)
    assert clock_of(town).due[seat].left < before.due[seat].left - timedelta(hours=15)
    play(town)
    assert clock_of(town).due[following].left == start
    assert clock_of(town).banks[seat] < before.due[seat].left + timedelta(days=1) - timedelta(hours=15)


def test_in_nomadi_dice_that_are_used_are_taken_back_and_the_throw_stays(found: Found) -> None:
    town = found(NOMADI, 3, turns=12)
    while CHANCE not in [entry.who for entry in town.table.entries]:
        play(town)
    before = town.table
    (seat,) = before.due
    quiet = next(
        ply.move
        for ply in before.game.legal(before.position)
        if before.game.to_act(before.game.apply(before.position, ply)) == (seat,)
    )
    assert town.write(seat, write_moves(before.game, (quiet,))).fate == "applied"
    assert "Only this is taken back then:" in words(town, seat)
    assert take_back(town, seat) == ["undone"]
    assert encode(town.events[-1].payload) == {"turn": before.turn, "by": seat, "kept": 1}
    assert town.table.position == before.position, "the dice lie as they were"
    assert f"{before.turn}. undo: turn {before.turn} after 1" in record_of(town)
    assert "has taken back the last moves of turn" in words(town, seat)


def record_of(town: Town) -> str:
    with town.context.store.reading() as at_desk:
        row = at_desk.find_game(TABLE)
    assert row is not None
    return record_text(town.context, row, tuple(town.events), PUBLIC)


def test_in_nomadi_the_next_throw_and_a_card_end_it(found: Found) -> None:
    town = found(NOMADI, 3, turns=12)
    dealer, seen = KeyedDealer(b"nomads"), set[str]()
    for _ in range(60):
        table = town.table
        seat = table.due[0]
        assert town.write(seat, plan_moves(table, seat, dealer).phrase).fate == "applied"
        last = town.table.entries[-1]
        if last.who == CHANCE:
            told = words(town, seat)
            is_throw = type(last.moves[0]).__name__ == "Dice"
            sentence = "The dice were rolled" if is_throw else "Something was drawn"
            if sentence not in seen:
                assert f"{sentence}, so this cannot be taken back without the others." in told
                assert take_back(town, seat) == ["asked"]
                assert town.write(seat, "object undo").fate == "applied"
            seen.add(sentence)
        if len(seen) == 2:
            break
    assert seen == {"The dice were rolled", "Something was drawn"}


@pytest.mark.parametrize("game", [BASE, WATCH], ids=lambda game: game.key)
def test_in_the_brotherhood_the_end_of_a_turn_is_taken_back_until_the_next_roll(found: Found, game: Game[Any]) -> None:
    town = found(game, 3)
    seat = play_until_end(town)
    before = town.table
    assert town.write(seat, "end").fate == "applied"
    (following,) = town.table.due
    assert f"reply undo, until {town.table.name(following)} has played" in words(town, seat)
    assert take_back(town, seat) == ["undone"]
    assert encode(town.events[-1].payload) == {"turn": before.turn, "by": seat, "kept": 2}
    assert town.table.position == before.position
    assert town.write(seat, "end").fate == "applied"
    assert town.write(following, "roll").fate == "applied"
    assert take_back(town, seat) == ["asked"]


def play_until_end(town: Town) -> str:
    """Play until somebody has rolled, and nothing but the player's own wish keeps the turn from ending; who it is."""
    while True:
        seat = town.table.due[0]
        if "roll" not in choices(town):
            play(town)
            continue
        assert town.write(seat, "roll").fate == "applied"
        if town.table.due == (seat,) and "end" in choices(town):
            return seat


def choices(town: Town) -> list[str]:
    """What can be played now."""
    game, position = town.table.game, town.table.position
    return [write_moves(game, (ply.move,)) for ply in game.legal(position)]


def test_the_first_turns_of_every_game_are_taken_back(found: Found) -> None:
    town = found(WATCH, 3)
    before = town.table
    seat = play(town)
    assert take_back(town, seat) == ["undone"]
    assert town.table.position == before.position
