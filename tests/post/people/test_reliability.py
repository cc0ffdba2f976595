"""How reliably people answer: counted as it happens, told where it matters, asked for by tables, and excused."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.locale.catalogues import find_locale
from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.commands.consent import Agree, Ask, Object
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.post_commands.tables import read_table
from pbem.mail.writing.sentences import find_sentences
from pbem.service.person_acts import find_known, merge_people
from pbem.store.rows import AnswerCountRow
from pbem.tables.reliability import Counts
from pbem.verify.check_record import verify_text
from pbem.workflow import referee_acts
from pbem.workflow.history import read_events
from pbem.workflow.people import find_answers
from pbem.workflow.record_proof import record_text
from tests.post.people.desks import Lobby, open_lobby
from tests.second_verifier.second_counts import count
from tests.second_verifier.second_verifier import check

ANNA, BORIS, DOV = "anna@people.test", "boris@people.test", "dov@people.test"
TABLE = "sirocco-1"


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    """Two people play at a table where we play for those who are silent; a third looks on."""
    with open_lobby(tmp_path / "post") as found:
        settings = found.context.settings
        found.context = replace(found.context, settings=replace(settings, time=replace(settings.time, silence="play")))
        for who in (ANNA, BORIS, DOV):
            found.come_in(who, f"yes, I am {who.partition('@')[0].title()}")
        found.answer(ANNA, "open shy-well seats 2 pace 1d")
        found.answer(BORIS, f"join {TABLE}")
        yield found


def person_at(lobby: Lobby, address: str) -> str:
    with lobby.context.store.reading() as at_desk:
        found = at_desk.person_at(address)
    assert found is not None
    return found.id


def answers(lobby: Lobby, address: str) -> Counts:
    person = person_at(lobby, address)
    with lobby.context.store.reading() as at_desk:
        return find_answers(at_desk, person)


def remember(lobby: Lobby, address: str, **counts: int) -> None:
    """Let a person have answered so at another table."""
    person = person_at(lobby, address)
    with lobby.context.store.transaction() as at_desk:
        at_desk.save_answer_count(AnswerCountRow(TABLE, f"earlier{address[0]}", person, **counts))


def to_table(lobby: Lobby, who: str, words: str) -> str:
    last = next(mail for mail in reversed(lobby.mails[who]) if f"+{TABLE}." in str(mail["Reply-To"]))
    return lobby.write(who, words, to=str(last["Reply-To"]), subject=f"Re: {last['Subject']}").fate


def keep_silent(lobby: Lobby) -> None:
    """Boris answers and Anna does not, until we play for her; the clocks are looked at every hour."""
    assert to_table(lobby, BORIS, "go") == "applied"
    for _ in range(90):
        if answers(lobby, ANNA).missed:
            return
        lobby.wait(hours=1)
    raise AssertionError("nobody played for her")


def told(lobby: Lobby, address: str) -> str:
    """The last mail to somebody, as if it had one long line."""
    return " ".join(lobby.last(address).replace("\r\n| ", " ").split())


def record(lobby: Lobby) -> str:
    with lobby.context.store.reading() as at_desk:
        row, events = at_desk.find_game(TABLE), read_events(at_desk, TABLE)
    assert row is not None
    return record_text(lobby.context, row, tuple(events))


def assert_believed(lobby: Lobby) -> None:
    assert [each.is_good for each in verify_text(record(lobby))] == [True]


def test_the_post_and_a_second_counter_over_the_record_agree(lobby: Lobby) -> None:
    keep_silent(lobby)
    assert (answers(lobby, ANNA), answers(lobby, BORIS)) == (Counts(missed=1), Counts(on_time=1))
    counted = count(check(record(lobby))[0])
    with lobby.context.store.reading() as at_desk:
        rows = at_desk.answer_counts_at(TABLE)
    assert {row.who: Counts(row.on_time, row.late, row.missed, row.excused, row.games_left) for row in rows} == {
        who: Counts(*counts.values()) for who, counts in counted.items()
    }
    assert_believed(lobby)


def test_a_missed_answer_is_excused_by_the_others(lobby: Lobby) -> None:
    assert to_table(lobby, ANNA, "excuse") == "refused"
    keep_silent(lobby)
    assert to_table(lobby, ANNA, "excuse") == "applied"
    assert "asks you not to count it" in told(lobby, BORIS)
    assert to_table(lobby, BORIS, "agree excuse") == "applied"
    assert "it does not count" in told(lobby, ANNA)
    assert answers(lobby, ANNA) == Counts(excused=1)
    assert to_table(lobby, ANNA, "excuse") == "refused"
    assert_believed(lobby)
    assert count(check(record(lobby))[0])


def test_a_missed_answer_is_excused_by_the_referee(lobby: Lobby) -> None:
    with lobby.context.store.reading() as at_desk:
        seat = next(each.seat for each in at_desk.find_seats(TABLE) if each.address == ANNA)
    early = referee_acts.excuse(lobby.context, TABLE, seat, None, "a storm")
    assert early is not None
    assert early.refused is not None
    keep_silent(lobby)
    wrong = referee_acts.excuse(lobby.context, TABLE, seat, 1, "a storm")
    assert wrong is not None
    assert wrong.refused is not None
    done = referee_acts.excuse(lobby.context, TABLE, seat, None, "a storm")
    assert done is not None
    assert done.drafts
    lobby.carry()
    assert "a storm" in told(lobby, BORIS)
    assert answers(lobby, ANNA) == Counts(excused=1)


def test_counts_are_shown_to_oneself_and_in_the_list_of_tables(lobby: Lobby) -> None:
    remember(lobby, ANNA, on_time=203, late=5, missed=2, excused=1, games_left=1)
    lobby.write(ANNA, "me")
    said = "208 answers, 203 on time, 5 late, 2 missed, 1 missed and excused, 1 game left early"
    assert said in told(lobby, ANNA)
    lobby.write(ANNA, "open nomadi seats 2")
    lobby.write(DOV, "tables")
    assert "(Anna: 203 of 210 answers on time, 1 game left early)" in told(lobby, DOV)
    lobby.write(ANNA, "invite dov")
    assert "Anna: 203 of 210 answers on time" in told(lobby, DOV)


def test_a_table_asks_for_answers_on_time_and_says_why_somebody_cannot_join(lobby: Lobby) -> None:
    remember(lobby, DOV, on_time=80, late=10, missed=10)
    lobby.write(ANNA, "open nomadi seats 2 reliability 90%")
    assert "90 of 100 answers must have come on time" in told(lobby, ANNA)
    lobby.write(DOV, "join mistral-2")
    assert "Mistral-2 asks for 90 of 100 answers on time" in told(lobby, DOV)
    assert "90 answers, 80 on time, 10 late, 10 missed" in told(lobby, DOV)
    remember(lobby, DOV, on_time=95, late=5)
    lobby.write(DOV, "join mistral-2")
    assert "asks for" not in told(lobby, DOV)


def test_newcomers_may_join_whatever_a_table_asks_for(lobby: Lobby) -> None:
    lobby.write(ANNA, "open nomadi seats 2 reliability 100%")
    lobby.write(DOV, "join mistral-2")
    assert "asks for" not in told(lobby, DOV)


def test_two_people_who_are_one_are_counted_together(lobby: Lobby) -> None:
    remember(lobby, DOV, on_time=30)
    remember(lobby, ANNA, on_time=5)
    with lobby.context.store.reading() as at_desk:
        one, into = find_known(at_desk, DOV), find_known(at_desk, ANNA)
    assert one is not None
    assert into is not None
    assert merge_people(lobby.context, one, into) == ""
    assert answers(lobby, ANNA).on_time == 35


def test_what_was_counted_before_is_counted_again_after_an_upgrade(lobby: Lobby) -> None:
    keep_silent(lobby)
    before = answers(lobby, BORIS)
    with lobby.context.store.transaction() as at_desk:
        at_desk._change("DELETE FROM answer_count")
        at_desk.look_soon(TABLE)
    lobby.wait(minutes=1)
    assert answers(lobby, BORIS) == before


@pytest.mark.parametrize("language", LANGUAGE_CODES)
def test_an_excuse_is_asked_for_in_every_language(language: str) -> None:
    command = find_sentences(find_locale(language), "shy-well").command
    asked = parse_commands(command("excuse"), game=None).commands
    agreed = parse_commands(command("agree excuse"), game=None).commands
    objected = parse_commands(command("object excuse"), game=None).commands
    assert (*asked, *agreed, *objected) == (Ask("excuse"), Agree("excuse"), Object("excuse"))


@pytest.mark.parametrize(
    "words",
    [
        "nomadi seats 4 pace 3d reliability 90%",
        "nomadi plaatsen 4 tempo 3 dagen betrouwbaarheid 90%",
        "nomadi miejsca 4 tempo 3 dni rzetelność 90%",
        "nomadi места 4 темп 3 дня надёжность 90%",
        "nomadi מקומות 4 קצב 3 ימים אמינות 90%",
    ],
)
def test_reliability_is_asked_for_in_every_language(words: str) -> None:
    wanted = read_table(words)
    assert (wanted.reliability, wanted.seats, wanted.unread) == (90, (4, 4), "")
    again = read_table(wanted.format().removeprefix("open "))
    assert again == wanted
