"""The roll, and what hexes bring (BB-Y1 to BB-Y4). What a seven brings instead is in `seven`.

This module knows no trade and no building.
"""

from functools import cache
from itertools import product

from engine.brotherhood.hands import ONE, count, covers, size
from engine.brotherhood.moves import Dice, Roll
from engine.brotherhood.position import DICE, DISCARD, TORMUND, TRADE
from engine.brotherhood.rules import production
from engine.brotherhood.table import WorkingPosition
from engine.chance import Dealer
from engine.game import CHANCE, Seat
from engine.verdict import Verdict

SEVEN = 7
HAND_LIMIT = 7
"""More cards than this are halved on a seven."""


def judge_roll(_table: WorkingPosition, _who: int, _move: Roll) -> Verdict | None:
    """The dice can always be asked for at the beginning of a turn."""
    return None


def play_roll(table: WorkingPosition, _who: int, _move: Roll) -> None:
    """Chance is due."""
    table.add(DICE)


def judge_dice(table: WorkingPosition, _who: int, move: Dice) -> Verdict | None:
    """Whether dice can show this (BB-Y2)."""
    shown, faces = _shown(move), table.law.faces
    if shown in rolls(faces):
        return None
    facts = {"shown": " ".join(map(str, shown)), "faces": ", ".join(f"1 to {most}" for most in faces)}
    return Verdict(production.Y2, "the dice cannot show {shown}; they have {faces}", facts)


def play_dice(table: WorkingPosition, _who: int, move: Dice) -> None:
    """Hand out what the dice bring, or put on the agenda what a seven does."""
    table.done()
    table.dice = _shown(move)
    table.stage = TRADE
    total = move.white + move.red
    if total == SEVEN:
        table.owing = [size(hand) // 2 if size(hand) > HAND_LIMIT else 0 for hand in table.hands]
        table.agenda += (DISCARD, TORMUND) if any(table.owing) else (TORMUND,)
    else:
        harvest(table, total)
    table.agenda += table.law.after_roll


@cache
def rolls(faces: tuple[int, ...]) -> dict[tuple[int, ...], Dice]:
    """All that dice with so many faces can show."""
    return {shown: Dice(*shown) for shown in product(*[range(1, most + 1) for most in faces])}


def list_dice(table: WorkingPosition) -> list[tuple[Seat, Dice]]:
    """All rolls."""
    return [(CHANCE, dice) for dice in rolls(table.law.faces).values()]


def deal_dice(table: WorkingPosition, dealer: Dealer) -> Dice:
    """Roll."""
    names = ("white die", "red die", "wildling die")
    faces = table.law.faces
    return rolls(faces)[tuple([1 + dealer.pick(most, name) for most, name in zip(faces, names, strict=False)])]


def harvest(table: WorkingPosition, total: int) -> None:
    """Everybody takes what the hexes of a number bring (BB-Y1, BB-Y3)."""
    held, tormund = table.law.held(table), table.tormund
    settlements, keeps = table.settlements, table.keeps
    gains = [0] * table.players
    for hex_, corners, kind in table.ground.yields[total]:
        if hex_ == tormund or held >> hex_ & 1:
            continue
        for who, built in enumerate(settlements):
            if built & corners:
                gains[who] += (built & corners).bit_count() * ONE[kind]
        for who, built in enumerate(keeps):
            if built & corners:
                gains[who] += 2 * (built & corners).bit_count() * ONE[kind]
    if not covers(table.supply, sum(gains)):
        gains = _rationed(gains, table.supply)
    table.gains = gains
    for who, cards in enumerate(gains):
        if cards:
            table.hands[who] += cards
            table.supply -= cards


def _rationed(gains: list[int], supply: int) -> list[int]:
    """Of a resource that runs short nobody gets any, but a single player takes what is left (BB-Y4)."""
    for kind, one in enumerate(ONE):
        wanted = [count(cards, kind) for cards in gains]
        left = count(supply, kind)
        if sum(wanted) > left:
            alone = sum(map(bool, wanted)) == 1
            gains = [
                cards - (wish - (left if alone and wish else 0)) * one
                for cards, wish in zip(gains, wanted, strict=True)
            ]
    return gains


def _shown(move: Dice) -> tuple[int, ...]:
    return (move.white, move.red) if move.wild is None else (move.white, move.red, move.wild)
