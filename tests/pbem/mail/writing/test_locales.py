"""Every sentence goes through a catalogue, and a mail reads from right to left where its language does."""

import re
from collections.abc import Callable
from xml.etree.ElementTree import Element

import pytest

from engine.registry import IN_HOUSE
from engine.through_the_desert import GAME
from pbem.judging.record_replay import replay_record
from pbem.locale.catalogues import find_locale
from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.submit_moves import Play
from pbem.mail.writing.composer import Composer
from pbem.mail.writing.event_descriptions import EventDescriber
from pbem.mail.writing.gains import Gains
from pbem.mail.writing.mime import Mail
from pbem.mail.writing.occasions import ReplyMail
from pbem.mail.writing.sentences import find_sentences
from pbem.render import ENGLISH, Locale
from pbem.tables.absences import await_player
from pbem.tables.referee_decisions import extend
from pbem.tables.table import POST_WAS_DOWN
from tests.engine.recorded import Shelf
from tests.known_games import known_game
from tests.pbem.mail.writing.pseudo_language import Pseudo
from tests.post.mailed_games import Game

NAMES = {
    *("anna", "boris", "chloé", "greta", "rita", "caravan", "post", "sirocco", "through", "the", "desert"),
    *("nomadi", "brotherhood", "of", "watch", "base"),
    *("europe", "warsaw", "lisbon", *LANGUAGE_CODES, "xx"),
}
"""Words that are the same in every language: names, codes, and what the game and the post are called."""
NOTATION = {
    *("lilac", "mint", "lemon", "green", "salmon", "leader", "remove", "pass", "red", "blue", "orange"),
    *("move", "preview", "plan", "status", "board", "history", "rule", "code", "press", "all", "words", "undo"),
    *("draw", "pause", "resume", "agree", "object", "vacation", "date", "resign", "notify", "each", "turn", "daily"),
    *("language", "zone", "name", "plain", "on", "orders", "end", "turns", "colour", "space", "lilca", "and", "or"),
    *("to", "leave", "appeal", "standing", "order", "yellow", "accept", "decline", "discard", "offer", "any", "for"),
    *("road", "settlement", "keep", "guard", "buy", "roll", "trade", "lumber", "brick", "wool", "grain", "ore"),
    *("none", "hints", "off", "rules", "help", "fewer", "mails", "proof", "wanted", "play", "it", "now", "stop"),
    *("pictures", "reply", "calendar", "utc"),
}
"""Words of the notation and the names of orders, which players write as they stand."""
SIGNS = {*("lum", "bri", "wol", "grn", "ice", "tormund", "regular", "climber", "giant")}
"""Signs of the Brotherhood's map, which the words below it explain."""
PEOPLE = {
    *("shall", "we", "stop", "take", "east", "good", "luck", "merry", "christmas", "see", "you", "tue", "wrote"),
    *("well", "met", "is", "asleep", "referee", "an", "outage", "hello", "mountain", "hours"),
    *("that", "was", "not", "legal", "more", "right", "how", "do", "leaders", "score", "lider"),
    *("haikara", "lentää", "matalalla", "järven", "yllä"),
    *("are", "camels", "talk", "like", "here", "xyzzy", "signature", "signed", "example"),
    *("pbem", "case", "open", "close", "substitute", "reason", "why", "address"),
    *("format", "game", "rules", "id", "seat", "standard", "oases", "water", "result", "normal", "time"),
}
"""What people say in the letters of these tests, and the headers of a record."""


def prose(text: str) -> set[str]:
    """The words in Latin letters, without codes, spaces of the board and what people said."""
    text = re.sub(r"[a-z]+(?:-[a-z]+)+", " ", text)  # names of rules
    text = re.sub(r"\b[A-Z]{2}-[A-Z]\d\b|\b[A-V]\d+\b|\b[0-9a-f]{64}\b|· [0-9a-f]{8} ·|\d\w*", " ", text)
    return {word.casefold() for word in re.findall(r"[^\W\d_]{2,}", text) if re.match(r"[A-Za-zÀ-ž]", word)}


def test_no_visible_prose_escapes_translation(
    turned: dict[str, Mail], read: Callable[[Mail], dict[str, str]], shown: Callable[[str], list[str]]
) -> None:
    for name, mail in turned.items():
        for text in (read(mail)["text/plain"], "\n".join(shown(read(mail)["text/html"]))):
            text = text.split("     A  B  C")[0]
            assert prose(text) - NAMES - NOTATION - SIGNS - PEOPLE == set(), name


def test_alternative_texts_and_titles_are_translated_too(
    turned: dict[str, Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    for name, mail in turned.items():
        for alt in re.findall(r'alt="([^"]*)"', read(mail)["text/html"]):
            assert prose(alt) - NAMES - NOTATION == set(), name


def test_a_language_from_right_to_left_turns_the_page(
    turned: dict[str, Mail], read: Callable[[Mail], dict[str, str]], tree: Callable[[str], Element]
) -> None:
    for name, mail in turned.items():
        top = tree(read(mail)["text/html"])
        assert (top.get("lang"), top.get("dir")) == ("he", "rtl"), name
        assert {table.get("dir") for table in top.iter("table")} == {"rtl"}, name
        aligned = {cell.get("align") for cell in top.iter("td")} | {cell.get("align") for cell in top.iter("th")}
        assert "left" not in aligned, name
        assert "right" in aligned, name


def test_notation_keeps_its_direction_inside_such_a_sentence(
    turned: dict[str, Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    text = read(turned["refusal"])["text/plain"]
    assert "סגול N5\N{RIGHT-TO-LEFT MARK}, מנטה A1" in text
    order = find_sentences(find_locale("he"), "nomadi").spoken
    assert order("6 F12-I15, 2 J14-H14") == "\u20666 F12-I15, 2 J14-H14\u2069", "all of it runs the other way"
    assert order('6 F12-I15, offer "a, b", take I15') == '\u20666 F12-I15\u2069, הצע \u2068"a, b"\u2069, קח I15'
    told = next(line for line in read(turned["turn"])["text/plain"].splitlines() if "M8" in line)
    assert "M8\N{RIGHT-TO-LEFT MARK}," in told


@pytest.mark.parametrize("rule", ["TD-C3", "PO-T1", "PO-T4", "TD-P5"])
def test_what_is_said_of_an_example_of_a_rule_keeps_the_direction_of_the_reader(
    rule: str,
    played: Callable[[int], Game],
    compose: Callable[..., Mail],
    answer: Callable[..., ReplyMail],
    read: Callable[[Mail], dict[str, str]],
) -> None:
    game = played(60)
    told = read(compose(game.table, answer(game, "red", f"rule {rule}"), language="he"))["text/plain"]
    assert not re.findall(r"\u2066([^\u2069]*)\u2069", told), "moves are told in words, and no header of a record is"


def test_orders_can_be_copied_from_such_a_mail(turned: dict[str, Mail], read: Callable[[Mail], dict[str, str]]) -> None:
    (example,) = re.findall(r": (סגול [^:\n]*)\n", read(turned["turn"])["text/plain"])
    assert parse_commands(example, game=GAME).commands == (Play("lilac N5, mint R2"),)


def test_the_form_of_an_order_in_such_a_mail_holds_no_sign_that_turns_the_direction() -> None:
    sentences = find_sentences(find_locale("he"), "through-the-desert")
    (form,) = sentences.list_out("form", {"phase": "camels", "left": 2})
    assert sentences.order(form) == "צבע משבצת, צבע משבצת"
    assert sentences.order("leader COLOUR\N{RIGHT-TO-LEFT MARK}, end") == "\u2066leader COLOUR, end\u2069"


def test_a_name_that_runs_the_other_way_is_kept_apart(
    mails: dict[str, Mail], turned: dict[str, Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    isolated = "\N{FIRST STRONG ISOLATE}{}\N{POP DIRECTIONAL ISOLATE}"
    assert isolated.format("דנה") in read(mails["turn"])["text/plain"]
    assert isolated.format("Boris") in read(turned["turn"])["text/plain"]


def test_a_language_without_a_catalogue_is_english_and_says_so(
    write_mails: Callable[..., dict[str, Mail]], composer: Composer, mails: dict[str, Mail]
) -> None:
    assert find_locale("xx") is ENGLISH
    assert find_locale("../../etc") is ENGLISH
    assert {name: mail.raw for name, mail in write_mails(composer, "xx").items()} == {
        name: mail.raw for name, mail in mails.items()
    }


def test_the_answer_to_a_wish_for_a_language_is_the_first_letter_in_it(
    played: Callable[[int], Game],
    compose: Callable[..., Mail],
    answer: Callable[..., ReplyMail],
    read: Callable[[Mail], dict[str, str]],
) -> None:
    game = played(60)
    reply = answer(game, "red", "language nl")
    assert reply.outcomes[0][1].settings == {"language": "nl"}
    mail = read(compose(game.table, reply, language="nl"))
    assert "Antwoord" in mail["text/plain"]
    assert '<html lang="nl" dir="ltr">' in mail["text/html"]


@pytest.mark.parametrize(("code", "told"), [("pl", "„--- polecenia ---”"), ("ru", "«--- команды ---»")])
def test_a_line_to_be_written_stands_in_the_quotation_marks_of_the_reader(
    code: str,
    told: str,
    played: Callable[[int], Game],
    compose: Callable[..., Mail],
    answer: Callable[..., ReplyMail],
    read: Callable[[Mail], dict[str, str]],
) -> None:
    game = played(60)
    assert told in read(compose(game.table, answer(game, "red", "help"), language=code))["text/plain"]


@pytest.mark.parametrize(("code", "count", "told"), [("pl", -4, "punkty"), ("pl", -1, "punkt"), ("ru", -4, "очка")])
def test_a_noun_behind_a_number_below_zero_has_the_form_of_its_size(code: str, count: int, told: str) -> None:
    forms = find_locale(code).translations.ngettext("%(count)s point", "%(count)s points", count)
    assert forms == f"%(count)s {told}"


def test_a_verdict_tells_its_facts_in_the_words_of_the_game(pseudo: Pseudo) -> None:
    sentences = find_sentences(Locale("he", pseudo, rtl=True), GAME.key)
    said = sentences.translate("it is {due}'s turn, not {seat}'s", {"due": "red", "seat": "green"})
    assert sentences.seat("red") in said
    assert sentences.seat("green") in said
    assert prose(said + sentences.translate("the {colour} herd has no camel left", {"colour": "green"})) == set()
    facts = {"seat": "red", "thing": "a road", "wanting": "1 lumber, 1 brick"}
    wanted = {"one": "wool", "two": "ore"}
    for key in ("brotherhood", "brotherhood-base"):
        watch = find_sentences(Locale("he", pseudo, rtl=True), key)
        assert prose(watch.translate("{seat} cannot pay for {thing}: {wanting} is missing", facts)) == set()
        assert (
            prose(watch.translate("{maker} has changed the offer since; answer the new one", {"maker": "red"})) == set()
        )
        assert prose(watch.translate("the supply does not have {one} and {two}", wanted)) == set()
        assert prose(watch.translate("there is no hero {hero}", {"hero": "Yarwyck"})) == set()


def test_a_colour_and_a_seat_that_a_verdict_calls_another_are_in_the_words_of_the_game(pseudo: Pseudo) -> None:
    sentences = find_sentences(Locale("he", pseudo, rtl=True), GAME.key)
    facts = {"owner": "red", "other": "lilac", "space": "K7"}
    assert prose(sentences.translate("{owner}'s {other} camel stands at {space}", facts)) == set()
    assert (
        prose(sentences.translate("{rival} has already taken out {colour}", {"rival": "red", "colour": "mint"}))
        == set()
    )


@pytest.mark.parametrize("key", IN_HOUSE)
def test_a_refusal_calls_the_things_of_its_game_as_the_reader_does(key: str) -> None:
    sentences, shelf = find_sentences(find_locale("pl"), key), Shelf(known_game(key), "refused")
    things = {*known_game(key).seats, "lilac", "mint", "lemon", "salmon", "lumber", "brick", "wool", "grain", "ore"}
    assert len(shelf.names) > 20
    for name in shelf.names:
        refusal = replay_record(shelf.read(name)).refusal
        assert refusal is not None
        says, facts = refusal.verdict.says, refusal.verdict.facts
        written = f"{facts.get('example')} {facts.get('usual')}"  # as it would stand in a record
        left = things & set(re.findall(r"\w+", sentences.translate(says, facts))) - set(written.split())
        assert left == set(), name


def test_what_the_post_writes_into_events_is_told_in_the_words_of_the_reader(
    pseudo: Pseudo, played: Callable[[int], Game]
) -> None:
    game, locale = played(20), Locale("he", pseudo, rtl=True)
    game.apply_events([*await_player(game.table, "blue"), *extend(game.table, "24h", POST_WAS_DOWN).drafts])
    told = EventDescriber(game.table, "red", find_sentences(locale, GAME.key), gains=Gains()).describe(game.events[-2:])
    assert len(told) == 2
    assert prose(" ".join(told)) == set()
    (vacant, extended) = EventDescriber(game.table, "red", find_sentences(ENGLISH, GAME.key), gains=Gains()).describe(
        game.events[-2:]
    )
    assert vacant == "the clock is stopped: the referee looks for somebody to play blue"
    assert extended == "everybody gets 1 day more: the post was down"


@pytest.mark.parametrize("words", ["zone Nowhere", "standing auto-roll"])
def test_a_refusal_by_the_post_is_in_the_words_of_the_reader(
    words: str, pseudo: Pseudo, played: Callable[[int], Game], answer: Callable[..., ReplyMail]
) -> None:
    refused = answer(played(20), "red", words).outcomes[0][1].refused
    assert refused is not None
    sentences = find_sentences(Locale("he", pseudo, rtl=True), GAME.key)
    assert prose("; ".join(sentences.refuse(refused.says, refused.facts, "red", {}))) - {"nowhere"} == set()


def test_what_a_verdict_repeats_or_proposes_stays_as_it_is_written(pseudo: Pseudo) -> None:
    sentences = find_sentences(Locale("he", pseudo, rtl=True), GAME.key)
    facts = {"seat": "red", "example": "mint F4"}
    said = sentences.translate("{seat} can still place a camel, for example {example}", facts)
    assert "mint F4" in said
    said = sentences.translate("nobody sits at {who}; the seats are {seats}", {"who": "x\ny", "seats": "red, blue"})
    assert "\n" not in said
    assert sentences.seat("blue") in said
