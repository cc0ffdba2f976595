"""Packs: mails that were sent, and their pictures, many of one reader together, because each repeats the one before.

A text takes a fifth of the room in a pack, and a picture, as pixels, a quarter or less. All bytes come out as they went
in. What is deleted is taken out of its pack in the same transaction: the pack is written anew without it.
"""

import json
import lzma
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

from isal import isal_zlib

from pbem.store.pictures import Pixels, SharedPart, put_together, restore_picture, split_picture, take_apart
from pbem.store.queries import Queries, Row, insert_into, reading_row
from pbem.store.timestamps import format_timestamp

What = Literal["mails", "pictures"]

FEW: Final = 8
"""So many of one reader are packed at once, lest a pack be written anew for each."""
MANY: Final[Mapping[What, int]] = {"mails": 32, "pictures": 16}
"""How many a pack holds at most: to read one of them, all are unpacked."""
PATIENCE: Final = timedelta(days=7)
"""How long they wait for others, unless their game has ended and none will follow."""

_FILTERS: Final = [{"id": lzma.FILTER_LZMA2, "preset": 2}]
"""Harder packing saves a tenth of the room, and takes five times as long."""
_UNPACKED: Final = 4
"""Packs that are kept unpacked: those of one reader, whose mails are read one after the other."""

_ENDED: Final = "(outbox.game IS NULL OR stage IN ('over', 'called off'))"
_DUE: Final = "(state = 'sent' AND sent_at < :before)"
_OF_MAIL: Final = """
    JOIN outbox ON outbox.message_id = outbox_bytes.message_id LEFT JOIN game ON game.id = outbox.game"""
_MAILS_WAITING: Final = f"""
    SELECT outbox.message_id, outbox.game, lower(recipient), sent_at, {_ENDED}, {_DUE} FROM outbox_bytes {_OF_MAIL}
    WHERE outbox_bytes.pack IS NULL AND {_DUE} ORDER BY outbox.id"""  # noqa: S608 - our own names
_PICTURES_WAITING: Final = f"""
    SELECT outbox_shared.sha256, outbox.game, lower(recipient), sent_at, {_ENDED}, {_DUE}
    FROM outbox_shared JOIN outbox_bytes ON shared = outbox_shared.sha256 {_OF_MAIL}
    WHERE outbox_shared.pack IS NULL ORDER BY outbox.id"""  # noqa: S608 - our own names
_LAST_PACK: Final = """
    SELECT number, parts, packed FROM pack WHERE what = :what AND about = :about AND reader = :reader
    ORDER BY number DESC LIMIT 1"""
_MAILS_IN: Final = """
    SELECT message_id, pack_at, pack_length FROM outbox_bytes WHERE pack = :number ORDER BY pack_at"""
_PICTURES_IN: Final = """
    SELECT sha256, pack_at, pack_length FROM outbox_shared WHERE pack = :number ORDER BY pack_at"""
_IN: Final[Mapping[What, str]] = {"mails": _MAILS_IN, "pictures": _PICTURES_IN}
_LOOSE_MAILS: Final = """
    SELECT message_id, raw FROM outbox_bytes
    WHERE pack IS NULL AND message_id IN (SELECT value FROM json_each(:keys))"""
_LOOSE_PICTURES: Final = """
    SELECT sha256, head, content, encoded FROM outbox_shared
    WHERE pack IS NULL AND sha256 IN (SELECT value FROM json_each(:keys))"""
_LOOSE: Final[Mapping[What, str]] = {"mails": _LOOSE_MAILS, "pictures": _LOOSE_PICTURES}
_ADD_PACK: Final = insert_into("pack", ("what", "about", "reader", "parts", "packed"), returning="number")
_CHANGE_PACK: Final = "UPDATE pack SET parts = :parts, packed = :packed WHERE number = :number"
_DROP_PACK: Final = "DELETE FROM pack WHERE number = :number"
_PACK: Final = "SELECT packed FROM pack WHERE number = :number"
_MOVE_MAIL: Final = """
    UPDATE outbox_bytes SET pack = :number, pack_at = :at, pack_length = :length WHERE message_id = :key"""
_MOVE_PICTURE: Final = """
    UPDATE outbox_shared SET pack = :number, pack_at = :at, pack_length = :length WHERE sha256 = :key"""
_MOVE: Final[Mapping[What, str]] = {"mails": _MOVE_MAIL, "pictures": _MOVE_PICTURE}
_LOAD_MAIL: Final = "SELECT shared, shared_at FROM outbox_bytes WHERE message_id = :key"
_DROP_MAIL: Final = "DELETE FROM outbox_bytes WHERE message_id = :key"
_ADD_MAIL: Final = insert_into(
    "outbox_bytes", ("message_id", "raw", "shared", "shared_at", "pack", "pack_at", "pack_length")
)
_DROP_PICTURE: Final = "DELETE FROM outbox_shared WHERE sha256 = :key"
_ADD_PICTURE: Final = insert_into(
    "outbox_shared", ("sha256", "head", "content", "encoded", "pack", "pack_at", "pack_length")
)
_PACKS_OF_MAILS: Final = """
    SELECT DISTINCT pack FROM outbox_bytes
    WHERE pack IS NOT NULL AND message_id IN (SELECT value FROM json_each(:mails))"""
_SHARED_BY: Final = """
    SELECT DISTINCT shared FROM outbox_bytes
    WHERE shared IS NOT NULL AND message_id IN (SELECT value FROM json_each(:mails))"""
_DROP_MAILS: Final = "DELETE FROM outbox_bytes WHERE message_id IN (SELECT value FROM json_each(:mails))"
_UNUSED: Final = """
    SELECT sha256, pack FROM outbox_shared WHERE sha256 IN (SELECT value FROM json_each(:shared))
    AND NOT EXISTS (SELECT 1 FROM outbox_bytes WHERE shared = sha256)"""
_DROP_PICTURES: Final = "DELETE FROM outbox_shared WHERE sha256 IN (SELECT value FROM json_each(:unused))"


class Waiting(NamedTuple):
    """What waits to be packed together: mails or pictures of one reader at one table, by their keys."""

    what: What
    about: str
    reader: str
    keys: tuple[str, ...]


class Draft(NamedTuple):
    """What will be one pack. If it goes on with a pack that is there, `follows` is its number."""

    waiting: Waiting
    follows: int | None
    kept: bytes
    """All that was in that pack."""
    places: tuple["Place", ...]
    """Where in it."""
    loose: tuple[tuple[str, bytes | SharedPart], ...]
    """What is added: texts of mails, or pictures, with their keys."""


class Place(NamedTuple):
    """Where a part lies in the bytes of a pack."""

    key: str
    at: int
    length: int


class Pack(NamedTuple):
    """A pack ready to be written: everything in it comes back as it was."""

    draft: Draft
    packed: bytes
    places: tuple[Place, ...]
    stripped: tuple[tuple[str, SharedPart], ...]
    """What stays of pictures outside of it."""


def make_pack(draft: Draft) -> Pack:
    """Pack what a draft holds, and see that it comes back to the byte. No transaction need be open meanwhile."""
    parts, places, stripped = [draft.kept], [*draft.places], list[tuple[str, SharedPart]]()
    at = len(draft.kept)
    for key, loose in draft.loose:
        if isinstance(loose, bytes):
            part = loose
        else:
            part, rest = _strip(loose)
            stripped.append((key, rest))
        parts.append(part)
        places.append(Place(key, at, len(part)))
        at += len(part)
    plain = b"".join(parts)
    pack = Pack(draft, _compress(plain), tuple(places), tuple(stripped))
    _see_that_it_comes_back(pack, plain)
    return pack


def _strip(picture: SharedPart) -> tuple[bytes, SharedPart]:
    """What of a picture goes into a pack, and what stays outside of it."""
    # Older releases stored a part with its base64.
    apart = picture if picture.encoded else take_apart(picture.content)
    found = split_picture(apart.content) if apart.encoded else None
    if found is None:
        return apart.content, apart._replace(content=b"")
    return found.pixels, apart._replace(content=found.frame)


def _see_that_it_comes_back(pack: Pack, plain: bytes) -> None:
    if lzma.decompress(pack.packed) != plain:
        raise RuntimeError("a pack does not give back what was packed")
    places, stripped = {place.key: place for place in pack.places}, dict(pack.stripped)
    for key, loose in pack.draft.loose:
        place = places[key]
        part = plain[place.at : place.at + place.length]
        whole = loose if isinstance(loose, bytes) else put_together(loose)
        if (part if isinstance(loose, bytes) else _restore(key, stripped[key], part)) != whole:
            raise RuntimeError(f"a pack does not give back {key}")


def _compress(plain: bytes) -> bytes:
    return lzma.compress(plain, format=lzma.FORMAT_XZ, check=lzma.CHECK_CRC32, filters=_FILTERS)


@lru_cache(maxsize=_UNPACKED)
def _unpack(packed: bytes) -> bytes:
    try:
        return lzma.decompress(packed)
    except lzma.LZMAError as reason:
        raise ValueError("not the bytes that were packed") from reason


def _restore(digest: str, rest: SharedPart, part: bytes) -> bytes:
    """A picture as it is in mails, from what stays outside of its pack and its part in the pack."""
    if rest.content:
        return restore_picture(rest.head, Pixels(rest.content, part), digest)
    return put_together(rest._replace(content=part))


def read_text(raw: bytes, packed: bytes | None, at: int, length: int) -> bytes:
    """The text of a mail as it was written."""
    if packed is not None:
        return _cut(packed, at, length)
    try:
        text: bytes = isal_zlib.decompress(raw)
    except isal_zlib.error as reason:  # type: ignore[misc]  # its stubs give no class
        raise ValueError("not the bytes that were packed") from reason
    return text


def read_picture(digest: str, stored: SharedPart, packed: bytes | None, at: int, length: int) -> bytes:
    """What mails share, as it is in them."""
    return put_together(stored) if packed is None else _restore(digest, stored, _cut(packed, at, length))


def _cut(packed: bytes, at: int, length: int) -> bytes:
    part = _unpack(packed)[at : at + length]
    if len(part) != length:
        raise ValueError("a pack that is too short")
    return part


class PackQueries(Queries):
    """Queries about packs, and about deleting what may be in one."""

    __slots__ = ()

    def waiting_for_packs(self, before: datetime) -> list[Waiting]:
        """What can be packed of the mails that were sent before then."""
        values = {"before": format_timestamp(before)}
        latest = format_timestamp(before - PATIENCE)
        mails = self._rows(_MAILS_WAITING, values)
        return [*_group("mails", mails, latest), *_group("pictures", self._rows(_PICTURES_WAITING, values), latest)]

    @reading_row("outbox")
    def draft_pack(self, waiting: Waiting) -> Draft | None:
        """The next pack of what waits; None if nothing waits any more."""
        what, about, reader, keys = waiting
        last = self._row(_LAST_PACK, {"what": what, "about": about, "reader": reader})
        follows, kept, places = None, b"", tuple[Place, ...]()
        if last is not None and int(last[1]) < MANY[what]:
            follows, kept = int(last[0]), _unpack(last[2])
            places = self._places(what, follows)
        loose = {key: rest for key, *rest in self._rows(_LOOSE[what], {"keys": json.dumps(keys)})}
        chosen = [key for key in keys if key in loose][: MANY[what] - len(places)]
        found = tuple((key, _read_loose(what, loose[key])) for key in chosen)
        return Draft(waiting, follows, kept, places, found) if found else None

    def save_pack(self, pack: Pack) -> bool:
        """Write a pack in place of what is in it; false if that is not as it was, and then nothing is written."""
        what, about, reader, _ = pack.draft.waiting
        keys = [key for key, _ in pack.draft.loose]
        loose = {key: rest for key, *rest in self._rows(_LOOSE[what], {"keys": json.dumps(keys)})}
        follows = pack.draft.follows
        if any(key not in loose or _read_loose(what, loose[key]) != part for key, part in pack.draft.loose):
            return False
        if follows is not None and self._places(what, follows) != pack.draft.places:
            return False
        values = {"parts": len(pack.places), "packed": pack.packed}
        if follows is None:
            number = self._add(_ADD_PACK, values | {"what": what, "about": about, "reader": reader})
        else:
            number = follows
            self._change(_CHANGE_PACK, values | {"number": number})
        self._strip(number, [place for place in pack.places if place.key in loose], dict(pack.stripped))
        return True

    def _strip(self, number: int, places: Iterable[Place], pictures: Mapping[str, SharedPart]) -> None:
        """Keep outside of a pack what is not in it. A row is written anew: if it shrank it would keep its page."""
        self._connection.defer_references()  # a picture is gone between two statements
        for place in places:
            where = {"pack": number, "pack_at": place.at, "pack_length": place.length}
            if (rest := pictures.get(place.key)) is not None:
                self._change(_DROP_PICTURE, {"key": place.key})
                self._change(_ADD_PICTURE, {"sha256": place.key, **rest._asdict(), **where})
                continue
            shared, shared_at = self._row(_LOAD_MAIL, {"key": place.key}) or ()
            self._change(_DROP_MAIL, {"key": place.key})
            values = {"message_id": place.key, "raw": b"", "shared": shared, "shared_at": shared_at}
            self._change(_ADD_MAIL, values | where)

    def drop_mail_bytes(self, mails: Iterable[str]) -> None:
        """Delete the bytes of mails, and pictures that no other mail has, also inside of packs."""
        values = {"mails": json.dumps([*mails])}
        packs: list[tuple[What, int]] = [("mails", number) for (number,) in self._rows(_PACKS_OF_MAILS, values)]
        shared = [digest for (digest,) in self._rows(_SHARED_BY, values)]
        self._change(_DROP_MAILS, values)
        unused = self._rows(_UNUSED, {"shared": json.dumps(shared)})
        self._change(_DROP_PICTURES, {"unused": json.dumps([digest for digest, _ in unused])})
        packs += [("pictures", number) for number in sorted({pack for _, pack in unused if pack is not None})]
        for what, number in packs:
            self._write_anew(what, number)

    def _places(self, what: What, number: int) -> tuple[Place, ...]:
        return tuple(Place(*row) for row in self._rows(_IN[what], {"number": number}))

    @reading_row("pack")
    def _write_anew(self, what: What, number: int) -> None:
        """Write a pack with only those parts that still belong to something."""
        left = self._places(what, number)
        if not left:
            self._change(_DROP_PACK, {"number": number})
            return
        packed = self._value(_PACK, {"number": number})
        parts = [_cut(packed, place.at, place.length) for place in left]
        _unpack.cache_clear()
        self._change(_CHANGE_PACK, {"number": number, "parts": len(parts), "packed": _compress(b"".join(parts))})
        self._change_all(_MOVE[what], [{"number": number, **place._asdict()} for place in _lay_out(left)])


def _lay_out(places: Iterable[Place]) -> Iterator[Place]:
    """The same parts one after the other, without room between them."""
    at = 0
    for place in places:
        yield place._replace(at=at)
        at += place.length


def _read_loose(what: What, row: Iterable[Any]) -> bytes | SharedPart:
    (first, *_) = fields = [*row]
    return read_text(first, None, 0, 0) if what == "mails" else SharedPart(*fields)


def _group(what: What, rows: Iterable[Row], latest: str) -> Iterator[Waiting]:
    """Those of each reader at each table, if they are few no longer, or wait for no others."""
    groups: dict[tuple[str, str], dict[str, bool]] = defaultdict(dict)
    first: dict[str, tuple[str, str]] = {}
    not_yet = set[str]()
    for key, game, reader, sent_at, ended, due in rows:
        whose = first.setdefault(key, (game or "", reader))
        groups[whose][key] = groups[whose].get(key, False) or bool(ended) or str(sent_at) < latest
        if not due:
            not_yet.add(key)
    for (about, reader), found in groups.items():
        keys = tuple(key for key in found if key not in not_yet)
        if len(keys) >= FEW or any(found[key] for key in keys):
            yield Waiting(what, about, reader, keys)
