"""A date is one day or none."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.commands.vacation import parse_date

MONTHS = {
    "en": "January February March April May June July August September October November December",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "he": "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר",
}

DAYS = st.dates(date(1000, 1, 1), date(9998, 12, 31))


@given(DAYS)
def test_every_day_is_read_in_its_unambiguous_forms(day: date) -> None:
    assert parse_date(day.isoformat()) == day
    assert parse_date(f"{day.day}.{day.month}.{day.year}") == day
    assert parse_date(f"{day.day:02}. {day.month:02}. {day.year}") == day


@pytest.mark.parametrize("language", MONTHS)
def test_the_months_have_names_in_every_language(language: str) -> None:
    for number, name in enumerate(MONTHS[language].split(), start=1):
        day = date(2026, number, 20)
        assert parse_date(f"20 {name} 2026") == day
        assert parse_date(f"20. {name.upper()} 2026") == day
        assert parse_date(f"{name} 20, 2026") == day


def test_a_month_may_be_cut_short_and_a_hebrew_one_may_have_its_prefix() -> None:
    assert parse_date("20 Dec. 2026") == date(2026, 12, 20)
    assert parse_date("20 бדек 2026") is None
    assert parse_date("20 בדצמבר 2026") == date(2026, 12, 20)


@given(DAYS, st.sampled_from("/-"))
def test_a_day_and_a_month_that_could_be_exchanged_are_no_date(day: date, sign: str) -> None:
    read = parse_date(f"{day.day}{sign}{day.month}{sign}{day.year}")
    assert read == (day if day.day > 12 or day.day == day.month else None)


@pytest.mark.parametrize(
    "text",
    ["2026-02-30", "31.4.2026", "0.1.2026", "20.13.2026", "20.12.26", "20 Foo 2026", "Dec 2026", "1 May 1 2026", "x"],
)
def test_what_is_no_day_is_none(text: str) -> None:
    assert parse_date(text) is None


@given(st.text(alphabet="0123456789./- ,DecMayянв", max_size=20))
def test_no_text_is_too_odd(text: str) -> None:
    read = parse_date(text)
    assert read is None or read - timedelta(days=1) < read
