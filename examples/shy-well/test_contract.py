"""Run this with pytest where the game is installed."""

import pytest

from pbem.contract import ContractCheck, list_checks


@pytest.mark.parametrize("check", list_checks("shy-well"), ids=str)
def test_the_contract(check: ContractCheck) -> None:
    """The game keeps the contract of games."""
    check()
