"""Compiled grammars, kept from one start to the next in a folder that only this user can open.

The folder is a convenience: whatever is missing, damaged, foreign or cannot be written is treated as not there, and
nobody is told. What is kept is plain data, checked by its digest, so that a damaged file can mislead nobody.
"""

import hashlib
import json
import os
import stat
import sys
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
        digest, _, kept = _file(key).read_text("utf-8").partition("\n")
        return json.loads(kept) if digest == _digest(kept) else None
    except (OSError, RuntimeError, ValueError):
        return None


def save(key: str, data: Any) -> None:
    """Keep data under a key, if the folder allows it; a reader meanwhile sees the old file or the new one whole."""
    kept = json.dumps(data)
    try:
        folder().mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
        if _is_private(folder()):
            draft = _file(key).with_suffix(f".{os.getpid()}")
            draft.write_text(f"{_digest(kept)}\n{kept}", "utf-8")
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
    return folder() / f"{_digest(key)}.json"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
