"""Games of Nomadi played by the engine and the oracle side by side, asked the same questions before every ply.

The engine is known here only by its contract and by the shape of its views. `play` says what the game reached, so
that a test can demand that rare things were really compared.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine import Verdict
from engine.chance import KeyedDealer
from engine.game import CHANCE, PUBLIC, Ply, Setup
from engine.nomadi import GAME
from engine.nomadi.moves import Card, End, Give, Leave, Step, Take
from tests.oracle.nomadi import nomadi_oracle as oracle
from tests.oracle.nomadi import nomadi_playouts as playouts
from tests.oracle.nomadi.nomadi_codes import CODES
from tests.oracle.nomadi.nomadi_events import endings, events
from tests.oracle.nomadi.nomadi_map import NAME
from tests.oracle.nomadi.nomadi_play import apply
from tests.oracle.nomadi.nomadi_score import points, view, winners
from tests.oracle.nomadi.nomadi_slips import strange_ply
from tests.oracle.nomadi.nomadi_table import DECK, broken_by_setup, on_turn, phase, start, to_act, turn

STRANGE_PLIES = 2
LONGEST = 3000
"""No game may take more plies: whoever marches arrives."""


def set_up(seats: Any, options: Any) -> Any:
    """The engine's first position."""
    return GAME.start(Setup(tuple(seats), tuple(options.items())))


def play(random: Any, players: Any, temper: Any, listing: Any = 1.0) -> Any:
    """Play one game on both sides, comparing them all the way; what was reached.

    `listing` is the share of plies before which the whole list of legal plies is compared; everything else
    is compared before each.
    """
    dealer = KeyedDealer(random.randbytes(16))
    seats, chosen = playouts.deal(random, players)
    setup = GAME.lay_out(Setup(seats, tuple(chosen.items())), dealer)
    table, position = start(seats, dict(setup.options)), GAME.start(setup)
    assert not isinstance(position, Verdict)
    reached: Counter[str] = Counter()
    for _ in range(LONGEST):
        compare(table, position, (PUBLIC, random.choice(seats)))
        reached.update(compare_refusals(random, table, position))
        if phase(table) == "over":
            return reached + Counter(endings(table))
        if random.random() < listing:
            compare_listing(table, position)
        happens = (temper is playouts.seek and meanwhile(random, table)) or next_ply(
            random, table, position, dealer, temper
        )
        ply = playouts.vary(random, table, happens)
        assert GAME.judge(position, Ply(*ply)) is None, ply
        assert oracle.broken(table, ply) == set(), ply
        compare_telling(table, position, ply)
        after = apply(table, ply)
        reached.update(events(table, ply, after))
        table, position = after, GAME.apply(position, Ply(*ply))
    raise AssertionError(f"no end after {LONGEST} plies")


def next_ply(random: Any, table: Any, position: Any, dealer: Any, temper: Any) -> Any:
    """What happens next: chance by the dealer, now and then a gift, else one of the listed plies by temper."""
    due = sorted(to_act(table))
    if due == [CHANCE]:
        return tuple(GAME.deal(position, dealer))
    giver = random.choice(table.seats)
    if table.deals and phase(table) not in ("placing", "answers") and table.coins[giver] > 0 and random.random() < 0.03:
        return gift(random, table, giver)
    return playouts.choose(random, table, listed(position), temper)


def gift(random: Any, table: Any, giver: Any) -> Any:
    """Coins for somebody else from a player who has some."""
    taker = random.choice([seat for seat in table.seats if seat != giver])
    return giver, Give(taker, random.randint(1, table.coins[giver]))


def meanwhile(random: Any, table: Any) -> Any:
    """What a player does while dice or a card are due, for which nobody has to wait; None: nothing."""
    if CHANCE not in to_act(table) or random.random() < 0.6:
        return None
    if table.offers:
        square, (_, to, _) = random.choice(sorted(table.offers.items()))
        return to, random.choice((Take, Leave))(NAME[square])
    givers = [seat for seat in table.seats if table.deals and table.coins[seat] > 0]
    return gift(random, table, random.choice(givers)) if givers else None


def listed(position: Any) -> Any:
    """The engine's legal plies but gifts and throws; each step once, however many ways it has.

    What chance may bring is nothing to choose from, so the engine does not list it: it is asked card by card.
    """
    if GAME.to_act(position) == (CHANCE,):
        cards = [Card(square, value) for square in GAME.view(position, PUBLIC)["cards"] for value in DECK]
        return {(CHANCE, card) for card in cards if GAME.judge(position, Ply(CHANCE, card)) is None}
    plies = [tuple(ply) for ply in GAME.legal(position)]
    return {(seat, without_bend(move)) for seat, move in plies if not isinstance(move, Give)}


def without_bend(move: Any) -> Any:
    """A step as the oracle lists it."""
    return Step(move.die, move.origin, move.target) if isinstance(move, Step) else move


# -- Questions to both sides


def compare(table: Any, position: Any, viewers: Any) -> None:
    """What both sides say about one moment, also to some viewers."""
    assert set(GAME.to_act(position)) == to_act(table)
    assert GAME.turn(position) == turn(table)
    score = GAME.score(position)
    assert {tally.seat: tally.total for tally in score.tallies} == points(table)
    assert set(score.winners) == winners(table)
    for viewer in viewers:
        assert seen_by(position, viewer) == view(table, viewer), viewer
        mine = {Leave(NAME[square]) for square, (_, to, _) in table.offers.items() if to == viewer}
        silence = GAME.by_default(position, viewer)
        assert silence in mine if mine else silence is None, viewer
    if phase(table) == "moving":  # whether the turn may end
        refused = GAME.judge(position, Ply(on_turn(table), End()))
        assert (refused is None) == (not any(oracle.steps(table)))


def seen_by(position: Any, viewer: Any) -> Any:
    """The engine's view in the oracle's form."""
    seen = GAME.view(position, viewer)
    exact = {key: seen[key] for key in ("seats", "phase", "turn", "who", "left", "hand", "coins", "holds")}
    exact |= {key: seen[key] for key in ("dice", "held", "values", "over_ravine", "home", "left_start")}
    exact |= {key: set(seen[key]) for key in ("to_act", "cards", "waterholes", "goal", "start")}
    return exact | {
        "unplayed": sorted(seen["unplayed"]),
        "stones": {seat: set(squares) for seat, squares in seen["stones"].items()},
        "steps": [(step["die"], step["origin"], step["target"], step["bend"], step["seat"]) for step in seen["steps"]],
        "offers": {(offer["square"], offer["from"], offer["to"], offer["words"]) for offer in seen["offers"]},
    }


def compare_listing(table: Any, position: Any) -> None:
    """The whole list of what may be done."""
    assert listed(position) == oracle.legal(table)


def compare_telling(table: Any, position: Any, ply: Any) -> None:
    """Only the mover is told a card's value; everything else is told to all."""
    seat, move = ply
    for viewer in (PUBLIC, *table.seats):
        hidden = isinstance(move, Card) and viewer != on_turn(table)
        told = GAME.told(position, Ply(seat, move), viewer)
        assert told == (Card(move.square, None) if hidden else move), viewer


def compare_refusals(random: Any, table: Any, position: Any) -> Iterator[Any]:
    """Put strange plies to both sides; the words of the rules that they broke."""
    for _ in range(STRANGE_PLIES):
        ply = strange_ply(random, table)
        broken = oracle.broken(table, ply)
        verdict = GAME.judge(position, Ply(*ply))
        assert (verdict is not None) == bool(broken), f"{ply}: engine {verdict}, oracle {broken}"
        if verdict is not None:
            assert verdict.rule.code in " ".join(CODES[word] for word in broken), f"{ply}: {verdict}, oracle {broken}"
            assert verdict.detail
            for move in verdict.instead:
                seats = {ply[0], *to_act(table)}
                assert not all(oracle.broken(table, (seat, move)) for seat in seats), f"{ply}: instead {move}"
        yield from broken or {"right by chance"}


def both_refuse(seats: Any, options: Any) -> Any:
    """Whether both sides refuse a set-up; they must agree."""
    answer = set_up(seats, options)
    refused = broken_by_setup(tuple(seats), options) is not None
    assert hasattr(answer, "rule") == refused, f"{seats} {options}: {answer}"
    return refused


def follow(seats: Any, options: Any, plies: Any) -> Any:
    """Play given plies on both sides; the table and the position reached."""
    table, position = start(seats, options), set_up(seats, options)
    for ply in plies:
        assert oracle.broken(table, ply) == set(), ply
        assert GAME.judge(position, Ply(*ply)) is None, ply
        table, position = apply(table, ply), GAME.apply(position, Ply(*ply))
    compare(table, position, (PUBLIC, *table.seats))
    return table, position
