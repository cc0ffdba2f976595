"""A shelf: one player's correspondence as files, numbered as it came, each mail also as a page for the browser.

A mail brings its pictures along; on the shelf they stand once, in a folder beside, and the pages refer to them there.
"""

import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from email.message import Message

_CID: Final = re.compile(r"cid:([^\"'\s)]+)")


class Shelf:
    """A folder. `pictures` is shared by the shelves of all players; `label` names a mail's kind by its Message-ID."""

    def __init__(self, folder: Path, pictures: Path, label: Callable[[str], str]) -> None:
        self._folder = folder
        self._label = label
        self._pictures = pictures
        self._number = 0
        folder.mkdir(parents=True)
        pictures.mkdir(exist_ok=True)

    def put_received(self, path: Path, mail: "Message[str, str]") -> None:
        """A mail that came, as it lies in the mailbox and as a page."""
        name = self._next(self._label(str(mail["Message-ID"])))
        _put_beside(path, name.with_suffix(".eml"))
        page = next((part for part in mail.walk() if part.get_content_type() == "text/html"), None)
        if page is not None:
            text = _content(page).decode("utf-8")
            name.with_suffix(".html").write_text(self._hang_pictures(text, mail), "utf-8")

    def put_written(self, raw: bytes) -> Path:
        """A letter of the player's own."""
        path = self._next("written").with_suffix(".eml")
        path.write_bytes(raw)
        return path

    def find(self, kind: str) -> list[Path]:
        """All pages of one kind, oldest first."""
        return sorted(self._folder.glob(f"*-{kind}.html"))

    def _next(self, kind: str) -> Path:
        self._number += 1
        return self._folder / f"{self._number:03}-{kind}"

    def _hang_pictures(self, page: str, mail: "Message[str, str]") -> str:
        places = {}
        for part in mail.walk():
            if part.get_content_type() == "image/png" and part["Content-ID"]:
                content = _content(part)
                path = self._pictures / f"{sha256(content).hexdigest()[:16]}.png"
                if not path.exists():
                    path.write_bytes(content)
                places[str(part["Content-ID"]).strip(" <>")] = f"../{path.parent.name}/{path.name}"
        return _CID.sub(lambda found: places.get(found[1], found[0]), page)


def _put_beside(path: Path, other: Path) -> None:
    """The same file under another name; a copy where the disk knows no such thing."""
    try:
        other.hardlink_to(path)
    except OSError:
        other.write_bytes(path.read_bytes())


def _content(part: "Message[str, str]") -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""
