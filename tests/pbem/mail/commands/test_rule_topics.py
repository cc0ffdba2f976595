"""Rules are found by the words that players use, in five languages; and every word leads to rules that there are."""

import tomllib
from pathlib import Path

import pytest

from engine.registry import IN_HOUSE
from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.questions import AskRule
from pbem.mail.commands.rule_topics import find_by_word, find_topics, list_topics, named_topic, near_topics
from pbem.mail.commands.submit_moves import Play
from tests.known_games import known_game

every_game = pytest.mark.parametrize("key", IN_HOUSE)


@every_game
def test_every_topic_has_a_name_in_every_language_and_rules_of_its_game(key: str) -> None:
    game = known_game(key)
    codes = {rule.code for rule in game.rules}
    topics = list_topics(game)
    assert len(topics) > 15
    for topic in topics:
        assert {*topic.words} == {*LANGUAGE_CODES}, topic.key
        assert {*topic.codes} <= codes
        assert len({*topic.codes}) == len(topic.codes), topic.key


@every_game
@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_the_name_of_a_topic_asks_for_it(key: str, code: str) -> None:
    game = known_game(key)
    for topic in list_topics(game):
        name = topic.name(code)
        assert named_topic(game, name) == topic, name
        assert topic in find_topics(game, name), name
        assert parse_commands(f"rule {name}", game=game).commands == (AskRule(topic.name("en").lower()),), name


def test_every_code_of_a_table_is_a_rule_of_some_game(root: Path) -> None:
    known = {rule.code for key in IN_HOUSE for rule in known_game(key).rules}
    for path in root.glob("templates/*/terms.toml"):
        for name, entry in tomllib.loads(path.read_text("utf-8")).items():
            assert isinstance(entry, str) or {*entry["codes"].split()} <= known, (path, name)


@pytest.mark.parametrize(
    ("key", "words", "code"),
    [
        ("through-the-desert", "oasis", "TD-O1"),
        ("through-the-desert", "The Oases", "TD-O1"),
        ("through-the-desert", "оазисы", "TD-O1"),
        ("through-the-desert", "נווה המדבר", "TD-O1"),
        ("through-the-desert", "longest caravan", "TD-S2"),
        ("through-the-desert", "кучки", "TD-P3"),
        ("nomadi", "wąwozem", "NO-R1"),
        ("nomadi", "הנקיק", "NO-R1"),
        ("nomadi", "dobbelstenen", "NO-D2"),
        ("brotherhood", "Mormont", "BW-J1"),
        ("brotherhood", "Мормонта", "BW-J1"),
        ("brotherhood", "longest road", "BB-L1"),
        ("brotherhood", "wildling", "BW-C3"),
        ("brotherhood-base", "supply", "BB-T1"),
        ("brotherhood", "supply", "BW-R5"),
        ("brotherhood-base", "prices", "BB-B1"),
    ],
)
def test_a_word_finds_its_rule(key: str, words: str, code: str) -> None:
    found = find_by_word(known_game(key), words)
    assert found is not None
    assert found.rules[0].code == code


def test_a_guest_brings_words_of_its_own() -> None:
    game = known_game("shy-well")
    assert [topic.key for topic in list_topics(game)] == ["well", "card"]
    assert list_topics(game)[0].name("nl") == "put"
    assert list_topics(game)[0].name("ru") == "well"
    assert parse_commands("rule waterhole", game=game).commands == (AskRule("well"),)
    found = find_by_word(game, "how much do I drink?")
    assert found is not None
    assert [rule.code for rule in found.rules] == ["SW-3", "SW-2"]


def test_a_word_of_no_topic_is_looked_for_in_the_rules() -> None:
    found = find_by_word(known_game("through-the-desert"), "youngest")
    assert found is not None
    assert ([rule.code for rule in found.rules], found.topic) == (["TD-P1"], None)
    assert find_by_word(known_game("through-the-desert"), "xyzzy") is None
    assert find_by_word(known_game("through-the-desert"), "a") is None


def test_a_misspelt_word_is_near_its_topic() -> None:
    assert near_topics(known_game("through-the-desert"), "oasys")[0].key == "oasis"
    assert near_topics(known_game("through-the-desert"), "qqqq") == ()


@pytest.mark.parametrize(
    ("key", "letter"),
    [
        ("brotherhood", "what does Mormont do?"),
        ("brotherhood", "what does mormont do"),
        ("brotherhood", "Hi!\n\nWhat does Mormont do?\n\nAnna"),
        ("brotherhood", "что делает Мормонт?"),
        ("brotherhood", "co robi Mormont?"),
        ("brotherhood", "wat doet Mormont?"),
        ("brotherhood", "מה עושה מורמונט?"),
        ("through-the-desert", "how do oases score?"),
        ("through-the-desert", "Oasis?"),
        ("through-the-desert", "how many points for 2 oases?"),
    ],
)
def test_a_question_that_names_a_topic_asks_for_its_rule(key: str, letter: str) -> None:
    parsed = parse_commands(letter, game=known_game(key))
    assert parsed.question is None
    (asked,) = parsed.commands
    assert isinstance(asked, AskRule)
    assert asked.topic in letter


@pytest.mark.parametrize(
    ("letter", "rule"),
    [
        ("lilac F4 - is that next to the oasis?", "PO-L10"),
        ("lilca F4\n\nwhat is an oasis?", "PO-L1"),
        ("shall I put a camel next to 4 palms", "PO-L4"),
        ("the caravan moves on", "PO-L4"),
        ("what a night", "PO-L4"),
        ("> what is an oasis?", "PO-L4"),
    ],
)
def test_a_question_beside_a_move_or_beside_no_topic_stays_asked(letter: str, rule: str) -> None:
    parsed = parse_commands(letter, game=known_game("through-the-desert"))
    assert parsed.question is not None
    assert (parsed.question.rule.code, parsed.commands) == (rule, ())


@pytest.mark.parametrize("letter", ["lilac F4, salmon C9\n\nWhat a fine caravan!", "Rule of thumb\nlilac F4"])
def test_what_only_looks_like_a_question_stays_words_beside_a_move(letter: str) -> None:
    parsed = parse_commands(letter, game=known_game("through-the-desert"))
    assert [type(command) for command in parsed.commands or parsed.pencilled] == [Play]


def test_a_question_about_a_rule_is_answered_beside_a_move() -> None:
    parsed = parse_commands("lilac F4, salmon C9\n\nhow do oases score?", game=known_game("through-the-desert"))
    assert (parsed.commands or parsed.pencilled) == (Play("lilac F4, salmon C9"), AskRule("how do oases score?"))


def test_a_rule_and_a_move_are_both_done() -> None:
    commands = parse_commands("lilac F4\n\nrule oasis\nrules", game=known_game("through-the-desert")).commands
    assert [command.format() for command in commands] == ["lilac F4", "rule oasis", "rules"]
