"""What a player asked for: help, status, the board, the history, a rule, a preview, other letters, days away."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from engine.game import PUBLIC
from engine.verdict import Rule
from notation import write_moves, write_record
from notation.phrases import phrases
from pbem.judging.entries import redact_record
from pbem.mail.commands.commands import Command, Preview
from pbem.mail.format import FENCE
from pbem.mail.writing.blocks import (
    SOFT,
    Block,
    Fixed,
    Heading,
    Lines,
    Links,
    Owners,
    Paragraph,
    Picture,
)
from pbem.mail.writing.board_pictures import BoardPictures
from pbem.mail.writing.describe import say_moment
from pbem.mail.writing.page import MailWriter
from pbem.mail.writing.passages import invited, open_votes, say_request, to_copy, whose_turn
from pbem.mail.writing.verdicts import still_due, write_ruling
from pbem.render import marks_of
from pbem.tables.absences import ABSENCE, announced_days, days_allowed, days_left
from pbem.tables.decision import Answer, Decision
from pbem.tables.questions import find_rule


def write_answer(pen: MailWriter, answer: Answer, decision: Decision) -> Iterator[Block]:
    """The blocks of one answer."""
    yield from _ANSWERS[answer.kind](pen, answer.data, decision)


def _help(pen: MailWriter, data: Mapping[str, Any], decision: Decision) -> Iterator[Block]:
    yield Heading(pen.say("title_help"))
    yield from invited(pen)
    yield Paragraph(pen.say("help_how"))
    yield from _help_with_moves(pen)
    yield Heading(pen.say("title_orders"))
    yield Lines(
        tuple(pen.say("help_order", pen.voice.order(order), effect) for order, effect in pen.voice.help_orders())
    )
    yield Paragraph(pen.say("help_fence", *map(pen.voice.order, FENCE)))


def _help_with_moves(pen: MailWriter) -> Iterator[Block]:
    """How moves are written: in general, and what could be played now by a reader who is due."""
    reader, found = phrases(pen.table.game.key), pen.choices
    if reader is None:
        return
    yield Heading(pen.say("title_moves"))
    if found is None or pen.board is None:
        yield to_copy(pen, "form", reader.book.example)
        return
    for form in pen.voice.list_out("form", pen.board.view) or [reader.book.example]:
        yield to_copy(pen, "form", form)
    if found.example:
        yield to_copy(pen, "example", found.example)


def _status(pen: MailWriter, data: Mapping[str, Any], decision: Decision) -> Iterator[Block]:
    table, zone = pen.table, pen.envelope.to.zone
    waiting = [(seat, moment) for seat, moment in pen.deadlines.items() if seat != pen.seat]
    lines = [
        *(pen.say("they_answer_by", pen.teller.who(seat), say_moment(at, zone, pen.voice)) for seat, at in waiting),
        *(pen.say("seat_vacant", pen.teller.who(seat)) for seat in table.seats if seat in table.resigned),
        *(line for seat in table.active for line in _say_absences(pen, seat)),
        *(say_request(pen, vote) for vote in table.votes.values() if vote not in open_votes(pen)),
    ]
    if lines:
        yield Heading(pen.say("title_table"))
        yield Lines(tuple(lines))


def _say_absences(pen: MailWriter, seat: str) -> list[str]:
    """When somebody is away, who may be waited for until long after the time for a turn."""
    return [
        pen.say("told_absence", pen.teller.who(seat), pen.say("day", first), pen.say("day", last))
        for first, last in announced_days(pen.table, seat, pen.today)
    ]


def _board(pen: MailWriter, data: Mapping[str, Any], decision: Decision) -> Iterator[Block]:
    # It is shown with the table; asking for it needs no more words.
    yield from ()


def _history(pen: MailWriter, data: Mapping[str, Any], decision: Decision) -> Iterator[Block]:
    yield Heading(pen.say("title_history"))
    reader = pen.seat if pen.seat in pen.table.seats else PUBLIC
    record = redact_record(pen.table.record, reader)
    yield Fixed(tuple(write_record(record).rstrip("\n").split("\n")))


def _tell_rule(pen: MailWriter, data: Mapping[str, Any], decision: Decision) -> Iterator[Block]:
    rule = find_rule(pen.table.game, data["code"])
    if rule is not None:
        yield from explain(pen, rule)


def explain(pen: MailWriter, rule: Rule) -> Iterator[Block]:
    """A rule with its examples."""
    yield Heading(pen.say("title_rule", rule.code, rule.name))
    yield Paragraph(pen.voice.gettext(rule.text))
    examples = (("rule_obeys", rule.obeys), ("rule_breaks", rule.breaks))
    yield Lines(tuple(pen.say(name, _say_example(pen, text)) for name, text in examples if text))
    if rule.ruling:
        yield Paragraph(pen.say("rule_ruling"))
    yield Paragraph(pen.say("rule_source", pen.voice.gettext(rule.source)), SOFT)


def _say_example(pen: MailWriter, example: str) -> str:
    """An example of a rule: what is written runs as notation does, what is said of it as the reader's language."""
    told = pen.voice.gettext(example)
    written, dash, said = told.partition(" -- ")
    if dash:
        return pen.say("help_order", pen.voice.order(written), said)
    # Notation alone is the same in every language.
    return pen.voice.order(told) if told == example else told


def previewed(pen: MailWriter, outcomes: Iterable[tuple[Command, Decision]]) -> BoardPictures | None:
    """The board that the last preview among some outcomes would lead to; None if there is none."""
    rulings = [decision.ruling for _, decision in outcomes if decision.answers and decision.ruling is not None]
    standing = [ruling for ruling in rulings if ruling.is_legal]
    if not standing:
        return None
    last = standing[-1]
    marked = marks_of(last.moves[:-1] if last.withheld else last.moves)
    return pen.pictures.foresee(pen.table, pen.seat, pen.voice.locale, position=last.position, marked=marked)


def _preview(pen: MailWriter, data: Mapping[str, Any], decision: Decision) -> Iterator[Block]:
    ruling, board = decision.ruling, previewed(pen, [(Preview(data["text"]), decision)])
    yield Heading(pen.say("title_preview"))
    if ruling is not None and not ruling.is_legal:
        yield from write_ruling(pen, ruling)
    if ruling is None or board is None:
        return
    yield Paragraph(pen.say("preview_stands", pen.voice.order(ruling.phrase)))
    if ruling.withheld:
        yield Paragraph(pen.say("preview_veiled"))
    if ruling.later:
        yield Paragraph(pen.say("preview_later", pen.voice.order(write_moves(pen.table.game, ruling.later))))
    elif not ruling.complete and not ruling.withheld:
        yield still_due(pen, ruling.still)
    if pen.seat in pen.table.due:
        whole = write_moves(pen.table.game, (*ruling.moves, *ruling.later))
        yield Links((pen.link(pen.say("link_play", whole), whole),), button=True)
    if ruling.withheld:
        yield Picture(board, pen.say("alt_veiled", pen.table.id, whose_turn(pen)))
    else:
        if board.score is not None and pen.board is not None and pen.board.score is not None:
            before, after = pen.board.score.shown(pen.seat), board.score.shown(pen.seat)
            yield from () if None in (before, after) else (Paragraph(pen.say("preview_points", before, after)),)
        yield Picture(board, pen.say("alt_preview", pen.table.id, pen.teller.deed(ruling.phrase), whose_turn(pen)))
    yield Owners(board)


def write_settings(pen: MailWriter, settings: Mapping[str, Any]) -> Iterator[Block]:
    """What a player's letters will be like."""
    if settings:
        yield Heading(pen.say("title_settings"))
        yield Lines(tuple(pen.say("setting", name, value) for name, value in settings.items()))


def _settings(pen: MailWriter, data: Mapping[str, Any], decision: Decision) -> Iterator[Block]:
    # A letter may settle several things; they are told together, once.
    yield from ()


def _standing(pen: MailWriter, data: Mapping[str, Any], decision: Decision) -> Iterator[Block]:
    orders = [
        pen.voice.order(text) if turn is None else pen.say("standing_in", pen.voice.order(text), turn)
        for text, turn in data["orders"]
    ]
    yield Heading(pen.say("title_standing"))
    if orders:
        yield Lines(tuple(orders))
        yield Paragraph(pen.say("standing_how"), SOFT)
    else:
        yield Paragraph(pen.say("standing_none"))


def _absence(pen: MailWriter, data: Mapping[str, Any], decision: Decision) -> Iterator[Block]:
    announced = announced_days(pen.table, pen.seat, pen.today)
    days = "; ".join(pen.say("away_stretch", pen.say("day", first), pen.say("day", last)) for first, last in announced)
    left = pen.say("away_left", days_left(pen.table, pen.seat), days_allowed(pen.table))
    yield Paragraph(f"{pen.say('away_announced', days) if days else pen.say('away_none')} {left}")
    if any(last > pen.today for _, last in announced):
        yield Paragraph(pen.say("away_free"), SOFT)


_ANSWERS: Final[Mapping[str, Callable[[MailWriter, Mapping[str, Any], Decision], Iterator[Block]]]] = {
    "help": _help,
    "status": _status,
    "board": _board,
    "history": _history,
    "rule": _tell_rule,
    "preview": _preview,
    "settings": _settings,
    "standing": _standing,
    ABSENCE: _absence,
}
