"""Nothing is lost and nothing made: figures, tokens, guards, pieces and cards at every ply of random games."""

import pytest

from engine.brotherhood.full_game import GAME
from engine.brotherhood.hands import SUPPLY, pack, unpack
from engine.brotherhood.moves import DEVELOPMENTS, HEROES, Ranger, Recruits, Roads, Winter, Yoren
from engine.brotherhood.position import Position
from engine.brotherhood.wall_sections import guard_points, guards_of
from engine.brotherhood.wall_state import BOX, FIGURES, GUARDS, SPACES, Watch
from tests.oracle.brotherhood.brotherhood_journeys import journey

DECK = pack((14, 2, 2, 2, 5))
GAMES = [(players, seed) for players in GAME.players for seed in range(4)]

PLAYED_AWAY = {Winter: "winter", Roads: "roads", Recruits: "recruits", Yoren: "ranger"}
"""Cards that leave the game when these moves are made; a Ranger stays before its player."""


every_game = pytest.mark.parametrize(("players", "seed"), GAMES)


def watch_of(position: Position) -> Watch:
    assert position.watch is not None
    return position.watch


@every_game
def test_every_figure_stands_somewhere(players: int, seed: int) -> None:
    for position in journey(f"conservation {seed}", players)[0]:
        watch = watch_of(position)
        standing = [
            watch.frostfangs[kind] + sum(camps.count(kind) for camps in watch.camps) + watch.gift[kind].bit_count()
            for kind in range(len(FIGURES))
        ]
        standing[0] += sum(watch.clearings)
        assert tuple(standing) == FIGURES
        assert watch.held.bit_count() == sum(held.bit_count() for held in watch.gift), "one wildling a hex"


@every_game
def test_every_token_lies_somewhere(players: int, seed: int) -> None:
    for position in journey(f"conservation {seed}", players)[0]:
        watch = watch_of(position)
        tokens = watch.tokens
        assert tuple(map(sum, zip(*tokens.unseen, tokens.used, strict=True))) == BOX
        on_cards = sum(len(card.settlements) + 2 * card.keeps for card in tokens.cards)
        lifted = sum(due.source in ("settlement", "keep") for due in watch.due)
        if watch.fallen:
            continue  # what a keep had still to turn up stays where it is
        assert tokens.pool + on_cards + lifted == sum(map(sum, tokens.unseen))
        assert tokens.pool > 0
        for who, card in enumerate(tokens.cards):
            back = sum(due == ("return", who, 0) for due in watch.due)
            assert len(card.settlements) + back + position.settlements[who].bit_count() == 5
            assert card.keeps + position.keeps[who].bit_count() == 4


@every_game
def test_guards_are_on_the_wall_or_with_their_owners_and_worth_their_points(players: int, seed: int) -> None:
    for position in journey(f"conservation {seed}", players)[0]:
        watch = watch_of(position)
        assert all(len(section) <= SPACES for section in watch.sections)
        tallies = {tally.seat: tally for tally in GAME.score(position).tallies}
        for who, seat in enumerate(position.ground.seats):
            guards = guards_of(watch, who)
            assert guards <= GUARDS
            assert sum(line.points for line in tallies[seat].lines if line.source == "guards") == guard_points(guards)


@every_game
def test_no_clearing_holds_more_wildlings_than_its_section_guards(players: int, seed: int) -> None:
    for position in journey(f"conservation {seed}", players)[0]:
        watch = watch_of(position)
        assert all(n <= len(section) for n, section in zip(watch.clearings, watch.sections, strict=True))
        assert all(len(camps) <= 4 for camps in watch.camps)


@every_game
def test_every_resource_card_is_in_a_hand_or_the_supply(players: int, seed: int) -> None:
    for position in journey(f"conservation {seed}", players)[0]:
        assert position.supply + sum(position.hands) == SUPPLY
        assert all(min(unpack(hand)) >= 0 for hand in (*position.hands, position.supply))


@every_game
def test_development_cards_leave_the_game_only_by_being_played(players: int, seed: int) -> None:
    positions, plies = journey(f"conservation {seed}", players)
    gone = dict.fromkeys(DEVELOPMENTS, 0)
    for position, (_, move) in zip(positions[1:], plies, strict=True):
        if type(move) in PLAYED_AWAY:
            gone[PLAYED_AWAY[type(move)]] += 1
        there = position.deck + sum(position.cards) + sum(position.patrols)
        assert there + pack(tuple(gone.values())) == DECK
    assert any(isinstance(move, Ranger) for _, move in plies)


@every_game
def test_every_hero_lies_before_one_player_or_in_the_display(players: int, seed: int) -> None:
    for position in journey(f"conservation {seed}", players)[0]:
        company = watch_of(position).company
        held = [holding.hero for holding in company.holdings]
        assert sorted((*held, *company.display)) == list(range(len(HEROES)))


@every_game
def test_the_game_goes_on_exactly_until_it_ends(players: int, seed: int) -> None:
    positions, _ = journey(f"conservation {seed}", players)
    for position in positions[:-1]:
        assert not watch_of(position).fallen
    last = positions[-1]
    (winner,) = GAME.score(last).winners
    assert watch_of(last).fallen or GAME.score(last).total(winner) >= 10
