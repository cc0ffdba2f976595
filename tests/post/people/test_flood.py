"""Ten thousand letters of strangers to the lobby leave those of players unhurt: counted in steps, not in seconds."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from pbem.service.front_door import open_door
from pbem.workflow.handle_letter import handle_arrived_letters
from tests.post.people.desks import POST, SERVER, Lobby, open_lobby

ANNA, BORIS, DOV = "anna@people.test", "boris@people.test", "dov@people.test"
STRANGERS: Final = 10_000
ROUNDS: Final = 50
STEPS: Final = 3
"""How many letters the post handles in a round; in each, two letters of players come in, and with a flood 200 more."""


class Told(NamedTuple):
    """What became of the letters of players: how many steps each waited, its outcome, and what was mailed to them."""

    ages: list[int]
    fates: list[tuple[str, str]]
    mails: dict[str, int]


@contextmanager
def two_at_a_table(folder: Path) -> Iterator[Lobby]:
    with open_lobby(folder) as lobby:
        for who in (ANNA, BORIS, DOV):
            lobby.come_in(who)
        lobby.answer(ANNA, "open through the desert seats 2")
        lobby.answer(BORIS, "join sirocco-1")
        yield lobby


def letter(sender: str, to: str, words: str, number: int) -> bytes:
    domain = sender.partition("@")[2]
    head = (f"Authentication-Results: {SERVER}; dmarc=pass header.from={domain}", f"From: {sender}", f"To: {to}")
    return "\r\n".join((*head, "Subject: hm", f"Message-ID: <{number}@x.test>", "", words, "")).encode()


def play(lobby: Lobby, strangers: int) -> Told:
    """A player of a table and a person who plays nowhere write in each round, while strangers write, too."""
    mine = next(mail for mail in reversed(lobby.mails[BORIS]) if "+sirocco-1." in str(mail["Reply-To"]))
    known = {who: len(mails) for who, mails in lobby.mails.items()}
    numbers, step = count(1), 0
    came: dict[int, int] = {}
    ages: list[int] = []
    fates: list[tuple[str, str]] = []
    for turn in range(ROUNDS):
        for _ in range(strangers // ROUNDS):
            number = next(numbers)
            raw = letter(f"s{number}@flood{number % 700}.test", POST, "open nomadi", 10_000 + number)
            lobby.context.store.receive(raw, intake="test")
        for who, to, words in ((BORIS, str(mine["Reply-To"]), f"press to all: {turn}"), (DOV, POST, "my games")):
            came[lobby.context.store.receive(letter(who, to, words, 2 * turn + (who == DOV)), intake="test").id] = step
        lobby.hours.forward(hours=3)
        for outcome in handle_arrived_letters(lobby.context, most=STEPS):
            step += 1
            if outcome.letter in came:
                ages.append(step - came.pop(outcome.letter))
                fates.append((outcome.fate, outcome.reason))
        step = STEPS * (turn + 1)
    assert not came
    lobby.carry()
    return Told(ages, fates, {who: len(lobby.mails[who]) - before for who, before in known.items()})


def test_players_wait_as_many_steps_as_without_a_flood(tmp_path: Path) -> None:
    with two_at_a_table(tmp_path / "calm") as lobby:
        calm = play(lobby, 0)
    with two_at_a_table(tmp_path / "flood") as lobby:
        flooded = play(lobby, STRANGERS)
        with lobby.context.store.reading() as at_desk:
            assert at_desk.counters().received >= STRANGERS
        strangers = {who for who in lobby.mails if "flood" in who}
    assert (median(flooded.ages), max(flooded.ages)) == (median(calm.ages), max(calm.ages))
    assert flooded == calm
    assert set(calm.fates) == {("applied", "carried-out")}
    assert 0 < len(strangers) <= 200


def test_a_flood_fills_the_room_of_strangers_and_not_that_of_players(tmp_path: Path) -> None:
    with two_at_a_table(tmp_path) as lobby:
        mine = next(mail for mail in reversed(lobby.mails[BORIS]) if "+sirocco-1." in str(mail["Reply-To"]))
        post = replace(lobby.context.settings.post, strangers_bytes=20_000)
        door = open_door(replace(lobby.context, settings=replace(lobby.context.settings, post=post)))
        big = "x" * 3_000
        brought = [
            door.receive(letter(f"s{each}@flood{each}.test", POST, big, each), intake="test") for each in range(9)
        ]
        assert None in brought
        assert door.receive(letter(BORIS, str(mine["Reply-To"]), "status", 100), intake="test") is not None
        assert door.receive(letter(DOV, POST, "my games", 101), intake="test") is not None
        assert door.receive(letter("late@flood.test", POST, big, 102), intake="test") is None
