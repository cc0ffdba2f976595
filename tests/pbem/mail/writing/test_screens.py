"""Mails of all games as a telephone shows them, from the middle of real games: how high, how heavy, where to tap."""

import pytest

from pbem.locale.languages import LANGUAGE_CODES
from tests.browser.chromium import look
from tests.browser.sample_mails import GAMES, Scene, scenes, show
from tests.browser.screens import HIGHEST, LARGEST_MAIL, MODES, PHONE, measure

KINDS = {
    *("invitation", "first turn", "turn", "receipt", "pencilled", "question", "refusal", "rules", "rule"),
    *("proof", "fewer mails", "reminder", "digest", "vote", "game over"),
}
LONGEST_RULES = 2900
"""How high a page of rules may be in languages with long words."""


def find(game: str, kind: str) -> Scene:
    return next(scene for scene in scenes(game) if scene.kind == kind)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("game", GAMES)
def test_a_telephone_shows_mails_as_they_should_be(game: str, mode: str) -> None:
    language, dark = MODES[mode]
    measured = measure(game, language, dark=dark)
    assert {each.kind for each in measured} >= KINDS
    assert {each.kind: faults for each in measured if (faults := [*each.faults(PHONE)])} == {}


def test_the_page_of_rules_is_one_page_in_every_language() -> None:
    pages = {
        f"{game} {code}": show(find(game, "rules").write(code))
        for game in GAMES
        for code in LANGUAGE_CODES
        if code != "he"
    }
    seen = look(pages, width=PHONE)
    limits = {name: HIGHEST["rules"] if name.endswith(" en") else LONGEST_RULES for name in pages}
    assert {name: page.height for name, page in seen.items() if page.height > limits[name]} == {}


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_rules_has_one_picture_that_says_what_it_shows(game: str) -> None:
    scene = find(game, "rules")
    mail = scene.write("en")
    assert len(mail.raw) < LARGEST_MAIL
    page = show(mail)
    assert page.count("<img ") == 1
    assert page.count(" is not: ") + page.count(" cannot move: ") == 2  # below the picture, and in its place


@pytest.mark.parametrize("game", GAMES)
def test_a_turn_mail_without_pictures_says_whose_turn_it_is_and_what_is_open(game: str) -> None:
    page = show(find(game, "turn").write("en"))
    alt = page.partition('alt="')[2].partition('"')[0]
    assert "It is your turn" in alt
    assert ("Open: " in alt) == (game in ("through-the-desert", "nomadi"))  # in the others the dice come first
