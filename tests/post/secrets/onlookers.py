"""An onlooker: all that a viewer and the public are given by a post, with what says nothing covered.

Two onlookers at posts that differ only in what is hidden from them have seen the same.
"""

import json
import re
import zipfile
from bisect import bisect_right
from collections.abc import Mapping
from datetime import datetime
from io import BytesIO
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from engine.digest import digest
from engine.game import PUBLIC, Seat
from pbem.events.chain import Event
from pbem.events.codec import encode
from pbem.judging.submission import can_accept
from pbem.tables.fold import fold
from pbem.tables.silence import is_offered_briefly
from pbem.workflow.handle_letter import LetterOutcome
from tests.post.court.courts import Court
from tests.post.secrets.outputs import Outputs
from tests.post.secrets.searching import ZIP
from tests.post.secrets.veils import Veil

_WALL = re.compile(r'(?<=^\{"at": ")[^"]+(?=", "level")|[\d,]+ MB are free', re.M)
"""What a real clock or a real disk says."""


Offered: TypeAlias = Mapping[tuple[str, int], bool]
"""Of somebody else's address and how much had happened: whether they could pay for what they were offered then."""
OF_OFFERS = ("turn", "news")
"""Kinds of mail that tell of an offer, or come in place of one that does."""


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
    offered: Offered = MappingProxyType({})
    """Which of these may be told of an offer, and whether they could pay for it: nobody sees this but they."""


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
        offered = self._offered()
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
            offered,
        )

    def _events(self, veil: Veil) -> tuple[str, ...]:
        """The events since the last look, covered and without their hashes."""
        new = self._town.events[self._told :]
        self._told += len(new)
        told = (f"{each.seq} {each.kind} {each.at} {_data(each)}" for each in new)
        return tuple(map(veil.cover, told))

    def _traffic(self) -> tuple[tuple[str, ...], ...]:
        """The mails written since the last look, to anybody, and how much had happened by then."""
        written, moments = [], [datetime.fromisoformat(event.at) for event in self._town.events]
        with self._town.context.store.reading() as at_desk:
            while (mail := at_desk.find_mail(self._written + 1)) is not None:
                self._written += 1
                times = (mail.created_at.isoformat(), mail.not_before.isoformat())
                happened = bisect_right(moments, mail.created_at)
                written.append((mail.recipient, mail.kind, *times, mail.state, str(happened)))
        return tuple(written)

    def _offered(self) -> Offered:
        """What others were offered since the last look, after each event, and whether they could pay for it."""
        events, found = self._town.events, dict[tuple[str, int], bool]()
        for happened in range(max(1, self._told), len(events) + 1):
            table = fold(events[:happened])
            for seat in (each for each in table.due if each != self._viewer):
                if is_offered_briefly(table, seat):
                    address = self._town.friends[seat].address
                    found[address, happened] = can_accept(table.game, table.position, seat)
        return found

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
    """The first thing by which two onlookers could tell where they are; nothing if there is none.

    Who cannot pay for an offer gets no mail about it, and only they know. So such a mail is left out, but only where
    its reader could pay at one post and could not at the other.
    """
    between = {
        (address, str(happened))
        for address, happened in one.offered.keys() & two.offered.keys()
        if one.offered[address, happened] != two.offered[address, happened]
    }
    one, two = (each._replace(traffic=_without(each.traffic, between), offered={}) for each in (one, two))
    for name, here, there in zip(Seen._fields, one, two, strict=True):
        if here != there:
            return f"{name}: {_excerpts(str(here), str(there))}"
    return ""


def _without(traffic: tuple[tuple[str, ...], ...], between: set[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """The mails without those that tell an offer to somebody who could pay for it at one post only."""
    return tuple(mail for mail in traffic if mail[1] not in OF_OFFERS or (mail[0], mail[-1]) not in between)


def _excerpts(here: str, there: str) -> str:
    at = next((at for at, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    return f"{here[max(0, at - 300) : at + 100]!r} is not {there[max(0, at - 300) : at + 100]!r}"
