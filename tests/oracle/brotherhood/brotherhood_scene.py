"""A table of four after set-up, on which scenes are laid: hands, heroes, wildlings as a test wants them."""

from dataclasses import dataclass
from typing import Any

from engine import CHANCE, KeyedDealer, Ply, Setup, Verdict
from engine.brotherhood.full_game import GAME
from engine.brotherhood.hands import CARD, ONE, SUPPLY, cards_of, count, unpack
from engine.brotherhood.hero_roster import HERO_AT
from engine.brotherhood.moves import HEROES, RESOURCES, Dice, End, Guard, Road, Roll, Settlement
from engine.brotherhood.position import Position
from engine.brotherhood.wall_state import Watch

PLACED = (
    ("red", 17, (17, 23)),
    ("blue", 24, (24, 31)),
    ("yellow", 28, (28, 35)),
    ("black", 38, (38, 45)),
    ("black", 36, (36, 44)),
    ("yellow", 19, (14, 19)),
    ("blue", 32, (32, 39)),
    ("red", 16, (16, 22)),
)
QUIET = Dice(1, 1, 12)
"""A roll that brings nobody anything, for nobody has built at the 2, and moves no wildling."""


@dataclass
class Scene:
    """A game in which facts can be set; everything that is played is judged first."""

    position: Position

    @property
    def watch(self) -> Watch:
        assert self.position.watch is not None
        return self.position.watch

    def place(self, seat: str) -> int:
        return self.position.ground.place[seat]

    def play(self, seat: str, *moves: Any) -> "Scene":
        for move in moves:
            verdict = GAME.judge(self.position, Ply(seat, move))
            assert verdict is None, f"{seat} {move}: {verdict}"
            self.position = GAME.apply(self.position, Ply(seat, move))
        return self

    def roll(self, seat: str, dice: Dice = QUIET) -> "Scene":
        return self.play(seat, Roll()).play(CHANCE, dice)

    def roll_quietly(self, seat: str) -> "Scene":
        """A roll that brings nothing, and to which Tarly does not react."""
        self.roll(seat)
        while GAME.to_act(self.position) != (seat,) or self.position.agenda:
            (due,) = GAME.to_act(self.position)
            self.play(due, GAME.by_default(self.position, due))
        return self

    def pass_to(self, seat: str) -> "Scene":
        """Quiet turns until it is a seat's turn, before the roll; Tarly never reacts."""
        while GAME.to_act(self.position) != (seat,) or self.position.stage != "roll":
            (due,) = GAME.to_act(self.position)
            silence = GAME.by_default(self.position, due)
            if silence is not None:
                self.play(due, silence)
            elif self.position.stage == "roll":
                self.roll(due)
            else:
                self.play(due, End())
        return self

    def broken(self, seat: str, move: Any) -> str:
        """The code of the rule that a ply breaks; what is offered instead must be legal."""
        verdict = GAME.judge(self.position, Ply(seat, move))
        assert verdict is not None, f"{seat} {move} is legal"
        assert verdict.detail
        assert all(GAME.judge(self.position, Ply(seat, other)) is None for other in verdict.instead)
        return verdict.rule.code

    def legal(self, seat: str, kind: type) -> list[Any]:
        return [move for owner, move in GAME.legal(self.position) if owner == seat and type(move) is kind]

    def hand(self, seat: str) -> dict[str, int]:
        cards = zip(RESOURCES, unpack(self.position.hands[self.place(seat)]), strict=True)
        return {name: held for name, held in cards if held}

    def hold(self, seat: str, **cards: int) -> "Scene":
        """Give a seat exactly these cards."""
        hands = list(self.position.hands)
        hands[self.place(seat)] = cards_of(**cards)
        self.position = self.position._replace(hands=tuple(hands), supply=SUPPLY - sum(hands))
        return self

    def hold_all(self, seat: str, **cards: int) -> "Scene":
        """Give a seat exactly these cards, and the others none."""
        self.position = self.position._replace(hands=(0,) * len(self.position.hands))
        return self.hold(seat, **cards)

    def lead(self, seat: str, hero: str, *, worn: bool = False) -> "Scene":
        """Let a seat have a hero; whoever had it gets the other one."""
        company, who = self.watch.company, self.place(seat)
        holdings = list(company.holdings)
        former = company.holder(HERO_AT[hero])
        if former is not None:
            holdings[former] = holdings[former]._replace(hero=holdings[who].hero)
        holdings[who] = holdings[who]._replace(hero=HERO_AT[hero], worn=worn)
        return self.set_watch(company=company._replace(holdings=tuple(holdings)))

    def hero(self, seat: str) -> str:
        return HEROES[self.watch.company.holdings[self.place(seat)].hero]

    def set_watch(self, **facts: Any) -> "Scene":
        self.position = self.position._replace(watch=self.watch._replace(**facts))
        return self

    def set(self, **facts: Any) -> "Scene":
        self.position = self.position._replace(**facts)
        return self

    def developments(self, seat: str, card: str) -> int:
        return count(self.position.cards[self.place(seat)], CARD[card])

    def own(self, seat: str, card: str) -> "Scene":
        """Let a seat have drawn a development card."""
        cards = list(self.position.cards)
        cards[self.place(seat)] += ONE[CARD[card]]
        return self.set(cards=tuple(cards), deck=self.position.deck - ONE[CARD[card]])


def lay_scene() -> Scene:
    """Red's first turn, before the roll; a guard of each on a section of its own."""
    setup = GAME.lay_out(Setup(GAME.seats, (("First", "red"),)), KeyedDealer(b"scene"))
    position = GAME.start(setup)
    assert not isinstance(position, Verdict)
    laid = Scene(position)
    for seat, spot, path in PLACED:
        laid.play(seat, Settlement(spot), Road(*path))
    for section, seat in enumerate(GAME.seats, start=1):
        laid.play(seat, Guard(section))
    return laid
