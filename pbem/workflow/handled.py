"""A player's letter once it has been carried out: what was understood, and what came of each command."""

from dataclasses import dataclass, field, replace

from engine.game import Seat
from pbem.mail.commands.commands import Command
from pbem.mail.commands.understood import Orders
from pbem.mail.reading import Letter
from pbem.tables.decision import Decision
from pbem.workflow.follow_up import Followed


@dataclass(slots=True)
class Handled:
    """What came of a letter, gathered while it is carried out."""

    letter: Letter
    orders: Orders
    decisions: list[tuple[Command, Decision]] = field(default_factory=list)
    followed: Followed = field(default_factory=Followed)
    """What came of what others, or the sender, had wanted to be done afterwards."""

    @property
    def bids(self) -> bool:
        """True if the sender has given a standing order."""
        return any(decision.standing for _, decision in self.decisions)

    def follow_up(self, sender: Seat, followed: Followed) -> None:
        """Note what followed; if the rest of this very letter did, its moves wait for nobody any more."""
        self.followed = followed
        resumed = followed.resumed.get(sender)
        if resumed is None or resumed.ruling is None:
            return
        for at, (command, decision) in enumerate(self.decisions):
            if decision.ruling is not None and decision.ruling.awaits:
                ruling = decision.ruling._replace(later=(), awaits=(), complete=resumed.ruling.complete)
                self.decisions[at] = (command, replace(decision, ruling=ruling))

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
