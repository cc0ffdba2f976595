"""Why a file cannot be opened: who owns it, and what to do about it.

An operator who is told only that a file cannot be read makes a new one, which is wrong for a key.
"""

import errno
import os
import pwd
import stat
from pathlib import Path
from typing import Final

from pbem.settings.kinds import Mistake

_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)
_ROOT: Final = 0
_SHARED: Final = stat.S_IRWXG | stat.S_IRWXO


def explain_os_error(problem: OSError, path: Path) -> Mistake:
    """Why a file cannot be opened, and what would help."""
    if isinstance(problem, PermissionError):
        return _forbidden(path)
    if isinstance(problem, FileNotFoundError):
        return Mistake(f"{path} is not there", "restore it from your backup, or name the right one")
    if isinstance(problem, NotADirectoryError | FileExistsError):
        place = next((each for each in (path, *path.parents) if each.exists()), path)
        return Mistake(f"{place} is a file, not a folder", "name another")
    if isinstance(problem, IsADirectoryError):
        return Mistake(f"{path} is a folder", "name a file")
    if problem.errno == errno.EROFS:
        return Mistake(f"{path} is on a disk that can only be read", "mount it for writing")
    if problem.errno in _NO_ROOM:
        return Mistake(f"there is no room on the disk for {path}", "free some space")
    return Mistake(f"{path}: {(problem.strerror or str(problem)).lower()}", "look at the disk")


def mode_if_shared(path: Path) -> str | None:
    """The mode of a file that others than its owner can open; None if only the owner can, or it is not there."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return None
    return f"{mode:04o}" if mode & _SHARED else None


def _forbidden(path: Path) -> Mistake:
    """Who owns the file, or the nearest folder above it that can be examined."""
    place = path
    while True:
        try:
            found = place.stat()
            break
        except OSError:
            place = place.parent
    owner, us = _name(found.st_uid), os.geteuid()
    we = _name(us)
    what = f"{path} belongs to {owner}" if place == path else f"{place}, where {path.name} is, belongs to {owner}"
    if owner == we:
        mode = f"{stat.S_IMODE(found.st_mode):04o}"
        what = f"{what} but has mode {mode}"
        return Mistake(f"{what}, which does not let us in", f"let its owner in: chmod u+rwX '{place}'")
    # A file that root left behind should be ours; if it belongs to another user, we run as the wrong one.
    remedy = f"give it back: chown {us} '{place}'" if found.st_uid == _ROOT else f"run this as {owner}"
    return Mistake(f"{what}, and we are {we}", remedy)


def _name(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"user {user}"
