"""Manifests: the signed list of the files in the bundle of a case, so that any change to the bundle shows."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from pbem.proof.signatures import SignedNote, Signer, read_notes, sign_note

FORM: Final = "pbm-bundle-1"
_FILE: Final = "file "


class Manifest(NamedTuple):
    """The list of files that a post signed for a bundle."""

    post: str
    game: str
    case: int
    files: tuple[tuple[str, str], ...]
    """The digest and the name of every file but the manifest itself, by name."""
    key: str

    def lines(self) -> list[str]:
        """What is signed, line by line."""
        return [
            FORM,
            f"post {self.post}",
            f"game {self.game}",
            f"case {self.case}",
            *(f"{_FILE}{digest} {name}" for digest, name in self.files),
            f"key {self.key}",
        ]


class FoundManifest(NamedTuple):
    """A manifest that was read, and the signed note it stood in."""

    manifest: Manifest
    note: SignedNote


def list_files(parts: Mapping[str, bytes]) -> tuple[tuple[str, str], ...]:
    """The digests and names of some files, as a manifest has them."""
    return tuple((hashlib.sha256(content).hexdigest(), name) for name, content in sorted(parts.items()))


def sign_manifest(manifest: Manifest, signer: Signer) -> tuple[str, ...]:
    """The lines of a manifest with its signature."""
    return sign_note(manifest.lines(), signer)


def read_manifest(lines: Iterable[str]) -> FoundManifest | None:
    """The manifest in some lines; None if there is none or it is malformed."""
    note = next(read_notes(lines, FORM), None)
    if note is None:
        return None
    values = note.values
    try:
        manifest = Manifest(
            post=values["post"],
            game=values["game"],
            case=int(values["case"]),
            files=tuple(_read_file(line) for line in note.lines if line.startswith(_FILE)),
            key=values["key"],
        )
    except (KeyError, ValueError):
        return None
    return FoundManifest(manifest, note) if tuple(manifest.lines()) == note.lines else None


def _read_file(line: str) -> tuple[str, str]:
    digest, name = line.removeprefix(_FILE).split(" ")
    return digest, name
