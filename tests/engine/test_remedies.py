"""What would make a refused move legal: for every refused record, and for random moves at random moments.

`remedies.txt` lists what is said of the records in `tests/refused`. To write it anew after a change that is meant:

    CARAVAN_GOLDEN=write python -m pytest tests/engine/test_remedies.py
"""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine import CHANCE, PUBLIC, GameRules, KeyedDealer, Ply, Verdict
from engine.brotherhood.hands import pack, size, unpack
from engine.verdict import MOST, Proposal, Remedy, first_legal
from notation import read_text
from pbem.contract.playouts import play
from pbem.judging.record_replay import replay_record
from pbem.judging.submission import find_remedy, judge_at, judge_moves, whole_turn
from pbem.render import DrawOptions
from pbem.render.plain_scene import make_scene
from tests.engine.recorded import Shelf, without_the_last_move
from tests.known_games import known_game

KEYS = ("through-the-desert", "nomadi", "brotherhood-base", "brotherhood")
EXAMPLE = Path(__file__).parents[2] / "examples" / "sirocco.turns"
LISTED = Path(__file__).parent / "remedies.txt"
SHOWN = ("camels", "leaders", "oases", "water", "stones", "roads", "settlements", "keeps", "tormund")
"""Where views show pieces."""
FEW = 25
"""Moments of a game at which moves are tried."""

every_game = pytest.mark.parametrize("key", KEYS)


def remedy_of(key: str, name: str) -> Remedy | None:
    """What is said of the last move of a refused record, whose set-up stands."""
    record = Shelf(known_game(key), "refused").read(name)
    last, before = record.entries[-1], replay_record(without_the_last_move(record))
    return find_remedy(before.table, judge_moves(before.table, before.position, last.who, last.moves[-1:]))


def in_play(key: str) -> list[str]:
    """The refused records of a game that break a rule by a move."""
    shelf = Shelf(known_game(key), "refused")
    return [name for name in shelf.names if shelf.read(name).entries]


def test_every_refused_record_has_the_remedy_that_is_listed() -> None:
    found = {name: remedy_of(key, name) for key in KEYS for name in in_play(key)}
    said = [f"{name}: {remedy.kind}: {remedy.detail}" for name, remedy in found.items() if remedy is not None]
    text = "\n".join([*said, f"{len(said)} of {len(found)}", ""])
    if os.environ.get("CARAVAN_GOLDEN") == "write":
        LISTED.write_text(text, "utf-8")
    assert LISTED.read_text("utf-8") == text


# Random moves at random moments


@cache
def refused_plies(key: str) -> list[tuple[Any, Ply]]:
    """Moves that were made at other moments of the game, and are refused where they are tried."""
    game = known_game(key)
    found: list[tuple[Any, Ply]] = []
    for seed in range(2):
        _, positions, plies = play(game, game.players[-1], seed)
        dealer = KeyedDealer(f"tried {seed}".encode())
        made = [ply for ply in plies if ply.seat != CHANCE]
        for position in (*positions[:FEW], *positions[FEW :: max(1, len(positions) // FEW)]):
            if game.to_act(position) and game.to_act(position) != (CHANCE,):
                tried = [made[dealer.pick(len(made), "ply")] for _ in range(12)]
                tried += [Ply(game.to_act(position)[0], ply.move) for ply in tried]
                found += [(position, ply) for ply in tried if game.judge(position, ply) is not None]
    return found


def proposed(key: str) -> Iterator[tuple[Any, Ply, Proposal]]:
    """What is claimed of them."""
    game = known_game(key)
    for position, ply in refused_plies(key):
        proposal = first_legal(game, ply, game.remedies(position, ply))
        if proposal is not None:
            yield position, ply, proposal


@every_game
def test_a_move_is_legal_with_the_change_that_is_claimed(key: str) -> None:
    game, claimed = known_game(key), [*proposed(key)]
    assert len(claimed) > 10
    for position, ply, proposal in claimed:
        assert game.judge(proposal.position, ply) is None
        assert game.judge(position, ply) is not None
        assert "{" not in proposal.remedy._replace(facts={"moves": "", **proposal.remedy.facts}).detail


@every_game
def test_nothing_else_is_changed_than_what_is_claimed(key: str) -> None:
    game = known_game(key)
    for position, ply, (remedy, changed) in proposed(key):
        if remedy.moves:
            after = position
            for move in remedy.moves:
                assert game.judge(after, Ply(ply.seat, move)) is None
                after = game.apply(after, Ply(ply.seat, move))
            assert after == changed
        elif remedy.kind == "piece":
            assert differences(game, position, changed) == {*remedy.places}
        else:
            assert differences(game, position, changed) == set()
            assert not remedy.places


def differences(game: GameRules, one: object, other: object) -> set[str]:
    """The places where two positions show different pieces."""
    return {place for _, place, _ in {*pieces(game, one)} ^ {*pieces(game, other)}}


def pieces(game: GameRules, position: object) -> Iterator[tuple[str, str, int]]:
    """Every place of a view that holds a piece: what it is, where, and how many."""
    view = game.view(position, PUBLIC)
    for name in SHOWN:
        pairs = name == "roads"
        yield from ((name, place, 1) for place in places_in(view.get(name), pairs=pairs))
    watch = view.get("watch")
    if watch:
        yield from (("guard", f"section {at}", len(guards)) for at, guards in enumerate(watch["sections"], start=1))
        yield from (("wildling", letter, 1) for letter in watch["gift"])


def places_in(value: Any, *, pairs: bool) -> Iterator[str]:
    """The places that stand somewhere in a view; with `pairs`, two numbers are the ends of a path."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from [key] if isinstance(inner, int) else places_in(inner, pairs=pairs)
    elif pairs and isinstance(value, list) and value and isinstance(value[0], int):
        yield "{}-{}".format(*value)
    elif isinstance(value, list):
        for inner in value:
            yield from places_in(inner, pairs=pairs)
    elif value is not None:
        yield str(value)


@every_game
def test_every_place_of_a_remedy_can_be_marked_on_the_board(key: str) -> None:
    game, marked = known_game(key), 0
    for position, _, (remedy, _) in proposed(key):
        scene = make_scene(key, game.view(position, PUBLIC), DrawOptions(wanted=remedy.places))
        assert [name for name, _ in scene.wanted] == [*remedy.places]
        marked += len(remedy.places)
    assert marked


@every_game
def test_few_changes_are_tried(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, tried = known_game(key), 0
    judge = game.judge

    def counted(position: Any, ply: Ply) -> Verdict | None:
        nonlocal tried
        tried += 1
        return judge(position, ply)

    monkeypatch.setattr(game, "judge", counted)
    for position, ply in refused_plies(key):
        tried = 0
        first_legal(game, ply, game.remedies(position, ply))
        assert tried <= MOST


# Secrets


def veil(key: str, position: Any, seat: str) -> Any:
    """The same table with other hidden things, as far as the seat cannot tell."""
    if key == "nomadi":
        hidden = [at for at, card in enumerate(position.found) if seat not in knowing(position, card)]
        values = [position.found[at].value for at in hidden]
        found = [*position.found]
        for at, value in zip(hidden, reversed(values), strict=True):
            found[at] = found[at]._replace(value=value)
        return position._replace(found=tuple(found))
    own = position.ground.place[seat]
    others = [who for who in range(len(position.hands)) if who != own]
    return position._replace(hands=dealt_anew(position.hands, others), cards=dealt_anew(position.cards, others))


def knowing(position: Any, card: Any) -> set[str]:
    """Who may know the value of a card of Nomadi."""
    return {position.ground.seats[who] for who in {card.finder, card.holder} if who >= 0}


def dealt_anew(hands: tuple[int, ...], others: list[int]) -> tuple[int, ...]:
    """Hands of the same sizes, dealt from all cards of the others in the order of their kinds."""
    pile = [kind for who in others for kind, held in enumerate(unpack(hands[who])) for _ in range(held)]
    pile.sort(reverse=True)
    dealt = [*hands]
    for who in others:
        counts = [0] * 5
        for kind in [pile.pop() for _ in range(size(hands[who]))]:
            counts[kind] += 1
        dealt[who] = pack(counts)
    return tuple(dealt)


@pytest.mark.parametrize("key", KEYS[1:])
def test_what_others_hide_plays_no_part(key: str) -> None:
    game, compared = known_game(key), 0
    for position, ply in refused_plies(key):
        twin = veil(key, position, ply.seat)
        if twin == position or game.view(twin, ply.seat) != game.view(position, ply.seat):
            continue
        compared += 1
        one, other = (find_remedy(game, judge_moves(game, each, ply.seat, (ply.move,))) for each in (position, twin))
        assert one == other
    assert compared > (0 if key == "nomadi" else 100)


# Moves in another order, and moves that come first


@pytest.mark.parametrize(
    ("sent", "detail", "places", "whole"),
    [
        ("salmon Q9 Q8", "it would be legal in this order: salmon Q8 Q9", (), "salmon Q8 Q9"),
        ("lilac C3", "it would be legal after lilac B3", ("B3",), "lilac B3 C3"),
    ],
)
def test_another_order_is_given_back_with_all_that_was_sent(
    sent: str, detail: str, places: tuple[str, ...], whole: str
) -> None:
    (reading,) = read_text(EXAMPLE.read_text("utf-8"))
    assert reading.record is not None
    replayed = replay_record(reading.record)
    ruling = judge_at(replayed.table, replayed.position, "red", sent)
    remedy = find_remedy(replayed.table, ruling)
    assert remedy is not None
    assert (remedy.kind, remedy.detail, remedy.places) == ("order", detail, places)
    assert whole_turn(replayed.table, ruling, remedy) == whole


def test_chance_is_told_nothing() -> None:
    game = known_game("brotherhood")
    _, positions, plies = play(game, 4, 0)
    thrown = next(ply for ply in plies if ply.seat == CHANCE)
    ruling = judge_moves(game, positions[0], CHANCE, (thrown.move,))
    assert ruling.verdict is not None
    assert find_remedy(game, ruling) is None


def test_a_game_without_remedies_of_its_own_still_has_moves_to_make_first() -> None:
    game = known_game("shy-well")
    _, positions, plies = play(game, game.players[0], 0)
    for position in positions:
        for ply in plies:
            if ply.seat != CHANCE and game.judge(position, ply) is not None:
                remedy = find_remedy(game, judge_moves(game, position, ply.seat, (ply.move,)))
                assert remedy is None or remedy.moves
