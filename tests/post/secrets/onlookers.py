"""An onlooker: all that a viewer and the public are given by a post, with what says nothing covered.

Two onlookers at posts that differ only in what is hidden from them have seen the same.
"""

import json
import re
import zipfile
from io import BytesIO
from typing import NamedTuple

from engine.digest import digest
from engine.game import PUBLIC, Seat
from pbem.workflow.handle_letter import LetterOutcome
from tests.post.court.courts import Court
from tests.post.secrets.outputs import Outputs
from tests.post.secrets.searching import ZIP
from tests.post.secrets.veils import Veil

_WALL = re.compile(r'(?<=^\{"at": ")[^"]+(?=", "level")|[\d,]+ MB are free', re.M)
"""What a real clock or a real disk says."""


class Seen(NamedTuple):
    """All that a viewer and the public are given at one moment, covered."""

    mails: tuple[tuple[str, list[int]], ...]
    state: str
    fate: str
    answers: tuple[tuple[str, str], ...]
    view: str
    """What the rules let the viewer see: once that differs, they have told him what was hidden."""


class Onlooker:
    """Looks at a post with the eyes of a viewer and of the public."""

    def __init__(self, court: Court, outputs: Outputs, viewer: Seat, *, often: int = 12) -> None:
        """`often` is after how many looks the commands are asked again."""
        self._town = court.town
        self._outputs = outputs
        self._folder = str(court.folder)
        self._viewer = viewer
        self._often = often
        self._looks = 0

    def look(self, outcome: LetterOutcome | None = None) -> Seen:
        table, veil, readers = self._town.table, Veil(self._town, self._outputs.signed), (self._viewer, PUBLIC)
        self._looks += 1
        asked = () if self._looks % self._often else self._outputs.answers()
        return Seen(
            tuple(veil.cover_mail(mail.content) for mail in self._outputs.mails() if mail.reader in readers),
            digest(table.game, table.position),
            f"{outcome.fate} {outcome.reason}" if outcome is not None and outcome.seat == self._viewer else "",
            tuple((each.name, self._read(veil, each.content)) for each in asked if each.reader in readers),
            json.dumps(table.game.view(table.position, self._viewer), sort_keys=True),
        )

    def _read(self, veil: Veil, content: bytes) -> str:
        """An answer covered; an archive is read file by file, for other bytes are packed in another way."""
        if content.startswith(ZIP):
            archive = zipfile.ZipFile(BytesIO(content))
            parts = {name: archive.read(name) for name in archive.namelist()}
            veil.see_files(parts)
            content = b"\n".join(name.encode() + b"\n" + part for name, part in parts.items())
        text = content.decode("latin-1").replace(self._folder, "(folder)")
        return _WALL.sub("(now)", veil.cover(text))


def tell_apart(one: Seen, two: Seen) -> str:
    """The first thing by which two onlookers could tell where they are; nothing if there is none."""
    for name, here, there in zip(Seen._fields, one, two, strict=True):
        if here != there:
            return f"{name}: {_excerpts(str(here), str(there))}"
    return ""


def _excerpts(here: str, there: str) -> str:
    at = next((at for at, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    return f"{here[max(0, at - 300) : at + 100]!r} is not {there[max(0, at - 300) : at + 100]!r}"
