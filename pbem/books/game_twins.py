"""The same game twice: copies, beginnings, nearly the same, and the same moves in another order inside turns.

Games are compared by their chain keys (`pbem.judging.game_keys`), so names, remarks, headers and the way in which moves
are written do not matter. Two games of different people may begin alike, so the same few moves are no proof. Nothing
here changes or drops a game.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

from notation import Record
from pbem.judging.entries import standing_entries
from pbem.judging.game_keys import chain_keys, keyed_plies, text_key

FEW: Final = 8
"""Games with fewer plies are the same only if their ids are, too."""
_ALIKE: Final = 16
"""Games are near to each other only if they have at least so many plies in common."""

SAME: Final = "same"
CONTAINED: Final = "contained"
TRANSPOSED: Final = "transposed"
NEAR: Final = "near"
FEW_MOVES: Final = "few moves"
RELATIONS: Final = (SAME, CONTAINED, TRANSPOSED, NEAR, FEW_MOVES)


class Keyed(NamedTuple):
    """What is kept of a game to find others like it."""

    file: str
    number: int
    line: int
    id: str
    text: str
    start: bytes
    plies: int
    at: tuple[tuple[int, bytes], ...]
    turns: bytes
    """A key of all turns in which the order of moves inside a turn does not count."""

    @property
    def moves(self) -> bytes:
        """The key after the last ply."""
        return self.at[-1][1] if self.at else self.start

    @property
    def powers(self) -> tuple[tuple[int, bytes], ...]:
        """The plies and keys of the two largest beginnings that every game keeps."""
        return tuple(each for each in self.at if each[0] & (each[0] - 1) == 0)[-2:]


class Twins(NamedTuple):
    """A game and those that are like it. `other` of CONTAINED are in `game`; else `game` came first."""

    relation: str
    game: Keyed
    others: tuple[Keyed, ...]


def key_game(record: Record, file: str, number: int, line: int) -> Keyed | None:
    """What is kept of a game; None where its headers make no start."""
    keys = chain_keys(record)
    if keys is None:
        return None
    plies = list(keyed_plies(record, keys.start))
    turns, done = blake2b(keys.start, digest_size=8), 0
    by_turn: dict[int | None, list[str]] = defaultdict(list)
    for entry in standing_entries(record.entries):
        some = plies[done : done + len(entry.moves)]
        by_turn[entry.number] += [f"{ply.who} {ply.clause}" for ply in some]
        done += len(some)
    for number_of_turn, said in by_turn.items():
        turns.update(f"{number_of_turn}: {', '.join(sorted(said))}\n".encode())
    name = record.header("Id") or ""
    return Keyed(file, number, line, name, text_key(record), keys.start, keys.plies, keys.at, turns.digest())


def find_twins(games: Iterable[Keyed], plies_of: Callable[[Keyed], Sequence[bytes]]) -> list[Twins]:
    """All twins among some games, in their order; `plies_of` gives all keys of a game and is asked for few."""
    same: dict[tuple[bytes, bytes, str], list[Keyed]] = {}
    for game in games:
        few = game.id if game.plies < FEW else ""
        same.setdefault((game.start, game.moves, few), []).append(game)
    found = [Twins(SAME, group[0], tuple(group[1:])) for group in same.values() if len(group) > 1]
    firsts = [group[0] for group in same.values()]
    found += _few_moves(firsts)
    found += _transposed(firsts)
    related = {(id(each.game), id(other)) for each in found for other in each.others}
    contained = list(_contained(firsts, plies_of))
    found += contained
    related |= {(id(each.game), id(other)) for each in contained for other in each.others}
    found += _near(firsts, related)
    return found


def _few_moves(firsts: list[Keyed]) -> list[Twins]:
    """Games with the same few moves and different ids: perhaps the same, perhaps not."""
    groups: dict[tuple[bytes, bytes], list[Keyed]] = defaultdict(list)
    for game in firsts:
        if 0 < game.plies < FEW:
            groups[game.start, game.moves].append(game)
    return [Twins(FEW_MOVES, group[0], tuple(group[1:])) for group in groups.values() if len(group) > 1]


def _transposed(firsts: list[Keyed]) -> list[Twins]:
    groups: dict[tuple[bytes, int], list[Keyed]] = defaultdict(list)
    for game in firsts:
        if game.plies >= FEW:
            groups[game.turns, game.plies].append(game)
    return [Twins(TRANSPOSED, group[0], tuple(group[1:])) for group in groups.values() if len(group) > 1]


def _contained(firsts: list[Keyed], plies_of: Callable[[Keyed], Sequence[bytes]]) -> Iterable[Twins]:
    """Each game that is the beginning of another, below the longest one that it is in."""
    alike: dict[bytes, list[Keyed]] = defaultdict(list)
    for game in firsts:
        for _, key in game.at:
            alike[key].append(game)
    keys: dict[int, Sequence[bytes]] = {}
    inside: dict[int, tuple[Keyed, list[Keyed]]] = {}
    for game in firsts:
        if game.plies < FEW:
            continue
        [*_, (ply, key)] = [each for each in game.at if each[0] & (each[0] - 1) == 0]
        longer = [other for other in alike[key] if other.plies > game.plies >= ply]
        for other in sorted(longer, key=lambda each: -each.plies):
            if id(other) not in keys:
                keys[id(other)] = plies_of(other)
            if keys[id(other)][game.plies - 1] == game.moves:
                inside.setdefault(id(other), (other, []))[1].append(game)
                break
    return [Twins(CONTAINED, other, tuple(some)) for other, some in inside.values()]


def _near(firsts: list[Keyed], related: set[tuple[int, int]]) -> list[Twins]:
    """Games that share one of the two largest beginnings of both, and are not related in another way."""
    groups: dict[tuple[int, bytes], list[Keyed]] = defaultdict(list)
    for game in firsts:
        for ply, key in game.powers:
            if ply >= _ALIKE:
                groups[ply, key].append(game)
    others: dict[int, tuple[Keyed, list[Keyed]]] = {}
    seen: set[int] = set()
    for (_, _), group in sorted(groups.items(), key=lambda each: -each[0][0]):
        first = group[0]
        for game in group[1:]:
            known = (id(first), id(game)) in related or (id(game), id(first)) in related
            if not known and id(game) not in seen:
                seen.add(id(game))
                others.setdefault(id(first), (first, []))[1].append(game)
    return [Twins(NEAR, first, tuple(some)) for first, some in others.values()]
