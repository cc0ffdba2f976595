"""What a player's command does at a table, and why it may not."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine import registry
from engine.through_the_desert import GAME
from notation import Ending, Entry, Left
from pbem.events.chain import Draft
from pbem.events.codec import encode
from pbem.events.kinds import InvitationAccepted, TurnPlayed
from pbem.mail.commands.consent import Agree, Ask
from pbem.mail.commands.invitation import AcceptInvitation, DeclineInvitation
from pbem.mail.commands.letter_rules import RULES as OF_LETTERS
from pbem.mail.commands.preferences import SetLanguage, SetNotices, SetPlain, SetZone
from pbem.mail.commands.press import Press
from pbem.mail.commands.questions import AskRule, Help, ShowBoard, ShowHistory, Status
from pbem.mail.commands.resign import Resign
from pbem.mail.commands.submit_moves import Plan, Play, Preview
from pbem.tables import table_rules
from pbem.tables.chance import random_moves
from pbem.tables.decision import FOR_WORDS, PressMessage
from pbem.tables.referee_decisions import open_table
from pbem.terminal.arguments import find_rule
from pbem.terminal.report import Report
from tests.pbem.tables.decided import kinds, refused

Sit = Callable[..., Any]


def test_a_game_begins_when_the_last_seat_is_taken(sit: Sit) -> None:
    post = sit(3, begun=False)
    assert kinds(post.do("blue", AcceptInvitation("some words"))) == ["accepted"]
    assert kinds(post.do("red", AcceptInvitation())) == ["accepted"]
    assert post.table.stage == "inviting"
    assert kinds(post.do("green", AcceptInvitation())) == ["accepted", "started"]
    assert post.table.stage == "playing"
    assert post.table.due == ("red",)
    assert [name for name, _ in post.table.options] == ["Board", "Oases", "Water"]
    post.check()


def test_the_words_of_an_acceptance_are_kept_as_a_digest_only(sit: Sit) -> None:
    post = sit(2, begun=False)
    post.do("red", AcceptInvitation("my cat is called Mu"))
    assert "cat" not in str(post.events)
    assert len(encode(post.events[-1].payload)["entropy_sha256"]) == 64


def test_only_who_declines_a_game_that_goes_on_is_told_how_to_give_it_up(sit: Sit) -> None:
    post = sit(2)
    assert post.do("red", AcceptInvitation()).refused.detail == "you have accepted already"
    assert post.do("red", DeclineInvitation()).refused.detail == "the game has begun; `resign` gives it up"
    post.do("blue", Resign())
    assert post.do("red", DeclineInvitation()).refused.detail == "the game has begun"


def test_an_invitation_is_answered_once_and_in_time(sit: Sit) -> None:
    post = sit(2, begun=False)
    post.do("red", AcceptInvitation())
    assert refused(post.do("red", AcceptInvitation())) == "PO-I1"
    assert kinds(post.do("blue", DeclineInvitation())) == ["declined"]
    assert post.table.stage == "called off"
    assert refused(post.do("blue", AcceptInvitation())) == "PO-I1"
    assert refused(post.do("blue", DeclineInvitation())) == "PO-I1"
    assert refused(sit(2).do("red", DeclineInvitation())) == "PO-I1"


def test_a_turn_is_judged_and_written_down_in_canonical_form(sit: Sit) -> None:
    post = sit(2)
    phrase = random_moves(post.table, "red", post.dealer)
    decision = post.do("red", Play(f"  {phrase.upper()}. ", 1))
    assert decision.ruling is not None
    assert decision.ruling.complete
    assert post.events[-1].payload == TurnPlayed("red", 1, phrase, by="player", letter="d1" * 32)
    assert post.table.due == ("blue",)
    assert post.turns(9).table.turn == 11
    assert [entry.number for entry in post.table.entries] == list(range(1, 11))
    post.check()


def test_an_illegal_move_happens_not_at_all(sit: Sit) -> None:
    post = sit(2).turns(10)
    legal = random_moves(post.table, "red", post.dealer)
    decision = post.do("red", Play(f"{legal}, lilac A1, mint Z99"))
    assert decision.drafts == ()
    assert decision.ruling is not None
    assert decision.ruling.verdict is not None
    unread = post.do("red", Play("so to speak"))
    assert unread.ruling is not None
    assert unread.ruling.fault is not None


def test_a_letter_for_another_turn_does_not_act(sit: Sit) -> None:
    post = sit(2).turns(4)
    text = random_moves(post.table, "red", post.dealer)
    assert refused(post.do("red", Play(text, 3))) == "PO-T1"
    assert refused(post.do("red", Play(text, 7))) == "PO-T2"
    assert refused(post.do("blue", Play(text))) == "PO-T2"
    assert kinds(post.do("red", Play(text, 5))) == ["played"]
    assert refused(sit(2, begun=False).do("red", Play(text))) == "PO-T3"


def test_a_turn_may_come_in_two_letters(sit: Sit) -> None:
    post = sit(2).turns(12)
    colour, space, *_ = random_moves(post.table, "red", post.dealer).split(" ")
    decision = post.do("red", Play(f"{colour} {space}"))
    assert decision.ruling is not None
    assert (decision.ruling.complete, decision.ruling.still) == (False, 1)
    assert post.table.due == ("red",)
    post.turn()
    assert post.table.due == ("blue",)
    assert [entry.number for entry in post.table.entries[-2:]] == [13, 13]
    post.check()


def test_the_last_turn_ends_the_game_and_says_the_result(sit: Sit) -> None:
    post = sit(2)
    while post.table.stage == "playing":
        decision = post.turn()
    assert kinds(decision) == ["played", "ended"]
    assert post.table.ending == Ending("normal")
    assert "won" in post.table.result
    assert post.table.record.header("Result") == post.table.result
    assert refused(post.do("red", Resign())) == "PO-T3"
    assert refused(post.do("red", Ask("undo"))) == "PO-T3"
    post.check()


def test_what_chance_owes_is_settled_by_itself(sit: Sit) -> None:
    post = sit(2, game=registry.find_game("shy-well"))
    assert [event.kind for event in post.events] == ["opened", "accepted", "accepted", "started", *["dealt"] * 3]
    assert post.table.due == ("fennec", "hare")
    post.do("hare", Play("wait"))
    assert kinds(post.do("fennec", Play("go"))) == ["played", "dealt"]
    asked = encode(post.do("hare", Ask("undo")).drafts[0].payload)
    assert asked["reveals"], "everybody has seen the next well"
    undone = post.do("fennec", Agree())
    assert kinds(undone) == ["agreed", "undone", *["dealt"] * 3], "all that was drawn in that turn is drawn anew"
    assert post.table.epoch == 1
    post.check()


def test_resigning_ends_a_game_of_two(sit: Sit) -> None:
    post = sit(2).turns(5)
    assert kinds(post.do("red", Resign())) == ["ended"]
    assert post.table.ending == Ending("resigned", ("red",))
    assert post.table.result == "red 0, blue 0 won"


def test_in_a_game_of_more_the_others_play_on(sit: Sit) -> None:
    post = sit(4).turns(3)
    decision = post.do("blue", Resign())
    assert kinds(decision) == ["resigned"]
    assert [(notice.to, notice.kind) for notice in decision.notices] == [("referee", "substitute wanted")]
    assert post.table.entries[-1] == Entry(4, "resign", (Left("blue"),))
    assert post.table.active == ("red", "green", "orange")
    assert refused(post.do("blue", Play("leader lilac E4"))) == "PO-T3"
    assert refused(post.do("blue", Ask("draw"))) == "PO-T3"
    assert refused(post.do("blue", Plan(("pass",)))) == "PO-T3"
    assert kinds(post.do("red", Resign())) == ["resigned"]
    assert kinds(post.do("orange", Resign())) == ["ended"]
    assert post.table.ending == Ending("resigned", ("blue", "red", "orange"))
    assert post.table.result.count("won") == 1
    post.check()


def test_a_table_that_waits_for_a_substitute_stands_still_when_somebody_resigns(sit: Sit) -> None:
    post = sit(3, terms={"silence": "substitute"}).turns(2)
    assert kinds(post.do("green", Resign())) == ["resigned", "paused"]
    assert post.table.pauses == {"green has no player"}


def test_words_for_one_seat_stand_in_no_event(sit: Sit) -> None:
    post = sit(3)
    for to in ("blue", "referee"):
        decision = post.do("red", Press(to, "shall we stop green?"))
        assert decision.said == PressMessage("red", to, "shall we stop green?")
        assert set(encode(post.events[-1].payload)) == {"from", "to", "words_sha256"}
    assert "stop green" not in str(post.events)


def test_the_digest_of_private_words_cannot_be_guessed_and_that_of_public_ones_comes_with_them(sit: Sit) -> None:
    post, other = sit(2), sit(2)
    post.do("red", Press("blue", "yes"))
    other.do("red", Press("blue", "yes"))
    assert encode(post.events[-1].payload) == encode(other.events[-1].payload)
    other.do("red", Press("all", "yes"))
    assert encode(other.events[-1].payload)["words"] == "yes"
    assert encode(other.events[-1].payload)["words_sha256"] != encode(post.events[-1].payload)["words_sha256"]


def test_words_go_to_those_who_are_there(sit: Sit) -> None:
    assert refused(sit(2).do("red", Press("green", "hello"))) == "PO-P1"


def test_words_leave_the_record_room_for_moves(sit: Sit) -> None:
    post = sit(2)
    assert kinds(post.do("red", Press("all", "x" * 8_000))) == ["press"]
    post.table = replace(post.table, written=FOR_WORDS - 2_000)
    assert kinds(post.do("red", Press("all", "hello"))) == ["press"]
    assert refused(post.do("red", Press("all", "🐫" * 100))) == "PO-P2"
    post.table = replace(post.table, written=FOR_WORDS)
    assert refused(post.do("red", Press("blue", "hello"))) == "PO-P2"
    assert refused(post.do("red", Ask("draw"))) == "PO-P2"
    assert kinds(post.turn()) == ["played"]
    assert kinds(post.do("red", Resign())) == ["ended"]


def test_a_plan_is_kept_for_later_and_must_be_readable(sit: Sit) -> None:
    post = sit(2)
    assert post.do("blue", Plan(("L e4 m k7", "PASS"))).plan == ("lilac E4, mint K7", "pass")
    assert post.do("blue", Plan(())).plan == ()
    assert refused(post.do("red", Plan(("pass",)))) == "PO-T4"
    assert post.do("red", Plan(())).plan == (), "one may always forget"
    unread = post.do("blue", Plan(("nonsense",)))
    assert unread.plan is None
    assert unread.ruling is not None
    assert unread.ruling.fault is not None


def test_questions_are_answered_and_change_nothing(sit: Sit) -> None:
    post = sit(2)
    before = post.table
    asked = {
        "help": Help(),
        "status": Status(),
        "board": ShowBoard(),
        "history": ShowHistory(),
        "rule": AskRule("td-c3"),
        "preview": Preview("leader lilac E4"),
    }
    for kind, command in asked.items():
        (answer,) = post.do("blue", command).answers
        assert answer.kind == kind
    assert post.do("red", AskRule("td-c3")).answers[0].text == "TD-C3"
    for code in ("PO-L2", "RC-T1", "NT-M1", "PO-V1"):
        assert post.do("red", AskRule(code)).answers
    assert refused(post.do("red", AskRule("TD-Z9"))) == "PO-C1"
    assert post.table == before


def test_wishes_about_letters_are_noted_if_they_can_be_met(sit: Sit) -> None:
    post = sit(2)
    assert post.do("red", SetLanguage("pl")).settings == {"language": "pl"}
    assert post.do("red", SetZone("europe/warsaw")).settings == {"zone": "Europe/Warsaw"}
    assert post.do("red", SetNotices("daily")).settings == {"notices": "daily 08:00"}
    assert post.do("red", SetPlain(on=True)).settings == {"plain": True}
    for wish in (SetLanguage("xx"), SetZone("Mars/Base"), SetNotices("never")):
        assert refused(post.do("red", wish)) == "PO-S1"


@pytest.mark.parametrize(
    ("names", "options", "terms"),
    [
        ({"red": "Anna", "purple": "Boris"}, {}, {}),
        ({"red": "Anna", "blue": "Boris"}, {"Weather": "hot"}, {}),
        ({"red": "Anna", "blue": "Boris"}, {}, {"silence": "shout"}),
        ({"red": "Anna"}, {}, {}),
        ({"red": "Anna", "blue": "Boris"}, {"Board": "moon"}, {}),
        ({"red": "Anna", "blue": "Boris"}, {"Oases": "A1 A2"}, {}),
    ],
)
def test_a_table_that_cannot_be_played_is_not_opened(
    names: dict[str, str], options: dict[str, str], terms: dict[str, str]
) -> None:
    opened = open_table(GAME, names=names, options=options, terms=terms)
    assert not isinstance(opened, Draft)
    assert "{" not in opened.detail


def test_every_rule_of_the_post_says_what_it_is_shows_both_sides_and_is_found() -> None:
    told = (*table_rules.RULES, *OF_LETTERS)
    assert len({rule.code for rule in told}) == len(told) == len({rule.name for rule in told})
    for rule in told:
        assert all((rule.text, rule.source, rule.obeys, rule.breaks)), rule
        assert find_rule(rule.code.lower(), Report(json=False)) == rule


def test_words_beside_an_acceptance_count_in_one_form_however_they_were_typed(sit: Sit) -> None:
    digests = set()
    for words in ("a caf\u00e9 in \u0142\u00f3d\u017a", "a cafe\u0301 in \u0142o\u0301dz\u0301"):
        accepted, *_ = sit(2, begun=False).do("red", AcceptInvitation(words)).drafts
        assert isinstance(accepted.payload, InvitationAccepted)
        digests.add(accepted.payload.entropy_sha256)
    assert digests == {hashlib.sha256("a caf\u00e9 in \u0142\u00f3d\u017a".encode()).hexdigest()}
