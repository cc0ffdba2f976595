"""Whether our own mail server confirms the domain in the From line, by Authentication-Results (RFC 8601).

Servers put their lines on top of a mail, so what the sender made up stands below what our own server wrote. Only lines
under our server's name count, and only from the top down to the first line of another server:

- Above the topmost Received everything is ours, and all our lines count together.
- If none stands there, the topmost one below counts, alone: filters of Postfix write below its Received, and right
  below them begins what the sender wrote. Nothing counts below the Received of another server.

The confirmed domain must be exactly the one in the From line. A line that does not keep to the form is ignored: nothing
is guessed.
"""

import re
from enum import Enum
from itertools import pairwise
from typing import Final, NamedTuple

from pbem.mail.reading import limits
from pbem.mail.reading.header import Header
from pbem.mail.reply_address import PostIdentity

_PIECE: Final = re.compile(r'\\.|[();"\\]|[^();"\\]++', re.DOTALL)
_SERVER: Final = re.compile(r'\s*+(?:"([^"\\]++)"|([^\s;"=]++))(?:\s++\d++)?\s*+')
_RESULT: Final = re.compile(r"\s*+([A-Za-z0-9-]++)\s*+(?:/\s*+\d++\s*+)?=\s*+([A-Za-z]++)(?=\s|$)")
_PROPERTY: Final = re.compile(
    r"""\s++(?:([A-Za-z0-9-]++)\s*+\.\s*+)?([A-Za-z0-9._-]++)\s*+=\s*+(?:"((?:[^"\\]|\\.)*+)"|([^\s"]++))(?=\s|$)""",
    re.DOTALL,
)

_DOMAIN_OF: Final = {"dmarc": ("header.from",), "dkim": ("header.d", "header.i"), "spf": ("smtp.mailfrom",)}
"""The methods that confirm a domain, and the properties in which they name it."""


class AuthResult(NamedTuple):
    """The result of one method, and the domain it is about (empty if it names none)."""

    method: str
    result: str
    domain: str


def parse_results(line: bytes, server: str) -> tuple[AuthResult, ...] | None:
    """The results of a server, for methods that confirm a domain; None if the line is not this server's."""
    parts = _divide(line.decode("ascii", "replace")) if len(line) <= limits.RESULTS else None
    if not parts:
        return None
    named = _SERVER.fullmatch(parts[0])
    if named is None or (named[1] or named[2]).lower() != server.lower():
        return None
    results: list[AuthResult] = []
    for part in filter(str.strip, parts[1:]):
        if part.strip().lower() == "none":
            continue
        result = _parse_result(part.rstrip())
        if result is None:
            return None
        results.append(result)
    return tuple(result for result in results if result.method in _DOMAIN_OF)


def _parse_result(part: str) -> AuthResult | None:
    found = _RESULT.match(part)
    if found is None:
        return None
    method = found[1].lower()
    properties: dict[str, str] = {}
    at = found.end()
    while at < len(part):
        said = _PROPERTY.match(part, at)
        if said is None:
            return None
        properties.setdefault(f"{said[1] or ''}.{said[2]}".lower(), said[3] or said[4] or "")
        at = said.end()
    value = next((properties[name] for name in _DOMAIN_OF.get(method, ()) if properties.get(name)), "")
    return AuthResult(method, found[2].lower(), value.rpartition("@")[2].rstrip(".").lower())


def _divide(line: str) -> list[str] | None:
    """The parts between semicolons, without comments; None if a bracket or quotation mark is left open."""
    parts: list[list[str]] = [[]]
    depth, quoted = 0, False
    for piece in _PIECE.findall(line):
        if depth:
            depth += {"(": 1, ")": -1}.get(piece, 0)
        elif piece == '"':
            quoted = not quoted
            parts[-1].append(piece)
        elif quoted or piece not in ("(", ")", ";"):
            parts[-1].append(piece)
        elif piece == ";":
            parts.append([])
        elif piece == "(":
            depth = 1
            parts[-1].append(" ")  # a comment counts as a blank
        else:
            return None
    return None if depth or quoted else ["".join(part) for part in parts]


_DECIDED: Final = frozenset({"pass", "fail", "hardfail", "permerror", "policy"})
"""Results that say yes or no; the others (none, neutral, softfail, temperror) decide nothing."""


class Authenticity(Enum):
    """What our own mail server says about the sender's domain."""

    PASS = "pass"  # noqa: S105 - the word of RFC 8601, no password
    FAIL = "fail"
    UNKNOWN = "unknown"


def check_authenticity(head: Header, *, sender: str, post: PostIdentity) -> Authenticity:
    """PASS if the sender's domain is confirmed, FAIL if it is not or another one is, UNKNOWN if nothing is said."""
    results = [result for line in _believed(head, post) for result in line if result.result in _DECIDED]
    # DMARC is about the From line itself; if there is a result, the other two methods add nothing.
    results = [result for result in results if result.method == "dmarc"] or results
    if not results:
        return Authenticity.UNKNOWN
    domain = sender.rpartition("@")[2]
    confirmed = [result.result == "pass" and result.domain == domain for result in results]
    agreed = all(confirmed) if results[0].method == "dmarc" else any(confirmed)
    return Authenticity.PASS if agreed else Authenticity.FAIL


_LOCAL: Final = ("localhost", "localhost.localdomain")
"""Names under which a filter on our own server hands a mail back to it."""


def _believed(head: Header, post: PostIdentity) -> list[tuple[AuthResult, ...]]:
    """The lines that our own server wrote, as far as their place in the header shows it."""
    found: list[tuple[AuthResult, ...]] = []
    hops = 0
    for name, value in head.fields if post.authserv_id else ():
        if name == "received":
            # Whatever its name, the server that wrote the topmost one is ours. It handed the mail over to us.
            if found or (hops and not _is_own(value, post)):
                return found
            hops += 1
        elif name == "authentication-results":
            results = parse_results(value, post.authserv_id or "")
            if results is None:
                break
            found.append(results)
            if hops:
                return found
    return found if "received" in head.names() else found[:1]


def _is_own(received: bytes, post: PostIdentity) -> bool:
    """Whether a server of ours wrote a Received line, by the name that it gives itself."""
    parts = _divide(received.decode("ascii", "replace")) or [""]
    words = parts[0].lower().split()
    server = next((after for word, after in pairwise(words) if word == "by"), "")
    names = (*_LOCAL, (post.authserv_id or "").lower(), *post.all_domains)
    return server in names or server.endswith(tuple(f".{domain}" for domain in post.all_domains))
