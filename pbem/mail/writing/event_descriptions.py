"""Events in sentences: one line for each event, written for one reader.

A turn comes with the points it brought, where the table shows points, and with no more than the reader may know until
the game is over. Words that were sent to somebody else are never repeated. Lines are plain text; the layout puts a bar
before each.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from datetime import UTC, date, datetime
from itertools import pairwise
from typing import Any, Final

from engine.game import Seat
from notation import Fault, read_moves
from pbem.clock.time_control import parse_duration
from pbem.events.chain import Event
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
from pbem.events.post_kinds import (
    QUIET_NOTES,
    DelegationEnded,
    GameCalledOff,
    MissExcused,
    PlayerInvited,
    SeatDelegated,
    SeatKept,
    SeatOffered,
    TermChanged,
)
from pbem.locale.cldr import format_date_alone
from pbem.mail.writing.gains import Brought, Gains, MadeBy
from pbem.mail.writing.sentences import UTC_ZONE, Sentences, join_words, say_length, say_moment
from pbem.mail.writing.terms import say_holidays, say_subject, say_term
from pbem.mail.writing.told_turns import ToldMoves, TurnTeller
from pbem.render.players import shorten, show_name
from pbem.tables.absences import vacant_seat
from pbem.tables.asking import CLOCK
from pbem.tables.cases import CARRIED, LOST
from pbem.tables.decision import ALL, REFEREE
from pbem.tables.holidays import read_holidays
from pbem.tables.table import POST_WAS_DOWN, ROLL_BACK, Table
from pbem.tables.terms import is_change
from pbem.tables.votes import MOVED_ON

LONGEST: Final = 300
"""Characters of a player's words that a line repeats."""


class EventDescriber:
    """Describes to one reader what happened at a table."""

    def __init__(
        self,
        table: Table,
        reader: Seat,
        sentences: Sentences,
        *,
        gains: Gains,
        shows_points: bool = True,
        muted: tuple[Seat, ...] = (),
    ) -> None:
        self.table = table
        self.reader = reader
        self.sentences = sentences
        self.muted = muted
        """The players whose words the reader does not want to read."""
        self.turns = TurnTeller(table, reader, sentences, gains)
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

    def name(self, seat: str) -> str:
        """A player's name alone, as people say it; the reader's too."""
        return self.turns.names.get(seat) or self.who(seat)

    def name_or_you(self, seat: str) -> str:
        """A player's name, or `you` for the reader: for lists, in which no verb follows."""
        return self.sentences.say("you") if seat == self.reader else self.name(seat)

    def names_of(self, seats: Iterable[str]) -> str:
        """Several players' names as one phrase."""
        return join_words([self.name(seat) for seat in seats], self.sentences)

    def describe(self, events: Iterable[Event]) -> list[str]:
        """One line for each event that is news to the reader."""
        shown = list(events)
        # "The game has begun" says already that everybody has accepted.
        if any(isinstance(event.payload, GameStarted) for event in shown):
            shown = [event for event in shown if not isinstance(event.payload, GameOpened | InvitationAccepted)]
        gains = self._gains(shown)
        again = {after.seq for before, after in pairwise(shown) if _is_same_chance(before, after)}
        overtold = {one.seq for one, other in pairwise(shown) if self.turns.is_told_by_next(one, other)}
        lines: list[str] = []
        before: Event | None = None
        begun: ToldMoves | None = None
        for event in shown:
            if isinstance(event.payload, MovesMade):
                same = before if before is not None and _turn(before) == event.payload.turn else None
                brought, before = gains.get(event.seq), event
                if lapsed := self.turns.find_lapsed(event):
                    # It lapses for all who have not answered, and who they are is nobody's affair.
                    said = self.sentences.say("told_lapsed", "" if lapsed == self.reader else self.name(lapsed))
                    lines += [said] if said not in lines[-1:] else []
                    begun = None
                elif event.seq not in overtold:
                    goes_on = begun is not None and event.maker is None and begun.goes_on(event.payload)
                    told = self.turns.tell(
                        *(event, event.payload, brought, same),
                        again=event.seq in again,
                        begun=begun if goes_on else None,
                    )
                    if told.line:
                        lines, begun = [*(lines[:-1] if told.is_joined else lines), told.line], told
            elif line := _DESCRIPTIONS.get(type(event.payload), _describe_fields)(self, event.payload):
                lines, begun = [*lines, line], None
        return lines

    def _gains(self, events: list[Event]) -> dict[int, Brought]:
        """What the moves of some events brought, by the number of the event; moves taken back brought nothing."""
        turns = [event.payload.turn for event in events if isinstance(event.payload, TurnPlayed)]
        if not turns:
            return {}
        gained = self._gained.of_moves(self.table, min(turns))
        left: dict[MadeBy, list[Brought]] = {}
        found: dict[int, Brought] = {}
        # What was taken back may have been played again: the last time stands.
        for event in reversed(events):
            if isinstance(made := event.payload, TurnPlayed):
                moves = read_moves(self.table.game, event.phrase)
                by = (made.turn, made.seat, () if isinstance(moves, Fault) else moves)
                if same := left.setdefault(by, list(gained.get(by, ()))):
                    found[event.seq] = same.pop()
        if self._shows_points:
            return found
        return {seq: Brought(deeds=brought.deeds) for seq, brought in found.items()}


def _turn(event: Event) -> int | None:
    """The turn in which moves were made."""
    return event.payload.turn if isinstance(event.payload, MovesMade) else None


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


def _describe_note(describer: EventDescriber, event: Payload) -> str:
    """Notes change nothing; those that players should read have mails of their own."""
    return ""


def _describe_asked(describer: EventDescriber, event: VoteAsked) -> str:
    if is_change(event.what):
        return describer.sentences.say(
            "told_asked_change", describer.who(event.by), say_subject(event.what, describer.sentences)
        )
    return describer.sentences.say("told_asked", describer.who(event.by), event.what, event.turn)


def _describe_agreed(describer: EventDescriber, event: VoteAgreed) -> str:
    return describer.sentences.say("told_agreed", describer.who(event.by), say_subject(event.what, describer.sentences))


def _describe_objected(describer: EventDescriber, event: VoteObjected) -> str:
    return describer.sentences.say(
        "told_objected", describer.who(event.by), say_subject(event.what, describer.sentences)
    )


def _describe_dropped(describer: EventDescriber, event: VoteDropped) -> str:
    moved_on = event.by == MOVED_ON
    subject = say_subject(event.what, describer.sentences)
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
    if (event.by, event.turn) in describer.table.taken_back:
        told = "told_taken_back_part" if event.kept else "told_taken_back"
        return describer.sentences.say(told, describer.who(event.by), event.turn)
    return describer.sentences.say("told_undone", event.turn)


def _describe_paused(describer: EventDescriber, event: GamePaused) -> str:
    return describer.sentences.say("told_paused", say_reason(event.reason, describer.sentences))


def _describe_resumed(describer: EventDescriber, event: GameResumed) -> str:
    return describer.sentences.say("told_resumed", say_reason(event.reason, describer.sentences))


def _describe_resigned(describer: EventDescriber, event: SeatResigned) -> str:
    lost = event.by == CLOCK
    return describer.sentences.say("told_out_of_time" if lost else "told_resigned", describer.who(event.seat))


def _describe_substituted(describer: EventDescriber, event: SeatSubstituted) -> str:
    sentences = describer.sentences
    return sentences.say("told_substituted", sentences.seat(event.seat), sentences.name(event.name))


def _describe_delegated(describer: EventDescriber, event: SeatDelegated) -> str:
    sentences = describer.sentences
    last = format_date_alone(event.last, sentences.locale.code)
    return sentences.say("told_delegated", describer.who(event.seat), sentences.name(event.name), last)


def _describe_press(describer: EventDescriber, event: PressSent) -> str:
    who = describer.who(event.sender)
    if event.to == ALL and event.words and event.sender not in describer.muted:
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
    moment, sentences = datetime.fromisoformat(event.out).astimezone(UTC), describer.sentences
    out = say_moment(moment, UTC_ZONE, sentences, moment)
    return describer.sentences.say("told_awaited", event.round, out)


def _describe_appealed(describer: EventDescriber, event: CaseAppealed) -> str:
    words = shorten(show_name(event.words, longest=LONGEST), LONGEST)
    if event.by == REFEREE:
        return describer.sentences.say("told_looked_into", event.case, event.turn, words)
    return describer.sentences.say("told_appealed", describer.who(event.by), event.case, event.turn, words)


def _describe_ruled(describer: EventDescriber, event: CaseRuled) -> str:
    reason = show_name(event.reason, longest=200)
    if event.reason in (CARRIED, LOST):
        voted = describer.sentences.gettext(event.reason)
        return describer.sentences.say("told_voted", event.case, event.ruling == ROLL_BACK, event.turn, voted)
    return describer.sentences.say("told_ruled", event.case, event.ruling, event.turn, reason)


def _describe_excused(describer: EventDescriber, event: MissExcused) -> str:
    return describer.sentences.say("told_excused", describer.name(event.seat), show_name(event.reason, longest=200))


def _describe_changed(describer: EventDescriber, event: TermChanged) -> str:
    if event.by == CLOCK:
        more = {*(read_holidays(event.new) or ((), ()))[1]} - {*(read_holidays(event.old) or ((), ()))[1]}
        return describer.sentences.say("told_more_holidays", say_holidays(more, describer.sentences.locale.code))
    new, old = (say_term(event.term, value, describer.sentences) for value in (event.new, event.old))
    return describer.sentences.say("told_changed", new, old, show_name(event.reason, longest=200))


def _describe_ended(describer: EventDescriber, event: GameEnded) -> str:
    who, reason = describer.all_of(event.seats), show_name(event.reason, longest=200)
    return describer.sentences.say("told_ended", event.ending, who, reason)


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
    **dict.fromkeys(QUIET_NOTES, _describe_note),
    SeatOffered: lambda describer, event: describer.sentences.say("told_seat_offered", describer.who(event.seat)),
    MissExcused: _describe_excused,
    TermChanged: _describe_changed,
    SeatDelegated: _describe_delegated,
    DelegationEnded: lambda describer, event: describer.sentences.say("told_owner_back", describer.who(event.seat)),
    SeatKept: lambda describer, event: describer.sentences.say("told_seat_kept", describer.who(event.seat)),
}
