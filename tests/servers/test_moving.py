"""A post moves from a file to a server and back in the middle of its games, and only one of the two is ever alive."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from engine.chance import KeyedDealer
from engine.game import Setup
from engine.registry import find_game
from pbem.demo.players import plan_moves
from pbem.service import database_move as moves
from pbem.service.database_move import move
from pbem.service.folder_checks import BAD, check_folder
from pbem.service.invitations import invite
from pbem.service.lock import PostBusyError, take_lock
from pbem.service.post_folder import open_post
from pbem.settings.sections import Settings
from pbem.store.errors import StoreRefusedError
from pbem.store.moving import Tell, copy_rows
from pbem.store.queries import Connection
from pbem.tables.fold import fold
from pbem.tables.table import PLAYING, Table
from pbem.workflow.context import PostContext, events_from_rows
from pbem.workflow.handle_letter import handle_arrived_letters
from pbem.workflow.open_game import Guest
from tests.post.post_games import Friend, Hours, found_post

GAMES = {
    "sirocco-1": "through-the-desert",
    "mistral-2": "nomadi",
    "bora-3": "brotherhood-base",
    "fohn-4": "brotherhood",
}


def be_silent(*_: object) -> None:
    """Tell nobody."""


class World:
    """Four tables at one post, and everybody at them."""

    def __init__(self, folder: Path) -> None:
        self.hours = Hours()
        self.settings = found_post(folder)
        self.friends: dict[str, dict[str, Friend]] = {}
        self._read = 0

    @contextmanager
    def open(self) -> Iterator[PostContext]:
        with open_post(self.settings, self.hours.now) as context:
            yield context

    def begin(self) -> None:
        with self.open() as context:
            for number, (name, key) in enumerate(GAMES.items()):
                game = find_game(key)
                assert game is not None
                seats = game.seats[:3]
                self.friends[name] = {
                    seat: Friend(seat, f"P{number}{seat}", f"{seat}{number}@players.test") for seat in seats
                }
                guests = [Guest(each.seat, each.name, each.address) for each in self.friends[name].values()]
                options = dict(game.lay_out(Setup(seats), KeyedDealer(b"x")).options)
                assert invite(context, game, guests, table=name, options=options, time=self.settings.time) is None
            self.carry(context)
            for table in self.friends.values():
                for friend in table.values():
                    self.write(context, friend, "accept")

    def carry(self, context: PostContext) -> None:
        with context.store.reading() as at_desk:
            while (mail := at_desk.find_mail(self._read + 1)) is not None:
                self._read += 1
                for table in self.friends.values():
                    for friend in table.values():
                        if friend.address == mail.recipient:
                            friend.get(mail.raw)

    def write(self, context: PostContext, friend: Friend, words: str) -> None:
        self.hours.forward(minutes=11)
        context.store.receive(friend.answer(words, self.hours.now()), intake="test")
        (outcome,) = handle_arrived_letters(context)
        assert outcome.fate == "applied", outcome
        self.carry(context)

    def tables(self, context: PostContext) -> dict[str, Table]:
        with context.store.reading() as at_desk:
            return {name: fold(events_from_rows(at_desk.load_events(name))) for name in GAMES}

    def heads(self, context: PostContext) -> dict[str, str]:
        with context.store.reading() as at_desk:
            return {game.id: game.head_hash for game in at_desk.games()}

    def play(self, turns: int) -> dict[str, str]:
        """Let all tables go on; their heads."""
        with self.open() as context:
            for turn in range(turns):
                for name, table in self.tables(context).items():
                    assert table.stage == PLAYING
                    seat = table.due[0]
                    words = plan_moves(table, seat, KeyedDealer(f"{name} {turn}".encode())).phrase
                    self.write(context, self.friends[name][seat], words)
            return self.heads(context)

    def move(self, url: str) -> Settings:
        """Move, and go on there; the settings of the dead copy."""
        dead = self.settings
        move(dead, url, be_silent)
        self.settings = replace(dead, store=replace(dead.store, url=url))
        return dead


def refuses(settings: Settings) -> str:
    with pytest.raises(StoreRefusedError) as refused, open_post(settings):
        raise AssertionError("it was opened")
    return str(refused.value)


def test_a_post_moves_there_and_back_in_the_middle_of_four_games(tmp_path: Path, server_url: str) -> None:
    world = World(tmp_path / "post")
    world.begin()
    before = world.play(2)
    dead = world.move(server_url)
    with world.open() as context:
        assert world.heads(context) == before
    assert "this copy is dead" in refuses(dead)
    assert "postgresql://" in refuses(dead)
    between = world.play(2)
    assert all(between[game] != before[game] for game in GAMES)
    dead = world.move(f"sqlite:///{tmp_path}/post/again.db")
    with world.open() as context:
        assert world.heads(context) == between
    assert "again.db, and this copy is dead" in refuses(dead)
    after = world.play(2)
    assert all(after[game] != between[game] for game in GAMES)
    assert not [found.text for found in check_folder(world.settings) if found.state == BAD]


def test_numbers_go_on_where_they_were_even_if_their_rows_are_gone(tmp_path: Path, server_url: str) -> None:
    world = World(tmp_path / "post")
    with world.open() as context, context.store.transaction() as at_desk:
        wanted = {"until": world.hours.now()}
        assert [at_desk.add_pending("anna", "forget", {}, **wanted) for _ in range(3)] == [1, 2, 3]
        assert at_desk.drop_pending(3)
    world.move(server_url)
    with world.open() as context, context.store.transaction() as at_desk:
        assert at_desk.add_pending("anna", "forget", {}, **wanted) == 4
        assert at_desk.drop_pending(4)
    world.move(f"sqlite:///{tmp_path}/post/again.db")
    with world.open() as context, context.store.transaction() as at_desk:
        assert at_desk.add_pending("anna", "forget", {}, **wanted) == 5


def test_a_move_that_was_killed_can_be_run_again(
    tmp_path: Path, server_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed before the old database is marked, and after it: one of them is the post at any moment, never both."""

    class KilledError(BaseException):
        pass

    def kill(*_: object) -> None:
        raise KilledError

    world = World(tmp_path / "post")
    there = replace(world.settings, store=replace(world.settings.store, url=server_url))
    with monkeypatch.context() as patch:
        patch.setattr(moves, "_compare", kill)
        with pytest.raises(KilledError):
            move(world.settings, server_url, be_silent)
    with world.open():
        pass
    assert "has begun and not ended" in refuses(there)
    with monkeypatch.context() as patch:
        patch.setattr(moves, "_finish", kill)
        with pytest.raises(KilledError):
            move(world.settings, server_url, be_silent)
    assert "this copy is dead" in refuses(world.settings)
    assert "has begun and not ended" in refuses(there)
    move(world.settings, server_url, be_silent)
    with open_post(there, world.hours.now):
        pass
    assert "this copy is dead" in refuses(world.settings)


def test_rows_that_do_not_arrive_as_they_were_stop_the_move(
    tmp_path: Path, server_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(tmp_path / "post")
    copy = copy_rows

    def spoil(source: Connection, target: Connection, tell: Tell) -> None:
        copy(source, target, tell)
        target.execute("UPDATE tally SET count = count + 1")

    monkeypatch.setattr(moves, "copy_rows", spoil)
    with pytest.raises(StoreRefusedError, match="nothing was moved: tally"):
        move(world.settings, server_url, be_silent)
    with world.open():
        pass


def test_a_post_is_not_moved_onto_another_nor_while_it_is_served(tmp_path: Path, server_url: str) -> None:
    world, other = World(tmp_path / "post"), World(tmp_path / "other")
    world.begin()
    with take_lock(world.settings, "serve"), pytest.raises(PostBusyError):
        move(world.settings, server_url, be_silent)
    other.begin()
    other.move(server_url)
    with pytest.raises(StoreRefusedError, match="holds a post already"):
        move(world.settings, server_url, be_silent)
    with other.open() as context:
        assert len(world.heads(context)) == 4
    with take_lock(other.settings, "serve"), pytest.raises(PostBusyError, match="being served by process"):
        move(other.settings, f"sqlite:///{tmp_path}/new.db", be_silent)
