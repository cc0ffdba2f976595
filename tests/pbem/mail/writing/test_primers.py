"""A game is learned from its mails: in short, how it is typed, on one page, and by words."""

import re
from collections.abc import Callable

import pytest

from engine.brotherhood.moves import HEROES
from engine.registry import IN_HOUSE
from pbem.locale.catalogues import find_locale
from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.rule_topics import list_topics
from pbem.mail.writing.mime import Mail
from pbem.mail.writing.occasions import InvitationMail, ReminderMail, ReplyMail, TurnMail
from pbem.mail.writing.sentences import find_sentences
from tests.known_games import known_game
from tests.post.mailed_games import Game

LARGEST = 75_000
every_game = pytest.mark.parametrize("key", IN_HOUSE)
every_language = pytest.mark.parametrize("code", LANGUAGE_CODES)


@every_game
def test_a_primer_is_whole(key: str) -> None:
    game, primer = known_game(key), find_sentences(find_locale("en"), key).primer
    codes = {rule.code for rule in game.rules}
    assert len(primer.lines) == 6
    assert primer.good_start
    assert {*primer.entries} <= {topic.key for topic in list_topics(game)}
    assert 5 <= len(primer.chapters) <= 6
    for title, rules in primer.chapters:
        assert 0 < len(rules) <= 5, title
        assert {*rules} <= codes, title


@every_game
def test_what_a_primer_says_to_type_can_be_typed(key: str) -> None:
    game, primer = known_game(key), find_sentences(find_locale("en"), key).primer
    for order in [*dict(primer.typed).values(), *(order for _, order in primer.entries.values())]:
        parsed = parse_commands(order, game=game)
        assert parsed.question is None, order
        assert len(parsed.commands) == 1, order


@every_game
@every_language
def test_a_primer_is_translated(key: str, code: str) -> None:
    english, primer = (find_sentences(find_locale(each), key).primer for each in ("en", code))
    if code != "en":
        assert not {*english.lines, english.good_start, *english.notes} & {*primer.lines, *primer.notes}
        assert all(one[0] != other[0] for one, other in zip(english.chapters, primer.chapters, strict=True))
    typed, meant = ([re.sub('".*"', "words", order) for _, order in each.typed] for each in (primer, english))
    assert typed == meant, "an order is translated where it is shown; what a player says in it, where it is written"


def test_every_hero_is_told_in_words() -> None:
    assert {*HEROES} <= {*find_sentences(find_locale("en"), "brotherhood").primer.entries}


@every_language
def test_the_rules_page_is_small_and_names_every_topic(
    code: str,
    played: Callable[[int], Game],
    market: Game,
    offered: Game,
    compose: Callable[..., Mail],
    answer: Callable[..., ReplyMail],
    read: Callable[[Mail], dict[str, str]],
) -> None:
    for game in (played(3), market, offered):
        seat = game.table.seats[0]
        mail = compose(game.table, answer(game, seat, "rules"), seat=seat, language=code)
        assert len(mail.raw) < LARGEST
        text = " ".join(read(mail)["text/plain"].replace("\n| ", "\n").split())
        assert all(topic.name(code) in text for topic in list_topics(game.table.game))


def test_the_invitation_and_the_first_turn_tell_the_game_and_later_turns_do_not(
    lay_table: Callable[..., Game],
    start_game: Callable[..., Game],
    compose: Callable[..., Mail],
    read: Callable[[Mail], dict[str, str]],
) -> None:
    def told(mail: Mail) -> list[bool]:
        text = read(mail)["text/plain"]
        return [words in text for words in ("You lead five caravans of camels", "| A leader: leader mint K9")]

    assert told(compose(lay_table().table, InvitationMail())) == [True, False]
    game = start_game()
    assert told(compose(game.table, TurnMail(tuple(game.events)))) == [True, True]
    assert told(compose(game.table, ReminderMail(tuple(game.events)))) == [False, False]
    game.play(3)
    assert told(compose(game.table, TurnMail(game.since("orange")), seat="orange")) == [True, True]
    game.play(1)
    assert told(compose(game.table, TurnMail(game.since("red")))) == [False, False]


def test_a_turn_of_the_brotherhood_has_the_prices_and_the_hero_in_words(
    market: Game, compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    (seat,) = market.table.due
    text = " ".join(read(compose(market.table, TurnMail(market.since(seat)), seat=seat))["text/plain"].split())
    assert "Prices. Road: lumber, brick." in text
    assert "Your hero Ygritte: sends a wildling home from the Gift." in text


@pytest.mark.parametrize(
    ("words", "headline"),
    [
        ("what does Mormont do?", "Mormont: a forced trade with one player or two"),
        ("rule giant", "Giant"),
        ("prices", "Prices"),
        ("rule BW-J1", "Rule BW-J1, no such demand"),
        ("rule xyzzy", "We found no rule for “xyzzy”"),
    ],
)
def test_an_answer_about_a_rule_has_its_topic_as_headline(
    words: str,
    headline: str,
    market: Game,
    compose: Callable[..., Mail],
    answer: Callable[..., ReplyMail],
    read: Callable[[Mail], dict[str, str]],
) -> None:
    seat = market.table.seats[0]
    mail = compose(market.table, answer(market, seat, words), seat=seat)
    assert mail.kind == "answer"
    assert f"\n{headline}\n" in read(mail)["text/plain"]


AUTHORS = ("Obeys it", "Breaks it", "Source:", "rulebook", "[")


@every_language
def test_an_answer_about_a_rule_is_for_players_and_says_how_to_ask_more(
    code: str,
    played: Callable[[int], Game],
    market: Game,
    offered: Game,
    compose: Callable[..., Mail],
    answer: Callable[..., ReplyMail],
    read: Callable[[Mail], dict[str, str]],
) -> None:
    for game in (played(3), market, offered):
        seat, sentences = game.table.seats[0], find_sentences(find_locale(code), game.table.game.key)
        more = sentences.say("rule_more", *(sentences.order(sentences.command(each)) for each in ("rule", "rules")))
        for rule in game.table.game.rules[::7]:
            text = read(compose(game.table, answer(game, seat, f"rule {rule.code}"), seat=seat, language=code))[
                "text/plain"
            ]
            told = text[: text.index(sentences.say("numbered", 1, "")[:4])]
            assert not [words for words in AUTHORS if words in told]
            assert not re.search(r"[0-9]+\. [a-z*]+: ", told)
            assert " ".join(more.split()) in " ".join(told.split())


def test_a_rule_comes_with_a_move_that_it_allows_and_one_that_it_does_not(
    played: Callable[[int], Game],
    compose: Callable[..., Mail],
    answer: Callable[..., ReplyMail],
    read: Callable[[Mail], dict[str, str]],
) -> None:
    game = played(3)
    text = " ".join(read(compose(game.table, answer(game, "red", "rule TD-C1")))["text/plain"].split())
    assert "| For example, lilac E5: E5 is empty" in text
    assert "| Not allowed, lilac E4: red's own leader stands there" in text
