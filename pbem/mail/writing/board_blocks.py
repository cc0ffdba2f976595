"""Blocks about the board that many mails share: the picture, points, what the reader alone knows and can do.

Each function gives the blocks for one thing, or none if there is nothing to say.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from engine.game import Seat
from engine.verdict import begin_sentence
from notation import RESUME, Fault, read_moves, write_moves
from notation.phrases import phrases
from pbem.judging.submission import judge_at
from pbem.mail.writing.blocks import (
    IN_WORDS,
    PLAIN,
    Block,
    Heading,
    Lines,
    Link,
    Links,
    Notation,
    Owners,
    Paragraph,
    Picture,
    Points,
)
from pbem.mail.writing.board_pictures import BoardPictures
from pbem.mail.writing.choices import FEW, Choices
from pbem.mail.writing.page import MailContext
from pbem.mail.writing.sentences import Sentences
from pbem.mail.writing.status_blocks import asked_seats, may_choose, may_resume, whose_turn
from pbem.render import marks_of
from pbem.render.plain_scene import flatten
from pbem.render.players import show_name
from pbem.tables.table import PLAYING

MOST_SPACES: Final = 60
"""So many open spaces are named in place of a picture."""
MOST_AT: Final = 12
"""Moves of one place that are listed."""
MOST_TAPS: Final = 3
"""So many moves can be tapped below the buttons."""
POINTS_CACHE: Final = 16
"""Boards whose points are cached, until all who see them have their mails."""


def at_hand(context: MailContext, *, pictured: bool = False, brief: bool = False) -> Iterator[Block]:
    """Answers to tap, what only the reader knows, such as cards in hand, and what the reader can do."""
    offered = list(choices(context, pictured=pictured, brief=brief))
    buttons = [block for block in offered if isinstance(block, Links)]
    yield from buttons
    yield from private(context)
    yield from (block for block in offered if block not in buttons)


def private(context: MailContext) -> Iterator[Block]:
    """What only the reader knows; behind a bar, because a card may be called as the order that plays it."""
    if said := _list_private(context):
        yield Lines((context.say("only_you", "; ".join(said)),))


def _list_private(context: MailContext) -> list[str]:
    if context.board is None or context.seat not in context.table.seats:
        return []
    said = context.sentences.list_out("private", context.board.view, context.seat, context.describer.turns.names)
    if not said and context.board.own:
        said = [f"{path}: {show_name(value, longest=200)}" for path, value in flatten(context.board.own)]
    return said


def choices(context: MailContext, *, pictured: bool = False, brief: bool = False) -> Iterator[Block]:
    """What the reader can do now: the form of the order, a legal example, and answers to tap.

    Below a picture the HTML part says shortly what the picture shows, where the game has words for it. In a `brief`
    mail, which answers one thing, it leaves out what the turn mail lists; the text part has it all.
    """
    if context.choices is None or context.board is None or not may_choose(context):
        return
    found, view = context.choices, context.board.view
    example = _example(context, found)
    if example:
        yield from _answers(context, found, example)
        yield to_copy(context, "example", example)
    names = context.describer.turns.names
    first, *others = context.sentences.list_out("may", view, context.seat, found, names) or [""]
    if first and brief:
        yield Lines((first, *others), whole=True, pictured=())
        return
    shortly = context.sentences.list_if_any("may_shortly", view, context.seat, found) if pictured and others else []
    if first:
        yield Paragraph(first, IN_WORDS if shortly else PLAIN)
    if others:
        yield Lines(tuple(others), whole=True, pictured=tuple(shortly) or None)
    if around := context.sentences.list_if_any("places", view, context.seat, found):
        yield Lines(tuple(around), pictured=())


def _example(context: MailContext, found: Choices) -> str:
    """An order to learn from: the hint, or the form of a turn with the names of this one.

    A roll alone teaches nothing, so a game can say what may follow it.
    """
    if context.board is None or _rolls(context, found):
        own = context.sentences.example_turn(context.board.view, context.seat) if context.board is not None else ""
        return context.sentences.to_send(own) if own else found.example
    return context.hint or found.example


def _rolls(context: MailContext, found: Choices) -> bool:
    """Whether the dice come first."""
    roll = context.table.game.roll
    return roll is not None and roll in found.moves


def to_copy(context: MailContext, sentence: str, phrase: str) -> Block:
    """Notation to be copied, and the sentence before it."""
    return Notation(context.say(sentence, ""), context.sentences.order(phrase))


def _answers(context: MailContext, found: Choices, example: str) -> Iterator[Block]:
    """Answers to tap. If all moves fit, all are shown alike and none as a button. What plays something says what."""
    named = [_name_move(context, move) for move in found.few_moves]
    orders = [(phrase, context.sentences.order(phrase), name) for phrase, name in zip(found.few, named, strict=True)]
    if context.seat in asked_seats(context) and len(orders) == len(found.moves) > 1:
        answers = tuple(context.link(name or begin_sentence(order), phrase) for phrase, order, name in orders)
        yield Links((*answers, context.link(context.say("link_own"), "")))
        return
    taps = tuple(link_to_play(context, phrase) for phrase in found.few)
    if len(taps) == len(found.moves) > 1:
        # What is suggested comes first.
        ordered = sorted(zip(found.few, taps, strict=True), key=lambda each: each[0] != context.hint)
        yield Links((*(tap for _, tap in ordered), context.link(context.say("link_own"), "")))
        return
    if _rolls(context, found):
        # There is nothing to preview before the dice have fallen.
        roll = context.sentences.to_send(write_moves(context.table.game, (context.table.game.roll,)))
        yield Links((link_to_play(context, roll), context.link(context.say("link_own"), "")))
        return
    hints = (context.hint,) if context.hint else ()
    yield Links(
        (
            context.link(context.say("link_own"), ""),
            *(link_to_play(context, hint) for hint in hints),
            context.link(context.say("link_preview"), f"{context.command('preview')} {example}"),
        )
    )
    if taps and found.few != [context.hint]:
        yield Links(taps[:MOST_TAPS], button=False)


def link_to_play(context: MailContext, phrase: str) -> Link:
    """An answer that plays moves, which says what they do."""
    return context.link(name_order(context, phrase), context.sentences.to_send(phrase))


def name_order(context: MailContext, phrase: str) -> str:
    """What a button says that plays moves: *Roll the dice*, *Place M16*, or else *Play lilac A3, mint D7*."""
    own, moves = context.sentences.order(context.sentences.to_send(phrase)), read_moves(context.table.game, phrase)
    if isinstance(moves, Fault):
        return context.say("link_play", own)
    name = _name_move(context, moves[0]) if len(moves) == 1 else ""
    is_deed = type(moves[0]).__name__ in context.sentences.deeds
    return name or (begin_sentence(own) if is_deed else context.say("link_play", own))


def _name_move(context: MailContext, move: object) -> str:
    """What a move does, where its order alone does not say it, as yes to an offer; empty for most."""
    if context.board is None:
        return ""
    return context.sentences.name_move(context.board.view, context.seat, move, context.describer.turns.names)


def place(context: MailContext, name: str) -> Iterator[Block]:
    """A place of the board in words, and what the reader can build or play there now."""
    table, reader = context.table, phrases(context.table.game.key)
    if context.board is None or reader is None:
        return
    names = {seat: context.describer.name_or_you(seat) for seat in table.seats}
    listed = reader.book.places(table.position) if reader.book.places is not None else (name,)
    said = context.sentences.list_if_any("place", context.board.view, name, names) if name in listed else []
    yield Heading(context.say("title_place", name) if said else context.say("no_place", name))
    yield Lines(tuple(said))
    if said and reader.book.half and name.isdecimal() and context.choices is not None:
        order = reader.book.half[1].format(name)
        verdict = judge_at(table.game, table.position, context.seat, order).verdict
        own = context.order(order)
        why = "" if verdict is None else context.refuse(verdict)[0]
        yield Paragraph(context.say("place_closed", own, why) if why else context.say("place_open", own))
    elif said and context.choices is not None and not reader.book.half:
        yield from _playable_at(context, context.choices, name)


def _playable_at(context: MailContext, choices: Choices, place: str) -> Iterator[Block]:
    """The moves of the reader that name a place."""
    orders = choices.at(place)
    if not orders:
        yield Paragraph(context.say("nothing_at", place))
        return
    yield to_copy(context, "legal_instead", "; ".join(orders[:MOST_AT]))
    yield Links(tuple(link_to_play(context, each) for each in orders[:FEW]))


def small_links(context: MailContext) -> Iterator[Block]:
    """A link to the board, where a mail does not show it, and one to end a pause."""
    yield from resume_link(context)
    if context.table.stage == PLAYING and context.seat in context.table.seats:
        yield Links((context.link(context.say("link_board"), context.command("board")),), button=False)


def resume_link(context: MailContext) -> Iterator[Block]:
    """An answer that asks to end a pause, if the reader can."""
    if may_resume(context):
        yield Links((context.link(context.say("link_resume"), context.command(RESUME)),))


def picture(context: MailContext, *, mine: bool = False) -> Iterator[Block]:
    """The board as a picture; its alternative text says whose turn it is and which spaces are open.

    The reader's own pieces are marked if the reader is to move, or asked for the board (`mine`).
    """
    if context.board is None:
        return
    moves = context.choices.moves if context.choices is not None and may_choose(context) else ()
    alt = context.say("alt", context.table.id, whose_turn(context), _open_spaces(moves))
    marked = context.seat in context.table.seats and (mine or bool(moves))
    image = context.board.image_for(context.seat, moves) if marked else context.board.image
    yield Picture(image, alt)


def _open_spaces(moves: tuple[object, ...]) -> str:
    """The spaces and ways that some moves name; not more than one wants to hear read out, and nothing in words."""
    marks = [mark for mark in marks_of(moves) if " " not in mark]
    return " ".join(marks[:MOST_SPACES]) + (" …" if len(marks) > MOST_SPACES else "")


def whole_board(context: MailContext) -> Iterator[Block]:
    """Points, and the board in sentences."""
    yield from points(context)
    yield from owners(context)


def points(context: MailContext) -> Iterator[Block]:
    """The points so far, by source, the best first; nothing before somebody has any."""
    if context.board is None or context.board.score is None:
        return
    counted = sorted(_count(context.board, context.sentences), key=lambda row: -row[2])
    if any(sources for _, sources, _ in counted):
        rows = tuple([(_scorer(context, seat), sources, total) for seat, sources, total in counted])
        yield Points(context.say("title_points"), rows, context.say("together"))


def points_in_a_line(context: MailContext) -> Iterator[Block]:
    """The points so far in one line, the best first; nothing before somebody has any."""
    if context.board is None or context.board.score is None:
        return
    counted = sorted(_count(context.board, context.sentences), key=lambda row: -row[2])
    if any(sources for _, sources, _ in counted):
        shown = [context.say("counted", context.describer.name(seat), total) for seat, _, total in counted]
        yield Paragraph(context.say("points_now", ", ".join(shown)))


def say_leaders(context: MailContext) -> str:
    """Who has most points, as the reader may know them."""
    counted = _count(context.board, context.sentences) if context.board is not None else ()
    best = max((total for _, _, total in counted), default=0)
    leaders = [seat for seat, _, total in counted if total == best]
    if not any(sources for _, sources, _ in counted) or len(leaders) == len(counted):
        return context.say("all_level", best)
    if leaders == [context.seat]:
        return context.say("you_lead", best)
    return context.say("they_lead", context.describer.names_of(leaders), len(leaders), best)


def _scorer(context: MailContext, seat: Seat) -> str:
    """A player with the colour, and the shape that pieces have in the picture: the only place where mails say it."""
    said = (context.describer.name_or_you(seat), context.sentences.sign(seat), context.sentences.seat(seat))
    return begin_sentence(" ".join(word for word in dict.fromkeys(said) if word))


@lru_cache(maxsize=POINTS_CACHE)
def _count(board: BoardPictures, sentences: Sentences) -> tuple[tuple[Seat, tuple[tuple[str, int], ...], int], ...]:
    """For each seat the sources that brought points, and their sum; the same for all who see the same board."""
    rows = []
    for tally in board.score.tallies if board.score is not None else ():
        counted: dict[str, int] = {}
        for line in tally.lines:
            counted[line.source] = counted.get(line.source, 0) + line.points
        sources = tuple((sentences.source(source), points) for source, points in counted.items() if points)
        rows.append((tally.seat, sources, tally.total))
    return tuple(rows)


def owners(context: MailContext) -> Iterator[Block]:
    """The board in sentences."""
    if context.board is not None:
        yield Owners(context.board, context.say("title_board"), pictured=True)
