"""A bundle taken apart: its files, and what they say, as far as that can be read at all."""

import io
import json
import zipfile
import zlib
from typing import Any, Final, NamedTuple

from pbem.disputes.bundle import FORM, LETTERS, MANIFEST, POST, RECORD
from pbem.proof.manifest import Listed, read_manifest

LARGEST: Final = 200_000_000
"""Bytes that a bundle may unpack to."""


class NoBundleError(Exception):
    """The file is no bundle, or none that can be checked here; why, in a few words."""


class Unpacked(NamedTuple):
    """A bundle as it was found. Anything may stand in it."""

    parts: dict[str, bytes]
    post: dict[str, Any]
    letters: list[Any]
    manifest: Listed | None
    """None if there is none, or it is broken."""

    @property
    def case(self) -> int:
        """The number of its case, by its own account."""
        case = self.post.get("case")
        return case if isinstance(case, int) else 0


def unpack(content: bytes) -> Unpacked:
    """Take a bundle apart; NoBundleError if it is none."""
    parts = _read_archive(content)
    post, letters = _read_json(parts, POST, dict), _read_json(parts, LETTERS, list)
    if post.get("form") != FORM:
        raise NoBundleError(f"it is not of the form {FORM}")
    lines = parts.get(MANIFEST, b"").decode("utf-8", "replace").splitlines()
    return Unpacked(parts, post, letters, read_manifest(lines))


def _read_archive(content: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(each.file_size for each in archive.infolist()) > LARGEST:
                raise NoBundleError("it is too large")
            names = archive.namelist()
            # Of two files with one name, some programs show the first and others the last.
            if twice := [name for name in names if names.count(name) > 1]:
                raise NoBundleError(f"it has two files called {twice[0]}")
            parts = {each.filename: archive.read(each) for each in archive.infolist()}
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError) as problem:
        raise NoBundleError(f"it cannot be unpacked: {problem}") from None
    if missing := [name for name in (RECORD, LETTERS, POST) if name not in parts]:
        raise NoBundleError(f"it has no {missing[0]}")
    return parts


def _read_json(parts: dict[str, bytes], name: str, kind: type) -> Any:
    try:
        found = json.loads(parts[name])
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, kind):
        raise NoBundleError(f"its {name} cannot be read")
    return found
