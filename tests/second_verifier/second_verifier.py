"""A second verifier of records with proof, written from docs/proof.md and docs/notation.md alone.

It shares no line with `pbem verify`, and it does not know the rules of any game: what only they can tell, the digests
of states, the numbers of what happened to the table, and whether a game asked the right questions of chance, it takes
as it stands.

    python tests/second_verifier/second_verifier.py RECORD [PUBLIC KEY]
"""

import sys
from pathlib import Path
from typing import Any, NamedTuple

from tests.second_verifier.second_beacon import Quicknet
from tests.second_verifier.second_chain import check_chain
from tests.second_verifier.second_course import check_course
from tests.second_verifier.second_draws import check_draws
from tests.second_verifier.second_events import gather
from tests.second_verifier.second_layout import check_layout
from tests.second_verifier.second_reading import read
from tests.second_verifier.second_secrets import check_promises, check_seals
from tests.second_verifier.second_shapes import is_strange
from tests.second_verifier.second_signing import check_signature, unvouched
from tests.second_verifier.second_told import check_told, withheld
from tests.second_verifier.second_writing import HASH, RecordError

QUICKNET, LEVELS = Quicknet(), (1, 3)


def verify(text: Any, key: Any = None, beacon: Any = QUICKNET) -> Any:
    """The first thing in a record that cannot be believed, or nothing."""
    try:
        check(text, key, beacon)
    except RecordError as error:
        return error
    return None


def check(text: Any, key: Any = None, beacon: Any = QUICKNET) -> Any:
    """The events and the ending of a record that can be believed; RecordError if it cannot."""
    record = read(text)
    events, ending = gather(record.body)
    game = dict(record.headers).get("Id", "")
    check_opening(events[0], game)
    check_secrecy(events, ending)
    check_chain(game, events, ending)
    check_course(events)
    check_layout(game, events, ending, record, text)
    check_promises(game, events, ending)
    check_seals(game, events, ending)
    check_told(game, events)
    check_draws(game, events, ending, beacon)
    check_signature(game, events, ending, key)
    return events, ending


def check_opening(event: Any, game: Any) -> None:
    """The first event opens the game and promises its secrets, at a level that is played."""
    proof = event.data.get("proof") if event.kind == "opened" else None
    if not game or not isinstance(proof, dict) or proof.get("level") not in LEVELS or isinstance(proof["level"], bool):
        raise RecordError("annotations", event.line, "a game begins by promising its secrets, at level 1 or 3")
    if not isinstance(proof.get("taken_in", 0), int) or not isinstance(proof.get("key", ""), str):
        raise RecordError("annotations", event.line, "what was taken in is counted, and a key is written down")
    if not all(isinstance(proof.get(name), str) and HASH.match(proof[name]) for name in ("seed", "blind")):
        raise RecordError("annotations", event.line, "a promise is a hash")


def check_secrecy(events: Any, ending: Any) -> None:
    """A game that is over has opened its secrets, and no other."""
    ends = ("ended", "called-off") if events[0].form == 2 else ("ended",)
    over = any(event.kind in ends for event in events) or (events[0].form == 1 and events[-1].kind == "declined")
    if (ending.seed is not None, ending.blind is not None) != (over, over):
        raise RecordError("annotations", events[-1].line, "secrets are opened when the game is over, and not before")


class Notes(NamedTuple):
    """What is told of a record that is believed: kinds passed over, texts withheld, new keys nobody vouches for."""

    passed_over: list[str]
    names: int
    words: int
    unvouched: list[int]
    taken_out: list[int]


def notes(events: Any, key: Any = None) -> Any:
    """All that somebody who believes a record should know; forks are told by the mails, in second_mailbox."""
    passed_over = dict.fromkeys(event.kind for event in events if is_strange(event.kind))
    kept = withheld(events)
    return Notes(
        list(passed_over),
        kept.names,
        kept.words,
        unvouched(events) if key is None else [],
        [event.seq for event in events if event.withheld],
    )


def told(found: Any) -> Any:
    """These notes in words."""
    yield from (f"passed over: {kind}" for kind in found.passed_over)
    if found.names or found.words:
        yield f"withheld: {found.names} names, {found.words} words"
    yield from (f"in event {seq} something is withheld, the rest is only signed" for seq in found.taken_out)
    yield from (f"nobody vouches for the key of event {seq}" for seq in found.unvouched)


def main(path: Any, key: Any = None) -> Any:
    """Check one file."""
    try:
        events, _ = check(Path(path).read_bytes().decode(), key)
    except RecordError as error:
        sys.stdout.write(f"{path}: {error}\n")
        return 1
    sys.stdout.write(f"{path}: believed, as far as it can be without the rules\n")
    sys.stdout.writelines(f"  {line}\n" for line in told(notes(events, key)))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
