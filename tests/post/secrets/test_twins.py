"""Twin worlds live through every kind of mail in every language, and a viewer cannot tell them apart.

What is compared: mails to the byte, events and their times, and the number, order and times of mails to everybody. A
kind of mail that is not reached fails here, and so does a leak that is planted in any of them and not noticed.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import pytest

from engine import registry
from pbem.locale.languages import LANGUAGE_CODES
from tests.post.secrets import mail_kinds, planted_leaks
from tests.post.secrets.mail_kinds import NOT_TOLD, every_kind
from tests.post.secrets.planted_leaks import planted
from tests.post.secrets.scenes import SCENES
from tests.post.secrets.twin_worlds import Twins, find_game, live, tell_mails_apart
from tests.post.secrets.written_mails import Written

SECRET_GAMES = {"shy-well", "nomadi", "brotherhood-base", "brotherhood"}


SCENES_OF_OFFERS = next(scene for scene in SCENES if scene.name == "lapses")
VICTORIES = next(scene for scene in SCENES if scene.name == "victories")


class Pair(NamedTuple):
    """Two mails, one of each world, behind which different things are hidden."""

    twins: Twins
    one: Written
    two: Written


class Lives(NamedTuple):
    """All scenes in one language."""

    language: str
    scenes: dict[str, Twins]

    def pairs(self) -> Iterator[Pair]:
        for twins in self.scenes.values():
            for one, two in twins.pairs():
                if one.language == self.language:
                    yield Pair(twins, one, two)

    def by_kind(self) -> dict[str, Pair]:
        """A pair of mails of each kind that was reached; as few mails as that takes."""
        found: dict[str, Pair] = {}
        for pair in sorted(self.pairs(), key=lambda each: -len(each.one.kinds)):
            for kind in pair.one.kinds:
                found.setdefault(kind, pair)
        return found


@pytest.fixture(scope="module", params=LANGUAGE_CODES)
def lives(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Lives:
    """Every scene, lived through twice in one language; each language takes the games in another order."""
    number, folder = LANGUAGE_CODES.index(request.param), tmp_path_factory.mktemp("twins")
    scenes = {
        scene.name: live(scene, find_game(scene, number + at), request.param, folder / str(at))
        for at, scene in enumerate(SCENES)
    }
    return Lives(request.param, scenes)


def test_nobody_can_tell_the_worlds_apart(lives: Lives) -> None:
    found = {name: twins.differences()[:1] for name, twins in lives.scenes.items()}
    assert {name: difference for name, difference in found.items() if difference} == {}


def test_every_kind_of_mail_is_reached(lives: Lives) -> None:
    missing = every_kind() - lives.by_kind().keys()
    assert not missing, f"no scene in scenes.py brings these about while something is hidden: {sorted(missing)}"


def test_a_leak_in_any_kind_of_mail_is_caught(lives: Lives) -> None:
    pairs = lives.by_kind()
    for twins, one, two in {id(pair.one): pair for pair in pairs.values()}.values():
        assert (one.again().raw, two.again().raw) == (one.mail.raw, two.mail.raw), "written again, a mail is the same"
        assert tell_mails_apart(twins, one.mail, two.mail) == ""
    for kind, (twins, one, two) in sorted(pairs.items()):
        with planted(kind) as leak:
            assert tell_mails_apart(twins, leak.write(one), leak.write(two)), f"a leak in {kind} goes unnoticed"


@pytest.mark.parametrize(
    ("plant", "where"),
    [
        (planted_leaks.delay_events, "events"),
        (planted_leaks.write_more_mails, "traffic"),
        (planted_leaks.shuffle_mails, "traffic"),
        (planted_leaks.hold_mails, "traffic"),
    ],
)
def test_a_leak_in_times_and_numbers_is_caught(
    plant: Callable[[pytest.MonkeyPatch], None], where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = next(scene for scene in SCENES if scene.name == "plans")
    plant(monkeypatch)
    differences = live(scene, find_game(scene, 0), "en", tmp_path).differences()
    assert any(difference.startswith(where) for difference in differences), differences


@pytest.mark.parametrize("game", SCENES_OF_OFFERS.games)
def test_nobody_learns_who_could_have_paid_for_an_offer(game: str, tmp_path: Path) -> None:
    found = registry.find_game(game)
    assert found is not None
    twins = live(SCENES_OF_OFFERS, found, "en", tmp_path)
    assert twins.differences() == []
    assert twins.one.means != twins.two.means, "in one world somebody could pay who could not in the other"
    assert {(True,), (False,)} == {*twins.one.means}


@pytest.mark.parametrize("language", LANGUAGE_CODES)
@pytest.mark.parametrize("game", VICTORIES.games)
def test_nobody_learns_who_holds_a_victory_point_card(game: str, language: str, tmp_path: Path) -> None:
    found = registry.find_game(game)
    assert found is not None
    twins = live(VICTORIES, found, language, tmp_path)
    assert twins.differences() == []
    assert [waits for waits, *_ in twins.one.means] == [True, True, False], "dice wait for cards, the viewer's do not"
    for (waits, *points), (same, *others) in zip(twins.one.means, twins.two.means, strict=True):
        assert (waits, any(points), any(others)) == (same, True, False)
    # Such a card cannot be played: in one world all that its holder can do is to roll, and in the other there is more.
    # The dice wait in both, for everybody sees a card and nobody sees which.
    assert twins.one.ways[0], "in one world the roll is the only move"
    assert not twins.two.ways[0], "in the other it is not"


@pytest.mark.parametrize("game", VICTORIES.games)
def test_dice_that_do_not_wait_for_a_victory_point_card_are_caught(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = registry.find_game(game)
    assert found is not None
    planted_leaks.roll_without_a_card_to_play(found, monkeypatch)
    differences = live(VICTORIES, found, "en", tmp_path).differences()
    assert any(difference.startswith(("events", "mails")) for difference in differences), differences


def test_an_offer_that_closes_early_because_nobody_can_pay_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted_leaks.close_early(monkeypatch)
    differences = live(SCENES_OF_OFFERS, find_game(SCENES_OF_OFFERS, 1), "en", tmp_path).differences()
    assert any(difference.startswith(("events", "mails")) for difference in differences), differences


@pytest.mark.parametrize("number", range(len(SCENES_OF_OFFERS.games)))
def test_a_leak_in_mails_to_those_who_are_offered_something_is_caught(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted_leaks.write_more_of_offers(monkeypatch)
    differences = live(SCENES_OF_OFFERS, find_game(SCENES_OF_OFFERS, number), "en", tmp_path).differences()
    assert any(difference.startswith("traffic") for difference in differences), differences


def test_every_game_with_secrets_is_played() -> None:
    languages = range(len(LANGUAGE_CODES))
    played = {find_game(scene, number + at).key for at, scene in enumerate(SCENES) for number in languages}
    assert played == SECRET_GAMES


@pytest.mark.parametrize(
    ("types", "kind"),
    [("MailKind", "sequel"), ("NoticeKind", "notice sequel"), ("AnswerKind", "answer sequel")],
)
def test_a_kind_that_is_added_has_to_be_reached(types: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kind not in every_kind()
    monkeypatch.setattr(mail_kinds, types, Literal["sequel"])
    assert kind in every_kind()


def test_what_no_mail_can_be_is_known_to_the_code() -> None:
    """An exception for something that is gone would hide a new kind of the same name."""
    assert NOT_TOLD.keys() <= frozenset(mail_kinds.list_kinds())
