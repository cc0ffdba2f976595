"""Letters as people write them, judged: what the post reads in them at the moment they were written for.

`tests/letters/fresh` holds them; `docs/reading-letters.md` tells how each list came about. Each letter
says what a careful person would do with it: play it (`plain`), leave it (`stop`), or ask what is meant (`ask`).
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from engine.game import Seat
from notation import read_text
from pbem.judging.record_replay import replay_record
from pbem.judging.result import ReplayResult
from pbem.judging.submission import judge_at
from pbem.mail.commands.parse_letter import ParsedLetter, parse_commands
from pbem.mail.commands.submit_moves import Play
from pbem.tables.play import Pending, open_to

FOLDER = Path(__file__).parents[3] / "letters/fresh"
NAMES = {"red": "Anna", "blue": "Boris", "green": "Chiara", "yellow": "Chiara"}
PLAYED, PENCILLED, ASKED = "played", "pencilled", "asked"


@dataclass(frozen=True)
class FreshLetter:
    """One letter, and what is to come of it."""

    language: str
    moment: str
    expect: str
    moves: str
    text: str

    @property
    def seat(self) -> Seat:
        """Who wrote it."""
        return "blue" if self.moment == "bbo" else "red"


def load(name: str) -> list[FreshLetter]:
    """The letters of a file; none if it is not there."""
    path = FOLDER / name
    rows: list[dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.is_file() else []
    return [FreshLetter(row["language"], row["moment"], row["expect"], row["moves"] or "", row["text"]) for row in rows]


@cache
def moment(name: str) -> ReplayResult:
    """The table of a moment."""
    (reading,) = read_text((FOLDER / f"moments/{name}.turns").read_text("utf-8"))
    assert reading.record is not None
    replayed = replay_record(reading.record)
    assert replayed.refusal is None
    return replayed


def pending(name: str, seat: Seat) -> Pending:
    """What can be done at a moment."""
    at = moment(name)
    assert at.game is not None
    seats = at.record.setup.seats
    return open_to(at.game, at.position, seat, names={each: NAMES[each] for each in seats})


def read(letter: FreshLetter) -> ParsedLetter:
    """What the post reads in a letter."""
    at = moment(letter.moment)
    return parse_commands(letter.text, game=at.game, pending=pending(letter.moment, letter.seat))


def outcome(letter: FreshLetter) -> tuple[str, bool]:
    """What becomes of a letter, and whether the move is the one that was written, where one is played or pencilled."""
    parsed = read(letter)
    done = parsed.pencilled or parsed.commands
    plays = [command for command in done if isinstance(command, Play)]
    if not plays or not pending(letter.moment, letter.seat).allows(plays[0].text):
        return ASKED, True  # or refused by a rule of the game, which asks as well
    became = PENCILLED if parsed.pencilled else PLAYED
    return became, letter.expect == "plain" and _leads(letter, plays[0].text) == _leads(letter, letter.moves)


def _leads(letter: FreshLetter, text: str) -> object:
    """The position that moves lead to, with those that are not judged yet; or the moves that are refused."""
    at = moment(letter.moment)
    assert at.game is not None
    ruling = judge_at(at.game, at.position, letter.seat, text)
    return (ruling.position, ruling.later) if ruling.is_legal else ruling.phrase


@dataclass(frozen=True)
class Figures:
    """How many letters of each kind were played, pencilled and asked about, by language; and the wrong ones."""

    counts: Mapping[tuple[str, str, str], int]
    wrong: tuple[str, ...]
    own_move_back: tuple[int, int]
    """Of the letters that were asked about or pencilled: to how many the own move is offered, and of how many."""

    def share(self, expect: str, *outcomes: str, language: str | None = None) -> float:
        """Which share of the letters of a kind had one of some outcomes."""
        of_kind = {key: n for key, n in self.counts.items() if key[1] == expect and language in (None, key[0])}
        return sum(n for key, n in of_kind.items() if key[2] in outcomes) / max(1, sum(of_kind.values()))

    def rows(self) -> Iterator[str]:
        """The table for the documentation."""
        kinds = " | ".join(f"{kind}: {PLAYED} | {PENCILLED} | {ASKED}" for kind in ("plain", "stop", "ask"))
        yield f"| language | {kinds} |"
        yield "|---|---|---|---|---|---|---|---|---|---|"
        for language in ("en", "nl", "pl", "ru", "he"):
            cells = [
                self.counts.get((language, expect, became), 0)
                for expect in ("plain", "stop", "ask")
                for became in (PLAYED, PENCILLED, ASKED)
            ]
            yield f"| {language} | {' | '.join(map(str, cells))} |"


def judge_letters(name: str) -> Figures:
    """What becomes of all letters of a file."""
    counts: Counter[tuple[str, str, str]] = Counter()
    wrong, offered, asked = [], 0, 0
    for letter in load(name):
        became, is_right = outcome(letter)
        counts[letter.language, letter.expect, became] += 1
        if became != ASKED and letter.expect == "plain" and not is_right:
            wrong.append(letter.text)
        parsed = read(letter)
        if parsed.question is not None:
            asked += 1
            offered += bool(parsed.question.suggests)
    return Figures(counts, tuple(wrong), (offered, asked))
