"""Two posts alike, at which only what a viewer may not know is different: he must not be able to tell them apart.

Everything that can reach him is compared to the byte, from the invitation until the rules reveal what was hidden:
mails, answers to illegal moves and to questions, the records that the public and the viewer may have. The same letters
come to both posts, for what others quote in theirs is no business of the post.
"""

import hmac
import json
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import watchful
from towns import Town, found_town

from engine import registry
from engine.chance import Dealer, KeyedDealer
from engine.digest import digest
from engine.game import PUBLIC, Game, Ply, Seat
from notation import write_record
from pbem.clerk import opening
from pbem.clerk.handling import Outcome
from pbem.demonstration.minds import think
from pbem.proof.commitments import Sealer
from pbem.referee.telling import tell_record
from pbem.tables.table import PLAYING

WATCHFUL = ("brotherhood-base", "brotherhood")
"""Games in which hardly anything would be hidden if people did what seems best."""
CASES = (("shy-well", 0), ("nomadi", 0), *((key, seat) for key in WATCHFUL for seat in range(3)))
"""Games, and which of their seats looks on; the public looks on always."""
LETTERS = 40
PROBES = ("status", "board", "history", "help")


class Seen(NamedTuple):
    """All that a viewer and the public can have of a town at one moment."""

    mails: tuple[bytes, ...]
    record: str
    public: str
    state: str
    fate: str
    view: str
    """What the rules let the viewer see: once that differs, they have told him what was hidden."""


def look(town: Town, viewer: Seat, fate: str) -> Seen:
    table = town.table
    told = {each: write_record(tell_record(table.record, each)) for each in (viewer, PUBLIC)}
    state = digest(table.game, table.position)
    view = json.dumps(table.game.view(table.position, viewer), sort_keys=True)
    return Seen(tuple(town.mails[town.friends[viewer].address]), told[viewer], told[PUBLIC], state, fate, view)


class Fortune:
    """What chance deals at one post, and something else at another wherever the viewer is not told what it was."""

    def __init__(self, game: Game[Any], viewer: Seat) -> None:
        self.changed = 0
        self._game = game
        self._deal = game.deal
        self._viewer = viewer
        self._dealt: list[tuple[Ply, Ply]] = []
        """Each ply of chance at the first post, and as the viewer was told it."""
        self._planned: list[Ply] = []

    def deal(self, position: Any, dealer: Dealer) -> Ply:
        """As chance would, and note it."""
        ply = self._deal(position, dealer)
        if self._game.key in WATCHFUL:
            ply = watchful.instead(self._game, position, ply, self._viewer)
        self._dealt.append((ply, ply._replace(move=self._game.told(position, ply, self._viewer))))
        return ply

    def turn(self) -> None:
        """From now on, what is hidden goes round: the next hidden value of its kind takes the place of each."""
        self._planned = [ply for ply, _ in self._dealt]
        for kind in {type(ply.move) for ply in self._planned}:
            hidden = [at for at, (ply, told) in enumerate(self._dealt) if ply != told and type(ply.move) is kind]
            for at, source in zip(hidden, hidden[1:] + hidden[:1], strict=True):
                ply, told = self._dealt[at]
                other = self._dealt[source][0].move
                secret = {f.name: getattr(other, f.name) for f in fields(kind) if getattr(told.move, f.name) is None}
                self._planned[at] = ply._replace(move=replace(ply.move, **secret))

    def deal_otherwise(self, position: Any, dealer: Dealer) -> Ply:
        """As planned, where that is possible, else in some other way that the viewer is not told of."""
        if not self._dealt:
            return self._deal(position, dealer)
        (meant, told), planned = self._dealt.pop(0), self._planned.pop(0)
        if planned == meant or self._game.judge(position, planned) is not None:
            planned = next(self._others(position, meant, told), meant)
        if self._game.judge(position, planned) is not None:
            # The rules have revealed something, and the towns go different ways from here.
            return self._deal(position, dealer)
        self.changed += planned != meant
        return planned

    def _others(self, position: Any, meant: Ply, told: Ply) -> Iterator[Ply]:
        """What else chance could have brought without the viewer's being told anything else."""
        if meant != told:
            for ply in self._game.legal(position):
                if ply != meant and self._game.told(position, ply, self._viewer) == told.move:
                    yield ply


def letters_of(town: Town, viewer: Seat) -> Iterator[tuple[Seat, str]]:
    """What is written in a town, the viewer's curiosity included."""
    dealer = KeyedDealer(b"letters")
    played = ["nonsense"]
    for number in range(LETTERS):
        table = town.table
        if table.stage != PLAYING:
            return
        seat = table.due[-1] if number % 3 else table.due[0]
        if number % 5 == 4:
            yield viewer, PROBES[number // 5 % len(PROBES)]
            yield viewer, played[-1]
            yield viewer, f"preview {played[-1]}"
            continue
        phrase = think(table, seat, dealer).phrase
        played.append(phrase)
        yield seat, phrase


class Ideal(Sealer):
    """Seals that say nothing of what is under them; the real ones differ wherever the hidden values do."""

    def commit(self, seq: int, field: str, value: str) -> str:
        return hmac.digest(b"ideal", f"{self.game} {seq} {field}".encode(), "sha256").hex()


@pytest.fixture
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Game[Any]:
    """A game; towns in which it is played have the same secrets."""
    monkeypatch.setattr(opening.secrets, "token_bytes", lambda size: bytes(size))
    found = registry.find(request.param)
    assert found is not None
    return found


@pytest.mark.parametrize(("game", "seat"), CASES, indirect=["game"])
def test_what_is_hidden_leaves_no_trace_in_anything_a_viewer_gets(
    game: Game[Any], seat: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer = game.seats[seat]
    seen: list[Seen] = []
    fortune = Fortune(game, viewer)
    monkeypatch.setattr(type(game), "deal", staticmethod(fortune.deal))
    with found_town(tmp_path / "one", game, 3, sealer=Ideal) as town:
        begun = len(town.letters)
        seen.append(look(town, viewer, ""))
        write = watchful.letters if game.key in WATCHFUL else letters_of
        for writer, words in write(town, viewer):
            seen.append(look(town, viewer, _fate(town.write(writer, words), viewer)))
        letters, over = town.letters[begun:], town.table.stage != PLAYING
    fortune.turn()
    monkeypatch.setattr(type(game), "deal", staticmethod(fortune.deal_otherwise))
    with found_town(tmp_path / "two", game, 3, sealer=Ideal) as town:
        assert look(town, viewer, "") == seen[0]
        compared = 0
        for letter, expected in list(zip(letters, seen[1:], strict=True))[: -1 if over else None]:
            found = look(town, viewer, _fate(town.deliver(letter), viewer))
            if found.view != expected.view:
                break
            assert found == expected, letter.decode()
            compared += bool(fortune.changed)
    assert compared > 8, "hardly anything was different"


def _fate(outcome: Outcome, viewer: Seat) -> str:
    return f"{outcome.fate} {outcome.reason}" if outcome.seat == viewer else ""
