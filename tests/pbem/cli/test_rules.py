"""`pbem games`, `pbem rules` and `pbem rule`: what can be played, and by which rules."""

import json
from collections.abc import Callable
from importlib import metadata
from typing import Any

import pytest

from engine import registry
from engine.through_the_desert import GAME
from notation import RULES as NOTATION
from pbem.judging.record_rules import RULES as RECORD
from tests.known_games import known_game

Pbem = Callable[..., Any]


def test_games_are_listed_with_players_editions_seats_and_options(pbem: Pbem) -> None:
    answer = pbem("games")
    assert answer.exit_code == 0
    assert "through-the-desert  Through the Desert, 2 to 5 players, rules edition 1\n" in answer.stdout
    assert "    seats  blue, yellow, red, green, black\n" in answer.stdout
    assert (
        "    Cards  The six plain squares with a desert card: B9 E4 F6 G17 J12 N3.  [default: drawn]\n" in answer.stdout
    )
    told = json.loads(pbem("games", "--json").stdout)
    assert [game["key"] for game in told["results"]] == list(registry.game_keys())
    assert told["results"][0]["players"] == [2, 3, 4, 5]


def test_a_package_that_overwrites_ours_is_named(pbem: Pbem, monkeypatch: pytest.MonkeyPatch) -> None:
    owners = {"notation": ["caravan-post", "notation"], "engine": ["caravan-post"]}
    monkeypatch.setattr(metadata, "packages_distributions", lambda: owners)
    answer = pbem("games")
    assert answer.exit_code == 1
    assert answer.stderr.count("\n") == 1
    assert "called notation" in answer.stderr


def test_all_rules_of_a_game_are_listed(pbem: Pbem) -> None:
    answer = pbem("rules", "through-the-desert")
    assert answer.exit_code == 0
    assert all(f"{rule.code} {rule.name}" in answer.stdout for rule in GAME.rules)
    told = json.loads(pbem("rules", "Through-The-Desert", "--json").stdout)
    assert [rule["code"] for rule in told["rules"]] == [rule.code for rule in GAME.rules]


@pytest.mark.parametrize("rule", [*GAME.rules, *RECORD, *NOTATION], ids=str)
def test_every_rule_can_be_printed_by_its_code(pbem: Pbem, rule: Any) -> None:
    answer = pbem("rule", rule.code.lower())
    assert answer.exit_code == 0
    assert answer.stdout.startswith(f"{rule.code} {rule.name}\n")
    printed = " ".join(answer.stdout.split())
    assert " ".join(rule.text.split()) in printed
    assert "obeys it:" in printed
    assert ("breaks it:" in printed) == bool(rule.breaks)
    assert json.loads(pbem("rule", rule.code, "--json").stdout)["code"] == rule.code


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["rule", "TD-Z9"], "there is no rule TD-Z9"),
        (["rules", "chess"], "there is no game chess"),
        (["rules", "through-the-desert", "--edition", "9"], "no edition 9"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(pbem: Pbem, words: list[str], says: str) -> None:
    answer = pbem(*words)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert says in answer.stderr
    assert answer.stderr.count("\n") == 1


@pytest.mark.parametrize("key", ["through-the-desert", "nomadi", "brotherhood-base", "brotherhood"])
def test_the_rulings_of_a_game_are_listed_with_what_the_book_says_and_why(pbem: Pbem, key: str) -> None:
    printed = " ".join(pbem("rules", key, "--rulings").stdout.split())
    told = json.loads(pbem("rules", key, "--rulings", "--json").stdout)["rules"]
    ours = [rule for rule in known_game(key).rules if rule.ruling]
    assert [rule["code"] for rule in told] == [rule.code for rule in ours]
    for rule, data in zip(ours, told, strict=True):
        assert rule.ruling is not None
        assert f"{rule.code} {rule.name} (ruling)" in printed
        assert f"Our ruling: {rule.ruling.why}" in printed
        assert rule.ruling.book in printed
        assert (data["book"], data["why"]) == rule.ruling
    assert "TD-C3" not in printed


@pytest.mark.parametrize("key", ["through-the-desert", "nomadi", "brotherhood"])
def test_our_ruling_is_said_once_for_each_rule(pbem: Pbem, key: str) -> None:
    for rule in known_game(key).rules:
        assert pbem("rule", rule.code).stdout.lower().count("our ruling") == bool(rule.ruling), rule.code


@pytest.mark.parametrize(
    ("game", "word", "code"),
    [
        ("through-the-desert", "oasis", "TD-O1"),
        ("through-the-desert", "td-c3", "TD-C3"),
        ("brotherhood", "Мормонт", "BW-J1"),
        ("shy-well", "water", "SW-3"),
    ],
)
def test_a_rule_of_a_game_is_found_by_a_word(pbem: Pbem, game: str, word: str, code: str) -> None:
    assert pbem("rule", word, "--game", game).stdout.startswith(code)
    assert json.loads(pbem("rule", word, "--game", game, "--json").stdout)["code"] == code


def test_a_word_that_finds_no_rule_is_said_with_words_that_are_near(pbem: Pbem) -> None:
    told = pbem("rule", "oasys", "--game", "through-the-desert")
    assert told.exit_code == 2
    assert "near words: oasis" in told.stderr
