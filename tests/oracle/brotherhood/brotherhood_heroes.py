"""The eleven heroes: who may be used when, what a use does, and what becomes of the card (section 3.2 and 4.14.12-13).

One `may_…` and one `use_…` for each hero. After a use its owner is due: another hero, or side B after the first use.
"""

from collections import Counter
from typing import Any

from engine.brotherhood import moves
from tests.oracle.brotherhood.brotherhood_building import (
    award_largest_patrol,
    award_longest_road,
    guard_fits,
    pay,
    post_guard,
    road_fits,
)
from tests.oracle.brotherhood.brotherhood_dice import gain, gain_from_hex
from tests.oracle.brotherhood.brotherhood_table import COSTS, HEROES, RESOURCES, holds, move_cards, public_points
from tests.oracle.brotherhood.brotherhood_trade import end_trading, trading


def ready(table: Any, seat: Any, hero: Any) -> Any:
    """Whether a seat has that hero and neither took nor used it in this turn."""
    held, _, stirred = table.heroes[seat]
    return held == hero and stirred != table.turn


def display(table: Any) -> Any:
    """The heroes that nobody has."""
    return [hero for hero in HEROES if hero not in [held for held, _, _ in table.heroes.values()]]


def may_swap(table: Any, seat: Any, hero: Any) -> Any:
    """Any hero in the display; the returned one is not in it yet."""
    return hero in display(table)


def swap(table: Any, seat: Any, hero: Any) -> None:
    """Another hero, side A up, not to be used in this turn."""
    table.heroes[seat] = [hero, "A", table.turn]


def may_flip(table: Any, seat: Any) -> Any:
    """Only after the first use."""
    return table.heroes[seat][1] == "A"


def flip(table: Any, seat: Any) -> None:
    """To side B."""
    table.heroes[seat][1] = "B"


# -- What each use demands


def other_price(what: Any, spared: Any, paid: Any) -> Any:
    """The cost of something with one resource replaced by another, or None."""
    if spared not in COSTS[what] or paid not in RESOURCES or spared == paid:
        return None
    return COSTS[what] - Counter({spared: 1}) + Counter({paid: 1})


def may_mormont(table: Any, seat: Any, move: Any) -> Any:
    asked = [other for other, _ in move.demands]
    back = Counter(kind for _, kind in move.demands)
    return (
        trading(table)
        and move.resource in RESOURCES
        and 1 <= len(asked) <= 2
        and len(set(asked)) == len(asked)
        and set(asked) <= set(table.seats) - {seat}
        and holds(table, seat, back)
    )


def may_marsh(table: Any, seat: Any, move: Any) -> Any:
    give, take = move.give, move.take
    return trading(table) and table.hands[seat][give] > 0 and table.supply[take] > 0 and give != take


def may_yarwyck(table: Any, seat: Any, move: Any) -> Any:
    lifted, rebuilt = table.board.path(*move.lifted), table.board.path(*move.rebuilt)
    if not table.rolled or lifted is None or lifted == rebuilt or table.roads.get(lifted) != seat:
        return False
    own = dict(table.roads)
    del table.roads[lifted]
    ends = [point for point in lifted if touches_own(table, seat, point)]
    fits = len(ends) == 1 and road_fits(table, seat, rebuilt)
    table.roads.clear()
    table.roads.update(own)
    return fits


def touches_own(table: Any, seat: Any, point: Any) -> Any:
    """Whether own roads or an own building are at a point, whatever others have there."""
    built = table.buildings.get(point, (None,))[0] == seat
    return built or any(owner == seat and point in path for path, owner in table.roads.items())


def may_thorne(table: Any, seat: Any, move: Any) -> Any:
    price = other_price("guard", move.spared, move.paid)
    return table.rolled and price is not None and holds(table, seat, price) and guard_fits(table, seat, move.section)


def may_melisandre(table: Any, seat: Any, move: Any) -> Any:
    plain = move.spared is None and move.paid is None
    price = COSTS["card"] if plain else other_price("card", move.spared, move.paid)
    return table.rolled and price is not None and holds(table, seat, price) and table.deck.total() > 0


def may_mance(table: Any, seat: Any, move: Any) -> Any:
    victim = move.victim
    return (
        table.rolled
        and victim in table.seats
        and public_points(table, victim) > public_points(table, seat)
        and table.hands[victim].total() > 0
    )


def may_benjen(table: Any, seat: Any, move: Any) -> Any:
    if move.clan is None:
        return bool(table.clearings.get(move.place))
    return move.clan in table.camps and 1 <= move.place <= len(table.camps[move.clan])


def may_ygritte(table: Any, seat: Any, move: Any) -> Any:
    return table.board.hex(move.hex) in table.gift


def may_yoren(table: Any, seat: Any, move: Any) -> Any:
    return table.rolled and table.patrols[seat] > 0 and guard_fits(table, seat, move.section)


def may_qhorin(table: Any, seat: Any, move: Any) -> Any:
    return table.tormund is not None


# -- What each use does


def use_mormont(table: Any, seat: Any, move: Any) -> None:
    for other, back in move.demands:
        if table.hands[other][move.resource]:
            move_cards(table.hands[other], table.hands[seat], Counter({move.resource: 1}))
            move_cards(table.hands[seat], table.hands[other], Counter({back: 1}))


def use_marsh(table: Any, seat: Any, move: Any) -> None:
    move_cards(table.hands[seat], table.supply, Counter({move.give: 1}))
    gain(table, seat, move.take)


def use_yarwyck(table: Any, seat: Any, move: Any) -> None:
    end_trading(table)
    del table.roads[table.board.path(*move.lifted)]
    table.roads[table.board.path(*move.rebuilt)] = seat
    award_longest_road(table)


def use_thorne(table: Any, seat: Any, move: Any) -> None:
    end_trading(table)
    pay(table, seat, "guard", other_price("guard", move.spared, move.paid))
    post_guard(table, seat, move.section)


def use_melisandre(table: Any, seat: Any, move: Any) -> None:
    end_trading(table)
    pay(table, seat, "card", other_price("card", move.spared, move.paid) if move.spared else None)
    table.agenda.append(("look", seat, min(3, table.deck.total())))


def use_mance(table: Any, seat: Any, move: Any) -> None:
    table.agenda.append(("take", seat, move.victim))


def use_benjen(table: Any, seat: Any, move: Any) -> None:
    row = table.clearings[move.place] if move.clan is None else table.camps[move.clan]
    kind = row.pop(0 if move.clan is None else move.place - 1)
    table.frostfangs[kind] += 1
    table.agenda.append(("token", "pool"))


def use_ygritte(table: Any, seat: Any, move: Any) -> None:
    table.frostfangs[table.gift.pop(table.board.hex(move.hex))] += 1


def use_yoren(table: Any, seat: Any, move: Any) -> None:
    end_trading(table)
    table.patrols[seat] -= 1
    post_guard(table, seat, move.section)
    award_largest_patrol(table)


def use_qhorin(table: Any, seat: Any, move: Any) -> None:
    left, table.tormund = table.tormund, None
    gain_from_hex(table, seat, left)


USES = {
    moves.Mormont: ("mormont", may_mormont, use_mormont),
    moves.Marsh: ("marsh", may_marsh, use_marsh),
    moves.Yarwyck: ("yarwyck", may_yarwyck, use_yarwyck),
    moves.Thorne: ("thorne", may_thorne, use_thorne),
    moves.Melisandre: ("melisandre", may_melisandre, use_melisandre),
    moves.Mance: ("mance", may_mance, use_mance),
    moves.Benjen: ("benjen", may_benjen, use_benjen),
    moves.Ygritte: ("ygritte", may_ygritte, use_ygritte),
    moves.Yoren: ("yoren", may_yoren, use_yoren),
    moves.Qhorin: ("qhorin", may_qhorin, use_qhorin),
}
"""Tarly is not among them: he reacts to a roll."""


def may_use(table: Any, seat: Any, move: Any) -> Any:
    """Whether the player on turn may use a hero so."""
    hero, may, _ = USES[type(move)]
    return table.watch and ready(table, seat, hero) and may(table, seat, move)


def use(table: Any, seat: Any, move: Any) -> None:
    """Use a hero; its owner then swaps or flips it."""
    table.heroes[seat][2] = table.turn
    USES[type(move)][2](table, seat, move)
    table.agenda.append(("hero", seat))


# -- Tarly


def tarly_reacts(table: Any) -> Any:
    """Who is asked after a roll: the owner of Tarly, if the roll gave him nothing."""
    return [
        seat
        for seat in table.seats
        if seat in table.begun and ready(table, seat, "tarly") and seat not in table.gains and table.supply.total()
    ]


def use_tarly(table: Any, seat: Any, kind: Any) -> None:
    """Take the resource."""
    gain(table, seat, kind)
    table.heroes[seat][2] = table.turn
    table.agenda.insert(0, ("hero", seat))
