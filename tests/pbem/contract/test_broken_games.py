"""A game that breaks the contract is found out, by the check that is meant for it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import shy_well
from shy_well import Card, Choice, Position, ShyWell

from engine import CHANCE, PUBLIC, Dealer, Line, Ply, Rule, Score, Seat, Setup, Tally, Verdict, View
from pbem.contract import ContractError, list_checks


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Callable[[ShyWell], set[str]]:
    """The names of the checks that a game does not pass."""

    def run(game: ShyWell) -> set[str]:
        monkeypatch.setattr(shy_well, "EDITIONS", (game,))
        broken = set()
        for check in list_checks("shy-well"):
            try:
                check()
            except ContractError:
                broken.add(check.name)
        return broken

    return run


class BadFacts(ShyWell):
    seats = ("fennec", "hare", "end")


class NoRefusalOfTables(ShyWell):
    def start(self, setup: Setup) -> Position | Verdict:
        return Position(setup.seats)


class OddRule(ShyWell):
    rules = (*ShyWell.rules, Rule("sw2", "Not Now", "", "", ""))  # type: ignore[assignment]  # one more than it had


class OtherMeaning(ShyWell):
    rules = (  # type: ignore[assignment]  # one more than it had
        *ShyWell.rules,
        Rule("TD-C1", "not-now", "Other words.", "nowhere", "go"),
    )


class UnusedMove(ShyWell):
    moves = (*ShyWell.moves, SimpleNamespace)  # type: ignore[assignment]  # one more than it had


class NobodyWins(ShyWell):
    def score(self, position: Position) -> Score:
        return super().score(position)._replace(winners=())


class TooFewListed(ShyWell):
    def legal(self, position: Position) -> Iterator[Ply]:
        plies = list(super().legal(position))
        return (ply for ply in plies if ply.seat == plies[0].seat)


class IllegalListed(ShyWell):
    def judge(self, position: Position, ply: Ply) -> Verdict | None:
        late = ply.move == Choice(goes=True) and len(position.nights) == 4
        return Verdict(shy_well.ORDER, "not so late") if late else super().judge(position, ply)


class LoadedDie(ShyWell):
    def deal(self, position: Position, dealer: Dealer) -> Ply:
        return next(iter(self.legal(position)))


class UnknownRule(ShyWell):
    def judge(self, position: Position, ply: Ply) -> Verdict | None:
        verdict = super().judge(position, ply)
        return verdict and Verdict(replace_code(verdict.rule), "no")


def replace_code(rule: Rule) -> Rule:
    return rule._replace(code="SW-99")


class CountsBack(ShyWell):
    def turn(self, position: Position) -> int:
        return 6 - len(position.nights)


class TellsCards(ShyWell):
    def view(self, position: Position, viewer: Seat) -> View:
        return {**super().view(position, viewer), "all": [[card.animal, card.number] for card in position.cards]}


class TellsCardsToThePublic(ShyWell):
    def view(self, position: Position, viewer: Seat) -> View:
        secret = [card.number for card in position.cards] if viewer == PUBLIC else []
        return {**super().view(position, viewer), "all": secret}


class ViewOfObjects(ShyWell):
    def view(self, position: Position, viewer: Seat) -> View:
        return {**super().view(position, viewer), "seats": position.seats}


class SharedView(ShyWell):
    shared: list[str] = []  # noqa: RUF012 - the mistake that is looked for

    def view(self, position: Position, viewer: Seat) -> View:
        return {**super().view(position, viewer), "shared": self.shared}


class ScoresCards(ShyWell):
    def score(self, position: Position) -> Score:
        score = super().score(position)
        cards = {card.animal: Line("card", "SW-3", card.number or 0) for card in position.cards}
        tallies = [Tally(each.seat, (*each.lines, *filter(None, [cards.get(each.seat)]))) for each in score.tallies]
        return score._replace(tallies=tuple(tallies))


class TellsChoices(ShyWell):
    def told(self, position: Position, ply: Ply, viewer: Seat) -> object:
        return replace(ply.move, number=None) if isinstance(ply.move, Card) and viewer != ply.move.animal else None


class HidesNothingShown(ShyWell):
    def discloses(self, position: Position, ply: Ply) -> bool:
        return False


class IllegalSilence(ShyWell):
    def by_default(self, position: Position, seat: Seat) -> Any:
        return Card("hare", 7) if seat != CHANCE else None


class ForgetfulReplay(ShyWell):
    def run(self, position: Position) -> Any:
        return SimpleNamespace(turn=1, advance=lambda _: None, position=lambda: position)


@pytest.mark.parametrize(
    ("game", "check"),
    [
        (BadFacts, "states-its-facts"),
        (NoRefusalOfTables, "impossible-tables-are-refused"),
        (OddRule, "rules-can-be-printed"),
        (OtherMeaning, "codes-mean-one-rule"),
        (UnusedMove, "every-kind-of-move-occurs"),
        (NobodyWins, "random-play-ends"),
        (NobodyWins, "scores-cite-rules"),
        (TooFewListed, "those-due-have-a-move"),
        (IllegalListed, "listed-plies-are-legal"),
        (LoadedDie, "dealt-plies-are-legal"),
        (UnknownRule, "refusals-cite-rules"),
        (CountsBack, "turns-are-counted"),
        (TellsCards, "told-moves-keep-secrets"),
        (TellsCardsToThePublic, "the-public-knows-least"),
        (ViewOfObjects, "views-are-plain-data"),
        (SharedView, "views-are-not-shared"),
        (ScoresCards, "scores-keep-secrets"),
        (TellsChoices, "players-read-their-own-moves"),
        (HidesNothingShown, "disclosing-moves-say-so"),
        (IllegalSilence, "silence-stands-for-a-legal-move"),
        (ForgetfulReplay, "a-run-plays-as-the-game-does"),
        (ForgetfulReplay, "a-replay-reaches-the-same-end"),
    ],
)
def test_a_broken_game_is_found_out(found: Callable[[ShyWell], set[str]], game: type[ShyWell], check: str) -> None:
    assert check in found(game())


def test_the_guest_as_it_is_breaks_nothing(found: Callable[[ShyWell], set[str]]) -> None:
    assert found(ShyWell()) == set()
