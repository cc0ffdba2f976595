"""The language of `pbem find`: what is understood, what is not and where, and which words are the same."""

import pytest

from pbem.catalogue.plain_words import fold, holds_phrase, plain_words
from pbem.catalogue.query import (
    AtDigest,
    AtMoment,
    Condition,
    Misread,
    Moves,
    OnView,
    Phrase,
    Term,
    looks_like_term,
    plain_date,
    read_term,
)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("player=Anna", Condition("player", "=", "anna")),
        ("Player!=Łucja Żak", Condition("player", "!=", "lucja zak")),
        ("player~nn", Condition("player", "~", "nn")),
        ("won=red", Condition("won", "=", "red")),
        ("seat.red=Anna", Condition("seat.red", "=", "anna")),
        ("game=Nomadi", Condition("game", "=", "nomadi")),
        ("turns>60", Condition("turns", ">", "60")),
        ("turns <= 60".replace(" ", ""), Condition("turns", "<=", "60")),
        ("date>=2026.5", Condition("date", ">=", "2026-05")),
        ("Event=Kraków = open", Condition("event", "=", "krakow = open")),
        ("Annotator=", Condition("annotator", "=", "")),
        ("words:Deep, ravine!", Phrase("deep ravine", begun=False)),
        ("words:rav*", Phrase("rav", begun=True)),
        ("moves:leader  lilac E4,leader Mint", Moves(("leader lilac e4", "leader mint"))),
        ("at:0f3A9b17", AtDigest("0f3a9b17")),
        ("at:games/a.turns@12", AtMoment("games/a.turns", 12)),
        ("at:a.turns", AtMoment("a.turns", None)),
        ("camels.red.lilac has F4", OnView(("camels", "red", "lilac"), "has", "f4")),
        ("coins.*  is 3", OnView(("coins", "*"), "is", "3")),
    ],
)
def test_a_condition_is_a_field_a_sign_and_a_value_or_a_pattern(text: str, term: Term) -> None:
    assert looks_like_term(text)
    assert read_term(text) == term


@pytest.mark.parametrize(
    ("text", "marked", "says"),
    [
        ("turns>>60", ">60", "number"),
        ("turns=many", "many", "number"),
        ("turns~6", "~", "turns takes = != < <= > >="),
        ("player>Anna", ">", "player takes = != ~"),
        ("player:Anna", ":", "player takes = != ~"),
        ("words=ravine", "=", "words takes :"),
        ("words:…", "…", "word"),
        ("moves:", "", "something"),
        ("moves:leader lilac,,x", "leader lilac,,x", "commas"),
        ("date=spring", "spring", "2026-05"),
        ("=Anna", "=Anna", "player=Anna"),
        ("the camels has", " has", "player=Anna"),
    ],
)
def test_what_cannot_be_read_is_marked_and_told(text: str, marked: str, says: str) -> None:
    found = read_term(text)
    assert isinstance(found, Misread)
    assert found.text[found.at :][: found.length] == marked
    assert says in found.says
    assert found.length >= 1


def test_names_of_files_are_no_conditions() -> None:
    for name in ("games/", "a.turns", "-", "club 2026.turns", "games/2026-05.turns.gz"):
        assert not looks_like_term(name), name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ŻÓŁW źdźbło", "zolw zdzblo"),  # Polish
        ("ещё ЁЛКА", "еще елка"),  # Russian
        ("שָׁלוֹם", "שלום"),  # Hebrew points
        ('צה״ל צה"ל', "צהל צהל"),  # Hebrew abbreviations
        ("één ĳs", "een ijs"),  # Dutch
        ("Straße", "STRASSE"),
        ("Cafe\u0301", "café"),
        ("Anna\u2019s", "Anna's"),
    ],
)
def test_words_are_the_same_without_accents_points_and_capitals(one: str, other: str) -> None:
    assert plain_words(one) == plain_words(other) != ""


@pytest.mark.parametrize(("one", "other"), [("мой", "мои"), ("שלום", "שלומ"), ("lis", "list")])
def test_other_words_stay_others(one: str, other: str) -> None:
    assert plain_words(one) != plain_words(other)


def test_folding_twice_changes_nothing() -> None:
    for text in ("ŻÓŁW ещё й Ў שָׁלוֹם één İstanbul ﬁn", "\u0307a", "ǅ"):
        assert fold(fold(text)) == fold(text)


def test_a_phrase_is_whole_words_that_follow_each_other() -> None:
    words = plain_words("In the deep ravine, nobody")
    assert holds_phrase(words, "deep ravine")
    assert holds_phrase(words, "deep rav", begun=True)
    assert not holds_phrase(words, "deep rav")
    assert not holds_phrase(words, "the ravine")


@pytest.mark.parametrize(
    ("text", "date"),
    [("2026.5.1", "2026-05-01"), ("2026-05-01T12:00", "2026-05-01"), ("2026", "2026"), ("Spring", "spring"), ("", "")],
)
def test_dates_are_compared_in_one_form(text: str, date: str) -> None:
    assert plain_date(text) == date
