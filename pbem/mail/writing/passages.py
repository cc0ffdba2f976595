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
from pbem.mail.writing.describe import join_words, say_length, say_moment, say_reason
from pbem.mail.writing.page import MailWriter
from pbem.mail.writing.sentences import Sentences
from pbem.render.plain_scene import flatten
from pbem.render.players import show_name
from pbem.tables.absences import vacancy
from pbem.tables.table import CALLED_OFF, INVITING, OVER, PLAYING, VOTED, Vote, is_case
from pbem.tables.votes import quorum


def say_result(pen: MailWriter) -> str:
    """The result of a game that is over; as it is written where it cannot be read."""
    table = pen.table
    standings = read_result(table.result)
    if isinstance(standings, Fault) or not standings:
        return pen.voice.order(table.result)
    if is_drawn(pen):
        shared = [_say_standing(pen, each) for each in standings if each.won]
        others = [_say_standing(pen, each) for each in standings if not each.won]
        return "; ".join([pen.say("shared", join_words(shared, "both", pen.voice)), *others])
    return ", ".join(
        pen.say("winner", _say_standing(pen, each)) if each.won else _say_standing(pen, each) for each in standings
    )


def is_drawn(pen: MailWriter) -> bool:
    """Whether the players have agreed to share the game."""
    return pen.table.ending is not None and pen.table.ending.kind == AGREED


def _say_standing(pen: MailWriter, standing: Standing) -> str:
    seat = pen.voice.seat(standing.seat)
    return seat if standing.points is None else f"{seat} {standing.points}"


COUNTED: Final = 16
"""Boards whose points are kept as they were counted, until all who see them have their mails."""


def standing(pen: MailWriter) -> Iterator[Block]:
    """Whose turn it is, and until when; or why nobody's."""
    table = pen.table
    if table.stage == INVITING:
        yield still_to_answer(pen)
        yield from invited(pen)
    elif table.stage == CALLED_OFF:
        yield Paragraph(pen.say("called_off"))
    else:
        yield Paragraph(whose_turn(pen))
        yield from timing(pen)


def how_it_stands(pen: MailWriter) -> Iterator[Block]:
    """The same below a heading, for somebody who asked for it."""
    if pen.board is None:
        yield from standing(pen)
    else:
        yield Heading(whose_turn(pen).removesuffix("."))
        yield from timing(pen)


def still_to_answer(pen: MailWriter) -> Block:
    """Who has not said yet whether he plays."""
    waiting = [seat for seat in pen.table.seats if seat not in pen.table.accepted]
    return Paragraph(pen.say("waiting_for", pen.teller.all_of(waiting)) if waiting else pen.say("waiting_for_chance"))


def invited(pen: MailWriter) -> Iterator[Block]:
    """How somebody takes the seat that is kept for him, or does not; nothing once he has."""
    table = pen.table
    if table.stage != INVITING or pen.seat not in table.seats or pen.seat in table.accepted:
        return
    yield Paragraph(pen.say("take_seat"))
    answers = (("link_accept", "accept"), ("link_decline", "decline"), ("link_help", "help"))
    yield Links(tuple(pen.link(pen.say(label), body) for label, body in answers))


def whose_turn(pen: MailWriter) -> str:
    """Whose turn it is, or how the game ended, in one sentence."""
    table = pen.table
    if table.stage == OVER:
        return pen.say("over", say_result(pen))
    if pen.due == (CHANCE,):
        return pen.say("waiting_for_chance")
    asked = asked_seats(pen)
    plays = pen.seat in table.active
    if plays and pen.seat in asked:
        return pen.say("your_answer", table.turn)
    if plays and pen.seat in pen.due:
        return pen.say("your_turn", table.turn)
    vacant = [pen.voice.seat(seat) for seat in pen.due if seat in table.resigned and seat not in asked]
    on_turn = [seat for seat in pen.due if seat in table.active and seat not in asked]
    said = [pen.say("their_turn", pen.teller.all_of(on_turn), table.turn)] if on_turn else []
    said += [pen.say("vacant_turn", seat, table.turn) for seat in vacant]
    return " ".join([*said, pen.say("their_answer", pen.teller.all_of(asked))] if asked else said)


def asked_seats(pen: MailWriter) -> list[Seat]:
    """Those who are due only to answer something: a view may tell under `on_turn` or `who` whose turn it is."""
    view = pen.board.view if pen.board is not None else {}
    on_turn = view.get("on_turn", view.get("who"))
    others = [seat for seat in pen.due if seat not in (on_turn, CHANCE)]
    return others if on_turn in pen.table.seats else []


def timing(pen: MailWriter, *, warns: bool = False) -> Iterator[Block]:
    """Until when the reader has time, or why time stands still; who is late, or warned, hears what that brings."""
    if pen.table.stage != PLAYING:
        return
    if pen.table.pauses:
        reasons = [say_reason(each, pen.voice) for each in sorted(pen.table.pauses)]
        yield Paragraph(pen.say("stands_still", join_words(reasons, "both", pen.voice)))
        if vacancy(pen.seat) in pen.table.pauses and pen.seat in pen.table.active:
            yield Paragraph(pen.say("may_return"), LEAD)
        elif _may_choose(pen):
            yield Paragraph(pen.say("may_play"))
        if _may_resume(pen):
            yield Paragraph(pen.say("may_resume"))
    elif pen.seat in pen.deadlines:
        deadline = pen.deadlines[pen.seat]
        moment, left = say_moment(deadline, pen.envelope.to.zone, pen.voice), deadline - pen.envelope.date
        late = left.total_seconds() <= 0
        said = pen.say("was_due", moment) if late else pen.say("answer_by", moment, say_length(left, pen.voice))
        yield Paragraph(said, LEAD)
        if warns or late:
            yield Paragraph(_at_stake(pen))


def _at_stake(pen: MailWriter) -> str:
    """What silence brings a reader who is due, and after how much grace."""
    control = read_control(pen.table.terms)
    grace = say_length(control.grace, pen.voice)
    if pen.choices is not None and pen.choices.default:
        return pen.say("silence_answers", grace, pen.voice.order(pen.choices.default))
    return pen.say("silence", control.silence, grace)


def news(pen: MailWriter, events: Iterable[Event]) -> list[str]:
    """What happened, one line an event; why time stands still now is told with the deadlines, and not twice."""
    pauses = pen.table.pauses if pen.table.stage == PLAYING else ()
    return pen.teller.tell(
        event for event in events if not isinstance(event.payload, GamePaused) or event.payload.reason not in pauses
    )


def told(pen: MailWriter, events: Iterable[Event], heading: str, *, headline: str = "") -> Iterator[Block]:
    """What happened, below a heading; nothing if nothing did, or nothing but what the headline says."""
    lines = news(pen, events)
    if lines and lines != [headline]:
        yield Heading(pen.say(heading))
        yield Lines(tuple(lines))


def _may_choose(pen: MailWriter) -> bool:
    """Whether moves are to be offered: in a pause too, but not while the referee may still change what they follow."""
    return pen.choices is not None and not any(map(is_case, pen.table.pauses))


def _may_resume(pen: MailWriter) -> bool:
    """Whether the reader can ask the others to end a pause; once that is asked, it is a question to answer."""
    table = pen.table
    return VOTED in table.pauses and RESUME not in table.votes and pen.seat in table.active


def at_hand(pen: MailWriter) -> Iterator[Block]:
    """What the reader alone knows, such as the cards he holds, and what he may do with it."""
    yield from private(pen)
    yield from choices(pen)


def choices(pen: MailWriter) -> Iterator[Block]:
    """What the reader may do now, the form of the order, a legal example, and answers to tap."""
    if pen.choices is None or pen.board is None or not _may_choose(pen):
        return
    found, view = pen.choices, pen.board.view
    yield Heading(pen.say("title_may"))
    first, *others = pen.voice.list_out("may", view, pen.seat, found) or [""]
    if first:
        yield Paragraph(first)
    if others:
        yield Lines(tuple(others), whole=True)
    for form in pen.voice.list_out("form", view):
        yield to_copy(pen, "form", form)
    if found.example:
        yield to_copy(pen, "example", found.example)
        yield from _answers(pen, found)
    yield Paragraph(pen.say("other_words"), SOFT)


def to_copy(pen: MailWriter, sentence: str, phrase: str) -> Block:
    """Notation to be copied, behind a sentence that leads to it."""
    return Notation(pen.say(sentence, ""), pen.voice.order(phrase))


def _answers(pen: MailWriter, found: Choices) -> Iterator[Block]:
    """Answers to tap. Where there are few they are all there, and none is put forward by a button."""
    taps = tuple(pen.link(pen.say("link_play", pen.voice.order(phrase)), phrase) for phrase in found.few)
    if len(taps) == len(found.moves) > 1:
        yield Links((*taps, pen.link(pen.say("link_own"), "")), button=False)
        return
    yield Links(
        (
            pen.link(pen.say("link_own"), ""),
            pen.link(pen.say("link_example"), found.example),
            pen.link(pen.say("link_preview"), f"preview {found.example}"),
        )
    )
    if taps and found.few != [found.example]:
        yield Links(taps, button=False)


def small_links(pen: MailWriter) -> Iterator[Block]:
    """Questions to tap that are always welcome, and the end of a pause."""
    if _may_resume(pen):
        yield Links((pen.link(pen.say("link_resume"), RESUME),), button=False)
    words = ("status", "board", "history", "help")
    yield Links(tuple(pen.link(pen.say(f"link_{word}"), word) for word in words), button=False)


def picture(pen: MailWriter, last: Iterable[Event] = ()) -> Iterator[Block]:
    """The board as a picture; those who do not see it hear of the last turn and whose turn it is."""
    if pen.board is None:
        return
    turns = [event for event in last if isinstance(event.payload, MovesMade | TurnUndone)]
    latest = "".join(pen.teller.tell(turns[-1:]))
    yield Picture(pen.board, pen.say("alt", pen.table.id, latest, whose_turn(pen)))


def points(pen: MailWriter) -> Iterator[Block]:
    """The points so far, by source; none before somebody has any."""
    if pen.board is None or pen.board.score is None:
        return
    counted = _count(pen.board, pen.voice)
    if any(sources for _, sources, _ in counted):
        rows = tuple([(pen.teller.who(seat), sources, total) for seat, sources, total in counted])
        yield Points(pen.say("title_points"), rows, pen.say("together"))


@lru_cache(maxsize=COUNTED)
def _count(board: BoardPictures, voice: Sentences) -> tuple[tuple[Seat, tuple[tuple[str, int], ...], int], ...]:
    """Of each seat the sources that brought any points, and their sum; the same for all who see the same board."""
    rows = []
    for tally in board.score.tallies if board.score is not None else ():
        counted: dict[str, int] = {}
        for line in tally.lines:
            counted[line.source] = counted.get(line.source, 0) + line.points
        sources = tuple((voice.source(source), points) for source, points in counted.items() if points)
        rows.append((tally.seat, sources, tally.total))
    return tuple(rows)


def private(pen: MailWriter) -> Iterator[Block]:
    """What only the reader knows."""
    if pen.board is None or pen.seat not in pen.table.seats:
        return
    said = pen.voice.list_out("private", pen.board.view, pen.seat)
    if not said and pen.board.own:
        said = [f"{path}: {show_name(value, longest=200)}" for path, value in flatten(pen.board.own)]
    if said:
        yield Heading(pen.say("title_private"))
        yield Lines(tuple(said))


def owners(pen: MailWriter) -> Iterator[Block]:
    """The board in sentences."""
    if pen.board is not None:
        yield Heading(pen.say("title_board"))
        yield Owners(pen.board)


def whole_board(pen: MailWriter) -> Iterator[Block]:
    """Points, and the board in sentences."""
    yield from points(pen)
    yield from owners(pen)


def questions(pen: MailWriter) -> Iterator[Block]:
    """What others have asked and the reader has not answered, and what the reader has asked them."""
    votes = open_votes(pen)
    if votes:
        yield Heading(pen.say("title_asked"))
    for vote in votes:
        yield Lines((say_request(pen, vote),))
        yield from _own_request(pen, vote) if vote.by == pen.seat else _request(pen, vote)


def open_votes(pen: MailWriter) -> list[Vote]:
    """Those on which the reader has something to say: his own, and those that he has not answered."""
    votes = pen.table.votes.values() if pen.seat in pen.table.active else ()
    return [vote for vote in votes if vote.by == pen.seat or pen.seat not in vote.agreed | vote.against]


def say_request(pen: MailWriter, vote: Vote) -> str:
    """Who asks for what."""
    return pen.say("told_asked", pen.teller.who(vote.by), vote.what, vote.turn)


def _request(pen: MailWriter, vote: Vote) -> Iterator[Block]:
    """How the reader answers what somebody has asked."""
    yield Paragraph(pen.say("consent", vote.what))
    about = pen.say("subject", vote.what)
    yield Links(
        (
            pen.link(pen.say("link_agree", about), f"agree {vote.what}"),
            pen.link(pen.say("link_object", about), f"object {vote.what}"),
        )
    )


def _own_request(pen: MailWriter, vote: Vote) -> Iterator[Block]:
    """Who has still to agree to what the reader has asked, and how it is taken back."""
    silent = [seat for seat in pen.table.active if seat not in vote.agreed | vote.against]
    missing = quorum(pen.table, vote.what) - len(vote.agreed & {*pen.table.active})
    who = pen.teller.all_of(silent)
    yield Paragraph(pen.say("all_agree", who) if missing >= len(silent) else pen.say("some_agree", missing, who))
    yield Paragraph(pen.say("take_request_back", vote.what))
    about = pen.say("subject", vote.what)
    yield Links((pen.link(pen.say("link_take_request_back", about), f"object {vote.what}"),), button=False)
