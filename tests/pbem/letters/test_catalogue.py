"""Translators get every sentence that a mail can ask for, and none that no mail says."""

import io
import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from pbem.letters.prose.gathering import gather


@pytest.fixture(scope="module")
def gathered(root: Path, run, tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, str]]:
    """All sentences, each with its context, gathered as templates/locale/README.md says."""
    page = (root / "templates/locale/README.md").read_text("utf-8")
    (command,) = re.findall(r"^pybabel extract .*$", page, re.MULTILINE)
    target = tmp_path_factory.mktemp("locale") / "caravan-post.pot"
    told = run(*command.replace("-o caravan-post.pot", f"-o {target}").split())
    assert told.returncode == 0, told.stderr
    with target.open("rb") as opened:
        catalogue = read_po(opened)
    return {
        (message.context or "", each)
        for message in catalogue
        for each in (message.id if isinstance(message.id, tuple) else (message.id,))
    }


def test_every_sentence_that_a_mail_asks_for_is_gathered(gathered, turned, pseudo) -> None:
    assert turned
    # Words without a blank are notation: a player writes leader and pass in every language.
    missing = {(context, said) for context, said in pseudo.asked - gathered if " " in said}
    assert missing == set()
    assert len(pseudo.asked) > 150


@pytest.mark.parametrize(
    ("context", "said"),
    [
        ("", "Write your answer above this line."),
        ("", "%(count)s days"),
        ("date", "November"),
        ("camel", "green"),
        ("player", "green"),
        ("", "turn {turn} has been played; the table is at turn {now}"),
        ("", "A camel may not touch a camel of its colour that belongs to another player."),
    ],
)
def test_sentences_from_every_kind_of_place_are_gathered(context, said, gathered) -> None:
    assert (context, said) in gathered


def test_no_sentence_is_kept_that_no_mail_says(root: Path) -> None:
    words = (root / "templates/mails/words.txt").read_text("utf-8")
    code = "".join(path.read_text("utf-8") for path in (root / "pbem/letters").rglob("*.py"))
    code = code.replace('f"link_{word}"', '"link_status" "link_board" "link_history" "link_help"')
    unsaid = [name for name in re.findall(r"{% macro (\w+)\(", words) if not re.search(rf"""["']{name}["']""", code)]
    assert unsaid == []


def test_sentences_are_found_in_code_however_they_are_passed_on() -> None:
    source = b'''
"""A module explains itself."""
X = Rule("TD-1", "a-name", "One rule.", "Book, page 1", obeys="a -- fits", breaks="b -- does not")
PATTERN = re.compile(r"one (?:or) two")
def judge():
    """So does a function."""
    if bad:
        raise ValueError("this is for engineers")
    return ("no {thing} here" if x else "not now", {"key": f"put together {now}"})
'''
    found = [said for _, _, said, _ in gather(io.BytesIO(source), (), (), {})]
    assert set(found) == {"One rule.", "Book, page 1", "a -- fits", "b -- does not", "no {thing} here", "not now"}
