"""Words for others by mail: to all, to the referee or to a seat. What follows the colon is taken as it stands."""

import hmac
from dataclasses import dataclass
from functools import partial
from typing import Final

from engine.digest import canonical
from engine.game import Seat
from pbem.events.chain import Draft
from pbem.events.kinds import PressSent
from pbem.mail.commands.command import Command, CommandContext, CommandFamily, CommandTerminal, verb
from pbem.mail.commands.letter_line import LineContext, MessageWords
from pbem.tables import table_rules
from pbem.tables.decision import ALL, REFEREE, Decision, PressMessage, Refused
from pbem.tables.table import Table


@dataclass(frozen=True, slots=True)
class Press(Command):
    """Pass words on, to ``all``, to ``referee`` or to a seat."""

    to: str
    words: str

    def format(self) -> str:
        """The words after their verb and who they are for."""
        return f"press to {self.to}: {in_braces(self.words)}"

    def await_words(self, context: LineContext, said: str) -> MessageWords:
        """The words that begin on a line with this command; `said` are those on the line itself."""
        to = context.seat_of(self.to)
        asked = "line {line} announces words for {to}, but none follow"
        return MessageWords(context.line.number, to, partial(Press, to), asked, is_private=to != ALL, lines=[said])

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Pass the words on; an event keeps their digest, or their seal."""
        if self.to not in (ALL, REFEREE, *table.seats):
            facts = {"to": self.to, "seats": ", ".join(table.seats)}
            says = "nobody here is called {to}; you can write to all, to referee or to {seats}"
            return Decision(refused=Refused(table_rules.P1, says, facts))
        said = PressMessage(seat, self.to, self.words)
        if table.is_second_form:
            private = () if said.to == ALL else (("words", said.words),)
            shown = said.words if said.to == ALL else None
            return Decision((Draft(PressSent(said.by, said.to, words=shown), texts=private),), said=said)
        digest = hmac.digest(context.secret, canonical([said.by, said.to, said.words]), "sha256").hex()
        # An event can be read by everybody, now or when the history is opened: so can only what was said to all.
        shown = said.words if said.to == ALL else None
        return Decision((Draft(PressSent(said.by, said.to, digest, shown)),), said=said)


def in_braces(words: str) -> str:
    """Words that hold an empty line stand in braces, so that it is known where they end."""
    return f"{{{words}}}" if "\n\n" in words else words


_TO: Final = r" +(?:(?:$to)(?!\w)|$to_prefix)"

FAMILY: Final = CommandFamily(
    grammar="press: (_PRESS | _TELL) _WITH* (ALL | REFEREE | WHO) _COLON",
    words={
        "press": "press",
        "message": "message",
        "say": "say|tell",
        "to": "to",
        "to_prefix": "",
        "all": "all|everyone|everybody",
        "referee": "referee|judge",
    },
    terminals=(
        verb("_PRESS", rf"(?:$press|(?:$message)(?={_TO}))(?!\w)"),
        # A message that does not say to whom may be a sentence about one.
        verb("_TELL", rf"(?:(?:$message)(?!{_TO})|$say)(?!\w)", begins_prose=True),
        CommandTerminal("ALL", priority=2, value=ALL),
        CommandTerminal("REFEREE", priority=2, value=REFEREE),
        CommandTerminal("WHO", r"[^\W\d_][\w-]*", value=str.lower, says="a seat"),
        CommandTerminal("_COLON", '":"', priority=3, says="a colon"),
    ),
    build={"press": lambda who: Press(who, "")},
)
