"""Public holidays as a term of a table: asked for by country, kept as days, so that no library judges a record."""

import subprocess
import sys
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from pbem.clock.time_control import control_from_terms
from pbem.events.kinds import GameOpened, author_of
from pbem.mail.commands.consent import Ask
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.post_commands.reader import post_reader
from pbem.mail.post_commands.tables import OpenTable
from pbem.store.rows import GameRow
from pbem.tables.holidays import read_holidays, settle_holidays
from pbem.tables.terms import say_term, with_term
from pbem.verify.check_record import verify_text
from pbem.workflow import referee_acts
from pbem.workflow.history import read_events
from pbem.workflow.record_proof import record_text
from pbem.workflow.session import GameSession
from tests.post.people.desks import Lobby, open_lobby
from tests.second_verifier.second_verifier import check

ANNA, BORIS = "anna@people.test", "boris@people.test"
TABLE = "sirocco-1"


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    with open_lobby(tmp_path / "post") as found:
        for who in (ANNA, BORIS):
            found.come_in(who, f"yes, I am {who.partition('@')[0].title()}")
        yield found


def begin(lobby: Lobby, words: str) -> None:
    lobby.answer(ANNA, f"open shy-well seats 2 pace 3d {words}")
    lobby.answer(BORIS, f"join {TABLE}")
    lobby.wait(minutes=5)


def session(lobby: Lobby) -> GameSession:
    with lobby.context.store.transaction() as at_desk:
        row = at_desk.find_game(TABLE)
        assert isinstance(row, GameRow)
        return GameSession(lobby.context, at_desk, row)


def deadline(lobby: Lobby) -> datetime:
    return next(iter(session(lobby).clock.due.values())).deadline


def said(lobby: Lobby, address: str) -> str:
    return " ".join(lobby.last(address).replace("\r\n| ", " ").split())


def to_table(lobby: Lobby, who: str, words: str) -> str:
    last = next(mail for mail in reversed(lobby.mails[who]) if f"+{TABLE}." in str(mail["Reply-To"]))
    return lobby.write(who, words, to=str(last["Reply-To"]), subject=f"Re: {last['Subject']}").fate


def test_a_table_is_opened_with_the_holidays_of_a_country_and_says_them_in_full(lobby: Lobby) -> None:
    lobby.answer(ANNA, "open shy-well seats 2 pace 3d holidays NL")
    today = lobby.context.now().date()
    wanted = settle_holidays("holidays NL", today)
    assert wanted != "holidays NL"
    assert "Holidays do not count (Netherlands): " in said(lobby, ANNA)
    assert "25 Dec" in said(lobby, ANNA)
    lobby.answer(BORIS, f"join {TABLE}")
    opened = session(lobby).events[0].payload
    assert isinstance(opened, GameOpened)
    assert opened.terms["holidays_of"] == ["NL"]
    days = opened.terms["holidays"]
    assert isinstance(days, list)
    assert {f"{today.year + 1}-12-25", f"{today.year + 1}-12-26"} <= {*days}
    assert all(date.fromisoformat(day) >= today for day in days)


def test_a_deadline_goes_by_the_days_of_the_chain_and_not_by_the_library(
    lobby: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(lobby, "")
    before, told = deadline(lobby), deadline(lobby).date()
    done = referee_acts.change_terms(lobby.context, TABLE, [f"holidays NL {told}"], "the market")
    assert done is not None
    assert len(done.drafts) == 1
    assert deadline(lobby) == before + timedelta(days=1), "a day that no library knows as a holiday of the Netherlands"
    monkeypatch.setitem(sys.modules, "holidays", None)
    with lobby.context.store.reading() as at_desk:
        row, events = at_desk.find_game(TABLE), tuple(read_events(at_desk, TABLE))
    assert row is not None
    text = record_text(lobby.context, row, events)
    assert [each.is_good for each in verify_text(text)] == [True]
    check(text)


def test_the_others_agree_to_the_very_days(lobby: Lobby) -> None:
    begin(lobby, "")
    assert to_table(lobby, ANNA, "holidays IL and NL") == "applied"
    assert "holidays do not count (Israel and Netherlands): " in said(lobby, BORIS)
    (asked,) = session(lobby).table.votes
    assert to_table(lobby, BORIS, "holidays IL, NL") == "applied", "to ask for the same is to agree"
    table = session(lobby).table
    assert asked == f"holidays {say_term(table.terms, 'holidays')}"
    assert control_from_terms(table.terms).holidays_of == ("IL", "NL")
    assert to_table(lobby, ANNA, "public holidays none") == "applied"
    assert to_table(lobby, BORIS, "agree terms") == "applied"
    assert control_from_terms(session(lobby).table.terms).holidays == frozenset()


def test_a_year_that_begins_adds_the_days_of_the_next_once(lobby: Lobby) -> None:
    begin(lobby, "holidays NL")
    year = lobby.context.now().year
    known = control_from_terms(session(lobby).table.terms).holidays
    assert max(known).year == year + 1
    lobby.wait(days=(date(year + 1, 1, 2) - lobby.context.now().date()).days)
    lobby.wait(hours=1)
    after = control_from_terms(session(lobby).table.terms).holidays
    assert known < after
    assert max(after).year == year + 2
    assert [author_of(event.payload) for event in session(lobby).events if event.kind == "note.changed"] == ["clock"]
    assert "holidays of the next year do not count either" in said(lobby, BORIS)


def test_a_country_that_nobody_knows_is_said(lobby: Lobby) -> None:
    lobby.answer(ANNA, "open shy-well seats 2 pace 3d holidays XX")
    assert "holidays XX" in said(lobby, ANNA)
    begin(lobby, "")
    assert to_table(lobby, ANNA, "holidays XX") == "refused"
    assert "we know no holidays of XX" in said(lobby, ANNA).replace("We", "we")


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("holidays NL", "holidays NL"),
        ("public holidays of de-by and at", "holidays DE-BY AT"),
        ("feestdagen NL en BE", "holidays NL BE"),
        ("święta PL", "holidays PL"),
        ("праздники RU, IL", "holidays RU IL"),
        ("חגים IL", "holidays IL"),
        ("public holidays none", "holidays none"),
        ("geen feestdagen", "holidays none"),
        ("bez świąt", "holidays none"),
        ("без праздников", "holidays none"),
        ("בלי חגים", "holidays none"),
    ],
)
def test_holidays_are_asked_for_in_words(words: str, meant: str) -> None:
    (command,) = parse_commands(words, game=None).commands
    assert command == Ask(meant)
    assert parse_commands(command.format(), game=None).commands == (Ask(meant),)


def test_days_away_are_still_taken_back_with_none() -> None:
    (command,) = parse_commands("holidays none", game=None).commands
    assert command.format() == "vacation none"


@pytest.mark.parametrize("words", ["open nomadi for the holidays in june", "open nomadi, the holidays are long"])
def test_small_words_behind_holidays_are_no_countries(words: str) -> None:
    command = post_reader().parse(words)
    assert isinstance(command, OpenTable)
    assert command.terms == ()


@pytest.mark.parametrize("value", ["NL", "NL 2026-13-01", "2026-12-25", "NL 2026-12-25 IL", "nl 2026-12-25", ""])
def test_a_value_without_countries_and_days_is_none(value: str) -> None:
    assert read_holidays(value) is None
    assert with_term({}, "holidays", value) is None


def test_the_library_is_loaded_only_for_a_country() -> None:
    code = (
        "import sys; from datetime import date; import pbem.workflow.handle_letter, pbem.verify.check_record\n"
        "from pbem.tables.holidays import settle_holidays\n"
        "settle_holidays('pace 2d', date(2026, 11, 19)); assert 'holidays' not in sys.modules\n"
        "settle_holidays('holidays NL', date(2026, 11, 19)); assert 'holidays' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
