"""Compiled grammars, kept from one start to the next in a folder that only this user can open.

The folder is a convenience: whatever is missing, damaged, foreign or cannot be written is treated as not there, and
nobody is told. What is kept is plain data together with its key and a checksum, so that a damaged file, or one of
another key, can mislead nobody.
"""

import json
import os
import stat
import sys
import zlib  # enough against damage; loading a hash function would take longer than reading a record
from pathlib import Path
from typing import Any


def folder() -> Path:
    """Where compiled grammars are kept for this user and this version of Python."""
    version = "{}.{}".format(*sys.version_info)
    return _caches() / "caravan-post" / f"grammars-{version}"


def load(key: str) -> Any | None:
    """The data kept under a key, or None."""
    try:
        if not _is_private(folder()):
            return None
        checksum, _, kept = _file(key).read_text("utf-8").partition("\n")
        owner, data = json.loads(kept) if checksum == _checksum(kept) else ("", None)
        return data if owner == key else None
    except (OSError, RuntimeError, ValueError):
        return None


def save(key: str, data: Any) -> None:
    """Keep data under a key, if the folder allows it; a reader meanwhile sees the old file or the new one whole."""
    kept = json.dumps([key, data])
    try:
        folder().mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
        if _is_private(folder()):
            draft = _file(key).with_suffix(f".{os.getpid()}")
            draft.write_text(f"{_checksum(kept)}\n{kept}", "utf-8")
            draft.replace(_file(key))
    except (OSError, RuntimeError, ValueError):
        return


def _caches() -> Path:
    """The user's folder for caches; RuntimeError when there is no home."""
    given = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(given) if given else Path.home() / ".cache"


def _is_private(path: Path) -> bool:
    """True when nobody else can have put anything there."""
    found = path.stat()
    ours = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    return ours and (os.name != "posix" or not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def _file(key: str) -> Path:
    return folder() / f"{_checksum(key)}.json"


def _checksum(text: str) -> str:
    return f"{zlib.crc32(text.encode()):08x}"
