"""Events in sentences: one line for each event, written for one reader.

A turn comes with the points it brought, where the table shows points, and with no more than the reader may know until
the game is over. Words that were sent to somebody else are never repeated. Lines are plain text; the layout puts a bar
before each.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from datetime import date, datetime
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

from engine.game import CHANCE, PUBLIC, GameRules, Seat, View
from notation import Fault, read_moves
from pbem.clock.time_control import parse_duration
from pbem.events.chain import Event, phrase_of
from pbem.events.codec import Field, fields_of
from pbem.events.history_mark import is_restore
from pbem.events.kinds import (
    CaseAppealed,
    CaseRuled,
    ChanceDealt,
    GameEnded,
    GameOpened,
    GamePaused,
    GameResumed,
    GameStarted,
    InvitationAccepted,
    InvitationDeclined,
    MovesMade,
    PressSent,
    RoundAwaited,
    SeatResigned,
    SeatSubstituted,
    TimeExtended,
    TurnPlayed,
    TurnUndone,
    VoteAgreed,
    VoteAsked,
    VoteDropped,
    VoteObjected,
)
from pbem.events.payload import Payload
from pbem.events.post_kinds import GameCalledOff, Note, PlayerInvited
from pbem.locale.cldr import format_date_alone
from pbem.mail.writing.gains import Gain, Gains
from pbem.mail.writing.sentences import Sentences, join_words, say_length
from pbem.render.players import shorten, show_name
from pbem.tables.absences import vacant_seat
from pbem.tables.decision import ALL, REFEREE
from pbem.tables.referee_decisions import POST_WAS_DOWN
from pbem.tables.standing_orders import STANDING
from pbem.tables.table import OVER, Table
from pbem.tables.votes import MOVED_ON

LONGEST: Final = 300
"""Characters of a player's words that a line repeats."""
DEED_CACHE: Final = 1024
"""Turns whose description is cached."""
VIEW_CACHE: Final = 256
"""Positions whose public view is cached."""


class EventDescriber:
    """Describes to one reader what happened at a table."""

    def __init__(
        self, table: Table, reader: Seat, sentences: Sentences, *, gains: Gains, shows_points: bool = True
    ) -> None:
        self.table = table
        self.reader = reader
        self.sentences = sentences
        self._gained = gains
        self._shows_points = shows_points

    def who(self, seat: str) -> str:
        """A seat and its player; the reader is `you`."""
        if seat not in self.table.seats:
            return self.sentences.say("referee" if seat == REFEREE else "post")
        if seat == self.reader:
            return self.sentences.say("seated_reader", self.sentences.seat(seat))
        return self.sentences.seated(seat, self.table.name(seat))

    def all_of(self, seats: Iterable[str]) -> str:
        """Several seats as one phrase."""
        return join_words([self.who(seat) for seat in seats], self.sentences)

    def describe(self, events: Iterable[Event]) -> list[str]:
        """One line for each event that is news to the reader."""
        shown = list(events)
        # "The game has begun" says already that everybody has accepted.
        if any(isinstance(event.payload, GameStarted) for event in shown):
            shown = [event for event in shown if not isinstance(event.payload, GameOpened | InvitationAccepted)]
        gains = self._gains(shown)
        again = {after.seq for before, after in pairwise(shown) if _is_same_chance(before, after)}
        lines = (self._describe(event, gains.get(event.seq, ()), again=event.seq in again) for event in shown)
        return [line for line in lines if line]

    def _describe(self, event: Event, gains: Iterable[Gain], *, again: bool) -> str:
        payload = event.payload
        if isinstance(payload, MovesMade):
            return self._describe_turn(event, payload, gains, again=again)
        describe = _DESCRIPTIONS.get(type(payload), _describe_fields)
        return describe(self, payload)

    def _describe_turn(self, event: Event, made: MovesMade, gains: Iterable[Gain], *, again: bool) -> str:
        deed = self.deed(phrase_of(event, None if self.table.stage == OVER else self.reader), again=again)
        if made.seat == CHANCE:
            brought = self._harvest(event, made.turn)
            return self.sentences.say("told_dealt", made.turn, f"{deed}; {brought}" if brought else deed)
        won = [(self.sentences.gain(source, points), points) for source, points in gains if points]
        if won:
            sources = join_words([source for source, _ in won], self.sentences)
            deed = self.sentences.say("gained", deed, sum(points for _, points in won), sources)
        # Only the player may know that a standing order has answered, or, in the second form, that a move was prepared.
        by = event.maker or made.by if made.seat == self.reader else made.by
        if by == STANDING and made.seat != self.reader:
            by = "player"
        deed = self.sentences.say(_MADE_BY[by], deed) if by in _MADE_BY else deed
        return self.sentences.say("told_turn", made.turn, self.who(made.seat), deed)

    def deed(self, phrase: str, *, again: bool = False) -> str:
        """Moves in words; `again` if chance has already been drawn in the same turn."""
        game: Any = self.table.game
        return _say_deed(self.sentences, game, phrase, again)

    def _harvest(self, event: Event, turn: int) -> str:
        """What chance brought everybody, if the game has words for it; empty for turns that were taken back."""
        moves = read_moves(self.table.game, event.phrase) if self.sentences.has_harvests else ()
        if isinstance(moves, Fault) or not moves:
            return ""
        after = self._gained.after_chance(self.table, turn, moves)
        return self.sentences.harvest(moves, _public_view(self.table.game.view, after)) if after is not None else ""

    def _gains(self, events: list[Event]) -> dict[int, list[Gain]]:
        """The points of the turns among some events, by the number of the event; turns taken back have none."""
        last: dict[int, int] = {}
        for event in events:
            if isinstance(event.payload, TurnUndone):
                back_to = event.payload.turn
                last = {turn: seq for turn, seq in last.items() if turn < back_to}
            elif isinstance(event.payload, TurnPlayed):
                last[event.payload.turn] = event.seq
        gains = self._gained.of_turns(self.table, last) if self._shows_points else {}
        return {seq: gains[turn] for turn, seq in last.items() if turn in gains}


@lru_cache(maxsize=DEED_CACHE)
def _say_deed(sentences: Sentences, game: GameRules, phrase: str, again: bool) -> str:
    """Moves in words; cached, because every reader gets them, and later mails again."""
    moves = read_moves(game, phrase)
    made = () if isinstance(moves, Fault) else tuple((type(move).__name__, move) for move in moves)
    return sentences.deed(phrase, made, again=again) if made else sentences.order(phrase)


@lru_cache(maxsize=VIEW_CACHE)
def _public_view(look: Callable[[Any, Seat], View], position: object) -> View:
    """The public view of a position; cached, because every reader gets it, and later mails again."""
    return look(position, PUBLIC)


def _is_same_chance(before: Event, after: Event) -> bool:
    """Whether chance is drawn a second time in the same turn."""
    first, second = before.payload, after.payload
    return isinstance(first, ChanceDealt) and isinstance(second, ChanceDealt) and first.turn == second.turn


def _describe_fields(describer: EventDescriber, payload: Payload) -> str:
    """An event in the sentence `told_<kind>`, which takes as many of its fields, in their order, as it names.

    Most kinds need no more than that; those that do have a function of their own below.
    """
    sentence = f"told_{payload.kind}"
    takes = describer.sentences.count_facts(sentence)
    if takes is None:
        return describer.sentences.say("told_otherwise", payload.kind)
    fields = fields_of(payload.kind)[:takes]
    return describer.sentences.say(
        sentence, *(_say_value(describer, getattr(payload, each.name), each) for each in fields)
    )


def _say_value(describer: EventDescriber, value: object, field: Field) -> Hashable:
    """One field of an event as sentences take it: seats with their players, days in words, other text made safe."""
    match value:
        case str():
            return describer.who(value) if field.names_who else show_name(value, longest=200)
        case tuple():
            return describer.all_of(value) if field.names_who else ", ".join(value)
        case date():
            return format_date_alone(value, describer.sentences.locale.code)
        case int() | None:
            return value
        case _:
            raise TypeError(f"{field.name} cannot be written in a sentence")


def _describe_opened(describer: EventDescriber, event: GameOpened) -> str:
    return describer.sentences.say("told_opened", describer.sentences.gettext(describer.table.game.title))


def _describe_declined(describer: EventDescriber, event: InvitationDeclined) -> str:
    if event.seat == REFEREE:
        return describer.sentences.say("told_called_off", show_name(event.reason, longest=200))
    sentence = "told_seat_free" if describer.table.is_second_form else "told_declined"
    return describer.sentences.say(sentence, describer.who(event.seat))


def _describe_invited(describer: EventDescriber, event: PlayerInvited) -> str:
    sentences = describer.sentences
    return sentences.say("told_invited", sentences.seat(event.seat), sentences.name(event.name))


def _describe_called_off(describer: EventDescriber, event: GameCalledOff) -> str:
    return describer.sentences.say("told_called_off", show_name(event.reason, longest=200))


def _describe_note(describer: EventDescriber, event: Note) -> str:
    """Notes change nothing; those that players should read have mails of their own."""
    return ""


def _describe_asked(describer: EventDescriber, event: VoteAsked) -> str:
    return describer.sentences.say("told_asked", describer.who(event.by), event.what, event.turn)


def _describe_agreed(describer: EventDescriber, event: VoteAgreed) -> str:
    return describer.sentences.say(
        "told_agreed", describer.who(event.by), describer.sentences.say("subject", event.what)
    )


def _describe_objected(describer: EventDescriber, event: VoteObjected) -> str:
    return describer.sentences.say(
        "told_objected", describer.who(event.by), describer.sentences.say("subject", event.what)
    )


def _describe_dropped(describer: EventDescriber, event: VoteDropped) -> str:
    moved_on = event.by == MOVED_ON
    subject = describer.sentences.say("subject", event.what)
    return describer.sentences.say("told_overtaken" if moved_on else "told_dropped", subject)


def say_reason(reason: str, sentences: Sentences) -> str:
    """Why the clock stands."""
    seat = vacant_seat(reason)
    return (
        sentences.say("reason_vacant", sentences.seat(seat))
        if seat
        else sentences.say("reason", show_name(reason, longest=200))
    )


def _describe_undone(describer: EventDescriber, event: TurnUndone) -> str:
    if is_restore(event):
        return describer.sentences.say("told_restored", "")
    return _describe_fields(describer, event)


def _describe_paused(describer: EventDescriber, event: GamePaused) -> str:
    return describer.sentences.say("told_paused", say_reason(event.reason, describer.sentences))


def _describe_resumed(describer: EventDescriber, event: GameResumed) -> str:
    return describer.sentences.say("told_resumed", say_reason(event.reason, describer.sentences))


def _describe_resigned(describer: EventDescriber, event: SeatResigned) -> str:
    lost = event.by == "clock"
    return describer.sentences.say("told_out_of_time" if lost else "told_resigned", describer.who(event.seat))


def _describe_substituted(describer: EventDescriber, event: SeatSubstituted) -> str:
    sentences = describer.sentences
    return sentences.say("told_substituted", sentences.seat(event.seat), sentences.name(event.name))


def _describe_press(describer: EventDescriber, event: PressSent) -> str:
    who = describer.who(event.sender)
    if event.to == ALL and event.words:
        words = shorten(show_name(event.words, longest=LONGEST), LONGEST)
        return describer.sentences.say("told_press", who, words)
    # Words to the reader are a mail of their own, and words between others are private.
    return ""


def _describe_extended(describer: EventDescriber, event: TimeExtended) -> str:
    length = parse_duration(event.length)
    said = say_length(length, describer.sentences) if length is not None else event.length
    reason = show_name(event.reason, longest=200)
    return describer.sentences.say(
        "told_extended", said, describer.sentences.gettext(reason) if reason == POST_WAS_DOWN else reason
    )


def _describe_awaited(describer: EventDescriber, event: RoundAwaited) -> str:
    out = describer.sentences.say("moment", datetime.fromisoformat(event.out), "UTC")
    return describer.sentences.say("told_awaited", event.round, out)


def _describe_appealed(describer: EventDescriber, event: CaseAppealed) -> str:
    words = shorten(show_name(event.words, longest=LONGEST), LONGEST)
    if event.by == REFEREE:
        return describer.sentences.say("told_looked_into", event.case, event.turn, words)
    return describer.sentences.say("told_appealed", describer.who(event.by), event.case, event.turn, words)


def _describe_ruled(describer: EventDescriber, event: CaseRuled) -> str:
    reason = show_name(event.reason, longest=200)
    return describer.sentences.say("told_ruled", event.case, event.ruling, event.turn, reason)


def _describe_ended(describer: EventDescriber, event: GameEnded) -> str:
    who, reason = describer.all_of(event.seats), show_name(event.reason, longest=200)
    return describer.sentences.say("told_ended", event.ending, who, reason)


_MADE_BY: Final = {
    "plan": "by_plan",
    STANDING: "by_standing",
    "clock": "by_clock",
    "chance": "by_chance",
    REFEREE: "by_referee",
}

_DESCRIPTIONS: Final[Mapping[type[Payload], Callable[[EventDescriber, Any], str]]] = {
    GameOpened: _describe_opened,
    InvitationDeclined: _describe_declined,
    VoteAsked: _describe_asked,
    VoteAgreed: _describe_agreed,
    VoteObjected: _describe_objected,
    VoteDropped: _describe_dropped,
    TurnUndone: _describe_undone,
    GamePaused: _describe_paused,
    GameResumed: _describe_resumed,
    SeatResigned: _describe_resigned,
    SeatSubstituted: _describe_substituted,
    PressSent: _describe_press,
    TimeExtended: _describe_extended,
    RoundAwaited: _describe_awaited,
    GameEnded: _describe_ended,
    CaseAppealed: _describe_appealed,
    CaseRuled: _describe_ruled,
    PlayerInvited: _describe_invited,
    GameCalledOff: _describe_called_off,
    Note: _describe_note,
}
