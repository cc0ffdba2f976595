"""One-tap answers: ``mailto:`` addresses with the answer written in.

No link of ours changes anything: mail firewalls follow links, and only a sent answer acts (RFC 6068 for the form).
"""

from functools import lru_cache
from urllib.parse import quote

from pbem.mail.writing.blocks import Link


def write_link(label: str, to: str, subject: str, body: str) -> Link:
    """A link that opens an answer to `to`."""
    address = _open_answer(to, subject)
    return Link(label, f"{address}&body={_encode(body)}" if body else address)


@lru_cache(maxsize=64)
def _open_answer(to: str, subject: str) -> str:
    """An answer in which nothing is written yet: all links of a mail begin so."""
    # The plus of a ticket is encoded too: some programs read it as a blank.
    return f"mailto:{quote(to, safe='@.-_')}?subject={_encode(f'Re: {subject}')}"


@lru_cache(maxsize=256)
def _encode(text: str) -> str:
    return quote(text.replace("\r\n", "\n").replace("\n", "\r\n"), safe="")
