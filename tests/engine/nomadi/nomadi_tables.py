"""Tables of Nomadi for tests: set up by hand, drawn as maps, or played at random."""

from collections.abc import Iterator

from engine.chance import Dealer
from engine.game import CHANCE, Ply, Setup
from engine.nomadi import GAME
from engine.nomadi.board import BITS, mask_of
from engine.nomadi.position import MOVING, Position
from engine.verdict import Verdict

CARDS = ("Cards", "B9 E4 F6 G17 J12 N3")


def start(players: int = 2, *options: tuple[str, str]) -> Position:
    """An empty table."""
    position = GAME.start(Setup(GAME.seats[:players], (CARDS, *options)))
    assert not isinstance(position, Verdict), str(position)
    return position


def moving(*stones: str, dice: tuple[int, ...] = (1, 2, 3, 4, 5, 6)) -> Position:
    """Blue on turn with some dice; each text lists the squares of one player's stones."""
    owned = tuple(mask_of(*squares.split()) for squares in stones)
    thrown = start()._replace(phase=MOVING, turn=17, dice=dice, unplayed=dice)
    return thrown._replace(stones=owned + (0,) * (2 - len(owned)))


def drawn(picture: str) -> str:
    """The squares with an ``o`` in a picture whose first line names columns and whose lines begin with rows."""
    head, *lines = picture.strip("\n").splitlines()
    columns = head.split()
    rows = [line.split() for line in lines]
    return " ".join(f"{c}{row}" for row, *signs in rows for c, sign in zip(columns, signs, strict=True) if sign == "o")


def full_block() -> str:
    """All sixteen squares of the start zone."""
    return " ".join(square for square in BITS if square[0] in "MNOP" and int(square[1:]) >= 16)


def play(position: Position, dealer: Dealer) -> Iterator[tuple[Position, Ply, Position]]:
    """A random game to its end: every ply with the positions around it."""
    while due := GAME.to_act(position):
        if due == (CHANCE,):
            ply = GAME.deal(position, dealer)
        else:
            choices = list(GAME.legal(position))
            drawn_plies = [choices[dealer.pick(len(choices), "choice")] for _ in range(4)]
            ply = max(drawn_plies, key=lambda each: GAME.prospect(GAME.apply(position, each), each.seat))
        after = GAME.apply(position, ply)
        yield position, ply, after
        position = after
