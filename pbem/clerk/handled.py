"""A player's letter once it has been carried out: what was understood, and what came of each command."""

from dataclasses import dataclass, field

from engine.game import Seat
from pbem.intake import Letter
from pbem.orders.commands import Command
from pbem.orders.understood import Orders
from pbem.tables.decision import Decision


@dataclass(slots=True)
class Handled:
    """What came of a letter, gathered while it is carried out."""

    letter: Letter
    orders: Orders
    decisions: list[tuple[Command, Decision]] = field(default_factory=list)
    dropped: dict[Seat, Decision] = field(default_factory=dict)
    """Plans that could not be played afterwards, by seat."""

    @property
    def was_carried_out(self) -> bool:
        """True if anything came of it but refusals."""
        return any(
            decision.drafts or decision.answers or decision.settings or decision.said or decision.plan is not None
            for _, decision in self.decisions
        )

    @property
    def why_not(self) -> str:
        """The reason of a refusal, as a code."""
        if self.orders.question is not None:
            return self.orders.question.rule.code
        for _, decision in self.decisions:
            ruling = decision.ruling
            if decision.refused is not None:
                return decision.refused.rule.code
            if ruling is not None and ruling.verdict is not None:
                return ruling.verdict.rule.code
            if ruling is not None and ruling.fault is not None:
                return ruling.fault.code
        return "nothing-understood"
