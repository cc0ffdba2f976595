"""Every registered game keeps the contract, ours and the guest that is installed for the tests."""

from pathlib import Path

import pytest

from engine import CHANCE, PUBLIC, registry
from pbem.contract import ContractCheck, list_checks
from pbem.contract.playouts import look_alike, play

RECORDS = Path(__file__).parents[2] / "records"


def kept_records(key: str) -> list[str]:
    """Records in which moves are made that are too rare for random play."""
    return [path.read_text("utf-8") for path in sorted((RECORDS / key).glob("*.turns"))]


CHECKS = [check for key in registry.game_keys() for check in list_checks(key, records=kept_records(key))]
GAMES = [game for key in registry.game_keys() for game in registry.list_editions(key)]


@pytest.mark.parametrize("check", CHECKS, ids=str)
def test_the_contract(check: ContractCheck) -> None:
    check()


def test_every_check_has_a_name_and_a_sentence_and_no_two_are_called_the_same() -> None:
    assert len({str(check) for check in CHECKS}) == len(CHECKS)
    assert all(check.name and check.about.endswith(".") for check in CHECKS)


def test_among_the_games_there_are_chance_secrets_and_seats_due_at_once() -> None:
    every = [(game, position) for game in GAMES for position in play(game, min(game.players), 0).positions]
    assert any(game.to_act(position) == (CHANCE,) for game, position in every)
    assert any(len(game.to_act(position)) > 1 for game, position in every)
    assert any(game.view(position, PUBLIC) != game.view(position, game.seats[0]) for game, position in every)
    assert any(look_alike(game, min(game.players), PUBLIC) for game in GAMES)
