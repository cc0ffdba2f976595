"""Mails in every language: nothing is left in English but names and what people wrote, and what they teach works."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import cache

import pytest
from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from engine.registry import IN_HOUSE
from notation.phrasebook import STANDING, find_phrasebook
from notation.phrases import Phrases, phrases
from pbem.events.chain import Draft
from pbem.locale.catalogues import DOMAIN, find_locale
from pbem.locale.cldr import format_length
from pbem.locale.languages import LANGUAGE_CODES, locale_folder
from pbem.mail.commands import letter_rules
from pbem.mail.commands.appeal import Appeal
from pbem.mail.commands.invitation import AcceptInvitation
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.press import Press
from pbem.mail.commands.standing import SetStanding
from pbem.mail.commands.submit_moves import Preview
from pbem.mail.writing.composer import Composer
from pbem.mail.writing.mime import Mail
from pbem.mail.writing.occasions import Correspondent, Envelope, InvitationMail, Occasion, ReplyMail, TurnMail
from pbem.mail.writing.sentences import Sentences, find_sentences
from pbem.tables import table_rules
from pbem.tables.referee_decisions import open_table
from pbem.tables.table import Table
from tests.english_left import english_left, parts_to_read, said_in
from tests.known_games import known_game
from tests.pbem.mail.writing.conftest import POST, REPLY_TO, all_occasions, answer_to, first_offer
from tests.post.mailed_games import NOW, WATCHERS, Game, watched

OTHERS = sorted({*LANGUAGE_CODES} - {"en"})
every_language = pytest.mark.parametrize("code", OTHERS)
ASKED = (
    *("help", "status", "rules", "fewer mails", "proof", "undo", "draw", "pause", "vacation 2026-12-20 to 2026-12-27"),
    *(
        "notify each",
        "language pl",
        "language xx",
        "zone Europe/Warsaw",
        "hints on",
        "standing none",
        "press to all: hm",
    ),
    *(
        "rule zzz",
        "agree draw",
        "stop",
        "plan none",
        "appeal 1: hm",
        "resign",
        "accept",
        "object pause",
        "preview pass",
    ),
)
"""Letters that can be written at any time, so that many kinds of answer are seen in every game."""


MOVES = ("end", "pass", "roll", "road 1-2", "offer 9 ore for 1 wool to any", "1 A1-A2", "place M16", "buy")
"""Moves that are refused somewhere, each for its own reason."""


def games_in_progress() -> Iterator[tuple[str, Game]]:
    """A moment of every game in which somebody is to move."""
    yield "nomadi", Game(list(first_offer()))
    for moment in ("market", "flood", "reaction"):
        yield f"brotherhood {moment}", Game(list(watched("brotherhood", moment)))
    for moment in ("bargain", "purchase"):
        yield f"brotherhood-base {moment}", Game(list(watched("brotherhood-base", moment)))


def further_occasions() -> Iterator[tuple[str, Table, str, Occasion]]:
    """What `all_occasions` does not have of the other games: turns of everybody due, answers, all rules in words."""
    for name, game in games_in_progress():
        table = game.table
        for seat in table.seats:
            yield f"{name}, turn of {seat}", table, seat, TurnMail(game.since(seat))
        seat = table.due[0]
        for words in ASKED:
            copy = Game(list(game.events))
            yield f"{name}, {words}", copy.table, seat, answer_to(copy, seat, words)
        for words in (
            "end",
            "pass",
            "roll",
            "road 1-2",
            "offer 9 ore for 1 wool to any",
            "1 A1-A2",
            "place M16",
            "buy",
        ):
            copy = Game(list(game.events))
            yield f"{name}, refused {words}", copy.table, seat, answer_to(copy, seat, words)
    for key in IN_HOUSE:
        invited = Game([])
        rules = known_game(key)
        names = dict(zip(rules.seats, WATCHERS.values(), strict=False))
        opened = open_table(rules, names=names, options={}, terms={})
        assert isinstance(opened, Draft)
        invited.apply_events([opened])
        seat = invited.table.seats[0]
        yield f"{key}, invitation", invited.table, seat, InvitationMail("Boris")
        for each in invited.table.seats:
            invited.do(each, AcceptInvitation(each))
        due = invited.table.due[0]
        yield f"{key}, begun", invited.table, due, TurnMail(tuple(invited.events))
        codes = [rule.code for rule in (*rules.rules, *table_rules.RULES, *letter_rules.RULES)]
        for at in range(0, len(codes), 8):
            letter = "\n".join(f"rule {code}" for code in codes[at : at + 8])
            yield f"{key}, {letter!r}", invited.table, due, answer_to(invited, due, letter)


@cache
def occasions() -> tuple[tuple[str, Table, str, Occasion], ...]:
    """Mails of every kind about every game of ours."""
    return (*all_occasions(), *further_occasions())


@cache
def composer() -> Composer:
    return Composer(POST)


def write(table: Table, seat: str, occasion: Occasion, code: str) -> Mail:
    """A mail to one reader, who is new to the game."""
    person = Correspondent(table.names.get(seat, "Rita"), "reader@players.test", code, "Europe/Warsaw")
    envelope = replace(Envelope(seat, person, 7, REPLY_TO, NOW), hints=True)
    return composer().compose(table, envelope, occasion, {due: NOW + timedelta(days=2, hours=6) for due in table.due})


@cache
def in_english() -> dict[str, dict[str, str]]:
    return {name: parts_to_read(write(table, seat, it, "en"), proofs("en")) for name, table, seat, it in occasions()}


def sentences(code: str, key: str = "nomadi") -> Sentences:
    return find_sentences(find_locale(code), key)


def proofs(code: str) -> list[str]:
    """How the proof at the end of the text part may begin."""
    said = sentences(code)
    titles = [said.say(name) for name in ("title_receipt", "title_promised", "title_opened")]
    return [*titles, *(said.say("chained", count).split()[0] + " " for count in (1, 2))]


def own_words(occasion: Occasion) -> list[str]:
    """Lines of a letter that were not understood: a mail quotes their words."""
    return [line.text for line in occasion.parsed.unread] if isinstance(occasion, ReplyMail) else []


@every_language
def test_no_english_word_is_left(code: str) -> None:
    left: dict[str, set[str]] = {}
    for name, table, seat, occasion in occasions():
        if name == "history":
            continue  # the record itself, a file that is the same for everybody
        said, names = [*said_in(occasion, table)], [*table.names.values(), *own_words(occasion)]
        told = parts_to_read(write(table, seat, occasion, code), proofs(code))
        for part, text in told.items():
            words = english_left(in_english()[name][part], text, code, names=names, said=said)
            if words:
                left[f"{name}, {part}"] = words
    assert left == {}


@every_language
def test_an_untranslated_sentence_would_be_noticed(code: str) -> None:
    asked = "Tell us what you would like to play."
    assert {"tell", "what", "you", "would", "like", "play"} <= english_left(f"{asked} Anna", f"{asked} Anna", code)
    assert english_left("Anna: road 17-18", "Anna: road 17-18", code, names=["Anna"]) == {"road"}


def mean(words: str, key: str) -> list[object]:
    """What the commands of a letter mean; moves that are read only later are read."""
    found: list[object] = []
    for command in parse_commands(words, game=known_game(key)).commands:
        match command:
            case Preview(text):
                reader = phrases(key)
                assert reader is not None
                found.append((Preview, reader.read(text)))
            case SetStanding(text):
                book = find_phrasebook("brotherhood")
                assert book is not None
                found.append((SetStanding, Phrases(book, start=STANDING).read(text)))
            case _:
                found.append(command)
    return found


PLACES = {
    "rule": "TD-C1",
    "vacation": "2026-12-20",
    "press to all:": "hm",
    "preview": "F4",
    "language": "pl",
    "zone": "Europe/Warsaw",
}
REACHES = ("here", "everywhere")
"""Words that say how far a wish goes; they stand behind one."""
"""What must follow some commands."""


@every_language
def test_commands_that_mails_teach_are_understood(code: str) -> None:
    game, said = known_game("through-the-desert"), sentences(code, "through-the-desert")
    commands = said._common.commands
    assert len(commands) > 35
    for english, own in commands.items():
        follows = f" {PLACES[english]}" if english in PLACES else ""
        follows = " lilac F4" if english == "preview" else follows
        wish = "plain on " if english in REACHES else ""
        meant = parse_commands(wish + english + follows, game=game).commands
        assert len(meant) == 1, english
        assert parse_commands(f"{wish}{own}{follows}", game=game).commands == meant, (english, own)


TAUGHT = re.compile(r"[Rr]eply (undo|resume|proof|accept|vacation none|standing none|agree draw)\b")


@every_language
def test_sentences_teach_the_same_commands_as_buttons(code: str) -> None:
    commands = sentences(code)._common.commands
    for message in catalogue(code):
        if not message.id or message.context or not isinstance(message.id, str):
            continue
        for command in TAUGHT.findall(message.id):
            assert commands[command] in str(message.string), message.id


@every_language
@pytest.mark.parametrize("key", IN_HOUSE)
def test_orders_of_primers_do_what_the_english_ones_do(code: str, key: str) -> None:
    english, own = sentences("en", key).primer, sentences(code, key)
    orders = [order for _, order in english.typed] + [order for _, order in english.entries.values()]
    assert orders
    for order in orders:
        taught = own.teach(order)
        said = re.sub(r'"[^"]*"', '"hm"', order), re.sub(r'"[^"]*"', '"hm"', taught)
        meant, read = (mean(each, key) for each in said)
        assert meant, order
        assert read == meant, (order, taught)


@every_language
def test_examples_of_the_rules_of_letters_are_understood_alike(code: str) -> None:
    tried = 0
    for rule in (*table_rules.RULES, *letter_rules.RULES):
        for example in filter(None, (rule.obeys, rule.breaks)):
            written = example.partition(" -- ")[0]
            key = "brotherhood" if written == "accept red" else "through-the-desert"
            said = sentences(code, key)
            told = said.gettext(example).partition(" -- ")[0]
            meant = mean(written, key)
            is_prose = "on the next line" in written  # two lines, told in one
            if meant and not is_prose and not isinstance(meant[0], (Press, Appeal)):  # whose words are translated, too
                own = told if told != written else said.command(written)
                assert mean(own, key) == meant, (example, own)
                tried += 1
    assert tried > 20


@cache
def catalogue(code: str) -> Catalog:
    with (locale_folder(code) / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as opened:
        return read_po(opened, locale=code)


FORMS = {
    # For 0 to 30, which of the forms of a noun each number takes, by the rules of CLDR for whole numbers.
    "nl": "1" + "0" + "1" * 29,
    "he": "2" + "0" + "1" + "2" * 28,
    "pl": "2" + "0" + "111" + "2" * 17 + "111" + "2" * 6,
    "ru": "2" + "0" + "111" + "2" * 16 + "0" + "111" + "2" * 6,
}
KINDS = {
    "nl": ["one", "other"],
    "he": ["one", "two", "other"],
    "pl": ["one", "few", "many"],
    "ru": ["one", "few", "many"],
}
"""What CLDR calls the forms, in the order of the catalogue."""


@every_language
def test_numbers_take_the_forms_that_cldr_says(code: str) -> None:
    plural = Locale.parse(code).plural_form
    assert len(FORMS[code]) == 31
    assert [KINDS[code][int(form)] for form in FORMS[code]] == [plural(number) for number in range(31)]
    counted = [(each, tuple(each.id), tuple(each.string or ())) for each in catalogue(code) if each.pluralizable]
    assert len(counted) > 20
    translations = find_locale(code).translations
    for message, (one, many), forms in counted:
        assert message.context is None
        for number, form in enumerate(FORMS[code]):
            assert translations.ngettext(one, many, number) == forms[int(form)], (one, number)


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_lengths_of_time_are_said_in_words_of_the_language(code: str) -> None:
    for number in range(1, 31):
        for length in (timedelta(days=number), timedelta(hours=number), timedelta(minutes=number)):
            said = format_length(length, code)
            assert "duration" not in said
            assert (code == "en") == bool(re.search(r"\b(?:days?|hours?|minutes?)\b", said)), said
    assert format_length(timedelta(days=21), "he") == "21 ימים"
    assert format_length(timedelta(days=2), "he") == "יומיים"
    assert format_length(timedelta(days=21), "ru") == "21 день"
    assert format_length(timedelta(days=22), "pl") == "22 dni"
    assert format_length(timedelta(days=2, hours=6), "nl") == "2 dagen, 6 uur"
