"""Players who are new to a game are shown a turn that seems good; the others, and those who do not want it, are not."""

import re
from pathlib import Path

import pytest

from engine.brotherhood.base_game import GAME as BASE
from engine.chance import KeyedDealer
from engine.through_the_desert import GAME
from pbem.mail.writing.choices import find_hint
from pbem.tables.chance import random_moves
from pbem.tables.table import HINTS, NEVER
from pbem.workflow.new_tables import terms_of
from pbem.workflow.open_game import SEED, Guest, Invitation, open_table
from pbem.workflow.queue_mail import TURNS_WITH_HINTS
from tests.post.towns import Town, found_town

RED, BLUE = GAME.seats[:2]


def page(town: Town, seat: str) -> str:
    """The HTML part of the last mail to a seat."""
    part = next(part for part in town.friends[seat].mails[-1].walk() if part.get_content_type() == "text/html")
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode("utf-8")


def hinted(town: Town, seat: str) -> str:
    """What the button of a turn mail plays."""
    return "".join(re.findall(r"</span>(?:Play |(?=Place ))([^<]*)</a>", page(town, seat))[:1])


def test_the_first_turns_of_the_first_game_have_a_button_that_says_what_it_plays(tmp_path: Path) -> None:
    with found_town(tmp_path, GAME, 2) as town:
        seen = []
        for _ in range(2 * (TURNS_WITH_HINTS + 1)):
            (seat,) = town.table.due
            hint = hinted(town, seat)
            seen.append(bool(hint))
            assert hint in ("", find_hint(town.table, seat))
            assert f"For example: {hint}" in " ".join(town.last_text(seat).split())
            assert town.write(seat, hint or find_hint(town.table, seat)).fate == "applied"
        assert seen == [True] * 2 * TURNS_WITH_HINTS + [False] * 2


def test_hints_are_switched_off_and_on_by_mail_and_stay_so(tmp_path: Path) -> None:
    with found_town(tmp_path, GAME, 2) as town:
        assert hinted(town, RED)
        assert town.write(RED, "hints off").fate == "applied"
        assert "We suggest no moves." in town.last_text(RED)
        assert town.write(RED, "status").fate == "applied"
        assert not hinted(town, RED)
        assert town.write(RED, "hints on").fate == "applied"
        assert town.write(RED, "status").fate == "applied"
        assert hinted(town, RED)


@pytest.mark.parametrize(
    ("key", "terms", "has_hint"),
    [("nomadi", {}, True), ("through-the-desert", {}, False), ("nomadi", {HINTS: NEVER}, False)],
)
def test_a_second_game_has_hints_only_if_it_is_another_one_and_its_terms_allow_them(
    key: str, terms: dict[str, str], has_hint: bool, tmp_path: Path
) -> None:
    with found_town(tmp_path, GAME, 2) as town:
        seats = {"nomadi": ("blue", "yellow"), "through-the-desert": (RED, BLUE)}[key]
        people = zip(seats, town.friends.values(), strict=True)
        guests = [Guest(seat, friend.name, friend.address) for seat, friend in people]
        everything = {**terms_of(town.context.settings.time), **terms}
        town.hours.forward(minutes=5)
        assert open_table(town.context, Invitation("second", key, guests, {}, everything, SEED)) is None
        town.carry()
        for friend in (RED, BLUE):
            assert town.write(friend, "accept").fate == "applied"
        assert "second" in town.friends[RED].reply_to
        assert bool(hinted(town, RED)) == has_hint


def test_games_before_are_told_by_the_address_in_any_letters(tmp_path: Path) -> None:
    with found_town(tmp_path, GAME, 2) as town:
        table = town.table.id
        guests = [Guest(RED, "Anna", "ANNA@players.test"), Guest(BLUE, "Ben", "blue@players.test")]
        town.hours.forward(minutes=5)
        terms = terms_of(town.context.settings.time)
        assert open_table(town.context, Invitation("second", GAME.key, guests, {}, terms, SEED)) is None
        with town.context.store.reading() as at_desk:
            assert at_desk.games_before("Anna@Players.test", "second") == {GAME.key}
            assert at_desk.games_before("anna@players.test", table) == set()
            assert at_desk.games_before("blue@players.test", "second") == set()


def test_whoever_asks_for_hints_in_the_own_turn_gets_one_at_once(tmp_path: Path) -> None:
    with found_town(tmp_path, GAME, 2) as town:
        for _ in range(2 * (TURNS_WITH_HINTS + 1)):
            (seat,) = town.table.due
            assert town.write(seat, find_hint(town.table, seat)).fate == "applied"
        assert not hinted(town, RED)
        assert town.write(RED, "hints on").fate == "applied"
        assert hinted(town, RED) == find_hint(town.table, RED)
        assert f"Now you could play: {hinted(town, RED)}" in " ".join(town.last_text(RED).split())


def test_before_the_dice_the_example_is_a_whole_turn_and_there_is_nothing_to_preview(tmp_path: Path) -> None:
    with found_town(tmp_path, BASE, 3) as town:
        while town.table.game.roll not in {ply.move for ply in town.table.game.legal(town.table.position)}:
            (seat,) = town.table.due
            assert town.write(seat, random_moves(town.table, seat, KeyedDealer(b"hints"))).fate == "applied"
        (seat,) = town.table.due
        example = re.findall(r"For example: (.*)", town.last_text(seat))[0].strip()
        assert re.fullmatch(r"roll(, trade [^,]*)?, road [0-9]+-[0-9]+, end", example)
        assert "Preview it" not in page(town, seat)
        assert ">Roll the dice<" in page(town, seat)
        assert town.write(seat, example).fate == "applied"
