"""Golden mails: each kind as a file that people can read, and any change to it shows in a review.

Headers, the text part, and the words of the HTML part. To write them anew after a change that is meant:

    CARAVAN_GOLDEN=write python -m pytest tests/pbem/mail/writing/test_golden.py
"""

import os
import re
from collections.abc import Callable
from email import message_from_bytes
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import pytest

from pbem.mail.writing.mime import Mail

FOLDER = Path(__file__).resolve().parents[3] / "golden"
KINDS = (
    *(
        "invitation",
        "turn",
        "receipt",
        "refusal",
        "question",
        "news",
        "taken-back",
        "vote-asked",
        "paused",
        "digest",
        "reminder",
        "pencilled",
    ),
    *("game-over", "press", "help", "status", "history", "rule", "rules", "preview", "settings", "duplicate", "doubt"),
    *("appealed", "ruled", "called-off", "notice-of-bounces", "many-things", "begun"),
    *("rule-by-word", "rule-asked", "no-rule"),
    *("nomadi-dice", "nomadi-offer", "nomadi-secret"),
    *("brotherhood-turn", "brotherhood-base-offer", "brotherhood-seven"),
)


def portrait(mail: Any, read: Any, shown: Any, tree: Any) -> str:
    """A mail as people look at it; seals and pictures are only named: they change with anything."""
    opened = message_from_bytes(mail.raw)
    head = "".join(f"{name}: {' '.join(value.split())}\n" for name, value in opened.items())
    parts = read(mail)
    links = [f"{''.join(link.itertext())}: {link.get('href')}" for link in tree(parts["text/html"]).iter("a")]
    alts = [image.get("alt") for image in tree(parts["text/html"]).iter("img")]
    page = "\n".join(
        [*shown(parts["text/html"]), *(f"[picture: {alt}]" for alt in alts), *(f"[{link}]" for link in links)]
    )
    whole = f"{head}\n==== text ====\n{parts['text/plain']}\n==== html ====\n{page}\n"
    return re.sub(r"· [0-9a-f]{8} ·", "· (head) ·", re.sub(r"\b[0-9a-f]{64}\b", "(seal)", whole))


@pytest.mark.parametrize("kind", KINDS)
def test_a_golden_mail_is_as_it_was(
    kind: Any,
    mails: dict[str, Mail],
    read: Callable[[Mail], dict[str, str]],
    shown: Callable[[str], list[str]],
    tree: Callable[[str], Element],
) -> None:
    path, now = FOLDER / f"{kind}.txt", portrait(mails[kind], read, shown, tree)
    if os.environ.get("CARAVAN_GOLDEN") == "write":
        path.write_text(now, "utf-8")
    assert path.read_text("utf-8") == now, f"{path.name} has changed; see the top of this file"


def test_no_golden_mail_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {*KINDS}


def test_golden_mails_name_no_real_host() -> None:
    for path in FOLDER.glob("*.txt"):
        hosts = set(re.findall(r"@([a-z.]+)", path.read_text("utf-8")))
        assert hosts <= {"post.example", "example.org"}, path.name
