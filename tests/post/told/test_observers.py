"""People who only watch: they get what everybody may know, and nothing that acts."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from engine import registry
from pbem.mail.writing.occasions import NoticeMail
from pbem.tables.table import PLAYING
from pbem.workflow.queue_mail import queue_for_referee
from pbem.workflow.session import GameSession
from tests.post.court.courts import REFEREE, Court, convene, text_of
from tests.post.post_games import TABLE

DOV = "dov@elsewhere.test"


@pytest.fixture
def court(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Court]:
    """A game with secrets that two people watch."""
    game = registry.find_game("shy-well")
    assert game is not None
    with convene(tmp_path, monkeypatch, game, 2) as court:
        assert "Dov, dov@elsewhere.test" in court.pbem("observe", TABLE, "--add", f"Dov:{DOV}")
        court.pbem("observe", TABLE, "--add", "Ewa:ewa@elsewhere.test")
        yield court


def test_observers_hear_the_public_news_and_get_the_record_in_the_end(court: Court) -> None:
    assert court.town.write("fennec", "go").fate == "applied"
    (first,) = court.town.mails[DOV]
    assert "Anna" in text_of(first)
    assert "Anna has made a move that" in text_of(first), "what fennec has chosen is not told yet"
    assert b"+sirocco-7." not in first, "no reply address that acts"
    assert b"List-Unsubscribe" not in first, "nor one that promises to"
    assert court.town.write("hare", "press to fennec: well met\n\nwait").fate == "applied"
    while court.town.table.stage == PLAYING:
        assert court.town.write(court.town.table.due[0], "wait").fate == "applied"
    mails = court.town.mails[DOV]
    assert not any("well met" in text_of(mail) for mail in mails)
    assert "The game is over" in text_of(mails[-1]) or "won" in text_of(mails[-1])
    assert f"{TABLE}.turns".encode() in mails[-1]
    assert len(court.town.mails["ewa@elsewhere.test"]) == len(mails)


NUMBERS = count(1)


def letter_of(sender: str, *extra: str) -> bytes:
    """A letter to the post, with a name of its own, that answers no mail to a player."""
    head = [f"From: {sender}", "To: caravan@post.test", "Subject: Re: your news", *extra]
    return "\r\n".join([*head, f"Message-ID: <{next(NUMBERS)}@elsewhere.test>", "", "May I play?", ""]).encode()


def test_an_observer_who_writes_is_told_once_what_he_can_do(court: Court) -> None:
    outcome = court.town.deliver(letter_of(DOV))
    assert (outcome.fate, outcome.reason) == ("refused", "only-watches")
    (answer,) = court.town.mails[DOV]
    assert "You only watch this game" in text_of(answer)
    assert b"Auto-Submitted: auto-replied" in answer
    assert b"+sirocco-7." not in answer
    assert court.town.deliver(letter_of(DOV.upper())).reason == "only-watches"
    assert len(court.town.mails[DOV]) == 1
    assert court.town.deliver(letter_of("ewa@elsewhere.test")).reason == "only-watches"
    assert len(court.town.mails["ewa@elsewhere.test"]) == 1
    assert "fennec" in court.town.table.due, "and nothing was done"


def test_neither_a_machine_nor_a_stranger_nor_one_who_watched_once_is_answered(court: Court) -> None:
    assert court.town.deliver(letter_of(DOV, "Auto-Submitted: auto-replied")).fate == "automatic"
    assert court.town.deliver(letter_of("stranger@elsewhere.test")).reason == "no-ticket"
    court.pbem("observe", TABLE, "--remove", DOV)
    assert court.town.deliver(letter_of(DOV)).reason == "no-ticket"
    assert not {DOV, "stranger@elsewhere.test"} & court.town.mails.keys()


def test_an_observer_hears_of_cases(court: Court) -> None:
    assert court.town.write("fennec", "appeal the well is dry").fate == "applied"
    assert "calls the referee" in text_of(court.town.mails[DOV][-1])


def test_an_observer_can_leave_and_nothing_of_him_stays(court: Court) -> None:
    assert DOV not in court.pbem("observe", TABLE, "--remove", DOV)
    court.town.write("fennec", "go")
    assert DOV not in court.town.mails
    assert court.town.mails["ewa@elsewhere.test"]
    court.pbem("observe", TABLE, "--remove", DOV, fails=1)
    court.pbem("observe", TABLE, "--add", f"Dov:{DOV}")
    court.town.write("hare", "go")
    assert len(court.town.mails[DOV]) == 1


def test_nobody_watches_twice_or_where_he_plays(court: Court) -> None:
    court.pbem("observe", TABLE, "--add", f"Dov:{DOV.upper()}", fails=1)
    player = court.town.friends["hare"]
    court.pbem("observe", TABLE, "--add", f"{player.name}:{player.address}", fails=1)
    court.pbem("observe", "nowhere-1", fails=2)
    court.pbem("observe", TABLE, "--add", "no address at all", fails=2)


def test_mails_are_numbered_by_game_for_those_who_have_no_seat(court: Court) -> None:
    seats = ("--seat", "fennec=Anna:anna@players.test", "--seat", "hare=Boris:boris@players.test")
    court.pbem("new", "shy-well", *seats, "--id", "other-well")
    for table in (TABLE, "other-well"):
        with court.town.context.store.transaction() as at_desk:
            row = at_desk.find_game(table)
            assert row is not None
            session = GameSession(court.town.context, at_desk, row)
            for _ in range(2):
                queue_for_referee(session, NoticeMail("appeal", "fennec", "the well is dry"))
            session.save()
    court.town.carry()
    numbers = [re.findall(r"sirocco-7|other-well|Mail \d+ ·", text_of(mail)) for mail in court.town.mails[REFEREE]]
    assert [(shown[0], shown[-1]) for shown in numbers] == [
        (table, f"Mail {number} ·") for table in (TABLE, "other-well") for number in "12"
    ]


def test_numbers_that_an_older_version_gave_are_not_given_again(court: Court) -> None:
    def write(referee: str) -> int:
        context = court.town.context
        post = replace(context.settings.post, referee=referee)
        context = replace(context, settings=replace(context.settings, post=post))
        with context.store.transaction() as at_desk:
            row = at_desk.find_game(TABLE)
            assert row is not None
            session = GameSession(context, at_desk, row)
            queue_for_referee(session, NoticeMail("appeal", "fennec", "the well is dry"))
            session.save()
            return int(at_desk.load_setting(f"mails to referee of {TABLE}") or 0)

    assert [write(REFEREE) for _ in range(3)] == [1, 2, 3]
    with court.town.context.store.transaction() as at_desk:  # as if nobody had counted so far
        at_desk._connection.execute("DELETE FROM setting WHERE key LIKE 'mails to referee%'")
    assert write("another@post.test") == 4
