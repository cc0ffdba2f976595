"""A slip of the finger in one move must not play the others as if it were small talk."""

import pytest

from pbem.mail.commands.parse_letter import parse_commands
from tests.pbem.mail.commands.fresh_letters import moment, pending


@pytest.mark.parametrize(
    ("at", "letter"),
    [
        ("td", "lilac B4 lemn C5"),
        ("td", "lilac B4 BB5"),
        ("td", "mint E7 4D"),
        ("td", "mint E7 D"),
        ("bw", "guard 3, edn"),
        ("bw", "guard 3, rod 25-31, end"),
        ("bw", "road 25-31 30"),
        ("bb", "hut 45, done"),
        ("bb", "road 38/46. end"),
        ("bb", "offer 1 grain for 1 wool to Bob"),
        ("bb", "swap a grain for a brick with Bob, end"),
        ("bb", "hut 45 and settlement 46"),
        ("bb", "offer to Chiara: 1 grain for 1 wool"),
        ("no", "6 L17-K12, 6 L16-J122"),
        ("no", "6 L17-K12, 5 zz"),
    ],
)
def test_half_a_turn_is_not_played_where_the_other_half_may_be_misspelt(at: str, letter: str) -> None:
    parsed = parse_commands(letter, game=moment(at).game, pending=pending(at, "red"))
    assert (parsed.commands, parsed.pencilled) == ((), ())
    assert parsed.question is not None


@pytest.mark.parametrize("beside", ["thanks", "Anna", "haha", "lol", "zzz", "😀"])
def test_a_word_that_is_like_none_of_the_game_does_no_harm(beside: str) -> None:
    parsed = parse_commands(f"lilac B4 B5 {beside}", game=moment("td").game, pending=pending("td", "red"))
    assert [command.format() for command in parsed.commands] == ["lilac B4 B5"]
