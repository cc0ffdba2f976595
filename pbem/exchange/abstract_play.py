"""A game as a record of Abstract Play, as its published schema has it, for sites that rank players across programs.

It is a way out, not back: the form has no chance, no places for remarks and one turn a round for each player. What is
lost is counted for every game and told with the export.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.game import CHANCE
from notation import WORDS, Entry, Fault, Record, read_result, write_entry
from notation.record import POSE, SEAT
from pbem.events.annotations import PLAYER
from pbem.exchange.tables import event_times
from pbem.judging.entries import standing_entries

if TYPE_CHECKING:
    from pbem.judging.result import ReplayResult

_DATE: Final = re.compile(r"(\d{4})[.-](\d\d)[.-](\d\d)")


class Exported(NamedTuple):
    """The record for Abstract Play, or why there is none; and what of ours is not in it, each with how often."""

    record: Mapping[str, Any] | None
    lost: Mapping[str, int]
    why_not: str = ""


def to_abstract_play(record: Record, replayed: "ReplayResult", *, site: str, generated: str) -> Exported:
    """A finished game as a record of Abstract Play.

    It wants the times of the first move and the last one. Where the record has none, the header `Date` stands for both.
    """
    lost: Counter[str] = Counter()
    times = event_times(record)
    date = _DATE.fullmatch(record.header("Date") or "")
    if not replayed.finished:
        return Exported(None, lost, "it goes on, and Abstract Play takes finished games only")
    if not times and not date:
        return Exported(
            None, lost, "it has neither times nor a whole header Date, and Abstract Play wants both ends of a game"
        )
    began, ended = (f"{times[0]:%Y-%m-%dT%H:%M:%SZ}", f"{times[-1]:%Y-%m-%dT%H:%M:%SZ}") if times else ("", "")
    day = "-".join(date.groups()) + "T00:00:00Z" if date is not None else ""
    game = replayed.table
    chosen = {option.name: option.default for option in game.options if option.default is not None}
    places = {name: value for name, value in record.setup.options if name not in chosen}
    variants = [f"{name}: {value}" for name, value in record.setup.options if chosen.get(name, value) != value]
    header: dict[str, Any] = {
        "game": {"name": game.title, "variants": variants},
        "site": {"name": site, "gameid": record.header("Id") or ""},
        "date-start": began or day,
        "date-end": ended or day,
        "date-generated": generated,
        "players": _players(record, replayed),
    }
    if stated := places | {POSE + ("." if seat else "") + seat: said for seat, said in record.setup.pose}:
        header["startingPosition"] = "; ".join(f"{name}: {value}" for name, value in stated.items())
    if (event := record.header("Event")) is not None and (series := record.header("Round")) is not None:
        header |= {"event": event, "round": series}
    if not header["site"]["gameid"]:
        del header["site"]["gameid"]
    used = {"Game", "Id", *(SEAT + seat for seat in record.seats), *(PLAYER + seat for seat in record.seats)}
    used |= ({"Event", "Round"} if "event" in header else set()) | {*dict(record.setup.options)} | {*stated}
    lost["headers"] = sum(name not in used for name, _ in record.headers)
    return Exported({"header": header, "moves": _rounds(record, lost)}, +lost)


def _players(record: Record, replayed: "ReplayResult") -> list[dict[str, object]]:
    """The players in seat order. Who has the higher `result` did better; those who share one are level."""
    result = read_result(record.header("Result") or "", record.header("Game"))
    said = {} if isinstance(result, Fault) else {each.seat: each for each in result}
    points = {seat: replayed.score.total(seat) for seat in record.seats}
    ranks = {
        seat: (said[seat].won if seat in said else seat in replayed.score.winners, points[seat] if replayed.over else 0)
        for seat in record.seats
    }
    levels = sorted(set(ranks.values()))
    players = []
    for seat in record.seats:
        player: dict[str, object] = {"name": record.header(SEAT + seat) or seat, "score": points[seat]}
        if person := record.header(PLAYER + seat):
            player["userid"] = person
        players.append({**player, "result": levels.index(ranks[seat]), "seat": seat})
    return players


def _rounds(record: Record, lost: Counter[str]) -> list[list[dict[str, object] | None]]:
    """The turns of the seats in rounds: whoever plays again begins another one."""
    rounds: list[list[dict[str, object] | None]] = []
    sequence = 0
    standing = standing_entries(record.entries)
    lost["turns taken back"] = sum(entry.who not in WORDS for entry in record.entries) - len(standing)
    lost["words of the table"] = sum(entry.who in WORDS for entry in record.entries)
    lost["remarks"] = sum(len(entry.remarks) for entry in record.entries) + len(record.afterword)
    for entry in _taken(standing, lost):
        place = record.seats.index(entry.who)
        if not rounds or rounds[-1][place] is not None:
            rounds.append([None] * len(record.seats))
            sequence = 0
        sequence += 1
        move = write_entry(entry._replace(number=None, remarks=()), record.game).partition(": ")[2]
        rounds[-1][place] = {"move": move, "sequence": sequence}
    return rounds


def _taken(entries: Iterable[Entry], lost: Counter[str]) -> list[Entry]:
    """The entries that the form has room for."""
    taken = []
    for entry in entries:
        if entry.who == CHANCE:
            lost["dice and draws"] += 1
        else:
            lost["turn numbers"] += 1
            taken.append(entry)
    return taken
