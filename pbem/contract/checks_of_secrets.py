"""Checks of what each may know: views, digests, lists of moves, scores, and moves as they are told."""

import copy
import hashlib
import json
from typing import Any, Final

from engine import CHANCE, PUBLIC, GameRules, Ply
from engine.digest import LENGTH, canonical, digest
from engine.verdict import first_legal
from notation import read_moves, write_moves
from pbem.contract.playouts import expect, look_alike, playouts, some_positions, view_text, viewers


def views_are_plain_data(game: GameRules, players: int) -> None:
    """A view is plain data for every seat and for the public, and says who is due."""
    for position in some_positions(game, players):
        for viewer in viewers(game, position):
            view = game.view(position, viewer)
            expect(json.loads(json.dumps(view, allow_nan=False)) == view, "the view of {} is not plain data", viewer)
            due = tuple(view["to_act"])
            expect(due == game.to_act(position), "the view says {} are due, the game {}", due, game.to_act(position))


def views_are_not_shared(game: GameRules, players: int) -> None:
    """Writing into a view changes nothing for anybody else."""
    for position in some_positions(game, players):
        for viewer in viewers(game, position):
            before = copy.deepcopy(game.view(position, viewer)), digest(game, position)
            _spoil(game.view(position, viewer))
            expect((game.view(position, viewer), digest(game, position)) == before, "a view of {} is shared", viewer)


def _spoil(view: Any) -> None:
    """Write into plain data wherever something can be written."""
    for part in view.values() if isinstance(view, dict) else view if isinstance(view, list) else ():
        _spoil(part)
    if isinstance(view, dict):
        view["spoiled"] = True
    elif isinstance(view, list):
        view.append("spoiled")


def equal_positions_have_equal_digests(game: GameRules, players: int) -> None:
    """The same moves from an equal beginning give the same digests."""
    for _, positions, plies in playouts(game, players):
        again = copy.deepcopy(positions[0])
        expect(digest(game, again) == digest(game, positions[0]), "a copy of the first position has another digest")
        for ply, position in zip(plies, positions[1:], strict=True):
            again = game.apply(again, ply)
            expect(digest(game, again) == digest(game, position), "the digest differs after {}", ply)


def digests_are_of_the_public_view(game: GameRules, players: int) -> None:
    """The digest is that of the public view, also where a game keeps parts of it ready."""
    for position in some_positions(game, players):
        viewed = canonical([game.key, game.edition, game.view(position, PUBLIC)])
        expect(
            digest(game, position) == hashlib.sha256(viewed).hexdigest()[:LENGTH],
            "the digest of {} is not that of its public view",
            position,
        )


def the_public_knows_least(game: GameRules, players: int) -> None:
    """Positions that look alike to a seat look alike to the public."""
    for seat in game.seats[:players]:
        for alike in look_alike(game, players, seat):
            views = {view_text(game, position, PUBLIC) for position in alike}
            expect(len(views) == 1, "the public knows something that {} does not", seat)


def legal_moves_keep_secrets(game: GameRules, players: int) -> None:
    """What a seat may do follows from what it may know."""
    for seat in game.seats[:players]:
        for alike in look_alike(game, players, seat):
            options = {frozenset(ply for ply in game.legal(position) if ply.seat == seat) for position in alike}
            expect(len(options) == 1, "the list of legal moves gives {} a secret away", seat)


TRIED: Final = 12
"""Moves that are tried in positions which look alike."""


def remedies_keep_secrets(game: GameRules, players: int) -> None:
    """What would make a refused move legal follows from what its seat may know."""
    made = [ply for ply in playouts(game, players)[0].plies if ply.seat != CHANCE]
    for seat in game.seats[:players]:
        tried = [Ply(seat, ply.move) for ply in made[:: max(1, len(made) // TRIED)]]
        for alike in look_alike(game, players, seat)[:TRIED]:
            for ply in tried:
                refused = [position for position in alike if game.judge(position, ply) is not None]
                found = [first_legal(game, ply, game.remedies(position, ply)) for position in refused]
                claims = {"" if each is None else repr(each.remedy) for each in found}
                expect(len(claims) < 2, "what would make {} legal gives {} a secret away", ply.move, seat)


def scores_keep_secrets(game: GameRules, players: int) -> None:
    """The score before the end follows from what the public knows."""
    for alike in look_alike(game, players, PUBLIC):
        expect(len({repr(game.score(position)) for position in alike}) == 1, "the score gives a secret away")


def forced_moves_keep_secrets(game: GameRules, players: int) -> None:
    """Whether a move is forced follows from what the public knows."""
    for alike in look_alike(game, players, PUBLIC):
        for seat in game.seats[:players]:
            forced = {game.forced(position, seat) for position in alike}
            expect(len(forced) == 1, "that {} has but one move gives a secret away", seat)


def players_read_their_own_moves(game: GameRules, players: int) -> None:
    """A move is told in full to the seat that made it."""
    for _, positions, plies in playouts(game, players):
        for position, ply in zip(positions, plies, strict=False):
            if ply.seat != CHANCE:
                told = game.told(position, ply, ply.seat)
                expect(told == ply.move, "{} made {} and reads {}", ply.seat, ply.move, told)


def told_moves_keep_secrets(game: GameRules, players: int) -> None:
    """Moves that are told alike leave a viewer with the same view."""
    for position in some_positions(game, players, 15):
        for viewer in viewers(game, position):
            views: dict[object, str] = {}
            for ply in list(game.legal(position))[:40]:
                after = game.apply(position, ply)
                if game.to_act(after):
                    view = view_text(game, after, viewer)
                    told = (ply.seat, game.told(position, ply, viewer))
                    expect(views.setdefault(told, view) == view, "{} can see what {} hides", viewer, ply)


def hidden_moves_can_be_written_and_read(game: GameRules, players: int) -> None:
    """A move with something hidden can be written, and reads as the same move."""
    for _, positions, plies in playouts(game, players):
        for position, ply in zip(positions, plies, strict=False):
            told = game.told(position, ply, PUBLIC)
            if told != ply.move:
                text = write_moves(game, (told,))
                expect(read_moves(game, text) == (told,), "{} is written {!r} and does not read back", told, text)


def disclosing_moves_say_so(game: GameRules, players: int) -> None:
    """A move that shows its player something hidden is one that `discloses` names."""
    for seat in game.seats[:players]:
        for alike in look_alike(game, players, seat):
            for ply in [ply for ply in game.legal(alike[0]) if ply.seat == seat]:
                seen = {view_text(game, game.apply(each, ply), seat) for each in alike}
                expect(len(seen) == 1 or game.discloses(alike[0], ply), "{} shows {} a secret", ply, seat)
