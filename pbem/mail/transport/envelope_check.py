"""Whether the addresses on an envelope can be kept at all, looked at before a letter is taken.

What is wrong with them stays wrong however often a mail server tries, and not every database would take them. So the
letter is refused for good, with a reason. `pbem deliver` needs this for every letter, so nothing is loaded.
"""

import re
from collections.abc import Iterable
from typing import Final

_LONGEST_ADDRESS: Final = 1_000
_MOST_RECIPIENTS: Final = 1_000
_WRONG_SIGN: Final = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
"""Signs that no address has: controls, and halves of signs, which stand for bytes that are no text."""


def envelope_problem(addresses: Iterable[str]) -> str:
    """Why the addresses on an envelope are none; empty if nothing is wrong with them.

    What is wrong stays wrong however often it is tried, and a database would not even take some of it.
    """
    found = [*addresses]
    if len(found) > _MOST_RECIPIENTS:
        return f"an envelope has at most {_MOST_RECIPIENTS} addresses"
    if any(len(address) > _LONGEST_ADDRESS for address in found):
        return f"an address has at most {_LONGEST_ADDRESS} characters"
    if any(map(_WRONG_SIGN.search, found)):
        return "an address has no control characters and is valid UTF-8"
    return ""
