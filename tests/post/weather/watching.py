"""What a post must have kept to when the weather has cleared up, whatever it was: every breach, in a sentence."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from email import message_from_bytes
from itertools import takewhile
from pathlib import Path
from typing import get_args

from notation import write_record
from pbem.clock.time_control import parse_duration
from pbem.events.chain import Event, first_broken
from pbem.events.codec import encode
from pbem.events.kinds import (
    MovesMade,
    PressSent,
    TimeExtended,
    TurnPlayed,
    TurnUndone,
    VoteAgreed,
    VoteAsked,
    VoteDropped,
    seat_of,
)
from pbem.events.post_kinds import MovePencilled
from pbem.service.game_records import read_proof
from pbem.store.rows import Fate, LetterRow
from pbem.store.store import Transaction
from pbem.verify.check_record import Checker
from pbem.verify.mailboxes import read_mailboxes
from pbem.workflow.context import events_from_rows
from tests.post.post_games import TABLE
from tests.post.weather.world import World
from tests.second_verifier.second_verifier import verify

MANY = 100_000
STOPPED = re.compile(rb"\r\n\r\n(?:.*\r\n\r\n)?stop\r\n", re.DOTALL)
BEFORE = re.compile(r"^before (\d+) ", re.MULTILINE)
MACHINES = ("<away.", "<bounce.")
"""How the names of letters begin that nobody has written."""
TURN = re.compile(rf"\+{TABLE}\.\w+\.(\d+)\.")
"""The turn in a reply address."""


def find_breaches(world: World, folder: Path) -> Iterator[str]:
    """Every promise that was not kept. The mails of the world are laid into a folder on the way."""
    terms = world.table.terms
    with world.context.store.reading() as at_desk:
        yield from at_desk.integrity_problems()
        letters = [letter for fate in get_args(Fate) for letter in at_desk.letters_in(fate, MANY)]
        yield from _misjudged(letters, world)
        yield from _misplaced(at_desk, letters)
        yield from _miscarried(at_desk, world)
        yield from _taken_back(events_from_rows(at_desk.load_events(TABLE)), terms)
        yield from _stopped_in_vain(at_desk, letters)
    yield from world.unheard
    yield from _doubted(world, folder)


def _misjudged(letters: list[LetterRow], world: World) -> Iterator[str]:
    """Letters that counted and should not have, or were taken for what they are not."""
    fates = [(_name(letter.raw), letter.state) for letter in letters]
    counted = Counter(name for name, fate in fates if fate == "applied")
    yield from (f"{name} counted {often} times" for name, often in counted.items() if often > 1)
    yield from (f"{name} was forged and counted" for name in counted.keys() & world.forged)
    yield from (f"{name} is a machine's and {fate}" for name, fate in fates if _is_odd(name, fate))


def _is_odd(name: str, fate: str) -> bool:
    # One that made the post fall three times is put aside, whoever wrote it.
    return name.startswith(MACHINES) and fate not in ("automatic", "quarantined")


def _misplaced(at_desk: Transaction, letters: list[LetterRow]) -> Iterator[str]:
    """Moves in another turn than their letters were for, but for answers to offers, and events out of their chain."""
    meant = {letter.id: TURN.search(str(message_from_bytes(letter.raw)["To"])) for letter in letters}
    rows = at_desk.load_events(TABLE)
    events = events_from_rows(rows)
    if (broken := first_broken(events)) is not None:
        yield f"the chain is broken at {broken}"
    for row, event in zip(rows, events, strict=True):
        found = meant.get(row.inbox_id or 0)
        if event.kind != "played" or found is None or int(found[1]) == encode(event.payload)["turn"]:
            continue
        # An offer that is still open can be answered in a later turn than it was made in.
        if not str(encode(event.payload)["phrase"]).startswith(("take", "leave")):
            yield f"a letter for turn {found[1]} was played in turn {encode(event.payload)['turn']}"


def _stopped_in_vain(at_desk: Transaction, letters: list[LetterRow]) -> Iterator[str]:
    """Moves that were played although their player had said stop, or more than once."""
    rows = at_desk.load_events(TABLE)
    played: dict[str, list[int]] = {}
    waited: dict[str, list[tuple[int, str]]] = {}
    for event in events_from_rows(rows):
        if isinstance(event.payload, TurnPlayed):
            played.setdefault(event.payload.letter, []).append(event.seq)
        elif isinstance(event.payload, MovePencilled):
            waited.setdefault(event.payload.seat, []).append((event.seq, event.payload.letter))
    for letter in letters:
        receipt = at_desk.find_receipt(letter.id)
        if receipt is None or STOPPED.search(letter.raw) is None or letter.state != "applied":
            continue
        before = int(BEFORE.findall(receipt.text)[0])
        for _, pencilled in [each for each in waited.get(letter.seat or "", ()) if each[0] <= before][-1:]:
            if [seq for seq in played.get(pencilled, ()) if seq > before] and min(played[pencilled]) > before:
                yield f"what {letter.seat} had pencilled was stopped and played in event {min(played[pencilled])}"
    if '"through-the-desert"' in rows[0].data:
        often = {pencilled: len(played.get(pencilled, ())) for each in waited.values() for _, pencilled in each}
        yield from (f"what was pencilled was played {times} times" for times in often.values() if times > 1)


def _miscarried(at_desk: Transaction, world: World) -> Iterator[str]:
    """Mails that left twice in two forms, have never left, or do not leave."""
    yield from (f"two mails are called {name}" for name, copies in world.sent.items() if len({*copies}) > 1)
    number = 1
    while (mail := at_desk.find_mail(number)) is not None:
        number += 1
        if mail.state == "sent" and mail.message_id not in world.sent:
            yield f"{mail.message_id} never left"
        if mail.state in ("queued", "sending"):
            yield f"{mail.message_id} still waits"


def _taken_back(events: Sequence[Event], terms: Mapping[str, object]) -> Iterator[str]:
    """Turns that somebody took back without asking, too often, too late or to win time."""
    per_turn = parse_duration(str(terms.get("per_turn", ""))) if "bank" not in terms else None
    free: Counter[tuple[str, int]] = Counter()
    last: list[Event] = []
    agreed: set[str] = set()
    for event in events:
        payload = event.payload
        match payload:
            case VoteAsked(what="undo", by=by):
                agreed = {by}
            case VoteAgreed(what="undo", by=by):
                agreed.add(by)
            case TurnUndone(by=by, turn=turn) if len(agreed) < 2 and by not in ("referee", "restore"):
                free[by, turn] += 1
                if free[by, turn] > 1:
                    yield f"{by} took back turn {turn} a second time without asking"
                if not last or any(seat_of(each.payload) != by for each in last):
                    yield f"{by} took back turn {turn} after somebody else had acted"
                elif per_turn is not None:
                    yield from _timed(events, event, last[0], per_turn)
                agreed, last = set(), []
            case TurnUndone() | VoteDropped(what="undo"):
                agreed = set()
                last = [] if isinstance(payload, TurnUndone) else last
            case MovesMade(seat=seat, turn=turn):
                same = last and (encode(last[0].payload)["seat"], encode(last[0].payload)["turn"]) == (seat, turn)
                agreed, last = set(), [*last, event] if same else [event]


def _timed(events: Sequence[Event], back: Event, first: Event, per_turn: timedelta) -> Iterator[str]:
    """Time that was won or lost by taking a turn back, as far as the next two moves tell; pauses and such count not."""
    later = takewhile(lambda event: isinstance(event.payload, TurnPlayed | PressSent), events[back.seq :])
    moves = [(event, encode(event.payload)) for event in later if isinstance(event.payload, TurnPlayed)][:2]
    before = encode(first.payload)
    if any(isinstance(event.payload, TimeExtended) for event in events[first.seq : back.seq]):
        return
    if not moves or any(not made.get("due") for made in (before, *(made for _, made in moves))):
        return
    again, made = moves[0]
    if made["seat"] == before["seat"] and made["due"] > max(before["due"], shift(back.at, timedelta(hours=1))):
        yield f"{made['seat']} has won time by taking back turn {made['turn']}"
    for _, after in moves[1:]:
        if after["asked"] == again.seq and after["due"] < shift(again.at, per_turn):
            yield f"{after['seat']} did not get all the time after turn {made['turn']} was taken back"


def shift(moment: str, length: timedelta) -> str:
    """A moment so much later, as events write it."""
    return f"{datetime.fromisoformat(moment) + length:%Y-%m-%dT%H:%M:%SZ}"


def _doubted(world: World, folder: Path) -> Iterator[str]:
    """What anybody who has the record and all mails could say against the post."""
    folder.mkdir()
    for number, copies in enumerate(world.sent.values()):
        (folder / f"{number}.eml").write_bytes(copies[0])
    record = read_proof(world.context, TABLE, None)
    assert record is not None
    for verified in Checker(None, read_mailboxes([folder])).check(write_record(record)):
        yield from (f"line {finding.line} of the record: {finding.reason}" for finding in verified.findings)
    if (doubt := verify(write_record(record))) is not None:
        yield f"line {doubt.line} of the record, by the second verifier: {doubt}"


def _name(letter: bytes) -> str:
    return str(message_from_bytes(letter)["Message-ID"])
