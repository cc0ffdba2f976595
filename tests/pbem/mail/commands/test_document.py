"""The players' guide tells what is so: its letters are read, and its words are understood."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.through_the_desert import GAME
from pbem.mail.commands.parse_letter import CHARACTERS, ParsedLetter, parse_commands
from pbem.mail.post_commands.reader import parse_post_letter
from pbem.tables.silence import SILENCE_POLICIES
from pbem.tables.votes import OF_ALL, OF_MOST

DOCS = Path(__file__).resolve().parents[4] / "docs"
PAGE = (DOCS / "playing-by-mail.md").read_text("utf-8")
BOTH = PAGE + (DOCS / "reading-letters.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```letter\n(.*?)^```\n\n^```understood\n(.*?)^```$", BOTH, re.MULTILINE | re.DOTALL)
ROWS = [re.findall(r"`([^`]+)`", line) for line in PAGE.split("## In other languages")[1].splitlines()]
WORDS = [row for row in ROWS if row]


def tell(parsed: ParsedLetter) -> Iterator[str]:
    """What was made of a letter, as the guide shows it."""
    if parsed.question is not None:
        yield f"question {parsed.question.rule}: {parsed.question.detail}"
    for command in parsed.commands:
        words = command.format()
        yield words if words.startswith("plan") else words.replace("\n", " / ")
    for unread in parsed.unread:
        if unread.question is None:
            yield f"left alone: {unread.text}"


@pytest.mark.parametrize(("letter", "understood"), EXAMPLES)
def test_every_example_is_understood_as_shown(letter: str, understood: str) -> None:
    assert "\n".join(tell(parse_commands(letter, game=GAME))) == understood.rstrip("\n")


def test_every_letter_of_the_guide_is_an_example() -> None:
    assert len(EXAMPLES) == BOTH.count("```letter") == BOTH.count("```understood") > 10


@pytest.mark.parametrize("row", WORDS, ids=lambda row: row[0])
def test_the_words_of_five_languages_mean_the_same(row: list[str]) -> None:
    assert len(row) == 5
    meant = [(parsed.commands, parsed.read) for parsed in (parse_commands(words, game=GAME) for words in row)]
    assert meant == [meant[0]] * 5
    assert meant[0][1] == (1,)


@pytest.mark.parametrize(
    "order", re.findall(r"^\| ((?:`[^`]+`(?:, )?)+) \|", PAGE.split("## In other")[0], re.MULTILINE)
)
def test_every_order_in_a_table_of_the_guide_can_be_sent(order: str) -> None:
    if order.strip("`") in SILENCE_POLICIES:
        return
    for words in re.findall("`([^`]+)`", order):
        # Some orders are for the post itself, and not for a table.
        assert parse_commands(words, game=GAME).read == (1,) or parse_post_letter(words).commands, words


def test_the_guide_tells_who_must_agree_to_what() -> None:
    told = dict(re.findall(r"^\| `(\w+)` \| to [^|]+ \| (\w+)", PAGE, re.MULTILINE))
    assert {what for what, who in told.items() if who == "everybody"} == set(OF_ALL)
    assert {what for what, who in told.items() if who == "more"} == set(OF_MOST)


def test_the_guide_tells_every_policy_for_silence() -> None:
    for policy in SILENCE_POLICIES:
        assert re.search(rf"^\| `{policy}` \|", PAGE, re.MULTILINE)


def test_the_guide_is_short_enough_to_be_read_itself() -> None:
    assert len(PAGE) < 4 * CHARACTERS
