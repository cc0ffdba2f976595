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


def headline(hearing: "ReplayResult") -> str:
    """``Through the Desert, 4 players, 57 turns, normal: red 63 won, blue 51``."""
    game = hearing.table
    parts = [game.title, count(len(hearing.record.seats), "player"), count(hearing.turns, "turn")]
    if hearing.finished:
        return f"{', '.join(parts)}, {outcome(hearing)}"
    return f"{', '.join(parts)}, {' and '.join(hearing.due)} to move"


def outcome(hearing: "ReplayResult") -> str:
    """``normal: red 63 won, blue 51``; where the table ended a game, the winners are those that the record names."""
    ending, named = hearing.ending, hearing.record.header("Result")
    if ending is not None and named and not hearing.over:
        return f"{ending.kind}: {named}"
    return f"{ending.kind if ending is not None else 'over'}: {short_score(hearing.score)}"


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


def game_data(hearing: "ReplayResult") -> dict[str, Any]:
    """How far a game has come, as plain data."""
    ending = hearing.ending
    return {
        "id": hearing.record.header("Id"),
        "game": hearing.table.key,
        "rules": hearing.table.edition,
        "seats": dict(_players(hearing)),
        "turns": hearing.turns,
        "plies": hearing.plies,
        "to_act": list(hearing.due) if ending is None else [],
        "ending": {"kind": ending.kind, "seats": list(ending.seats), "reason": ending.reason} if ending else None,
        "finished": hearing.finished,
        "result": hearing.record.header("Result"),
        "score": score_data(hearing.score),
    }


def _players(hearing: "ReplayResult") -> list[tuple[str, str]]:
    return [(seat, hearing.record.header(f"Seat.{seat}") or "") for seat in hearing.record.seats]


FORMS: Final = (".svg", ".png", ".txt", ".html", ".json")


def wish(hearing: "ReplayResult", *, legal: bool = False, locale: Locale = ENGLISH) -> DrawOptions:
    """What a picture of a heard game shows besides the board: names, points, the last turn, legal spaces."""
    record, last = hearing.record, hearing.last
    plies = hearing.table.legal(hearing.position) if legal and hearing.ending is None else ()
    title = record.header("Id") or ""
    if hearing.ending is not None and not hearing.over:
        # The board only shows whose turn it would be.
        title = f"{title}: {outcome(hearing)}".removeprefix(": ")
    return DrawOptions(
        title=title,
        names={seat: record.header(f"Seat.{seat}") or seat for seat in record.seats},
        marked=marks_of(last.moves if last is not None else ()),
        legal=marks_of(ply.move for ply in plies),
        score=hearing.score,
        locale=locale,
    )


def draw(hearing: "ReplayResult", form: str, *, viewer: "Seat", options: DrawOptions) -> bytes:
    """The board as the bytes of a file whose name ends in `form`, one of FORMS."""
    key, view = hearing.table.key, hearing.table.view(hearing.position, viewer)
    if form == ".png":
        return draw_png(key, view, options)
    if form == ".json":
        import json

        return (json.dumps(view, ensure_ascii=False, indent=2) + "\n").encode()
    drawn = {".svg": draw_svg, ".txt": draw_text, ".html": draw_page}[form]
    return drawn(key, view, options).encode()
