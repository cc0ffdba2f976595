"""An appeal at a table without a referee: the other players decide, by a yes or no that counts once."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from engine.through_the_desert import GAME as DESERT
from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.writing.post_mails import find_post_sentences
from pbem.service.housekeeping import tidy_up
from pbem.workflow.referees import leave_to_players
from tests.post.court.test_letters import Judge, kinds, play, stack, summon
from tests.post.post_games import TABLE
from tests.post.towns import Town

__all__ = ["stack"]


def sit_down(stack: ExitStack, folder: Path, players: int) -> Town:
    """A table without a referee, in the middle of a game."""
    town, _ = summon(stack, folder, DESERT, players)
    with town.context.store.transaction() as transaction:
        leave_to_players(transaction, TABLE)
    play(town, 3 * players + 1)
    return town


def last_author(town: Town) -> str:
    return str(next(entry.who for entry in reversed(town.table.entries)))


def votes_of(town: Town, seat: str) -> Judge:
    return Judge(town, town.friends[seat].address)


def question(judge: Judge) -> Any:
    return next(mail for mail in reversed(judge.mails) if "+yes." in str(mail["Reply-To"]))


def test_most_of_the_others_take_a_turn_back(stack: ExitStack, tmp_path: Path) -> None:
    town = sit_down(stack, tmp_path, 3)
    author, turn = last_author(town), town.table.turn - 1
    appellant, other = (seat for seat in town.friends if seat != author)
    assert town.write(appellant, f"appeal {turn}: that was not agreed").fate == "applied"
    assert town.table.pauses == {"case 1"}
    assert not any("+yes." in str(mail["Reply-To"]) for mail in votes_of(town, author).mails), "the author has no vote"
    voter = votes_of(town, other)
    asked = question(voter)
    before = kinds(town)
    assert votes_of(town, author).answer("yes", to=asked).fate == "refused"
    assert kinds(town) == before
    assert voter.answer("yes", to=asked).reason == "voted"
    assert (town.table.turn, town.table.pauses) == (turn, frozenset())
    after = kinds(town)
    assert voter.answer("yes", to=asked).fate == "refused"
    assert kinds(town) == after, "a vote counts once"
    play(town, 1)


def test_where_two_play_both_must_agree(stack: ExitStack, tmp_path: Path) -> None:
    town = sit_down(stack, tmp_path, 2)
    author, turn = last_author(town), town.table.turn
    other = next(seat for seat in town.friends if seat != author)
    assert town.write(other, "appeal: that was not agreed").fate == "applied"
    assert town.table.turn == turn
    voter = votes_of(town, author)
    assert voter.answer("no", to=question(voter)).reason == "voted"
    assert (town.table.turn, town.table.pauses) == (turn, frozenset())
    assert "Not enough of the other players want anything else" in " ".join(
        town.last_text(other).replace("\n|  ", "\n").split()
    )


def test_silence_leaves_it_as_it_is(stack: ExitStack, tmp_path: Path) -> None:
    town = sit_down(stack, tmp_path, 2)
    other = next(seat for seat in town.friends if seat != last_author(town))
    turn = town.table.turn
    assert town.write(other, "appeal: that was not agreed").fate == "applied"
    town.hours.forward(days=15)
    tidy_up(town.context)
    assert (town.table.turn, town.table.pauses) == (turn, frozenset())
    assert "ruled" in kinds(town)


@pytest.mark.parametrize("code", sorted({*LANGUAGE_CODES} - {"en"}))
def test_the_question_is_in_the_voters_language(code: str) -> None:
    say, english = find_post_sentences(code).say, find_post_sentences("en").say
    asked = [("head_vote", ("Anna", 3, TABLE)), ("vote_how", ()), ("voted", (True,)), ("voted", (False,))]
    for sentence, facts in asked:
        assert say(sentence, *facts) != english(sentence, *facts)
