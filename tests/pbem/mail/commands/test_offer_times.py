"""Until when an offer is open, as people write it in five languages."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from engine.brotherhood.base_game import GAME
from engine.through_the_desert import GAME as DESERT
from pbem.mail.commands.offer_times import find_moment
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.submit_moves import Play

WEDNESDAY = datetime(2026, 11, 18, 12, 30, tzinfo=ZoneInfo("Europe/Warsaw"))
OFFER = "offer 1 ore for 1 brick to any"


@pytest.mark.parametrize(
    ("said", "moment"),
    [
        ("18:00", "11-18 18:00"),
        ("at 18.00", "11-18 18:00"),
        ("6pm", "11-18 18:00"),
        ("12am", "11-19 00:00"),
        ("11:00", "11-19 11:00"),
        ("6h", "11-18 18:30"),
        ("90 minutes", "11-18 14:00"),
        ("1d12h", "11-20 00:30"),
        ("2 days", "11-20 12:30"),
        ("today", "11-19 00:00"),
        ("tomorrow", "11-20 00:00"),
        ("tomorrow at 9:30", "11-19 09:30"),
        ("Fri 20:00", "11-20 20:00"),
        ("friday", "11-21 00:00"),
        ("wednesday", "11-19 00:00"),
        ("2026-11-20 10:00", "11-20 10:00"),
        ("20.11.2026", "11-21 00:00"),
        ("завтра", "11-20 00:00"),
        ("18 часов", "11-18 18:00"),
        ("пятницы в 20:00", "11-20 20:00"),
        ("2 дней", "11-20 12:30"),
        ("jutra", "11-20 00:00"),
        ("piątku o 20:00", "11-20 20:00"),
        ("6 godzin", "11-18 18:30"),
        ("morgen", "11-20 00:00"),
        ("vrijdag om 20:00", "11-20 20:00"),
        ("18 uur", "11-18 18:00"),
        ("6 uren", "11-18 18:30"),
        ("מחר", "11-20 00:00"),
        ("יום שישי בשעה 20:00", "11-20 20:00"),
        ("שבת ב-20:00", "11-21 20:00"),
        ("6 שעות", "11-18 18:30"),
    ],
)
def test_a_time_is_meant_by_the_clock_of_its_writer(said: str, moment: str) -> None:
    found = find_moment(said, WEDNESDAY)
    assert found is not None
    assert f"{found:%m-%d %H:%M}" == moment
    assert found.utcoffset() == WEDNESDAY.utcoffset()


@pytest.mark.parametrize("said", ["today 08:00", "wednesday 12:00", "25:00", "13pm", "2026-02-30", "0h", "2025-11-20"])
def test_what_is_past_or_does_not_exist_is_no_time(said: str) -> None:
    assert find_moment(said, WEDNESDAY) is None


@pytest.mark.parametrize(
    ("line", "until"),
    [
        (f"{OFFER} until tomorrow", "tomorrow"),
        ("offer 1 ore for 1 brick until 18:00", "18:00"),
        (f"{OFFER}, until Fri 20:00!", "Fri 20:00"),
        (f"{OFFER} (until 6h)", "6h"),
        (f"Hi all! {OFFER} until tomorrow at 9:00", "tomorrow at 9:00"),
        ("предложить 1 руда за 1 кирпич всем до завтра", "завтра"),
        ("zaoferuj 1 ruda za 1 cegła dla wszystkich do jutra", "jutra"),
        ("bied 1 erts voor 1 baksteen aan iedereen tot morgen", "morgen"),
        ("הצע 1 ברזל תמורת 1 לבנה לכולם עד מחר", "מחר"),
        (OFFER, ""),
    ],
)
def test_the_time_is_no_part_of_the_move(line: str, until: str) -> None:
    assert parse_commands(line, game=GAME).commands == (Play(OFFER, until=until),)


def test_moves_go_on_behind_the_time() -> None:
    (play,) = parse_commands(f"roll; {OFFER} until 6h; end", game=GAME).commands
    assert play == Play(f"roll, {OFFER}, end", until="6h")
    assert play.format() == f"roll, {OFFER}, end until 6h"


@pytest.mark.parametrize(
    "words",
    [
        f"{OFFER} until you decide",
        f"{OFFER} until 6h\n{OFFER} until 8h",
        "road 17-18 until 6h",
        f"plan {OFFER} until 6h",
    ],
)
def test_what_is_not_the_time_of_one_offer_stays_where_it_is(words: str) -> None:
    parsed = parse_commands(words, game=GAME)
    assert parsed.question is not None
    assert not any(play.until for play in parsed.plays)


def test_a_game_without_offers_knows_no_such_time() -> None:
    assert not parse_commands("lilac F4, salmon C9 until 18:00", game=DESERT).commands
