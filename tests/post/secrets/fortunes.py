"""Fortunes: what chance brings at one post, and what else it could have brought at another like it."""

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any, TypeAlias, cast

import pytest

from engine.chance import Dealer
from engine.game import Game, Ply, Seat

Favour: TypeAlias = Callable[[Game[Any], Any, Ply, Seat], Ply]
"""What is dealt instead, so that there is more to hide: of game, position, chance's own ply and viewer."""


class Fortune:
    """What chance deals at one post, and something else at another wherever the viewer is not told what it was."""

    def __init__(self, game: Game[Any], viewer: Seat, favour: Favour | None = None) -> None:
        self.changed = 0
        self.hides = False
        """Whether anything was dealt that could have been otherwise without the viewer's being told."""
        self._favour = favour
        self._game = game
        self._deal = game.deal
        self._viewer = viewer
        self._dealt: list[tuple[Ply, Ply]] = []
        """Each ply of chance at the first post, and as the viewer was told it."""
        self._planned: list[Ply] = []
        self._settled: dict[Any, Ply] = {}
        """What was dealt where: whoever looks at a draw again must find the same."""

    def deal(self, position: Any, dealer: Dealer) -> Ply:
        """As chance would, and note it."""
        if position in self._settled:
            return self._settled[position]
        ply = self._deal(position, dealer)
        if self._favour is not None:
            ply = self._favour(self._game, position, ply, self._viewer)
        told = ply._replace(move=self._game.told(position, ply, self._viewer))
        self._dealt.append((ply, told))
        self.hides = self.hides or next(self._others(position, ply, told), None) is not None
        self._settled[position] = ply
        return ply

    def turn(self) -> None:
        """From now on, what is hidden goes round: the next hidden value of its kind takes the place of each."""
        self._settled.clear()
        self._planned = [ply for ply, _ in self._dealt]
        kinds: set[Any] = {type(ply.move) for ply in self._planned}
        for kind in kinds:
            hidden = [at for at, (ply, told) in enumerate(self._dealt) if ply != told and type(ply.move) is kind]
            for at, source in zip(hidden, hidden[1:] + hidden[:1], strict=True):
                ply, told = self._dealt[at]
                other = self._dealt[source][0].move
                secret = {f.name: getattr(other, f.name) for f in fields(kind) if getattr(told.move, f.name) is None}
                self._planned[at] = ply._replace(move=replace(cast("Any", ply.move), **secret))

    def deal_otherwise(self, position: Any, dealer: Dealer) -> Ply:
        """As planned, where that is possible, else in some other way that the viewer is not told of."""
        if position not in self._settled:
            self._settled[position] = self._deal_next(position, dealer)
        return self._settled[position]

    def _deal_next(self, position: Any, dealer: Dealer) -> Ply:
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


def fill_purses(game: Game[Any], viewer: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all but the viewer begin with more coins, of which nobody but they may know."""
    begin = game.start

    def start(setup: Any) -> Any:
        position: Any = begin(setup)
        purses = zip(setup.seats, position.coins, (3, 7, 11), strict=False)  # the rules page has fewer players
        return position._replace(coins=tuple(coins + more * (seat != viewer) for seat, coins, more in purses))

    monkeypatch.setattr(type(game), "start", staticmethod(start))
