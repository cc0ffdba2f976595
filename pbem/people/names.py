"""Names of people. They are printed in mails to others, and `challenge anna` must mean one person.

So a name holds letters and little else, nothing that could be an address or advertise one, and two people cannot have
names that look alike.
"""

import re
import unicodedata
from collections.abc import Callable
from typing import Final

LONGEST: Final = 40
_SIGNS: Final = re.compile(r"[\w '\u2019.\-]{1,40}")
_DOT_IN_WORD: Final = re.compile(r"\.\w")
_HOST: Final = re.compile(r"\b(?:www|https?|com|org|net)\b", re.IGNORECASE)
_LOOK_ALIKES: Final = str.maketrans(
    "авекмнорстухіјѕ" + "αβεικνορτυχ" + "01",
    "abekmhopctyxijs" + "abeikvoptux" + "ol",
)
"""Small letters of other scripts, and digits, by the Latin letter that they look like."""


def read_name(text: str) -> str | None:
    """A name as it is kept: blanks put in order; None if it cannot be a name."""
    name = unicodedata.normalize("NFC", " ".join(text.split())).strip(" .-'\u2019_")
    if not _SIGNS.fullmatch(name) or "_" in name or not any(sign.isalpha() for sign in name):
        return None
    return None if _DOT_IN_WORD.search(name) or _HOST.search(name) else name


def name_from(text: str) -> str:
    """A name made of whatever somebody is called now, such as the beginning of an address."""
    kept = re.sub(r"[^\w '\u2019-]|_|(?<!^)\.(?=\w)", " ", text.partition("@")[0])
    return read_name(_HOST.sub(" ", kept)[:LONGEST]) or "somebody"


def fold_name(name: str) -> str:
    """What two names that look alike have in common: no marks, no capitals, no blanks, one letter for one shape."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    letters = "".join(sign for sign in plain if sign.isalnum())
    return letters.translate(_LOOK_ALIKES)


def free_name(name: str, taken: Callable[[str], bool]) -> str:
    """The name itself, or with the first number that makes it one nobody has; `taken` is asked for folded names."""
    if fold_name(name) and not taken(fold_name(name)):
        return name
    number = 2
    while taken(fold_name(f"{name} {number}")):
        number += 1
    return f"{name[: LONGEST - 1 - len(str(number))].rstrip()} {number}"
