"""Records that show every rule of Nomadi at work, with the coins and points that they expect.

A record is named for the rule it shows (``NO-R1-the-first-stone-over.turns``), or it is a whole game. Besides what
every record has, these say what shall come of them:

- ``[Shows "…"]``: what the record is for. Every move of such a record tells the coins that it brings or costs, to whom
  and by which rule: ``[%coins yellow +5 NO-Z2]``.
- ``[Expect.blue "coins 9 NO-S1, cards 3 NO-C6"]``: blue's points at the last move, source by source.
- ``[Winners "blue and yellow NO-S2"]``: for whom the game is over.
"""

from collections import Counter

import pytest

from engine.game import CHANCE, PUBLIC, Ply
from engine.nomadi import GAME
from engine.nomadi.moves import Card, Dice
from engine.nomadi.rules import RULES
from engine.verdict import Rule
from notation import Ending
from tests.engine.recorded import Shelf, Step

SHELF = Shelf(GAME)
RECORDS, read, moves, last = SHELF.names, SHELF.read, SHELF.steps, SHELF.last
PAYING = {"NO-D4", "NO-Z2", "NO-C7", "NO-R1", "NO-R3", "NO-G1", "NO-V2"}
"""Rules by which coins come and go."""


def paid(made: Step) -> Counter[str]:
    """The coins that each seat gains by a move, as its notes say."""
    sums: Counter[str] = Counter()
    for note in made.notes:
        word, seat, coins, _ = note.split()
        assert word == "coins"
        sums[seat] += int(coins)
    return sums


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_stands_and_is_canonical(name: str) -> None:
    SHELF.assert_stands(name)


@pytest.mark.parametrize("name", SHELF.having("Shows"))
def test_every_move_brings_and_costs_the_coins_that_the_record_says(name: str) -> None:
    for made in moves(name):
        seats = made.before.ground.seats
        gained = [after - before for before, after in zip(made.before.coins, made.after.coins, strict=True)]
        sums = paid(made)
        assert [sums[seat] for seat in seats] == gained, made.ply


@pytest.mark.parametrize("name", RECORDS)
def test_the_points_have_the_sources_that_the_record_expects(name: str) -> None:
    for tally in GAME.score(last(name)).tallies:
        sources = [f"{line.source} {line.points} {line.rule}" for line in tally.lines]
        assert read(name).header(f"Expect.{tally.seat}") == (", ".join(sources) or "nothing")


@pytest.mark.parametrize("name", SHELF.having("Winners"))
def test_a_finished_game_has_the_winners_that_the_record_names(name: str) -> None:
    assert GAME.to_act(last(name)) == ()
    assert read(name).header("Winners") == f"{' and '.join(GAME.score(last(name)).winners)} NO-S2"
    assert read(name).entries[-1].moves == (Ending("normal"),)
    assert all(GAME.to_act(made.before) for made in moves(name))


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_every_rule_has_a_record_named_for_it(rule: Rule) -> None:
    assert [name for name in RECORDS if name.startswith(f"{rule.code}-")]


@pytest.mark.parametrize("code", sorted(PAYING))
def test_every_rule_about_coins_pays_in_a_record_of_its_own(code: str) -> None:
    told = {
        note.split()[-1]
        for name in RECORDS
        if name.startswith(f"{code}-")
        for made in moves(name)
        for note in made.notes
    }
    assert code in told
    assert told <= PAYING


def test_whole_games_are_there_for_every_number_of_players_with_their_digests() -> None:
    whole = [name for name in RECORDS if name.startswith("whole-game-")]
    assert {len(read(name).seats) for name in whole} == {2, 3, 4, 5}
    assert {read(name).header("Oasis") for name in whole} == {None, "I6"}
    for name in whole:
        assert read(name).entries[-1].moves == (Ending("normal"),)
        assert sum(note.startswith("state ") for made in moves(name) for note in made.notes) > 3


@pytest.mark.parametrize(("code", "seats"), [("two", 8), ("three", 5), ("four", 4), ("five", 3)])
def test_everybody_sets_up_as_many_stones_as_the_number_of_players_asks(code: str, seats: int) -> None:
    (name,) = [name for name in RECORDS if name.startswith("NO-P2-") and name.endswith(f"-{code}-players")]
    assert [own.bit_count() for own in last(name).stones] == [seats] * len(read(name).seats)
    assert GAME.to_act(last(name)) == (CHANCE,)


def test_a_dead_throw_is_followed_by_another_in_the_same_turn() -> None:
    *_, dead, lucky = moves("NO-D5-thrown-again")
    assert (type(dead.ply.move), type(lucky.ply.move)) == (Dice, Dice)
    assert dead.before.turn == lucky.after.turn
    assert GAME.to_act(dead.after) == (CHANCE,)
    assert lucky.after.coins == dead.before.coins


def test_with_its_last_die_a_turn_is_over_by_itself() -> None:
    *_, closing = moves("NO-D3-all-dice-are-played")
    assert closing.after.turn == closing.before.turn + 1
    assert GAME.to_act(closing.after) == (CHANCE,)


def test_while_an_offer_is_open_its_owner_is_due_together_with_the_player_on_turn() -> None:
    assert GAME.to_act(last("NO-C5-still-open")) == ("blue", "yellow")


def test_after_the_third_stone_only_open_offers_are_waited_for() -> None:
    position = last("NO-C5-open-at-the-end")
    assert GAME.to_act(position) == ("yellow",)
    assert GAME.view(position, PUBLIC)["phase"] == "answers"
    assert GAME.score(position).winners == ()
    answered = GAME.apply(position, Ply("yellow", GAME.by_default(position, "yellow")))
    assert GAME.to_act(answered) == ()
    assert GAME.view(answered, PUBLIC)["holds"] == {"blue": 1, "yellow": 0}


def test_one_move_can_be_the_last_over_the_ravine_and_the_third_home() -> None:
    *_, closing = moves("NO-R3-last-over-and-third-home")
    assert [note.split()[-1] for note in closing.notes] == ["NO-R3", "NO-G1"]
    assert GAME.to_act(closing.after) == ()


@pytest.mark.parametrize("name", ["NO-C2-the-own-stone", "NO-C2-somebody-elses-stone"])
def test_only_the_mover_reads_the_value_of_a_card(name: str) -> None:
    *_, looked = moves(name)
    card = looked.ply.move
    assert isinstance(card, Card)
    told = {viewer: GAME.told(looked.before, looked.ply, viewer) for viewer in ("blue", "yellow", PUBLIC)}
    assert told == {"blue": card, "yellow": Card(card.square, None), PUBLIC: Card(card.square, None)}
    known = {viewer: GAME.view(looked.after, viewer)["values"] for viewer in ("blue", "yellow", PUBLIC)}
    assert known == {"blue": {card.square: card.value}, "yellow": {}, PUBLIC: {}}


def test_whoever_takes_a_card_knows_it_and_so_does_whoever_offered_it() -> None:
    known = {viewer: GAME.view(last("NO-C4-taken"), viewer)["values"] for viewer in ("blue", "yellow", PUBLIC)}
    assert known == {"blue": {"N13": -2}, "yellow": {"N13": -2}, PUBLIC: {}}


def test_hidden_coins_are_shown_to_their_owner_alone_until_the_end() -> None:
    position = last("NO-V3-hidden-coins")
    assert GAME.view(position, PUBLIC)["coins"] == {}
    assert GAME.view(position, "yellow")["coins"] == {"yellow": 5}
    assert GAME.score(position).hidden == position.ground.seats
    assert GAME.score(position).shown("yellow") is None
    over = last("whole-game-of-three-with-the-movable-oasis")
    assert GAME.view(over, PUBLIC)["coins"].keys() == {"blue", "yellow", "red"}
    assert GAME.score(over).hidden == ()
    assert GAME.score(over).shown("red") == GAME.score(over).total("red")


@pytest.mark.parametrize("name", [name for name in RECORDS if name.startswith("whole-game-")])
def test_a_record_whose_cards_are_not_told_can_be_replayed_to_the_same_end(name: str) -> None:
    position = moves(name)[0].before
    for made in moves(name):
        told = Ply(made.ply.seat, GAME.told(made.before, made.ply, PUBLIC))
        assert GAME.judge(position, told) is None
        position = GAME.apply(position, told)
        seen, real = GAME.view(position, PUBLIC), GAME.view(made.after, PUBLIC)
        assert {**seen, "values": {}} == {**real, "values": {}}
