"""A disk whose every write, and every wait for writes to be safe, is written down as SQLite asks for it.

SQLite reaches the disk through a table of functions (its VFS). The one that is usual is kept; this stands before it and
notes what goes through. What it refuses to know is what the bytes mean.
"""

import _sqlite3
import ctypes
import pickle
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

OK = 0
AS_DEFAULT = 1
NAME = b"recorded"


class Write(NamedTuple):
    """Bytes were handed to the disk, which may keep them where power does not reach."""

    file: str
    at: int
    content: bytes


class Truncate(NamedTuple):
    """A file was cut to a length."""

    file: str
    length: int


class Sync(NamedTuple):
    """All that was written to a file is safe from here on."""

    file: str


class Note(NamedTuple):
    """Something happened outside: from here on somebody relies on what was done before."""

    kind: str
    facts: tuple[Any, ...]


Entry = Write | Truncate | Sync | Note

_CLOSE = CFUNCTYPE(c_int, c_void_p)
_WRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_TRUNCATE = CFUNCTYPE(c_int, c_void_p, c_int64)
_SYNC = CFUNCTYPE(c_int, c_void_p, c_int)
# A file's name is handed on as the place where it stands: SQLite keeps more behind it.
_OPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)


class _Methods(Structure):
    """What can be done to a file (sqlite3_io_methods, version 3)."""

    _fields_ = (
        ("version", c_int),
        ("close", _CLOSE),
        ("read", c_void_p),
        ("write", _WRITE),
        ("truncate", _TRUNCATE),
        ("sync", _SYNC),
        *((f"other_{number}", c_void_p) for number in range(13)),
    )


class _File(Structure):
    """An open file, of which we know only what can be done to it."""

    _fields_ = (("methods", POINTER(_Methods)),)


class _Vfs(Structure):
    """A way to the disk (sqlite3_vfs, version 3)."""

    _fields_ = (
        ("version", c_int),
        ("file_size", c_int),
        ("longest_name", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", _OPEN),
        *((f"other_{number}", c_void_p) for number in range(15)),
    )


class NoWayInError(Exception):
    """The SQLite of this Python cannot be reached from outside."""


@cache
def library() -> Any:
    """The very SQLite that this Python uses."""
    try:
        found = ctypes.CDLL(getattr(_sqlite3, "__file__", None))
        found.sqlite3_vfs_find.restype = POINTER(_Vfs)
        found.sqlite3_vfs_register.argtypes = (POINTER(_Vfs), c_int)
    except (OSError, AttributeError) as reason:
        raise NoWayInError(str(reason)) from reason
    return found


class RecordedDisk:
    """Stands before the disk of this process from now on; there is no way back."""

    def __init__(self, trace: BinaryIO) -> None:
        self._trace = trace
        self._usual = library().sqlite3_vfs_find(None).contents
        self._open_files: dict[int, tuple[str, _Methods]] = {}
        self._known: dict[int, _Methods] = {}
        """Our table of functions for each usual one."""
        self._functions = (_CLOSE(self._close), _WRITE(self._write), _TRUNCATE(self._truncate), _SYNC(self._sync))
        self._vfs = _Vfs.from_buffer_copy(self._usual)
        self._vfs.name, self._vfs.open = NAME, _OPEN(self._open)
        if library().sqlite3_vfs_register(ctypes.byref(self._vfs), AS_DEFAULT) != OK:
            raise NoWayInError("SQLite takes no other way to the disk")

    def note(self, kind: str, *facts: Any) -> None:
        """Somebody outside relies on something from now on."""
        self._put(Note(kind, facts))

    def _put(self, entry: Entry) -> None:
        pickle.dump(entry, self._trace)

    def _open(self, _: int, name: int | None, file: int, flags: int, got: int | None) -> int:
        answer = self._usual.open(ctypes.addressof(self._usual), name, file, flags, got)
        opened = _File.from_address(file)
        if answer == OK and opened.methods:
            place = ctypes.addressof(opened.methods.contents)
            usual = _Methods.from_address(place)
            self._open_files[file] = (Path(ctypes.string_at(name).decode()).name if name else "", usual)
            if place not in self._known:
                ours = _Methods.from_buffer_copy(usual)
                ours.close, ours.write, ours.truncate, ours.sync = self._functions
                self._known[place] = ours
            opened.methods = ctypes.pointer(self._known[place])
        return int(answer)

    def _close(self, file: int) -> int:
        _, usual = self._open_files.pop(file)
        return int(usual.close(file))

    def _write(self, file: int, content: int, length: int, at: int) -> int:
        name, usual = self._open_files[file]
        self._put(Write(name, at, ctypes.string_at(content, length)))
        return int(usual.write(file, content, length, at))

    def _truncate(self, file: int, length: int) -> int:
        name, usual = self._open_files[file]
        self._put(Truncate(name, length))
        return int(usual.truncate(file, length))

    def _sync(self, file: int, flags: int) -> int:
        name, usual = self._open_files[file]
        answer = int(usual.sync(file, flags))
        self._put(Sync(name))
        return answer
