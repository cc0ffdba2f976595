"""Two posts alike, at which only what a viewer may not know is different: he must not be able to tell them apart.

Everything that can reach him is compared to the byte, from the invitation until the rules reveal what was hidden:
mails, answers to illegal moves and to questions, records with their proofs, pages of cases, the journal. Only true
commitments, and the hashes and signatures that follow from them, are covered where they stand; see `veils`. The same
letters come to both posts, for what others quote in theirs is no business of the post.
"""

import os
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import registry
from engine.chance import KeyedDealer
from engine.game import Game, Ply, Seat
from notation import Fault, read_moves, write_moves
from pbem.demo.players import plan_moves
from pbem.tables.table import PLAYING, Table
from tests.post.secrets import eager, watchful
from tests.post.secrets.fortunes import Fortune, fill_purses
from tests.post.secrets.onlookers import Onlooker, Seen, tell_apart
from tests.post.secrets.outputs import overhear
from tests.post.towns import Town, readdress

WATCHFUL = ("brotherhood-base", "brotherhood")
"""Games in which hardly anything would be hidden if people did what seems best."""
LONGER = int(os.environ.get("CARAVAN_LONGER", "1"))
HIDDEN_COINS = {"Coins": "hidden", "Deals": "yes"}
SEATS = {"brotherhood-base": (0, 1), "brotherhood": (1, 2)} if LONGER == 1 else dict.fromkeys(WATCHFUL, range(3))
CASES = (
    ("shy-well", 0, {}),
    ("nomadi", 0, {}),
    ("nomadi", 1, HIDDEN_COINS),
    *((key, seat, {}) for key in WATCHFUL for seat in SEATS[key]),
)
"""Games, which of their seats looks on, and options; the public looks on always."""
LETTERS = {"shy-well": 24, "nomadi": 36, "brotherhood-base": 24, "brotherhood": 36}
PROBES = ("status", "board", "history", "help")
APPEAL = 9
"""The letter by which the viewer calls the referee, so that there is a case to look at."""


def letters_of(town: Town, viewer: Seat, most: int) -> Iterator[tuple[Seat, str]]:
    """What is written in a town, the viewer's curiosity included."""
    dealer = KeyedDealer(b"letters")
    played = ["nonsense"]
    for number in range(most):
        table = town.table
        if table.stage != PLAYING:
            return
        seat = table.due[-1] if number % 3 else table.due[0]
        if number % 5 == 4:
            yield viewer, PROBES[number // 5 % len(PROBES)]
            yield viewer, played[-1]
            yield viewer, f"preview {played[-1]}"
            continue
        phrase = plan_moves(table, seat, dealer).phrase
        played.append(phrase)
        yield seat, phrase


def with_appeal(letters: Iterable[tuple[Seat, str]], viewer: Seat) -> Iterator[tuple[Seat, str]]:
    """The same letters, and one that calls the referee."""
    for number, letter in enumerate(letters, start=1):
        if number == APPEAL:
            yield viewer, "appeal I wonder what has happened there"
        yield letter


@pytest.fixture
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Game[Any]:
    """A game; towns in which it is played have the same secrets."""
    monkeypatch.setattr(secrets, "token_bytes", lambda size: bytes(size))
    found = registry.find_game(request.param)
    assert found is not None
    return found


@pytest.mark.parametrize(("game", "seat", "options"), CASES, indirect=["game"])
def test_what_is_hidden_leaves_no_trace_in_anything_a_viewer_gets(
    game: Game[Any], seat: int, options: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer, watched = game.seats[seat], game.key in WATCHFUL
    seen: list[Seen] = []
    fortune = Fortune(game, viewer, watchful.instead if watched else None)
    monkeypatch.setattr(type(game), "deal", staticmethod(fortune.deal))
    with overhear(tmp_path / "one", monkeypatch, game, options) as (court, outputs):
        town, onlooker = court.town, Onlooker(court, outputs, viewer)
        begun = len(town.letters)
        seen.append(onlooker.look())
        write = watchful.letters if watched else letters_of
        letters = write(town, viewer, LETTERS[game.key] * LONGER)
        for writer, words in with_appeal(letters, viewer):
            seen.append(onlooker.look(town.write(writer, words)))
        written, over = town.letters[begun:], town.table.stage != PLAYING
    fortune.turn()
    monkeypatch.setattr(type(game), "deal", staticmethod(fortune.deal_otherwise))
    if options:
        fill_purses(game, viewer, monkeypatch)
    with overhear(tmp_path / "two", monkeypatch, game, options) as (court, outputs):
        town, onlooker = court.town, Onlooker(court, outputs, viewer)
        assert tell_apart(onlooker.look(), seen[0]) == ""
        compared = asked = 0
        for letter, expected in list(zip(written, seen[1:], strict=True))[: -1 if over else None]:
            found = onlooker.look(town.deliver(readdress(letter, town)))
            if found.view != expected.view:
                break
            assert tell_apart(found, expected) == ""
            different = bool(options or fortune.changed)
            compared += different
            asked += different and bool(found.answers)
    assert compared > 8, "hardly anything was different"
    assert asked, "no command was asked after that"


OFTEN = 5
CHOICES = {"shy-well": (2, {"choice"}), "brotherhood": (1, {"choose"} if LONGER == 1 else {"choose", "take"})}
"""Games in which players decide in secret: which seat looks on, and the kinds of moves; the last comes late."""


def otherwise(table: Table, seat: Seat, words: str, viewer: Seat) -> str | None:
    """Another move that somebody could have made without the viewer's being told anything else, if it is hidden."""
    game, position = table.game, table.position
    moves = read_moves(game, words)
    assert not isinstance(moves, Fault)
    ply = Ply(seat, moves[0])
    told = game.told(position, ply, viewer)
    if seat == viewer or len(moves) > 1 or told == ply.move:
        return None
    others = (other for other in game.legal(position) if other.seat == seat and other != ply)
    return next(
        (write_moves(game, (other.move,)) for other in others if game.told(position, other, viewer) == told), None
    )


@pytest.mark.parametrize("game", CHOICES, indirect=True)
def test_what_others_chose_in_secret_leaves_no_trace(
    game: Game[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat, kinds = CHOICES[game.key]
    viewer = game.seats[seat]
    eager.hasten(game, monkeypatch)
    seen: list[Seen] = []
    changes: dict[int, tuple[bytes, bytes]] = {}
    changed: set[str] = set()
    with overhear(tmp_path / "one", monkeypatch, game) as (court, outputs):
        town, onlooker = court.town, Onlooker(court, outputs, viewer, often=OFTEN)
        begun = len(town.letters)
        for writer, words in eager.letters(town, 60):
            if (other := otherwise(town.table, writer, words, viewer)) is not None:
                changes[len(town.letters) - begun] = (words.encode(), other.encode())
                changed.add("choice" if game.key == "shy-well" else words.split()[0])
            outcome = town.write(writer, words)
            if changes:
                seen.append(onlooker.look(outcome))
            if changed == kinds:
                break
        for words in ("appeal what has happened there", *PROBES):
            seen.append(onlooker.look(town.write(viewer, words)))
        written = town.letters[begun:]
    assert changed == kinds
    with overhear(tmp_path / "two", monkeypatch, game) as (court, outputs):
        town, onlooker = court.town, Onlooker(court, outputs, viewer, often=OFTEN)
        for number, letter in enumerate(written):
            said, instead = (b"\r\n\r\n" + each for each in changes.get(number, (b"", b"")))
            outcome = town.deliver(readdress(letter.replace(said, instead, 1), town))
            if number >= min(changes):
                assert tell_apart(onlooker.look(outcome), seen.pop(0)) == ""
    assert not seen
