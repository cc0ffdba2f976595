"""Texts that are for their owner's eyes alone."""

import os
import tempfile
from pathlib import Path


def write_private(path: Path, text: str) -> None:
    """Write a text so that only its owner can read it, whoever could read what stood in the file before.

    It grows in a file of its own beside the old one and takes its place when complete: rights that are taken away
    from a file do not reach those who have it open already.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8", newline="\n")  # a pipe or a terminal keeps nothing
        return
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
