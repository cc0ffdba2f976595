"""A plain yes or no to a question of ours: it plays the one move that we gave back, and is never guessed."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from engine.registry import find_game
from pbem.events.kinds import TurnPlayed
from pbem.tables.play import find_pending
from tests.post.towns import Town, found_town

HERON = "haikara lentää matalalla"
YES = [
    *("yes", "Yes!", "yes, please", "ok", "Right.", "exactly", "yes, exactly!", "that's right", "correct"),
    *("ja", "precies", "klopt", "ja, dat klopt", "tak", "dokładnie", "zgadza się", "да", "точно", "да, верно"),
    *("כן", "בדיוק", "נכון"),
]


@pytest.fixture
def towns(tmp_path: Path) -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def found(towns: ExitStack, folder: Path, key: str, language: str = "en") -> Town:
    game = find_game(key)
    assert game is not None
    return towns.enter_context(found_town(folder / "post", game, 3, language=language))


def last_played(town: Town) -> str:
    return [event.phrase for event in town.events if isinstance(event.payload, TurnPlayed)][-1]


@pytest.mark.parametrize(
    ("key", "misspelt", "meant", "said"),
    [
        *(("nomadi", "plaec M16", "place M16", said) for said in YES),
        *(("brotherhood", "setlement 12, road 7-12", "settlement 12, road 7-12", said) for said in ("yes", "zgoda")),
        ("through-the-desert", "leeder lilac A3", "leader lilac A3", "Yes!"),
    ],
)
def test_a_yes_to_a_question_plays_the_one_move_it_gave_back(
    towns: ExitStack, tmp_path: Path, key: str, misspelt: str, meant: str, said: str
) -> None:
    town = found(towns, tmp_path, key)
    (seat,) = town.table.due
    assert town.write(seat, misspelt).fate == "refused"
    assert f"Did you mean {meant}?" in town.last_text(seat)
    assert "Reply yes to play it." in town.last_text(seat)
    assert town.write(seat, said).fate == "applied"
    assert last_played(town) == meant


@pytest.mark.parametrize(
    ("language", "said"),
    [("nl", 'Antwoord "ja"'), ("pl", "Odpowiedz „tak”"), ("ru", "Ответьте «да»"), ("he", 'ענו "כן"')],
)
def test_the_question_says_so_in_the_readers_language(
    towns: ExitStack, tmp_path: Path, language: str, said: str
) -> None:
    town = found(towns, tmp_path, "nomadi", language)
    (seat,) = town.table.due
    town.write(seat, "plaec M16")
    assert said in town.last_text(seat)


def test_the_move_is_judged_anew(towns: ExitStack, tmp_path: Path) -> None:
    town = found(towns, tmp_path, "nomadi")
    (seat,) = town.table.due
    town.write(seat, "plaec M16")
    town.write(seat, "place M17")
    (other,) = town.table.due
    town.write(other, "place M16")
    played = last_played(town)
    assert town.write(seat, "yes").fate == "refused"
    assert last_played(town) == played


def test_a_no_plays_nothing_and_ends_the_question(towns: ExitStack, tmp_path: Path) -> None:
    town = found(towns, tmp_path, "brotherhood")
    (seat,) = town.table.due
    town.write(seat, "setlement 12, road 7-12")
    assert town.write(seat, "no").fate == "refused"
    assert "Then we play nothing" in town.last_text(seat)
    assert town.write(seat, "yes").fate == "refused"
    assert town.table.due == (seat,)


def test_a_yes_to_several_moves_is_asked_again_by_their_names(towns: ExitStack, tmp_path: Path) -> None:
    town = found(towns, tmp_path, "nomadi")
    (seat,) = town.table.due
    town.write(seat, "place M16\n\nno, sorry:\n\nplace M17")
    for _ in range(2):
        assert town.write(seat, "yes").fate == "refused"
        assert "Did you mean place M16 or place M17?" in town.last_text(seat)
    assert town.table.due == (seat,)
    assert town.write(seat, "place M17").fate == "applied"


def test_a_yes_after_a_preview_plays_it(towns: ExitStack, tmp_path: Path) -> None:
    town = found(towns, tmp_path, "brotherhood")
    (seat,) = town.table.due
    town.write(seat, "preview settlement 12, road 7-12")
    town.write(seat, "board")
    assert town.write(seat, "yes").fate == "applied"
    assert last_played(town) == "settlement 12, road 7-12"


@pytest.mark.parametrize("key", ["nomadi", "brotherhood"])
def test_a_yes_to_a_move_that_waits_plays_it_where_yes_is_a_word_of_the_game(
    towns: ExitStack, tmp_path: Path, key: str
) -> None:
    town = found(towns, tmp_path, key)
    (seat,) = town.table.due
    move = "place M16" if key == "nomadi" else "settlement 12, road 7-12"
    town.write(seat, f"{move}\n\n{HERON}")
    assert town.table.pencil(seat) is not None
    assert town.write(seat, "yes").fate == "applied"
    assert last_played(town) == move


def test_a_yes_is_not_guessed_where_others_ask_something_too(towns: ExitStack, tmp_path: Path) -> None:
    town = found(towns, tmp_path, "nomadi")
    (seat,) = town.table.due
    others = [other for other in town.table.seats if other != seat]
    town.write(others[0], "pause")
    town.write(seat, "plaec M16")
    before = len(town.events)
    assert town.write(seat, "yes").fate == "refused"
    text = " ".join(town.last_text(seat).split())
    assert "For the vote write agree or object, or send the move." in text
    assert "Reply yes" not in text
    assert len(town.events) == before


def test_what_cannot_be_played_is_never_offered_as_an_answer(towns: ExitStack, tmp_path: Path) -> None:
    town = found(towns, tmp_path, "nomadi")
    (first,) = town.table.due
    town.write(first, "place M16")
    (seat,) = town.table.due
    town.write(seat, "place M16\n\nbut don't play this yet")
    said = " ".join(town.last_text(seat).split())
    assert "Did you mean place M16" not in said
    assert "send it alone: place M16" not in said
    assert "As things stand, place M16 cannot be played." in said


def test_moves_in_place_of_a_refused_one_can_all_be_played(towns: ExitStack, tmp_path: Path) -> None:
    town = found(towns, tmp_path, "brotherhood")
    (seat,) = town.table.due
    assert town.write(seat, "settlement 12, road 9-14").fate == "refused"
    said = " ".join(town.last_text(seat).split())
    _, _, offered = said.partition("You could play: ")
    offered, _, _ = offered.partition(" Nothing was played")
    pending = find_pending(town.table, seat)
    assert pending is not None
    moves = offered.split("; ")
    assert moves[0] == "settlement 12, road 7-12"
    assert all(map(pending.allows, moves))
