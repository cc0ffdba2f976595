"""Turns in words: who, a colon, and the order itself, which can be copied and sent; then what came of it.

What chance brought is told as what happened to the player whose turn it was. What the reader may not know is told as
far as everybody sees it, and what only some know is marked as that.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from engine.game import CHANCE, PUBLIC, Seat, View
from engine.verdict import begin_sentence
from notation import Fault, read_moves
from notation.phrasebook import hides
from notation.phrases import phrases
from notation.speech import is_name_in_moves, is_word_of_moves
from pbem.events.chain import Event, phrase_of
from pbem.events.kinds import ChanceDealt, MovesMade
from pbem.mail.writing.gains import Brought, Gain, Gains
from pbem.mail.writing.sentences import Sentences, end_sentence, join_sentences
from pbem.tables.decision import REFEREE
from pbem.tables.play import words_for_players
from pbem.tables.standing_orders import STANDING
from pbem.tables.table import FORCED, OVER, Table

VIEW_CACHE: Final = 256
"""Positions whose public view is cached."""

_MADE_BY: Final = {
    "plan": "by_plan",
    STANDING: "by_standing",
    "clock": "by_clock",
    "chance": "by_chance",
    REFEREE: "by_referee",
}


class DealtFacts(NamedTuple):
    """What a game's sentences about chance and hidden moves need to know, besides the moves."""

    who: str
    """The player whose turn it was, as the reader knows them; empty if that is not known any more."""
    is_reader: bool
    whom: str
    """The player from whom something was taken, if there is one."""
    from_reader: bool
    is_secret: bool
    """Whether not everybody knows it."""
    is_known: bool
    """Whether the reader knows it."""
    is_again: bool
    """Whether chance was drawn before in the same turn, and had to try once more."""
    reader: Seat
    names: Mapping[Seat, str]
    """What the players are called."""


class ToldMoves(NamedTuple):
    """A line about moves, and what a later line of the same turn can be joined to."""

    line: str
    by: tuple[int, Seat] | None = None
    """The turn, and who is moving; None if nothing can be joined, because the line says what came of the moves."""
    thrown: str = ""
    """The dice before the moves, where nothing else is to be said of them."""
    phrases: tuple[str, ...] = ()
    """The moves told so far, in notation."""
    is_joined: bool = False
    """Whether it says what the line before said, too, and stands in its place."""

    def goes_on(self, made: MovesMade) -> bool:
        """Whether other moves belong into the same line: what was planned, or made for a player, is told as that."""
        return self.by == (made.turn, made.seat) and made.by not in _MADE_BY


class TurnTeller:
    """Tells the turns of a table to one reader."""

    def __init__(self, table: Table, reader: Seat, sentences: Sentences, gains: Gains) -> None:
        self.table = table
        self.reader = reader
        self.sentences = sentences
        self._gains = gains

    @cached_property
    def names(self) -> Mapping[Seat, str]:
        """What each player is called: by name, if that is no word of the game, with the colour if two share it."""
        return call_players(self.table.game.key, self.table.names, self.sentences)

    @cached_property
    def names_in_moves(self) -> Mapping[Seat, str]:
        """The names that are written for seats inside moves: those that the reader of letters knows again."""
        known = words_for_players(self.table.names)
        firsts = {seat: name.split(" ")[0] for seat, name in self.table.names.items() if name}
        return {
            seat: self.sentences.name(first)
            for seat, first in firsts.items()
            if known.get(first.lower()) == seat and is_name_in_moves(self.table.game.key, first)
        }

    def tell(
        self,
        event: Event,
        made: MovesMade,
        brought: Brought | None,
        before: Event | None,
        *,
        again: bool = False,
        begun: ToldMoves | None = None,
    ) -> ToldMoves:
        """One turn, or a part of it; its line is empty if there is nothing that the reader does not know already.

        `before` is the event with moves before it, if there is one in the same turn, and `begun` the line before, if
        these moves belong into it.
        """
        phrase = phrase_of(event, None if self.table.stage == OVER else self.reader)
        if made.seat == CHANCE or hides(phrase):
            sentence = "dealt" if made.seat == CHANCE else "secret"
            return self._say_dealt(sentence, event, made, phrase, before, again=again)
        is_forced = made.by == FORCED and made.seat == self.reader
        is_joined = begun is not None and not is_forced
        thrown, told = (begun.thrown, (*begun.phrases, phrase)) if begun and is_joined else ("", (phrase,))
        who = self.sentences.say("thrown_by", self.names[made.seat], thrown) if thrown else self.names[made.seat]
        order = self.say_order(", ".join(told))
        said = [self.sentences.say("by_forced", order) if is_forced else self.sentences.say("told_turn", who, order)]
        if event.sealed is not None and self.table.stage != OVER:
            said.append(self._say_dealt("secret", event, made, phrase, before).line)
        said += say_brought(brought, self.sentences, self.names, self.reader) if brought is not None else ()
        # Only the player may know that a standing order has answered, or, in the second form, that a move was prepared.
        by = event.maker or made.by if made.seat == self.reader else made.by
        if by in _MADE_BY and (by != STANDING or made.seat == self.reader):
            said.append(self.sentences.say(_MADE_BY[by]))
        line = join_sentences(said)
        if len(said) > 1 or is_forced:
            return ToldMoves(line, is_joined=is_joined)
        return ToldMoves(line, (made.turn, made.seat), thrown, told, is_joined)

    def is_told_by_next(self, event: Event, following: Event) -> bool:
        """Whether a turn need not be told, because what chance brings next says it: whoever has rolled has asked to."""
        made, dealt = event.payload, following.payload
        if not (isinstance(made, MovesMade) and isinstance(dealt, ChanceDealt) and made.turn == dealt.turn):
            return False
        moves = read_moves(self.table.game, event.phrase)
        return not isinstance(moves, Fault) and all(type(move).__name__ in self.sentences.implied for move in moves)

    def find_lapsed(self, event: Event) -> Seat:
        """Whose offer an event lets lapse, because its short time was up; empty if it does nothing of the kind."""
        reader, made = phrases(self.table.game.key), event.payload
        if reader is None or not self.table.has_short_offers or not isinstance(made, MovesMade) or made.by != "clock":
            return ""
        moves = read_moves(self.table.game, event.phrase)
        is_no = not isinstance(moves, Fault) and isinstance(moves[-1], reader.book.declines)
        return str(getattr(moves[-1], "seat", None) or "") if is_no else ""

    def say_order(self, phrase: str) -> str:
        """Moves as an order in the reader's language, players by their names."""
        return self.sentences.spoken(phrase, tuple(self.names_in_moves.items()))

    def _say_dealt(
        self, sentence: str, event: Event, made: MovesMade, phrase: str, before: Event | None, *, again: bool = False
    ) -> ToldMoves:
        """What chance brought, or what can be told of a move whose value not everybody may know."""
        game: Any = self.table.game
        view = self._view_after(event, made) if made.seat == CHANCE else None
        seat = made.seat if made.seat != CHANCE else on_turn_in(view) or _mover(before)
        whom = self._robbed(before)
        facts = DealtFacts(
            who=self.names.get(seat, ""),
            is_reader=seat == self.reader,
            whom=self.names.get(whom, ""),
            from_reader=whom == self.reader,
            is_secret=event.sealed is not None and self.table.stage != OVER,
            is_known=not hides(phrase),
            is_again=again,
            reader=self.reader,
            names=self.names,
        )
        moves = read_moves(game, phrase)
        told = () if isinstance(moves, Fault) else moves
        said = [end_sentence(self.sentences.outcome(sentence, phrase, move, facts, view)) for move in told]
        thrown = self.sentences.bare_dice(told[0], facts) if len(told) == 1 else ""
        return ToldMoves(join_sentences(said), (made.turn, seat) if thrown else None, thrown)

    def _view_after(self, event: Event, made: MovesMade) -> View | None:
        """What everybody sees after moves of chance; None for turns that were taken back."""
        moves = read_moves(self.table.game, event.phrase)
        after = None if isinstance(moves, Fault) else self._gains.after_chance(self.table, made.turn, moves)
        return _public_view(self.table.game.view, after) if after is not None else None

    def _robbed(self, before: Event | None) -> Seat:
        """The seat that the move before has taken something from."""
        moves = read_moves(self.table.game, before.phrase) if before is not None else ()
        last = moves[-1] if moves and not isinstance(moves, Fault) else None
        return str(getattr(last, "victim", None) or "")


def call_players(key: str, players: Mapping[Seat, str], sentences: Sentences) -> Mapping[Seat, str]:
    """What each player is called: by name, if that is no word of the game, with the colour if two share it."""
    called = {}
    for seat, player in players.items():
        name, colour = player.strip(), sentences.seat(seat)
        if name.casefold() in ("", seat) or is_word_of_moves(key, name):
            called[seat] = colour
            continue
        same = [other for other in players.values() if other.casefold() == name.casefold()]
        shown = sentences.name(name)
        called[seat] = shown if len(same) == 1 else sentences.say("namesake", shown, colour)
    return called


def say_brought(brought: Brought, sentences: Sentences, names: Mapping[Seat, str], reader: Seat) -> Iterator[str]:
    """What moves brought their player, then what they brought others, each with what it was for."""
    if won := [*brought.paid, *brought.counted]:
        yield _say_gains(won, sentences)
    for seat in dict.fromkeys(each.seat for each in brought.others):
        who = sentences.say("you") if seat == reader else names[seat]
        paid = [(each.reason, each.points) for each in brought.others if each.seat == seat]
        yield sentences.say("gained_by", begin_sentence(who), _say_gains(paid, sentences))
    if brought.deeds and not (won or brought.others):
        yield begin_sentence(", ".join(map(sentences.source, brought.deeds)))


def _say_gains(won: list[Gain], sentences: Sentences) -> str:
    if len(won) == 1:
        ((source, points),) = won
        return sentences.say("gained", points, sentences.gain(source, points))
    reasons = [sentences.say("counted", sentences.source(source), points) for source, points in won]
    return sentences.say("gained", sum(points for _, points in won), ", ".join(reasons))


def on_turn_in(view: View | None) -> Seat:
    """Whose turn it is, in views that say so."""
    return "" if view is None else str(view.get("on_turn") or view.get("who") or "")


def _mover(event: Event | None) -> Seat:
    """Who made the moves of an event."""
    return event.payload.seat if event is not None and isinstance(event.payload, MovesMade) else ""


@lru_cache(maxsize=VIEW_CACHE)
def _public_view(look: Callable[[Any, Seat], View], position: object) -> View:
    """The public view of a position; cached, because every reader gets it, and later mails again."""
    return look(position, PUBLIC)
