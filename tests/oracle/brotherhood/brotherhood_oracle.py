"""Both games of Brotherhood of the Watch, told a second time: slow, literal, in the order of the digest.

`allows` says whether a ply may be played, `play` changes the table. Written from the rules alone; it refuses to know
how the engine plays, and shares only the move classes, so that both can be asked the same question.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from engine.brotherhood import moves
from tests.oracle.brotherhood import brotherhood_building as building
from tests.oracle.brotherhood import brotherhood_dice as dice
from tests.oracle.brotherhood import brotherhood_heroes as heroes
from tests.oracle.brotherhood import brotherhood_north as north
from tests.oracle.brotherhood import brotherhood_trade as trade
from tests.oracle.brotherhood.brotherhood_allowed import CARD_OF, CHANCE, allows, place_of, roads_of, to_act
from tests.oracle.brotherhood.brotherhood_table import all_points, finish, lay_table, move_cards, public_points

__all__ = ["CHANCE", "all_points", "allows", "lay_table", "play", "public_points", "to_act"]

ENOUGH = 10


# -- What a ply does


def play(table: Any, ply: Any) -> None:
    """Change the table by a ply that is allowed."""
    seat, move = ply
    if table.to_place:
        building.set_up_piece(table, table.to_place[0][1], seat, place_of(table, move))
        if not table.to_place:
            begin_turn(table, table.seats[0])
    elif table.agenda:
        answer(table, table.agenda[0], seat, move)
    elif isinstance(move, moves.Offer):
        trade.offer(table, seat, trade.counted(move.give), trade.counted(move.take), move.to)
    elif isinstance(move, moves.Accept):
        trade.accept(table, seat, move.seat)
    elif isinstance(move, moves.Decline):
        trade.decline(table, seat, move.seat)
    elif isinstance(move, moves.Withdraw):
        trade.withdraw(table, seat)
    else:
        take_action(table, seat, move)
    settle(table)


def begin_turn(table: Any, seat: Any) -> None:
    """Somebody's turn begins."""
    table.mover = seat
    table.begun.add(seat)
    table.dice, table.gains = [], {}
    table.rolled = table.building = table.card_played = False
    table.offers = []


def answer(table: Any, item: Any, seat: Any, move: Any) -> None:
    """Settle the matter at the head of the agenda."""
    what = item[0]
    if what == "discard":
        move_cards(table.hands[seat], table.supply, trade.counted(move.cards))
        del item[1][seat]
        if item[1]:
            return
    table.agenda.pop(0)
    if what == "dice":
        roll(table, move)
    elif what == "steal":
        move_cards(table.hands[item[2]], table.hands[item[1]], Counter({move.resource: 1}))
    elif what in ("draw", "choose"):
        table.deck[move.card] -= 1
        table.cards[item[1]].append([move.card, table.turn])
    elif what == "look":
        table.agenda.insert(0, ("choose", item[1], move.cards))
    elif what == "token":
        north.reveal(table, item[1], (move.clan, move.kind))
    elif what == "tormund":
        dice.move_tormund(table, seat, table.board.hex(move.hex), move.victim)
    elif what == "tarly" and isinstance(move, moves.Tarly):
        heroes.use_tarly(table, seat, move.resource)
    elif what == "take":
        move_cards(table.hands[item[2]], table.hands[seat], Counter({move.resource: 1}))
    elif what == "hero" and isinstance(move, moves.Flip):
        heroes.flip(table, seat)
    elif what == "hero":
        heroes.swap(table, seat, move.hero)


def roll(table: Any, move: Any) -> None:
    """Production or the seven; then the wildling die; then Tarly."""
    table.rolled = True
    table.dice = [move.white, move.red] + ([move.wild] if table.watch else [])
    total = move.white + move.red
    if total == 7:
        discards = dice.discards_due(table)
        if discards:
            table.agenda.append(("discard", discards))
        table.agenda.append(("tormund", table.mover))
    else:
        table.gains = dice.produce(table, total)
    if table.watch:
        table.agenda += [("wildlings", move.wild), ("reactions", total)]


def take_action(table: Any, seat: Any, move: Any) -> None:
    """What the player on turn does of his own accord."""
    if type(move) in heroes.USES:
        heroes.use(table, seat, move)
    elif type(move) in CARD_OF:
        play_card(table, seat, move)
    elif isinstance(move, moves.Roll):
        table.agenda.append(("dice",))
    elif isinstance(move, moves.Trade):
        trade.trade_with_supply(table, seat, trade.counted(move.give), trade.counted(move.take))
    elif isinstance(move, moves.End):
        end_turn(table, seat)
    else:
        trade.end_trading(table)
        build(table, seat, move)


def build(table: Any, seat: Any, move: Any) -> None:
    """Pay, place, and what follows."""
    if isinstance(move, moves.Buy):
        building.pay(table, seat, "card")
        table.agenda.append(("draw", seat))
    elif isinstance(move, moves.Settlement):
        building.pay(table, seat, "settlement")
        building.raise_settlement(table, seat, place_of(table, move))
    elif isinstance(move, moves.Keep):
        building.pay(table, seat, "keep")
        building.raise_keep(table, seat, place_of(table, move))
    elif isinstance(move, moves.Road):
        building.pay(table, seat, "road")
        building.lay_road(table, seat, place_of(table, move))
    else:
        building.pay(table, seat, "guard")
        building.post_guard(table, seat, move.section)


def play_card(table: Any, seat: Any, move: Any) -> None:
    """A development card; a Ranger stays face up, the others leave the game."""
    kind = CARD_OF[type(move)]
    table.card_played = True
    table.cards[seat].remove(next(card for card in table.cards[seat] if card[0] == kind and card[1] < table.turn))
    if isinstance(move, moves.Winter):
        for resource in (move.one, move.two):
            dice.gain(table, seat, resource)
    elif isinstance(move, moves.Roads):
        for path in roads_of(table, move):
            table.roads[path] = seat
        building.award_longest_road(table)
    elif isinstance(move, moves.Recruits):
        building.post_guard(table, seat, move.section)
    else:
        table.patrols[seat] += 1
        table.agenda.append(("largest patrol",))
        place = table.board.hex(move.hex)
        if move.quarry == moves.TORMUND:
            dice.move_tormund(table, seat, place, move.victim)
        else:
            table.frostfangs[table.gift.pop(place)] += 1
            dice.gain_from_hex(table, seat, place)


def end_turn(table: Any, seat: Any) -> None:
    """In the Watch ten points win at the end of the own turn."""
    if table.watch and all_points(table, seat) >= ENOUGH:
        finish(table, seat)
        return
    table.turn += 1
    begin_turn(table, table.seats[(table.seats.index(seat) + 1) % len(table.seats)])


# -- What happens by itself


def settle(table: Any) -> None:
    """Go on until somebody or chance is due, or the game is over."""
    look_for_ten_points(table)
    while table.agenda and not table.over and table.agenda[0][0] in BY_ITSELF:
        what, *rest = table.agenda.pop(0)
        BY_ITSELF[what](table, *rest)
        look_for_ten_points(table)


def look_for_ten_points(table: Any) -> None:
    """In the base game ten points win at once, on the own turn."""
    if not table.watch and not table.over and table.mover and all_points(table, table.mover) >= ENOUGH:
        finish(table, table.mover)


def ask_tarly(table: Any, total: Any) -> None:
    """Put the question to the owner of Tarly, except after a seven."""
    if total != 7:
        table.agenda[:0] = [("tarly", seat) for seat in heroes.tarly_reacts(table)]


BY_ITSELF: dict[str, Callable[..., Any]] = {
    "largest patrol": building.award_largest_patrol,
    "fresh token": north.put_fresh_token,
    "wildlings": north.follow_wildling_die,
    "reactions": ask_tarly,
}
