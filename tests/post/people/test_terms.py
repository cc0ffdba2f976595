"""Terms of a table change by consent or by the referee: all read the old and the new value, and clocks go by it."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pbem.clock.time_control import control_from_terms
from pbem.locale.catalogues import find_locale
from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.commands.consent import Agree, Ask, Object
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.writing.sentences import find_sentences
from pbem.store.rows import GameRow
from pbem.tables.terms import NAMES, say_term, with_term
from pbem.verify.check_record import verify_text
from pbem.workflow import referee_acts
from pbem.workflow.history import read_events
from pbem.workflow.record_proof import record_text
from pbem.workflow.session import GameSession
from tests.post.people.desks import Lobby, open_lobby
from tests.second_verifier.second_verifier import check

HOLIDAYS = {"holidays": ["2026-12-25", "2027-01-01"], "holidays_of": ["NL", "DE-BY"]}
ANNA, BORIS = "anna@people.test", "boris@people.test"
TABLE = "sirocco-1"


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    """Two people play with three days for a turn."""
    with open_lobby(tmp_path / "post") as found:
        for who in (ANNA, BORIS):
            found.come_in(who, f"yes, I am {who.partition('@')[0].title()}")
        found.answer(ANNA, "open shy-well seats 2 pace 3d")
        found.answer(BORIS, f"join {TABLE}")
        found.wait(minutes=5)
        yield found


def to_table(lobby: Lobby, who: str, words: str) -> str:
    last = next(mail for mail in reversed(lobby.mails[who]) if f"+{TABLE}." in str(mail["Reply-To"]))
    return lobby.write(who, words, to=str(last["Reply-To"]), subject=f"Re: {last['Subject']}").fate


def told(lobby: Lobby, address: str) -> str:
    return " ".join(lobby.last(address).replace("\r\n| ", " ").split())


def session(lobby: Lobby) -> GameSession:
    with lobby.context.store.transaction() as at_desk:
        row = at_desk.find_game(TABLE)
        assert isinstance(row, GameRow)
        return GameSession(lobby.context, at_desk, row)


def deadline(lobby: Lobby) -> datetime:
    return next(iter(session(lobby).clock.due.values())).deadline


def test_a_pace_is_asked_for_agreed_to_and_told_with_the_old_one(lobby: Lobby) -> None:
    before = deadline(lobby)
    assert to_table(lobby, ANNA, "pace 2 days") == "applied"
    assert "Anna asks to change a term: 2 days for a turn" in told(lobby, BORIS)
    assert "agree%20terms" in str(lobby.mails[BORIS][-1]).replace("=\n", "").replace("+", "%20")
    assert to_table(lobby, BORIS, "agree terms") == "applied"
    assert "from now on: 2 days for a turn (until now: 3 days for a turn)" in told(lobby, ANNA)
    assert control_from_terms(session(lobby).table.terms).per_turn == timedelta(days=2)
    assert deadline(lobby) == before, "the turn that is being played keeps its time"
    for who in (ANNA, BORIS):
        assert to_table(lobby, who, "go") == "applied"
    now = lobby.context.now()
    assert now + timedelta(days=1, hours=20) < deadline(lobby) < now + timedelta(days=2, hours=1)


def test_rest_days_move_the_deadline_that_runs(lobby: Lobby) -> None:
    day = deadline(lobby).strftime("%a").lower()
    before = deadline(lobby)
    assert to_table(lobby, ANNA, f"rest {day}") == "applied"
    assert to_table(lobby, BORIS, "agree terms") == "applied"
    assert deadline(lobby) == before + timedelta(days=1)
    assert session(lobby).clock.control.resting == {before.weekday()}


def test_somebody_objects_and_everything_stays(lobby: Lobby) -> None:
    to_table(lobby, ANNA, "silence forfeit")
    assert to_table(lobby, BORIS, "object terms") == "applied"
    assert session(lobby).table.votes == {}
    assert say_term(session(lobby).table.terms, "silence") == "wait"


@pytest.mark.parametrize("words", ["pace 3d", "pace 90d", "rest mon tue wed thu fri sat", "grace 0d 99d"])
def test_what_cannot_be_is_refused(lobby: Lobby, words: str) -> None:
    assert to_table(lobby, ANNA, words) != "applied"
    assert session(lobby).table.votes == {}


def test_one_change_is_asked_for_at_a_time(lobby: Lobby) -> None:
    to_table(lobby, ANNA, "pace 2d")
    assert to_table(lobby, BORIS, "pace 1d") == "refused"
    assert "agree terms" in told(lobby, BORIS)
    assert to_table(lobby, BORIS, "pace 2d") == "applied", "to ask for the same is to agree"
    assert say_term(session(lobby).table.terms, "pace") == "2d"


def test_the_referee_changes_terms_with_a_reason(lobby: Lobby) -> None:
    changes = ["pace 1d", "grace 6h", "reminders 8h 2h", "rest fri sat", "silence play"]
    done = referee_acts.change_terms(lobby.context, TABLE, changes, "the fair is near")
    assert done is not None
    assert len(done.drafts) == len(changes)
    lobby.carry()
    assert "the fair is near" in told(lobby, ANNA)
    assert "these days do not count: Friday and Saturday" in told(lobby, BORIS)
    terms = session(lobby).table.terms
    assert [f"{name} {say_term(terms, name)}" for name in NAMES if name != "holidays"] == changes
    wrong = referee_acts.change_terms(lobby.context, TABLE, ["pace 2d", "silence shout"], "by mistake")
    assert wrong is not None
    assert wrong.drafts == ()
    assert say_term(session(lobby).table.terms, "pace") == "1d"


def test_both_verifiers_know_of_a_change(lobby: Lobby) -> None:
    referee_acts.change_terms(lobby.context, TABLE, ["pace 1d"], "the fair is near")
    with lobby.context.store.reading() as at_desk:
        row, events = at_desk.find_game(TABLE), tuple(read_events(at_desk, TABLE))
    assert row is not None
    text = record_text(lobby.context, row, events)
    assert [each.is_good for each in verify_text(text)] == [True]
    assert "note.changed" in {event.kind for event in check(text)[0]}


@pytest.mark.parametrize(
    "words",
    [
        "pace 2d",
        "tempo 2 dagen",
        "tempo 2 dni",
        "темп 2 дня",
        "קצב 2 ימים",
    ],
)
def test_a_pace_is_asked_for_in_every_language(words: str) -> None:
    assert parse_commands(words, game=None).commands == (Ask("pace 2d"),)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("rest saturday and sunday", "rest sat sun"),
        ("rust vrijdag, zaterdag", "rest fri sat"),
        ("rest fri and sat", "rest fri sat"),
        ("wolne piątek i sobota", "rest fri sat"),
        ("отдых сб вс", "rest sat sun"),
        ("מנוחה שישי שבת", "rest fri sat"),
        ("rest none", "rest none"),
        ("grace 6 hours", "grace 6h"),
        ("reminders 1d and 6h", "reminders 1d 6h"),
        ("silence play", "silence play"),
        ("milczenie gramy", "silence play"),
        ("молчание ждать", "silence wait"),
    ],
)
def test_other_terms_are_asked_for_in_words(words: str, meant: str) -> None:
    assert parse_commands(words, game=None).commands == (Ask(meant),)
    assert parse_commands(meant, game=None).commands == (Ask(meant),)


@pytest.mark.parametrize("language", LANGUAGE_CODES)
def test_it_is_answered_in_every_language(language: str) -> None:
    command = find_sentences(find_locale(language), "shy-well").command
    agreed, objected = (parse_commands(command(f"{verb} terms"), game=None).commands for verb in ("agree", "object"))
    assert (*agreed, *objected) == (Agree("terms"), Object("terms"))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_said_of_a_term_is_understood_as_the_same(name: str) -> None:
    for terms in ({}, {"rest": ["fri"], "reminders": []}, {"weekends": "rest", "silence": "play"}, HOLIDAYS):
        said = say_term(terms, name)
        again = with_term(terms, name, said)
        assert again is not None
        assert say_term(again, name) == said
