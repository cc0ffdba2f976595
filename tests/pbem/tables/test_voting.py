"""Consent: who must agree to what, and what happens when they have."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from engine import registry
from notation import Ending, Entry, Paused, Undone
from pbem.events.codec import encode
from pbem.mail.commands.command import decide
from pbem.mail.commands.consent import Agree, Ask, Object
from pbem.mail.commands.resign import Resign
from pbem.mail.commands.submit_moves import Play
from pbem.tables.chance import random_moves
from pbem.tables.referee_decisions import seat_substitute
from pbem.tables.votes import OPEN_FOR, drop_expired, quorum
from tests.pbem.tables.decided import kinds, refused

Sit = Callable[..., Any]


def test_an_undo_needs_everybody_and_brings_the_table_back(sit: Sit) -> None:
    post = sit(3).turns(20)
    before = post.table
    post.turns(3)
    seat = before.due[0]
    others = [other for other in before.seats if other != seat]
    assert kinds(post.do(seat, Ask("undo"))) == ["asked"]
    assert encode(post.events[-1].payload) == {"what": "undo", "by": seat, "turn": 21, "reveals": False}
    assert kinds(post.do(others[0], Agree("undo"))) == ["agreed"]
    assert kinds(post.do(others[1], Agree())) == ["agreed", "undone"]
    assert post.table.position == before.position
    assert post.table.turn == 21
    assert post.table.epoch == before.epoch + 1
    assert post.table.entries[-1] == Entry(24, "undo", (Undone(21),))
    assert len(post.table.entries) == 24, "what was taken back stays in the record"
    assert post.table.votes == {}
    assert post.turns(2).table.turn == 23
    post.check()


def test_an_undo_can_be_asked_for_again_and_again(sit: Sit) -> None:
    post = sit(2).turns(20)
    for turn in (20, 19, 18):
        asking = "blue" if turn % 2 == 0 else "red"
        post.do(asking, Ask("undo"))
        post.do("red" if asking == "blue" else "blue", Agree())
        assert post.table.turn == turn
    assert post.table.epoch == 3
    post.turns(6).check()


def test_the_own_turn_that_is_not_finished_is_taken_back_at_once(sit: Sit) -> None:
    post = sit(2).turns(12)
    before = post.table
    colour, space, *_ = random_moves(post.table, "red", post.dealer).split(" ")
    post.do("red", Play(f"{colour} {space}"))
    assert kinds(post.do("red", Ask("undo"))) == ["undone"]
    assert post.table.position == before.position
    assert refused(post.do("red", Object())) == "PO-V1"


def test_the_own_turn_in_which_chance_has_shown_something_is_not_taken_back_at_once(sit: Sit) -> None:
    post = sit(2, game=registry.find_game("shy-well"))
    post.do("fennec", Play("go"))
    assert kinds(post.do("fennec", Ask("undo"))) == ["asked"]
    assert encode(post.events[-1].payload)["reveals"]


def test_a_move_makes_an_undo_that_was_asked_for_meaningless(sit: Sit) -> None:
    post = sit(2).turns(12)
    post.do("red", Ask("undo"))
    post.do("red", Ask("draw"))
    assert kinds(post.turn())[:2] == ["dropped", "played"], "it is told that nobody can agree any more"
    assert set(post.table.votes) == {"draw"}
    assert "dropped" not in kinds(post.turn())


def test_a_history_without_a_word_about_it_makes_an_undo_meaningless_too(sit: Sit) -> None:
    post = sit(2).turns(12)
    post.do("red", Ask("undo"))
    play = Play(random_moves(post.table, "red", post.dealer))
    _, played = decide(post.table, "red", play, post.moment).drafts
    post.apply_events([played])
    assert post.table.votes == {}


def test_an_undo_that_was_asked_for_falls_when_the_table_goes_back_elsewhere(sit: Sit) -> None:
    post = sit(2).turns(12)
    colour, space, *_ = random_moves(post.table, "red", post.dealer).split(" ")
    post.do("red", Play(f"{colour} {space}"))
    post.do("blue", Ask("undo"))
    assert kinds(post.do("red", Ask("undo"))) == ["dropped", "undone"], "half a turn of one's own is taken back at once"
    assert post.table.turn == 13
    post.check()


def test_the_own_undo_is_no_consent_to_go_back_elsewhere(sit: Sit) -> None:
    post = sit(3).turns(17)
    post.do("red", Ask("undo"))
    assert refused(post.do("green", Ask("undo"))) == "PO-V2"
    assert post.table.turn == 18
    post.do("green", Object("undo"))
    assert kinds(post.do("green", Ask("undo"))) == ["asked"]
    assert encode(post.events[-1].payload)["turn"] == 15


def test_a_draw_is_agreed_to_by_name(sit: Sit) -> None:
    post = sit(2).turns(4)
    post.do("red", Ask("draw"))
    assert refused(post.do("blue", Agree())) == "PO-V3"
    assert kinds(post.do("blue", Object())) == ["objected", "dropped"], "to object ends nothing"
    post.do("red", Ask("draw"))
    assert kinds(post.do("blue", Agree("draw"))) == ["agreed", "ended"]


def test_who_has_not_played_has_nothing_to_take_back(sit: Sit) -> None:
    assert refused(sit(2).turns(1).do("blue", Ask("undo"))) == "PO-V2"


def test_a_draw_ends_the_game_for_all_who_are_left(sit: Sit) -> None:
    post = sit(3).turns(4)
    post.do("red", Ask("draw"))
    post.do("blue", Agree("draw"))
    assert kinds(post.do("green", Ask("draw"))) == ["agreed", "ended"], "asking for what is asked is agreeing"
    assert post.table.ending == Ending("agreed")
    assert post.table.result.count("won") == 3


def test_those_who_gave_up_have_no_voice_and_no_share(sit: Sit) -> None:
    post = sit(3).turns(4)
    post.do("green", Resign())
    post.do("red", Ask("draw"))
    assert refused(post.do("green", Agree("draw"))) == "PO-T3"
    assert kinds(post.do("blue", Agree("draw"))) == ["agreed", "ended"]
    assert post.table.ending == Ending("agreed", ("red", "blue"))
    assert post.table.result.count("won") == 2


def test_a_vote_is_carried_when_the_last_who_was_silent_resigns(sit: Sit) -> None:
    post = sit(3).turns(4)
    post.do("red", Ask("draw"))
    post.do("blue", Agree("draw"))
    assert kinds(post.do("green", Resign())) == ["resigned", "ended"]


def test_who_agreed_and_then_gave_up_does_not_count(sit: Sit) -> None:
    post = sit(4).turns(4)
    post.do("red", Ask("pause"))
    post.do("blue", Agree())
    assert kinds(post.do("blue", Resign())) == ["resigned"]
    assert quorum(post.table, "pause") == 2
    assert kinds(post.do("green", Agree())) == ["agreed", "paused"]


def test_one_objection_is_enough_against_what_needs_everybody(sit: Sit) -> None:
    post = sit(4).turns(4)
    for what in ("undo", "draw"):
        post.do("red", Ask(what))
        assert kinds(post.do("blue", Object(what))) == ["objected", "dropped"]
        assert post.table.votes == {}


def test_a_pause_needs_more_than_half(sit: Sit) -> None:
    post = sit(4)
    assert quorum(post.table, "pause") == 3
    post.do("red", Ask("pause"))
    post.do("blue", Agree())
    assert kinds(post.do("green", Object())) == ["objected"]
    assert kinds(post.do("orange", Agree())) == ["agreed", "paused"]
    assert post.table.pauses == {"vote"}
    assert post.table.entries[-1] == Entry(1, "pause", (Paused("vote"),))
    assert post.table.votes == {}
    assert refused(post.do("red", Ask("pause"))) == "PO-V2"
    post.do("red", Ask("resume"))
    post.do("green", Agree())
    assert kinds(post.do("blue", Agree())) == ["agreed", "resumed"]
    assert post.table.pauses == frozenset()
    assert refused(post.do("red", Ask("resume"))) == "PO-V2"
    post.check()


def test_a_pause_is_lost_when_too_many_object(sit: Sit) -> None:
    post = sit(3)
    post.do("red", Ask("pause"))
    assert kinds(post.do("blue", Object())) == ["objected"]
    assert kinds(post.do("green", Object())) == ["objected", "dropped"]


def test_of_two_both_must_agree_to_a_pause(sit: Sit) -> None:
    post = sit(2)
    post.do("red", Ask("pause"))
    assert kinds(post.do("blue", Object())) == ["objected", "dropped"]
    post.do("red", Ask("pause"))
    assert kinds(post.do("blue", Agree())) == ["agreed", "paused"]


def test_a_mind_can_be_changed_while_the_vote_is_open(sit: Sit) -> None:
    post = sit(5)
    post.do("red", Ask("pause"))
    post.do("blue", Object())
    assert kinds(post.do("blue", Agree())) == ["agreed"]
    assert kinds(post.do("blue", Object())) == ["objected"]
    assert refused(post.do("blue", Object())) == "PO-V2"
    assert kinds(post.do("green", Agree())) == ["agreed"]
    assert kinds(post.do("orange", Agree())) == ["agreed", "paused"]


def test_whoever_asked_takes_it_back(sit: Sit) -> None:
    post = sit(3)
    post.do("red", Ask("draw"))
    assert refused(post.do("red", Agree())) == "PO-V2"
    assert kinds(post.do("red", Object("draw"))) == ["dropped"]


def test_what_is_meant_must_be_clear(sit: Sit) -> None:
    post = sit(3).turns(6)
    assert refused(post.do("red", Agree())) == "PO-V1"
    post.do("red", Ask("draw"))
    post.do("red", Ask("pause"))
    assert refused(post.do("blue", Agree())) == "PO-V1"
    assert refused(post.do("blue", Agree("undo"))) == "PO-V1"
    assert kinds(post.do("blue", Agree("draw"))) == ["agreed"]


def test_a_vote_that_nobody_answers_lapses(sit: Sit) -> None:
    post = sit(3)
    post.do("red", Ask("draw"))
    assert list(drop_expired(post.table, post.now + OPEN_FOR)) == []
    (dropped,) = drop_expired(post.table, post.now + OPEN_FOR + timedelta(seconds=1))
    assert encode(dropped.payload) == {"what": "draw", "by": "clock"}
    post.apply_events([dropped])
    assert post.table.votes == {}


@pytest.mark.parametrize("what", ["undo", "draw", "pause", "resume"])
def test_nothing_is_asked_where_nothing_is_played(sit: Sit, what: str) -> None:
    assert refused(sit(2, begun=False).do("red", Ask(what))) == "PO-T3"


def test_what_somebody_asked_ends_when_that_player_resigns(sit: Sit) -> None:
    post = sit(3).turns(9)
    post.do("red", Ask("draw"))
    post.do("blue", Agree("draw"))
    left = post.do("red", Resign())
    assert kinds(left)[:2] == ["dropped", "resigned"]
    assert post.table.votes == {}
    post.check()


def test_what_somebody_asked_ends_when_the_seat_gets_another_player(sit: Sit) -> None:
    post = sit(3).turns(9)
    post.do("red", Ask("draw"))
    seated = seat_substitute(post.table, "red", "Gus", post.dealer)
    assert kinds(seated) == ["dropped", "substituted"]
    post.apply_events(seated.drafts)
    assert post.table.votes == {}
    post.check()


def test_a_substitute_has_neither_agreed_nor_objected_to_what_others_asked(sit: Sit) -> None:
    post = sit(3).turns(9)
    post.do("red", Ask("draw"))
    post.do("blue", Agree("draw"))
    third = next(seat for seat in post.table.seats if seat not in ("red", "blue"))
    post.do(third, Ask("pause"))
    post.do("blue", Object("pause"))
    post.apply_events(seat_substitute(post.table, "blue", "Gus", post.dealer).drafts)
    assert post.table.votes["draw"].agreed == {"red"}
    assert post.table.votes["pause"].against == frozenset()
    assert kinds(post.do(third, Agree("draw"))) == ["agreed"], "the new player is asked, too"
    assert kinds(post.do("blue", Agree("draw"))) == ["agreed", "ended"]
    post.check()
