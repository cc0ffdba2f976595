"""Events to records and back.

The record of a game (`.turns`) follows from its events. A legal record can also be imported as events, for a game that
was begun elsewhere or whose database is lost; events that a record does not hold, such as acceptances, are then made
with empty values. Remarks in the record are not imported.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from engine.game import CHANCE, GameRules, Seat
from engine.score import Score
from notation import (
    ADJUDICATED,
    AGREED,
    LOSING,
    NORMAL,
    UNFINISHED,
    Ending,
    Entry,
    Left,
    Paused,
    Record,
    Resumed,
    Seated,
    Standing,
    Undone,
    write_moves,
    write_result,
)
from notation.headers import FORMAT, sort_headers
from pbem.events.annotations import HEADERS, PLAYER
from pbem.events.chain import Draft
from pbem.events.kinds import (
    ChanceDealt,
    GameEnded,
    GameOpened,
    GamePaused,
    GameResumed,
    GameStarted,
    InvitationAccepted,
    SeatResigned,
    SeatSubstituted,
    TurnPlayed,
    TurnUndone,
)

FROM_RECORD: Final = "record"
"""The author of an event that was imported from a record."""

_OWN: Final = ("Format", "Game", "Rules", "Id", "Result", *HEADERS)
"""The headers that follow from events, besides those of the seats and of the game's options."""


def make_record(
    game: GameRules,
    *,
    table: str,
    names: Iterable[tuple[Seat, str]],
    options: Iterable[tuple[str, str]],
    headers: Iterable[tuple[str, str]],
    entries: tuple[Entry, ...],
    result: str,
) -> Record:
    """The record of a table; `headers` are the ones that the game has no use for."""
    lines = [
        ("Format", FORMAT),
        ("Game", game.key),
        ("Rules", game.edition),
        ("Id", table),
        *((f"Seat.{seat}", name) for seat, name in names),
        *options,
        ("Result", result),
        *headers,
    ]
    return Record(sort_headers(lines), entries)


def find_winners(seats: tuple[Seat, ...], ending: Ending, score: Score) -> tuple[Seat, ...]:
    """Who wins by an ending: by the rules if it is normal, else those who are left, all, or those it names."""
    if ending.kind == NORMAL:
        return score.winners
    if ending.kind in LOSING:
        return tuple(seat for seat in seats if seat not in ending.seats)
    if ending.kind == AGREED:
        return ending.seats or seats
    return ending.seats if ending.kind == ADJUDICATED else ()


def draft_end(seats: tuple[Seat, ...], ending: Ending, score: Score) -> Draft:
    """The end of a game, with its result: ``red 63 won, blue 51``."""
    won = find_winners(seats, ending, score)
    result = write_result(Standing(seat, score.total(seat), seat in won) for seat in seats)
    return _ended(ending, result)


def drafts_from_record(record: Record) -> Iterator[Draft]:
    """The events that would have made a record; it must be legal, with a number on every entry."""
    game = record.game
    if game is None:
        raise ValueError("a record of an unknown game cannot become events")
    seats, setup = record.seats, dict(record.setup.options)
    own = {*_OWN, *setup, *(f"{each}{seat}" for seat in seats for each in ("Seat.", PLAYER))}
    yield draft_opening(
        game,
        names={seat: record.header(f"Seat.{seat}") or seat for seat in seats},
        seats=seats,
        headers={name: value for name, value in record.headers if name not in own},
    )
    for seat in seats:
        yield Draft(InvitationAccepted(seat, entropy_sha256="", letter=""))
    yield Draft(GameStarted(setup))
    for entry in record.entries:
        yield _draft_of(game, entry, record.header("Result") or UNFINISHED)


def draft_opening(
    game: GameRules,
    *,
    seats: tuple[Seat, ...],
    names: Mapping[Seat, str],
    options: Mapping[str, str] | None = None,
    terms: Mapping[str, object] | None = None,
    headers: Mapping[str, str] | None = None,
    proof: Mapping[str, object] | None = None,
    people: Mapping[Seat, str] | None = None,
) -> Draft:
    """The first event of a game: what is played, by whom, and on which terms; in the second form with `people`."""
    return Draft(
        GameOpened(
            game=game.key,
            rules=game.edition,
            seats=seats,
            names=dict(names),
            options=dict(options or {}),
            terms=dict(terms or {}),
            headers=dict(headers or {}),
            proof=dict(proof or {}),
            people=people,
        )
    )


def _draft_of(game: GameRules, entry: Entry, result: str) -> Draft:
    said = entry.moves[0]
    match said:
        case Ending():
            return _ended(said, result)
        case Undone(turn, kept):
            return Draft(TurnUndone(turn, by=FROM_RECORD, kept=kept or None))
        case Paused(reason):
            return Draft(GamePaused(reason, by=FROM_RECORD))
        case Resumed(reason):
            return Draft(GameResumed(reason, by=FROM_RECORD))
        case Seated(seat, name):
            return Draft(SeatSubstituted(seat, name, by=FROM_RECORD))
        case Left(seat):
            return Draft(SeatResigned(seat, by=FROM_RECORD))
    made = ChanceDealt if entry.who == CHANCE else TurnPlayed
    phrase = write_moves(game, entry.moves)
    return Draft(made(entry.who, entry.number or 0, phrase, by=FROM_RECORD, letter=""))


def _ended(ending: Ending, result: str) -> Draft:
    return Draft(GameEnded(ending.kind, ending.seats, ending.reason, result))
