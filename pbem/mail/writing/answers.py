"""Answers to what a player asked for: help, status, board, history, rules, a preview, settings, days away."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from engine.game import PUBLIC
from engine.verdict import Rule, begin_sentence
from notation import write_moves, write_record
from notation.phrasebook import STANDING
from notation.phrases import phrases
from pbem.judging.entries import redact_record
from pbem.locale.cldr import name_language
from pbem.mail.commands.command import Command
from pbem.mail.commands.preferences import DAILY, EVERYWHERE, HERE, USUAL_HOUR, WANTED
from pbem.mail.commands.press import MUTE
from pbem.mail.commands.questions import find_rule
from pbem.mail.commands.rule_topics import find_by_word, named_topic
from pbem.mail.commands.submit_moves import Preview
from pbem.mail.format import FENCES
from pbem.mail.writing import board_blocks, primers
from pbem.mail.writing.blocks import (
    SOFT,
    Block,
    Heading,
    Lines,
    Links,
    Owners,
    Paragraph,
    Picture,
    Preformatted,
)
from pbem.mail.writing.board_blocks import to_copy
from pbem.mail.writing.board_pictures import BoardPictures
from pbem.mail.writing.page import MailContext
from pbem.mail.writing.proofs import opened_values, promises, state_of_history
from pbem.mail.writing.sentences import UTC_ZONE, end_sentence, join_words
from pbem.mail.writing.status_blocks import (
    asked_seats,
    how_to_accept,
    name_to_type,
    open_votes,
    say_open_offer,
    say_order,
    say_request,
    whose_turn,
)
from pbem.mail.writing.verdicts import how_to_undo, moves_left, write_ruling
from pbem.render import marks_of
from pbem.tables.absences import ABSENCE, announced_days, days_allowed, days_left
from pbem.tables.decision import Answer, Decision
from pbem.tables.votes import last_turn_of

BY_DAY: Final = f"{DAILY} {USUAL_HOUR}"
"""One summary a day at the usual hour, as players order it."""


def write_answer(context: MailContext, answer: Answer, decision: Decision) -> Iterator[Block]:
    """The blocks of one answer."""
    yield from _ANSWERS[answer.kind](context, answer, decision)


def _help(context: MailContext, answer: Answer, decision: Decision) -> Iterator[Block]:
    yield Heading(context.say("title_help"))
    yield from how_to_accept(context)
    yield Paragraph(context.say("help_how"))
    yield from _help_with_moves(context)
    yield Heading(context.say("title_orders"))
    yield Lines(
        tuple(
            context.say("help_order", context.sentences.order(order), effect)
            for order, effect in context.sentences.help_orders()
        )
    )
    yield Paragraph(context.say("help_fence", *map(context.sentences.order, FENCES[context.sentences.locale.code])))


def _help_with_moves(context: MailContext) -> Iterator[Block]:
    """How moves are written in general, and what the reader can play now."""
    reader, found = phrases(context.table.game.key), context.choices
    if reader is None:
        return
    yield Heading(context.say("title_moves"))
    if found is None or context.board is None:
        yield to_copy(context, "form", context.sentences.to_send(reader.book.example))
        return
    forms = context.sentences.list_out("form", context.board.view)
    for form in forms or [context.sentences.to_send(reader.book.example)]:
        yield to_copy(context, "form", form)
    if found.example:
        yield to_copy(context, "example", found.example)


def _status(context: MailContext, answer: Answer, decision: Decision) -> Iterator[Block]:
    table = context.table
    is_open = say_open_offer(context)
    asked = asked_seats(context) if is_open else []
    waiting = [
        (seat, moment) for seat, moment in context.deadlines.items() if seat != context.seat and seat not in asked
    ]
    lines = [
        *([is_open] if is_open else []),
        *(context.say("they_answer_by", context.describer.who(seat), context.say_moment(at)) for seat, at in waiting),
        *(context.say("seat_vacant", context.describer.who(seat)) for seat in table.seats if seat in table.resigned),
        *(line for seat in table.active for line in _say_absences(context, seat)),
        *(say_request(context, vote) for vote in table.votes.values() if vote not in open_votes(context)),
        *(context.say("muted", context.describer.name(seat), True) for seat in context.envelope.muted),
    ]
    if lines:
        yield Heading(context.say("title_table"))
        yield Lines(tuple(lines))


def _say_absences(context: MailContext, seat: str) -> list[str]:
    """The days on which a player is away, because the table waits for absent players beyond the time for a turn."""
    return [
        context.say("told_absence", context.describer.who(seat), context.say_day(first), context.say_day(last))
        for first, last in announced_days(context.table, seat, context.today)
    ]


def _board(context: MailContext, answer: Answer, decision: Decision) -> Iterator[Block]:
    # Every answer about the table shows the board, so there is nothing to add.
    yield from ()


def _points(context: MailContext, answer: Answer, decision: Decision) -> Iterator[Block]:
    yield Heading(board_blocks.say_leaders(context))
    yield from board_blocks.points(context)


def _hand(context: MailContext, answer: Answer, decision: Decision) -> Iterator[Block]:
    held = [*board_blocks.private(context)]
    yield from held or (Heading(context.say("nothing_hidden")),)


def _take_back(context: MailContext, answer: Answer, decision: Decision) -> Iterator[Block]:
    turn = last_turn_of(context.table, context.seat)
    yield Heading(context.say("nothing_to_take_back") if turn is None else context.say("title_take_back", turn))
    yield from () if turn is None else how_to_undo(context, turn)


def _place(context: MailContext, answer: Answer, decision: Decision) -> Iterator[Block]:
    yield from board_blocks.place(context, answer.text)


def _history(context: MailContext, answer: Answer, decision: Decision) -> Iterator[Block]:
    yield Heading(context.say("title_history"))
    reader = context.seat if context.seat in context.table.seats else PUBLIC
    record = redact_record(context.table.record, reader)
    yield Preformatted(tuple(write_record(record).rstrip("\n").split("\n")))


def _rules(context: MailContext, answer: Answer, decision: Decision) -> Iterator[Block]:
    yield from primers.rules_page(context)


def _rule(context: MailContext, answer: Answer, decision: Decision) -> Iterator[Block]:
    rule = find_rule(context.table.game, answer.text)
    if rule is not None:
        yield Heading(context.say("title_rule", rule.code, context.sentences.rule_name(rule)))
        yield from explain(context, rule)
        yield primers.how_to_ask(context)
        return
    found = find_by_word(context.table.game, answer.text)
    if found is not None:
        yield primers.headline(context, found)
        if named_topic(context.table.game, answer.text) is None:
            # Behind a bar, because a question of ours would be asked again where a program quotes it without marks.
            yield Lines((context.say("rule_asked", context.sentences.name(answer.text)),))
        yield from explain(context, found.rules[0])
        yield from primers.beside_rule(context, found)
        yield primers.how_to_ask(context)


def _no_rule(context: MailContext, answer: Answer, decision: Decision) -> Iterator[Block]:
    yield from primers.without_rule(context, answer.text)


def explain(context: MailContext, rule: Rule) -> Iterator[Block]:
    """A rule in words, with a move that it allows and one that it does not. Where it comes from is for `pbem rule`."""
    yield Paragraph(primers.say_rule(context, rule))
    allowed, forbidden = (_say_example(context, text) for text in (rule.obeys, rule.breaks))
    examples = [context.say("rule_example", *allowed)] if allowed is not None else []
    if forbidden is not None and forbidden[0]:
        examples.append(context.say("rule_forbids", *forbidden))
    yield from (Lines(tuple(examples)),) if examples else ()


def _say_example(context: MailContext, example: str) -> tuple[str, str] | None:
    """An example of a rule: its move as the reader would write it, if players make it, and what is said about it."""
    written, _, said = context.sentences.gettext(example).partition(" -- ")
    return (context.sentences.example(written), said) if said else None


def preview_board(context: MailContext, outcomes: Iterable[tuple[Command, Decision]]) -> BoardPictures | None:
    """The board after the last legal preview among some outcomes; None if there is none."""
    rulings = [decision.ruling for _, decision in outcomes if decision.answers and decision.ruling is not None]
    standing = [ruling for ruling in rulings if ruling.is_legal]
    if not standing:
        return None
    last = standing[-1]
    marked = marks_of(last.moves[:-1] if last.withheld else last.moves)
    return context.pictures.board_at(
        context.table, context.seat, context.sentences.locale, position=last.position, marked=marked
    )


def _preview(context: MailContext, answer: Answer, decision: Decision) -> Iterator[Block]:
    ruling, board = decision.ruling, preview_board(context, [(Preview(answer.text), decision)])
    is_ahead = ruling is not None and ruling.ahead
    yield Heading(context.say("title_preview_ahead" if is_ahead else "title_preview"))
    if ruling is not None and not ruling.is_legal:
        point = context.refuse(ruling.verdict)[0] if ruling.verdict is not None else context.say("no_sense")
        yield Paragraph(begin_sentence(end_sentence(point)))
        yield from write_ruling(context, ruling)
    if ruling is None or board is None:
        return
    yield Paragraph(context.say("preview_stands", context.order(ruling.phrase)))
    if ruling.withheld:
        yield Paragraph(context.say("preview_veiled"))
    if ruling.later:
        yield Paragraph(context.say("preview_later", context.order(write_moves(context.table.game, ruling.later))))
    elif not ruling.complete and not ruling.withheld:
        yield moves_left(context, ruling.still)
    if context.seat in context.table.due:
        whole = write_moves(context.table.game, (*ruling.moves, *ruling.later))
        yield Links((board_blocks.link_to_play(context, whole),), button=True)
    image = board.image_for(context.seat, ())
    if ruling.withheld:
        yield Picture(image, context.say("alt_veiled", context.table.id, whose_turn(context)))
    else:
        if board.score is not None and context.board is not None and context.board.score is not None:
            before, after = context.board.score.shown(context.seat), board.score.shown(context.seat)
            yield from () if None in (before, after) else (Paragraph(context.say("preview_points", before, after)),)
        yield Picture(
            image,
            context.say("alt_preview", context.table.id, whose_turn(context)),
        )
    yield Owners(board)


def write_settings(context: MailContext, decisions: Iterable[Decision]) -> Iterator[Block]:
    """What a player has chosen about mails, and, if the player has more tables, how far it reaches."""
    changed = [decision for decision in decisions if decision.settings]
    settings = {name: value for decision in changed for name, value in decision.settings.items()}
    if settings:
        yield Heading(context.say("title_settings"))
        yield Lines(tuple(say_setting(context, name, value) for name, value in settings.items()))
    if settings.get("hints") and context.hint:
        yield to_copy(context, "hinted", context.hint)
        yield Links((board_blocks.link_to_play(context, context.hint),))
    reaches = {decision.tables: decision for decision in changed if decision.tables[1] > 1}
    for decision in reaches.values():
        yield Paragraph(_say_reach(context, decision), SOFT)


def _say_reach(context: MailContext, decision: Decision) -> str:
    """At which tables a wish holds, and how to wish the other."""
    holds, tables = decision.tables
    (name, value), *_ = decision.settings.items()
    order = f"{_order_of(context, name, value)} {context.command(HERE if holds == tables else EVERYWHERE)}"
    return context.say("wish_reaches", holds, tables, context.sentences.order(order))


def _order_of(context: MailContext, name: str, value: str | bool) -> str:
    """The order by which something was chosen, as the reader would write it."""
    if name == "notices":
        return say_notify(context, str(value).replace("turn", WANTED))
    if isinstance(value, bool):
        what, on = ("pictures", not value) if name == "plain" else (name, value)
        return context.command(f"{what} {'on' if on else 'off'}")
    return f"{context.command(name)} {value}"


def say_setting(context: MailContext, name: str, value: str | bool) -> str:
    """One thing that a player has chosen about mails, in a sentence."""
    choice, _, hour = str(value).partition(" ")
    what, _, seat = name.partition(" ")
    if what == MUTE:
        return context.say("muted", context.describer.name(seat), value)
    if name == "notices" and hour:
        return context.say("setting_daily", hour, context.envelope.to.zone == UTC_ZONE)
    if name == "language" and isinstance(value, str):
        return context.say("setting", name, name_language(value, context.sentences.locale.code))
    return context.say("setting", name, choice if name == "notices" else value)


def _report(context: MailContext, answer: Answer, decision: Decision) -> Iterator[Block]:
    """That the referee is told of somebody's words."""
    if decision.report is not None:
        heard = decision.report.heard
        yield Heading(context.say("title_report"))
        yield Paragraph(context.say("done_report", context.describer.name(heard.by), context.say_moment(heard.at)))
        order = context.say("do_mute", name_to_type(context, heard.by))
        yield Lines((say_order(context, order, "order_mute"),))


def _settings(context: MailContext, answer: Answer, decision: Decision) -> Iterator[Block]:
    # A letter can change several settings; `write_settings` lists them together.
    yield from ()


def _standing(context: MailContext, answer: Answer, decision: Decision) -> Iterator[Block]:
    said = [(context.sentences.order(context.sentences.to_send(text, STANDING)), turn) for text, turn in answer.orders]
    orders = [text if turn is None else context.say("standing_in", text, turn) for text, turn in said]
    yield Heading(context.say("title_standing"))
    if orders:
        yield Lines(tuple(orders))
        yield Paragraph(context.say("standing_how"), SOFT)
    else:
        yield Paragraph(context.say("standing_none"))


def _absence(context: MailContext, answer: Answer, decision: Decision) -> Iterator[Block]:
    announced = announced_days(context.table, context.seat, context.today)
    days = "; ".join(
        context.say("away_stretch", context.say_day(first), context.say_day(last)) for first, last in announced
    )
    left = context.say("away_left", days_left(context.table, context.seat), days_allowed(context.table))
    yield Paragraph(f"{context.say('away_announced', days) if days else context.say('away_none')} {left}")
    if any(last > context.today for _, last in announced):
        yield Paragraph(context.say("away_free"), SOFT)
    if decision.away:
        yield Paragraph(context.say("away_at", join_words([each.table for each in decision.away], context.sentences)))
        short = [(each.table, each.short) for each in decision.away if each.short is not None]
        yield Lines(tuple(context.say("away_short", table, context.say_day(day)) for table, day in short))


def _fewer(context: MailContext, answer: Answer, decision: Decision) -> Iterator[Block]:
    """All choices about mails: what is chosen now is marked, and the others are answers to tap."""
    reader = context.envelope.to
    now, _, hour = (WANTED if reader.notices == "turn" else reader.notices).partition(" ")
    daily = f"{DAILY} {hour or USUAL_HOUR}"
    wishes = [
        (context.say("link_notify", choice, hour or USUAL_HOUR), say_notify(context, wish), choice == now)
        for choice, wish in ((WANTED, WANTED), ("each", "each"), (DAILY, daily))
    ]
    wishes += [
        (context.say("link_pictures", False), context.command("pictures off"), reader.plain),
        (context.say("link_pictures", True), context.command("pictures on"), not reader.plain),
        (context.say("link_calendar", True), context.command("calendar on"), reader.calendar),
        (context.say("link_calendar", False), context.command("calendar off"), not reader.calendar),
    ]
    yield Heading(context.say("title_fewer"))
    lines = [
        (context.say("help_order", context.sentences.order(order), label), is_so) for label, order, is_so in wishes
    ]
    yield Lines(tuple(context.say("chosen_now", line) if is_so else line for line, is_so in lines))
    yield Links(tuple(context.link(label, order) for label, order, is_so in wishes if not is_so), filled=False)


def say_notify(context: MailContext, wish: str) -> str:
    """The order for how often we write; an hour is written alike in all languages."""
    choice, _, hour = wish.partition(" ")
    return f"{context.command(f'notify {choice}')} {hour}".rstrip()


def _proof(context: MailContext, answer: Answer, decision: Decision) -> Iterator[Block]:
    """What the reader needs to check the game: promises, opened values, the state of its history."""
    yield Heading(context.say("title_proof"))
    yield Paragraph(context.say("proof_how", f"{context.table.id}.turns"))
    yield from promises(context)
    yield from opened_values(context)
    yield from state_of_history(context)


_ANSWERS: Final[Mapping[str, Callable[[MailContext, Answer, Decision], Iterator[Block]]]] = {
    "help": _help,
    "status": _status,
    "board": _board,
    "points": _points,
    "hand": _hand,
    "place": _place,
    "take-back": _take_back,
    "history": _history,
    "proof": _proof,
    "rules": _rules,
    "rule": _rule,
    "no-rule": _no_rule,
    "preview": _preview,
    "settings": _settings,
    "report": _report,
    "fewer": _fewer,
    "standing": _standing,
    ABSENCE: _absence,
}
