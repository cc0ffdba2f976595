"""Only our own server is believed, and only about the very domain that the mail names."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import authres
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail.reading import Authenticity, Letter, read_letter
from pbem.mail.reading.authentication import parse_results
from tests.letters.planted_letters import POST

if TYPE_CHECKING:
    from tests.pbem.mail.reading.conftest import Desk

US = "mail.example.org"
RECEIVED = f"from mx.example.net (mx.example.net [192.0.2.7])\n by {US} (Postfix) with ESMTPS id 4F2;\n now"
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
    assert session.letter("hi", {"Authentication-Results": lines, "Received": RECEIVED}).authentic is expected


def _stacks() -> dict[str, tuple[str, str]]:
    """The headers in `stacks.txt` by name: what our own server wrote, and what came to it."""
    _, *texts = (Path(__file__).parent / "stacks.txt").read_text("utf-8").split("\n=== ")
    named = [text.partition("\n") for text in texts]
    return {name: (head.partition("~~~\n")[0], head.partition("~~~\n")[2].strip("\n")) for name, _, head in named}


STACKS = _stacks()
FORGED = f"Authentication-Results: {US}; dmarc=pass header.from=example.net; dkim=pass header.d=example.net\n"
OURS = re.compile(rf"^Authentication-Results: {re.escape(US)};.*\n(?:[ \t].*\n)*", re.MULTILINE)
OTHERS = "Received: from a.example by b.example with ESMTP id 9; now\n"


def judge(head: str) -> Authenticity:
    letter = read_letter(f"{head}\n\nhi\n".encode(), post=POST)
    assert isinstance(letter, Letter), letter
    return letter.authentic


@pytest.mark.parametrize("name", STACKS)
def test_what_our_server_wrote_is_found_where_each_kind_of_server_writes_it(name: str) -> None:
    assert judge("".join(STACKS[name])) is PASS
    failed = OURS.sub(f"Authentication-Results: {US}; dmarc=fail header.from=example.net\n", STACKS[name][0])
    assert judge(failed + STACKS[name][1]) is FAIL


@pytest.mark.parametrize(
    "said",
    [
        *("spf=softfail smtp.mailfrom=x@evil.example", "spf=none smtp.mailfrom=evil.example; dkim=neutral"),
        *("dkim=none", "none"),
    ],
)
@pytest.mark.parametrize("name", STACKS)
def test_a_line_that_the_sender_made_up_never_outvotes_ours(name: str, said: str) -> None:
    ours, came = STACKS[name]
    wrote = OURS.sub(f"Authentication-Results: {US}; {said}\n", ours)
    own = f"Received: {RECEIVED}\n"
    for made_up in (FORGED, FORGED * 2, own + FORGED, FORGED + own, OTHERS + FORGED, own + FORGED + own):
        assert judge(wrote + made_up + came) is UNKNOWN, made_up


@pytest.mark.parametrize("name", STACKS)
def test_nothing_is_believed_below_the_received_of_another_server(name: str) -> None:
    ours, came = STACKS[name]
    assert judge(OURS.sub("", ours) + OTHERS + FORGED + came) is UNKNOWN


def test_without_any_received_only_the_topmost_line_counts() -> None:
    nothing = f"Authentication-Results: {US}; dkim=none\n"
    assert judge(nothing + FORGED + "From: anna@example.net") is UNKNOWN
    assert judge(FORGED + nothing + "From: anna@example.net") is PASS


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
