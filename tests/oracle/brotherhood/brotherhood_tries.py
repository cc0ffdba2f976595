"""Plies to try at a table of Brotherhood of the Watch: sensible ones, near misses and nonsense, from a random source.

`tries` gives some of everything that a seat might want to do, `strokes_of_chance` what chance might; whoever asks sorts
out what is allowed.
"""

from collections.abc import Iterator
from typing import Any

from engine.brotherhood import moves
from tests.oracle.brotherhood.brotherhood_table import CLANS, HEROES, RESOURCES, SECTIONS

EVERY_SEAT = ("red", "blue", "yellow", "black")
STRANGE_SEATS = ("*", "public", "nobody", "Red", "")
ANYBODY = (*EVERY_SEAT, *STRANGE_SEATS)
CARDS = ("ranger", "winter", "roads", "recruits", "point")
KINDS = ("regular", "climber", "giant")

# -- What a seat might try


def amounts(**counts: Any) -> Any:
    """Cards in the order of the resources."""
    return tuple(counts.get(kind, 0) for kind in RESOURCES)


def some_cards(random: Any, most: Any) -> Any:
    """A few cards of one or two kinds."""
    kinds = random.sample(RESOURCES, random.choice((1, 1, 2)))
    return amounts(**{kind: random.randint(1, most) for kind in kinds})


def tries(random: Any, table: Any) -> Any:
    """Moves that somebody might make, some of every kind."""
    return [move for group in (*groups(table), strokes_of_chance) for move in group(random, table)]


def groups(table: Any) -> Any:
    """The sorts of moves that the game knows."""
    return (placements, trades, card_plays, answers, hero_uses if table.watch else strangers)


def words(random: Any, table: Any, seat: Any) -> Iterator[Any]:
    """What a list of legal plies may leave out: offers, larger trades, discards, demands."""
    hand = table.hands[seat]
    yield from offers(random)
    yield moves.Trade(some_cards(random, 6), some_cards(random, 2))
    yield moves.Discard(half_of(random, hand))
    if table.watch:
        yield from demands(random)


def strangers(random: Any, table: Any) -> Iterator[Any]:
    """Moves of the other game, which the base game does not know."""
    yield from (moves.Guard(random.choice(SECTIONS)), moves.Recruits(random.choice(SECTIONS)), moves.Qhorin())
    yield from (moves.Pass(), moves.Flip(), moves.Swap("tarly"), moves.Tarly("ore"), moves.Melisandre())
    yield from (moves.Token("hornfoot", "giant"), moves.Look(("ranger", "ranger", "point")), *demands(random))


def placements(random: Any, table: Any) -> Iterator[Any]:
    """Pieces wherever they could be thought to stand, and the plain steps of a turn."""
    board = table.board
    yield from (moves.Settlement(spot) for spot in range(len(board.points) + 2))
    yield from (moves.Keep(board.number(point)) for point in table.buildings)
    yield from (moves.Road(*path) for path in paths(board))
    yield from (moves.Buy(), moves.Roll(), moves.End())
    if table.watch:
        yield from (moves.Guard(section) for section in (0, *SECTIONS, 5))


def paths(board: Any) -> Any:
    """All paths as pairs of numbers, the smaller first."""
    return sorted(map(board.ends, board.paths))


def trades(random: Any, table: Any) -> Iterator[Any]:
    """Trades with the supply at every rate, offers and answers."""
    for give in RESOURCES:
        for rate in (2, 3, 4):
            take = random.choice(RESOURCES)
            yield moves.Trade(amounts(**{give: rate}), amounts(**{take: 1}))
        times = random.choice((2, 3))
        yield moves.Trade(amounts(**{give: times * random.choice((2, 3, 4))}), some_cards(random, times))
    yield moves.Trade(some_cards(random, 4), some_cards(random, 2))
    yield moves.Trade(amounts(), amounts())
    one, two, three, four, _ = random.sample(RESOURCES, 5)
    for rate in (2, 3, 4):
        yield moves.Trade(amounts(**{one: rate, two: rate}), amounts(**{three: 1, four: 1}))
    yield from offers(random)
    yield from (answer(seat) for answer in (moves.Accept, moves.Decline) for seat in EVERY_SEAT)
    yield moves.Withdraw()


def offers(random: Any) -> Iterator[Any]:
    """Offers of a few cards to anybody."""
    for _ in range(4):
        to = random.choice((None, *EVERY_SEAT, random.choice(STRANGE_SEATS)))
        yield moves.Offer(some_cards(random, 2), some_cards(random, 2), to)


def demands(random: Any) -> Iterator[Any]:
    """What Mormont might ask for."""
    for _ in range(3):
        asked = random.sample(EVERY_SEAT, random.choice((1, 2, 2, 3)))
        yield moves.Mormont(random.choice(RESOURCES), tuple((seat, random.choice(RESOURCES)) for seat in asked))


def letters(table: Any) -> Any:
    """The names of the hexes, and one that is none."""
    return [*map(table.board.letter, table.board.hexes), "Z"]


def card_plays(random: Any, table: Any) -> Iterator[Any]:
    """Development cards."""
    for letter in letters(table):
        yield moves.Ranger(moves.TORMUND, letter, random.choice((None, *EVERY_SEAT)))
        yield moves.Ranger(moves.WILDLING, letter)
    yield moves.Winter(random.choice(RESOURCES), random.choice(RESOURCES))
    ways, ends = paths(table.board), reached(table)
    yield from (moves.Roads((random.choice(ways),)) for _ in range(3))
    near = [way for way in ways if ends & set(way)] or ways
    yield from (moves.Roads(tuple(random.choices(near, k=2))) for _ in range(12))
    if table.watch:
        yield from map(moves.Recruits, (0, *SECTIONS, 5))


def reached(table: Any) -> Any:
    """The numbers of the intersections where roads end."""
    return {table.board.number(point) for path in table.roads for point in path}


def answers(random: Any, table: Any) -> Iterator[Any]:
    """What is asked outside the usual course of a turn."""
    for letter in letters(table):
        yield moves.Tormund(letter, random.choice((None, *EVERY_SEAT)))
    for seat in table.seats:
        yield moves.Discard(half_of(random, table.hands[seat]))
    if table.watch:
        yield from map(moves.Tarly, RESOURCES)
        yield from map(moves.Take, (*RESOURCES, None))
        yield from map(moves.Choose, (*CARDS, None))
        yield from map(moves.Swap, HEROES)
        yield from (moves.Pass(), moves.Flip())


def half_of(random: Any, hand: Any) -> Any:
    """Half of a hand, or now and then one card more."""
    cards = sorted(hand.elements())
    taken = random.sample(cards, min(len(cards), len(cards) // 2 + (random.random() < 0.1)))
    return amounts(**{kind: taken.count(kind) for kind in RESOURCES})


def hero_uses(random: Any, table: Any) -> Iterator[Any]:
    """Every hero, a few times."""
    ways = paths(table.board)
    own = sorted(map(table.board.ends, table.roads)) or ways
    for _ in range(4):
        one, two = random.choices(RESOURCES, k=2)
        yield moves.Marsh(one, two)
        yield moves.Thorne(random.choice(SECTIONS), one, two)
        yield moves.Melisandre(one, two)
    yield from demands(random)
    yield from (moves.Yarwyck(random.choice(own), random.choice(ways)) for _ in range(16))
    yield from (moves.Melisandre(), moves.Qhorin())
    yield from map(moves.Mance, EVERY_SEAT)
    yield from (moves.Benjen(clan, place) for clan in (*CLANS, None) for place in range(6))
    yield from map(moves.Ygritte, letters(table))
    yield from map(moves.Yoren, (0, *SECTIONS, 5))


def strokes_of_chance(random: Any, table: Any) -> Iterator[Any]:
    """What chance might do."""
    for _ in range(12):
        wild = random.randint(1, 12) if table.watch else None
        yield moves.Dice(random.randint(1, 6), random.randint(1, 6), wild)
    yield moves.Dice(random.randint(0, 7), random.randint(1, 6), random.choice((None, 0, 1, 12, 13)))
    yield from map(moves.Steal, (*RESOURCES, None))
    yield from map(moves.Draw, (*CARDS, None))
    if table.watch:
        yield from (moves.Token(clan, kind) for clan in CLANS for kind in KINDS)
        yield from (moves.Look(tuple(random.choices(CARDS, k=count))) for count in (1, 2, 3, 3, 3, 3, 4))
        yield moves.Look(None)
