"""How things are written down before they are hashed, and the error that ends a check.

Written from docs/proof.md alone, like all that is called second here: it knows the standard library and one library of
signatures, and not a line of the house's own code.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from typing import Any

HASH = re.compile(r"[0-9a-f]{64}\Z")


class RecordError(Exception):
    """The first thing in a record that cannot be believed: what was checked, in which line of the text, and why."""

    def __init__(self, check: Any, line: Any, reason: Any) -> None:
        super().__init__(f"line {line}: {check}: {reason}")
        self.check, self.line, self.reason = check, line, reason


def canon(value: Any) -> Any:
    """The one form in which a value goes into a hash."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def ascii_json(value: Any) -> Any:
    """The form in which a value stands in a record."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def read_json(text: Any) -> Any:
    """A value that stands in a record in its one form; ValueError if it does not, or if canon does not know it."""
    value = json.loads(text)
    if ascii_json(value) != text:
        raise ValueError("not in canonical form")
    for part in parts(value):
        if not (part is None or isinstance(part, str | int | list | dict)):
            raise ValueError(f"{part} is no whole number")
    canon(value)
    return value


def parts(value: Any) -> Iterator[Any]:
    """A value and all that is inside it."""
    yield value
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in inside:
        yield from parts(part)


def sha(*pieces: Any) -> Any:
    """SHA-256 of these bytes, one after the other."""
    return hashlib.sha256(b"".join(pieces)).digest()


def mac(key: Any, value: Any) -> Any:
    """HMAC-SHA-256 of the canonical form of a value."""
    return hmac.new(key, canon(value), hashlib.sha256).digest()


def hexed(value: Any) -> Any:
    """SHA-256 of the canonical form of a value, as it is written down."""
    return sha(canon(value)).hex()
