"""Words for others by mail: to all, to the referee or to a seat. What follows the colon is taken as it stands.

Who does not want to read a player's words can mute them, and who finds them bad can report them to the referee.
"""

import hmac
import re
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import ClassVar, Final

from engine.digest import canonical
from engine.game import Seat
from pbem.events.chain import Draft
from pbem.events.kinds import PressSent
from pbem.mail.commands import letter_rules
from pbem.mail.commands.command import (
    Command,
    CommandContext,
    CommandFamily,
    CommandTerminal,
    LineMeaning,
    verb,
)
from pbem.mail.commands.letter_line import LineContext, MessageWords
from pbem.mail.commands.player_names import find_player
from pbem.tables import table_rules
from pbem.tables.decision import ALL, REFEREE, Answer, Decision, PressMessage, PressReport, Refused
from pbem.tables.table import Table

MUTE: Final = "mute"
"""The beginning of a setting that says whether a seat is muted; the seat follows."""
MOST_REPORTS: Final = 3
"""Reports of one player within a day."""
LONGEST_NOTE: Final = 2_000
"""Characters that a player may add to a report."""

_REPORTED: Final = re.compile(
    r"(?P<who>[^\W\d_][\w-]*)(?:\s+(?P<number>[0-9]{1,7})(?!\w))?(?:\s*[:;,.!-]+)?\s*(?P<words>.*)", re.DOTALL
)
_COLON_FIRST: Final = re.compile(r"\W*\w+\s*:")
_NOTHING_SAID: Final = "line {line} announces words for {to}, but none follow"


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


@dataclass(frozen=True, slots=True)
class Mute(Command):
    """See no more of what another player says at this table, or see it again. Only its sender knows."""

    who: str
    on: bool = True

    is_private: ClassVar[bool] = True

    def format(self) -> str:
        """The player after the verb."""
        return f"{'mute' if self.on else 'unmute'} {self.who}"

    def resolve(self, context: LineContext) -> LineMeaning:
        """The same with the seat of the player."""
        return replace(self, who=_seat_of(context, self.who))

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Note it beside the game: neither an event nor a mail to anybody else tells of it."""
        if self.who not in table.seats or self.who == seat:
            facts = {"who": self.who, "seats": ", ".join(each for each in table.seats if each != seat)}
            return Decision(refused=Refused(table_rules.P3, "{who} cannot be muted; the others are {seats}", facts))
        return Decision(settings={f"{MUTE} {self.who}": self.on}, answers=(Answer("settings"),))


@dataclass(frozen=True, slots=True)
class Report(Command):
    """Show the referee what another player wrote: a message by its number, or the last; words of one's own go along.

    The player whose words they are is not told.
    """

    text: str = ""
    who: Seat = ""
    number: int | None = None

    is_private: ClassVar[bool] = True
    needs_press: ClassVar[bool] = True

    def format(self) -> str:
        """The verb, whose words, which of them, and what there is to say about them."""
        named = " ".join(["report", *([self.who] if self.who else []), *([str(self.number)] if self.number else [])])
        return f"{named}: {in_braces(self.text)}" if self.text else named

    def resolve(self, context: LineContext) -> LineMeaning:
        """Whose words are meant, and which; a sentence that only begins with the verb is none."""
        found = _REPORTED.fullmatch(self.text)
        who = _seat_of(context, found["who"] or "") if found is not None else ""
        known = who in (context.game.seats if context.game is not None else ())
        if found is not None and known:
            named = replace(self, who=who, number=int(found["number"]) if found["number"] else None)
            said = found["words"]
        elif not self.text or _COLON_FIRST.match(context.line.plain):
            named, said = self, self.text
        else:
            return context.line.unread(letter_rules.L7)
        if not said:
            return replace(named, text="")
        return MessageWords(
            context.line.number, REFEREE, named.with_words, _NOTHING_SAID, is_private=True, lines=[said]
        )

    def with_words(self, words: str) -> "Report":
        """The same with words of the sender's own."""
        return replace(self, text=words)

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Report the words; a message is reported once, and only a few in a day."""
        facts = {"who": self.who, "number": self.number or 0, "most": MOST_REPORTS, "longest": LONGEST_NOTE}
        heard = [each for each in context.heard if self.who in ("", each.by) and self.number in (None, each.number)]
        if not heard:
            says = "no other player wrote such words to you or to everybody"
            return Decision(refused=Refused(table_rules.P4, says, facts))
        if heard[-1].reported_at is not None:
            return Decision(refused=Refused(table_rules.P4, "you have reported these words before", facts))
        reports = [each.reported_at for each in context.heard if each.reported_at is not None]
        if sum(context.now - at < timedelta(days=1) for at in reports) >= MOST_REPORTS:
            says = "you have made {most} reports within a day; for more write to the referee with press"
            return Decision(refused=Refused(table_rules.P4, says, facts))
        if len(self.text) > LONGEST_NOTE:
            says = "what you add to a report has at most {longest} characters"
            return Decision(refused=Refused(table_rules.P4, says, facts))
        return Decision(report=PressReport(seat, heard[-1], self.text), answers=(Answer("report"),))


def _seat_of(context: LineContext, word: str) -> str:
    """The seat that a word names: a colour, or a player's name in any case or alphabet."""
    seat = context.seat_of(word) if word else ""
    if context.game is not None and seat not in context.game.seats and word and context.pending is not None:
        return find_player(word, context.pending.names) or seat
    return seat


_TO: Final = r" +(?:(?:$to)(?!\w)|$to_prefix)"

FAMILY: Final = CommandFamily(
    grammar="""
        press: (_PRESS | _TELL) _WITH* (ALL | REFEREE | WHO) _COLON
        mute: _MUTE WHO
        unmute: _UNMUTE WHO
        report: _REPORT WORDS?
    """,
    words={
        "press": "press",
        "message": "message",
        "say": "say|tell",
        "to": "to",
        "to_prefix": "",
        "all": "all|everyone|everybody",
        "referee": "referee|judge",
        "mute": "mute",
        "unmute": "un-?mute",
        "report": "report",
    },
    terminals=(
        verb("_PRESS", rf"(?:$press|(?:$message)(?={_TO}))(?!\w)"),
        # A message that does not say to whom may be a sentence about one.
        verb("_TELL", rf"(?:(?:$message)(?!{_TO})|$say)(?!\w)", begins_prose=True),
        verb("_MUTE"),
        verb("_UNMUTE"),
        verb("_REPORT", begins_prose=True),
        CommandTerminal("ALL", priority=2, value=ALL),
        CommandTerminal("REFEREE", priority=2, value=REFEREE),
        CommandTerminal("WHO", r"[^\W\d_][\w-]*", value=str.lower, says="a seat"),
        CommandTerminal("_COLON", '":"', priority=3, says="a colon"),
    ),
    build={
        "press": lambda who: Press(who, ""),
        "mute": Mute,
        "unmute": partial(Mute, on=False),
        "report": Report,
    },
)
