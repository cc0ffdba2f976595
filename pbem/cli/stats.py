"""`pbem stats FILE…`: what many finished games say together."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from engine.game import Ply
from engine.registry import find_game
from pbem.exchange.statistics import SIDES, FitTest, GameStatistics, fit_test, middle, wins_test
from pbem.exchange.tables import GameRows, Place, rows_of
from pbem.judging.entries import fill_in_numbers, standing_entries, tidy_headers
from pbem.locale.catalogues import ENGLISH
from pbem.render.environment import environment
from pbem.render.plots import BarPlot, LinePlot, plot_bars, plot_lines
from pbem.terminal.arguments import AsJson, FilesFrom, Heap, Jobs
from pbem.terminal.display import count
from pbem.terminal.game_work import GameWork
from pbem.terminal.inputs import record_files, report_faults, report_refusal
from pbem.terminal.output_file import write_output
from pbem.terminal.report import RecordedReport, Report

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from notation import Record
    from pbem.archive.seams import GameInFile
    from pbem.terminal.book_outputs import FitJson, StatsJson

FORMS: Final = (".html",)
_MOST_VALUES: Final = 12
"""Values of a trait that the text lists; JSON has all."""


def stats(
    files: Heap = None,
    *,
    files_from: FilesFrom = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="PAGE", help="Also write plots into page.html.", show_default=False),
    ] = None,
    jobs: Jobs = None,
    json: AsJson = False,
) -> None:
    """Say what many finished games say together.

    For each game: who wins from which place and with how many players, points by source and turn, length, dice and
    sealed draws against what is expected, the time for a turn, and traits. A p-value says how likely chance alone would
    differ so much; below 0.001 something is wrong with the dice, or a place is better than another.

    Games that go on are left out, because what they add could tell what their players may not know.
    """
    report = Report(json=json)
    if output is not None and output.suffix.lower() not in FORMS:
        report.give_up(f"{output}: the name must end in {FORMS[0]}")
    sums: dict[str, GameStatistics] = {}
    games = running = 0
    work: GameWork[tuple[str, GameRows | None, Mapping[str, str], RecordedReport]] = GameWork(
        partial(_count, RecordedReport(report)), report, "counting", jobs=jobs
    )
    for game in work.run(record_files(files, files_from, report)):
        games += 1
        key, rows, traits, told = game.result
        told.retell(report, game=game.number)
        if rows is not None:
            sums.setdefault(key, GameStatistics()).take(rows, traits)
        running += rows is None and not told.troubles
    counted = sum(each.games for each in sums.values())
    for key, each in sorted(sums.items()):
        report.say(*_lines(key, each), "")
        report.add(_data(key, each))
    if output is not None:
        write_output(output, _page(sums).encode(), report, private=False)
    left = f", {count(running, 'game')} left out because it goes on" if running == 1 else ""
    left = f", {running:,} games left out because they go on" if running > 1 else left
    report.say(f"{count(games, 'game')} read: {counted:,} counted{left}, {games - counted - running:,} refused")
    report.end(games=games, counted=counted, running=running, refused=games - counted - running)


def _count(
    blank: RecordedReport, item: "GameInFile"
) -> "tuple[str, GameRows | None, Mapping[str, str], RecordedReport]":
    """The rows of a finished game and its traits; None of one that goes on or is refused."""
    report = RecordedReport(blank)
    record = item.reading.record
    if record is None:
        report_faults(item, report)
        return "", None, {}, report
    record = fill_in_numbers(tidy_headers(record))
    made = rows_of(record, Place(item.source.title, item.number, item.reading.line))
    if made.opened.replayed.refusal is not None:
        report.add(report_refusal(item, made.opened.replayed, report))
        return "", None, {}, report
    if not made.opened.replayed.finished:
        return "", None, {}, report
    return record.header("Game") or "", made, traits_of(record), report


def traits_of(record: "Record") -> dict[str, str]:
    """The traits of a game that is legal: of each name the first value."""
    found: dict[str, str] = {}
    game = record.game
    if game is None:
        return found
    position = game.start(record.setup)
    for entry in standing_entries(record.entries):
        for move in entry.moves:
            ply = Ply(entry.who, move)
            after = game.apply(position, ply)
            for name, value in game.traits(position, ply, after).items():
                found.setdefault(name, value)
            position = after
    return found


def _lines(key: str, sums: GameStatistics) -> "Iterator[str]":
    """The statistics of a game as text."""
    game = find_game(key)
    yield f"{game.title if game is not None else key}: {count(sums.games, 'game')}"
    for players, of in sorted(sums.by_seats.items()):
        shares = "  ".join(
            f"{place}: {_share(of.wins[place], of.games - of.shared)}" for place in range(1, players + 1)
        )
        shared = f"; {of.shared} shared" if of.shared else ""
        played = f"{players} players, {count(of.games, 'game')}"
        yield f"  {played}, won from place  {shares}{shared}{_p(wins_test(of, players))}"
        yield f"    {min(of.turns)} to {max(of.turns)} turns, half of them {middle(of.turns):g} or fewer"
    total = sum(sums.points.values())
    sources = [
        f"{source} {points / sums.players:.1f} ({_share(points, total)})" for source, points in sums.points.items()
    ]
    yield f"  points of a player: {', '.join(sources)}"
    for name, counts in sums.dice.items():
        sides = SIDES[name]
        shown = "  ".join(f"{side}: {counts[side]:,}" for side in sides)
        yield f"  {name}  {shown}{_p(fit_test([counts[side] for side in sides]))}"
    tests = {key: fit_test([counts[at] for at in range(key[1])]) for key, counts in sorted(sums.drawn.items())}
    for (purpose, outcomes), fit in tests.items():
        if fit is not None:
            yield f"  drawn, {purpose}: {sums.drawn[purpose, outcomes].total():,} times one of {outcomes}{_p(fit)}"
    if few := sum(sums.drawn[key].total() for key, fit in tests.items() if fit is None):
        yield f"  drawn, too seldom to be tested: {few:,}"
    if sums.seconds:
        yield f"  time for a turn: half of them {middle(sums.seconds) / 3600:.1f} hours or less"
    for name, values in sums.traits.items():
        yield f"  {name}:"
        ranked = sorted(values.items(), key=lambda each: (-each[1][0], each[0]))
        for value, (games, wins) in ranked[:_MOST_VALUES]:
            won = "  ".join(f"{place}: {_share(wins[place], wins.total())}" for place in sorted(wins))
            yield f"    {games:>7,}  {value:<20}  won from place  {won}".rstrip()
        if len(ranked) > _MOST_VALUES:
            yield f"    ({_MOST_VALUES} of {len(ranked)} shown; --json has all)"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "–"  # noqa: RUF001 - nothing to say is a dash


def _p(fit: FitTest | None) -> str:
    return "" if fit is None else f"   p {fit.p:.3f}" if fit.p >= 0.0005 else "   p below 0.001"


def _data(key: str, sums: GameStatistics) -> "StatsJson":
    """The statistics of a game as plain data."""
    return {
        "game": key,
        "games": sums.games,
        "seats": [
            {
                "players": players,
                "games": of.games,
                "wins": [of.wins[place] for place in range(1, players + 1)],
                "shared": of.shared,
                "shortest": min(of.turns),
                "median": middle(of.turns),
                "longest": max(of.turns),
                "fit": _fit(wins_test(of, players)),
            }
            for players, of in sorted(sums.by_seats.items())
        ],
        "points": [{"source": each, "points": points} for each, points in sums.points.items()],
        "points_by_turn": [{"turn": turn, "points": points} for turn, points in sorted(sums.by_turn.items())],
        "players": sums.players,
        "dice": [
            {
                "name": name,
                "counts": [counts[side] for side in SIDES[name]],
                "fit": _fit(fit_test([counts[side] for side in SIDES[name]])),
            }
            for name, counts in sums.dice.items()
        ],
        "drawn": [
            {
                "name": purpose,
                "counts": [counts[at] for at in range(of)],
                "fit": _fit(fit_test([counts[at] for at in range(of)])),
            }
            for (purpose, of), counts in sorted(sums.drawn.items())
        ],
        "seconds": middle(sums.seconds) if sums.seconds else None,
        "timed": len(sums.seconds),
        "traits": [
            {
                "name": name,
                "value": value,
                "games": games,
                "wins": [{"place": at, "games": wins[at]} for at in sorted(wins)],
            }
            for name, values in sums.traits.items()
            for value, (games, wins) in values.items()
        ],
    }


def _fit(fit: FitTest | None) -> "FitJson | None":
    return None if fit is None else {"chi_squared": fit.squared, "freedom": fit.freedom, "p": fit.p}


def _page(sums: dict[str, GameStatistics]) -> str:
    """A page with the plots, each above the text with the same figures."""
    parts = []
    for key, each in sorted(sums.items()):
        game = find_game(key)
        plots: list[tuple[str, str, BarPlot | LinePlot]] = []
        for players, of in sorted(each.by_seats.items()):
            decided = of.games - of.shared
            rows = [
                (f"place {place}", of.wins[place], _share(of.wins[place], decided), decided / players)
                for place in range(1, players + 1)
            ]
            plots += _plot("bars", f"Wins of {players} players; dashes: equal chances", plot_bars(rows))
        sources = [
            (name, points / each.players, f"{points / each.players:.1f}", None) for name, points in each.points.items()
        ]
        plots += _plot("bars", "Points of a player by source", plot_bars(sources))
        so_far, series = 0, []
        for turn, points in sorted(each.by_turn.items()):
            so_far += points
            series.append((turn, round(so_far / each.players)))
        plots += _plot("lines", "Points of a player by turn", plot_lines({"all": series}, {"all": "mean"}))
        for name, counts in each.dice.items():
            total = counts.total()
            faces = [(str(side), counts[side], f"{counts[side]:,}", total / len(SIDES[name])) for side in SIDES[name]]
            plots += _plot("bars", f"{name.capitalize()}; dashes: as expected", plot_bars(faces))
        parts.append(
            {"title": game.title if game is not None else key, "plots": plots, "text": "\n".join(_lines(key, each))}
        )
    return environment(ENGLISH).get_template("books/statistics.html").render(parts=parts)


def _plot(kind: str, title: str, plot: BarPlot | LinePlot | None) -> list[tuple[str, str, BarPlot | LinePlot]]:
    return [] if plot is None else [(kind, title, plot)]
