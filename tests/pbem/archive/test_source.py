"""Lines come out of files and pipes as they are, in constant memory."""

import os
import threading
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notation import chunks
from notation.chunks import LINE
from pbem.archive.source import Source, UnreadableFile


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("source") / "some.turns"


@given(st.binary(max_size=400).filter(lambda data: b"\0" not in data))
def test_any_bytes_come_out_as_their_lines(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    expected = data.decode("utf-8", "surrogateescape").split("\n")
    if expected[-1] == "":
        expected.pop()
    assert list(Source(str(path)).lines()) == expected


def test_lines_are_whole_wherever_the_blocks_are_cut(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"{'ä' * (number % 97)} {number}\n" for number in range(3000))
    path.write_text(text, "utf-8")
    for size in (1, 7, 64, 1000):
        monkeypatch.setattr(chunks, "_CHUNK", size)
        assert list(Source(str(path)).lines()) == text.split("\n")[:-1]


def test_a_line_that_was_handed_out_can_be_quoted(path: Path) -> None:
    path.write_text("one\ntwo\nthree\n", "utf-8")
    source = Source(str(path))
    assert source.quote(2) is None
    list(source.lines())
    assert [source.quote(number) for number in (0, 1, 2, 3, 4)] == [None, "one", "two", "three", None]


def test_progress_and_the_witness_see_every_byte(path: Path) -> None:
    path.write_bytes(b"one\r\ntwo \xff\n" * 9000)
    seen: list[bytes] = []
    source = Source(str(path), seen.append)
    list(source.lines())
    assert b"".join(seen) == path.read_bytes()
    assert source.done == source.size == path.stat().st_size


def test_a_line_without_end_is_cut_where_it_is_surely_too_long(path: Path) -> None:
    path.write_bytes(b"before\n" + "ä".encode() * 10_000_000 + b"\nafter\n")
    tracemalloc.start()
    before, long, after = Source(str(path)).lines()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (before, after) == ("before", "after")
    assert LINE < len(long) < 10 * LINE
    assert peak < 32 * LINE


def test_a_pipe_is_read_as_its_writer_writes(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    go_on = threading.Event()

    def write() -> None:
        with fifo.open("wb", buffering=0) as stream:
            stream.write(b"first\nsec")
            go_on.wait(10)
            stream.write(b"ond\n")

    writer = threading.Thread(target=write)
    writer.start()
    lines = Source(str(fifo)).lines()
    assert next(lines) == "first"
    go_on.set()
    assert list(lines) == ["second"]
    writer.join()


@pytest.mark.parametrize(("content", "misuse"), [(b"MZ\0\0", False), (None, True)])
def test_what_holds_no_text_is_unreadable(tmp_path: Path, content: bytes | None, misuse: bool) -> None:
    path = tmp_path / "thing"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UnreadableFile, match="thing") as caught:
        list(Source(str(path)).lines())
    assert caught.value.misuse is misuse
