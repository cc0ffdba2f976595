"""Two annotated copies of one game as one record, without losing a word, and the same however often it is done.

Remarks are placed by the plies before them, so copies may write turns in one entry or in several. What both copies say
at a place stands there once, the first copy's words first. Into a record with a proof only remarks of people go.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from notation import ABOVE, COMMENT, END, UNDO, WORDS, Entry, Record, Remark, write_entry
from notation.headers import sort_headers
from notation.record import POSE, SEAT
from pbem.books.remarks import is_own
from pbem.judging.entries import PROOF, RESULT, fill_in_numbers, tidy_headers
from pbem.judging.game_keys import keyed_plies, start_key

_OF_FORM: Final = ("Format", "Game", "Rules", RESULT)
_OF_PROOF: Final = (PROOF, "SeedCommitment", "BlindCommitment")


@dataclass(frozen=True)
class Merged:
    """The record made of two; how many remarks came from each and from both; and what was told instead of written."""

    record: Record
    first: int
    second: int
    both: int
    notes: tuple[str, ...]


class _Spot(NamedTuple):
    """A place by plies: how many were made before it, whether it is above, before or behind moves, and in which word.

    `word` counts the words of the table at this ply; -1 is no word but the moves.
    """

    ply: int
    side: int
    word: int = -1


_BEFORE, _BEHIND, _LAST = 0, 1, 2
"""The sides of a place besides ABOVE: between the colon and the first move, behind a move, behind the whole record."""


def merge_records(first: Record, second: Record) -> Merged | str:
    """Both copies as one; or why they are not copies of one game."""
    first, second = fill_in_numbers(tidy_headers(first)), fill_in_numbers(tidy_headers(second))
    one, other = _plies(first), _plies(second)
    if one is None or other is None:
        return "the headers of one of them make no start"
    if one[0] != other[0]:
        return "they begin differently: another game, edition, set-up or other seats"
    shorter = min(len(one), len(other))
    if one[:shorter] != other[:shorter]:
        ply = next(at for at in range(shorter) if one[at] != other[at])
        return f"their moves differ, first at move {ply} of the game"
    return _merge(first, second, second_is_base=_is_base(first, second, len(one), len(other)))


def _is_base(first: Record, second: Record, one: int, other: int) -> bool:
    """Whether the second copy is the one to write into: the longer one, and of two alike the sealed one."""
    if one != other:
        return other > one
    return second.header(PROOF) is not None and first.header(PROOF) is None


def _plies(record: Record) -> list[bytes] | None:
    start = start_key(record)
    return None if start is None else [start, *(ply.key for ply in keyed_plies(record, start))]


def _merge(first: Record, second: Record, *, second_is_base: bool) -> Merged:
    base, given = (second, first) if second_is_base else (first, second)
    sealed = base.header(PROOF) is not None
    notes: list[str] = []
    coming: dict[tuple[int, int], list[Remark]] = {}
    for order, remark in _placed(given, base, notes):
        if is_own(remark) or not (sealed or given.header(PROOF) is not None):
            coming.setdefault((order, remark.at), []).append(remark)
    counts = Counter[str]()
    entries = [
        entry._replace(remarks=_join(entry.remarks, order, coming, counts, given_first=second_is_base))
        for order, entry in enumerate(base.entries)
    ]
    afterword = _join(base.afterword, len(base.entries), coming, counts, given_first=second_is_base)
    headers, told = _headers(base, given, sealed=sealed)
    made = replace(base, headers=headers, entries=tuple(entries), afterword=afterword)
    of_first, of_second = ("given", "base") if second_is_base else ("base", "given")
    return Merged(made, counts[of_first], counts[of_second], counts["both"], (*notes, *told))


def _join(
    there: tuple[Remark, ...],
    order: int,
    coming: dict[tuple[int, int], list[Remark]],
    counts: Counter[str],
    *,
    given_first: bool,
) -> tuple[Remark, ...]:
    """The remarks of an entry with those of the other copy; what both say stands once."""
    joined: list[Remark] = []
    places = dict.fromkeys([*(remark.at for remark in there), *(at for entry, at in coming if entry == order)])
    for at in sorted(places):
        here = [remark for remark in there if remark.at == at]
        given = coming.get((order, at), [])
        left = Counter(here)
        new = []
        for remark in given:
            if left[remark]:
                left[remark] -= 1
                counts["both"] += is_own(remark)
                counts["base"] -= is_own(remark)
            else:
                new.append(remark)
        counts["given"] += sum(map(is_own, new))
        counts["base"] += sum(map(is_own, here))
        joined += [*new, *here] if given_first else [*here, *new]
    return tuple(joined)


def _placed(given: Record, base: Record, notes: list[str]) -> Iterator[tuple[int, Remark]]:
    """The remarks of one copy with their places in the other: the entry, counted from 0, and `at`."""
    if _bare(base)[: len(given.entries)] == _bare(given):
        for order, entry in enumerate(given.entries):
            yield from ((order, remark) for remark in entry.remarks)
        for remark in given.afterword:
            if len(base.entries) == len(given.entries):
                yield len(base.entries), remark
            else:
                yield len(given.entries) - 1, remark._replace(at=len(given.entries[-1].moves) if given.entries else 0)
        return
    where = _spots_of(base)
    for spot, remark in _by_plies(given, base, notes):
        order, at = _find(where, spot, base)
        yield order, remark._replace(at=at)


def _bare(record: Record) -> list[tuple[str, tuple[object, ...]]]:
    return [(entry.who, entry.moves) for entry in record.entries]


def _entry_spots(record: Record) -> Iterator[tuple[int, _Spot]]:
    """Every entry that stands, with the place where it begins."""
    stands = _standing(record)
    ply, word = 0, 0
    for order, entry in enumerate(record.entries):
        if entry.who in WORDS:
            yield order, _Spot(ply, _BEFORE, word)
            word += 1
        elif order in stands:
            yield order, _Spot(ply, _BEFORE)
            ply += len(entry.moves)
            word = 0


def _standing(record: Record) -> set[int]:
    """The entries that were not taken back, counted from 0."""
    line: list[int] = []
    for order, entry in enumerate(record.entries):
        if entry.who == UNDO:
            undone = entry.moves[0]
            before = [at for at in line if (record.entries[at].number or 0) < undone.turn]
            line = line[: len(before) + undone.kept]
        elif entry.who not in WORDS:
            line.append(order)
    return set(line)


def _spots_of(record: Record) -> dict[_Spot, tuple[int, int]]:
    """Where each place of a record is: the entry, and how many of its moves stand before it."""
    found: dict[_Spot, tuple[int, int]] = {}
    for order, spot in _entry_spots(record):
        found[spot._replace(side=ABOVE)] = (order, ABOVE)
        found[spot] = (order, 0)
        for at in range(1, len(record.entries[order].moves) + 1):
            found[_Spot(spot.ply if spot.word >= 0 else spot.ply + at, _BEHIND, spot.word)] = (order, at)
    return found


def _by_plies(given: Record, base: Record, notes: list[str]) -> Iterator[tuple[_Spot, Remark]]:
    """The remarks of a copy, each with its place; a word of the table that the other has not is told as a comment."""
    spots = dict(_entry_spots(given))
    words = {
        (spot.ply, spot.word): _said(base.entries[order], base) for order, spot in _entry_spots(base) if spot.word >= 0
    }
    here = 0
    for order, entry in enumerate(given.entries):
        spot = spots.get(order)
        if spot is None:  # it was taken back
            yield from ((_Spot(here, _BEHIND), remark) for remark in entry.remarks)
            continue
        if spot.word >= 0 and words.get((spot.ply, spot.word)) != _said(entry, given):
            said = write_entry(entry._replace(remarks=()), given.game)
            notes.append(f"only one copy says {said!r}: it is kept as a comment")
            yield _Spot(here, _BEHIND), Remark(0, COMMENT, said)
            yield from ((_Spot(here, _BEHIND), remark) for remark in entry.remarks)
            continue
        for remark in entry.remarks:
            if remark.at <= 0:
                yield spot._replace(side=remark.at), remark
            else:
                yield _Spot(spot.ply if spot.word >= 0 else spot.ply + remark.at, _BEHIND, spot.word), remark
        here += len(entry.moves) if spot.word < 0 else 0
    yield from ((_Spot(here, _LAST), remark) for remark in given.afterword)


def _said(entry: Entry, record: Record) -> str:
    return write_entry(entry._replace(remarks=(), number=None), record.game)


def _find(where: dict[_Spot, tuple[int, int]], spot: _Spot, base: Record) -> tuple[int, int]:
    """Where a place of one copy is in the other: the same one, else behind the move before it."""
    if spot.side == _LAST and all(each.ply <= spot.ply for each in where):
        return len(base.entries), ABOVE
    behind, start = _Spot(spot.ply, _BEHIND), _Spot(spot.ply, _BEFORE)
    found = where.get(spot) or where.get(behind) or where.get(start)
    return found if found is not None else (len(base.entries), ABOVE)


def _headers(base: Record, given: Record, *, sealed: bool) -> tuple[tuple[tuple[str, str], ...], list[str]]:
    """The headers of both, and what is to be told: the base's value stays, another one gets a name of its own."""
    options = {option.name for option in base.game.options} if base.game is not None else set()
    kept = dict(base.headers)
    told = []
    for name, value in given.headers:
        is_meaning = name in _OF_FORM or name in options or name.partition(".")[0] == POSE
        if is_meaning or name in _OF_PROOF or (name.startswith("Player.") and given.header(PROOF) is not None):
            continue
        if name in kept and kept[name] == value:
            continue
        if sealed:
            told.append(f"{name}: the other copy says {value!r}; a sealed record keeps its own headers")
            continue
        if name not in kept and not name.startswith(SEAT):
            kept[name] = value
            continue
        # `Seat.red.copy2` would be one more seat.
        stem = "Name." + name.removeprefix(SEAT) if name.startswith(SEAT) else name.partition(".copy")[0]
        copies = [f"{stem}.copy{number}" for number in range(2, 1000)]
        if any(kept.get(copy) == value for copy in copies) or kept.get(stem) == value:
            continue
        free = next(copy for copy in copies if copy not in kept)
        kept[free] = value
        told.append(f"{name}: kept {kept.get(name)!r}, the other ({value!r}) is {free}")
    return sort_headers(kept.items()), told


def is_over(record: Record) -> bool:
    """Whether a record says how its game ended."""
    return any(entry.who == END for entry in record.entries)
