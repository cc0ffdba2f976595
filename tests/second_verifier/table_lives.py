"""Tables at which all kinds of things happen, each by its number: where honest records for both verifiers come from."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

from engine.chance import KeyedDealer
from engine.game import PUBLIC
from pbem.mail.commands.appeal import Appeal
from pbem.mail.commands.command import CommandContext, decide
from pbem.mail.commands.consent import Agree, Ask, Object
from pbem.mail.commands.press import Press
from pbem.mail.commands.resign import Resign
from pbem.mail.commands.submit_moves import Play
from pbem.mail.commands.vacation import Vacation
from pbem.tables import cases, referee_decisions
from pbem.tables import play as playing
from pbem.tables.cases import WantedRuling
from pbem.tables.chance import GameDealer, random_moves
from pbem.tables.fold import apply_event, fold
from pbem.tables.silence import handle_timeout

GAMES = {
    "shy-well": (2, 3),
    "through-the-desert": (2, 3, 5),
    "nomadi": (2, 3),
    "brotherhood-base": (3,),
    "brotherhood": (3,),
}
NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
WORDS = (
    "all of it \u05d0 is {hidden} [%drawn 1/6 die] \\ ]",
    'a "strange" \\] reason\n',
    "\u2028 and \U0001f42a \x07",
    "a",
)
"""Words as only people write them: brackets, quotation marks, line feeds, other scripts."""

LONGEST = 60


class Life:
    """One table, lived by chance. The operator keeps its events and writes its records."""

    def __init__(self, operator: Any, number: Any) -> None:
        self.chance, self.number = Random(f"life {number}"), number
        game = self.chance.choice(list(GAMES))
        secrets = {"seed": self.chance.randbytes(32), "blind": self.chance.randbytes(32)}
        self.post = operator(table=f"sirocco-{number}", game=game, players=self.chance.choice(GAMES[game]), **secrets)
        self.post.begin()
        self.dealer, self.table = GameDealer(self.post.seed), fold(self.post.events)

    def records(self) -> Iterator[Any]:
        """What anybody may be given at some moments of this life, and at its end."""
        moments = {self.chance.randrange(LONGEST) for _ in range(4)} | {LONGEST - 1}
        hurried = self.chance.random() < 0.5
        for moment in range(LONGEST):
            if not self.table.due and self.table.stage != "playing":
                break
            self.apply_events(self.something(moment))
            if moment in moments:
                yield self.post.text(self.chance.choice([PUBLIC, PUBLIC, None, *self.table.seats]))
        if hurried and self.table.stage == "playing":
            self.apply_events(self.everybody_resigns())
        yield self.post.text()

    def apply_events(self, drafts: Any) -> None:
        known = len(self.post.events)
        self.post.apply_events(drafts)
        for event in self.post.events[known:]:
            self.table = apply_event(self.table, event)

    def something(self, moment: Any) -> Any:
        """What happens next: mostly a move."""
        dice = self.chance.random()
        if self.table.votes and dice < 0.6:
            answer = Agree if self.chance.random() < 0.9 else Object
            return self.order(self.chance.choice(self.table.seats), answer(self.chance.choice(list(self.table.votes))))
        if self.table.cases and dice < 0.3:
            return self.ruling()
        if dice < 0.86 and self.table.due:
            return self.move(moment)
        if dice < 0.95:
            return self.order(self.chance.choice(self.table.seats), self.wish())
        if dice < 0.97:
            seat, name = self.chance.choice(self.table.seats), self.chance.choice(WORDS[1:]).strip()
            return referee_decisions.seat_substitute(self.table, seat, name, self.dealer).drafts
        if dice < 0.98 or not self.table.due:
            reason = self.chance.choice(["an appeal", *WORDS, *self.table.pauses])
            act = referee_decisions.resume if reason in self.table.pauses else referee_decisions.pause
            return act(self.table, reason).drafts
        return handle_timeout(self.table, self.table.due[0], plan=("pass",), dealer=self.dealer).drafts

    def move(self, moment: Any) -> Any:
        """The move of a seat that is due; chance plays for one who has left."""
        seat = self.table.due[0]
        left = seat in self.table.resigned
        dealer = self.dealer if left else KeyedDealer(f"{self.number} {moment}".encode())
        play = Play(random_moves(self.table, seat, dealer))
        if left:
            return playing.play(self.table, seat, play.text, self.dealer, letter="", by="chance").drafts
        return self.order(seat, play)

    def order(self, seat: Any, command: Any) -> Any:
        """What comes of a letter."""
        letter = self.chance.randbytes(32).hex()
        return decide(
            self.table, seat, command, CommandContext(NOON, self.dealer, letter=letter, mark="", secret=b"x")
        ).drafts

    def ruling(self) -> Any:
        """What the referee decides about the last case."""
        kind = self.chance.choice(["roll-back", "dismiss", "substitute", "roll-back", "adjudicate"])
        more: dict[str, dict[str, Any]] = {
            "substitute": {"seat": self.table.seats[0], "name": "Dana"},
            "adjudicate": {"winners": self.table.seats[:1]},
        }
        wanted = WantedRuling(kind, self.chance.choice(WORDS), **more.get(kind, {}))
        return cases.rule(self.table, len(self.table.cases), wanted, self.dealer).drafts

    def wish(self) -> Any:
        """Something else than a move that somebody might send."""
        day = date(2026, 11, 16) + timedelta(self.chance.randrange(30))
        return self.chance.choice(
            [
                *(Ask("undo"), Ask("undo"), Ask("pause"), Ask("resume")),
                Press(self.chance.choice(["all", "referee", *self.table.seats]), self.chance.choice(WORDS)),
                Vacation(day, day + timedelta(2)),
                Appeal(self.chance.choice(WORDS), None),
                *([Resign()] if self.chance.random() < 0.3 else [Ask("undo")]),
            ]
        )

    def everybody_resigns(self) -> Any:
        """A quick end, so that secrets are opened: all but one give up, or the last one with them."""
        drafts = []
        for seat in self.table.seats[1:]:
            if self.table.stage == "playing" and seat not in self.table.resigned:
                drafts = list(self.order(seat, Resign()))
                if seat != self.table.seats[-1]:
                    self.apply_events(drafts)
                    drafts = []
        return drafts
