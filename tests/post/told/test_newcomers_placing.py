"""What newcomers typed to place a camel or a stone, and were not understood or were answered beside the point."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from notation import write_moves
from pbem.mail.commands.parse_letter import parse_commands
from pbem.tables.play import find_pending
from tests.post.told.test_newcomers import Towns, answer, set_up
from tests.post.towns import Town


@pytest.fixture
def towns(tmp_path: Path) -> Iterator[Towns]:
    with ExitStack() as stack:
        yield Towns(tmp_path, stack)


def placing(town: Town) -> Town:
    """The same town once all leaders stand and camels are placed."""
    while town.table.game.view(town.table.position, "*")["phase"] == "leaders":
        plies = [ply for ply in town.table.game.legal(town.table.position) if ply.seat == town.table.due[0]]
        leader = write_moves(town.table.game, (plies[len(plies) // 2].move,))
        assert town.write(town.table.due[0], leader).fate == "applied"
    return town


def open_camels(town: Town) -> list[tuple[str, str]]:
    """The colours and spaces that are open to the player on turn."""
    legal = town.table.game.legal(town.table.position)
    return [(ply.move.colour, ply.move.space) for ply in legal if ply.seat == town.table.due[0]]


def read(town: Town, words: str) -> tuple[list[str], tuple[str, ...]]:
    """What a letter of the player on turn does at once, and what we ask back whether it was meant."""
    pending = find_pending(town.table, town.table.due[0])
    parsed = parse_commands(words, game=town.table.game, pending=pending)
    return [each.format() for each in parsed.commands], parsed.question.suggests if parsed.question is not None else ()


def test_camels_are_placed_in_a_sentence(towns: Towns) -> None:
    town = placing(towns.found("through-the-desert"))
    colour, space = open_camels(town)[0]
    blank = f"{space[0]} {space[1:]}"
    for words in (f"put {colour} on {space}", f"put {colour} on {blank}", f"I'll put a {colour} camel on {blank}"):
        assert read(town, words) == ([f"{colour} {space}"], ())
    # The last letter of a short form is no colour: this was salmon, and it was played.
    taken = open_camels(town)
    for _, salmon in [each for each in taken if each[0] == "salmon"]:
        assert not any("salmon" in each for each in read(town, f"let's do {salmon}")[0])
        assert not any("salmon" in each for each in read(town, f"it’s {salmon}")[0])


def test_a_move_that_is_nearly_right_is_asked_back_with_its_own_words(towns: Towns) -> None:
    town = placing(towns.found("through-the-desert"))
    spaces = [space for colour, space in open_camels(town) if colour == "lilac"]
    one, other = spaces[:2]
    whole = f"lilac {one}"
    for words in (f"purpel {one}", f"{one} lilac", f"lylac {one}"):
        assert read(town, words) == ([], (whole,))
    for words in (f"lilac {one} or {other}?", f"lilac {one}, or perhaps {other}", f"סגול {one} או {other}"):
        assert read(town, words) == ([], (whole, f"lilac {other}"))
    assert "You cannot play lemon A1 now" in answer(town, "lemmon A1")
    mint = next(space for colour, space in open_camels(town) if colour == "mint")
    for words in (f"lilac cammel {one}", f"2 lilac {one}", f"lilac kameeel {one}"):
        assert read(town, words) == ([], (whole,))
    assert read(town, f"{one} lilac, {mint} mint")[0] == []
    for words in (f"lilac near {one}", f"2 lilac near {one}", f"mint, lilac {one}"):
        assert read(town, words) == ([], ())


SHUT_OUT = [
    *("lilac without {}", "without lilac {}", "lilac anywhere but {}", "anything but lilac {}", "lilac far from {}"),
    *("lilac never {}", "lilac except {}", "lilac {} not", "lilac stays away from {}", "no camel on lilac {}"),
    *("lilac zonder {}", "zonder lila {}", "lila behalve {}", "lila nooit {}", "niet lila {}", "lila weg van {}"),
    *(
        "fioletowy bez {}",
        "wszystko oprócz fioletowy {}",
        "fioletowy poza {}",
        "nie fioletowy {}",
        "fioletowy nigdy {}",
    ),
    *("фиолетовый кроме {}", "без фиолетового {}", "фиолетовый подальше от {}", "не фиолетовый {}"),
    *("סגול בלי {}", "סגול חוץ מ-{}", "לא סגול {}", "סגול במקום {}"),
]


def test_a_camel_that_is_not_wanted_somewhere_is_never_placed_there(towns: Towns) -> None:
    town = placing(towns.found("through-the-desert"))
    pending = find_pending(town.table, town.table.due[0])
    lilac = next(space for colour, space in open_camels(town) if colour == "lilac")
    mint = next(space for colour, space in open_camels(town) if colour == "mint")
    one = [said.format(lilac) for said in SHUT_OUT]
    for words in (*one, *(f"mint {mint}, {each}" for each in one)):
        parsed = parse_commands(words, game=town.table.game, pending=pending)
        assert parsed.question is not None
        assert not any("lilac" in play.text for play in parsed.plays), words
    for words in (f"lilac ohne {lilac}", f"lilac nicht {lilac}"):  # a strange word in its middle may shut it out
        assert not parse_commands(words, game=town.table.game, pending=pending).commands


@pytest.mark.parametrize(
    "half",
    [
        *("{} and mint next to it", "{}, mint beside it", "{} or mint next to it", "{} en munt ernaast of naast die"),
        *("{} i mięta obok", "{} и мятный рядом с ним", "{} ומנטה ליד"),
    ],
)
def test_no_camel_is_played_alone_when_the_other_is_only_said_to_stand_beside_it(towns: Towns, half: str) -> None:
    town = placing(towns.found("through-the-desert"))
    colour, space = next(each for each in open_camels(town) if each[0] == "lilac")
    pending = find_pending(town.table, town.table.due[0])
    parsed = parse_commands(half.format(f"{colour} {space}"), game=town.table.game, pending=pending)
    assert parsed.question is not None
    assert not parsed.commands + parsed.pencilled


def test_a_word_of_one_letter_in_another_alphabet_is_no_strange_sign(towns: Towns) -> None:
    town = towns.found("nomadi", "ru")
    set_up(town)
    assert "U+0430" not in answer(town, "а почему нельзя M18 на A15?")


@pytest.mark.parametrize(("language", "said"), [("en", "Open spaces: 6 for lilac"), ("nl", "Open velden: ")])
def test_numbers_of_open_spaces_cannot_be_taken_for_places(towns: Towns, language: str, said: str) -> None:
    town = placing(towns.found("through-the-desert", language))
    pages = [
        part for part in town.friends[town.table.due[0]].mails[-1].walk() if part.get_content_type() == "text/html"
    ]
    content = pages[-1].get_payload(decode=True)
    assert isinstance(content, bytes)
    assert said in content.decode("utf-8")


@pytest.mark.parametrize(("key", "form"), [("through-the-desert", "leader COLOUR SPACE"), ("nomadi", "place SQUARE")])
def test_who_is_not_understood_reads_the_form_of_this_moment_and_no_other(towns: Towns, key: str, form: str) -> None:
    town = towns.found(key)
    said = answer(town, "leader mint next to D3 please" if key == "through-the-desert" else "place it next to M17")
    assert "Nothing was played" in said
    assert f"Write it like this: {form}" in said
    assert "We expected" not in said


@pytest.mark.parametrize(
    "asked",
    [
        *("what is on {}?", "can I go to {}?", "why can't I go to {}", "is {} free?", "wat staat er op {}?"),
        *("kan ik naar {}?", "co stoi na {}?", "czy mogę iść na {}?", "что стоит на {}?", "можно мне на {}?"),
        *("מה יש ב-{}?", "אפשר {}?", "so whose camel is on {}?"),
    ],
)
def test_a_question_about_a_place_is_answered_from_the_board(towns: Towns, asked: str) -> None:
    town = placing(towns.found("through-the-desert"))
    colour, space = open_camels(town)[0]
    said = answer(town, asked.format(space))
    assert f"What is at {space}" in said
    assert "| an empty space" in said or "| water for" in said
    assert f"You could play: {colour} {space}" in said
    leader = town.table.game.view(town.table.position, "*")["leaders"]["blue"]["mint"]
    assert "| leader, mint (Boris)" in answer(town, asked.format(leader))
    # A question beside a move leaves open whether the move is meant.
    assert read(town, f"{colour} {space}\n{asked.format(space)}")[0] == []


def test_stones_are_set_up_in_a_sentence_and_a_taken_square_is_said_to_be_taken(towns: Towns) -> None:
    town = towns.found("nomadi")
    for words in (
        "put one on N 17",
        "zet er een op N17",
        "postaw jeden na N17",
        "поставь один на N 17",
        "שים אחת על N17",
    ):
        assert read(town, words) == (["place N17"], ()), words
    assert town.write(town.table.due[0], "place M17").fate == "applied"
    assert "Not played: M17" in answer(town, "m17")


@pytest.mark.parametrize(
    "asked",
    [
        *("what do I do first?", "what did I roll?", "what do I have left to do?", "какие кубики мне выпали?"),
        *("что мне ещё осталось сыграть?", "wat heb ik nog over?", "co mi jeszcze zostało?", "מה נשאר לי לעשות?"),
        *("what do I do now?", "so what now?", "а что мне делать?", "מה עושים?", "co robić?", "wat moet ik doen?"),
        *(
            "what can I do with a 6?",
            "which stones can I move?",
            "איזה אבנים אני יכול להזיז?",
            "welke stenen kan ik zetten?",
        ),
    ],
)
def test_who_asks_what_to_do_is_shown_it(towns: Towns, asked: str) -> None:
    assert read(towns.found("nomadi"), asked) == (["board"], ())
