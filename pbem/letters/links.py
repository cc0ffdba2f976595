"""One-tap answers: ``mailto:`` addresses with the answer written in.

No link of ours changes anything: mail firewalls follow links, and only a sent answer acts (RFC 6068 for the form).
"""

from urllib.parse import quote

from pbem.letters.blocks import Link


def write_link(label: str, to: str, subject: str, body: str) -> Link:
    """A link that opens an answer to `to`."""
    # The plus of a ticket is encoded too: some programs read it as a blank.
    fields = "&".join(
        f"{name}={_encode(text)}" for name, text in (("subject", f"Re: {subject}"), ("body", body)) if text
    )
    return Link(label, f"mailto:{quote(to, safe='@.-_')}?{fields}")


def _encode(text: str) -> str:
    return quote(text.replace("\r\n", "\n").replace("\n", "\r\n"), safe="")
