"""Packed files are known by their bytes, and none of them ends silently."""

import gzip
import io
import random
import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zstandard import ZstdCompressor

from pbem.archive.packed import PackedFileError, Unpacked

Pack = Callable[[bytes], bytes]
NOISE = random.Random(7).randbytes(300_000).hex().encode()


def zstd(data: bytes) -> bytes:
    return ZstdCompressor(write_checksum=True).compress(data)


PACKERS = pytest.mark.parametrize("pack", [gzip.compress, zstd])


class Dribble(io.BytesIO):
    """A pipe that gives a few bytes at a time."""

    def read1(self, size: int | None = -1) -> bytes:
        return self.read(min(3, size) if size and size > 0 else 3)


def read_whole(stream: io.BytesIO) -> bytes:
    unpacked = Unpacked(stream)
    return b"".join(iter(lambda: unpacked.read(1 << 16), b""))


@PACKERS
def test_what_was_packed_comes_out_also_in_several_parts(pack: Pack) -> None:
    assert read_whole(io.BytesIO(pack(NOISE) + pack(b"more"))) == NOISE + b"more"


@PACKERS
def test_a_slow_pipe_is_unpacked_too(pack: Pack) -> None:
    assert read_whole(Dribble(pack(b"a game\n" * 99))) == b"a game\n" * 99


@given(st.binary(max_size=40).filter(lambda data: data[:2] != b"\x1f\x8b" and data[:4] != b"\x28\xb5\x2f\xfd"))
def test_anything_else_comes_out_as_it_is(data: bytes) -> None:
    assert read_whole(io.BytesIO(data)) == read_whole(Dribble(data)) == data


@PACKERS
@pytest.mark.parametrize("size", [4, 30, 100_000, -3])
def test_a_packed_file_that_was_cut_off_says_so(pack: Pack, size: int) -> None:
    with pytest.raises(PackedFileError, match="its end is missing"):
        read_whole(io.BytesIO(pack(NOISE)[:size]))


@PACKERS
def test_a_damaged_packed_file_says_so(pack: Pack) -> None:
    packed = bytearray(pack(NOISE))
    packed[len(packed) // 2] ^= 1
    with pytest.raises(PackedFileError, match="is packed, but damaged"):
        read_whole(io.BytesIO(bytes(packed)))


@PACKERS
def test_a_bomb_takes_little_memory(pack: Pack) -> None:
    bomb = io.BytesIO(pack(bytes(150_000_000)))
    tracemalloc.start()
    unpacked = Unpacked(bomb)
    size = sum(len(block) for block in iter(lambda: unpacked.read(1 << 16), b""))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size == 150_000_000
    assert peak < 80_000_000
