"""No pattern of the intake can be made slow: each meets long strings that were made for it, in the way it is used."""

import importlib
import inspect
import pkgutil
import re
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import pbem.mail.reading
from pbem.mail.reading.quotes import program_phrases

LENGTH = 10_000
SECONDS = 0.05  # a linear pattern needs a thousandth or two

SIGNS = tuple("><-_=?\"\\()[];:@.+*/#&' \t\naA1\u05d0\u2014")
LURES = (
    *(
        '"\\',
        "a@",
        "a.",
        "a-",
        "<a ",
        '<a b="',
        "=?a?q?",
        "=?a?q?b?= ",
        "; a=",
        '; a="',
        "a=b ",
        "-- ",
        "--- x ",
        "[a-",
    ),
    *("[a b 1.0 ", "On 1.", "From: ", "##-", "sent from ", "display :", "font-size:0.", "class=", "1.1.", "2026 "),
    *("Final-Recipient:", "Action:", "a b", "\n\n", "&#", "</a", "<!--", ". .", "1/1 ", "()"),
)
BEGINNINGS = ("", "<", '; a="', "----")


class Use(NamedTuple):
    """A pattern and a method by which a module uses it."""

    name: str
    pattern: Any
    method: str


def uses() -> Iterator[Use]:
    """Every compiled pattern of the intake with every method that its module calls on it."""
    walked = [found.name for found in pkgutil.walk_packages(pbem.mail.reading.__path__, "pbem.mail.reading.")]
    for place in (*walked, "pbem.mail.format", "pbem.mail.reply_address"):
        module = importlib.import_module(place)
        source = inspect.getsource(module)
        for name, value in vars(module).items():
            for pattern in value.values() if isinstance(value, dict) else [value]:
                if isinstance(pattern, re.Pattern):
                    methods = sorted(set(re.findall(rf"\b{name}(?:\[\w+\])?\.(\w+)\b", source)))
                    assert methods or not name.startswith("_"), f"{name} is never used"  # others use what is public
                    yield from (Use(f"{place}.{name}.{method}", pattern, method) for method in methods)
    phrases = program_phrases()
    yield Use("signatures of mail programs", phrases.signature, "fullmatch")
    yield Use("forwarding by mail programs", phrases.forwarding, "fullmatch")


USES = list(uses())


def seconds_for(use: Use, text: str) -> float:
    subject = text.encode() if isinstance(use.pattern.pattern, bytes) else text
    empty = subject[:0]
    started = time.process_time()
    found = getattr(use.pattern, use.method)(*([empty, subject] if use.method == "sub" else [subject]))
    if use.method == "finditer":
        list(found)
    return time.process_time() - started


def test_the_patterns_are_found() -> None:
    assert len({use.name for use in USES}) > 35


@pytest.mark.parametrize("use", USES, ids=[f"{use.name}-{number}" for number, use in enumerate(USES)])
def test_a_pattern_takes_time_in_proportion_to_the_text(use: Use) -> None:
    slow = [
        (beginning, lure)
        for lure in (*SIGNS, *LURES)
        for beginning in BEGINNINGS
        if seconds_for(use, (beginning + lure * LENGTH)[:LENGTH] + "\u0001") > SECONDS
    ]
    assert not slow


def test_a_quadratic_pattern_would_be_noticed() -> None:
    assert seconds_for(Use("planted", re.compile(r"\s+$"), "search"), " " * (LENGTH // 2) + "b") > SECONDS
