"""Moves without an alternative: the only ones that the rules allow, as everybody can see."""

from collections.abc import Iterator
from typing import Any

import pytest

from engine.brotherhood.base_game import GAME as BASE
from engine.brotherhood.full_game import GAME as WATCH
from engine.brotherhood.hands import ONE, count
from engine.brotherhood.hero_roster import BENJEN, MARSH, QHORIN, YGRITTE, Holding
from engine.brotherhood.moves import Roll
from engine.brotherhood.position import CAMP, ROLL, Position
from engine.chance import KeyedDealer
from engine.game import CHANCE, PUBLIC, Game, Ply, Seat, Setup
from engine.nomadi import GAME as NOMADI
from engine.nomadi.moves import End
from engine.through_the_desert import GAME as DESERT
from engine.through_the_desert.moves import Pass
from tests.engine.recorded import Shelf

GAMES: tuple[tuple[Game[Any], tuple[tuple[str, str], ...]], ...] = (
    (DESERT, ()),
    (NOMADI, ()),
    (NOMADI, (("Coins", "hidden"), ("Deals", "yes"))),
    (BASE, ()),
    (WATCH, ()),
)
LONGEST = 700
SHAKEN = 6
"""Other worlds that are tried for each position."""


def sampled(game: Game[Any], options: tuple[tuple[str, str], ...], seed: int) -> Iterator[Any]:
    """The positions of a random game, all or the first many."""
    dealer = KeyedDealer(f"forced {seed}".encode())
    players = [*game.players][seed % len(game.players)]
    position = game.start(game.lay_out(Setup(game.seats[:players], options), dealer))
    for _ in range(LONGEST):
        yield position
        due = game.to_act(position)
        if not due:
            return
        chosen = [*game.legal(position)] if CHANCE not in due else []
        ply = chosen[dealer.pick(len(chosen), "choice")] if chosen else game.deal(position, dealer)
        position = game.apply(position, ply)


def shaken(game: Game[Any], position: Any, dealer: KeyedDealer) -> Any:
    """The same table with other secrets: cards change places in hands, in the deck, or their values change."""
    if game is NOMADI:
        coins = list(position.coins)
        if position.ground.hidden_coins:
            coins[dealer.pick(len(coins), "coin")] += 1
        values = [dealer.pick(3, "value") + 1 for _ in position.found]
        found = tuple(card._replace(value=value) for card, value in zip(position.found, values, strict=True))
        return position._replace(found=found, coins=tuple(coins))
    if game is DESERT:
        return position
    hands, cards, deck = list(position.hands), list(position.cards), position.deck
    for _ in range(12):
        one, other = (dealer.pick(len(hands), "hand") for _ in range(2))
        pairs = [(a, b) for a in range(5) for b in range(5) if count(hands[one], a) and count(hands[other], b)]
        if pairs:
            give, take = pairs[dealer.pick(len(pairs), "swap")]
            hands[one] += ONE[take] - ONE[give]
            hands[other] += ONE[give] - ONE[take]
        pairs = [(a, b) for a in range(5) for b in range(5) if count(cards[one], a) and count(deck, b)]
        if pairs:
            give, take = pairs[dealer.pick(len(pairs), "card")]
            cards[one] += ONE[take] - ONE[give]
            deck += ONE[give] - ONE[take]
    return position._replace(hands=tuple(hands), cards=tuple(cards), deck=deck)


@pytest.mark.parametrize(("game", "options"), GAMES, ids=lambda each: getattr(each, "key", str(bool(each))))
def test_a_forced_move_is_the_only_one_and_all_can_see_it(
    game: Game[Any], options: tuple[tuple[str, str], ...]
) -> None:
    dealer, found, alike = KeyedDealer(b"other worlds"), 0, 0
    for seed in range(4):
        for position in sampled(game, options, seed):
            seats: list[Seat] = game.view(position, PUBLIC)["seats"]
            forced = {seat: game.forced(position, seat) for seat in seats}
            for seat, move in forced.items():
                if move is None:
                    continue
                found += 1
                assert seat in game.to_act(position)
                assert game.judge(position, Ply(seat, move)) is None
                others = {ply.move for ply in (*game.legal(position), *game.liberties(position)) if ply.seat == seat}
                assert others == {move}
            if game is DESERT or (not any(forced.values()) and dealer.pick(6, "look")):
                continue
            for _ in range(SHAKEN):
                world = shaken(game, position, dealer)
                if world != position and game.view(world, PUBLIC) == game.view(position, PUBLIC):
                    alike += 1
                    assert {seat: game.forced(world, seat) for seat in seats} == forced
    assert found or ("Deals", "yes") in options
    assert alike or game is DESERT


def rolling(game: Game[Any]) -> Position:
    """A position before the roll of a player without development cards."""
    found = next(
        each
        for each in sampled(game, (), 1)
        if each.stage == ROLL
        if not each.played and (game is BASE or (any(each.watch.camps) and each.watch.company.spent != each.turn))
        if game.forced(each, each.ground.seats[each.who]) is not None
    )
    assert isinstance(found, Position)
    return found


@pytest.mark.parametrize("game", [BASE, WATCH], ids=lambda game: game.key)
def test_the_dice_wait_for_whoever_holds_a_development_card_of_any_kind(game: Game[Any]) -> None:
    position = rolling(game)
    seat = position.ground.seats[position.who]
    assert game.forced(position, seat) == game.roll == Roll()
    assert [game.forced(position, other) for other in position.ground.seats if other != seat] == [None] * (
        len(position.ground.seats) - 1
    )
    for kind in range(5):
        cards = list(position.cards)
        cards[position.who] += ONE[kind]
        held = position._replace(cards=tuple(cards))
        assert game.forced(held, seat) is None
        only_roll = [ply.move for ply in game.legal(held) if ply.seat == seat] == [Roll()]
        assert only_roll == (kind == 4 or (game is BASE and kind == 3)), "others must not see which cards they are"


def test_an_open_hero_that_can_act_before_the_roll_stops_it() -> None:
    position = rolling(WATCH)
    assert position.watch is not None
    seat, watch = position.ground.seats[position.who], position.watch

    def holding(hero: int, **more: Any) -> object:
        own = watch.company.holdings[position.who].hero
        holdings = [Holding(own) if each.hero == hero else each for each in watch.company.holdings]
        holdings[position.who] = Holding(hero)
        company = watch.company._replace(holdings=tuple(holdings))
        return WATCH.forced(position._replace(watch=watch._replace(company=company), **more), seat)

    assert holding(MARSH) == Roll(), "he acts after the roll"
    assert holding(BENJEN) is None
    assert holding(YGRITTE) == (None if watch.held else Roll())
    assert holding(QHORIN, tormund=CAMP) == Roll(), "Tormund is at home, and all can see it"
    assert holding(QHORIN, tormund=0) is None


def test_what_is_forced_in_the_other_games() -> None:
    stuck = {type(NOMADI.forced(each, each.ground.seats[each.who])) for each in sampled(NOMADI, (), 0)}
    assert End in stuck
    shelf = Shelf(DESERT)
    passed = [step for name in shelf.names for step in shelf.steps(name) if isinstance(step.ply.move, Pass)]
    assert passed
    assert all(DESERT.forced(step.before, step.ply.seat) == Pass() for step in passed)
