"""No letter for what has one answer: forced moves and rolls are made at once, told and checked."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from engine.brotherhood.base_game import GAME as BASE
from engine.brotherhood.moves import DEVELOPMENTS, Buy, Dice, Draw
from engine.brotherhood.position import ROLL
from engine.chance import KeyedDealer
from engine.game import CHANCE, PUBLIC, Game, Ply
from engine.nomadi import GAME as NOMADI
from engine.through_the_desert import GAME as DESERT
from notation import write_moves
from pbem.events.kinds import TurnPlayed
from pbem.tables.chance import random_moves
from pbem.tables.play import play
from pbem.tables.table import FORCED
from pbem.verify.check_record import verify_text
from pbem.workflow import follow_up
from pbem.workflow.record_proof import record_text
from tests.engine.recorded import Shelf
from tests.post.post_games import TABLE
from tests.post.towns import Town, found_town
from tests.second_verifier.second_verifier import verify

Found = Callable[..., Town]
AGREED: dict[str, object] = {FORCED: "play"}


@pytest.fixture
def found(tmp_path: Path) -> Iterator[Found]:
    """Found a town that has agreed to forced moves; both verifiers believe its record in the end."""
    with ExitStack() as stack:
        towns: list[Town] = []

        def call(game: Game[Any], players: int, **more: Any) -> Town:
            more = {"terms": AGREED, **more}
            town = stack.enter_context(found_town(tmp_path / f"post-{len(towns)}", game, players, **more))
            towns.append(town)
            return town

        yield call
        for town in towns:
            assert believed(town) == (True, True)


def record(town: Town) -> str:
    with town.context.store.reading() as at_desk:
        row = at_desk.find_game(TABLE)
    assert row is not None
    return record_text(town.context, row, tuple(town.events), PUBLIC)


def believed(town: Town) -> tuple[bool, bool]:
    """What the two verifiers say of the record."""
    text = record(town)
    (verified,) = verify_text(text)
    return verified.is_good, verify(text) is None


def moves(town: Town, since: int = 0) -> list[tuple[str, str, str]]:
    """Who played what, and by whom it was made; chance is left out."""
    made = [event.payload for event in town.events[since:] if isinstance(event.payload, TurnPlayed)]
    return [(each.seat, each.phrase, each.by) for each in made]


def position(town: Town) -> Any:
    return town.table.position


def stage(town: Town) -> str:
    """What the Brotherhood waits for."""
    return str(position(town).stage)


def words(town: Town, seat: str) -> str:
    return " ".join(town.last_text(seat).replace("\n| ", "\n").split())


def base(found: Found, monkeypatch: pytest.MonkeyPatch, **more: Any) -> Town:
    """The base game, red first; nobody rolls a seven, and every card bought is a victory point."""
    rolls = cycle([Dice(1, 3), Dice(2, 4), Dice(4, 4), Dice(4, 5), Dice(5, 5), Dice(1, 4)])

    def deal(position: Any, dealer: Any) -> Ply:
        is_roll = isinstance(next(BASE.legal(position)).move, Dice)
        return Ply(CHANCE, next(rolls) if is_roll else Draw(DEVELOPMENTS[-1]))

    monkeypatch.setattr(type(BASE), "deal", staticmethod(deal))
    return found(BASE, 3, options={"First": "red"}, **more)


def test_the_dice_are_rolled_when_a_turn_begins(found: Found) -> None:
    town = found(BASE, 3, options={"First": "red"})
    assert moves(town) == [("red", "roll", "forced")]
    mails = {seat: len(friend.mails) for seat, friend in town.friends.items()}
    for seat in town.friends:
        town.write(seat, "notify turn")
    assert town.write("red", "end").fate == "applied"
    assert moves(town)[1:] == [("red", "end", "player"), ("blue", "roll", "forced")]
    assert len(town.friends["blue"].mails) == mails["blue"] + 2, "the answer about notices, and one mail for the turn"
    assert len(town.friends["yellow"].mails) == mails["yellow"] + 1
    told = words(town, "blue")
    dice = town.table.game.view(town.table.position, PUBLIC)["dice"]
    assert f"Your turn, Boris: you rolled {sum(dice)} ({dice[0]}+{dice[1]}) Trade and build by" in told
    assert f"You rolled {sum(dice)}" in told
    assert f"Boris rolled {sum(dice)}" in words(town, "red"), "the answer to the end of a turn tells what followed"
    asked = [event.payload for event in town.events if isinstance(event.payload, TurnPlayed)]
    assert [each.asked is None for each in asked] == [True, False, True], "nobody was asked to roll"


def test_a_roll_that_was_made_already_may_be_written_from_habit(found: Found) -> None:
    town = found(BASE, 3, options={"First": "red"})
    assert town.write("red", "roll; end").fate == "applied"
    assert moves(town)[-2:] == [("red", "end", "player"), ("blue", "roll", "forced")]
    assert town.write("blue", "roll").reason == "BB-O1"


def test_the_dice_wait_for_whoever_holds_a_card_and_for_who_wants_to_roll(
    found: Found, monkeypatch: pytest.MonkeyPatch
) -> None:
    town = base(found, monkeypatch)
    assert town.write("blue", "auto-roll off").fate == "applied"
    assert "You roll the dice yourself: reply roll in your turn." in words(town, "blue")
    assert town.write("red", "end").fate == "applied"
    assert stage(town) == ROLL
    assert "Roll, then trade and build by" in words(town, "blue")
    assert town.write("blue", "auto-roll on").fate == "applied"
    assert "We roll the dice for you when your turn begins." in words(town, "blue")
    assert "You rolled 6 (2+4)" in words(town, "blue")
    for _ in range(40):
        (seat,) = town.table.due
        legal = {type(ply.move) for ply in BASE.legal(position(town))}
        if Buy in legal:
            break
        assert town.write(seat, "end").fate == "applied"
    assert town.write(seat, "buy; end").fate == "applied"
    while town.table.due != (seat,):
        assert town.write(town.table.due[0], "end").fate == "applied"
    assert stage(town) == ROLL, "it is a victory card, but others must not see that"
    assert [ply.move for ply in BASE.legal(position(town))] == [BASE.roll]
    assert town.write(seat, "roll; end").fate == "applied"


def test_a_plan_is_played_with_its_roll_or_without(found: Found) -> None:
    town = found(BASE, 3, options={"First": "red"})
    town.write("blue", "plan roll; end")
    town.write("yellow", "plan end")
    town.write("red", "end")
    assert town.table.due == ("red",)
    since = [(seat, phrase) for seat, phrase, _ in moves(town)[2:]]
    assert since == [("blue", "roll"), ("blue", "end"), ("yellow", "roll"), ("yellow", "end"), ("red", "roll")]
    assert [by for *_, by in moves(town)[2:]] == ["player", "player", "forced", "player", "forced"]


def test_nothing_is_rolled_in_a_pause_and_by_tables_that_have_not_agreed(found: Found) -> None:
    town = found(BASE, 3, options={"First": "red"})
    for seat in ("red", "blue", "yellow"):
        town.write(seat, "pause" if seat == "red" else "agree pause")
    assert town.table.pauses
    assert town.write("red", "end").fate == "applied"
    assert stage(town) == ROLL
    for seat in ("red", "blue"):
        town.write(seat, "resume" if seat == "red" else "agree resume")
    assert not town.table.pauses
    assert moves(town)[-1] == ("blue", "roll", "forced")
    other = found(BASE, 3, options={"First": "red"}, terms={})
    assert moves(other) == []
    assert other.write("red", "auto-roll off").reason == "PO-T9"


def desert(found: Found) -> Town:
    """Two in the desert, before red takes blue's last space."""
    shelf = Shelf(DESERT)
    passes = shelf.read("TD-T3-pass")
    town = found(DESERT, 2, options=dict(passes.setup.options))
    for entry in passes.entries[:-2]:
        assert town.write(entry.who, write_moves(DESERT, entry.moves)).fate == "applied"
    return town


def test_a_pass_is_played_and_told_and_goes_with_the_move_before_it(found: Found) -> None:
    town = desert(found)
    before = town.table
    assert town.write("red", "salmon N3").fate == "applied"
    assert moves(town)[-2:] == [("red", "salmon N3", "player"), ("blue", "pass", "forced")]
    assert town.table.due == ("red",)
    assert "Boris: pass" in words(town, "red")
    assert "Only one move was possible, so we played it: pass." in words(town, "blue")
    assert town.write("red", "undo").fate == "applied"
    assert town.events[-1].kind == "undone", "the pass was nobody's choice, so nobody has to be asked"
    assert (town.table.position, town.table.due) == (before.position, ("red",))
    assert town.write("red", "salmon N3").fate == "applied"
    assert town.write("blue", "undo").fate == "applied"
    assert town.events[-1].kind == "asked", "there is nothing of blue's own to take back"


def test_a_turn_whose_dice_are_stuck_ends_by_itself(found: Found) -> None:
    town = found(NOMADI, 2)
    for _ in range(60):
        (seat, *_others) = town.table.due
        text = random_moves(town.table, seat, KeyedDealer(f"{len(town.events)}".encode()))
        assert town.write(seat, text).fate == "applied"
        assert all(NOMADI.forced(position(town), each) is None for each in town.table.due)
    ended = [each for each in moves(town) if each[1] == "end"]
    assert ended
    assert {by for *_, by in ended} <= {"forced", "player"}
    assert any(by == "forced" for *_, by in ended)
    assert any(
        "Only one move was possible, so we played it: end." in mail.decode("utf-8", "replace").replace("=\r\n", "")
        for friend in town.friends.values()
        for mail in town.mails[friend.address]
    )


def test_a_post_that_calls_moves_forced_which_are_not_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It rolls though somebody holds a card, and ends the turns of others."""

    def lie(session: Any, seat: str, _wanted: Any) -> bool:
        text = "roll" if session.table.position.stage == ROLL else "end"
        decision = play(session.table, seat, text, session.dealer(), by=FORCED)
        session.apply_events(decision.drafts)
        return bool(decision.drafts)

    with found_town(tmp_path / "post", BASE, 3, options={"First": "red"}, terms=AGREED) as town:
        with monkeypatch.context() as patched:
            patched.setattr(follow_up, "MOST", 3)
            patched.setattr(follow_up, "_play_forced", lie)
            town.write("red", "end")
        assert ("blue", "end", "forced") in moves(town)
        assert believed(town) == (False, False)
    with found_town(tmp_path / "other", DESERT, 2, terms=AGREED) as town:
        with monkeypatch.context() as patched:
            any_move = staticmethod(lambda position, _seat: next(DESERT.legal(position)).move)
            patched.setattr(type(DESERT), "forced", any_move)
            patched.setattr(follow_up, "MOST", 3)
            town.write("red", random_moves(town.table, "red", KeyedDealer(b"first")))
        assert any(by == "forced" for *_, by in moves(town))
        (verified,) = verify_text(record(town))
        assert [finding.check for finding in verified.findings] == ["rules"]
        assert "as forced, and it was not" in verified.findings[0].reason


def test_the_invitation_says_so_in_one_line(found: Found) -> None:
    said: dict[Game[Any], str] = {
        BASE: "We roll the dice when a turn begins, and if you have only one move, we play it.",
        DESERT: "If all can see that you have only one move, we play it at once.",
    }
    for game, line in said.items():
        town = found(game, 3, accepting=False)
        assert line in words(town, game.seats[0])
        assert line not in words(found(game, 3, accepting=False, terms={}), game.seats[0])


def test_a_roll_counts_for_nobody_as_an_answer_and_the_clock_starts_after_it(found: Found) -> None:
    soon = {"time.per_turn": timedelta(days=1), "time.grace": timedelta(hours=1), "time.silence": "play"}
    town = found(BASE, 3, options={"First": "red"}, chosen=soon)
    town.wait(hours=26)
    by = [by for *_, by in moves(town)]
    assert by[:2] == ["forced", "clock"]
    assert town.table.turn == 2
    assert moves(town)[-1] == ("blue", "roll", "forced")
