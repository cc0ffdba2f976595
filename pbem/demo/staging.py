"""A stage: a post, its players, and the hour, which does as it is told."""

from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from pbem.demo.correspondents import Player
from pbem.mail.transport.pipe import TAKEN, take_letter
from pbem.mail.transport.ports import WayOut
from pbem.service.send_queue import send_due
from pbem.workflow.context import Office
from pbem.workflow.handle_letter import Outcome, work

BETWEEN_LETTERS: Final = timedelta(hours=7, minutes=13)


@dataclass(slots=True)
class Calendar:
    """Weeks go by in seconds."""

    moment: datetime

    def now(self) -> datetime:
        """The hour it is."""
        return self.moment

    def turn_leaf(self) -> None:
        """Until the next letter."""
        self.moment += BETWEEN_LETTERS


@dataclass(slots=True)
class Stage:
    """Where a game is played by letters."""

    office: Office
    way_out: WayOut
    calendar: Calendar
    players: dict[str, Player] = field(default_factory=dict)
    letters: int = 0
    mails: int = 0

    def write(self, player: Player, words: str) -> Outcome:
        """Let a player answer the last mail he got: the letter is delivered and handled, and all mails go out."""
        self.calendar.turn_leaf()
        letter = player.answer(words, self.calendar.now())
        largest = self.office.settings.post.largest_letter
        with letter.open("rb") as stream:
            if take_letter(stream, lambda: nullcontext(self.office.store), largest=largest) != TAKEN:
                raise RuntimeError(f"{letter} could not be delivered")
        self.letters += 1
        outcome = next(work(self.office, most=1))
        self.carry_mails()
        return outcome

    def carry_mails(self) -> None:
        """Send what waits, and let everybody look into the mailbox."""
        self.mails += send_due(self.office, self.way_out).sent
        for player in self.players.values():
            player.look()
