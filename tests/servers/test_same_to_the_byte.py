"""A whole game of each title at a post in a file and at one on a server: the same letters bring the same mails."""

from pathlib import Path

import pytest

from engine.chance import KeyedDealer
from engine.registry import find_game
from pbem.demo.players import plan_moves
from pbem.tables.table import OVER, PLAYING
from tests.post.post_games import TABLE
from tests.post.towns import Town, found_town

TITLES = [
    ("through-the-desert", 2),
    ("nomadi", 2),
    ("brotherhood-base", 3),
    ("brotherhood", 3),
]
ASIDES = {4: "status", 6: "press to all: the caravan moves on\nvacation 2 days", 9: "lilac Z99", 12: "hints"}


def head(town: Town) -> tuple[str, str, list[tuple[int, str]]]:
    """Where the chain of the game ends, what became of all letters, and what was said to whom."""
    with town.context.store.reading() as at_desk:
        game = at_desk.find_game(TABLE)
        assert game is not None
        assert at_desk.integrity_problems() == at_desk.misshapen() == []
        fates = [(letter.id, f"{letter.state} {letter.reason}") for letter in at_desk.letters_of(TABLE)]
        return game.head_hash, repr(at_desk.counters()), fates


@pytest.mark.parametrize(("key", "players"), TITLES)
def test_the_same_letters_bring_the_same_heads_and_mails(
    tmp_path: Path, server_url: str, monkeypatch: pytest.MonkeyPatch, key: str, players: int
) -> None:
    monkeypatch.setattr("pbem.workflow.open_game.secrets.token_bytes", bytes)  # the one secret that towns draw alone
    game = find_game(key)
    assert game is not None
    dealer = KeyedDealer(key.encode())
    with (
        found_town(tmp_path / "file", game, players) as here,
        found_town(tmp_path / "server", game, players, chosen={"store.url": server_url}) as there,
    ):
        table, written = here.table, 0
        while table.stage == PLAYING:
            seat = table.due[0]
            words = [plan_moves(table, seat, dealer).phrase]
            if written in ASIDES:
                words.insert(0, ASIDES[written])
            for each in words:
                letter = here.friends[seat].answer(each, here.hours.now())
                there.friends[seat].written += 1
                assert here.deliver(letter) == there.deliver(letter)
                written += 1
            if written % 10 == 0:
                assert [str(done) for done in here.wait(hours=4)] == [str(done) for done in there.wait(hours=4)]
            table = here.table
        assert table.stage == OVER
        assert written > 20
        assert there.mails == here.mails
        assert head(there) == head(here)
