"""The page about a case in the language of whoever reads it: at a shell, and by mail with the reader's clock."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.through_the_desert import GAME as DESERT
from pbem.disputes import case_words
from pbem.locale.catalogues import find_locale
from pbem.locale.languages import LANGUAGE_CODES
from tests.english_left import english_left
from tests.post.court.courts import Court, convene
from tests.post.court.test_touched import swap_bytes
from tests.post.post_games import TABLE

OTHERS = sorted({*LANGUAGE_CODES} - {"en"})
BEYOND = ("Anna", "Boris", "players", "test", "through-the-desert", "edition", "SHA", "img", "alt")
"""Names, and what stands in the record or in the letters, which are evidence and stay as they are."""
EVIDENCE = re.compile(
    r"<pre>.*?</pre>|<code>[^<]*</code>|<style>.*?</style>|<cite.*?</cite>|[a-z2-7]{6}\u2069?(?=</dd>)|src=\"[^\"]*\"|<(?!img)[^>]*>",
    re.DOTALL,
)


@pytest.fixture(scope="module")
def court(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Court]:
    """A case about a legal move, and an illegal one that was refused."""
    with (
        pytest.MonkeyPatch.context() as patch,
        convene(tmp_path_factory.mktemp("court"), patch, DESERT, 2) as found,
    ):
        found.play(12)
        seat, turn = found.town.table.due[0], found.town.table.turn
        assert found.town.write(seat, "lilac A1, lilac A1").fate == "refused"
        found.play(1)
        found.pbem("case", "open", TABLE, "--turn", str(turn), "--reason", "haikara")
        yield found


def show(court: Court, code: str, form: str) -> str:
    path = court.folder / f"page.{code}{form}"
    court.pbem("case", "show", TABLE, "1", "--language", code, "-o", path)
    return path.read_text("utf-8")


def read(page: str) -> str:
    """What somebody reads who looks at a page in a browser, without the evidence."""
    return EVIDENCE.sub(" ", page)


@pytest.mark.parametrize("code", OTHERS)
def test_no_english_word_is_left_on_the_page(court: Court, code: str) -> None:
    english, told = read(show(court, "en", ".html")), read(show(court, code, ".html"))
    assert english_left(english, told, code, said=["haikara", *BEYOND]) == set(), told


@pytest.mark.parametrize("code", OTHERS)
def test_the_text_says_the_same(court: Court, code: str) -> None:
    page, text = (re.sub("[\u2066-\u2069\u200e\u200f]", "", show(court, code, form)) for form in (".html", ".txt"))
    lines = re.sub(r"\s+", " ", text)
    told = [" ".join(each.split()) for each in re.findall(r"<(?:dt|dd|h2|p)[^<>]*>([^<>&]{8,})</", page)]
    assert len(told) > 15
    assert [each for each in told if each not in lines] == []


def test_hebrew_runs_from_right_to_left_and_evidence_does_not(court: Court) -> None:
    page = show(court, "he", ".html")
    assert '<html lang="he" dir="rtl">' in page
    assert "pre, code { direction: ltr; }" in page


def test_the_board_speaks_the_language_too(court: Court) -> None:
    assert "placed in the last turn" in show(court, "en", ".txt")
    assert "placed in the last turn" not in show(court, "pl", ".txt")


def test_what_programs_read_is_the_same_in_every_language(court: Court) -> None:
    told = [court.pbem("case", "show", TABLE, "1", "--json", "--language", code) for code in ("en", "ru")]
    assert all('"verdict": "in time"' in each and '"promptness": "before the deadline"' in each for each in told)


def test_a_language_that_we_do_not_have_is_refused(court: Court) -> None:
    assert "xx" in court.pbem("case", "show", TABLE, "1", "--language", "xx", fails=2)


def test_a_letter_that_was_touched_is_doubted_in_polish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with convene(tmp_path, monkeypatch, DESERT, 2) as court:
        court.play(12)
        court.pbem("case", "open", TABLE, "--turn", str(court.town.table.turn - 1), "--reason", "haikara")
        letter = swap_bytes(court)
        page = show(court, "pl", ".txt")
    assert f"To NIE ten e-mail, który przyszedł: jego skrót był wtedy {letter['digest']}" in page
    assert "WĄTPLIWE" in page


@pytest.mark.parametrize("code", OTHERS)
def test_every_fact_has_words_in_every_language(code: str) -> None:
    known = [
        each for each in vars(case_words).values() if isinstance(each, str) and " " in each and each[0] not in "\n"
    ]
    known += [*case_words.TICKETS.values(), *case_words.REASONS.values(), *case_words.HEADS]
    sentences = [each for each in known if " " in each and each != case_words.__doc__]
    assert len(sentences) > 35
    assert [each for each in sentences if find_locale(code).translations.gettext(each) == each] == []
