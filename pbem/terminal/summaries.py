"""A game in a few words: its headline, its score with every point explained, and the same as plain data."""

from typing import TYPE_CHECKING, Final

from pbem.terminal.display import count

if TYPE_CHECKING:
    from engine.score import Score, Tally
    from pbem.judging.result import ReplayResult
    from pbem.terminal.record_outputs import GameJson, ScoreJson


HIDDEN: Final = "hidden until the end"


def headline(replayed: "ReplayResult") -> str:
    """``Through the Desert, 4 players, 57 turns, normal: red 63 won, blue 51``."""
    game = replayed.table
    parts = [game.title, count(len(replayed.record.seats), "player"), count(replayed.turns, "turn")]
    if replayed.finished:
        return f"{', '.join(parts)}, {outcome(replayed)}"
    return f"{', '.join(parts)}, {' and '.join(replayed.due)} to move"


def outcome(replayed: "ReplayResult") -> str:
    """``normal: red 63 won, blue 51``; where players or a referee ended the game, what the record says."""
    ending, named = replayed.ending, replayed.record.header("Result")
    if ending is not None and named and not replayed.over:
        return f"{ending.kind}: {named}"
    return f"{ending.kind if ending is not None else 'over'}: {short_score(replayed.score)}"


def short_score(score: "Score") -> str:
    """``red 63 won, blue 51``."""
    marks = dict.fromkeys(score.winners, " won")
    return ", ".join(f"{tally.seat} {_points(score, tally)}{marks.get(tally.seat, '')}" for tally in score.tallies)


def _points(score: "Score", tally: "Tally") -> str:
    """The points of a seat, if they are not hidden."""
    return HIDDEN if tally.seat in score.hidden else str(tally.total)


def score_lines(score: "Score") -> list[str]:
    """The seats from most points to fewest, each with its points by source."""
    lines = []
    wide = max((len(line.source) for tally in score.tallies for line in tally.lines if line.points), default=0)
    for tally in sorted(score.tallies, key=lambda tally: -tally.total):
        winner = "  winner" if tally.seat in score.winners else ""
        lines.append(f"{tally.seat:<8}{_points(score, tally):>4}{winner}")
        for line in tally.lines:
            if line.points:
                why = f"{line.detail} ({line.rule})".lstrip()
                lines.append(f"    {line.points:>4}  {line.source:<{wide}}  {why}")
    return lines


def score_data(score: "Score") -> "ScoreJson":
    """A score as plain data."""
    return {
        "winners": list(score.winners),
        "seats": [
            {
                "seat": tally.seat,
                "points": score.shown(tally.seat),
                "lines": [
                    {"source": line.source, "rule": line.rule, "points": line.points, "detail": line.detail}
                    for line in tally.lines
                ],
            }
            for tally in score.tallies
        ],
    }


def game_data(replayed: "ReplayResult") -> "GameJson":
    """How far a game has come, as plain data."""
    ending = replayed.ending
    return {
        "id": replayed.record.header("Id"),
        "game": replayed.table.key,
        "rules": replayed.table.edition,
        "seats": dict(_players(replayed)),
        "turns": replayed.turns,
        "plies": replayed.plies,
        "to_act": list(replayed.due) if ending is None else [],
        "ending": {"kind": ending.kind, "seats": list(ending.seats), "reason": ending.reason} if ending else None,
        "finished": replayed.finished,
        "result": replayed.record.header("Result"),
        "score": score_data(replayed.score),
    }


def _players(replayed: "ReplayResult") -> list[tuple[str, str]]:
    return [(seat, replayed.record.header(f"Seat.{seat}") or "") for seat in replayed.record.seats]
