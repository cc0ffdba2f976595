"""How many letters forced moves and rolls save: the same games, with and without the table's term `forced`.

    python -m benchmarks.forced_moves [--game GAME]... [--games N] [--json]

Four play each game as in the demonstration. Where all can see that a seat has only one move (`GameRules.forced`), the
post makes it at once; a table that asks gets it in a letter of its own, for a roll has to be seen before anybody can go
on. So both ways are counted in one and the same game, with the same dice. No mail is written, which makes it quick.
"""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from benchmarks.mails_per_game import GAMES, SEATS
from engine.chance import KeyedDealer
from engine.game import CHANCE, GameRules, Ply, Setup
from engine.registry import find_game
from pbem.judging.lookahead import choose_ply
from pbem.judging.submission import awaited


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters of one game."""

    asked: int
    """If every move is asked for."""
    rolls: int
    """How many of these are rolls that the post makes."""
    forced: int
    """How many are other moves that all can see to be the only one."""

    @property
    def written(self) -> int:
        """If forced moves are made at once."""
        return self.asked - self.rolls - self.forced


def count_letters(game: GameRules, seed: int) -> Letters:
    """Play one game."""
    dealer = KeyedDealer(f"forced {game.key} {seed}".encode())
    position: Any = game.start(game.lay_out(Setup(game.seats[:SEATS]), dealer))
    asked = rolls = forced = 0
    while due := game.to_act(position):
        seat = due[0]
        if seat == CHANCE:
            position = game.apply(position, game.deal(position, dealer))
            continue
        asked += 1
        only = game.forced(position, seat)
        if only is not None:
            rolls += only == game.roll
            forced += only != game.roll
            position = game.apply(position, Ply(seat, only))
        else:
            position = _write(game, position, seat, dealer)
    return Letters(asked, rolls, forced)


def _write(game: GameRules, position: Any, seat: str, dealer: KeyedDealer) -> Any:
    """One letter: all moves that a seat can make before chance or others go on."""
    turn = game.turn(position)
    while seat in game.to_act(position) and game.turn(position) == turn:
        ply = choose_ply(game, position, dealer, seat)
        position = game.apply(position, ply)
        if awaited(game, position, seat, ply.move) or game.forced(position, seat) is not None:
            break
    return position


def show_counts(counted: dict[str, list[Letters]]) -> str:
    """The middle game of each kind as a table in Markdown."""
    rows = ["| game | games | letters, asked for all | rolls | other forced moves | letters | of asked |"]
    rows.append("|---|---|---|---|---|---|---|")
    for game, letters in counted.items():
        asked, rolls, forced, written = (
            median(getattr(each, name) for each in letters) for name in ("asked", "rolls", "forced", "written")
        )
        share = sum(each.written for each in letters) / sum(each.asked for each in letters)
        rows.append(
            f"| {game} | {len(letters)} | {asked:.0f} | {rolls:.0f} | {forced:.0f} | {written:.0f} | {share:.2f} |"
        )
    return "\n".join(rows)


def main() -> None:
    """Play the games that are asked for, and print the counts."""
    parser = ArgumentParser(description="How many letters forced moves and rolls save.")
    parser.add_argument("--game", action="append", choices=GAMES, help="one game alone; may be repeated")
    parser.add_argument("--games", type=int, default=10, help="how many games of each kind")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    asked = parser.parse_args()
    counted = {}
    for key in asked.game or GAMES:
        game = find_game(key)
        assert game is not None
        counted[key] = [count_letters(game, seed) for seed in range(asked.games)]
        sys.stderr.write(f"{key}: {asked.games} games\n")
    found = {key: [asdict(each) for each in letters] for key, letters in counted.items()}
    sys.stdout.write((json.dumps(found, indent=1) if asked.json else show_counts(counted)) + "\n")


if __name__ == "__main__":
    main()
