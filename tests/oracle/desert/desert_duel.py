"""Games played by the engine and the oracle side by side, asked the same questions before every ply.

The engine is known here only by its contract. `play` says what the game reached, so that a test can demand
that rare things were really compared.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine.game import PUBLIC, Ply, Setup
from engine.replay import run
from engine.through_the_desert import GAME
from engine.through_the_desert.moves import Camel, Leader, Pass, Remove
from engine.verdict import Verdict
from tests.oracle.desert import desert_map
from tests.oracle.desert import desert_oracle as oracle
from tests.oracle.desert import desert_playouts as playouts

STRANGE_SEATS = ("*", "public", "nobody", "Red", "")
STRANGE_COLOURS = ("pink", "Lilac", "L", "")
STRANGE_SPACES = ("A0", "A14", "W3", "A01", "a6", "AA1", "6A", "A6 ", "A\uff11", "A-1", "A", "5", "")
STRANGE_PLIES = 6


def set_up(seats: Any, options: Any) -> Any:
    """The engine's first position."""
    return GAME.start(Setup(tuple(seats), tuple(options.items())))


def play(random: Any, players: Any, temper: Any) -> Any:
    """Play one game on all sides, comparing them all the way; what was reached.

    The engine plays twice: position by position, and as a run carried forward in place.
    """
    seats, options = playouts.deal(random, players)
    table, position = oracle.start(seats, options), set_up(seats, options)
    carried = run(GAME, position)
    reached: Counter[str] = Counter()
    while not table.over:
        plies = compare(table, position)
        reached.update(compare_refusals(random, table, position, carried, plies))
        ply = playouts.choose(random, table, plies, temper)
        assert GAME.judge(position, Ply(*ply)) is None
        assert carried.advance(Ply(*ply)) is None
        after = oracle.apply(table, ply)
        reached.update(events(table, ply, after))
        table, position = after, GAME.apply(position, Ply(*ply))
        if random.random() < 0.1:
            assert carried.position() == position
    assert compare(table, position) == set()
    reached.update(compare_refusals(random, table, position, carried, set()))
    reached.update(endings(table))
    assert carried.position() == position
    return reached


def compare(table: Any, position: Any) -> Any:
    """Everything both sides can be asked about one moment; the legal plies."""
    plies = oracle.legal(table)
    listed = [tuple(ply) for ply in GAME.legal(position)]
    assert set(listed) == plies
    assert len(listed) == len(plies)
    assert tuple(GAME.to_act(position)) == oracle.to_act(table)
    assert GAME.turn(position) == oracle.turn(table)
    assert GAME.view(position, PUBLIC) == oracle.view(table)
    score = GAME.score(position)
    assert points_by_source(score) == oracle.score(table)
    assert score.winners == oracle.winners(table)
    return plies


def points_by_source(score: Any) -> Any:
    """The engine's score in the oracle's form."""
    points = {tally.seat: dict.fromkeys(("water", "oases", "areas", "caravans"), 0) for tally in score.tallies}
    for tally in score.tallies:
        for line in tally.lines:
            points[tally.seat][line.source] += line.points
    return points


def compare_refusals(random: Any, table: Any, position: Any, carried: Any, plies: Any) -> Iterator[Any]:
    """Put strange plies to all sides, who know the legal ones; the codes drawn."""
    assert carried.turn == oracle.turn(table)
    for _ in range(STRANGE_PLIES):
        ply = strange_ply(random, table)
        code = oracle.first_broken(table, ply)
        verdict = GAME.judge(position, Ply(*ply))
        assert (verdict and verdict.rule.code) == code, f"{ply}: engine {verdict}, oracle {code}"
        if verdict is not None:
            assert verdict.detail
            assert {(table.seats[table.mover], move) for move in verdict.instead} <= plies
            assert carried.advance(Ply(*ply)) == verdict
            yield code


def strange_ply(random: Any, table: Any) -> Any:
    """A ply that someone might send: often nearly right, sometimes nonsense."""
    mover = table.seats[table.mover]
    seat = mover if random.random() < 0.75 else random.choice(oracle.SEATS + STRANGE_SEATS)
    colour = random.choice(oracle.COLOURS) if random.random() < 0.95 else random.choice(STRANGE_COLOURS)
    empty = [colour for colour, camels in table.herds.items() if camels == 0]
    if empty and random.random() < 0.5:
        colour = random.choice(empty)
    space = strange_space(random, table, colour)
    usual = {"camels": Camel(colour, space), "leaders": Leader(colour, space), "removal": Remove(colour)}
    if random.random() < 0.85 and not table.over:
        return seat, usual[oracle.phase(table)]
    return seat, random.choice([*usual.values(), Pass()])


def strange_space(random: Any, table: Any, colour: Any) -> Any:
    """Any hex of the map, one beside a camel of the colour, one that is enclosed, or no hex at all."""
    kind = random.random()
    beside = [near for space, (_, of) in table.camels.items() if of == colour for near in table.beside[space]]
    if kind < 0.55 and beside:
        return random.choice(sorted(beside))
    if kind < 0.65 and table.areas:
        return random.choice(desert_map.sort_spaces(random.choice(table.areas)[2]))
    return random.choice(list(desert_map.SIGN)) if kind < 0.95 else random.choice(STRANGE_SPACES)


def events(table: Any, ply: Any, after: Any) -> Iterator[Any]:
    """The rarer things that a ply brought about."""
    _, move = ply
    new = len(after.areas) - len(table.areas)
    if new:
        yield "area"
    if new > 1:
        yield "two areas at one stroke"
    if isinstance(move, Pass):
        yield "pass"
    if isinstance(move, Camel) and after.turn > table.turn and table.placed + 1 < oracle.camels_allowed(table):
        yield "turn cut short"
    if after.over and 0 not in after.herds.values():
        yield "ended because nobody can place"
    if after.over and table.placed and 0 in table.herds.values():
        yield "herd emptied by a first camel"
    if after.over and table.placed and 0 not in table.herds.values():
        yield "herd emptied by a second camel"


def endings(table: Any) -> Iterator[Any]:
    """What the final scoring saw."""
    sizes = {colour: oracle.longest_caravans(table, colour) for colour in oracle.COLOURS}
    if any(len(seats) > 1 for seats in sizes.values()):
        yield "tie for longest"
    if len(oracle.winners(table)) > 1:
        yield "shared win"


def both_refuse(seats: Any, options: Any) -> Any:
    """The code with which both sides refuse a set-up, or None when both take it."""
    code = oracle.broken_by_setup(tuple(seats), options)
    answer = set_up(seats, options)
    found = answer.rule.code if isinstance(answer, Verdict) else None
    assert found == code, f"{seats} {options}: engine {answer}, oracle {code}"
    return code


def follow(seats: Any, options: Any, plies: Any) -> Any:
    """Play given plies on both sides; the table and the position reached."""
    table, position = oracle.start(seats, options), set_up(seats, options)
    for ply in plies:
        assert oracle.first_broken(table, ply) is None, ply
        assert GAME.judge(position, Ply(*ply)) is None, ply
        table, position = oracle.apply(table, ply), GAME.apply(position, Ply(*ply))
    compare(table, position)
    return table, position
