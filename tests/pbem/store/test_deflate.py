"""Our own compression is zlib's at level 5, bit for bit, on every machine."""

import random
import zlib
from collections.abc import Sequence
from hashlib import sha256

import pytest

from pbem.store.deflate import deflate


def draw(seed: int, letters: int, size: int, weights: Sequence[int] | None = None) -> bytes:
    return bytes(random.Random(seed).choices(range(letters), weights, k=size))


def lines(seed: int, width: int, count: int) -> bytes:
    """Like a picture: lines that are mostly like the one before."""
    chance, line, found = random.Random(seed), bytearray(width), bytearray()
    for _ in range(count):
        for _ in range(chance.choice((0, 0, 1, 4))):
            begin = chance.randrange(width)
            line[begin : begin + 9] = bytes([chance.randrange(256)]) * len(line[begin : begin + 9])
        found += line
    return bytes(found)


KNOWN = {
    "nothing": (b"", "4124a9b34347a1f878716df4f671e438e6eb308f70838b5e6c48c3eae46d1c23"),
    "a few bytes": (b"abcabcabcabc", "7ec6b69d75236741ae2e53c3c597e915c62f4fb7673d53721786ade8a37b3bce"),
    "one byte for long": (bytes(200_000), "19be708d0eb159291433f44057404cdf7d8b1af49df7e70d6037f3133c12fb51"),
    "what cannot be compressed": (
        random.Random(1).randbytes(100_000),
        "ac6bc51b076a63e8444e074bebb3642cdc39525354e982557e8cfd8bab880865",
    ),
    "letters by chance": (draw(2, 4, 100_000), "1488606090cd83d5bf025cfd36fe35852dff9932fddcccce935d1c3865145787"),
    "letters of unlike number": (
        draw(3, 30, 60_000, [2**at for at in range(30)]),
        "94ac182439ec79e8b89d1c92b9e550c6e5b69ddf201c900b0b82813933185396",
    ),
    "lines": (lines(4, 363, 1_012), "31c8c59699478901835ac20f904f0a7aad7a54884dda669c6c0928473009fad0"),
    "wide lines": (lines(5, 40_000, 9), "cb3f8e115dbc08307473fb8bf32952bc0000aab9f3fcc4e9c7378fb118dc7ad2"),
}
"""Bytes, and the digest of what zlib 1.2.13 makes of them at level 5."""


@pytest.mark.parametrize("name", KNOWN)
def test_it_is_what_zlib_has_always_made(name: str) -> None:
    data, digest = KNOWN[name]
    assert sha256(deflate(data)).hexdigest() == digest


@pytest.mark.parametrize("seed", range(20))
def test_whatever_it_makes_can_be_unpacked(seed: int) -> None:
    chance = random.Random(seed)
    data = draw(seed, chance.choice((1, 2, 16, 256)), chance.choice((1, 20, 5_000))) * chance.choice((1, 2, 50))
    data += chance.randbytes(chance.choice((0, 1, 40)))
    assert zlib.decompress(deflate(data)) == data
