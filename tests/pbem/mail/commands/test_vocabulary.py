"""Commands are put together from their modules and the files of languages; what a file lacks is said in English."""

import re
import re._constants as codes  # type: ignore[import-not-found]  # the parse tree of patterns has no public name
import re._parser as parsing  # type: ignore[import-not-found]  # as above
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from engine.game import Seat
from engine.registry import game_keys
from pbem.locale.languages import LANGUAGE_CODES, LANGUAGES, Language
from pbem.mail.commands import command_grammar, vocabulary
from pbem.mail.commands.command import Command, CommandContext, CommandFamily, verb
from pbem.mail.commands.command_grammar import families, parse_command, word_lists
from pbem.mail.commands.questions import Help
from pbem.mail.commands.vocabulary import LanguageWords, language_codes, load_languages, patterns
from pbem.mail.post_commands.reader import families as post_families
from pbem.tables.decision import Decision
from pbem.tables.table import Table

CACHED = (command_grammar.command_reader,)


@dataclass(frozen=True, slots=True)
class Wave(Command):
    """A command that no language has words for."""

    def format(self) -> str:
        return "wave"

    def decide(self, table: Table, seat: Seat, context: CommandContext) -> Decision:
        return Decision()


WAVE = CommandFamily(grammar="wave: _WAVE", words={"wave": "wave"}, terminals=(verb("_WAVE"),), build={"wave": Wave})


@pytest.fixture
def fresh() -> Iterator[None]:
    """Let the grammar be put together anew in a test, and after it."""
    forget()
    yield
    forget()


def forget() -> None:
    for cached in CACHED:
        cached.cache_clear()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_known_by_its_own_name(language: Language) -> None:
    assert language_codes()[language.name.lower()] == language.code


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_a_language_has_words_only_for_what_there_is(code: str) -> None:
    language = load_languages()[code]
    games = {f"game_{key.replace('-', '_')}" for key in game_keys()}
    to_the_post = {name for family in post_families() for name in family.words}
    assert set(language.words) <= set(word_lists()) | to_the_post | games
    assert set(language.languages) <= set(LANGUAGE_CODES)
    assert len(language.months) == 12
    assert set(language.doubts) <= {"anywhere", "above", "below", "before", "after", "right_after", "between"}
    assert set(language.harmless) <= {"openings", "phrases", "words"}
    assert set(language.answers) <= {"yes", "yes_also", "joins", "go_ahead", "agrees", "no", "unclear"}
    times = {"beside", "open_until", "today", "tomorrow", "at_hour", "o_clock", "days", "hours", "minutes"}
    pieces = {"leading", "starting", "bound_for", "ordinals", "ordinals_behind"}
    compared = {
        "passes",
        "needs",
        "gives",
        "denials",
        "robbing",
        "building",
        "besides",
        "place_numbers",
        "leads_to_number",
    }
    assert set(language.moves) <= {
        "thanks",
        "towards",
        "not",
        "shuts_out",
        "shut_out",
        "at_last",
        *times,
        *pieces,
        *compared,
    }
    assert len(language.weekdays) == 7


@pytest.mark.usefixtures("fresh")
def test_a_command_without_translations_is_understood_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    known = families()
    monkeypatch.setattr(command_grammar, "families", lambda: (*known, WAVE))
    assert parse_command("Wave, please!") == Wave()
    assert parse_command("hulp") == Help()


@pytest.mark.usefixtures("fresh")
def test_a_language_without_a_file_writes_its_commands_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"en": load_languages()["en"], "xx": LanguageWords()}
    monkeypatch.setattr(vocabulary, "load_languages", lambda: known)
    assert parse_command("help") == Help()
    assert not isinstance(parse_command("hulp"), Command)


def test_two_modules_do_not_use_the_same_name_for_words_terminals_or_rules() -> None:
    for names in (
        [name for family in families() for name in family.words],
        [each.name for family in families() for each in family.terminals],
        [rule for family in families() for rule in family.build],
    ):
        assert len(names) == len(set(names))


def beginnings(nodes: list[Any]) -> Iterator[tuple[Any, Any]]:
    """What a pattern can begin with."""
    for at, (kind, inside) in enumerate(nodes):
        if kind is codes.AT:
            if inside is codes.AT_BEGINNING_STRING:
                return
        elif kind is codes.BRANCH:
            for choice in inside[1]:
                yield from beginnings([*choice, *nodes[at + 1 :]])
            return
        elif kind is codes.SUBPATTERN:
            yield from beginnings([*inside[3], *nodes[at + 1 :]])
            return
        elif kind in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            yield from beginnings([*inside[2], *nodes[at + 1 :]])
            if inside[0]:
                return
        elif kind not in (codes.ASSERT, codes.ASSERT_NOT):
            yield kind, inside
            return


@pytest.mark.parametrize("where", ["anywhere", "above", "below"])
def test_a_doubt_begins_with_a_letter_or_at_the_beginning_of_a_line(where: str) -> None:
    """Reading looks for doubts only there, which is several times quicker."""
    for kind, inside in beginnings(list(parsing.parse(patterns("doubts", where)))):
        items = inside if kind is codes.IN else [(kind, inside)]
        assert all(
            inner is codes.CATEGORY_WORD if outer is codes.CATEGORY else re.match(r"\w", chr(inner))
            for outer, inner in items
        ), items


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_words_beside_a_move_are_listed_in_small_letters(code: str) -> None:
    language = load_languages()[code]
    listed = [each for section in (language.doubts, language.harmless) for some in section.values() for each in some]
    signs = [re.sub(r"\\[A-Z]", "", each) for each in listed]  # without \W, \Z and the like
    assert [each for each in signs if each != each.casefold()] == []


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_a_doubt_begins_with_a_letter_or_where_the_line_begins(code: str) -> None:
    listed = [each for some in load_languages()[code].doubts.values() for each in some]
    assert [each for each in listed if not begins_with_a_letter(parsing.parse(each))] == []


def begins_with_a_letter(items: Any) -> bool:
    """Whether the first sign that a pattern takes is one of a word, in all its forms."""
    for op, av in items:
        if op in (codes.ASSERT, codes.ASSERT_NOT):
            continue
        if op is codes.AT:
            return av is codes.AT_BEGINNING_STRING
        if op is codes.BRANCH:
            return all(map(begins_with_a_letter, av[1]))
        if op is codes.SUBPATTERN:
            return begins_with_a_letter(av[3])
        if op in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            if not begins_with_a_letter(av[2]):
                return False
            if av[0] > 0:
                return True
            continue
        if op is codes.IN:
            return all(kind == (codes.CATEGORY, codes.CATEGORY_WORD) or is_letter(*kind) for kind in av)
        return is_letter(op, av)
    return False


def is_letter(op: Any, av: Any) -> bool:
    return op is codes.LITERAL and chr(av).isalnum()
