"""One line of Authentication-Results (RFC 8601): which method found what, and for which domain.

Read strictly and in one pass. A line that does not keep to the form says nothing: it is not guessed at.

Whether our own mail server vouches for the domain in the From line.

Only what stands under our own server's name counts, from the top down to the first line of a stranger: what stands
lower came with the mail. The first of our lines that speaks of a method is believed for it, so a line slipped in
below changes nothing. A domain that is vouched for must be the very domain that we read.
"""

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

from pbem.mail.reading import limits
from pbem.mail.reading.header import Header

_PIECE: Final = re.compile(r'\\.|[();"\\]|[^();"\\]++', re.DOTALL)
_SERVER: Final = re.compile(r'\s*+(?:"([^"\\]++)"|([^\s;"=]++))(?:\s++\d++)?\s*+')
_RESULT: Final = re.compile(r"\s*+([A-Za-z0-9-]++)\s*+(?:/\s*+\d++\s*+)?=\s*+([A-Za-z]++)(?=\s|$)")
_PROPERTY: Final = re.compile(
    r"""\s++(?:([A-Za-z0-9-]++)\s*+\.\s*+)?([A-Za-z0-9._-]++)\s*+=\s*+(?:"((?:[^"\\]|\\.)*+)"|([^\s"]++))(?=\s|$)""",
    re.DOTALL,
)

_DOMAIN_OF: Final = {"dmarc": ("header.from",), "dkim": ("header.d", "header.i"), "spf": ("smtp.mailfrom",)}
"""The methods that vouch for a domain, and the properties in which they name it."""


class AuthResult(NamedTuple):
    """What one method found, and for which domain (empty where it names none)."""

    method: str
    result: str
    domain: str


def read_findings(line: bytes, server: str) -> tuple[AuthResult, ...] | None:
    """What a server found, by the methods that vouch for a domain; None if the line is not this server's."""
    parts = _divide(line.decode("ascii", "replace")) if len(line) <= limits.RESULTS else None
    if not parts:
        return None
    named = _SERVER.fullmatch(parts[0])
    if named is None or (named[1] or named[2]).lower() != server.lower():
        return None
    findings: list[AuthResult] = []
    for part in filter(str.strip, parts[1:]):
        if part.strip().lower() == "none":
            continue
        finding = _read_finding(part.rstrip())
        if finding is None:
            return None
        findings.append(finding)
    return tuple(finding for finding in findings if finding.method in _DOMAIN_OF)


def _read_finding(part: str) -> AuthResult | None:
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
            parts[-1].append(" ")  # a comment stands for a blank
        else:
            return None
    return None if depth or quoted else ["".join(part) for part in parts]


_DECIDED: Final = frozenset({"pass", "fail", "hardfail", "permerror", "policy"})
"""Results that say yes or no; the others (none, neutral, softfail, temperror) leave it open."""


class Authenticity(Enum):
    """What our own server says about the sender's domain."""

    PASS = "pass"  # noqa: S105 - the word of RFC 8601, no password
    FAIL = "fail"
    UNKNOWN = "unknown"


def judge_authenticity(head: Header, *, sender: str, authserv_id: str | None) -> Authenticity:
    """PASS if the sender's domain is vouched for, FAIL if it is not or another one is, UNKNOWN if nothing is said."""
    findings = [finding for finding in _findings(head, authserv_id) if finding.result in _DECIDED]
    # DMARC is a verdict on the From line itself; where it spoke, the two methods below it have nothing to add.
    findings = [finding for finding in findings if finding.method == "dmarc"] or findings
    if not findings:
        return Authenticity.UNKNOWN
    domain = sender.rpartition("@")[2]
    vouched = [finding.result == "pass" and finding.domain == domain for finding in findings]
    agreed = all(vouched) if findings[0].method == "dmarc" else any(vouched)
    return Authenticity.PASS if agreed else Authenticity.FAIL


def _findings(head: Header, authserv_id: str | None) -> Iterator[AuthResult]:
    settled: set[str] = set()
    for line in head.every("authentication-results"):
        findings = read_findings(line, authserv_id) if authserv_id else None
        if findings is None:
            return
        yield from (finding for finding in findings if finding.method not in settled)
        settled |= {finding.method for finding in findings}
