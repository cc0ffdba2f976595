"""Only our own server is believed, and only about the very domain that the mail names."""

from typing import TYPE_CHECKING

import authres
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail.reading import Authenticity
from pbem.mail.reading.authentication import parse_results

if TYPE_CHECKING:
    from tests.pbem.mail.reading.conftest import Desk

US = "mail.example.org"
PASS, FAIL, UNKNOWN = Authenticity.PASS, Authenticity.FAIL, Authenticity.UNKNOWN

SEEN = [
    "{us}; dkim=pass header.d=example.net header.b=AbC/dE+f; dmarc=pass (policy=none) header.from=example.net",
    """{us}; dkim=pass header.i=@example.net header.s=s header.b=Xy12;
 spf=pass (x: domain of a@example.net designates 192.0.2.7 as permitted sender) smtp.mailfrom=a@example.net;
 dmarc=pass (p=NONE sp=QUARANTINE dis=NONE) header.from=example.net; dara=pass header.i=@example.net""",
    """{us}; arc=none (no signatures found);
 dkim=pass (2048-bit rsa key sha256) header.d=example.net header.b=abc= header.a=rsa-sha256;
 dmarc=pass policy.published-domain-policy=none (p=none,d.eval=none) header.from=example.net;
 spf=pass smtp.mailfrom=a@example.net smtp.helo=mx.example.net; x-csa=none""",
    "{us}; dkim=pass (2048-bit key; unprotected) header.d=example.net header.i=@example.net; dkim-atps=neutral",
    """{us}; iprev=pass policy.iprev=192.0.2.7 (mx.example.net); spf=softfail smtp.mailfrom=x@y.example;
 dkim=fail reason="signature; verification (failed" header.d=y.example""",
    "{us} 1; none",
    "{us} 1; spf/1 = pass smtp.mailfrom = example.net",
]


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([SEEN[0]], PASS),
        ([SEEN[1]], PASS),
        ([SEEN[2]], PASS),
        ([SEEN[3]], PASS),
        ([SEEN[4]], FAIL),
        ([SEEN[5]], UNKNOWN),
        ([SEEN[6]], PASS),
        (['"{us}"; spf=pass smtp.mailfrom=example.net'], PASS),
        ([], UNKNOWN),
        (["{us}; dmarc=fail header.from=example.net; dkim=pass header.d=example.net"], FAIL),
        (["{us}; dmarc=pass header.from=other.example"], FAIL),
        (["{us}; dmarc=pass header.from=sub.example.net"], FAIL),
        (["{us}; dmarc=pass"], FAIL),
        (["{us}; dmarc=none header.from=example.net; dkim=pass header.d=example.net"], PASS),
        (["{us}; dmarc=none; dkim=pass header.d=other.example"], FAIL),
        (["{us}; dkim=fail header.d=example.net; spf=pass smtp.mailfrom=x@example.net"], PASS),
        (["{us}; dkim=fail header.d=example.net; spf=pass smtp.mailfrom=x@other.example"], FAIL),
        (["{us}; dkim=none; spf=neutral"], UNKNOWN),
        (["{us}; dkim=temperror; spf=softfail smtp.mailfrom=example.net"], UNKNOWN),
        (["mx.evil.example; dmarc=pass header.from=example.net"], UNKNOWN),
        (["{us}.evil.example; dmarc=pass header.from=example.net"], UNKNOWN),
        (["mx.evil.example; x=y", "{us}; dmarc=pass header.from=example.net"], UNKNOWN),
        (["{us}; dkim=none", "{us}; dmarc=pass header.from=example.net"], PASS),
        (["{us}; dmarc=fail header.from=example.net", "{us}; dmarc=pass header.from=example.net"], FAIL),
        (["{us}; dmarc=pass header.from=example.net; dmarc=pass header.from=other.example"], FAIL),
        (["{us}; spf=pass (dmarc=pass header.from=example.net) smtp.mailfrom=other.example"], FAIL),
        (["{us}; dmarc=fail (; dmarc=pass header.from=example.net"], UNKNOWN),
        (['{us}; dmarc=fail reason="; dmarc=pass header.from=example.net'], UNKNOWN),
        (["{us}; DMARC=Pass Header.From=EXAMPLE.net."], PASS),
        (["MAIL.example.ORG; dmarc=pass header.from=example.net"], PASS),
        (["{us}; dmarc=pass header.from=example.net\u00e9"], FAIL),
        (["{us}; " + "x=y; " * 2_000 + "dmarc=pass header.from=example.net"], UNKNOWN),
    ],
)
def test_what_our_server_says_decides(results: list[str], expected: Authenticity, session: "Desk") -> None:
    lines = "\nAuthentication-Results: ".join(line.format(us=US) for line in results)
    assert session.letter("hi", {"Authentication-Results": lines}).authentic is expected


@pytest.mark.parametrize("line", SEEN)
def test_a_sound_line_says_to_us_what_it_says_to_the_library(line: str) -> None:
    text = line.format(us=US).replace("\n", "")
    ours = parse_results(text.encode(), US)
    assert ours is not None
    theirs = authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {text}").results
    methods = [(found.method, found.result) for found in theirs if found.method in ("dkim", "spf", "dmarc")]
    assert [(finding.method, finding.result) for finding in ours] == methods


PIECES = st.sampled_from(
    [
        *(US, "; ", ";", " ", "(", ")", '"', "\\", "=", "dmarc=pass", "dmarc=fail", "spf=pass", "dkim=none", "none"),
        *(" header.from=example.net", " smtp.mailfrom=a@example.net", ' reason="x; y"', " (c)", "1", "/1", "."),
    ]
)


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=9).map("".join))
def test_we_never_find_a_pass_that_the_library_does_not_find(rest: str) -> None:
    text = f"{US}; {rest}"
    ours = {finding.method for finding in parse_results(text.encode(), US) or () if finding.result == "pass"}
    try:
        theirs = authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {text}").results
    except authres.AuthResError:
        return  # it reads fewer lines than we do: some servers end a line with a semicolon
    assert ours <= {found.method.lower() for found in theirs if (found.result or "").lower() == "pass"}
