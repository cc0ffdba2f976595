"""The record made again from its events: every header and every line follows from them, but for two things.

The digests of states and the numbers of what happened to the table follow from the rules of the game, which are not
known here; they are taken as they stand.
"""

from typing import Any

from tests.second_verifier.second_reading import escaped, quoted
from tests.second_verifier.second_secrets import opened_moves
from tests.second_verifier.second_shapes import TURNS
from tests.second_verifier.second_told import shown, sitting
from tests.second_verifier.second_writing import RecordError, ascii_json

USUAL = {"Board", "Oasis", "Deals", "Coins", "Phases"}
"""Options with a usual value, of all games in docs/notation.md: they stand before the seats."""

ORDER = {
    "through-the-desert": ("Board", "Oases", "Water", "Herds"),
    "nomadi": ("Oasis", "Cards", "Deals", "Coins"),
    "brotherhood-base": ("Board", "Land", "Routes", "Start", "First", "Phases"),
    "brotherhood": ("Board", "Land", "Routes", "Start", "First", "Phases"),
}


def check_layout(game: Any, events: Any, ending: Any, record: Any, text: Any) -> None:
    """The text is, to the byte, what the events say."""
    lines, given = lines_of(game, events, ending, record), text.removesuffix("\n").split("\n")
    for number, (found, expected) in enumerate(zip(given, lines, strict=False), 1):
        if found != expected:
            raise RecordError("record", number, f"by its events this line is {expected[:120]}")
    if len(given) != len(lines):
        raise RecordError("record", min(len(given), len(lines)), "the record has more lines than its events, or fewer")


def lines_of(game: Any, events: Any, ending: Any, record: Any) -> Any:
    """All lines of a record, from its events."""
    lines = [*(f"[{name} {quoted(value)}]" for name, value in headers(game, events, record)), ""]
    closed = any(seal.value is None for event in events for seal in event.sealed_moves)
    turn = 0
    for event in events:
        lines += event_lines(event, closed, turn)
        turn = event.data["turn"] if event.kind == "undone" else event.entry.number if event.entry else turn
    return lines + ending_lines(ending)


def headers(game: Any, events: Any, record: Any) -> Any:
    """All headers in canonical order."""
    opened = events[0].data
    options = next((event.data["options"] for event in events if event.kind == "started"), opened["options"])
    known = ORDER.get(opened["game"], tuple(name for name, _ in record.headers))
    named = sorted(options, key=lambda name: (known.index(name) if name in known else len(known), name))
    result = next((event.data["result"] for event in events if event.kind == "ended"), "*")
    people = sitting(events)
    proof = opened["proof"]
    others = {"Proof": str(events[0].form), "SeedCommitment": proof["seed"], "BlindCommitment": proof["blind"]}
    others |= {f"Player.{seat}": person for seat, (person, _) in people.items() if person}
    return [
        ("Format", "1"),
        ("Game", opened["game"]),
        ("Rules", opened["rules"]),
        ("Id", game),
        *((name, options[name]) for name in named if name in USUAL),
        *((f"Seat.{seat}", people[seat][1]) for seat in opened["seats"]),
        *((name, options[name]) for name in named if name not in USUAL),
        ("Result", result),
        *sorted({**opened["headers"], **others}.items()),
    ]


def event_lines(event: Any, closed: Any, turn: Any) -> Any:
    """The lines of one event: an entry with its annotations, or annotations on lines of their own."""
    said = table_entry(event)
    if event.kind not in TURNS and said is None:
        if event.entry:
            raise RecordError("record", event.line, f"{event.kind} is no entry")
        return write_event(event)
    if event.entry is None:
        raise RecordError("record", event.line, f"{event.kind} must be an entry")
    number, state = event.entry.number, [piece for piece in event.entry.annotations if piece.name == "state"]
    if event.kind in TURNS:
        if bool(state) == closed:
            raise RecordError(
                "record", event.line, "a digest stands after every turn where nothing is sealed, and only there"
            )
        number, said = event.data["turn"], f"{event.data['seat']}: {opened_phrase(event)}"
    elif state or number not in (turn, turn + 1, 1):
        raise RecordError("record", event.line, "this is not the number of the turn, or the digest of no turn")
    return [" ".join([f"{number}. {said}", *(f"[%state {piece.text}]" for piece in state), *write_event(event)])]


def opened_phrase(event: Any) -> Any:
    """The moves as the entry must show them: in full where they are open."""
    return opened_moves(event) if any(seal.value is not None for seal in event.sealed_moves) else event.data["phrase"]


def ending_lines(ending: Any) -> Any:
    """The annotations at the end."""
    secrets = [f"[%{name} {secret}]" for name, secret in (("seed", ending.seed), ("blind", ending.blind)) if secret]
    signed = [f"[%signed {' '.join(ending.signed)}]"] if ending.signed else []
    return [f"[%head {ending.head[0]} {ending.head[1]}]", *secrets, *signed]


def write_event(event: Any) -> Any:
    """The annotations of an event, as the record has them."""
    data = event.data
    if event.kind in TURNS and event.entry:
        said = {"seat": event.entry.who, "turn": event.entry.number, "phrase": event.entry.moves}
        data = {name: value for name, value in data.items() if said.get(name, not value) != value}
    pieces = [f"event {event.seq} {event.kind} {event.at} {ascii_json(data)} {event.hash}"]
    if event.draws:
        pieces.append("drawn " + ", ".join(f"{outcome}/{many} {purpose}" for outcome, many, purpose in event.draws))
    for seal in event.seals:
        opened = f" {seal.blinding} {ascii_json(seal.value)}" if seal.value is not None else ""
        pieces.append(f"sealed {seal.field} {seal.commitment}{opened}")
    pieces += [f"told {told.seq} {told.field} {told.salt} {ascii_json(told.text)}" for told in event.told]
    pieces += [f"withheld {event.seq} {' '.join(event.withheld)}"] if event.withheld else []
    return [f"[%{escaped(piece)}]" for piece in pieces]


def table_entry(event: Any) -> Any:
    """Who and what the entry of an event says that happened to the table; nothing, if the event is no such entry."""
    data = event.data
    match event.kind:
        case "undone":
            return f"undo: turn {data['turn']}" + (f" after {data['kept']}" if "kept" in data else "")
        case "paused" | "resumed":
            return f"{event.kind.removesuffix('d')}: {quoted(data['reason'])}"
        case "resigned":
            return f"resign: {data['seat']}"
        case "substituted":
            return f"substitute: {data['seat']} {quoted(shown(event, 'name'))}"
        case "ended":
            reason = [quoted(shown(event, "reason"))] if data["reason"] else []
            return " ".join([f"end: {data['kind']}", *data["seats"], *reason])
    return None
