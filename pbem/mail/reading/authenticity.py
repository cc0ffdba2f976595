"""Whether our own mail server vouches for the domain in the From line.

Only what stands under our own server's name counts, from the top down to the first line of a stranger: what stands
lower came with the mail. The first of our lines that speaks of a method is believed for it, so a line slipped in
below changes nothing. A domain that is vouched for must be the very domain that we read.
"""

from collections.abc import Iterator
from enum import Enum
from typing import Final

from pbem.mail.reading.authentication import Finding, read_findings
from pbem.mail.reading.header import Head

_DECIDED: Final = frozenset({"pass", "fail", "hardfail", "permerror", "policy"})
"""Results that say yes or no; the others (none, neutral, softfail, temperror) leave it open."""


class Authenticity(Enum):
    """What our own server says about the sender's domain."""

    PASS = "pass"  # noqa: S105 - the word of RFC 8601, no password
    FAIL = "fail"
    UNKNOWN = "unknown"


def judge_authenticity(head: Head, *, sender: str, authserv_id: str | None) -> Authenticity:
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


def _findings(head: Head, authserv_id: str | None) -> Iterator[Finding]:
    settled: set[str] = set()
    for line in head.every("authentication-results"):
        findings = read_findings(line, authserv_id) if authserv_id else None
        if findings is None:
            return
        yield from (finding for finding in findings if finding.method not in settled)
        settled |= {finding.method for finding in findings}
