"""A letter from a history that the post has lost: the game is held, and goes on both ways."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.chance import KeyedDealer
from pbem.service.post_folder import open_post
from pbem.service.water_mark import mark_file
from pbem.tables.chance import random_moves
from pbem.tables.table import ROLLBACK
from pbem.workflow.context import PostContext
from pbem.workflow.handle_letter import LetterOutcome, handle_arrived_letters
from pbem.workflow.rollback import accept_rollback
from pbem.workflow.session import GameSession
from pbem.workflow.tick import tick
from tests.known_games import known_game
from tests.post.post_games import TABLE
from tests.post.towns import Town, found_town

LOST = 4
"""Turns that are played after the copy was made."""


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    """A post that was put back by hand to a copy of turn 3, while its players had come to turn 7."""
    folder = tmp_path / "post"
    with found_town(folder, known_game("through-the-desert"), 2, chosen={"post.referee": "you@post.test"}) as before:
        for _ in range(2):
            play(before)
        before.context.store.copy_to(tmp_path / "copy.db")
        sent = len(before.letters)
        for _ in range(LOST):
            play(before)
        settings, hours, friends = before.context.settings, before.hours, before.friends
        lost, carried = before.letters[sent:], before._carried
    database = settings.database
    for suffix in ("-wal", "-shm"):
        database.with_name(database.name + suffix).unlink(missing_ok=True)
    shutil.copy(tmp_path / "copy.db", database)
    mark_file(settings).unlink()
    with open_post(settings, hours.now) as context:
        with context.store.reading() as at_desk:
            carried = at_desk.extent().mails
        town = Town(context, hours, friends, letters=lost, handle=handle_all, _carried=carried)
        town.carry()
        yield town


def handle_all(context: PostContext) -> LetterOutcome:
    """Give the letter that has come its fate, and then all that it woke."""
    *_, first = handle_arrived_letters(context, most=1)
    [*handle_arrived_letters(context)]
    tick(context)
    return first


def text(town: Town, seat: str) -> str:
    """The last mail to somebody, as one line."""
    return " ".join(town.last_text(seat).split())


def play(town: Town) -> None:
    (seat,) = town.table.due
    assert town.write(seat, random_moves(town.table, seat, KeyedDealer(b"%d" % town.table.turn))).fate == "applied"


def reveal(town: Town) -> None:
    """The player who is due in the lost history answers the last mail from there."""
    seat = "red" if town.friends["red"].mails[-1]["Date"] > town.friends["blue"].mails[-1]["Date"] else "blue"
    outcome = town.write(seat, "lilac A1")
    assert (outcome.fate, outcome.reason) == ("waiting", ROLLBACK)


def test_the_first_letter_from_a_lost_history_holds_the_game_and_everybody_is_told(town: Town) -> None:
    assert town.table.turn == 3
    reveal(town)
    assert ROLLBACK in town.table.pauses
    assert [event.kind for event in town.events[-2:]] == ["restored", "paused"]
    for friend in town.friends.values():
        assert "Please send your moves again" in text(town, friend.seat)
    (referee,) = town.mails["you@post.test"]
    assert b"pbem restore --accept sirocco-7" in referee.replace(b"=\r\n", b"")


def test_letters_that_are_sent_again_are_played_in_order_until_play_has_caught_up(town: Town) -> None:
    lost = [*town.letters]
    reveal(town)
    for letter in lost:
        assert ROLLBACK in town.table.pauses
        assert town.deliver(letter).fate == "applied"
    assert town.table.turn == 3 + LOST
    assert ROLLBACK not in town.table.pauses


def test_letters_that_come_back_in_any_order_wait_for_their_turn(town: Town) -> None:
    lost = [*town.letters]
    for letter in reversed(lost):
        town.deliver(letter)
    assert town.table.turn == 3 + LOST
    assert ROLLBACK not in town.table.pauses
    assert town.context.store.counters().waiting == 0


def test_a_shorter_history_can_be_let_stand_and_whoever_wrote_is_asked(town: Town) -> None:
    reveal(town)
    with town.context.store.transaction() as transaction:
        row = transaction.find_game(TABLE)
        assert row is not None
        assert accept_rollback(GameSession(town.context, transaction, row))
    assert ROLLBACK not in town.table.pauses
    (outcome,) = handle_arrived_letters(town.context)
    assert (outcome.fate, outcome.reason) == ("refused", "PO-T1")
    town.carry()
    assert "from before we lost some moves" in text(town, outcome.seat or "")
    play(town)
    assert town.table.turn == 4


def test_a_letter_of_the_lost_history_is_never_played_on_the_new_one_by_itself(town: Town) -> None:
    lost = [*town.letters]
    reveal(town)
    with town.context.store.transaction() as transaction:
        row = transaction.find_game(TABLE)
        assert row is not None
        accept_rollback(GameSession(town.context, transaction, row))
    for letter in lost:
        assert town.deliver(letter).fate == "refused"
    assert town.table.turn == 3
