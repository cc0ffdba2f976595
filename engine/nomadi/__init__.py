"""Nomadi, for two to five players.

One caravan of all players' stones is led by dice through the desert, over the ravine and into the oasis. Chance
throws the dice, and desert cards are hidden. `GAME` joins the modules of this folder to the contract.
"""

from typing import Final

from engine.game import Game, Option, Ply, Seat
from engine.nomadi import apply, judge, legal, outcomes, pose, remedies, score, setup, view
from engine.nomadi.board import NAMES
from engine.nomadi.moves import Card, Dice, End, Give, Leave, Offer, Place, Step, Take
from engine.nomadi.position import MOVING, OVER, Position
from engine.nomadi.rules import RULES
from engine.verdict import Rule


class Nomadi(Game[Position]):
    """The game as the contract wants it; every function is in the module of the same name."""

    key: str = "nomadi"
    title: str = "Nomadi"
    edition: str = "1"
    seats: tuple[Seat, ...] = setup.SEATS
    players: range = setup.PLAYERS
    options: tuple[Option, ...] = setup.OPTIONS
    moves: tuple[type, ...] = (Place, Dice, Step, Card, Offer, Take, Leave, End, Give)
    rules: tuple[Rule, ...] = RULES

    lay_out = staticmethod(setup.lay_out)
    start = staticmethod(setup.start)
    to_act = staticmethod(legal.to_act)
    deal = staticmethod(legal.deal)
    liberties = staticmethod(legal.liberties)
    forced = staticmethod(legal.forced)
    pose = staticmethod(pose.pose)
    next_turn = staticmethod(remedies.next_turn)
    remedies = staticmethod(remedies.remedies)
    told = staticmethod(view.told)
    prospect = staticmethod(score.prospect)
    traits = staticmethod(score.traits)
    earnings = staticmethod(score.earnings)
    essence = staticmethod(outcomes.essence)
    # From its line on, a module's name means the function; what else is taken from the module comes before it.
    legal = staticmethod(legal.legal)
    judge = staticmethod(judge.judge)
    apply = staticmethod(apply.apply)
    score = staticmethod(score.score)
    view = staticmethod(view.view)

    def turn(self, position: Position) -> int:
        """The number of the turn being played; after the end, one more than the last."""
        return position.turn

    def without_words(self, move: object) -> tuple[object, str]:
        """What is said of an offered card (NO-C3)."""
        return (Offer(), move.words) if isinstance(move, Offer) else (move, "")

    def discloses(self, position: Position, ply: Ply) -> bool:
        """A card that is taken unseen is known from then on, and all of them when the game is over (NO-C6)."""
        return isinstance(ply.move, Take) or apply.apply(position, ply).phase == OVER

    def by_default(self, position: Position, seat: Seat) -> object:
        """An offer that is not answered is declined (NO-C5)."""
        for card in position.open_offers():
            if position.ground.seats[card.owner] == seat:
                return Leave(NAMES[card.square])
        return None

    def count_ends(self, position: Position) -> int | None:
        """How many tables the dice of a turn can lead to, where they are all there is to decide; often millions."""
        answers = any(card.owner == position.who for card in position.open_offers())
        return None if answers or position.phase != MOVING else len(outcomes.Outcomes(position))


GAME: Final = Nomadi()
EDITIONS: Final = (GAME,)
