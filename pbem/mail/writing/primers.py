"""How a game is learned from mails: the game in short, how a move is typed, the rules page, and a rule by its word.

What stands here is the same whatever is hidden in a game: it comes from the game's `primer.txt`, from its table of
words and from its rules. Only reminders look at the board, as the reader sees it.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from engine.verdict import Rule, begin_sentence
from pbem.mail.commands.rule_topics import FoundRules, Topic, list_topics, near_topics
from pbem.mail.writing.blocks import PLAIN, SOFT, Block, Heading, Lines, Links, Notation, Paragraph, Picture
from pbem.mail.writing.page import MailContext
from pbem.mail.writing.sentences import find_sentences
from pbem.render import ENGLISH

MOST_RULES: Final = 4
"""Other rules of a topic that stand below its first."""
MOST_LINKS: Final = 4
_ASK: Final = "rule"
_ASK_ALL: Final = "rules"


def in_short(context: MailContext, *, small: bool = False) -> Iterator[Block]:
    """The game in six lines, and how to begin well; nothing for a guest without them."""
    primer = context.sentences.primer
    if primer.lines:
        yield Heading(context.say("title_primer"))
        yield Lines(tuple(f"{number}. {line}" for number, line in enumerate(primer.lines, start=1)), small=small)
    if primer.good_start:
        yield Paragraph(primer.good_start, SOFT if small else PLAIN)


def how_to_type(context: MailContext, *, small: bool = False) -> Iterator[Block]:
    """How moves are typed, one order a line."""
    primer = context.sentences.primer
    if primer.typed:
        yield Heading(context.say("title_typed"))
        teach, order = context.sentences.teach, context.sentences.order
        orders = [f"{deed} {order(teach(typed))}" for deed, typed in primer.typed]
        yield Lines(tuple(_join_ways(context, orders) if small else orders), whole=True, small=small)
    for note in primer.notes:
        yield Paragraph(note, SOFT if small else PLAIN)


def _join_ways(context: MailContext, orders: list[str]) -> list[str]:
    """Orders with other ways to go on in the same line: those whose words begin small in English."""
    english = find_sentences(ENGLISH, context.table.game.key).primer.typed
    joined: list[str] = []
    for (deed, _), order in zip(english, orders, strict=True):
        if joined and deed[:1].islower():
            joined[-1] += f", {order}"
        else:
            joined.append(order)
    return joined


def remind(context: MailContext) -> Iterator[Block]:
    """What is good to have before one's eyes in every turn, such as prices."""
    if context.board is None:
        return
    lines = context.sentences.remind(context.board.view, context.seat)
    if lines:
        yield Heading(context.say("title_reminders"))
        yield Lines(tuple(lines))


def rules_page(context: MailContext) -> Iterator[Block]:
    """The whole game: in short, how a move is typed, an example, its rules by chapters, and words to ask about."""
    game, primer = context.table.game, context.sentences.primer
    yield Heading(context.say("title_rules", context.sentences.gettext(game.title)))
    yield from in_short(context, small=True)
    yield from how_to_type(context, small=True)
    yield from _example(context)
    rules = {rule.code: rule for rule in game.rules}
    chapters = primer.chapters or (("", tuple(rules)),)
    for title, codes in chapters:
        yield from (Heading(title),) if title else ()
        said = [context.sentences.gettext(rules[code].text) for code in codes if code in rules]
        yield Lines(tuple(said), small=True)
    topics = list_topics(game)
    untold = [topic for topic in topics if topic.key in primer.entries and not _is_told(context, topic)]
    entries = " ".join(f"{_say_entry(context, topic)}." for topic in untold)
    if entries:
        yield Lines((entries,), small=True)
    others = tuple(topic for topic in topics if topic.name(context.sentences.locale.code) not in entries)
    if others:
        yield Heading(context.say("title_index"))
        # Behind a bar, because a word such as end would be an order at the beginning of a line.
        ask = context.sentences.order(context.command(_ASK))
        words = context.say("rule_index", ask, ", ".join(_names(context, others)))
        yield Lines((words,), small=True)


def _is_told(context: MailContext, topic: Topic) -> bool:
    """Whether the game in short says by name what a card does."""
    return any(topic.name(context.sentences.locale.code) in line for line in context.sentences.primer.lines)


def _example(context: MailContext) -> Iterator[Block]:
    """A position in a picture: a good space, a wrong one in a ring, and what is said about them."""
    lesson = context.sentences.primer.lesson
    if lesson is None:
        return
    yield Heading(context.say("title_lesson"))
    alt = " ".join((context.say("title_rules", context.title), *lesson.says))
    yield Picture(context.pictures.lesson(context.table.game, lesson, context.sentences.locale), alt)
    yield Lines(lesson.says, small=True)


def headline(context: MailContext, found: FoundRules) -> Heading:
    """What an answer about a rule is called: the topic and what it does, or the rule."""
    if found.topic is None:
        first = found.rules[0]
        return Heading(context.say("title_rule", first.code, context.sentences.rule_name(first)))
    if found.topic.key in context.sentences.primer.entries:
        return Heading(_say_entry(context, found.topic))
    return Heading(begin_sentence(found.topic.name(context.sentences.locale.code)))


def beside_rule(context: MailContext, found: FoundRules) -> Iterator[Block]:
    """What belongs to a rule that was asked for by a word: its order, other rules, and other words."""
    entry = context.sentences.primer.entries.get(found.topic.key) if found.topic is not None else None
    if entry is not None:
        yield Notation(context.say("rule_typed", ""), context.sentences.order(context.sentences.teach(entry[1])))
    others = found.rules[1:]
    if others:
        yield Lines(tuple(say_rule(context, rule) for rule in others[:MOST_RULES]))
    if found.others:
        yield Lines((context.say("rule_others", ", ".join(_names(context, found.others))),))
    asked = [(context.say("link_rule", rule.code), rule.code) for rule in others[:MOST_LINKS]]
    named = [(begin_sentence(name), name) for name in _names(context, found.others[:MOST_LINKS])]
    yield _ask_links(context, [*named, *asked][:MOST_LINKS])


def how_to_ask(context: MailContext) -> Paragraph:
    """How to ask about something else."""
    ask, ask_all = (context.sentences.order(context.command(each)) for each in (_ASK, _ASK_ALL))
    return Paragraph(context.say("rule_more", ask, ask_all), SOFT)


def without_rule(context: MailContext, words: str) -> Iterator[Block]:
    """Nothing was found: where else to look."""
    yield Heading(context.say("title_no_rule", context.sentences.name(words)))
    near = near_topics(context.table.game, words)
    if near:
        yield Lines((context.say("rule_near", ", ".join(_names(context, near))),))
    yield Paragraph(context.say("rule_all", context.sentences.order(context.command(_ASK_ALL))))
    yield _ask_links(context, [(begin_sentence(name), name) for name in _names(context, near)])


def _ask_links(context: MailContext, asked: Iterable[tuple[str, str]]) -> Links:
    """Answers that ask for rules, by their codes or words, and for all of them."""
    links = [context.link(label, f"{context.command(_ASK)} {words}") for label, words in asked]
    return Links((*links, context.link(context.say("link_rules"), context.command(_ASK_ALL))), button=False)


def _names(context: MailContext, topics: Iterable[Topic]) -> list[str]:
    return [topic.name(context.sentences.locale.code) for topic in topics]


def say_rule(context: MailContext, rule: Rule) -> str:
    """A rule with its code behind it."""
    return context.say("rule_line", rule.code, context.sentences.gettext(rule.text))


def _say_entry(context: MailContext, topic: Topic) -> str:
    does, _ = context.sentences.primer.entries[topic.key]
    return context.say("title_topic", begin_sentence(topic.name(context.sentences.locale.code)), does)
