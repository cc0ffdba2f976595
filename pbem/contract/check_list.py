"""All checks of the contract, in the order of a report, and the list of them for one game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from engine import GameRules
from engine.registry import list_editions
from pbem.contract import checks_of_facts as facts
from pbem.contract import checks_of_play as play
from pbem.contract import checks_of_secrets as secrets
from pbem.contract.playouts import ContractError

__all__ = ["ContractCheck", "ContractError", "list_checks"]

OF_A_GAME: Final[tuple[Callable[[GameRules], None], ...]] = (
    facts.states_its_facts,
    facts.editions_differ_in_name,
    facts.rules_can_be_printed,
    facts.codes_mean_one_rule,
    facts.impossible_tables_are_refused,
)
"""What holds for a game as a whole; beside it `every_kind_of_move_occurs`, which takes records."""

OF_A_TABLE: Final[tuple[Callable[[GameRules, int], None], ...]] = (
    facts.laying_out_is_complete,
    facts.seats_come_in_any_order,
    facts.moves_can_be_written_and_read,
    play.random_play_ends,
    play.those_due_have_a_move,
    play.listed_plies_are_legal,
    play.dealt_plies_are_legal,
    play.refusals_cite_rules,
    play.traits_are_few_words,
    play.applying_keeps_the_position,
    play.a_run_plays_as_the_game_does,
    play.a_replay_reaches_the_same_end,
    play.turns_are_counted,
    play.scores_cite_rules,
    play.silence_stands_for_a_legal_move,
    play.forced_moves_have_no_alternative,
    play.essence_is_enough_to_plan,
    secrets.views_are_plain_data,
    secrets.views_are_not_shared,
    secrets.equal_positions_have_equal_digests,
    secrets.digests_are_of_the_public_view,
    secrets.the_public_knows_least,
    secrets.legal_moves_keep_secrets,
    secrets.remedies_keep_secrets,
    secrets.scores_keep_secrets,
    secrets.forced_moves_keep_secrets,
    secrets.players_read_their_own_moves,
    secrets.told_moves_keep_secrets,
    secrets.hidden_moves_can_be_written_and_read,
    secrets.disclosing_moves_say_so,
)
"""What holds for every number of players."""


@dataclass(frozen=True, slots=True)
class ContractCheck:
    """One check of one game, at a number of players or (None) of the game as a whole. Call it to run it."""

    name: str
    """Words joined by hyphens: ``random-play-ends``."""
    about: str
    """What must hold, in one sentence."""
    game: GameRules
    players: int | None
    check: Callable[[], None]

    def __call__(self) -> None:
        """Run the check; ContractError says where it does not hold."""
        self.check()

    def __str__(self) -> str:
        table = "" if self.players is None else f"-{self.players}"
        return f"{self.game.key}-{self.game.edition}{table}-{self.name}"


def list_checks(key: str, *, records: Sequence[str] = ()) -> list[ContractCheck]:
    """All checks of an installed game, in all its editions; empty when there is no such game.

    `records` are texts of records, for kinds of move so rare that random play does not make them.
    """
    return [check for game in list_editions(key) for check in _checks_of(game, records)]


def _checks_of(game: GameRules, records: Sequence[str]) -> list[ContractCheck]:
    checks = [_make(check, game, None, partial(check, game)) for check in OF_A_GAME]
    occurs = facts.every_kind_of_move_occurs
    checks.append(_make(occurs, game, None, partial(occurs, game, records)))
    for players in game.players:
        checks += [_make(check, game, players, partial(check, game, players)) for check in OF_A_TABLE]
    return checks


def _make(check: Callable[..., None], game: GameRules, players: int | None, call: Callable[[], None]) -> ContractCheck:
    about = (check.__doc__ or "").partition("\n")[0]
    return ContractCheck(check.__name__.replace("_", "-"), about, game, players, call)
