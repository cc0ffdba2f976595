"""The contract that every game keeps, as checks that anybody with a game can run.

`pbem contract GAME` runs them for an installed game and prints a report. A guest's own tests can run them one by one:

    import pytest
    from pbem.contract import list_checks

    @pytest.mark.parametrize("check", list_checks("shy-well"), ids=str)
    def test_the_contract(check):
        check()

Each check plays random games and holds what it sees against `engine.game.Game`. Nothing here is imported when another
command of `pbem` runs, and nothing here needs the project's repository.
"""

from pbem.contract.check_list import ContractCheck, ContractError, list_checks

__all__ = ["ContractCheck", "ContractError", "list_checks"]
