"""Files that are written as a whole, for everybody or for their owner's eyes alone."""

import os
import tempfile
from pathlib import Path


def write_file(path: Path, content: bytes, *, private: bool) -> None:
    """Write a file; a private one so that only its owner can read it, whoever could read what stood there before.

    A private one grows in a file of its own beside the old one and takes its place when complete: rights that are
    taken away from a file do not reach those who have it open already.
    """
    if not private or (path.exists() and not path.is_file()):
        path.write_bytes(content)  # a pipe or a terminal keeps nothing, whoever may read it
        return
    path = path.resolve()
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
