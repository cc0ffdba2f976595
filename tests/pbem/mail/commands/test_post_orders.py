"""Every order to the post itself is understood in five languages, and written in one way."""

import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

from engine import registry
from pbem.locale.catalogues import find_locale
from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail import post_commands as package
from pbem.mail.commands.command_grammar import families as of_tables
from pbem.mail.post_commands.reader import PostCommand, families, parse_post_letter
from pbem.mail.post_commands.tables import OpenTable

PHRASES = Path(__file__).with_name("post_orders.txt").read_text("utf-8")
PAIRS = [tuple(map(str.strip, line.split("=>"))) for line in PHRASES.splitlines()[1:] if "=>" in line]
CHAPTERS = re.findall(r"^# (\w+)\n((?:.+\n)+)", PHRASES, re.MULTILINE)
GUIDE = (Path(__file__).resolve().parents[4] / "docs/coming-in.md").read_text("utf-8")
SCRIPTS = {"latin": r"[a-z]", "cyrillic": "[а-яё]", "hebrew": "[א-ת]"}


@pytest.mark.parametrize(("written", "meant"), PAIRS)
def test_an_order_is_understood(written: str, meant: str) -> None:
    parsed = parse_post_letter(written)
    assert [command.format() for command in parsed.commands] == [meant]
    assert parsed.unread == ()


@pytest.mark.parametrize("meant", sorted({meant for _, meant in PAIRS}))
def test_what_is_written_back_is_understood_again(meant: str) -> None:
    assert [command.format() for command in parse_post_letter(meant).commands] == [meant]


@pytest.mark.parametrize(("name", "lines"), CHAPTERS)
def test_every_order_has_words_in_all_scripts(name: str, lines: str) -> None:
    written = [line.partition("=>")[0].lower() for line in lines.splitlines()]
    missing = [script for script, letter in SCRIPTS.items() if not any(re.match(letter, each) for each in written)]
    assert not missing


def test_every_kind_of_order_is_tried() -> None:
    modules = [import_module(f"{package.__name__}.{each.name}") for each in iter_modules(package.__path__)]
    kinds = {
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, PostCommand) and each is not PostCommand
    }
    tried = {type(command) for written, _ in PAIRS for command in parse_post_letter(written).commands}
    assert kinds - tried == set()


@pytest.mark.parametrize("code", LANGUAGE_CODES)
@pytest.mark.parametrize("key", registry.game_keys())
def test_a_game_is_known_by_its_title_in_every_language(key: str, code: str) -> None:
    game = registry.find_game(key)
    assert game is not None
    title = find_locale(code).translations.gettext(game.title)
    (command,) = parse_post_letter(f"open {title} seats {game.players[0]}").commands
    assert isinstance(command, OpenTable)
    assert (command.game, command.unread) == (key, "")


def test_lists_of_words_have_names_of_their_own() -> None:
    shared = [family for family in families() if family in of_tables()]
    own = [name for family in families() if family not in shared for name in family.words]
    assert len(own) == len(set(own))
    same = {"help", "accept", "decline", "undo", "record"}  # the same words at tables
    assert set(own) & {name for family in of_tables() for name in family.words} <= same


@pytest.mark.parametrize("line", ["I am out of the office until Monday.", "Dear all,", "> yes", "Kind regards", "Anna"])
def test_prose_is_no_order(line: str) -> None:
    assert parse_post_letter(line).commands == ()


@pytest.mark.parametrize("order", re.findall(r"^\| ((?:`[^`]+`(?:, )?)+) \|", GUIDE, re.MULTILINE))
def test_every_order_of_the_guide_is_understood(order: str) -> None:
    for words in re.findall("`([^`]+)`", order):
        parsed = parse_post_letter(words)
        assert len(parsed.commands) == 1, words
        assert parsed.unread == ()
