"""The rounds of a beacon that draws are bound to: each named before it was out, true, and used up at once.

Whether a draw takes the value of its round is for the draws themselves to show, once the seed is open.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final, TypeAlias

from pbem.proof.public_beacon import Beacon, Pulse, round_for
from pbem.tables.beacons import AWAITED, LEVEL, PULSE, Bound
from pbem.verify.finding import DRAWS, Finding
from pbem.verify.read_proof import Testimony, Told

Beacons: TypeAlias = Callable[[str], Beacon | None]
"""Finds the beacon that a record names."""

ALONE: Final = 1
"""The level of chance that a seed and acceptances alone can prove."""
_DIGITS: Final = re.compile(r"(?:[0-9a-f]{2}){1,200}")


def judge_rounds(testimony: Testimony, find: Beacons) -> Iterator[Finding]:
    """The first thing that is wrong with the level of a game, or with the rounds that its draws are bound to."""
    first, *others = testimony.told
    proof = first.event.data["proof"]
    level, name = proof.get("level"), proof.get("beacon")
    if isinstance(level, bool) or level not in (ALONE, LEVEL):
        yield Finding(DRAWS, first.line, f"draws of level {level} cannot be checked here")
        return
    beacon = find(name) if level == LEVEL and isinstance(name, str) else None
    if (level == LEVEL and beacon is None) or (level == ALONE and name is not None):
        yield Finding(DRAWS, first.line, f"draws of level {level} that are bound to {name} cannot be checked here")
        return
    bound = Bound()
    for told in others:
        wrong = _judge(told, bound, beacon)
        if wrong:
            yield Finding(DRAWS, told.line, wrong)
            return
        bound = bound.after(told.event.kind, told.event.data, told.event.at) if beacon is not None else bound


def _judge(told: Told, bound: Bound, beacon: Beacon | None) -> str:
    """What is wrong with an event that comes after some rounds; nothing, if nothing is."""
    event = told.event
    if beacon is None:
        return f"event {event.seq} tells of a beacon that nothing is bound to" if event.kind in (AWAITED, PULSE) else ""
    if event.kind == AWAITED:
        try:
            named = round_for(beacon, datetime.fromisoformat(event.at))
        except (ValueError, TypeError, OverflowError):
            return f"event {event.seq} happened at no moment"
        if event.data["round"] != named:
            return f"event {event.seq} names round {event.data['round']}; round {named} is the first ten minutes later"
        if event.data["out"] != f"{beacon.time_of(named):%Y-%m-%dT%H:%M:%SZ}":
            return f"event {event.seq} says that round {named} is out at another moment than it is"
    if event.kind == PULSE:
        pulse = Pulse(event.data["round"], event.data["signature"])
        if not bound.round or pulse.round != bound.round:
            return f"event {event.seq} tells of round {pulse.round}, which was not awaited"
        if not _DIGITS.fullmatch(pulse.signature) or not beacon.is_true(pulse):
            return f"event {event.seq} tells what the beacon never said in round {pulse.round}"
    drawn = event.kind in ("started", "dealt") or (event.kind == "played" and event.data["by"] == "chance")
    return f"event {event.seq} was drawn before its round was out" if drawn and bound.value_at(event.at) is None else ""


def late_rounds(testimony: Testimony, find: Beacons, arrivals: Sequence[tuple[int, datetime]]) -> tuple[int, int]:
    """How many rounds were out before the first mail that knows of them arrived, and how many a mailbox tells of.

    `arrivals` are the numbers of the last events that mails know of, and when they arrived.
    """
    beacon, late, known = find(str(testimony.told[0].event.data["proof"].get("beacon"))), 0, 0
    for told in testimony.told:
        came = [moment for seq, moment in arrivals if seq >= told.event.seq]
        if told.event.kind == AWAITED and beacon is not None and came:
            known += 1
            late += min(came) > beacon.time_of(told.event.data["round"])
    return late, known
