"""Random games of the base game: nothing is lost, nothing leaks, and what follows from the pieces does follow."""

import json
import random
from collections.abc import Iterator

import pytest

from engine import CHANCE, PUBLIC, KeyedDealer, Ply, Setup, Verdict
from engine.brotherhood.base_game import GAME, LAW
from engine.brotherhood.board import each, ends_of
from engine.brotherhood.hands import SUPPLY, count, size
from engine.brotherhood.longest_road import SHORTEST, longest_road
from engine.brotherhood.moves import Draw, Steal
from engine.brotherhood.position import NOBODY, OVER, Position

SEEDS = range(6)


def play(players: int, seed: int, **options: str) -> Iterator[tuple[Position, Ply | None]]:
    """Every position of a random game, each with the ply made there."""
    dealer, chooser = KeyedDealer(f"game {seed}".encode()), random.Random(seed)
    setup = GAME.lay_out(Setup(GAME.seats[:players], tuple(options.items())), dealer)
    position = GAME.start(setup)
    assert not isinstance(position, Verdict)
    while due := GAME.to_act(position):
        ply = GAME.deal(position, dealer) if due == (CHANCE,) else chooser.choice(list(GAME.legal(position)))
        yield position, ply
        position = GAME.apply(position, ply)
    yield position, None


every_game = pytest.mark.parametrize(
    ("players", "seed", "board", "phases"),
    [
        (3 + seed % 2, seed, ("beginner", "variable")[seed // 2 % 2], ("strict", "free")[seed % 3 == 2])
        for seed in SEEDS
    ],
)


@every_game
def test_every_card_and_piece_is_somewhere_at_every_ply(players: int, seed: int, board: str, phases: str) -> None:
    for position, _ in play(players, seed, Board=board, Phases=phases):
        chart, everybody = position.ground.chart, range(players)
        assert position.supply + sum(position.hands) == SUPPLY
        out = LAW.deck - position.deck - sum(position.cards)
        assert count(out, 0) == sum(position.patrols)
        assert 0 <= count(out, 1) <= 2
        assert 0 <= count(out, 2) <= 2
        assert (count(out, 3), count(out, 4)) == (0, 0)
        paved = 0
        for who in everybody:
            assert position.roads[who].bit_count() <= 15
            assert position.settlements[who].bit_count() <= 5
            assert position.keeps[who].bit_count() <= 4
            assert not position.settlements[who] & position.keeps[who]
            assert not paved & position.roads[who]
            paved |= position.roads[who]
            assert position.ends[who] == ends_of(chart, position.roads[who])
        assert position.paved == paved
        every = [position.settlements[who] | position.keeps[who] for who in everybody]
        built = closed = sum(every)
        for spot in each(built):
            assert not built & chart.near[spot], "the distance rule"
            closed |= chart.near[spot]
        assert position.closed == closed
        for who in everybody:
            barred = built - every[who]
            assert position.lengths[who] == longest_road(chart, position.roads[who], barred)
        assert position.longest == NOBODY or position.lengths[position.longest] == max(position.lengths) >= SHORTEST
        assert position.largest == NOBODY or position.patrols[position.largest] == max(position.patrols) >= 3


@every_game
def test_the_winner_has_ten_points_in_the_own_turn_and_nobody_before(
    players: int, seed: int, board: str, phases: str
) -> None:
    *_, (last, _) = play(players, seed, Board=board, Phases=phases)
    assert last.stage == OVER
    (winner,) = GAME.score(last).winners
    assert winner == last.ground.seats[last.who]
    assert GAME.score(last).total(winner) >= 10


def shuffled(position: Position, seat: str, chooser: random.Random) -> Position:
    """The same table with what a seat may not know dealt anew: other hands and other development cards."""
    own = position.ground.place.get(seat)
    others = [who for who in range(len(position.hands)) if who != own]
    hands, cards = list(position.hands), list(position.cards)
    pool = [kind for who in others for kind in range(5) for _ in range(count(hands[who], kind))]
    chooser.shuffle(pool)
    for who in others:
        drawn = [pool.pop() for _ in range(size(hands[who]))]
        hands[who] = sum(1 << 7 * kind for kind in drawn)
    bought = position.bought if own == position.who else 0
    hidden = [kind for kind in range(5) for _ in range(count(position.deck + sum(cards[who] for who in others), kind))]
    chooser.shuffle(hidden)
    for who in others:
        drawn = [hidden.pop() for _ in range(size(cards[who]))]
        cards[who] = sum(1 << 7 * kind for kind in drawn)
        if who == position.who:
            bought = sum(1 << 7 * kind for kind in drawn[: size(position.bought)])
    deck = sum(1 << 7 * kind for kind in hidden)
    return position._replace(hands=tuple(hands), cards=tuple(cards), deck=deck, bought=bought)


@pytest.mark.parametrize("seed", [1, 2])
def test_what_a_seat_is_shown_may_do_and_is_refused_follows_from_what_it_may_know(seed: int) -> None:
    chooser = random.Random(seed)
    journey = [(position, ply) for position, ply in play(4, seed) if ply is not None]
    probes = [ply for _, ply in chooser.sample(journey, 40)]
    seats = GAME.seats
    for position, ply in journey[:: max(1, len(journey) // 60)]:
        for viewer in (*seats, PUBLIC):
            other = shuffled(position, viewer, chooser)
            assert json.dumps(GAME.view(position, viewer)) == json.dumps(GAME.view(other, viewer))
            assert repr(GAME.score(position)) == repr(GAME.score(other))
            if viewer == PUBLIC:
                continue
            mine = [listed for listed in GAME.legal(position) if listed.seat == viewer]
            assert mine == [listed for listed in GAME.legal(other) if listed.seat == viewer]
            assert GAME.by_default(position, viewer) == GAME.by_default(other, viewer)
            for probe in probes:
                tried = Ply(viewer, probe.move)
                assert GAME.judge(position, tried) == GAME.judge(other, tried), probe
        assert ply is not None


@pytest.mark.parametrize("seed", [3])
def test_stolen_and_bought_cards_are_told_only_to_those_concerned(seed: int) -> None:
    seen = set()
    for position, ply in play(4, seed):
        seats = position.ground.seats
        if ply is None or not isinstance(ply.move, Steal | Draw):
            assert ply is None or all(GAME.told(position, ply, viewer) == ply.move for viewer in (*seats, PUBLIC))
            continue
        robbed = {seats[position.robbed]} if isinstance(ply.move, Steal) else set()
        for viewer in (*seats, PUBLIC):
            knows = viewer in {seats[position.who], *robbed}
            assert GAME.told(position, ply, viewer) == (ply.move if knows else type(ply.move)(None))
        seen.add(type(ply.move))
    assert seen == {Steal, Draw}
