"""A second verifier of records with proof, written from docs/proof.md and docs/notation.md alone.

It shares no line with `pbem verify`, and it does not know the rules of any game: what only they can tell, the digests
of states, the numbers of what happened to the table, and whether a game asked the right questions of chance, it takes
as it stands.

    python tests/second_verifier/second_verifier.py RECORD [PUBLIC KEY]
"""

import sys
from pathlib import Path
from typing import Any

from tests.second_verifier.second_beacon import Quicknet
from tests.second_verifier.second_chain import check_chain
from tests.second_verifier.second_draws import check_draws
from tests.second_verifier.second_events import gather
from tests.second_verifier.second_layout import check_layout
from tests.second_verifier.second_reading import read
from tests.second_verifier.second_secrets import check_promises, check_seals
from tests.second_verifier.second_signing import check_signature
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
    check_layout(game, events, ending, record, text)
    check_promises(game, events, ending)
    check_seals(game, events, ending)
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
    over = any(event.kind == "ended" for event in events) or events[-1].kind == "declined"
    if (ending.seed is not None, ending.blind is not None) != (over, over):
        raise RecordError("annotations", events[-1].line, "secrets are opened when the game is over, and not before")


def main(path: Any, key: Any = None) -> Any:
    """Check one file."""
    error = verify(Path(path).read_bytes().decode(), key)
    sys.stdout.write(f"{path}: {error or 'believed, as far as it can be without the rules'}\n")
    return 1 if error else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
