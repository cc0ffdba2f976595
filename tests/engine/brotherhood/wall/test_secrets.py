"""Two tables that differ only in what a viewer may not know look the same to him, whatever he asks or tries.

Cards change places between the hands of two others, or between another's development cards and the deck; then views,
scores, lists of legal moves, refusals and defaults of everybody else must not change.
"""

import json
from collections.abc import Iterator

import pytest

from engine import CHANCE, PUBLIC, KeyedDealer, Ply
from engine.brotherhood.full_game import GAME
from engine.brotherhood.hands import ONE, count
from engine.brotherhood.position import Position
from engine.chance import Dealer
from tests.oracle.brotherhood.brotherhood_journeys import journey

SEEDS = range(2)
EVERY = 40
"""So many plies lie between two moments that are looked at."""


def other_worlds(position: Position, viewer: int, dealer: Dealer) -> Iterator[Position]:
    """The same table with secrets exchanged that this viewer does not know."""
    assert position.watch is not None
    company = position.watch.company
    seen = company.victim if company.user == viewer else -1
    others = [who for who in range(len(position.hands)) if who not in (viewer, seen)]
    for one, two in ((one, two) for one in others for two in others if one < two):
        hands = list(position.hands)
        mine = [kind for kind in range(5) if count(hands[one], kind)]
        theirs = [kind for kind in range(5) if count(hands[two], kind)]
        pairs = [(a, b) for a in mine for b in theirs if a != b]
        if pairs:
            give, take = pairs[dealer.pick(len(pairs), "exchange")]
            hands[one] += ONE[take] - ONE[give]
            hands[two] += ONE[give] - ONE[take]
            yield position._replace(hands=tuple(hands))
    for who in (who for who in others if who != position.who):
        pairs = [(a, b) for a in range(5) for b in range(5) if a != b]
        fitting = [(a, b) for a, b in pairs if count(position.cards[who], a) and count(position.deck, b)]
        if fitting and not company.shown:
            give, take = fitting[dealer.pick(len(fitting), "card")]
            cards = list(position.cards)
            cards[who] += ONE[take] - ONE[give]
            yield position._replace(cards=tuple(cards), deck=position.deck + ONE[give] - ONE[take])


def known(position: Position, seat: str, probes: list[Ply]) -> str:
    """All that a seat can learn of a table by looking, asking and trying."""
    tried = [GAME.judge(position, Ply(seat, probe.move)) for probe in probes]
    told = [(str(verdict), str(verdict.instead)) if verdict else None for verdict in tried]
    listed = [ply for ply in GAME.legal(position) if ply.seat == seat]
    seen = [GAME.view(position, seat), GAME.view(position, PUBLIC)]
    facts = [GAME.by_default(position, seat), GAME.score(position), listed, told]
    return json.dumps(seen, sort_keys=True) + repr(facts)


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_that_a_seat_sees_or_tries_tells_what_others_hold(players: int, seed: int) -> None:
    positions, plies = journey(f"secrets {seed}", players)
    latest = {type(ply.move): ply for ply in plies}
    probes = [*latest.values(), *plies[:: max(1, len(plies) // 15)]]
    dealer, compared = KeyedDealer(b"worlds"), 0
    for position in positions[:-1:EVERY]:
        for who, seat in enumerate(position.ground.seats):
            here = known(position, seat, probes)
            for world in other_worlds(position, who, dealer):
                assert known(world, seat, probes) == here
                compared += 1
    assert compared > 20


def test_only_a_move_that_says_so_shows_its_player_something_hidden() -> None:
    dealer, differing = KeyedDealer(b"disclosed"), set()
    for players in GAME.players:
        for seed in SEEDS:
            positions, plies = journey(f"secrets {seed}", players)
            for position, ply in zip(positions, plies, strict=False):
                if ply.seat == CHANCE:
                    continue
                who = position.ground.seats.index(ply.seat)
                after = [GAME.apply(world, ply) for world in (position, *other_worlds(position, who, dealer))]
                if len({json.dumps(GAME.view(world, ply.seat), sort_keys=True) for world in after}) > 1:
                    assert GAME.discloses(position, ply), ply
                    differing.add(type(ply.move).__name__)
    assert {"Mance", "Mormont"} <= differing


def test_what_mance_and_melisandre_show_is_in_no_other_view() -> None:
    for players in GAME.players:
        for seed in SEEDS:
            positions, plies = journey(f"secrets {seed}", players)
            for position, ply in zip(positions, plies, strict=False):
                kind = type(ply.move).__name__
                if kind not in ("Look", "Choose", "Take"):
                    continue
                assert position.watch is not None
                user, victim = position.who, position.watch.company.victim
                seats = position.ground.seats
                entitled = {seats[user]} | ({seats[victim]} if kind == "Take" else set())
                for viewer in (*seats, PUBLIC):
                    told = GAME.told(position, ply, viewer)
                    assert (told == ply.move) == (viewer in entitled), (kind, viewer)
