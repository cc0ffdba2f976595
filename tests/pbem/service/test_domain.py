"""The doctor looks at our own domain, at a real resolver that knows only what a test tells it."""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from threading import Thread

import dns.message
import dns.rcode
import dns.rrset
import pytest

from pbem.service import domain_checks
from pbem.service.checks import run_checks
from pbem.service.domain_checks import MANY_MAILS, Nameserver, check_domain, check_unsubscribe
from pbem.settings.sections import Settings

DOMAIN = "games.caravan-post.net"
SPF, DMARC = "v=spf1 mx -all", "v=DMARC1; p=reject"

Zone = dict[str, list[str]]
Serve = Callable[[Zone], Nameserver]


def answer(query: bytes, zone: Zone) -> bytes:
    """What a nameserver of this zone says: texts, that there are none, or that there is no such name."""
    asked = dns.message.from_wire(query)
    name = asked.question[0].name
    told = dns.message.make_response(asked)
    known = name.to_text(omit_final_dot=True)
    if texts := zone.get(known):
        quoted = [" ".join(f'"{text[at : at + 200]}"' for at in range(0, len(text), 200)) for text in texts]
        told.answer.append(dns.rrset.from_text(name, 60, "IN", "TXT", *quoted))
    elif not any(other == known or other.endswith(f".{known}") for other in zone):
        told.set_rcode(dns.rcode.NXDOMAIN)
    return told.to_wire()


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts a nameserver on the loopback."""
    with ExitStack() as stack:

        def call(zone: Zone) -> Nameserver:
            door = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            door.bind(("127.0.0.1", 0))

            def work() -> None:
                while True:
                    query, whom = door.recvfrom(4_096)
                    if query == b"stop":
                        return
                    door.sendto(answer(query, zone), whom)

            worker = Thread(target=work, daemon=True)
            worker.start()
            stack.callback(worker.join, 5)
            stack.callback(door.sendto, b"stop", door.getsockname())
            return Nameserver(*door.getsockname())

        yield call


@pytest.fixture
def domain(settings: Settings) -> Settings:
    """A post with an address that could be looked up."""
    return replace(settings, post=replace(settings.post, address=f"caravan@{DOMAIN}"))


def told(domain: Settings, nameserver: Nameserver) -> dict[str, tuple[bool, str]]:
    return {each.about: (each.good, each.text) for each in check_domain(domain, nameserver)}


def test_a_domain_with_all_records_is_good(domain: Settings, serve: Serve) -> None:
    zone = {
        DOMAIN: ["unrelated", SPF],
        f"_dmarc.{DOMAIN}": [DMARC],
        f"s1._domainkey.{DOMAIN}": ["v=DKIM1; p=" + 300 * "A"],
    }
    found = told(domain, serve(zone))
    assert {about: good for about, (good, _) in found.items()} == {"SPF": True, "DMARC": True, "DKIM": True}
    assert (found["SPF"][1], found["DMARC"][1]) == (SPF, DMARC)


def test_a_policy_of_the_domain_above_counts(domain: Settings, serve: Serve) -> None:
    assert told(domain, serve({"_dmarc.caravan-post.net": [DMARC]}))["DMARC"] == (True, DMARC)


def test_a_domain_without_records_is_told_what_is_missing(domain: Settings, serve: Serve) -> None:
    found = told(domain, serve({DOMAIN: ["unrelated"]}))
    assert found["SPF"] == (False, f"{DOMAIN} has no record that says which servers send its mail")
    assert found["DMARC"][1].startswith(f"{DOMAIN} has no record that says what to do with forged mail")
    assert found["DKIM"][1].startswith(f"{DOMAIN} has no keys")
    assert not any(good for good, _ in found.values())


@pytest.mark.parametrize(
    ("spf", "says"),
    [
        ([SPF, "v=spf1 a -all"], "2 records, which counts as none"),
        (["v=spf1 +all"], "allows every server"),
        (["v=spf1 all"], "allows every server"),
        (["v=spf10 -all"], "has no record"),
    ],
)
def test_a_record_that_does_not_do_its_work_is_told(domain: Settings, serve: Serve, spf: list[str], says: str) -> None:
    good, text = told(domain, serve({DOMAIN: spf}))["SPF"]
    assert not good
    assert says in text


def test_a_long_record_in_pieces_is_read_as_one(domain: Settings, serve: Serve) -> None:
    long = "v=spf1 " + " ".join(f"ip4:192.0.2.{number}" for number in range(30)) + " -all"
    assert told(domain, serve({DOMAIN: [long]}))["SPF"] == (True, long)


def test_without_an_answer_it_is_said_once_that_nobody_looked(
    domain: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(domain_checks, "PATIENCE", 0.2)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        found = told(domain, Nameserver(*silent.getsockname()))
    assert found == {"domain": (False, f"{DOMAIN} was not looked at: no resolver answers")}


def test_names_that_are_reserved_for_tests_are_not_looked_up(settings: Settings, serve: Serve) -> None:
    assert told(settings, serve({})) == {}


def test_what_unsubscribing_takes_is_said_honestly(settings: Settings) -> None:
    assert check_unsubscribe(MANY_MAILS - 1).good
    many = check_unsubscribe(MANY_MAILS)
    assert not many.good
    assert "one click (RFC 8058)" in many.text
    assert [each.state for each in run_checks(settings) if each.about == "unsubscribe"] == ["good"]
