"""Trade: with the supply (BB-T1, BB-T2), and by offers between players (BB-T3 to BB-T7).

The supply gives one card for four, three or two of a kind. The player on turn offers to one or to any; others offer to
the player on turn. Each has one offer open at most. A hand is looked at only for its owner: an offer that cannot be met
is accepted, and nothing happens. This module knows no dice and no building, and never tells what others hold.
"""

from functools import cache, lru_cache
from typing import Final

from engine.brotherhood.board import numbers
from engine.brotherhood.hands import ONE, count, covers, enough, is_amount, kinds_in, pack, unpack
from engine.brotherhood.moves import RESOURCES, Accept, Cards, Decline, Offer, Trade, Withdraw
from engine.brotherhood.position import Ground, TradeOffer
from engine.brotherhood.rules import production
from engine.brotherhood.table import WorkingPosition
from engine.game import Seat
from engine.verdict import Verdict

# Making offers


def judge_offer(table: WorkingPosition, who: int, move: Offer) -> Verdict | None:
    """None if it is made to the right player, is an exchange, and its maker has the cards."""
    seats, give, take = table.ground.seats, move.give, move.take
    rule = production.T3
    if who != table.who and move.to != table.on_turn:  # BB-T3
        says = "{seat} can trade with {on_turn} only, whose turn it is"
    elif move.to is not None and (move.to not in seats or move.to == seats[who]):  # BB-T3
        says = "{seat} cannot trade with {to}"
    elif not is_amount(give) or not is_amount(take):  # BB-S2
        rule, says = production.S2, "there are not so many cards"
    elif not any(give) or not any(take):  # BB-T4
        rule, says = production.T4, "both sides must give something"
    elif kinds_in(pack(give)) & kinds_in(pack(take)):  # BB-T4
        rule, says = production.T4, "the same resource stands on both sides"
    elif not covers(table.hands[who], pack(give)):  # BB-S2
        rule, says = production.S2, "{seat} does not have what is offered"
    else:
        return None
    return Verdict(rule, says, {"seat": seats[who], "to": move.to, "on_turn": table.on_turn})


def play_offer(table: WorkingPosition, who: int, move: Offer) -> None:
    """Put an offer on the table; made by another it declines the offer of the player on turn."""
    everybody = (1 << table.players) - 1
    to = everybody & ~(1 << who) if move.to is None else 1 << table.ground.place[move.to]
    table.offers[who] = TradeOffer(pack(move.give), pack(move.take), to)
    if who != table.who:
        _answered(table, table.who, who)


def judge_withdraw(table: WorkingPosition, who: int, _move: Withdraw) -> Verdict | None:
    """None if the player has an offer open."""
    if table.offers[who] is not None:
        return None
    return Verdict(production.T5, "{seat} has no offer open", {"seat": table.ground.seats[who]})


def play_withdraw(table: WorkingPosition, who: int, _move: Withdraw) -> None:
    """Take the own offer back."""
    table.offers[who] = None


# Answering them


def judge_answer(table: WorkingPosition, who: int, move: Accept | Decline) -> Verdict | None:
    """None if there is such an offer and, for accepting it, the cards are in hand."""
    maker = _maker(table, who, move.seat)
    bid = None if maker is None else table.offers[maker]
    if bid is None:  # BB-T5
        rule = production.T5
        if move.seat:
            says = "no offer of {maker} to {seat} is open"
        elif _makers(table, who):
            says = "say whose offer is meant: more than one is open"
        else:
            says = "no offer to {seat} is open"
    elif isinstance(move, Accept) and not covers(table.hands[who], bid.take):  # BB-S2
        rule, says = production.S2, "{seat} does not have what is wanted"
    else:
        return None
    return Verdict(rule, says, {"seat": table.ground.seats[who], "maker": move.seat})


def play_accept(table: WorkingPosition, who: int, move: Accept) -> None:
    """Exchange the cards if the maker still has them (BB-T6)."""
    maker = _maker(table, who, move.seat)
    bid = None if maker is None else table.offers[maker]
    if maker is not None and bid is not None:
        table.offers[maker] = None
        if covers(table.hands[maker], bid.give):
            table.hands[maker] += bid.take - bid.give
            table.hands[who] += bid.give - bid.take


def play_decline(table: WorkingPosition, who: int, move: Decline) -> None:
    """The offer is no longer made to this player."""
    maker = _maker(table, who, move.seat)
    if maker is not None:
        _answered(table, maker, who)


def _maker(table: WorkingPosition, who: int, seat: Seat | None) -> int | None:
    """Whose open offer an answer means: that of the seat named, or the only one made to the answerer."""
    makers = _makers(table, who)
    if seat is None:
        return makers[0] if len(makers) == 1 else None
    maker = table.ground.place.get(seat)
    return maker if maker in makers else None


def _makers(table: WorkingPosition, who: int) -> list[int]:
    """Everybody whose open offer is made to a player."""
    return [maker for maker, bid in enumerate(table.offers) if bid is not None and bid.to >> who & 1]


def _answered(table: WorkingPosition, maker: int, who: int) -> None:
    bid = table.offers[maker]
    if bid is not None and bid.to >> who & 1:
        left = bid.to & ~(1 << who)
        table.offers[maker] = bid._replace(to=left) if left else None


# Who may move while trading


def traders(table: WorkingPosition) -> tuple[Seat, ...]:
    """The player on turn, and all who have not answered that player's offer."""
    bid = table.offers[table.who]
    if bid is None:
        return (table.ground.seats[table.who],)
    return (table.ground.seats[table.who], *[table.ground.seats[other] for other in numbers(bid.to)])


def default_answer(table: WorkingPosition, who: int) -> Decline | None:
    """Silence declines an offer (BB-T7)."""
    bid = table.offers[table.who]
    return Decline(table.on_turn) if bid is not None and bid.to >> who & 1 else None


def list_offers(table: WorkingPosition) -> list[tuple[Seat, Offer | Accept | Decline | Withdraw]]:
    """Answers to all open offers, their withdrawal by their makers, and one suggested offer."""
    seats, who = table.ground.seats, table.who
    found: list[tuple[Seat, Offer | Accept | Decline | Withdraw]] = []
    if any(table.offers):
        for maker, bid in enumerate(table.offers):
            if bid is not None:
                for other in numbers(bid.to):
                    if covers(table.hands[other], bid.take):
                        found.append((seats[other], _accept(seats[maker])))
                    found.append((seats[other], _decline(seats[maker])))
                found.append((seats[maker], _WITHDRAW))
    if table.offers[who] is None and (offer := suggestion(table.hands[who])) is not None:
        found.append((seats[who], offer))
    return found


_WITHDRAW: Final = Withdraw()
_accept = cache(Accept)
_decline = cache(Decline)
"""The moves, made once."""


@lru_cache(maxsize=16384)
def suggestion(hand: int) -> Offer | None:
    """An offer that a hand suggests: a card held twice for one not held."""
    cards = unpack(hand)
    most = max(cards)
    return Offer(_single(cards.index(most)), _single(cards.index(0))) if most > 1 and 0 in cards else None


def _single(kind: int) -> Cards:
    return unpack(ONE[kind])


OPEN_RATE = 3
OWN_RATE = 2
_BEST: Final = pack([OWN_RATE] * len(RESOURCES))
"""Less than this the supply never asks."""


def rate(table: WorkingPosition, who: int, kind: int) -> int:
    """How many cards of a kind the supply asks of a player for one."""
    return count(_rates(table, who), kind)


def rates(ground: Ground, built: int) -> Cards:
    """How many cards of each kind the supply asks for one of a player who has built on some intersections."""
    return unpack(_asked(ground.harbours, ground.open_harbours, ground.law.rate, built))


def _rates(table: WorkingPosition, who: int) -> int:
    """What the supply asks of a player for one card: as many cards of each kind."""
    ground = table.ground
    built = table.settlements[who] | table.keeps[who]
    return _asked(ground.harbours, ground.open_harbours, table.law.rate, built)


@lru_cache(maxsize=4096)
def _asked(harbours: tuple[int, ...], open_harbours: int, usual: int, built: int) -> int:
    """The same for a map and some buildings. They change slowly, so the same question comes often."""
    elsewhere = OPEN_RATE if built & open_harbours else usual
    return pack([OWN_RATE if built & spots else elsewhere for spots in harbours])


def judge_trade(table: WorkingPosition, who: int, move: Trade) -> Verdict | None:
    """None if the rate is right, the cards are in hand and the supply can pay."""
    give, take = move.give, move.take
    if not is_amount(give) or not is_amount(take):  # BB-S2
        return Verdict(production.S2, "{seat} does not have these cards", {"seat": table.ground.seats[who]})
    given, wanted = sum(give), sum(take)
    if not given or max(give) != given or not wanted:  # BB-T1
        says = "one kind is given, and something taken for it"
        return Verdict(production.T1, says, {"seat": table.ground.seats[who]})
    kind = give.index(given)
    asked, rule = rate(table, who, kind), production.T1
    if take[kind]:  # BB-T1
        says = "{resource} is not traded for {resource}"
    elif given != asked * wanted:  # BB-T1
        says = "{seat} gives {rate} {resource} for each card taken: not {given} for {wanted}"
    elif not covers(table.hands[who], pack(give)):  # BB-S2
        rule, says = production.S2, "{seat} does not have {given} {resource}"
    elif not covers(table.supply, pack(take)):  # BB-T2
        rule, says = production.T2, "the supply does not have all that {seat} wants"
    else:
        return None
    facts = {"resource": RESOURCES[kind], "rate": asked, "given": given, "wanted": wanted}
    return Verdict(rule, says, {"seat": table.ground.seats[who], **facts})


def play_trade(table: WorkingPosition, who: int, move: Trade) -> None:
    """Exchange cards with the supply."""
    change = pack(move.take) - pack(move.give)
    table.hands[who] += change
    table.supply -= change


def list_trades(table: WorkingPosition) -> tuple[tuple[Seat, Trade], ...]:
    """Every trade for one card."""
    who = table.who
    hand = table.hands[who]
    if not enough(hand, _BEST):
        return ()
    rates = _rates(table, who)
    given = enough(hand, rates)
    return _trades(table.ground.seats[who], rates, given, kinds_in(table.supply)) if given else ()


@lru_cache(maxsize=4096)
def _trades(seat: Seat, rates: int, given: int, taken: int) -> tuple[tuple[Seat, Trade], ...]:
    """Every trade of a seat for one card, by what it asks, what can be given and what can be taken: made once."""
    kinds = range(len(RESOURCES))
    return tuple(
        (seat, _trade(kind, count(rates, kind), other))
        for kind in kinds
        for other in kinds
        if kind != other and count(given, kind) and count(taken, other)
    )


@cache
def _trade(kind: int, cards: int, other: int) -> Trade:
    """The move that gives some cards of a kind for one of another, made once."""
    return Trade(_some(kind, cards), _some(other, 1))


def _some(kind: int, cards: int) -> Cards:
    return unpack(cards * ONE[kind])
