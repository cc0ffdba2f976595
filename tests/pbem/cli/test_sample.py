"""`pbem sample`: games out of nothing but a seed."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from notation import read_text

Pbem = Callable[..., Any]


@pytest.mark.parametrize("seats", ["2", "3", "4", "5"])
def test_what_is_sampled_is_valid_and_canonical(pbem: Pbem, seats: str) -> None:
    answer = pbem("sample", "through-the-desert", "--seats", seats, "--seed", "11")
    assert answer.exit_code == 0
    assert pbem("validate", "-", given=answer.stdout).exit_code == 0
    assert pbem("fmt", "--check", "-", given=answer.stdout).exit_code == 0


def test_a_seed_decides_everything(pbem: Pbem) -> None:
    first, again, other = (pbem("sample", "through-the-desert", "--seed", seed).stdout for seed in ("1", "1", "2"))
    assert first == again
    assert first != other


def test_several_games_make_an_archive(pbem: Pbem, tmp_path: Path) -> None:
    path = tmp_path / "archive.turns"
    answer = pbem("sample", "through-the-desert", "--games", "3", "-o", path)
    assert (answer.exit_code, answer.stdout) == (0, "")
    readings = read_text(path.read_text("utf-8"))
    assert len({reading.record and reading.record.header("Id") for reading in readings}) == 3
    assert pbem("fmt", "--check", path).exit_code == 0


def test_digests_are_written_on_request_and_hold(pbem: Pbem) -> None:
    text = pbem("sample", "through-the-desert", "--digests", "10").stdout
    (reading,) = read_text(text)
    assert reading.record is not None
    assert text.count("[%state ") == (len(reading.record.entries) - 1) // 10
    assert pbem("validate", "-", given=text).exit_code == 0


def test_json_holds_the_text_or_says_where_it_is(pbem: Pbem, tmp_path: Path) -> None:
    (told,) = json.loads(pbem("sample", "through-the-desert", "--json").stdout)["results"]
    assert told["text"] == pbem("sample", "through-the-desert").stdout
    path = tmp_path / "game.turns"
    (told,) = json.loads(pbem("sample", "through-the-desert", "--json", "-o", path).stdout)["results"]
    assert (told["file"], told["text"]) == (str(path), None)
    assert path.read_text("utf-8") == pbem("sample", "through-the-desert").stdout


@pytest.mark.parametrize(
    "words", [["chess"], ["through-the-desert", "--seats", "6"], ["through-the-desert", "-o", "no/such/folder/f"]]
)
def test_what_cannot_be_sampled_is_said_in_one_line(pbem: Pbem, words: list[str]) -> None:
    answer = pbem("sample", *words)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert answer.stderr.startswith("pbem: ")
    assert answer.stderr.count("\n") == 1


def kinds(text: str) -> set[str]:
    """The kinds of move in some games."""
    records = [reading.record for reading in read_text(text)]
    return {type(move).__name__ for record in records if record for entry in record.entries for move in entry.moves}


@pytest.mark.parametrize(
    ("key", "option", "reached"),
    [
        ("nomadi", "Deals=yes", {"Give", "Take", "Leave", "End"}),
        ("nomadi", "Oasis=I6", {"Offer", "Step"}),
        ("nomadi", "Coins=hidden", {"Offer"}),
        ("brotherhood", "Phases=free", {"Pass", "Offer", "Tarly"}),
        ("brotherhood", "Board=variable", {"Guard"}),
        ("brotherhood-base", "Start=free", {"Settlement", "Offer"}),
    ],
)
def test_a_variant_is_played_and_lively_players_try_everything(
    pbem: Pbem, key: str, option: str, reached: set[str]
) -> None:
    text = pbem("sample", key, "--option", option, "--lively", "--games", "3").stdout
    name, _, value = option.partition("=")
    assert text.count(f'[{name} "{value}"]') == 3
    assert reached <= kinds(text)
    assert pbem("validate", "-", given=text).stdout == "3 games, all legal\n"
    assert pbem("sample", key, "--option", option, "--lively", "--games", "3").stdout == text


def test_lively_players_make_offers_to_one_player_by_name_and_trade_after_building(pbem: Pbem) -> None:
    text = pbem("sample", "brotherhood", "--option", "Phases=free", "--lively", "--games", "3").stdout
    assert re.search(r"offer .* to (red|blue|yellow|black)\b", text)
    assert re.search(r"(road|settlement|keep|buy)\b[^\n]*, (trade|offer) ", text)
    answered = pbem("sample", "nomadi", "--seats", "3", "--lively", "--games", "6").stdout
    assert re.search(r'offer "wonderful"', answered)
    assert re.search(r"^(\d+)\. \w+: (take|leave) \w+\n\1\. \*: dice", answered, re.MULTILINE)


@pytest.mark.parametrize(
    ("option", "code", "says"),
    [("Oasis=F4", 1, "NO-V1"), ("Moon=full", 2, "has no option Moon"), ("Deals", 2, "write NAME=VALUE")],
)
def test_an_option_that_does_not_fit_is_told_in_one_line(pbem: Pbem, option: str, code: int, says: str) -> None:
    answer = pbem("sample", "nomadi", "--option", option)
    assert (answer.exit_code, answer.stdout) == (code, "")
    assert says in answer.stderr
    assert answer.stderr.count("\n") == 1
