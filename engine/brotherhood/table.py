"""A table being played on: the facts of a Position, changed in place, and frozen again on request.

Judges read it and plays change it; both get it as first argument. It knows the order of a turn (stages, agenda, whose
turn is next) and what all moves share: pieces, points, paying. What single moves do is in the other modules.
"""

from engine.brotherhood.hands import POINT, count
from engine.brotherhood.position import BUILD, OVER, ROLL, TRADE, Position
from engine.game import Seat

GOAL = 10
"""Victory points that win (BB-E1)."""


class WorkingPosition:
    """One table. The attributes are those of `Position`, with lists where a Position has a tuple for all places."""

    __slots__ = (
        *("ground", "law", "chart", "players", "stage", "turn", "who", "agenda", "hands", "supply"),
        *("settlements", "keeps", "roads", "ends", "closed", "paved", "fresh", "tormund"),
        *("deck", "cards", "bought", "played", "patrols", "lengths", "longest", "largest"),
        *("offers", "owing", "robbed", "dice", "gains", "winner", "watch"),
    )

    def __init__(self, position: Position) -> None:
        (
            self.ground,
            self.stage,
            self.turn,
            self.who,
            self.agenda,
            hands,
            self.supply,
            settlements,
            keeps,
            roads,
            ends,
            self.closed,
            self.paved,
            self.fresh,
            self.tormund,
            self.deck,
            cards,
            self.bought,
            self.played,
            patrols,
            lengths,
            self.longest,
            self.largest,
            offers,
            owing,
            self.robbed,
            self.dice,
            gains,
            self.winner,
            self.watch,
        ) = position
        self.hands = list(hands)
        self.settlements = list(settlements)
        self.keeps = list(keeps)
        self.roads = list(roads)
        self.ends = list(ends)
        self.cards = list(cards)
        self.patrols = list(patrols)
        self.lengths = list(lengths)
        self.offers = list(offers)
        self.owing = list(owing)
        self.gains = list(gains)
        self.law = self.ground.law
        self.chart = self.ground.chart
        self.players = len(hands)

    def position(self) -> Position:
        """The table as it stands, frozen."""
        return Position(
            self.ground,
            self.stage,
            self.turn,
            self.who,
            self.agenda,
            tuple(self.hands),
            self.supply,
            tuple(self.settlements),
            tuple(self.keeps),
            tuple(self.roads),
            tuple(self.ends),
            self.closed,
            self.paved,
            self.fresh,
            self.tormund,
            self.deck,
            tuple(self.cards),
            self.bought,
            self.played,
            tuple(self.patrols),
            tuple(self.lengths),
            self.longest,
            self.largest,
            tuple(self.offers),
            tuple(self.owing),
            self.robbed,
            self.dice,
            tuple(self.gains),
            self.winner,
            self.watch,
        )

    # What is being done

    @property
    def now(self) -> str:
        """What the table waits for: the first item of the agenda, or the stage of the turn."""
        return self.agenda[0] if self.agenda else self.stage

    @property
    def on_turn(self) -> Seat:
        """The seat whose turn it is."""
        return self.ground.seats[self.who]

    def due(self) -> tuple[Seat, ...]:
        """The seats that may or must move."""
        if self.stage == OVER:
            return ()
        stage = self.law.stages[self.agenda[0] if self.agenda else self.stage]
        return stage.due(self) if stage.due is not None else (self.ground.seats[self.who],)

    def add(self, *items: str) -> None:
        """Put items at the end of the agenda."""
        self.agenda += items

    def done(self) -> None:
        """Take the first item off the agenda."""
        self.agenda = self.agenda[1:]

    def proceed(self) -> None:
        """After a move: carry out items that wait for no seat, and see whether somebody has won."""
        stages = self.law.stages
        while self.agenda and self.stage != OVER:
            effect = stages[self.agenda[0]].effect
            if effect is None:
                return
            self.agenda = self.agenda[1:]
            effect(self)
        if self.law.ends_at_once and self.fresh == 0 and self.stage != OVER and self.points(self.who) >= GOAL:
            self.finish(self.who)

    # The course of turns

    def begin_turn(self, turn: int) -> None:
        """Let a turn begin: a placement while set-up lasts, afterwards a roll (BB-P4, BB-O1)."""
        players, placements = self.players, self.ground.placements
        place = (turn - 1 - placements) % players if turn > placements else (turn - 1) % players
        if turn <= placements and players < turn <= 2 * players:
            place = players - 1 - place  # the second settlements go in reverse order
        self.turn = turn
        self.who = (self.ground.first + place) % players
        self.stage = ROLL if turn > placements else self.law.rounds[(turn - 1) // players]
        self.fresh = self.bought = 0
        self.played = False
        self.dice = ()
        self.gains = [0] * players
        self.offers = [None] * players

    def start_building(self) -> None:
        """Building or buying ends trading, unless the table agreed on free phases (BB-O2, BB-O3)."""
        if self.stage == TRADE and not self.ground.free:
            self.stage = BUILD
            self.offers = [None] * self.players

    def finish(self, winner: int) -> None:
        """The game is over; the turn that ended it is complete."""
        self.stage, self.winner, self.agenda = OVER, winner, ()
        self.turn += 1
        self.offers = [None] * self.players

    # What everybody needs

    def buildings(self, who: int) -> int:
        """The intersections of a player's settlements and keeps."""
        return self.settlements[who] | self.keeps[who]

    def foreign(self, who: int) -> int:
        """The intersections of everybody else's settlements and keeps."""
        found = 0
        for other in range(self.players):
            if other != who:
                found |= self.settlements[other] | self.keeps[other]
        return found

    def public_points(self, who: int) -> int:
        """The points that everybody may know."""
        law = self.law
        points = self.settlements[who].bit_count() + 2 * self.keeps[who].bit_count() + law.other_points(self, who)
        if self.longest == who:
            points += law.special
        if self.largest == who:
            points += law.special
        return points

    def points(self, who: int) -> int:
        """All points of a player, victory point cards included (BB-C7)."""
        return self.public_points(who) + count(self.cards[who], POINT)

    def pay(self, who: int, price: int) -> None:
        """Cards go from a hand to the supply."""
        self.hands[who] -= price
        self.supply += price

    def gain(self, who: int, cards: int) -> None:
        """Cards go from the supply to a hand."""
        self.hands[who] += cards
        self.supply -= cards
