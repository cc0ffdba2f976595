"""Refusals as their readers are told: a few words for what is wrong, said to the player who moved, in all languages."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import pbem
from engine.game import CHANCE
from engine.registry import IN_HOUSE
from engine.verdict import Verdict
from pbem.judging.record_replay import replay_record
from pbem.judging.submission import preview_at
from pbem.locale.catalogues import find_locale
from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.writing.extractor import extract_sentences
from pbem.mail.writing.sentences import find_sentences
from tests.engine.recorded import Shelf
from tests.known_games import known_game

LONGEST = 60
"""Characters of an English headline; other languages may need a few more."""
LONGER = 76
NAMES = ("Anna", "Boris", "Chloe", "Dov", "Eva")
BANNED = re.compile(r"\b(the post|seats?|he|his|him|she|her|whoever|this table|legal)\b|\b[A-Z]{2}-[A-Z]\d", re.I)


def refused_plies(key: str) -> Iterator[tuple[str, Verdict, str]]:
    """Every refused record in which a player's move breaks a rule: its name, the verdict, and the player."""
    shelf = Shelf(known_game(key), "refused")
    for name in shelf.names:
        refusal = replay_record(shelf.read(name)).refusal
        assert refusal is not None
        of_game = refusal.verdict.rule in known_game(key).rules
        if of_game and refusal.move is not None and refusal.seat in known_game(key).seats:
            yield name, refusal.verdict, str(refusal.seat)


def name_players(key: str, reader: str) -> dict[str, str]:
    """What the players of a game are called."""
    return dict(zip(known_game(key).seats, NAMES, strict=False))


@pytest.mark.parametrize("language", LANGUAGE_CODES)
@pytest.mark.parametrize("key", IN_HOUSE)
def test_every_refusal_of_a_game_says_in_a_few_words_what_is_wrong(key: str, language: str) -> None:
    sentences, plies = find_sentences(find_locale(language), key), [*refused_plies(key)]
    assert len(plies) > 20
    for name, verdict, reader in plies:
        names = name_players(key, reader)
        point, rest = sentences.refuse(verdict.says, verdict.facts, reader, names)
        headline = sentences.say("head_not_played", point)
        assert len(headline) <= (LONGEST if language == "en" else LONGER), (name, headline)
        assert verdict.rule.code not in headline + rest, name
        assert "{" not in headline + rest, name
        if language != "en":
            continue
        assert BANNED.search(f"{headline}; {rest}") is None, (name, headline, rest)
        colours = {seat for seat in names if re.search(rf"\b{seat}\b", headline + rest)}
        camels = {str(verdict.facts.get(fact)) for fact in ("colour", "other", "example")}
        assert colours <= camels, f"{name}: players have names: {headline}"
        assert names[reader] not in headline, f"{name}: the reader is you: {headline}"


def test_the_pieces_of_the_reader_are_called_yours() -> None:
    sentences = find_sentences(find_locale("en"), "through-the-desert")
    facts = {"owner": "red", "other": "mint", "space": "T6"}
    told = "{owner}'s {other} camel stands at {space}"
    names = {"red": "Anna", "blue": "Boris"}
    assert sentences.refuse(told, facts, "red", names) == ("T6 is taken", "your mint camel stands there")
    assert sentences.refuse(told, facts, "blue", names) == ("T6 is taken", "Anna's mint camel stands there")


@pytest.mark.parametrize("key", IN_HOUSE)
def test_refusals_are_those_of_the_rules_and_have_the_same_parts_in_every_language(key: str, root: Path) -> None:
    english: Any = find_sentences(find_locale("en"), key)
    folder = root / "engine" / key.removesuffix("-base").replace("-", "_")
    files = [*folder.rglob("*.py"), root / "engine/verdict.py", root / "pbem/judging/submission.py"]
    said = {text for file in files for _, _, text, _ in extract_sentences(file.open("rb"), None, None, None)}
    told = english.refusals
    assert {*told.refusals, *told.own} <= said
    for code in LANGUAGE_CODES:
        other: Any = find_sentences(find_locale(code), key)
        for says, words in told.refusals.items():
            assert str(other.refusals.refusals[says]).count("; ") == words.count("; ") < 2, (code, words)
        for says, (_, words) in told.own.items():
            assert str(other.refusals.own[says][1]).count("; ") == words.count("; ") < 2, (code, words)


def refused_by_us() -> Iterator[str]:
    """What mails refuse or ask by our own rules, as patterns."""
    for folder in ("tables", "mail/commands"):
        for file in sorted(Path(pbem.__file__).parent.joinpath(folder).glob("*.py")):
            if file.stem == "referee_decisions":  # only referees read these, at the command line
                continue
            for call in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("Refused", "Question"):
                    values = [each.value for each in call.args if isinstance(each, ast.Constant)]
                    yield from (value for value in values if isinstance(value, str))


def test_our_own_refusals_speak_to_the_reader_too() -> None:
    patterns = {*refused_by_us()}
    assert len(patterns) > 20
    for says in patterns:
        point = says.partition("; ")[0]
        assert len(point) <= LONGEST, says
        assert BANNED.search(re.sub(r"\{\w+\}", "", says)) is None, says
        assert "{seat}" not in says, says
        for code in LANGUAGE_CODES:
            translated = find_locale(code).translations.gettext(says)
            assert translated.count("; ") == says.count("; ") < 2, (code, says)


@pytest.fixture
def answered(played: Any, answer: Any, compose: Any, read: Any) -> Callable[..., str]:
    """The text of the answer to a letter after sixty turns."""

    def write(words: str, seat: str = "red", **changes: Any) -> str:
        game = played(60)
        text: str = read(compose(game.table, answer(game, seat, words), **changes))["text/plain"]
        return text

    return write


def test_a_refusal_begins_with_the_point_and_ends_with_the_rule(answered: Callable[..., str]) -> None:
    text = answered("lilac N5, mint A1")
    assert text.startswith("Not played: A1 is a mountain or out of play")
    parts = [
        "You wrote: lilac N5, mint A1",
        "Your mint camels can go to R2 R3 S4",
        "Nothing was played.",
        "Still your turn 61",
    ]
    places = [text.index(part) for part in [*parts, "(Rule TD-C1)"]]
    assert places == sorted(places)


def test_a_question_offers_its_answers(answered: Callable[..., str]) -> None:
    text = answered("lilca N5, mint R2")
    assert text.startswith("Did you mean lilac N5, mint R2?")
    assert "This works: lilac N5, mint R2" not in text, "it is asked once"


def test_a_preview_out_of_turn_is_judged_as_the_next_turn(played: Any, answered: Callable[..., str]) -> None:
    table = played(60).table
    other = next(seat for seat in table.seats if seat not in table.due)
    place = next(iter(table.game.view(table.position, other)["camels"][other].items()))
    refused = preview_at(table.game, table.position, other, f"{place[0]} {place[1][0]}")
    assert refused.ahead
    assert refused.verdict is not None
    assert refused.verdict.rule.code == "TD-C1", "the space is taken, whoever's turn it is"
    text = answered(f"preview {place[0]} {place[1][0]}", other)
    assert text.startswith("A preview of your next turn")


@pytest.mark.parametrize("key", IN_HOUSE)
def test_a_next_turn_is_one_that_the_rules_can_judge(key: str) -> None:
    game = known_game(key)
    shelf = Shelf(game, "refused")
    for name in shelf.names[:30]:
        replayed = replay_record(shelf.read(name))
        if replayed.position is None or not replayed.due or replayed.due == (CHANCE,):
            continue
        legal = next(iter(game.legal(replayed.position)))
        for seat in replayed.record.setup.seats:
            ply = legal._replace(seat=seat)
            ahead = game.next_turn(replayed.position, ply)
            if ahead is not None:
                game.judge(ahead, ply)
                game.view(ahead, seat)
