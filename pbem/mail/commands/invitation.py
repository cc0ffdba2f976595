"""The answer to an invitation by mail: accept or decline, or what people say instead.

Once a game is played, the same words mean nothing, or a move. In doubt nobody takes a seat: the player is asked.
"""

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final

from engine.game import GameRules, Seat
from notation import Fault
from notation.player_text import read_standing
from pbem.events.chain import Draft
from pbem.events.kinds import InvitationAccepted, InvitationDeclined
from pbem.mail.commands import letter_rules
from pbem.mail.commands.command import Command, CommandContext, CommandFamily, LineMeaning, verb
from pbem.mail.commands.consent import Agree, Asked, Object
from pbem.mail.commands.letter_line import LetterLine, LineContext, UnreadLine
from pbem.mail.commands.parse_moves import parse_turn
from pbem.mail.commands.vocabulary import patterns
from pbem.tables import play, table_rules
from pbem.tables.decision import Decision, Refused
from pbem.tables.fold import apply_drafts
from pbem.tables.table import CALLED_OFF, INVITING, PLAYING, Table


@dataclass(frozen=True, slots=True)
class AcceptInvitation(Command):
    """Take the seat in an invitation; `entropy` are words that go into the draws."""

    is_binding: ClassVar[bool] = True

    entropy: str = ""

    @property
    def gives_way(self) -> bool:
        """A game may have offers to accept."""
        return True

    @property
    def is_unclear(self) -> bool:
        """Whether the words beside the acceptance may take it back, or set it a condition."""
        return _unclear().search(self.entropy) is not None

    def format(self) -> str:
        """The verb and the words beside it."""
        return f"accept {self.entropy}".strip()

    def resolve(self, context: LineContext) -> LineMeaning:
        """Itself; a question if it may mean an offer in the game, or is not clear."""
        if context.playing and _may_be_standing(context):
            says = "line {line} can mean two things; write accept and whose offer, or standing {text}"
            return context.line.unread(letter_rules.L6, None, says)
        if (context.playing and knows_offers(context.game)) or self.is_unclear:
            return ask_for_answer(context.line, playing=context.playing)
        return self

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Take the seat; the last one to do so starts the game."""
        refused = _not_invited(table)
        if table.stage != CALLED_OFF and seat in table.accepted:
            refused = Refused(table_rules.I1, "you have accepted already", {"seat": seat})
        if refused is not None:
            return Decision(refused=refused)
        drafts = [Draft(InvitationAccepted(seat, digest_entropy(self.entropy, context.mark), context.letter))]
        if table.accepted | {seat} == set(table.seats):
            begun = play.start(apply_drafts(table, drafts), context.dealer)
            drafts += [begun] if begun is not None else []
        return context.follow(table, Decision(tuple(drafts)))

    def contradicts(self, other: Command) -> bool:
        """Nobody accepts and declines."""
        return isinstance(other, DeclineInvitation)


def digest_entropy(words: str, mark: str) -> str:
    """What goes into the draws: the digest of the words beside the acceptance, or the letter's mark."""
    if words:
        return hashlib.sha256(unicodedata.normalize("NFC", words).encode()).hexdigest()
    return mark or hashlib.sha256(b"").hexdigest()


@dataclass(frozen=True, slots=True)
class DeclineInvitation(Command):
    """Turn an invitation down."""

    is_binding: ClassVar[bool] = True

    @property
    def gives_way(self) -> bool:
        """A game may have offers to decline."""
        return True

    def format(self) -> str:
        """The verb."""
        return "decline"

    def resolve(self, context: LineContext) -> LineMeaning:
        """Itself; a question if it may mean an offer in the game."""
        if context.playing and knows_offers(context.game):
            return ask_for_answer(context.line, playing=True)
        return self

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        """Turn it down."""
        refused = _not_invited(table)
        if refused is not None:
            return Decision(refused=refused)
        return Decision((Draft(InvitationDeclined(seat, reason="")),))


def find_answer(context: LineContext, parsed: object) -> LineMeaning | None:
    """The answer to an invitation that a line is, before the game; None if it is none or is one by its own words."""
    bare = context.line.bare
    if context.playing:
        return None
    if parsed == Agree() or plain_yes().fullmatch(bare) or _joins().fullmatch(_without_question(bare)):
        return AcceptInvitation()
    is_unclear = isinstance(parsed, AcceptInvitation) and parsed.is_unclear
    if parsed == Object() or plain_no().fullmatch(bare) is not None or is_unclear:
        # A seat that was declined is somebody else's.
        return ask_for_answer(context.line, playing=False)
    return None


def ask_for_answer(line: LetterLine, *, playing: bool) -> UnreadLine:
    """Ask what is meant by an answer that is not clear: to an offer in the game, or else to the invitation."""
    if playing:
        says = "line {line} is not a clear answer to the offer; write accept or decline"
        return line.unread(letter_rules.L3, None, says)
    says = "line {line} is not a clear answer to the invitation; write accept or decline, and nothing else"
    return line.unread(letter_rules.L3, None, says)


def knows_offers(game: GameRules | None) -> bool:
    """Whether a game has moves that are called like the answers to an invitation."""
    return game is not None and all(parse_turn(game, word) is not None for word in ("accept", "decline"))


def _may_be_standing(context: LineContext) -> bool:
    """Whether a line would be a standing order if that were said."""
    order = read_standing(context.game, context.line.bare) if context.game is not None else None
    return order is not None and not isinstance(order, Fault)


def _not_invited(table: Table) -> Refused | None:
    if table.stage == INVITING:
        return None
    if table.stage == CALLED_OFF:
        return Refused(table_rules.I1, "the invitation was called off")
    if table.stage == PLAYING:
        return Refused(table_rules.I1, "the game has begun; `resign` gives it up")
    return Refused(table_rules.I1, "the game has begun")


@cache
def plain_yes() -> re.Pattern[str]:
    """A plain yes."""
    also = rf"(?:[\s,.!]+(?:{patterns('answers', 'yes_also')}))*"
    return re.compile(rf"(?:{patterns('answers', 'yes')}){also}[\s.!]*", re.IGNORECASE)


@cache
def _joins() -> re.Pattern[str]:
    """What people say instead of a plain yes when they are invited, and nothing else: `Hi! Gladly, count me in!`."""
    also, greeting = patterns("answers", "yes_also"), patterns("harmless", "openings")
    takes = f"{patterns('answers', 'yes')}|{patterns('answers', 'joins')}"
    gap = r"[\s,.!]+"
    return re.compile(
        rf"(?:(?:{greeting}){gap})?(?:(?:{also}){gap}){{0,2}}(?:{takes})(?:{gap}(?:{takes}|{also})(?!\w)){{0,3}}[\s.!]*",
        re.IGNORECASE,
    )


def _without_question(text: str) -> str:
    """A line without a question at its end that sets no condition: `I'd love to! How does it work?`."""
    said = _ASKS_AT_END.match(text)
    return text if said is None or _unclear().search(said[2]) else said[1]


@cache
def plain_no() -> re.Pattern[str]:
    """A plain no."""
    return re.compile(rf"(?:{patterns('answers', 'no')})[\s.!]*", re.IGNORECASE)


@cache
def _unclear() -> re.Pattern[str]:
    """Words that may take an acceptance back, or set it a condition."""
    return re.compile(rf"[?]|n['\u2019]t\b|\b(?:{patterns('answers', 'unclear')})\b", re.IGNORECASE)


def _accept(said: Asked | str = "") -> AcceptInvitation | Agree:
    return Agree(said.name) if isinstance(said, Asked) else AcceptInvitation(said)


def _decline(what: Asked | None = None) -> DeclineInvitation | Object:
    return DeclineInvitation() if what is None else Object(what.name)


_ASKS_AT_END: Final = re.compile(r"([^?]{1,80}[.!]) ([^.!?]{1,80})[?]+\Z")
ACCEPT: Final = "_ACCEPT"
DECLINE: Final = "_DECLINE"

FAMILY: Final = CommandFamily(
    grammar="""
        accept: _ACCEPT (_what | TEXT)?
        decline: _DECLINE _what?
    """,
    words={
        "accept": "accept",
        "decline": "decline|reject|refuse",
    },
    terminals=(verb(ACCEPT), verb(DECLINE)),
    build={"accept": _accept, "decline": _decline},
)
