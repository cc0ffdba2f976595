"""Every draw of a finished game made again: the key of its draws, the chain of its moves, the outcomes.

Whether a game asked the right questions, and what its rules make of the answers, is not known here.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from tests.second_verifier.second_beacon import CHANCE, check_rounds
from tests.second_verifier.second_events import epochs
from tests.second_verifier.second_shapes import TURNS
from tests.second_verifier.second_writing import RecordError, canon, hexed, mac, sha

NUMBERS = 1 << 64


def draw_key(seed: Any, game: Any, stirred: Any, beacon: Any = None) -> Any:
    """The key of all draws, from the seed and what each seat stirred in."""
    return mac(seed, ["pbm-key-1", game, stirred, beacon])


def first_link(game: Any) -> Any:
    """The chain of moves before anything was played."""
    return hexed(["pbm-moves-1", game])


def next_link(link: Any, seat: Any, turn: Any, move: Any) -> Any:
    """The chain of moves after one more."""
    return sha(b"\x03", b"pbm-moves-1", bytes.fromhex(link), sha(canon([seat, turn, move]))).hex()


def draw(key: Any, question: Any, many: Any) -> Any:
    """One of so many outcomes: the first number that is not in the uneven rest at the top."""
    fair = NUMBERS - NUMBERS % many
    block = 0
    while True:
        digest = mac(key, [*question, block] if block else question)
        for place in range(0, 32, 8):
            number = int.from_bytes(digest[place : place + 8], "big")
            if number < fair:
                return number % many
        block += 1


def check_draws(game: Any, events: Any, ending: Any, beacon: Any) -> None:
    """All draws that the record tells, at their places in the chain of moves, and bound to the rounds of a beacon."""
    values = check_rounds(events, beacon)
    check_seating(game, events, ending)
    drawn = [event for event in events if event.draws]
    for event in events:
        check_origin(event, events[0].data["proof"].get("taken_in", 0))
        if event.form == 2 and event.draws and not may_draw(event):
            raise RecordError("draws", event.line, f"nothing is drawn for event {event.seq}")
    if ending.seed is None:
        if drawn:
            raise RecordError("draws", drawn[0].line, "draws are told before the seed is open")
        return
    seed, stirs = bytes.fromhex(ending.seed), stirred_in(events)
    for event, (epoch, links, link), (first, value) in zip(events, places(game, events), values, strict=True):
        key = draw_key(seed, game, stirs, first)
        for j, (outcome, many, purpose) in enumerate(event.draws, 1):
            question = ["pbm-draw-1", game, epoch, links, j, purpose, link, value]
            if many > NUMBERS or draw(key, question, many) != outcome:
                raise RecordError("draws", event.line, f"draw {j} of event {event.seq} came out otherwise")


def check_seating(game: Any, events: Any, ending: Any) -> None:
    """Who was drawn to which seat: lots stand in the order of seats, if a game was begun and its seed is open."""
    opened = events[0].data
    seated = opened["proof"].get("seated", [])
    if seated == [] and "seated" not in opened["proof"]:
        return
    ordered = isinstance(seated, list) and seated == [seat for seat in opened["seats"] if seat in seated]
    if not ordered or len(seated) < 2 or events[0].form != 2:
        raise RecordError("table", events[0].line, "the seats that were drawn are some of the seats, in their order")
    if ending.seed is None or not any(event.kind == "started" for event in events):
        return
    stirred = dict(zip(opened["seats"], stirred_in(events), strict=True))
    lots = [seat_lot(ending.seed, game, stirred[seat]) for seat in seated]
    if any(one > other for one, other in pairwise(lots)):
        raise RecordError("draws", events[0].line, "who sits where was drawn otherwise")


def seat_lot(seed: Any, game: Any, stirred: Any) -> Any:
    """The lot of whoever has stirred this in; the seed is written as in a record."""
    return mac(bytes.fromhex(seed), ["pbm-seats-1", game, stirred])


def stirred_in(events: Any) -> Any:
    """X of every seat in seat order; in the second form, of whoever had accepted when the game started."""
    stirred: dict[str, str] = {}
    for event in events:
        if event.kind == "started" and event.form == 2:
            break
        if event.kind == "accepted":
            stirred[event.data["seat"]] = event.data["entropy_sha256"]
    return [stirred.get(seat, "") for seat in events[0].data["seats"]]


def may_draw(event: Any) -> Any:
    """Whether something may be drawn for an event."""
    return event.kind in ("started", "dealt") or (event.kind == "played" and event.data["by"] in CHANCE)


def check_origin(event: Any, taken_in: Any) -> None:
    """What was taken in from another record says so, was drawn elsewhere, and stands at the beginning."""
    inside = event.seq <= taken_in
    if (event.kind in TURNS and (event.data["by"] == "record") != inside) or (inside and event.draws):
        raise RecordError(
            "draws", event.line, f"event {event.seq} was taken in from another record, or says so wrongly"
        )


def links_of(event: Any) -> Any:
    """What an event adds to the chain of moves."""
    if event.kind == "started":
        return [("*", 0, canon(event.data["options"]).decode())]
    if event.kind in TURNS:
        return [(event.data["seat"], event.data["turn"], move) for move in event.moves]
    return []


def places(game: Any, events: Any) -> Iterator[Any]:
    """Epoch, n and Q(n) before each event."""
    link, links = first_link(game), 0
    for event, epoch in zip(events, epochs(events), strict=True):
        yield epoch, links, link
        for seat, turn, move in links_of(event):
            link, links = next_link(link, seat, turn, move), links + 1
