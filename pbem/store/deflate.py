"""Compressing as zlib does at level 5, bit for bit: for the day on which a machine's zlib does it otherwise.

A picture that was packed away as pixels must come back as the bytes that were mailed. The library that compressed it
makes the same bytes again, but a faster one in its place (there are several) makes others. Then this does, in a second
for a picture. It follows RFC 1951, and zlib's choices where the RFC leaves any: which match is taken (lazily, along
chains of at most 32), when a block ends, and how codes of equal frequency are ordered.
"""

import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

_GOOD: Final = 8
"""A match of this length is good: from then on only a quarter of a chain is looked at."""
_LAZY: Final = 16
"""Behind a match of this length no longer one is looked for."""
_NICE: Final = 32
"""At a match of this length a search ends."""
_CHAIN: Final = 32
_SHORTEST: Final = 3
_LONGEST: Final = 258
_WINDOW: Final = 32_768
_AHEAD: Final = _LONGEST + _SHORTEST + 1
"""Bytes that zlib wants to see before it looks for a match."""
_FARTHEST: Final = _WINDOW - _AHEAD
_TOO_FAR: Final = 4_096
"""A match of three bytes that is farther away costs more than it saves."""
_SYMBOLS: Final = 16_383
"""Literals and matches in a block."""

_END: Final = 256
_LENGTH_EXTRA: Final = (*(0,) * 8, *(1,) * 4, *(2,) * 4, *(3,) * 4, *(4,) * 4, *(5,) * 4, 0)
_DISTANCE_EXTRA: Final = (0, 0, *(extra for extra in range(14) for _ in range(2)))
_RUN_EXTRA: Final = (*(0,) * 16, 2, 3, 7)
_RUN_ORDER: Final = (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)
_FIXED_LITERALS: Final = [8] * 144 + [9] * 112 + [7] * 24 + [8] * 8
_FIXED_DISTANCES: Final = [5] * 30

Symbol = tuple[int, int]
"""A literal as (0, byte), or a match as (distance, length)."""


def deflate(data: bytes) -> bytes:
    """What zlib makes of it at level 5."""
    bits = _Bits()
    for block in _blocks(data):
        _write_block(bits, block)
    return b"\x78\x5e" + bits.end() + struct.pack(">I", zlib.adler32(data))


class _Block(NamedTuple):
    """Some literals and matches, and the bytes they stand for, if zlib still has all of them then."""

    symbols: list[Symbol]
    plain: bytes | None
    last: bool


def _blocks(data: bytes) -> Iterator[_Block]:
    """Find matches, one byte late: a match is taken only if there is no longer one at the next byte."""
    head: dict[int, int] = {}
    before = [-1] * len(data)
    """For each place the one before it with the same key, which is made of three bytes; others share it, as in zlib."""
    symbols: list[Symbol] = []
    at = begin = base = 0
    end = min(len(data), 2 * _WINDOW)
    length, start, waits = _SHORTEST - 1, 0, False

    def enter(place: int) -> int:
        key = (data[place] << 10 ^ data[place + 1] << 5 ^ data[place + 2]) & 0x7FFF
        found = before[place] = head.get(key, -1)
        head[key] = place
        return found

    def take(*, last: bool = False) -> _Block:
        nonlocal symbols, begin
        block = _Block(symbols, data[begin:at] if begin >= base else None, last)
        symbols, begin = [], at
        return block

    while True:
        if end - at < _AHEAD:
            if at - base >= _WINDOW + _FARTHEST:
                base += _WINDOW
            end = min(len(data), base + 2 * _WINDOW)
            if at == end:
                break
        found = enter(at) if end - at >= _SHORTEST else -1
        last_length, last_start, length = length, start, _SHORTEST - 1
        if found > base and last_length < _LAZY and at - found <= _FARTHEST:
            length, start = _find_longest(data, before, found, at, end, base, last_length, start)
            if length == _SHORTEST and at - start > _TOO_FAR:
                length = _SHORTEST - 1
        if last_length >= _SHORTEST and length <= last_length:
            symbols.append((at - 1 - last_start, last_length))
            for place in range(at + 1, min(at + last_length - 2, end - _SHORTEST) + 1):
                enter(place)
            at += last_length - 1
            length, waits = _SHORTEST - 1, False
            if len(symbols) == _SYMBOLS:
                yield take()
            continue
        if waits:
            symbols.append((0, data[at - 1]))
            if len(symbols) == _SYMBOLS:
                yield take()
        waits = True
        at += 1
    if waits:
        symbols.append((0, data[at - 1]))
    yield take(last=True)


def _find_longest(
    data: bytes, before: Sequence[int], found: int, at: int, end: int, base: int, best: int, start: int
) -> tuple[int, int]:
    """The longest match along a chain that is longer than `best`, and where it is."""
    chain = _CHAIN >> 2 if best >= _GOOD else _CHAIN
    limit = max(base, at - _FARTHEST)
    left = end - at
    nice = min(_NICE, left)
    while True:
        if best < left and data[found : found + 2] == data[at : at + 2] and data[found + best] == data[at + best]:
            length = _count_equal(data, found, at, min(_LONGEST, left))
            if length > best:
                start, best = found, length
                if length >= nice:
                    break
        found = before[found]
        chain -= 1
        if found <= limit or not chain:
            break
    return min(best, left), start


def _count_equal(data: bytes, one: int, other: int, most: int) -> int:
    if data[one : one + most] == data[other : other + most]:
        return most
    length = 0
    while data[one + length] == data[other + length]:
        length += 1
    return length


class _Code(NamedTuple):
    """A Huffman code: for each symbol its length in bits."""

    lengths: list[int]
    most: int
    """The largest symbol that has one."""


def _make_code(counts: list[int], longest: int) -> _Code:
    """The code for symbols that come so often. Ties are broken by depth and by place in a heap, as zlib does."""
    size = len(counts)
    used = [symbol for symbol, count in enumerate(counts) if count]
    most = used[-1] if used else -1
    while len(used) < 2:  # a code has two symbols at least
        most, extra = (most + 1, most + 1) if most < 2 else (most, 0)
        counts[extra] = 1
        used.append(extra)
    weights, depths, parents = counts + [0] * size, [0] * 2 * size, [0] * 2 * size
    heap = [0, *used]

    def smaller(one: int, other: int) -> bool:
        return weights[one] < weights[other] or (weights[one] == weights[other] and depths[one] <= depths[other])

    def sink(place: int) -> None:
        node, last = heap[place], len(heap) - 1
        while (child := place * 2) <= last:
            if child < last and smaller(heap[child + 1], heap[child]):
                child += 1
            if smaller(node, heap[child]):
                break
            heap[place] = heap[child]
            place = child
        heap[place] = node

    for place in range(len(used) // 2, 0, -1):
        sink(place)
    order, node = list[int](), size
    while len(heap) > 2:
        first = heap[1]
        heap[1] = heap[-1]
        heap.pop()
        sink(1)
        second = heap[1]
        order += (first, second)
        weights[node] = weights[first] + weights[second]
        depths[node] = max(depths[first], depths[second]) + 1
        parents[first] = parents[second] = node
        heap[1] = node
        node += 1
        sink(1)
    return _Code(_limit_lengths(order, parents, size, node - 1, longest), most)


def _limit_lengths(order: list[int], parents: list[int], size: int, root: int, longest: int) -> list[int]:
    """The lengths of a code from its tree; none is longer than allowed. `order` has nodes, the rarest first."""
    lengths, many, over = [0] * 2 * size, [0] * (longest + 1), 0
    lengths[root] = 0
    for node in reversed(order):
        length = lengths[parents[node]] + 1
        if length > longest:
            length, over = longest, over + 1
        lengths[node] = length
        many[length] += node < size
    if over:
        while over > 0:
            shorter = next(bits for bits in range(longest - 1, 0, -1) if many[bits])
            many[shorter] -= 1
            many[shorter + 1] += 2
            many[longest] -= 1
            over -= 2
        leaves = iter([node for node in order if node < size])
        for bits in range(longest, 0, -1):
            for _ in range(many[bits]):
                lengths[next(leaves)] = bits
    return lengths[:size]


def _codes(lengths: Sequence[int]) -> list[tuple[int, int]]:
    """The bits of each symbol in the order in which they are written, and how many."""
    many = [0] * 17
    for length in lengths:
        many[length] += bool(length)
    following, code = [0] * 17, 0
    for bits in range(1, 17):
        code = (code + many[bits - 1]) << 1
        following[bits] = code
    found = []
    for length in lengths:
        found.append((int(f"{following[length]:0{length}b}"[::-1], 2) if length else 0, length))
        following[length] += bool(length)
    return found


def _by_size(extras: Sequence[int], first: int) -> list[tuple[int, int]]:
    """For each size from the first: its symbol, and where that begins."""
    found, begin = list[tuple[int, int]](), first
    for symbol, extra in enumerate(extras):
        found += [(symbol, begin)] * (1 << extra)
        begin += 1 << extra
    return found


_BY_LENGTH: Final = [*_by_size(_LENGTH_EXTRA[:-1], _SHORTEST)[: _LONGEST - _SHORTEST], (28, _LONGEST)]
_BY_DISTANCE: Final = _by_size(_DISTANCE_EXTRA, 1)


class _Bits:
    """Bits that are being written, the lowest first."""

    def __init__(self) -> None:
        self._written = bytearray()
        self._waiting = self._count = 0

    def add(self, value: int, count: int) -> None:
        """Write some bits."""
        self._waiting |= value << self._count
        self._count += count
        if self._count > 64:
            whole = self._count >> 3
            self._written += (self._waiting & ((1 << 8 * whole) - 1)).to_bytes(whole, "little")
            self._waiting >>= 8 * whole
            self._count -= 8 * whole

    def end(self) -> bytes:
        """Fill up the last byte; everything written so far."""
        size = (self._count + 7) >> 3
        self._written += self._waiting.to_bytes(size, "little")
        self._waiting = self._count = 0
        return bytes(self._written)


def _runs(lengths: Sequence[int]) -> Iterator[Symbol]:
    """The lengths of a code as they are written: a length, or a repetition (16, 17 or 18) with its count."""
    begin, last = 0, -1
    while begin < len(lengths):
        length = lengths[begin]
        most, least = (138, 3) if not length else (6, 3) if length == last else (7, 4)
        count = 1
        while count < most and begin + count < len(lengths) and lengths[begin + count] == length:
            count += 1
        begin += count
        if count < least:
            yield from [(length, 0)] * count
        elif length:
            if length != last:
                yield length, 0
                count -= 1
            yield 16, count - 3
        else:
            yield (17, count - 3) if count <= 10 else (18, count - 11)
        last = length


def _write_block(bits: _Bits, block: _Block) -> None:
    """Write a block in the shortest of three ways: with codes of its own, with fixed ones, or as it is."""
    literals, distances = [0] * 286, [0] * 30
    literals[_END] = 1
    extra = 0
    for distance, value in block.symbols:
        if distance:
            length, far = _BY_LENGTH[value - _SHORTEST][0], _BY_DISTANCE[distance - 1][0]
            literals[257 + length] += 1
            distances[far] += 1
            extra += _LENGTH_EXTRA[length] + _DISTANCE_EXTRA[far]
        else:
            literals[value] += 1
    true_counts = [*literals], [*distances]
    own, far_own = _make_code(literals, 15), _make_code(distances, 15)
    runs = [*_runs(own.lengths[: own.most + 1]), *_runs(far_own.lengths[: far_own.most + 1])]
    run_counts = [0] * 19
    for run, _ in runs:
        run_counts[run] += 1
    run_sizes = sum(_RUN_EXTRA[run] for run, _ in runs), [*run_counts]
    of_runs = _make_code(run_counts, 7)
    many = max(3, *(rank for rank, run in enumerate(_RUN_ORDER) if of_runs.lengths[run])) + 1

    def weigh(counts: Sequence[int], lengths: Sequence[int]) -> int:
        return sum(count * length for count, length in zip(counts, lengths, strict=False))

    size = extra + weigh(true_counts[0], own.lengths) + weigh(true_counts[1], far_own.lengths)
    size += run_sizes[0] + weigh(run_sizes[1], of_runs.lengths) + 3 * many + 14
    fixed = extra + weigh(true_counts[0], _FIXED_LITERALS) + weigh(true_counts[1], _FIXED_DISTANCES)
    size, fixed = (size + 10) >> 3, (fixed + 10) >> 3
    if block.plain is not None and len(block.plain) + 4 <= min(size, fixed):
        _write_plain(bits, block.plain, last=block.last)
    elif fixed <= size:
        bits.add(2 + block.last, 3)
        _write_symbols(bits, block.symbols, _codes(_FIXED_LITERALS), _codes(_FIXED_DISTANCES))
    else:
        bits.add(4 + block.last, 3)
        for value, count in ((own.most - 256, 5), (far_own.most, 5), (many - 4, 4)):
            bits.add(value, count)
        for run in _RUN_ORDER[:many]:
            bits.add(of_runs.lengths[run], 3)
        run_codes = _codes(of_runs.lengths)
        for run, more in runs:
            bits.add(*run_codes[run])
            bits.add(more, _RUN_EXTRA[run])
        _write_symbols(bits, block.symbols, _codes(own.lengths), _codes(far_own.lengths))


def _write_plain(bits: _Bits, plain: bytes, *, last: bool) -> None:
    bits.add(last, 3)
    bits.end()
    for value in struct.pack("<HH", len(plain), len(plain) ^ 0xFFFF) + plain:
        bits.add(value, 8)


def _write_symbols(
    bits: _Bits, symbols: Sequence[Symbol], literals: Sequence[tuple[int, int]], distances: Sequence[tuple[int, int]]
) -> None:
    for distance, value in symbols:
        if not distance:
            bits.add(*literals[value])
            continue
        length, begin = _BY_LENGTH[value - _SHORTEST]
        bits.add(*literals[257 + length])
        bits.add(value - begin, _LENGTH_EXTRA[length])
        far, begin = _BY_DISTANCE[distance - 1]
        bits.add(*distances[far])
        bits.add(distance - begin, _DISTANCE_EXTRA[far])
    bits.add(*literals[_END])
