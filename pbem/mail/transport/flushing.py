"""Making sure that a file and its name are on the disk."""

import os
from pathlib import Path


def write_through(path: Path, content: bytes) -> None:
    """A new file with this content, flushed; an existing one is an error."""
    with path.open("xb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def flush_folder(folder: Path) -> None:
    """Names that were added to a folder, or moved into it, are on the disk when this returns."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def file_name(address: str) -> str:
    """An address as the name of a file: readable as a rule, and never a way out of the folder."""
    from urllib.parse import quote

    name = quote(address, safe="@+=_-.!#$&'^{}~")[:200]
    return name if name.strip(".") == name else name.replace(".", "%2E")
