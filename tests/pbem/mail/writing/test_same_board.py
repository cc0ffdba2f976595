"""Text and HTML say the same: from each the board can be read back, and it is the board."""

import re
from collections.abc import Callable, Iterable
from typing import Any
from xml.etree.ElementTree import Element

import pytest

from engine.game import PUBLIC
from pbem.mail.writing.mime import Mail
from pbem.mail.writing.occasions import GameOverMail, TurnMail
from tests.post.mailed_games import Game

LETTERS = {"L": "lilac", "M": "mint", "Y": "lemon", "G": "green", "S": "salmon"}
SEATS = {"r": "red", "b": "blue", "g": "green", "o": "orange"}


def from_sentences(lines: Iterable[str]) -> dict[str, Any]:
    """A board from its list by owner."""
    board: dict[str, Any] = {
        "camels": {},
        "leaders": {},
        "areas": [],
        "water": {},
        "herds": {},
        "oases": [],
        "hand": {},
    }
    owner = ""
    for line in lines:
        if named := re.match(r"(Red|Blue|Green|Orange) \(", line):
            owner = named[1].lower()
            board["camels"][owner], board["leaders"][owner], board["hand"][owner] = {}, {}, []
        elif found := re.match(r"(\w+) caravan(?:, \d+ camels)?: leader (\w+), (?:others ([\w ]+)|alone)\.", line):
            colour, leader, others = found[1].lower(), found[2], (found[3] or "").split()
            board["leaders"][owner][colour] = leader
            board["camels"][owner][colour] = {leader, *others}
        elif found := re.match(r"Enclosed in turn (\d+) by the (\w+) caravan, \d+ spaces?: ([\w ]+)\.", line):
            board["areas"].append((owner, found[2], int(found[1]), found[3].split()))
        elif found := re.match(r"Leaders in hand: ([\w, ]+)\.", line):
            board["hand"][owner] = found[1].split(", ")
        elif found := re.match(r"Water for (\d) points?: ([\w ]+)\.", line):
            board["water"] |= dict.fromkeys(found[2].split(), int(found[1]))
        elif found := re.match(r"Oases: ([\w ]+)\.", line):
            board["oases"] = found[1].split()
        elif found := re.match(r"Herds: ([\w, ]+)\.", line):
            board["herds"] = {pair.split()[0]: int(pair.split()[1]) for pair in found[1].split(", ")}
    return board


def from_drawing(text: str) -> dict[str, Any]:
    """Camels, leaders, water, oases and enclosed spaces from the board as a drawing."""
    lines = text[text.index("     A  B  C") :].splitlines()
    board: dict[str, Any] = {
        "camels": {seat: {} for seat in SEATS.values()},
        "leaders": {},
        "water": {},
        "oases": set(),
        "in": {},
    }
    for at in range(26):
        for letter in "ABCDEFGHIJKLMNOPQRSTUV":
            column = ord(letter) - ord("A")
            if column % 2 != at % 2:
                continue
            middle = 3 + column * 3
            sign = lines[1 + at][middle : middle + 5].strip().strip("[]")
            space = f"{letter}{at // 2 + 1}"
            if found := re.fullmatch(r"([rbgo])([LMYGS])(\*?)", sign):
                seat, colour = SEATS[found[1]], LETTERS[found[2]]
                board["camels"][seat].setdefault(colour, set()).add(space)
                if found[3]:
                    board["leaders"][seat, colour] = space
            elif sign in ("1", "2", "3"):
                board["water"][space] = int(sign)
            elif sign in ("@", "/@/"):
                board["oases"].add(space)
            if sign.startswith("/"):
                board["in"][space] = sign
    return board


def joined(text: str) -> list[str]:
    """The lines of the text part, those that go on below made whole again."""
    return re.sub(r"\n {4,}(?=\S)", " ", text).replace("\n  ", "\n").splitlines()


@pytest.mark.parametrize("turns", [0, 7, 20, 45, 60, 500])
def test_the_sentences_and_the_drawing_show_the_same_board(
    turns: int,
    played: Callable[[int], Game],
    compose: Callable[..., Mail],
    read: Callable[[Mail], dict[str, str]],
    shown: Callable[[str], list[str]],
) -> None:
    game = played(turns)
    table = game.table
    view = table.game.view(table.position, PUBLIC)
    occasion = TurnMail(game.since("red")) if table.due else GameOverMail(game.since("red"))
    found = read(compose(table, occasion))
    replayed = from_sentences(joined(found["text/plain"]))
    assert "Herds: " not in "".join(shown(found["text/html"])), "there the picture shows it"
    camels = {seat: {colour: set(spaces) for colour, spaces in own.items()} for seat, own in view["camels"].items()}
    assert replayed["camels"] == camels
    assert replayed["leaders"] == view["leaders"]
    assert replayed["water"] == view["water"]
    assert replayed["oases"] == view["oases"]
    assert replayed["herds"] == view["herds"]
    assert replayed["hand"] == view["hand"]
    areas = [(area["seat"], area["colour"], area["turn"], area["spaces"]) for area in view["areas"]]
    assert sorted(replayed["areas"]) == sorted(areas)
    drawn = from_drawing(found["text/plain"])
    assert drawn["camels"] == camels
    assert drawn["leaders"] == {
        (seat, colour): space for seat, own in view["leaders"].items() for colour, space in own.items()
    }
    assert drawn["water"] == view["water"]
    assert drawn["oases"] == set(view["oases"])
    assert set(drawn["in"]) == {space for area in view["areas"] for space in area["spaces"]}


@pytest.mark.parametrize("turns", [30, 60])
def test_both_parts_show_the_same_points(
    turns: int,
    played: Callable[[int], Game],
    compose: Callable[..., Mail],
    read: Callable[[Mail], dict[str, str]],
    tree: Callable[[str], Element],
) -> None:
    game = played(turns)
    table = game.table
    found = read(compose(table, TurnMail(game.since("red"))))
    text = re.sub(r"\n\|   ", " ", found["text/plain"]).partition("\nPoints\n")[2].partition("\nThe board")[0]
    replayed = {name: int(total) for name, total in re.findall(r"^\| \S+ . (\w+): .* (\d+)$", text, re.MULTILINE)}
    assert replayed == {tally.seat: tally.total for tally in table.score.tallies}
    (points,) = [each for each in tree(found["text/html"]).iter("table") if each.get("role") is None]
    rows = [["".join(cell.itertext()) for cell in row] for row in points.iter("tr")]
    assert {re.findall("|".join(table.seats), who)[0]: int(total) for who, total, _ in rows} == replayed
    for tally, (_, _, won_by) in zip(sorted(table.score.tallies, key=lambda tally: -tally.total), rows, strict=True):
        sources = {line.source for line in tally.lines if line.points}
        assert sum(map(int, re.findall(r" (\d+)", won_by))) == (tally.total if len(sources) > 1 else 0)


def test_both_parts_say_the_same_sentences(
    mails: dict[str, Mail], read: Callable[[Mail], dict[str, str]], shown: Callable[[str], list[str]]
) -> None:
    for name, mail in mails.items():
        found = read(mail)
        text = " ".join(found["text/plain"].replace("\n| ", "\n").split())
        # The headline at the top is for the list of a mailbox; who reads or listens finds it below.
        page = re.sub(r'<span aria-hidden="true">([^<]*)</span>', "", found["text/html"])
        for line in shown(page):
            # Answers to tap stand in one line, a bar before each.
            for said in line.removeprefix("| ").strip().split(" | "):
                is_link = line.startswith("| ") and (len(said) < 60 or said.startswith("Play: "))
                is_link_or_cell = is_link or re.fullmatch(r"[\w ()\u2068\u2069]+", said)
                is_count = said.startswith("Open spaces")  # the text part names all of them
                assert said in text or is_link_or_cell or is_count, (name, said)
