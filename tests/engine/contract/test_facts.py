"""What a game says about itself, and who may sit down to it."""

import re
from collections import defaultdict
from typing import Any

import pytest

from engine import CHANCE, PUBLIC, Game, KeyedDealer, Setup, Verdict, registry
from tests.engine.contract_journeys import GAMES, KEYS, every_game, every_table, lay_out


@every_game
def test_a_game_states_its_facts(game: Game[Any]) -> None:
    assert registry.find_game(game.key, game.edition) is game
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", game.key)
    assert game.title
    assert game.edition
    assert len(set(game.seats)) == len(game.seats)
    assert not {CHANCE, PUBLIC, ""} & {*game.seats}
    assert 1 <= min(game.players) <= max(game.players) <= len(game.seats)
    assert len({option.name for option in game.options}) == len(game.options)


@pytest.mark.parametrize("key", KEYS)
def test_editions_have_names_of_their_own(key: str) -> None:
    names = [game.edition for game in registry.list_editions(key)]
    assert names
    assert len(set(names)) == len(names)
    assert {game.key for game in registry.list_editions(key)} == {key}


@every_game
def test_every_rule_can_be_printed_and_looked_up(game: Game[Any]) -> None:
    for rule in game.rules:
        assert re.fullmatch(r"[A-Z]{2,3}-[A-Z]?[0-9]+", rule.code), rule.code
        assert all([rule.name, rule.text, rule.source, rule.obeys]), rule.code
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name), rule.name


def test_no_code_means_two_rules() -> None:
    codes = defaultdict(set)
    for game in GAMES:
        for rule in game.rules:
            codes[rule.code].add(rule)
    assert not {code: meanings for code, meanings in codes.items() if len(meanings) > 1}


# Set-up


@every_table
def test_laying_out_completes_a_set_up_and_changes_nothing_the_second_time(game: Game[Any], players: int) -> None:
    setup = lay_out(game, players)
    named = {name for name, _ in setup.options}
    assert setup.seats == game.seats[:players]
    assert {option.name for option in game.options if option.drawn} <= named <= {o.name for o in game.options}
    assert game.lay_out(setup, KeyedDealer(b"other")) == setup
    assert lay_out(game, players) == setup, "the same dealer lays out the same"


@every_table
def test_any_order_of_the_seats_can_sit_down(game: Game[Any], players: int) -> None:
    setup = game.lay_out(Setup(game.seats[:players][::-1]), KeyedDealer(b"order"))
    position = game.start(setup)
    assert not isinstance(position, Verdict)
    assert tuple(game.view(position, PUBLIC)["seats"]) == setup.seats


@every_game
def test_a_table_that_cannot_be_is_refused_under_a_rule(game: Game[Any]) -> None:
    first, most = game.seats[0], max(game.players)
    for seats in [(), (first, first), ("nobody", first), (*game.seats, *game.seats)[: most + 1]]:
        setup = game.lay_out(Setup(seats), KeyedDealer(b"wrong"))
        refusal = game.start(setup)
        assert isinstance(refusal, Verdict), f"{seats} may sit down"
        assert refusal.rule in game.rules
        assert refusal.detail
