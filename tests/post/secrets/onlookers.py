"""An onlooker: all that a viewer and the public are given by a post, with what says nothing covered.

Two onlookers at posts that differ only in what is hidden from them have seen the same.
"""

import json
import re
import zipfile
from datetime import datetime
from io import BytesIO
from typing import NamedTuple

from engine.digest import digest
from engine.game import PUBLIC, Seat
from pbem.events.chain import Event
from pbem.events.codec import encode
from pbem.store.rows import MailRow
from pbem.tables.fold import fold
from pbem.tables.silence import is_offered_briefly
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
    events: tuple[str, ...] = ()
    """What has happened since the last look and when, as far as everybody may know."""
    traffic: tuple[tuple[str, ...], ...] = ()
    """The mails that were written since, in their order: to whom, of which kind, when, and whether they may leave."""


class Onlooker:
    """Looks at a post with the eyes of a viewer and of the public."""

    def __init__(self, court: Court, outputs: Outputs, viewer: Seat, *, often: int = 12) -> None:
        """`often` is after how many looks the commands are asked again."""
        self._town = court.town
        self._outputs = outputs
        self._folder = str(court.folder)
        self._viewer = viewer
        self._often = often
        self._looks = self._told = self._written = 0

    def look(self, outcome: LetterOutcome | None = None) -> Seen:
        table, veil, readers = self._town.table, Veil(self._town, self._outputs.signed), (self._viewer, PUBLIC)
        self._looks += 1
        asked = () if self._looks % self._often else self._outputs.answers()
        happened, written = self._events(veil), self._traffic()
        return Seen(
            tuple(veil.cover_mail(mail.content) for mail in self._outputs.mails() if mail.reader in readers),
            digest(table.game, table.position) if table.position is not None else "",
            f"{outcome.fate} {outcome.reason}" if outcome is not None and outcome.seat == self._viewer else "",
            tuple((each.name, self._read(veil, each.content)) for each in asked if each.reader in readers),
            json.dumps(table.game.view(table.position, self._viewer), sort_keys=True)
            if table.position is not None
            else "",
            happened,
            written,
        )

    def _events(self, veil: Veil) -> tuple[str, ...]:
        """The events since the last look, covered and without their hashes."""
        new = self._town.events[self._told :]
        self._told += len(new)
        told = (f"{each.seq} {each.kind} {each.at} {_data(each)}" for each in new)
        return tuple(map(veil.cover, told))

    def _traffic(self) -> tuple[tuple[str, ...], ...]:
        """The mails written since the last look, to anybody."""
        written, events = [], self._town.events
        with self._town.context.store.reading() as at_desk:
            while (mail := at_desk.find_mail(self._written + 1)) is not None:
                self._written += 1
                if self._is_between_two(mail, events):
                    continue
                moments = (mail.created_at.isoformat(), mail.not_before.isoformat())
                written.append((mail.recipient, mail.kind, *moments, mail.state))
        return tuple(written)

    def _is_between_two(self, mail: MailRow, events: list[Event]) -> bool:
        """Whether a mail tells somebody else of an offer: who cannot pay for it gets none, and only they know."""
        seat = mail.seat or ""
        if seat in ("", self._viewer) or mail.kind not in ("turn", "reminder", "news"):
            return False
        before = [event for event in events if datetime.fromisoformat(event.at) <= mail.created_at]
        return is_offered_briefly(fold(before), seat)

    def _read(self, veil: Veil, content: bytes) -> str:
        """An answer covered; an archive is read file by file, for other bytes are packed in another way."""
        if content.startswith(ZIP):
            archive = zipfile.ZipFile(BytesIO(content))
            parts = {name: archive.read(name) for name in archive.namelist()}
            veil.see_files(parts)
            content = b"\n".join(name.encode() + b"\n" + part for name, part in parts.items())
        text = content.decode("latin-1").replace(self._folder, "(folder)")
        return _WALL.sub("(now)", veil.cover(text))


def _data(event: Event) -> str:
    """The data of an event as records have them: names and words are seals."""
    return json.dumps(encode(event.payload, event.told), sort_keys=True)


def tell_apart(one: Seen, two: Seen) -> str:
    """The first thing by which two onlookers could tell where they are; nothing if there is none."""
    for name, here, there in zip(Seen._fields, one, two, strict=True):
        if here != there:
            return f"{name}: {_excerpts(str(here), str(there))}"
    return ""


def _excerpts(here: str, there: str) -> str:
    at = next((at for at, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    return f"{here[max(0, at - 300) : at + 100]!r} is not {there[max(0, at - 300) : at + 100]!r}"
