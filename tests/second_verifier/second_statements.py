"""What the post stated about draws while the seed was sealed, held against a record that was found good otherwise."""

from collections.abc import Iterator
from typing import Any

from tests.second_verifier.second_draws import places
from tests.second_verifier.second_signing import receipt_holds, short_name

NAMES = ["post", "game", "event", "seed", "place", "follows", "key"]


def gather(text: Any) -> Any:
    """The statements in a text, each as a list of lines."""
    found = []
    for line in map(str.strip, text.splitlines()):
        if line == "pbm-statement-1":
            found.append([line])
        elif found and not found[-1][-1].startswith("signature "):
            found[-1].append(line)
    return found


def contradicted_statements(game: Any, events: Any, text: Any) -> Iterator[Any]:
    """All in which the statements of a text are otherwise than the record."""
    proof, bound = events[0].data["proof"], list(places(game, events))
    for lines in gather(text):
        said = dict(line.partition(" ")[::2] for line in lines[1:])
        if [line.partition(" ")[0] for line in lines[1:]] != [*NAMES, "signature"]:
            yield "a statement is broken"
        elif said["game"] == game:
            key = bytes.fromhex(proof.get("key", ""))
            if said["key"] != short_name(said["post"], key).hex() or not receipt_holds(lines, key):
                yield "a statement is not signed by the post"
            number, _, digest = said["event"].partition(" ")
            event = next((event for event in events if str(event.seq) == number and event.hash == digest), None)
            if event is None:
                yield f"the record has another event {number}"
            elif event.seq <= proof.get("taken_in", 0):
                yield f"event {number} was taken in: the post cannot state anything about it"
            elif said["seed"] != proof["seed"] or said["place"] != "{} {} {}".format(*bound[event.seq - 1]):
                yield f"the statement about event {number} is about another seed or another place"
            if said["follows"] != "yes":
                yield f"event {number} was stated not to follow"
