"""Trade with the supply in the Watch game: three for one is everybody's (BW-R5)."""

from engine.brotherhood.moves import Trade
from engine.brotherhood.rules import production, tokens
from engine.brotherhood.supply import judge_trade as judge_base_trade
from engine.brotherhood.table import Table
from engine.verdict import Verdict


def judge_trade(table: Table, who: int, move: Trade) -> Verdict | None:
    """As in the base game, but a wrong rate breaks the rule of this one."""
    verdict = judge_base_trade(table, who, move)
    return verdict._replace(rule=tokens.R5) if verdict is not None and verdict.rule is production.T1 else verdict
