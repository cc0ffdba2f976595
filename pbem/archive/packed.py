"""Streams of bytes as they are, or unpacked: gzip and zstd are known by their first bytes, whatever a file is called.

Unpacking takes little memory however much comes out of a few bytes. Nothing ends silently: a packed stream whose end is
missing is an error.
"""

import io
import zlib
from typing import Final, Protocol

GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"

_PIECE: Final = 1 << 10
"""Packed bytes that are given to zstd at once: at most 32 MB come out of them."""


class Bytes(Protocol):
    """A stream that gives what it has ready."""

    def read1(self, size: int, /) -> bytes:
        """Up to `size` bytes; none at the end."""
        ...


class PackedFileError(OSError):
    """A packed stream is damaged, or nothing here can unpack it."""


class Unpacked:
    """A stream of bytes as they are, or unpacked if its beginning says that it is packed."""

    def __init__(self, stream: Bytes) -> None:
        self._stream = stream
        self._begun: Bytes | None = None

    @property
    def is_packed(self) -> bool:
        """Whether the stream is packed; False as long as nothing was read."""
        return self._begun is not None and not isinstance(self._begun, _Rejoined)

    def read(self, size: int) -> bytes:
        """Up to `size` bytes, as soon as there are some; none at the end."""
        if self._begun is None:
            rejoined = _Rejoined(self._first(size), self._stream)
            self._begun = _unpacker(rejoined)
        try:
            return self._begun.read1(size)
        except OSError as problem:
            if problem.errno is not None or isinstance(problem, PackedFileError):
                raise
            raise PackedFileError(f"is packed, but damaged: {problem}") from problem
        except EOFError as problem:
            raise PackedFileError("is packed, and its end is missing") from problem
        except zlib.error as problem:
            raise PackedFileError(f"is packed, but damaged: {problem}") from problem

    def _first(self, size: int) -> bytes:
        """The first bytes: what a pipe has ready, but enough to see whether it is packed."""
        head = self._stream.read1(size)
        while head and any(len(head) < len(sign) and sign.startswith(head) for sign in (GZIP, ZSTD)):
            more = self._stream.read1(size)
            if not more:
                break
            head += more
        return head


class _Rejoined(io.RawIOBase):
    """The bytes that were looked at, and then the others."""

    def __init__(self, head: bytes, stream: Bytes) -> None:
        super().__init__()
        self.head = head
        self._stream = stream

    def readable(self) -> bool:
        return True

    def read1(self, size: int) -> bytes:
        if not self.head:
            return self._stream.read1(size)
        taken, self.head = self.head[:size], self.head[size:]
        return taken

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # any buffer is one of bytes here
        data = self.read1(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _unpacker(stream: _Rejoined) -> Bytes:
    """What unpacks a stream, or the stream itself if it is not packed. Loaded only where something is packed."""
    if stream.head.startswith(GZIP):
        from isal.igzip import IGzipFile

        opened: Bytes = IGzipFile(fileobj=stream, mode="rb")  # type: ignore[no-untyped-call]  # it has no types
        return opened
    return _ZstdStream(stream) if stream.head.startswith(ZSTD) else stream


class _ZstdStream:
    """What a stream of zstd frames holds."""

    def __init__(self, stream: Bytes) -> None:
        try:
            from zstandard import ZstdDecompressor, ZstdError
        except ImportError:
            says = "is packed by zstd; install caravan-post[archive], or unpack it first"
            raise PackedFileError(says) from None
        self._stream = stream
        self._new_frame = ZstdDecompressor().decompressobj
        self._error = ZstdError
        self._frame = self._new_frame()
        self._inside = False
        self._out = b""

    def read1(self, size: int) -> bytes:
        while not self._out:
            packed = self._stream.read1(_PIECE)
            if not packed:
                if self._inside:
                    raise EOFError
                return b""
            self._out = self._unpack(packed)
        taken, self._out = self._out[:size], self._out[size:]
        return taken

    def _unpack(self, packed: bytes) -> bytes:
        unpacked = b""
        while packed:
            try:
                unpacked += self._frame.decompress(packed)
            except self._error as problem:
                raise PackedFileError(f"is packed, but damaged: {problem}") from problem
            self._inside = not self._frame.eof
            packed = self._frame.unused_data if self._frame.eof else b""
            if self._frame.eof:
                self._frame = self._new_frame()
        return unpacked
