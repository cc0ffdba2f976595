"""Through the Desert, for two to five players.

Players lay chains of camels through the sand for waterholes, oases, enclosed areas and the longest caravans.
Chance settles only the set-up, and nothing is hidden. `GAME` joins the modules of this folder to the contract.
"""

from typing import Final

from engine.chance import Dealer
from engine.game import Game, Option, Ply, Seat
from engine.through_the_desert import apply, judge, legal, pose, remedies, score, setup, view
from engine.through_the_desert.moves import Camel, Leader, Pass, Remove
from engine.through_the_desert.position import OVER, Position
from engine.through_the_desert.rules import RULES
from engine.verdict import Rule


class ThroughTheDesert(Game[Position]):
    """The game as the contract wants it; every function is in the module of the same name."""

    key: str = "through-the-desert"
    title: str = "Through the Desert"
    edition: str = "1"
    seats: tuple[Seat, ...] = setup.SEATS
    players: range = setup.PLAYERS
    options: tuple[Option, ...] = setup.OPTIONS
    moves: tuple[type, ...] = (Remove, Leader, Camel, Pass)
    rules: tuple[Rule, ...] = RULES

    lay_out = staticmethod(setup.lay_out)
    start = staticmethod(setup.start)
    pose = staticmethod(pose.pose)
    next_turn = staticmethod(remedies.next_turn)
    remedies = staticmethod(remedies.remedies)
    forced = staticmethod(legal.forced)
    run = apply.DesertRun
    prospect = staticmethod(score.prospect)
    traits = staticmethod(score.traits)
    # From its line on, a module's name means the function; what else is taken from the module comes before it.
    legal = staticmethod(legal.legal)
    judge = staticmethod(judge.judge)
    apply = staticmethod(apply.apply)
    score = staticmethod(score.score)
    view = staticmethod(view.view)

    def to_act(self, position: Position) -> tuple[Seat, ...]:
        """The one player whose turn it is; nobody when the game is over."""
        position = legal.settle(position)
        return () if position.phase == OVER else (position.ground.seats[position.who],)

    def turn(self, position: Position) -> int:
        """The number of the turn being played; after the end, one more than the last."""
        return legal.settle(position).turn if position.placed else position.turn

    def deal(self, position: Position, dealer: Dealer) -> Ply:
        """Chance never moves in this game."""
        raise ValueError("chance is not due in Through the Desert")


GAME: Final = ThroughTheDesert()
EDITIONS: Final = (GAME,)
