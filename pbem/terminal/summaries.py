"""A game in words: its headline, its standings with every point explained, and the same as plain data.

The board in the form that a file's name asks for.
"""

from typing import TYPE_CHECKING, Any, Final

from pbem.render import (
    ENGLISH,
    DrawOptions,
    Locale,
    draw_page,
    draw_png,
    draw_svg,
    draw_text,
    marks_of,
)
from pbem.terminal.display import count

if TYPE_CHECKING:
    from engine.game import Seat
    from engine.score import Score, Tally
    from pbem.judging.result import ReplayResult


HIDDEN: Final = "hidden until the end"


def headline(replayed: "ReplayResult") -> str:
    """``Through the Desert, 4 players, 57 turns, normal: red 63 won, blue 51``."""
    game = replayed.table
    parts = [game.title, count(len(replayed.record.seats), "player"), count(replayed.turns, "turn")]
    if replayed.finished:
        return f"{', '.join(parts)}, {outcome(replayed)}"
    return f"{', '.join(parts)}, {' and '.join(replayed.due)} to move"


def outcome(replayed: "ReplayResult") -> str:
    """``normal: red 63 won, blue 51``; where the table ended a game, the winners are those that the record names."""
    ending, named = replayed.ending, replayed.record.header("Result")
    if ending is not None and named and not replayed.over:
        return f"{ending.kind}: {named}"
    return f"{ending.kind if ending is not None else 'over'}: {short_score(replayed.score)}"


def short_score(score: "Score") -> str:
    """``red 63 won, blue 51``."""
    marks = dict.fromkeys(score.winners, " won")
    return ", ".join(f"{tally.seat} {_points(score, tally)}{marks.get(tally.seat, '')}" for tally in score.tallies)


def _points(score: "Score", tally: "Tally") -> str:
    """The points of a seat; a nought would be a lie where they are hidden."""
    return HIDDEN if tally.seat in score.hidden else str(tally.total)


def score_lines(score: "Score") -> list[str]:
    """The seats from most points to fewest, each with its points by source."""
    told = []
    wide = max((len(line.source) for tally in score.tallies for line in tally.lines if line.points), default=0)
    for tally in sorted(score.tallies, key=lambda tally: -tally.total):
        winner = "  winner" if tally.seat in score.winners else ""
        told.append(f"{tally.seat:<8}{_points(score, tally):>4}{winner}")
        for line in tally.lines:
            if line.points:
                why = f"{line.detail} ({line.rule})".lstrip()
                told.append(f"    {line.points:>4}  {line.source:<{wide}}  {why}")
    return told


def score_data(score: "Score") -> dict[str, Any]:
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


def game_data(replayed: "ReplayResult") -> dict[str, Any]:
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


FORMS: Final = (".svg", ".png", ".txt", ".html", ".json")


def wish(replayed: "ReplayResult", *, legal: bool = False, locale: Locale = ENGLISH) -> DrawOptions:
    """What a picture of a heard game shows besides the board: names, points, the last turn, legal spaces."""
    record, last = replayed.record, replayed.last
    plies = replayed.table.legal(replayed.position) if legal and replayed.ending is None else ()
    title = record.header("Id") or ""
    if replayed.ending is not None and not replayed.over:
        # The board only shows whose turn it would be.
        title = f"{title}: {outcome(replayed)}".removeprefix(": ")
    return DrawOptions(
        title=title,
        names={seat: record.header(f"Seat.{seat}") or seat for seat in record.seats},
        marked=marks_of(last.moves if last is not None else ()),
        legal=marks_of(ply.move for ply in plies),
        score=replayed.score,
        locale=locale,
    )


def draw(replayed: "ReplayResult", form: str, *, viewer: "Seat", options: DrawOptions) -> bytes:
    """The board as the bytes of a file whose name ends in `form`, one of FORMS."""
    key, view = replayed.table.key, replayed.table.view(replayed.position, viewer)
    if form == ".png":
        return draw_png(key, view, options)
    if form == ".json":
        import json

        return (json.dumps(view, ensure_ascii=False, indent=2) + "\n").encode()
    drawn = {".svg": draw_svg, ".txt": draw_text, ".html": draw_page}[form]
    return drawn(key, view, options).encode()
