"""Events and records: each can be made from the other.

The record of a game (`.turns`) always follows from its events. A record that stands can be taken in again as
events, for a game that comes from another house or from a lost database; what happened outside the record, such
as invitations, is then told as briefly as the chain allows.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from engine.game import CHANCE, Game, Seat
from engine.score import Score
from notation import END, PAUSE, RESUME, SUBSTITUTE, UNDO, Ending, Entry, Record, Standing, write_moves, write_result
from notation.headers import FORMAT, arrange
from pbem.ledger.event import Draft

SHARED: Final = "agreed"
"""The ending that every seat shares."""
LOSING: Final = ("resigned", "time")
"""The endings whose named seats lose to the others."""


def make_record(
    game: Game[Any],
    *,
    table: str,
    names: Sequence[tuple[Seat, str]],
    options: Iterable[tuple[str, str]],
    entries: tuple[Entry, ...],
    ending: Ending | None,
    score: Score | None,
) -> Record:
    """The record of a table."""
    seats = tuple(seat for seat, _ in names)
    headers = [
        ("Format", FORMAT),
        ("Game", game.key),
        ("Rules", game.edition),
        ("Id", table),
        *((f"Seat.{seat}", name) for seat, name in names),
        *options,
        ("Result", result_text(seats, ending, score)),
    ]
    return Record(arrange(headers), entries)


def winners(seats: tuple[Seat, ...], ending: Ending, score: Score | None) -> tuple[Seat, ...]:
    """Who wins by an ending: by the rules if it is normal, else whoever is left, all, or nobody."""
    if ending.kind == "normal":
        return score.winners if score is not None else ()
    if ending.kind == SHARED:
        return seats
    if ending.kind in LOSING:
        return tuple(seat for seat in seats if seat not in ending.seats)
    return ending.seats if ending.kind == "adjudicated" else ()


def result_text(seats: tuple[Seat, ...], ending: Ending | None, score: Score | None) -> str:
    """The Result header: ``red 63 won, blue 51``, or ``*`` while the game goes on."""
    if ending is None:
        return write_result(())
    won = winners(seats, ending, score)
    points = {seat: score.total(seat) if score is not None else None for seat in seats}
    return write_result(Standing(seat, points[seat], seat in won) for seat in seats)


def drafts_of(record: Record) -> Iterator[Draft]:
    """A record that stands, as the events that would have made it."""
    game = record.game
    if game is None:
        raise ValueError("a record of an unknown game cannot become events")
    seats = record.seats
    names = {seat: record.header(f"Seat.{seat}") or seat for seat in seats}
    yield Draft(
        "opened",
        {"game": game.key, "rules": game.edition, "seats": list(seats), "names": names, "options": {}, "terms": {}},
    )
    for seat in seats:
        yield Draft("accepted", {"seat": seat, "entropy": ""})
    yield Draft("started", {"options": dict(record.setup.options)})
    for entry in record.entries:
        yield _draft_of(game, entry)


def _draft_of(game: Game[Any], entry: Entry) -> Draft:
    said = entry.moves[0]
    if entry.who == END:
        return Draft("ended", {"kind": said.kind, "seats": list(said.seats), "reason": said.reason})
    if entry.who == UNDO:
        return Draft("undone", {"turn": said.turn, "by": "record"})
    if entry.who in (PAUSE, RESUME):
        return Draft("paused" if entry.who == PAUSE else "resumed", {"reason": said.reason, "by": "record"})
    if entry.who == SUBSTITUTE:
        return Draft("substituted", {"seat": said.seat, "name": said.name})
    kind = "dealt" if entry.who == CHANCE else "played"
    phrase = write_moves(game, entry.moves)
    return Draft(kind, {"seat": entry.who, "turn": entry.number, "phrase": phrase, "by": "record"})
