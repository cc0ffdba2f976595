"""Positions that headers state: the same as those that were played, and refused where they cannot be."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import Setup, Verdict
from engine.brotherhood.hands import unpack
from engine.brotherhood.moves import CLANS, DEVELOPMENTS, HEROES, RESOURCES, WILDLINGS
from engine.chance import KeyedDealer
from engine.game import CHANCE
from engine.nomadi.board import NAMES, squares
from engine.pose import Misplaced
from engine.through_the_desert.board import COLOURS
from notation import read_text
from pbem.judging.compare import compare_records
from pbem.judging.lookahead import choose_ply
from pbem.judging.record_replay import replay_record
from tests.known_games import known_game


def moments(key: str, players: int, number: int) -> Iterator[tuple[Any, Any]]:
    """The first position of a random game, and some of those in which nothing is left half done."""
    game = known_game(key)
    dealer = KeyedDealer(f"pose {key} {players} {number}".encode())
    first = position = game.start(game.lay_out(Setup(game.seats[:players]), dealer))
    assert not isinstance(first, Verdict)
    while due := game.to_act(position):
        if is_quiet(key, position) and dealer.pick(12, "look") == 0:
            yield first, position
        ply = game.deal(position, dealer) if due == (CHANCE,) else choose_ply(game, position, dealer)
        position = game.apply(position, ply)


def is_quiet(key: str, position: Any) -> bool:
    if key == "through-the-desert":
        return bool(position.phase == "camels")
    if key == "nomadi":
        return position.phase in ("throwing", "moving") and not position.open_offers()
    return position.stage in ("roll", "trade", "build") and not position.agenda and position.turn > 12


def state(key: str, position: Any) -> dict[str, str]:
    """What the headers would say of a position."""
    return {"through-the-desert": state_desert, "nomadi": state_nomadi}.get(key, state_brotherhood)(position)


def state_desert(position: Any) -> dict[str, str]:
    ground = position.ground
    stated = {"": f"turn {position.turn}, camels {position.placed}"}
    for who, seat in enumerate(ground.seats):
        clauses = []
        for colour, name in enumerate(COLOURS):
            caravan, reached = position.camels[who * 5 + colour], position.leaders[who * 5 + colour]
            order = [ground.grid.names[reached]] if reached else []
            while reached != caravan:
                more = ground.grid.grow(reached) & caravan & ~reached
                order += ground.grid.spaces(more)
                reached |= more
            if order:
                clauses.append(f"{name} {' '.join(order)}")
        stated[seat] = ", ".join(clauses)
    return stated


def state_nomadi(position: Any) -> dict[str, str]:
    stated = {"": f"turn {position.turn}, dice {' '.join(map(str, position.unplayed))}"}
    for who, seat in enumerate(position.ground.seats):
        coins = position.coins[who]
        money = f"coins {coins}" if coins >= 0 else f"debt {-coins}"
        held = [f"{NAMES[card.square]}={card.value:+}" for card in position.found if card.holder == who]
        stated[seat] = f"stones {' '.join(squares(position.stones[who]))}, {money}, cards {' '.join(held)}"
    return stated


def state_brotherhood(position: Any) -> dict[str, str]:
    chart, seats = position.ground.chart, position.ground.seats
    table = [f"turn {position.turn}"]
    table += [f"rolled {' '.join(map(str, position.dice))}"] if position.dice else []
    table += ["building"] if position.stage == "build" else []
    table += [f"tormund {chart.letters[position.tormund] if position.tormund >= 0 else 'camp'}"]
    known = position.deck + sum(position.cards) + sum(position.patrols)
    gone = zip(unpack(position.ground.law.deck - known), DEVELOPMENTS, strict=True)
    table += ["gone " + " ".join(f"{n} {name}" for n, name in gone if n)]
    watch = position.watch
    if watch is not None:
        table += [
            "wall " + " ".join(f"{n}={'+'.join(seats[w] for w in s)}" for n, s in enumerate(watch.sections, 1) if s)
        ]
        held = [f"{chart.letters[h]}={WILDLINGS[k]}" for k, m in enumerate(watch.gift) for h in range(21) if m >> h & 1]
        camps = [f"{CLANS[c]}={'+'.join(WILDLINGS[k] for k in some)}" for c, some in enumerate(watch.camps) if some]
        table += [f"held {' '.join(held)}", f"camps {' '.join(camps)}", f"breaches {watch.breaches}"]
        table += ["clearings " + " ".join(f"{n}={count}" for n, count in enumerate(watch.clearings, 1) if count)]
    stated = {"": ", ".join(table)}
    for who, seat in enumerate(seats):
        roads = " ".join(f"{a}-{b}" for p, (a, b) in enumerate(chart.paths) if position.roads[who] >> p & 1)
        hand = " ".join(f"{n} {name}" for n, name in zip(unpack(position.hands[who]), RESOURCES, strict=True) if n)
        cards = " ".join(f"{n} {name}" for n, name in zip(unpack(position.cards[who]), DEVELOPMENTS, strict=True) if n)
        stated[seat] = (
            f"settlements {numbered(position.settlements[who])}, keeps {numbered(position.keeps[who])}, roads {roads}, "
            f"hand {hand}, cards {cards}, patrols {position.patrols[who]}"
        )
        if watch is not None:
            holding = watch.company.holdings[who]
            stated[seat] += f", hero {HEROES[holding.hero]}-{'B' if holding.worn else 'A'}"
    return stated


def numbered(mask: int) -> str:
    """The numbers of the bits that are set."""
    return " ".join(str(bit) for bit in range(64) if mask >> bit & 1)


SAME = {
    "through-the-desert": ("phase", "turn", "who", "placed", "free", "camels", "flocks", "leaders", "taken", "removed"),
    "nomadi": ("phase", "turn", "who", "stones", "coins", "cards", "unplayed"),
    "brotherhood-base": (
        *("stage", "turn", "who", "hands", "supply", "settlements", "keeps", "roads", "ends", "closed", "paved"),
        *("tormund", "deck", "cards", "patrols", "lengths", "dice"),
    ),
}
SAME["brotherhood"] = SAME["brotherhood-base"]


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize(
    ("key", "players"),
    [
        *[("through-the-desert", players) for players in (2, 3, 4, 5)],
        *[("nomadi", players) for players in (2, 3, 4, 5)],
        *[("brotherhood-base", players) for players in (3, 4)],
        *[("brotherhood", players) for players in (3, 4)],
    ],
)
def test_a_position_that_was_played_can_be_stated(key: str, players: int, number: int) -> None:
    game = known_game(key)
    compared = 0
    for first, position in moments(key, players, number):
        if key.startswith("brotherhood") and heroes_crossed(first, position):
            continue
        posed = game.pose(first, state(key, position))
        assert not isinstance(posed, Misplaced), (posed, state(key, position))
        for name in SAME[key]:
            assert getattr(posed, name) == getattr(position, name), name
        compared += 1
    assert compared


def heroes_crossed(first: Any, position: Any) -> bool:
    """Whether somebody holds a hero with which another one started: seat by seat that cannot be stated."""
    if position.watch is None:
        return False
    start, now = ([each.hero for each in one.watch.company.holdings] for one in (first, position))
    return any(hero in start and start.index(hero) != who for who, hero in enumerate(now))


PUZZLE = """\
[Game "nomadi"]
[Seat.blue "Anna"]
[Seat.yellow "Boris"]
[Cards "B9 E4 F6 G17 J12 N3"]
[Pose "turn 23, dice 1 4"]
[Pose.blue "stones F12 G12 H12 I12 J12 K12 L12 M12, coins 7"]
[Pose.yellow "stones F13 G13 H13 I13 J13 K13 L13 M13, debt 2, cards N13=+3"]
"""


def refusal(text: str) -> Any:
    (reading,) = read_text(text)
    assert reading.record is not None
    return replay_record(reading.record).refusal


@pytest.mark.parametrize(
    ("said", "instead", "says", "header"),
    [
        ("F12 G12", "F12 F12", "no stone can stand at F12", "Pose.blue"),
        ("F12 G12", "F12", "every player has 8 stones, not 7", "Pose.blue"),
        ("F12 G12", "A12 G12", "the stones do not hang together", "Pose"),
        ("dice 1 4", "dice 1 7", "at most six dice are left to play, of 1 to 6", "Pose"),
        ("turn 23", "turn 3", "turn needs one number from 17 to 9999, not 3", "Pose"),
        ("coins 7", "gold 7", "gold cannot be stated; known are stones, coins, debt, cards", "Pose.blue"),
        ("N13=+3", "N13=+4", "N13=+4 is not a card of this desert", "Pose.yellow"),
        ("Pose.yellow", "Pose.red", "nobody sits at red", "Pose.red"),
    ],
)
def test_what_cannot_be_is_refused_at_its_header(said: str, instead: str, says: str, header: str) -> None:
    assert refusal(PUZZLE) is None
    refused = refusal(PUZZLE.replace(said, instead))
    assert (refused.code, refused.header) == ("RC-P3", header)
    assert refused.verdict.detail.startswith(says)


EXAMPLES = re.findall(r"```pose\n(.*?)```", Path("docs/notation.md").read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=["through-the-desert", "nomadi", "brotherhood"])
def test_the_examples_of_the_notation_can_be(example: str) -> None:
    (reading,) = read_text(example)
    assert reading.record is not None
    record, game = reading.record, reading.record.game
    assert game is not None
    laid = game.lay_out(record.setup, KeyedDealer(b"example")).options
    replayed = replay_record(replace(record, headers=(*record.headers, *laid)))
    assert replayed.refusal is None, str(replayed.refusal)
    assert len(list(game.legal(replayed.position))) > 3
    assert str(replayed.turn) in dict(record.setup.pose)[""]


@pytest.mark.parametrize(
    ("said", "instead", "says"),
    [
        ("17-23 16-22", "17-24", "no road can lie at 17-24"),
        ("settlements 17", "settlements 99", "nothing can be built at 99, or beside what stands there"),
        ("2 brick 1 wool", "20 brick", "hand needs amounts and kinds"),
        ("3 ore", "19 ore 1 wool 19 brick", "there are not so many cards in the box"),
        ("mance-B", "mance", "mance is not a hero with its side"),
        ("mance-B", "tarly-A", "tarly lies before"),
        ("1=red", "1=red+red+red+red+red+red", "1=red+red+red+red+red+red is not a section"),
        ("2=1", "2=3", "more regulars wait in clearing 2 than guards stand there"),
        ("breaches 1", "breaches 3", "breaches needs one number from 0 to 2"),
        ("rolled 3 5 11", "rolled 3 5", "rolled needs one number for each of 3 dice"),
        ("tormund H", "tormund Z", "Tormund cannot stand at Z"),
    ],
)
def test_what_the_brotherhood_cannot_have_is_refused(said: str, instead: str, says: str) -> None:
    (reading,) = read_text(EXAMPLES[2].replace(said, instead))
    assert reading.record is not None
    assert reading.record.game is not None
    laid = reading.record.game.lay_out(reading.record.setup, KeyedDealer(b"example")).options
    refused = replay_record(replace(reading.record, headers=(*reading.record.headers, *laid))).refusal
    assert refused is not None
    assert refused.code == "RC-P3"
    assert refused.verdict.detail.startswith(says)


def test_records_with_different_stated_positions_are_different_games() -> None:
    (one,), (other,) = read_text(PUZZLE), read_text(PUZZLE.replace("coins 7", "coins 8"))
    assert one.record is not None
    assert other.record is not None
    parting = compare_records(one.record, other.record)
    assert parting is not None
    assert parting.kind == "Pose.blue"
    assert compare_records(one.record, one.record) is None
