"""`legal` leaves nothing out that the contract does not let it leave out, in random games of both kinds.

Wherever a game comes to something that few moments had before, all that can be imagined is put to the judge, for every
seat and for chance. What passes is listed, or is another way to put something that is listed: it leads to the same
position. Moves with free amounts are imagined elsewhere; they may be left out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import pytest

from engine import CHANCE, PUBLIC, Game, Ply, registry
from engine.brotherhood import moves
from tests.oracle.brotherhood.brotherhood_imagined import cards, imagine, imagine_uses
from tests.oracle.brotherhood.brotherhood_start import RandomDealer, draw_setup

OFTEN = 2
"""So many moments of a kind are looked at."""
EVERY = 3
"""Of the moments of a hero one of so many is looked at."""
GAMES = 6
COUNTER_OFFERS = 0.3

STAGES = {"settle", "pave", "roll", "trade", "build", "dice", "discard", "tormund", "steal", "draw"}
CARDS = {"has ranger", "has winter", "has roads"}
POOR = {"tormund among the poor", "has ranger among the poor"}
BASE = {*STAGES, *CARDS, *POOR, "offered", "countered"}
HEROES = {f"{hero} may act" for hero in moves.HEROES if hero != "tarly"}
WATCH = {*BASE, *HEROES, "guard", "tokens", "part", "react", "look", "choose", "take", "has recruits"}
"""What the games must have come to."""

TWICE = {moves.Winter, moves.Tormund, moves.Ranger, moves.Accept, moves.Decline}
TWICE_IN_THE_WATCH = {*TWICE, moves.Mormont, moves.Look}
"""The kinds of which some moves can be put in two ways; no others."""


@pytest.mark.parametrize(
    ("key", "moments", "twice"),
    [("brotherhood-base", BASE, TWICE), ("brotherhood", WATCH, TWICE_IN_THE_WATCH)],
)
def test_whatever_passes_the_judge_is_listed_or_comes_to_the_same_as_what_is(
    key: str, moments: set[str], twice: set[type]
) -> None:
    met: Counter[str] = Counter()
    unlisted: set[type] = set()
    for game, position in journeys(key):
        here = moments_of(game, position)
        if any(met[moment] < OFTEN for moment in here & moments):
            met.update(here)
            everything = imagine(game.view(position, PUBLIC))
            unlisted |= {type(move) for move in put_otherwise(game, position, everything)}
    assert moments <= met.keys()
    assert unlisted == twice


def test_every_use_of_a_hero_is_listed_or_comes_to_the_same_as_what_is() -> None:
    used: Counter[str] = Counter()
    unlisted: set[type] = set()
    for game, position in journeys("brotherhood"):
        view = game.view(position, PUBLIC)
        if view["waits_for"] in ("roll", "trade", "build"):
            hero = view["watch"]["heroes"]["before"][view["on_turn"]]["hero"]
            used[hero] += 1
            if used[hero] % EVERY == 0:
                unlisted |= {type(move) for move in put_otherwise(game, position, imagine_uses(view, hero))}
    assert min(used.values()) > 5 * EVERY
    assert unlisted == {moves.Mormont}


def put_otherwise(game: Game[Any], position: Any, imagined: Iterable[Any]) -> Iterator[Any]:
    """The moves that pass and are not listed; each leads to where a listed one of the same seat leads."""
    listed = set(game.legal(position))
    reached: dict[str, set[Any]] = {}
    for move in imagined:
        for seat in (*position.ground.seats, CHANCE):
            ply = Ply(seat, move)
            if game.judge(position, ply) is None and ply not in listed:
                if seat not in reached:
                    reached[seat] = {game.apply(position, other) for other in listed if other.seat == seat}
                assert game.apply(position, ply) in reached[seat], f"{ply} is not listed"
                yield move


def journeys(key: str) -> Iterator[tuple[Game[Any], Any]]:
    """All positions of some random games."""
    game = registry.find_game(key)
    assert game is not None
    for number in range(GAMES):
        for position in walk(game, Random(f"{key} {number}"), players=3 + number % 2):
            yield game, position


def walk(game: Game[Any], random: Random, players: int) -> Iterator[Any]:
    """The positions of a random game in which offers are often answered with others."""
    dealer = RandomDealer(random)
    position = game.start(draw_setup(random, game, players))
    while due := game.to_act(position):
        yield position
        if due == (CHANCE,):
            ply = game.deal(position, dealer)
        else:
            plies = list(game.legal(position))
            answer = Ply(due[-1], counter_offer(random, due[0]))
            wanted = len(due) > 1 and random.random() < COUNTER_OFFERS and game.judge(position, answer) is None
            ply = answer if wanted else random.choice(plies)
        position = game.apply(position, ply)


def counter_offer(random: Random, to: str) -> moves.Offer:
    """One card for another."""
    one, other = random.sample(range(5), 2)
    return moves.Offer(cards(one, 1), cards(other, 1), to)


def moments_of(game: Game[Any], position: Any) -> set[str]:
    """What is special about a moment."""
    found = set(special(game, position))
    hands = game.view(position, PUBLIC)["hands"].values()
    poor = any(hand["count"] == 0 for hand in hands)
    return found | ({f"{moment} among the poor" for moment in found} if poor else set())


def special(game: Game[Any], position: Any) -> Iterator[str]:
    """The same, whatever anybody holds."""
    seat = game.view(position, PUBLIC)["on_turn"]
    view = game.view(position, seat)
    yield view["waits_for"]
    if view["waits_for"] in ("roll", "trade", "build"):
        mine = view["developments"][seat]
        if not view["played"]:
            yield from (f"has {card}" for card in mine["cards"].keys() - mine["bought"].keys())
        if view["watch"] is not None and view["waits_for"] == "trade":
            card = view["watch"]["heroes"]["before"][seat]
            if not card["rests"]:
                yield f"{card['hero']} may act"
    makers = {offer["seat"] for offer in view["offers"]}
    if seat in makers:
        yield "offered"
    if makers - {seat}:
        yield "countered"
