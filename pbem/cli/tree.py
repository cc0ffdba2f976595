"""`pbem tree FILE…`: how games began, and how such games ended."""

from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

import typer

from engine.game import CHANCE
from engine.registry import find_game
from pbem.judging.entries import fill_in_numbers, tidy_headers
from pbem.judging.game_keys import keyed_plies, start_key
from pbem.judging.record_replay import replay_record
from pbem.terminal.arguments import AsJson, FilesFrom, Heap, Jobs
from pbem.terminal.display import count
from pbem.terminal.game_work import GameWork
from pbem.terminal.inputs import record_files, report_faults, report_refusal
from pbem.terminal.report import RecordedReport, Report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.archive.seams import GameInFile
    from pbem.terminal.book_outputs import BranchJson

MOST: Final = 12
"""Moves that are shown after the same moves, the most frequent first."""


@dataclass(frozen=True)
class _Opening:
    """How a finished game began: its game and seats, its start, its first plies, and the seats that won."""

    game: str
    seats: tuple[str, ...]
    start: bytes
    plies: tuple[tuple[str, str], ...]
    won: tuple[str, ...]


@dataclass
class _Branch:
    """Games that began alike: how many, which seats won them, and how they went on."""

    games: int = 0
    wins: Counter[str] = field(default_factory=Counter)
    starts: set[bytes] = field(default_factory=set)
    after: "dict[tuple[str, str], _Branch]" = field(default_factory=dict)

    def take(self, opening: _Opening, depth: int = 0) -> None:
        """Add a game, and its further moves below."""
        self.games += 1
        self.wins.update(opening.won)
        self.starts.add(opening.start)
        if depth < len(opening.plies):
            self.after.setdefault(opening.plies[depth], _Branch()).take(opening, depth + 1)


def tree(
    files: Heap = None,
    *,
    files_from: FilesFrom = None,
    to: Annotated[int, typer.Option("--to", min=1, max=40, metavar="N", help="Show the first N moves.")] = 4,
    show_all: Annotated[bool, typer.Option("--all", help=f"Show more than {MOST} moves after the same moves.")] = False,
    jobs: Jobs = None,
    json: AsJson = False,
) -> None:
    """Show how finished games began, how often, and which seats won.

    Games are told apart by game and seats. Where all have the same set-up, the moves lead to the same positions; where
    set-ups differ, only the moves are the same, and it says so. Dice and draws count as moves.

    Games that go on are left out.
    """
    report = Report(json=json)
    roots: dict[tuple[str, tuple[str, ...]], _Branch] = {}
    games = running = 0
    work: GameWork[tuple[_Opening | None, RecordedReport]] = GameWork(
        partial(_open, RecordedReport(report), to), report, "looking", jobs=jobs
    )
    for game in work.run(record_files(files, files_from, report)):
        games += 1
        opening, told = game.result
        told.retell(report, game=game.number)
        if opening is not None:
            roots.setdefault((opening.game, opening.seats), _Branch()).take(opening)
        running += opening is None and not told.troubles
    counted = sum(each.games for each in roots.values())
    for (key, seats), root in sorted(roots.items()):
        found = find_game(key)
        of = "one set-up" if len(root.starts) == 1 else f"{len(root.starts):,} set-ups, so positions differ"
        report.say(
            f"{found.title if found is not None else key}, {', '.join(seats)}: {count(root.games, 'game')}, {of}"
        )
        report.say(f"  {'games':>7}  {'won by':<{9 * len(seats)}}  moves", *_lines(root, seats, 0, show_all), "")
        for branch in _data(root, key, seats, ()):
            report.add(branch)
    left = f", {count(running, 'game')} left out because not over" if running else ""
    report.say(f"{count(games, 'game')} read: {counted:,} counted{left}, {games - counted - running:,} refused")
    report.end(games=games, counted=counted, running=running, refused=games - counted - running)


def _open(blank: RecordedReport, to: int, item: "GameInFile") -> tuple[_Opening | None, RecordedReport]:
    """How a finished game began; None of one that goes on or is refused."""
    report = RecordedReport(blank)
    record = item.reading.record
    if record is None:
        report_faults(item, report)
        return None, report
    record = fill_in_numbers(tidy_headers(record))
    replayed = replay_record(record)
    if replayed.refusal is not None:
        report.add(report_refusal(item, replayed, report))
        return None, report
    start = start_key(record)
    if not replayed.finished or start is None:
        return None, report
    plies = []
    for each in keyed_plies(record, start):
        if each.ply > to:
            break
        plies.append((each.who, each.clause))
    return _Opening(record.header("Game") or "", record.seats, start, tuple(plies), replayed.score.winners), report


def _ranked(branch: _Branch) -> "list[tuple[tuple[str, str], _Branch]]":
    return sorted(branch.after.items(), key=lambda each: (-each[1].games, each[0]))


def _lines(branch: _Branch, seats: tuple[str, ...], depth: int, show_all: bool) -> "Iterator[str]":
    ranked = _ranked(branch)
    for (who, clause), each in ranked if show_all else ranked[:MOST]:
        won = " ".join(f"{seat[:3]} {100 * each.wins[seat] / each.games:3.0f} %" for seat in seats)
        shown = clause if who == CHANCE else f"{who}: {clause}"
        yield f"  {each.games:>7,}  {won:<{9 * len(seats)}}  {'  ' * depth}{shown}"
        yield from _lines(each, seats, depth + 1, show_all)
    if len(ranked) > MOST and not show_all:
        left = sum(each.games for _, each in ranked[MOST:])
        says = f"({MOST} of {len(ranked)} moves shown; --all for the rest)"
        yield f"  {left:>7,}  {'':<{9 * len(seats)}}  {'  ' * depth}{says}"


def _data(
    branch: _Branch, key: str, seats: tuple[str, ...], moves: tuple[tuple[str, str], ...]
) -> "Iterator[BranchJson]":
    for ply, each in _ranked(branch):
        way = (*moves, ply)
        said: BranchJson = {
            "game": key,
            "moves": [{"who": who, "move": clause} for who, clause in way],
            "games": each.games,
            "set_ups": len(each.starts),
            "wins": [{"seat": seat, "games": each.wins[seat]} for seat in seats],
        }
        yield said
        yield from _data(each, key, seats, way)
