"""A court: a town with a referee who types commands, at the town's own hour."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from engine import registry
from engine.chance import KeyedDealer
from engine.game import Game
from pbem.cli.app import choose, make_app
from pbem.events.codec import encode
from pbem.service.post_folder import open_post
from pbem.tables.chance import random_moves
from tests.post.post_games import TABLE
from tests.post.towns import Town, found_town

REFEREE = "ref@post.test"


def attached_page(mail: Any) -> str:
    """The page that is attached to a mail about a case."""
    return str(next(part for part in mail.walk() if part.get_filename()).get_payload(decode=True).decode())


class Court:
    """A town with a referee who types commands."""

    def __init__(self, town: Town, folder: Path) -> None:
        self.town = town
        self.folder = folder

    def pbem(self, *words: str | Path, fails: int | None = 0) -> str:
        """Run a command as the referee does; None for `fails` lets it go as it may."""
        line = [str(word) for word in words]
        answer = CliRunner().invoke(make_app(choose(line)), line, prog_name="pbem")
        assert answer.exit_code == fails or fails is None, answer.output
        assert isinstance(answer.exception, SystemExit | None), answer.output
        self.town.carry()
        return answer.output

    def file(self, *words: str) -> dict[str, Any]:
        """The file of a case, as data."""
        (found,) = json.loads(self.pbem("case", "show", TABLE, *words, "--json"))["results"]
        return dict(found)

    def page(self, name: str) -> str:
        """The page of the case, kept in both forms; the text."""
        self.pbem("case", "show", TABLE, "1", "-o", self.folder / f"{name}.html")
        self.pbem("case", "show", TABLE, "1", "-o", self.folder / f"{name}.txt")
        return (self.folder / f"{name}.txt").read_text("utf-8")

    def record(self, name: str = "game.turns") -> Path:
        """The public record with its proof, in a file."""
        path = self.folder / name
        self.pbem("record", TABLE, "-o", path)
        return path

    def play(self, turns: int) -> None:
        """Let whoever is due play by chance, by mail."""
        for _ in range(turns):
            table = self.town.table
            seat = table.due[0]
            assert self.town.write(seat, random_moves(table, seat, KeyedDealer(b"chance"))).fate == "applied"

    @property
    def last_mover(self) -> str:
        return next(
            str(encode(event.payload)["seat"]) for event in reversed(self.town.events) if event.kind == "played"
        )


@contextmanager
def convene(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    game: Game[Any],
    players: int,
    *,
    options: dict[str, str] | None = None,
    **chosen: object,
) -> Iterator[Court]:
    """A court for a game, with some settings chosen: ``time__silence`` is `silence` in `[time]`."""
    settings = {"post.referee": REFEREE, **{key.replace("__", "."): value for key, value in chosen.items()}}
    with found_town(folder / "post", game, players, options=options, chosen=settings) as town:
        monkeypatch.setenv("PBEM_CONFIG", str(folder / "post" / "post.toml"))
        commands = [f"pbem.cli.{name}" for name in ("case", "case_rulings", "case_bundle", "observe", "record")]
        for place in (*commands, "pbem.service.post_folder"):  # the last one is where `status` finds it
            monkeypatch.setattr(f"{place}.open_post", partial(open_post, now=town.hours.now))
        yield Court(town, folder)


@contextmanager
def sit_by_the_well(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Court]:
    """A court about a game in which everybody hides something: the case is about its second night."""
    game = registry.find_game("shy-well")
    assert game is not None
    with convene(folder, monkeypatch, game, 2) as court:
        for words in ("go", "wait"):
            for seat in court.town.friends:
                assert court.town.write(seat, words).fate == "applied"
        assert court.town.write("hare", "press to fennec: between you and me\n\n").fate == "applied"
        assert court.town.write("fennec", "appeal 2: I wanted to wait").fate == "applied"
        yield court


def text_of(raw: bytes) -> str:
    """The text part of a mail."""
    part = next(part for part in message_from_bytes(raw).walk() if part.get_content_type() == "text/plain")
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode()
