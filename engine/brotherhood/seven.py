"""What a seven brings: discards by all concerned at once, Tormund on another hex, a card stolen (BB-S1 to BB-S7)."""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from engine.brotherhood.board import Chart, numbers
from engine.brotherhood.hands import KIND, ONE, count, covers, is_amount, pack, size, unpack
from engine.brotherhood.moves import RESOURCES, Cards, Discard, Steal, Tormund
from engine.brotherhood.position import NOBODY, STEAL
from engine.brotherhood.rules import production, turns
from engine.brotherhood.table import WorkingPosition
from engine.chance import Dealer
from engine.game import CHANCE, Seat
from engine.verdict import Verdict

M = TypeVar("M")
"""A move that sends Tormund somewhere."""

# Discards


def judge_discard(table: WorkingPosition, who: int, move: Discard) -> Verdict | None:
    """None if the player owes just so many cards and has these."""
    owed = table.owing[who]
    facts = {"seat": table.ground.seats[who], "owed": owed, "given": sum(move.cards)}
    if not owed:  # BB-S1
        return Verdict(production.S1, "{seat} has nothing to discard now", facts)
    if not is_amount(move.cards) or not covers(table.hands[who], pack(move.cards)):  # BB-S2
        return Verdict(production.S2, "{seat} does not have these cards", facts)
    if sum(move.cards) != owed:  # BB-S1
        return Verdict(production.S1, "{seat} must discard {owed}, not {given}", facts)
    return None


def play_discard(table: WorkingPosition, who: int, move: Discard) -> None:
    """Give cards back; when all have, the seven goes on."""
    table.pay(who, pack(move.cards))
    table.owing[who] = 0
    if not any(table.owing):
        table.done()


def discarders(table: WorkingPosition) -> tuple[Seat, ...]:
    """Who must still discard."""
    return tuple(seat for seat, owed in zip(table.ground.seats, table.owing, strict=True) if owed)


def list_discards(table: WorkingPosition) -> list[tuple[Seat, Discard]]:
    """A few ways to discard: sparing no resource, and sparing each in turn."""
    found: list[tuple[Seat, Discard]] = []
    for who, owed in enumerate(table.owing):
        if owed:
            hand, seat = unpack(table.hands[who]), table.ground.seats[who]
            ways = {level_discard(hand, owed), *(_sparing(hand, owed, kind) for kind in range(len(RESOURCES)))}
            found += [(seat, Discard(cards)) for cards in sorted(ways)]
    return found


def default_discard(table: WorkingPosition, who: int) -> Discard:
    """What silence discards: always one of the most plentiful resource, the first in the usual order if level."""
    return Discard(level_discard(unpack(table.hands[who]), table.owing[who]))


def level_discard(hand: Cards, owed: int) -> Cards:
    """Discard from the most plentiful resource, again and again."""
    left = list(hand)
    for _ in range(owed):
        left[left.index(max(left))] -= 1
    lumber, brick, wool, grain, ore = (had - has for had, has in zip(hand, left, strict=True))
    return lumber, brick, wool, grain, ore


def _sparing(hand: Cards, owed: int, kind: int) -> Cards:
    """Discard as above, one resource only when nothing else is left."""
    spared = [cards if other != kind else 0 for other, cards in enumerate(hand)]
    others = min(owed, sum(spared))
    given = list(level_discard((spared[0], spared[1], spared[2], spared[3], spared[4]), others))
    given[kind] += owed - others
    return given[0], given[1], given[2], given[3], given[4]


# Tormund


def at_hex(table: WorkingPosition, who: int, hex_: int) -> list[int]:
    """The other players who have built at a hex."""
    corners = table.chart.corners[hex_]
    return [p for p in range(table.players) if p != who and (table.settlements[p] | table.keeps[p]) & corners]


def judge_arrival(table: WorkingPosition, who: int, letter: str, victim: Seat | None) -> Verdict | None:
    """None if Tormund may go to a hex and rob there whom the mover says; a Ranger sends him in the same way."""
    hex_ = table.chart.hex_of.get(letter)
    facts: dict[str, object] = {"hex": letter, "seat": table.ground.seats[who], "victim": victim}
    if hex_ is None:  # BB-S3
        return Verdict(production.S3, "there is no hex {hex} on this board", facts)
    if hex_ == table.tormund:  # BB-S3
        return Verdict(production.S3, "Tormund stands on {hex} already and must move on", facts)
    present = at_hex(table, who, hex_)
    rich = [other for other in present if table.hands[other]]
    facts["rich"] = ", ".join(table.ground.seats[other] for other in rich)
    if victim is None:  # BB-S4
        return Verdict(production.S4, "somebody must be robbed at {hex}: {rich}", facts) if rich else None
    place = table.ground.place.get(victim)
    if place is None or place not in present:  # BB-S4
        says = "nobody robs themselves" if place == who else "{victim} has built nothing at {hex}"
        return Verdict(production.S4, says, facts)
    if rich and place not in rich:  # BB-S4
        return Verdict(production.S4, "{victim} has no cards; somebody who has must be robbed at {hex}: {rich}", facts)
    return None


def arrive(table: WorkingPosition, letter: str, victim: Seat | None) -> None:
    """Tormund comes to a hex; a theft is settled before anything else."""
    table.tormund = table.chart.hex_of[letter]
    if victim is not None and table.hands[table.ground.place[victim]]:
        table.robbed = table.ground.place[victim]
        table.agenda = (STEAL, *table.agenda)


def judge_tormund(table: WorkingPosition, who: int, move: Tormund) -> Verdict | None:
    """None if Tormund may go there."""
    return judge_arrival(table, who, move.hex, move.victim)


def play_tormund(table: WorkingPosition, _who: int, move: Tormund) -> None:
    """Move Tormund after a seven."""
    table.done()
    arrive(table, move.hex, move.victim)


def list_tormund(table: WorkingPosition) -> list[tuple[Seat, Tormund]]:
    """Every way to move Tormund."""
    return list_arrivals(table, Tormund)


def list_arrivals(table: WorkingPosition, move: Callable[[str, Seat | None], M]) -> list[tuple[Seat, M]]:
    """Every hex to which Tormund may go, with everybody whom he may rob there, as moves of the player on turn."""
    who, seats, letters, tormund = table.who, table.ground.seats, table.chart.letters, table.tormund
    rich = sum([1 << other for other, hand in enumerate(table.hands) if hand and other != who])
    buildings = tuple(map(int.__or__, table.settlements, table.keeps))
    found: list[tuple[Seat, M]] = []
    for hex_, there in enumerate(_presence(table.chart, buildings)):
        if hex_ != tormund:
            found += _robberies(move, letters[hex_], seats, who, there & rich)
    return found


@lru_cache(maxsize=4096)
def _presence(chart: Chart, buildings: tuple[int, ...]) -> tuple[int, ...]:
    """For each hex who has built there, as bits of places; buildings change slowly."""
    return tuple(sum([1 << who for who, built in enumerate(buildings) if built & at]) for at in chart.corners)


@lru_cache(maxsize=16384)
def _robberies(
    move: Callable[[str, Seat | None], M], letter: str, seats: tuple[Seat, ...], who: int, rich: int
) -> tuple[tuple[Seat, M], ...]:
    """The moves of one player to a hex, one for each rich neighbour there, or one that robs nobody: made once."""
    victims: list[Seat | None] = [seats[other] for other in numbers(rich)]
    return tuple((seats[who], move(letter, victim)) for victim in victims or [None])


# Theft


def judge_steal(table: WorkingPosition, _who: int, move: Steal) -> Verdict | None:
    """None if the victim has such a card (BB-S5)."""
    if move.resource is None:  # BB-O7
        return Verdict(turns.O7, "this copy of the record does not tell which card was stolen")
    kind = KIND.get(move.resource)
    if kind is not None and count(table.hands[table.robbed], kind):
        return None
    return Verdict(production.S5, "no {resource} can have been stolen", {"resource": move.resource})


def play_steal(table: WorkingPosition, _who: int, move: Steal) -> None:
    """A card goes from the victim to the player on turn."""
    card = ONE[KIND[str(move.resource)]]
    table.hands[table.robbed] -= card
    table.hands[table.who] += card
    table.robbed = NOBODY
    table.done()


def list_steals(table: WorkingPosition) -> list[tuple[Seat, Steal]]:
    """Every card that can be stolen."""
    hand = unpack(table.hands[table.robbed])
    return [(CHANCE, Steal(name)) for name, held in zip(RESOURCES, hand, strict=True) if held]


def deal_steal(table: WorkingPosition, dealer: Dealer) -> Steal:
    """Pick one card of the victim's hand."""
    hand = table.hands[table.robbed]
    return Steal(RESOURCES[nth_card(hand, dealer.pick(size(hand), "stolen card"))])


def nth_card(hand: int, number: int) -> int:
    """The kind of the card with a number, from 0, when a hand is laid out in order."""
    for kind, held in enumerate(unpack(hand)):
        if number < held:
            return kind
        number -= held
    raise ValueError("the hand has fewer cards")
