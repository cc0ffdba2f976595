"""Our input: sampled games of Through the Desert, as plies, as canonical text, and in many guises.

The camels' colours and the seats' names are all alike to the rules, so exchanging them makes another legal game in
other words: some hundred sampled games make an archive of any length in which no text comes twice.
"""

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count, islice, permutations
from typing import Any, Final, NamedTuple

from engine.chance import KeyedDealer
from engine.game import Ply
from engine.through_the_desert import GAME
from engine.through_the_desert.board import COLOURS
from notation import END, write_record
from pbem.judging.lookahead import sample_game

_SEAT: Final = re.compile(rf"\b({'|'.join(GAME.seats)})\b")
_COLOUR: Final = re.compile(rf"\b({'|'.join(COLOURS)})\b")


class DesertGame(NamedTuple):
    """A complete game: its first position, its plies, and its text with gaps.

    The gaps are named after the seats and colours that stand there in the game as it was sampled.
    """

    start: Any
    plies: tuple[Ply, ...]
    gapped: str

    def text(self, guise: int = 0) -> str:
        """The record in one of its guises, of which 14,400 have different names; guise 0 is the game itself."""
        cycles, place = divmod(guise, len(_DYES))
        return self.gapped % (_DYES[place] | _SEATS[(place + cycles) % len(_SEATS)])


@cache
def sample_desert(amount: int) -> tuple[DesertGame, ...]:
    """Games of two, three, four and five players in turn; the same games in every run."""
    return tuple(_play(number) for number in range(amount))


def archive(games: Sequence[DesertGame], amount: int) -> Iterator[str]:
    """The texts of `amount` games: each game once, then each in its next guise, and so on."""
    return islice((game.text(guise) for guise in count() for game in games), amount)


def _play(number: int) -> DesertGame:
    players = GAME.players[number % len(GAME.players)]
    dealer = KeyedDealer(b"benchmark %d" % number)
    record = sample_game(GAME, seats=GAME.seats[:players], dealer=dealer, name=f"benchmark {number}")
    plies = tuple(Ply(entry.who, move) for entry in record.entries if entry.who != END for move in entry.moves)
    return DesertGame(GAME.start(record.setup), plies, _open_gaps(write_record(record)))


def _open_gaps(text: str) -> str:
    return "\n".join(map(_open_line, text.replace("%", "%%").split("\n")))


def _open_line(line: str) -> str:
    if line.startswith(("[Seat.", "[Result ")):
        return _SEAT.sub(r"%(seat \1)s", line)
    if line.startswith("["):
        return line
    head, colon, phrase = line.partition(":")
    return _SEAT.sub(r"%(seat \1)s", head) + colon + _COLOUR.sub(r"%(dye \1)s", phrase)


def _exchanges(kind: str, names: Sequence[str]) -> list[dict[str, str]]:
    """All ways to exchange names: none exchanged first, the others in a mixed order."""
    first, *others = (dict(zip((f"{kind} {name}" for name in names), new, strict=True)) for new in permutations(names))
    random.Random(1).shuffle(others)
    return [first, *others]


_DYES: Final = _exchanges("dye", COLOURS)
_SEATS: Final = _exchanges("seat", GAME.seats)
