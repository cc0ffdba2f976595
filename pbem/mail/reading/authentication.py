"""One line of Authentication-Results (RFC 8601): which method found what, and for which domain.

Read strictly and in one pass. A line that does not keep to the form says nothing: it is not guessed at.
"""

import re
from typing import Final, NamedTuple

from pbem.mail.reading import limits

_PIECE: Final = re.compile(r'\\.|[();"\\]|[^();"\\]++', re.DOTALL)
_SERVER: Final = re.compile(r'\s*+(?:"([^"\\]++)"|([^\s;"=]++))(?:\s++\d++)?\s*+')
_RESULT: Final = re.compile(r"\s*+([A-Za-z0-9-]++)\s*+(?:/\s*+\d++\s*+)?=\s*+([A-Za-z]++)(?=\s|$)")
_PROPERTY: Final = re.compile(
    r"""\s++(?:([A-Za-z0-9-]++)\s*+\.\s*+)?([A-Za-z0-9._-]++)\s*+=\s*+(?:"((?:[^"\\]|\\.)*+)"|([^\s"]++))(?=\s|$)""",
    re.DOTALL,
)

_DOMAIN_OF: Final = {"dmarc": ("header.from",), "dkim": ("header.d", "header.i"), "spf": ("smtp.mailfrom",)}
"""The methods that vouch for a domain, and the properties in which they name it."""


class Finding(NamedTuple):
    """What one method found, and for which domain (empty where it names none)."""

    method: str
    result: str
    domain: str


def read_findings(line: bytes, server: str) -> tuple[Finding, ...] | None:
    """What a server found, by the methods that vouch for a domain; None if the line is not this server's."""
    parts = _divide(line.decode("ascii", "replace")) if len(line) <= limits.RESULTS else None
    if not parts:
        return None
    named = _SERVER.fullmatch(parts[0])
    if named is None or (named[1] or named[2]).lower() != server.lower():
        return None
    findings: list[Finding] = []
    for part in filter(str.strip, parts[1:]):
        if part.strip().lower() == "none":
            continue
        finding = _read_finding(part.rstrip())
        if finding is None:
            return None
        findings.append(finding)
    return tuple(finding for finding in findings if finding.method in _DOMAIN_OF)


def _read_finding(part: str) -> Finding | None:
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
    return Finding(method, found[2].lower(), value.rpartition("@")[2].rstrip(".").lower())


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
