"""Scenes in the middle of a turn: offers, moves that wait, and dice that are rolled at once."""

from collections.abc import Callable
from itertools import product

from engine.brotherhood.moves import RESOURCES, Offer
from engine.game import PUBLIC, Seat
from notation import write_moves
from pbem.judging.submission import is_on_turn
from pbem.tables.table import FORCED, Table
from pbem.workflow import referee_acts
from tests.post.post_games import TABLE
from tests.post.secrets import watchful
from tests.post.secrets.twin_worlds import World

HERON = "Haikara lentää matalalla."
"""Words that the post does not know."""


def bargains(world: World) -> None:
    """Offers: what stands in a letter waits for answers, standing orders answer at once, and a letter goes on."""
    world.accept()
    world.play_until(world.hides)
    world.write(world.viewer, "standing no trades")
    world.write(world.viewer, "standing")
    world.write(world.viewer, "standing none")
    world.play_until(lambda table: is_on_turn(table.game, table.position, world.viewer))
    world.write(world.viewer, "end", fate="refused")  # what would help is said too: the roll
    world.write(world.viewer, "roll")
    offer = _offer(world)
    world.write(world.viewer, f"{offer}; trade 4 ore: 1 wool")
    for seat in world.others:
        world.write(seat, f"decline {world.viewer}")
    for seat in world.others:
        world.write(seat, "standing no trades")
    world.write(world.viewer, f"{offer}; end")


def lapses(world: World) -> None:
    """Offers that nobody answers: whether the others could have paid shows nowhere, and they lapse for all alike."""
    world.accept()
    world.play_until(world.hides)
    world.play_until(lambda table: is_on_turn(table.game, table.position, world.viewer))
    world.write(world.viewer, "roll")
    held = world.table.game.view(world.table.position, world.viewer)["hands"][world.viewer]["cards"]
    given = max(held, key=held.get)
    for seat, wanted in product(world.others, (each for each in RESOURCES if each != given)):
        world.write(world.viewer, f"offer 1 {given} for 1 {wanted} to {seat} until 90m")
        world.do(World.note_means)
        world.wait(hours=2)
    world.write(world.viewer, f"offer 1 {given} for 1 {wanted} to any")
    world.write(world.viewer, "status")
    world.wait(hours=30)
    world.write(world.viewer, f"offer 1 {given} for 1 {wanted} to any; end")
    world.wait(hours=30)


def _offer(world: World) -> str:
    """An offer that the viewer can make to everybody."""
    game, position = world.table.game, world.table.position
    offers = (ply.move for ply in game.legal(position) if ply.seat == world.viewer and isinstance(ply.move, Offer))
    return write_moves(game, (next(offers),))


def pencils(world: World) -> None:
    """Moves beside words that nobody knows: others write one of two, stop it or let it stand; so does the viewer."""
    first, last = world.others
    world.accept()
    world.write(first, f"go\n\n{HERON}", otherwise=f"wait\n\n{HERON}")
    world.write(world.viewer, "status")
    world.write(world.viewer, f"go\n\n{HERON}")
    world.write(world.viewer, "status")
    world.write(first, "stop")
    world.write(world.viewer, "stop")
    world.write(first, f"wait\n\n{HERON}", otherwise=f"go\n\n{HERON}")
    world.write(world.viewer, f"wait\n\n{HERON}")
    world.act(referee_acts.pause, TABLE, "a storm")
    world.act(referee_acts.resume, TABLE, "a storm")
    world.write(first, "go")
    world.write(last, "go")
    world.write(world.viewer, f"go\n\n{HERON}")
    world.write(world.viewer, "play it now")
    world.write(world.viewer, "wait")
    world.write(first, f"wait\n\n{HERON}", otherwise=f"go\n\n{HERON}")
    world.write(first, "stop")
    for seat in world.others:
        world.write(seat, "wait")


def forced(world: World) -> None:
    """Dice are rolled at once or not: others hold this card or that, play one before the roll, or cannot."""
    first, last = world.others
    world.accept()
    world.write(world.viewer, "auto-roll off")
    world.write(last, "auto-roll off")
    world.play_until(world.hides)
    for _ in range(9):
        world.move()
    world.write(world.viewer, "auto-roll on")
    world.write(last, "auto-roll on")
    for _ in range(9):
        world.move()
    assert FORCED in world.table.made_for.values()
    world.write(first, "undo")
    world.write(world.viewer, "status")


def victories(world: World) -> None:
    """Others hold a victory point card or another one: their dice wait for either, and nobody else's do."""
    world.accept()
    for holder in world.others:
        _trade_in(world, lambda table, seat: _cards(table, seat) > 0, holder)
        _trade_in(world, lambda table, seat: not is_on_turn(table.game, table.position, seat), holder)
        _trade_in(world, lambda table, seat: is_on_turn(table.game, table.position, seat), holder)
        world.do(World.note_points)
        world.write(world.viewer, "status")
        world.wait(hours=30)
    _trade_in(world, lambda table, seat: is_on_turn(table.game, table.position, seat), world.viewer)
    world.do(World.note_points)
    world.write(world.viewer, "status")


def _trade_in(world: World, come: Callable[[Table, Seat], bool], seat: Seat) -> None:
    """Let everybody but the viewer buy a card, and nobody play one, until something has come for a seat."""
    for _ in range(60):
        if come(world.table, seat):
            return
        table, mover = world.table, world.table.due[0]
        wants = mover != world.viewer and not _cards(table, mover)
        world.write(mover, write_moves(table.game, watchful.choose_plainly(table, mover, buys=wants)))
    raise AssertionError("it does not come")


def _cards(table: Table, seat: Seat) -> int:
    """How many development cards somebody holds, as all can see."""
    return int(table.game.view(table.position, PUBLIC)["developments"][seat]["count"])
