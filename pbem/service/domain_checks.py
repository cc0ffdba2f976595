"""What `pbem doctor` looks up about our own domain: whether other mail servers can tell our mails from forged ones.

Only the domain of the post is looked up, at the resolver of this machine or one that is given. Names that are reserved
for examples and tests are not asked about, because nobody can answer.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.mail.transport.protocols import Checked
from pbem.settings.sections import Settings

if TYPE_CHECKING:
    from dns.resolver import Resolver

PATIENCE: Final = 3.0
"""Seconds until a resolver counts as one that does not answer."""
DNS_PORT: Final = 53
MANY_MAILS: Final = 5_000
"""Mails in a day from which the large mailbox providers ask for an unsubscribe with one click."""
DAY: Final = timedelta(days=1)

_RESERVED: Final = ("test", "example", "invalid", "localhost", "local", "example.com", "example.net", "example.org")


class NoAnswerError(Exception):
    """No resolver answers."""


class Nameserver(NamedTuple):
    """A resolver to ask instead of the machine's own."""

    address: str
    port: int = DNS_PORT


def check_domain(settings: Settings, nameserver: Nameserver | None = None) -> Iterator[Checked]:
    """SPF, DMARC and DKIM of the post's domain; one line if they cannot be looked up."""
    domain = settings.post.address.rpartition("@")[2].lower()
    if any(domain == name or domain.endswith(f".{name}") for name in _RESERVED):
        return
    lookup = _Lookup(nameserver)
    try:
        yield _check_spf(domain, lookup)
        yield _check_dmarc(domain, lookup)
        yield _check_dkim(domain, lookup)
    except NoAnswerError:
        yield Checked("domain", good=False, text=f"{domain} was not looked at: no resolver answers")


def check_unsubscribe(mails_in_a_day: int) -> Checked:
    """Whether players can stop mails as their mail programs and providers expect."""
    text = "mails offer to stop notices by mail (List-Unsubscribe); one click (RFC 8058) would take a web address"
    if mails_in_a_day < MANY_MAILS:
        return Checked("unsubscribe", good=True, text=text)
    much = f"{mails_in_a_day:,} mails were written in a day, and from {MANY_MAILS:,} on large providers ask for it"
    return Checked("unsubscribe", good=False, text=f"{text}; {much}")


def _check_spf(domain: str, lookup: "_Lookup") -> Checked:
    found = [text for text in lookup.texts(domain) or () if text.lower().split(" ")[0] == "v=spf1"]
    if len(found) > 1:
        return Checked("SPF", good=False, text=f"{domain} has {len(found)} records, which counts as none; keep one")
    if not found:
        return Checked("SPF", good=False, text=f"{domain} has no record that says which servers send its mail")
    if found[0].lower().split()[-1] in ("+all", "all"):
        return Checked("SPF", good=False, text=f"{found[0]} allows every server to send mail as {domain}")
    return Checked("SPF", good=True, text=found[0])


def _check_dmarc(domain: str, lookup: "_Lookup") -> Checked:
    for name in _upwards(domain):
        found = [text for text in lookup.texts(f"_dmarc.{name}") or () if text.lower().startswith("v=dmarc1")]
        if len(found) > 1:
            return Checked("DMARC", good=False, text=f"{name} has {len(found)} records, which counts as none; keep one")
        if found:
            return Checked("DMARC", good=True, text=found[0])
    text = f"{domain} has no record that says what to do with forged mail; many providers distrust that"
    return Checked("DMARC", good=False, text=text)


def _check_dkim(domain: str, lookup: "_Lookup") -> Checked:
    """Keys have names that only our mail server knows; but whether there are any names at all can be asked."""
    if lookup.texts(f"_domainkey.{domain}") is None:
        text = f"{domain} has no keys, so your mail server cannot sign mails in a way that others can check"
        return Checked("DKIM", good=False, text=text)
    return Checked(
        "DKIM", good=True, text=f"there are keys below _domainkey.{domain}; a mail to yourself shows their use"
    )


def _upwards(domain: str) -> Sequence[str]:
    """A domain and those above it that have at least two parts."""
    parts = domain.split(".")
    return [".".join(parts[at:]) for at in range(max(len(parts) - 1, 1))]


class _Lookup:
    """Asks for texts in the DNS."""

    def __init__(self, nameserver: Nameserver | None) -> None:
        self._resolver = _make_resolver(nameserver)

    def texts(self, name: str) -> list[str] | None:
        """The texts under a name; none if it has none, None if there is no such name nor any below it."""
        import dns.exception
        import dns.resolver

        if self._resolver is None:
            raise NoAnswerError
        try:
            answer = self._resolver.resolve(name, "TXT", lifetime=PATIENCE)
        except dns.resolver.NXDOMAIN:
            return None
        except dns.resolver.NoAnswer:
            return []
        except (dns.exception.DNSException, OSError):
            raise NoAnswerError from None
        return [b"".join(each.strings).decode("utf-8", "replace") for each in answer]


def _make_resolver(nameserver: Nameserver | None) -> "Resolver | None":
    """The machine's resolver, or one that asks the given server; None if the machine has none."""
    import dns.resolver

    try:
        resolver = dns.resolver.Resolver(configure=nameserver is None)
    except dns.resolver.NoResolverConfiguration:
        return None
    if nameserver is not None:
        resolver.nameservers, resolver.port = [nameserver.address], nameserver.port
    return resolver
