"""The Shy Well: dice, hidden cards and choices made at once, in one file to copy. README.md has the rules."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.resources import files

from engine import CHANCE, Dealer, Game, Line, Ply, Rule, Score, Seat, Setup, Tally, Verdict, View
from notation import Phrasebook

TABLE = Rule("SW-1", "wrong-table", "Two or three animals play, each once.", "README, 1", "fennec, hare", "hare, hare")
ORDER = Rule("SW-2", "not-now", "Cards first; each night the well, then each decides.", "README, 2", "well 6", "well 7")
WATER = Rule("SW-3", "water", "Alone at the well: all. At home: a drop. Last: the card.", "README, 3", "well 5: 5, 1")


@dataclass(frozen=True, slots=True)
class Card:
    """Chance deals an animal its hidden store of water."""

    animal: Seat
    number: int | None


@dataclass(frozen=True, slots=True)
class Well:
    """Chance throws the die: tonight's water."""

    pips: int


@dataclass(frozen=True, slots=True)
class Choice:
    """An animal goes to the well, or waits at home."""

    goes: bool | None


@dataclass(frozen=True, slots=True)
class Position:
    """The cards dealt, the nights gone by (die, who went), and tonight: the die, the choices made so far."""

    seats: tuple[Seat, ...]
    cards: tuple[Card, ...] = ()
    nights: tuple[tuple[int, frozenset[Seat]], ...] = ()
    well: int = 0
    chosen: frozenset[tuple[Seat, bool]] = frozenset()


class ShyWell(Game[Position]):
    """The rules. What each function is for stands in the contract, `engine.game`."""

    key, title, edition, seats = "shy-well", "The Shy Well", "1", ("fennec", "hare", "jackal")
    players, options, moves, rules = range(2, 4), (), (Card, Well, Choice), (TABLE, ORDER, WATER)

    def start(self, setup: Setup) -> Position | Verdict:
        fits = len({*setup.seats} & {*self.seats}) == len(setup.seats) and len(setup.seats) in self.players
        return Position(setup.seats) if fits else Verdict(TABLE, "these animals cannot play together")

    def to_act(self, position: Position) -> tuple[Seat, ...]:
        undecided = [seat for seat in position.seats if position.well and seat not in dict(position.chosen)]
        return tuple(undecided) or ((CHANCE,) if len(position.nights) < 5 else ())

    def turn(self, position: Position) -> int:
        return len(position.nights) + 1

    def legal(self, position: Position) -> Iterator[Ply]:
        if (due := self.to_act(position)) != (CHANCE,):
            return (Ply(seat, Choice(goes)) for seat in due for goes in (True, False))
        undealt = position.seats[len(position.cards) :]
        return (Ply(CHANCE, Card(undealt[0], side) if undealt else Well(side)) for side in range(1, 7))

    def judge(self, position: Position, ply: Ply) -> Verdict | None:
        return None if ply in self.legal(position) else Verdict(ORDER, "{seat} cannot do that now", {"seat": ply.seat})

    def apply(self, position: Position, ply: Ply) -> Position:
        if isinstance(ply.move, Card):
            return replace(position, cards=(*position.cards, ply.move))
        if isinstance(ply.move, Well):
            return replace(position, well=ply.move.pips)
        chosen = position.chosen | {(ply.seat, ply.move.goes)}
        went = frozenset(seat for seat, goes in chosen if goes)
        dawn = Position(position.seats, position.cards, (*position.nights, (position.well, went)))
        return dawn if len(chosen) == len(position.seats) else replace(position, chosen=chosen)

    def deal(self, position: Position, dealer: Dealer) -> Ply:
        return tuple(self.legal(position))[dealer.pick(6, "side")]

    def told(self, position: Position, ply: Ply, viewer: Seat) -> object:
        owner, last = getattr(ply.move, "animal", ply.seat), len(position.chosen) + 1 == len(position.seats)
        secret = {Card: {"number": None}, Choice: {"goes": None}}.get(type(ply.move), {})
        return ply.move if viewer == owner or last else replace(ply.move, **secret)

    def discloses(self, position: Position, ply: Ply) -> bool:
        return isinstance(ply.move, Choice) and len(position.chosen) + 1 == len(position.seats)

    def score(self, position: Position) -> Score:
        over, tallies = not self.to_act(position), []
        for seat in position.seats:
            water = sum(pips if went == {seat} else seat not in went for pips, went in position.nights)
            store = sum(card.number or 0 for card in position.cards if card.animal == seat and over)
            tallies.append(Tally(seat, (Line("water", "SW-3", water, "well and dew"), Line("card", "SW-3", store))))
        most = max(tally.total for tally in tallies) if over else None
        return Score(tuple(tallies), tuple(tally.seat for tally in tallies if tally.total == most))

    def view(self, position: Position, viewer: Seat) -> View:
        return {
            "seats": list(position.seats),
            "to_act": list(due := self.to_act(position)),
            "nights": [{"well": pips, "went": sorted(went)} for pips, went in position.nights],
            "well": position.well,
            "chosen": {seat: goes for seat, goes in position.chosen if seat == viewer},
            "cards": {card.animal: card.number for card in position.cards if card.animal == viewer or not due},
        }


EDITIONS = (ShyWell(),)
NOTATION = Phrasebook(
    grammar=files(__name__).joinpath("moves.lark").read_text("utf-8"),
    moves={"card": Card, "well": Well, "choice": Choice},
    values={"ANIMAL": str.lower, "NUMBER": int, "GO": True, "WAIT": False, "HIDDEN": None},
    write={Choice: lambda choice: {True: "go", False: "wait", None: "hidden"}[choice.goes]},
    example="wait",
)
