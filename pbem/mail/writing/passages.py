"""How a game ended, in the reader's words: the points of everybody, and who won or shares it.

Passages that many mails share: how the table stands, what happened, what the reader may do, the board.

Each gives the blocks for one thing, or none if there is nothing to say.

What is asked at the table, and how to answer it.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from engine.game import CHANCE, Seat
from notation import AGREED, RESUME, Fault, Standing, read_result
from pbem.clock.time_control import read_control
from pbem.events.chain import Event
from pbem.events.kinds import GamePaused, MovesMade, TurnUndone
from pbem.mail.writing.blocks import (
    LEAD,
    SOFT,
    Block,
    Heading,
    Lines,
    Links,
    Notation,
    Owners,
    Paragraph,
    Picture,
    Points,
)
from pbem.mail.writing.board_pictures import BoardPictures
from pbem.mail.writing.choices import Choices
from pbem.mail.writing.event_descriptions import say_reason
from pbem.mail.writing.page import MailContext
from pbem.mail.writing.sentences import Sentences, join_words, say_length, say_moment
from pbem.render.plain_scene import flatten
from pbem.render.players import show_name
from pbem.tables.absences import vacancy
from pbem.tables.table import CALLED_OFF, INVITING, OVER, PLAYING, VOTED, Vote, is_case
from pbem.tables.votes import quorum


def say_result(context: MailContext) -> str:
    """The result of a game that is over; as it is written where it cannot be read."""
    table = context.table
    standings = read_result(table.result)
    if isinstance(standings, Fault) or not standings:
        return context.sentences.order(table.result)
    if is_drawn(context):
        shared = [_say_standing(context, each) for each in standings if each.won]
        others = [_say_standing(context, each) for each in standings if not each.won]
        return "; ".join([context.say("shared", join_words(shared, "both", context.sentences)), *others])
    return ", ".join(
        context.say("winner", _say_standing(context, each)) if each.won else _say_standing(context, each)
        for each in standings
    )


def is_drawn(context: MailContext) -> bool:
    """Whether the players have agreed to share the game."""
    return context.table.ending is not None and context.table.ending.kind == AGREED


def _say_standing(context: MailContext, standing: Standing) -> str:
    seat = context.sentences.seat(standing.seat)
    return seat if standing.points is None else f"{seat} {standing.points}"


COUNTED: Final = 16
"""Boards whose points are kept as they were counted, until all who see them have their mails."""


def table_status(context: MailContext) -> Iterator[Block]:
    """Whose turn it is, and until when; or why nobody's."""
    table = context.table
    if table.stage == INVITING:
        yield awaited_answers(context)
        yield from how_to_accept(context)
    elif table.stage == CALLED_OFF:
        yield Paragraph(context.say("called_off"))
    else:
        yield Paragraph(whose_turn(context))
        yield from timing(context)


def requested_status(context: MailContext) -> Iterator[Block]:
    """The same below a heading, for somebody who asked for it."""
    if context.board is None:
        yield from table_status(context)
    else:
        yield Heading(whose_turn(context).removesuffix("."))
        yield from timing(context)


def awaited_answers(context: MailContext) -> Block:
    """Who has not said yet whether he plays."""
    waiting = [seat for seat in context.table.seats if seat not in context.table.accepted]
    return Paragraph(
        context.say("waiting_for", context.describer.all_of(waiting)) if waiting else context.say("waiting_for_chance")
    )


def how_to_accept(context: MailContext) -> Iterator[Block]:
    """How somebody takes the seat that is kept for him, or does not; nothing once he has."""
    table = context.table
    if table.stage != INVITING or context.seat not in table.seats or context.seat in table.accepted:
        return
    yield Paragraph(context.say("take_seat"))
    answers = (("link_accept", "accept"), ("link_decline", "decline"), ("link_help", "help"))
    yield Links(tuple(context.link(context.say(label), body) for label, body in answers))


def whose_turn(context: MailContext) -> str:
    """Whose turn it is, or how the game ended, in one sentence."""
    table = context.table
    if table.stage == OVER:
        return context.say("over", say_result(context))
    if context.due == (CHANCE,):
        return context.say("waiting_for_chance")
    asked = asked_seats(context)
    plays = context.seat in table.active
    if plays and context.seat in asked:
        return context.say("your_answer", table.turn)
    if plays and context.seat in context.due:
        return context.say("your_turn", table.turn)
    vacant = [context.sentences.seat(seat) for seat in context.due if seat in table.resigned and seat not in asked]
    on_turn = [seat for seat in context.due if seat in table.active and seat not in asked]
    said = [context.say("their_turn", context.describer.all_of(on_turn), table.turn)] if on_turn else []
    said += [context.say("vacant_turn", seat, table.turn) for seat in vacant]
    return " ".join([*said, context.say("their_answer", context.describer.all_of(asked))] if asked else said)


def asked_seats(context: MailContext) -> list[Seat]:
    """Those who are due only to answer something: a view may tell under `on_turn` or `who` whose turn it is."""
    view = context.board.view if context.board is not None else {}
    on_turn = view.get("on_turn", view.get("who"))
    others = [seat for seat in context.due if seat not in (on_turn, CHANCE)]
    return others if on_turn in context.table.seats else []


def timing(context: MailContext, *, warns: bool = False) -> Iterator[Block]:
    """Until when the reader has time, or why time stands still; who is late, or warned, hears what that brings."""
    if context.table.stage != PLAYING:
        return
    if context.table.pauses:
        reasons = [say_reason(each, context.sentences) for each in sorted(context.table.pauses)]
        yield Paragraph(context.say("stands_still", join_words(reasons, "both", context.sentences)))
        if vacancy(context.seat) in context.table.pauses and context.seat in context.table.active:
            yield Paragraph(context.say("may_return"), LEAD)
        elif _may_choose(context):
            yield Paragraph(context.say("may_play"))
        if _may_resume(context):
            yield Paragraph(context.say("may_resume"))
    elif context.seat in context.deadlines:
        deadline = context.deadlines[context.seat]
        moment, left = (
            say_moment(deadline, context.envelope.to.zone, context.sentences),
            deadline - context.envelope.date,
        )
        late = left.total_seconds() <= 0
        said = (
            context.say("was_due", moment)
            if late
            else context.say("answer_by", moment, say_length(left, context.sentences))
        )
        yield Paragraph(said, LEAD)
        if warns or late:
            yield Paragraph(_at_stake(context))


def _at_stake(context: MailContext) -> str:
    """What silence brings a reader who is due, and after how much grace."""
    control = read_control(context.table.terms)
    grace = say_length(control.grace, context.sentences)
    if context.choices is not None and context.choices.default:
        return context.say("silence_answers", grace, context.sentences.order(context.choices.default))
    return context.say("silence", control.silence, grace)


def news(context: MailContext, events: Iterable[Event]) -> list[str]:
    """What happened, one line an event; why time stands still now is told with the deadlines, and not twice."""
    pauses = context.table.pauses if context.table.stage == PLAYING else ()
    return context.describer.describe(
        event for event in events if not isinstance(event.payload, GamePaused) or event.payload.reason not in pauses
    )


def what_happened(
    context: MailContext, events: Iterable[Event], heading: str, *, headline: str = ""
) -> Iterator[Block]:
    """What happened, below a heading; nothing if nothing did, or nothing but what the headline says."""
    lines = news(context, events)
    if lines and lines != [headline]:
        yield Heading(context.say(heading))
        yield Lines(tuple(lines))


def _may_choose(context: MailContext) -> bool:
    """Whether moves are to be offered: in a pause too, but not while the referee may still change what they follow."""
    return context.choices is not None and not any(map(is_case, context.table.pauses))


def _may_resume(context: MailContext) -> bool:
    """Whether the reader can ask the others to end a pause; once that is asked, it is a question to answer."""
    table = context.table
    return VOTED in table.pauses and RESUME not in table.votes and context.seat in table.active


def at_hand(context: MailContext) -> Iterator[Block]:
    """What the reader alone knows, such as the cards he holds, and what he may do with it."""
    yield from private(context)
    yield from choices(context)


def choices(context: MailContext) -> Iterator[Block]:
    """What the reader may do now, the form of the order, a legal example, and answers to tap."""
    if context.choices is None or context.board is None or not _may_choose(context):
        return
    found, view = context.choices, context.board.view
    yield Heading(context.say("title_may"))
    first, *others = context.sentences.list_out("may", view, context.seat, found) or [""]
    if first:
        yield Paragraph(first)
    if others:
        yield Lines(tuple(others), whole=True)
    for form in context.sentences.list_out("form", view):
        yield to_copy(context, "form", form)
    if found.example:
        yield to_copy(context, "example", found.example)
        yield from _answers(context, found)
    yield Paragraph(context.say("other_words"), SOFT)


def to_copy(context: MailContext, sentence: str, phrase: str) -> Block:
    """Notation to be copied, behind a sentence that leads to it."""
    return Notation(context.say(sentence, ""), context.sentences.order(phrase))


def _answers(context: MailContext, found: Choices) -> Iterator[Block]:
    """Answers to tap. Where there are few they are all there, and none is put forward by a button."""
    taps = tuple(
        context.link(context.say("link_play", context.sentences.order(phrase)), phrase) for phrase in found.few
    )
    if len(taps) == len(found.moves) > 1:
        yield Links((*taps, context.link(context.say("link_own"), "")), button=False)
        return
    yield Links(
        (
            context.link(context.say("link_own"), ""),
            context.link(context.say("link_example"), found.example),
            context.link(context.say("link_preview"), f"preview {found.example}"),
        )
    )
    if taps and found.few != [found.example]:
        yield Links(taps, button=False)


def small_links(context: MailContext) -> Iterator[Block]:
    """Questions to tap that are always welcome, and the end of a pause."""
    if _may_resume(context):
        yield Links((context.link(context.say("link_resume"), RESUME),), button=False)
    words = ("status", "board", "history", "help")
    yield Links(tuple(context.link(context.say(f"link_{word}"), word) for word in words), button=False)


def picture(context: MailContext, last: Iterable[Event] = ()) -> Iterator[Block]:
    """The board as a picture; those who do not see it hear of the last turn and whose turn it is."""
    if context.board is None:
        return
    turns = [event for event in last if isinstance(event.payload, MovesMade | TurnUndone)]
    latest = "".join(context.describer.describe(turns[-1:]))
    yield Picture(context.board, context.say("alt", context.table.id, latest, whose_turn(context)))


def points(context: MailContext) -> Iterator[Block]:
    """The points so far, by source; none before somebody has any."""
    if context.board is None or context.board.score is None:
        return
    counted = _count(context.board, context.sentences)
    if any(sources for _, sources, _ in counted):
        rows = tuple([(context.describer.who(seat), sources, total) for seat, sources, total in counted])
        yield Points(context.say("title_points"), rows, context.say("together"))


@lru_cache(maxsize=COUNTED)
def _count(board: BoardPictures, sentences: Sentences) -> tuple[tuple[Seat, tuple[tuple[str, int], ...], int], ...]:
    """Of each seat the sources that brought any points, and their sum; the same for all who see the same board."""
    rows = []
    for tally in board.score.tallies if board.score is not None else ():
        counted: dict[str, int] = {}
        for line in tally.lines:
            counted[line.source] = counted.get(line.source, 0) + line.points
        sources = tuple((sentences.source(source), points) for source, points in counted.items() if points)
        rows.append((tally.seat, sources, tally.total))
    return tuple(rows)


def private(context: MailContext) -> Iterator[Block]:
    """What only the reader knows."""
    if context.board is None or context.seat not in context.table.seats:
        return
    said = context.sentences.list_out("private", context.board.view, context.seat)
    if not said and context.board.own:
        said = [f"{path}: {show_name(value, longest=200)}" for path, value in flatten(context.board.own)]
    if said:
        yield Heading(context.say("title_private"))
        yield Lines(tuple(said))


def owners(context: MailContext) -> Iterator[Block]:
    """The board in sentences."""
    if context.board is not None:
        yield Heading(context.say("title_board"))
        yield Owners(context.board)


def whole_board(context: MailContext) -> Iterator[Block]:
    """Points, and the board in sentences."""
    yield from points(context)
    yield from owners(context)


def questions(context: MailContext) -> Iterator[Block]:
    """What others have asked and the reader has not answered, and what the reader has asked them."""
    votes = open_votes(context)
    if votes:
        yield Heading(context.say("title_asked"))
    for vote in votes:
        yield Lines((say_request(context, vote),))
        yield from _own_request(context, vote) if vote.by == context.seat else _request(context, vote)


def open_votes(context: MailContext) -> list[Vote]:
    """Those on which the reader has something to say: his own, and those that he has not answered."""
    votes = context.table.votes.values() if context.seat in context.table.active else ()
    return [vote for vote in votes if vote.by == context.seat or context.seat not in vote.agreed | vote.against]


def say_request(context: MailContext, vote: Vote) -> str:
    """Who asks for what."""
    return context.say("told_asked", context.describer.who(vote.by), vote.what, vote.turn)


def _request(context: MailContext, vote: Vote) -> Iterator[Block]:
    """How the reader answers what somebody has asked."""
    yield Paragraph(context.say("consent", vote.what))
    about = context.say("subject", vote.what)
    yield Links(
        (
            context.link(context.say("link_agree", about), f"agree {vote.what}"),
            context.link(context.say("link_object", about), f"object {vote.what}"),
        )
    )


def _own_request(context: MailContext, vote: Vote) -> Iterator[Block]:
    """Who has still to agree to what the reader has asked, and how it is taken back."""
    silent = [seat for seat in context.table.active if seat not in vote.agreed | vote.against]
    missing = quorum(context.table, vote.what) - len(vote.agreed & {*context.table.active})
    who = context.describer.all_of(silent)
    yield Paragraph(
        context.say("all_agree", who) if missing >= len(silent) else context.say("some_agree", missing, who)
    )
    yield Paragraph(context.say("take_request_back", vote.what))
    about = context.say("subject", vote.what)
    yield Links((context.link(context.say("link_take_request_back", about), f"object {vote.what}"),), button=False)
