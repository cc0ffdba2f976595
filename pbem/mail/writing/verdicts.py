"""Judged moves in words: what was played, which rule a move breaks, what could not be read, and what a ruling changes.

A refusal says what is wrong in this case, offers something that would do, and cites its rule at the end.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from engine.game import CHANCE, PUBLIC
from engine.verdict import Rule, Verdict, begin_sentence
from notation import UNDO, Fault, write_moves
from notation.faults import Lookalike
from notation.phrases import phrases
from pbem.events.chain import Event
from pbem.events.kinds import CaseRuled
from pbem.judging.entries import changed_lines, redact_record
from pbem.judging.submission import SubmissionResult, is_on_turn, judge_at, whole_turn
from pbem.mail.writing.blocks import SOFT, Block, Heading, Lines, Link, Links, Paragraph, Preformatted
from pbem.mail.writing.board_blocks import name_order, to_copy
from pbem.mail.writing.page import MailContext
from pbem.mail.writing.sentences import end_sentence, join_words
from pbem.mail.writing.status_blocks import say_open_offer
from pbem.render.players import show_name
from pbem.tables import table_rules
from pbem.tables.decision import Decision, Refused
from pbem.tables.take_back import Obstacle, TakeBack, find_take_back
from pbem.tables.votes import last_turn_of


def record_changes(context: MailContext, events: Iterable[Event]) -> Iterator[Block]:
    """The lines of the record that the rulings among some events have changed."""
    reasons = {
        (event.payload.case, event.at, event.payload.reason) for event in events if isinstance(event.payload, CaseRuled)
    }
    decrees = [
        decree
        for case in context.table.cases
        for decree in case.decrees
        if (case.number, decree.at, decree.reason) in reasons and decree.first < decree.last
    ]
    if not decrees:
        return
    record = redact_record(context.table.record, context.seat if context.seat in context.table.seats else PUBLIC)
    yield Heading(context.say("title_amended"))
    changed = [line for decree in decrees for line in changed_lines(record, decree.first, decree.last)]
    yield Preformatted(tuple(_say_change(context, line) for line in changed))


def _say_change(context: MailContext, line: str) -> str:
    """A line that was taken out of the record or written into it, with its moves in the reader's language."""
    sign, entry = line[:2], line[2:]
    undone = _UNDONE.fullmatch(entry)
    if undone is None:
        return sign + context.sentences.record_line(entry)
    return sign + context.say("undone_line", *undone.groups())


def unfinished_turn(context: MailContext) -> Iterator[Block]:
    """The moves of a turn that the reader has begun, and what is missing; nothing if no turn is begun."""
    table = context.table
    if context.seat not in table.due or not is_on_turn(table.game, table.position, context.seat):
        return
    own = [entry for entry in table.standing if (entry.who, entry.number) == (context.seat, table.turn)]
    moves = tuple(move for entry in own for move in entry.moves)
    if moves:
        yield Paragraph(context.say("begun", table.turn, context.order(write_moves(table.game, moves))))
        yield moves_left(context, int(table.game.view(table.position, context.seat).get("left", 0)))
        yield from how_to_undo(context, table.turn)


def moves_left(context: MailContext, count: int) -> Block:
    """That a turn is not finished, and how many moves are missing, if the game says that."""
    return Paragraph(context.say("still", count) if count else context.say("unfinished"))


def how_to_undo(context: MailContext, turn: int) -> Iterator[Block]:
    """How to take a turn back, if an undo of the reader goes back to it: at once, until when, or why not."""
    table, seat = context.table, context.seat
    if last_turn_of(table, seat) != turn:
        return
    own = find_take_back(table, seat, context.gains.position_after)
    if not isinstance(own, TakeBack):
        why = context.say(_OBSTACLES[own]) if own in _OBSTACLES else ""
        yield Paragraph(f"{why} {context.say('take_back')}".lstrip(), SOFT)
        return
    others = [context.describer.name(other) for other in table.due if other != seat]
    until = context.say("take_back_until", join_words(others, context.sentences, "or")) if others else ""
    yield Paragraph(until or context.say("take_back_at_once"), SOFT)
    if own.kept:
        moves = context.order(write_moves(table.game, own.moves))
        yield Paragraph(context.say("take_back_only", moves), SOFT)
    yield Links((context.link(context.say("link_take_back"), context.command(UNDO)),), filled=False)


_UNDONE: Final = re.compile(rf"([0-9]+)\. {UNDO}: turn ([0-9]+)")
"""How a record says that it goes back to a turn."""
_OBSTACLES: Final[Mapping[Obstacle, str]] = {
    "rolled": "obstacle_rolled",
    "drawn": "obstacle_drawn",
    "awaited": "obstacle_awaited",
    "shown": "obstacle_shown",
    "once": "obstacle_once",
    "others": "obstacle_others",
}
"""The sentence for each reason why the others must be asked before something is taken back."""


def why_others_are_asked(context: MailContext, obstacle: Obstacle) -> Iterator[Block]:
    """Why the reader cannot take a move back without asking; nothing where there is no move to speak of."""
    if obstacle in _OBSTACLES:
        yield Paragraph(context.say(_OBSTACLES[obstacle]), SOFT)


MOST: Final = 8
"""Legal moves that are offered instead of a refused one."""
_SENTENCE: Final = 5
"""Words of a line that is a sentence."""
_BEGINNING: Final = 4
"""The column up to which a line has only begun."""
_FEW_FORMS: Final = 2
"""Up to this many forms of moves are shown instead of the words that were expected."""
LONGEST: Final = 120
"""Characters of a player's line that are quoted."""


def say_refusal(context: MailContext, decision: Decision) -> str:
    """What is wrong, in a few words: the headline of a refusal."""
    if decision.refused is not None:
        return context.say("head_not_done", context.refuse(decision.refused)[0])
    verdict = decision.ruling.verdict if decision.ruling is not None else None
    return context.say(
        "head_not_played", context.refuse(verdict)[0] if verdict is not None else context.say("no_sense")
    )


def say_partly(context: MailContext, ruling: SubmissionResult) -> str:
    """What was played of a turn, what was not, and why: the headline where a rule stops a turn half-way."""
    if ruling.stopped is None or not ruling.later:
        return say_done(context, ruling)
    left, (why, _) = context.order(write_moves(context.table.game, ruling.later[:1])), context.refuse(ruling.stopped)
    if not ruling.phrase:
        return context.say("head_not_played", why)
    return context.say("head_stopped_short", context.order(ruling.phrase), left, why)


def say_done(context: MailContext, ruling: SubmissionResult) -> str:
    """What was played: its order, or in the game's own words what that did, as a yes to an offer."""
    if len(ruling.moves) == 1 and ruling.begun is not None:
        view, names = context.table.game.view(ruling.begun, context.seat), context.describer.turns.names
        done = context.sentences.name_move(view, context.seat, ruling.moves[0], names, "done_move")
        if done:
            return done
    rolled = context.sentences.rolled(context.board.view, context.seat) if context.board is not None else ""
    if rolled and not ruling.complete and type(ruling.moves[-1]).__name__ in context.sentences.implied:
        return context.say("head_goes_on", begin_sentence(rolled))
    return context.say("head_receipt" if ruling.complete else "head_unfinished", context.order(ruling.phrase))


def write_ruling(context: MailContext, ruling: SubmissionResult) -> Iterator[Block]:
    """Moves that were judged: refused, not understood, or played, which the headline and the news say."""
    if ruling.fault is not None:
        yield from write_fault(context, ruling.fault, ruling.fault.text)
        yield from unfinished_turn(context)
    elif ruling.verdict is not None:
        yield Lines((context.say("refused_move", context.order(ruling.phrase)),))  # behind a bar, as it may be an order
        yield from unfinished_turn(context)
        yield from _verdict(context, ruling, ruling.verdict)
    else:
        yield from write_rest(context, ruling, headed=True)


def write_rest(context: MailContext, ruling: SubmissionResult, *, headed: bool = False) -> Iterator[Block]:
    """What is left of a legal turn: moves that wait for answers, moves not played and why, moves still missing.

    If the mail is `headed` by it, the headline has said already which move was not played, and why.
    """
    left = context.order(write_moves(context.table.game, ruling.later)) if ruling.later else ""
    if ruling.awaits == (CHANCE,):
        yield Paragraph(context.say("awaits_chance", left))
        return
    if ruling.awaits:
        is_open = say_open_offer(context)
        waits = context.say("awaits_offer", left, is_open) if is_open else ""
        yield Paragraph(waits or context.say("awaits", left, context.describer.all_of(ruling.awaits)))
        return
    if ruling.stopped is not None:
        if not headed:
            yield Lines((context.say("head_not_played", left),))
            yield Paragraph(begin_sentence(end_sentence(context.refuse(ruling.stopped)[0])))
        elif len(ruling.later) > 1:
            yield Lines((context.say("head_not_played", left),))
        yield from _verdict(context, ruling, ruling.stopped)
        yield Paragraph(cite(context, (ruling.stopped.rule,)), SOFT)
    elif left:
        yield Paragraph(context.say("left_over", left))
    if not ruling.complete and (ruling.still or not headed):  # the headline says that the turn goes on
        yield moves_left(context, ruling.still)


def _verdict(context: MailContext, ruling: SubmissionResult, verdict: Verdict) -> Iterator[Block]:
    """What the headline does not say of a refusal, what would make the move legal, and what could be played."""
    _, rest = context.refuse(verdict)
    yield from [Paragraph(rest)] if rest else []
    remedy = context.remedy(ruling)
    whole = whole_turn(context.table.game, ruling, remedy) if remedy is not None else ""
    if whole:
        own = context.sentences.to_send(whole)
        yield Lines((context.say("readable", context.sentences.order(own)),))
        yield Links((context.link(name_order(context, whole), own),), button=True)
    elif remedy is not None and (helps := context.refuse(remedy)[0]):
        yield Paragraph(begin_sentence(end_sentence(helps)))
    yield from _instead(context, ruling, verdict)


def _instead(context: MailContext, ruling: SubmissionResult, verdict: Verdict) -> Iterator[Block]:
    """What could be played, in the game's own words if it has any, else by a few examples."""
    if context.choices is not None and context.board is not None:
        own = context.sentences.open_instead(context.board.view, context.choices, ruling.later or ruling.moves)
        if own:
            yield Lines(own)
            return
    offered = list(dict.fromkeys(_playable(context, ruling, verdict.instead)))[:MOST]
    if offered:
        yield Paragraph(context.say("legal_instead", "; ".join(map(context.order, offered))))


def _playable(context: MailContext, ruling: SubmissionResult, moves: tuple[object, ...]) -> Iterator[str]:
    """Of moves in place of a refused one those that can be played now.

    What would be legal after the reader's own moves before it is written together with these: none of them was played.
    """
    table, own = context.table, ruling.moves[: ruling.refused] if ruling.verdict is not None else ()
    for move in moves:
        ways = [write_moves(table.game, (move,)), *([write_moves(table.game, (*own, move))] if own else [])]
        yield from [way for way in ways if judge_at(table.game, table.position, context.seat, way).is_legal][:1]


def write_refused(context: MailContext, refused: Refused, headline: str) -> Iterator[Block]:
    """A command that a rule of ours forbids, as far as the headline does not say it."""
    point, rest = context.refuse(refused)
    if point not in headline:
        yield Paragraph(begin_sentence(end_sentence(point)))
    if rest:
        yield Paragraph(rest)


def why_not(context: MailContext, order: str) -> Iterator[Block]:
    """Why the move that a letter asks about cannot be played now."""
    table = context.table
    if not order or table.position is None:
        return
    verdict = judge_at(table.game, table.position, context.seat, order).verdict
    if verdict is not None:
        yield Paragraph(" ".join(begin_sentence(end_sentence(said)) for said in context.refuse(verdict) if said))


def say_why(context: MailContext, decision: Decision) -> str:
    """Why a planned turn was not played, in one sentence without the rule."""
    ruling = decision.ruling
    broken = decision.refused or (ruling.verdict if ruling is not None else None)
    if broken is not None:
        return begin_sentence(end_sentence(context.refuse(broken)[0]))
    return context.say("not_whole" if ruling is not None and ruling.is_legal else "unreadable")


def cite(context: MailContext, rules: Iterable[Rule]) -> str:
    """The codes of the rules behind a refusal; in brackets, so that no quoted line of it asks for one."""
    return " ".join(f"({context.say('link_rule', rule.code)})" for rule in rules)


def link_rules(context: MailContext, rules: Iterable[Rule]) -> tuple[Link, ...]:
    """Answers that ask for the rules behind a refusal."""
    return tuple(
        context.link(context.say("link_rule", rule.code), f"{context.command('rule')} {rule.code}") for rule in rules
    )


def write_fault(context: MailContext, fault: Fault | None, text: str) -> Iterator[Block]:
    """What could not be read: the line with a caret below the place, what was expected, and a text that can be read."""
    if fault is None:
        yield Preformatted((show_name(text, longest=LONGEST),))
        return
    shown = fault.text[:LONGEST]
    caret = " " * (fault.column - 1) + "^" * max(1, fault.length)
    # In a sentence that begins with no word of a move, the place where reading stopped says nothing.
    is_talk = not fault.meant and len(fault.text.split()) >= _SENTENCE and fault.column <= _BEGINNING
    yield (
        Preformatted((_keep_blanks(shown), caret[:LONGEST]))
        if fault.column <= LONGEST and not is_talk
        else Preformatted((_keep_blanks(shown),))
    )
    where = context.say("read_at", show_name(fault.read)) if fault.read else context.say("read_the_end")
    said = [] if is_talk else [where]
    forms = _forms(context)
    expected = _open_now(context, fault.expected) if not forms else ()
    if expected:
        wanted = [
            context.sentences.gettext(each) if " " in each else context.sentences.say_word(each) for each in expected
        ]
        said.append(context.say("expected", join_words(wanted, context.sentences, "or")))
    if fault.meant:
        said.append(context.say("meant", context.sentences.say_word(show_name(fault.meant))))
    if (stranger := fault.stranger) is not None:
        instead = join_words([*stranger.instead], context.sentences, "or")
        said.append(context.say("strange", show_name(stranger.sign), _name_sign(context, stranger), instead))
    yield from [Paragraph(" ".join(said))] if said else []
    example = _example(context, fault)
    is_playing = context.table.position is not None
    if example and is_playing and judge_at(context.table.game, context.table.position, context.seat, example).is_legal:
        yield Lines((context.say("readable", context.order(example.replace("\n", "; "))),))
    elif forms:
        yield from how_to_write(context)


def how_to_write(context: MailContext) -> Iterator[Block]:
    """The form of what the reader can play now, and an example; nothing where there is no such form."""
    forms = _forms(context)
    if forms and context.choices is not None:
        yield from [to_copy(context, "form", form) for form in forms]
        yield to_copy(context, "example", context.hint or context.choices.example)


def _forms(context: MailContext) -> list[str]:
    """How the moves of this moment are written; nothing where they are too many to learn from."""
    if context.choices is None or context.board is None:
        return []
    forms = context.sentences.list_out("form", context.board.view)
    return forms if len(forms) <= _FEW_FORMS else []


def _open_now(context: MailContext, expected: tuple[str, ...]) -> tuple[str, ...]:
    """What could stand in a place of a move; of many words that begin one, those that the reader can play now."""
    if len(expected) <= MOST:
        return expected
    orders = context.choices.first.values() if context.choices is not None else ()
    begun = dict.fromkeys(order.split()[0] for order in orders)
    return tuple(word for word in begun if word in expected)


def _name_sign(context: MailContext, stranger: Lookalike) -> str:
    """What a strange character is called; Unicode has names in English only, and numbers for everybody."""
    return stranger.name if context.sentences.locale.code == "en" else f"U+{ord(stranger.sign[0]):04X}"


def _example(context: MailContext, fault: Fault) -> str:
    """The reader's own text as it can be read; any other move of the game would not be what was meant."""
    reader = phrases(context.table.game.key)
    return "" if reader is not None and fault.example == reader.book.example else fault.example


def _keep_blanks(text: str) -> str:
    """A line with its blanks, so that a caret below it stays in its place."""
    return "".join(" " if character.isspace() else show_name(character) or " " for character in text)


_HEADLINE: Final = 70
"""Characters of a headline."""


def head_by_first(headline: str, blocks: tuple[Block, ...]) -> tuple[str, tuple[Block, ...]]:
    """What was done as the headline instead of *Done*, if the first line of the mail says it in a few words."""
    first = blocks[0] if blocks else None
    lines = first.lines if isinstance(first, Lines) else (first.text,) if isinstance(first, Paragraph) else ()
    if not lines or not 0 < len(lines[0]) <= _HEADLINE or ":" in lines[0]:  # behind a colon may stand an order
        return headline, blocks
    rest = (Lines(lines[1:]),) if len(lines) > 1 else ()
    return begin_sentence(lines[0].rstrip(".")), (*rest, *blocks[1:])


def explain_request(context: MailContext) -> Iterator[Block]:
    """Why the others are asked before a turn is taken back."""
    obstacle = find_take_back(context.table, context.seat, context.gains.position_after)
    if not isinstance(obstacle, TakeBack):
        yield from why_others_are_asked(context, obstacle)
        yield Links(link_rules(context, (table_rules.V4,)), button=False)
