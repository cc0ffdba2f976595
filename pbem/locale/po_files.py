"""Gettext catalogues: what translators write (`.po`) turned into what `gettext` loads (`.mo`).

The wheel holds catalogues that `.ci/hatch_build.py` compiled with this module. A checkout compiles them in memory with
the same code, so both say the same and neither needs Babel. It uses the standard library only, because the build loads
this file on its own.
"""

import re
import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

_LINE: Final = re.compile(r'(?:(msgctxt|msgid_plural|msgid|msgstr)(?:\[\d+\])?\s+)?"(.*)"\s*')
_ESCAPE: Final = re.compile(r"\\(.)")
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r"}
_MAGIC: Final = 0x950412DE
_CONTEXT_END: Final = "\x04"
_FORM_END: Final = "\0"


class PoMessage(NamedTuple):
    """One message: its context, its singular and plural in English, and its translation, one form for each plural."""

    context: str | None
    ids: tuple[str, ...]
    forms: tuple[str, ...]

    @property
    def is_translated(self) -> bool:
        """Whether every form is there."""
        return bool(self.forms) and all(self.forms)


class PoSyntaxError(Exception):
    """A line of a catalogue that cannot be read."""


def parse_po(text: str) -> Iterator[PoMessage]:
    """Every message of a catalogue in order, the header first. Fuzzy and obsolete messages are left out."""
    for block in re.split(r"\n\s*\n", text):
        lines = [line for line in block.splitlines() if line]
        if any(line.startswith("#,") and "fuzzy" in line for line in lines):
            continue
        entries: list[tuple[str, list[str]]] = []
        for line in lines:
            if line.startswith("#"):
                continue
            found = _LINE.fullmatch(line)
            if found is None or (found[1] is None and not entries):
                raise PoSyntaxError(f"not a line of a catalogue: {line}")
            if found[1] is not None:
                entries.append((found[1], []))
            entries[-1][1].append(_unescape(found[2]))
        if entries:
            yield _gather(entries)


def _gather(entries: list[tuple[str, list[str]]]) -> PoMessage:
    said = [(keyword, "".join(pieces)) for keyword, pieces in entries]
    context = next((text for keyword, text in said if keyword == "msgctxt"), None)
    ids = tuple(text for keyword, text in said if keyword in ("msgid", "msgid_plural"))
    return PoMessage(context, ids, tuple(text for keyword, text in said if keyword == "msgstr"))


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text) if "\\" in text else text


def compile_mo(text: str) -> bytes:
    """The text of a `.po` file as the bytes that `gettext` reads. Messages without a translation are left out."""
    pairs = sorted(_encode(message) for message in parse_po(text) if message.is_translated)
    count = len(pairs)
    words = [key for key, _ in pairs] + [value for _, value in pairs]
    keys_at = struct.calcsize("<7I")
    values_at = keys_at + 8 * count
    at = words_at = values_at + 8 * count
    table: list[int] = []
    for word in words:
        table += len(word), at
        at += len(word) + 1
    head = (_MAGIC, 0, count, keys_at, values_at, 0, words_at)
    return struct.pack(f"<{7 + len(table)}I", *head, *table) + b"\0".join(words) + b"\0"


def _encode(message: PoMessage) -> tuple[bytes, bytes]:
    before = "" if message.context is None else message.context + _CONTEXT_END
    return (before + _FORM_END.join(message.ids)).encode(), _FORM_END.join(message.forms).encode()
