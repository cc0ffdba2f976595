"""What the post stated about draws while the seed was sealed, held against a record that was found good otherwise."""

from collections.abc import Iterator
from typing import Any

from tests.second_verifier.second_draws import places
from tests.second_verifier.second_receipts import Finding, parting
from tests.second_verifier.second_signing import key_at, keys_of, receipt_holds, short_name

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
    """All in which the statements of a text are otherwise than the record, and that no restored copy explains."""
    return (finding.reason for finding in statement_findings(game, events, text) if not finding.is_fork)


def statement_findings(game: Any, events: Any, text: Any) -> Iterator[Any]:
    """All in which the statements of a text are otherwise than the record."""
    proof, bound = events[0].data["proof"], list(places(game, events))
    for lines in gather(text):
        said = dict(line.partition(" ")[::2] for line in lines[1:])
        if [line.partition(" ")[0] for line in lines[1:]] != [*NAMES, "signature"]:
            yield Finding(False, "a statement is broken")
            continue
        if said["game"] != game:
            continue
        number, _, digest = said["event"].partition(" ")
        event = next((event for event in events if str(event.seq) == number and event.hash == digest), None)
        lost = parting([number, digest], events)
        if not any(
            said["key"] == short_name(said["post"], key).hex() and receipt_holds(lines, key)
            for key in signing(events, event, lost)
        ):
            yield Finding(False, "a statement is not signed by the post")
        if event is None:
            yield Finding(
                lost is not None, f"the record has another event {number}" + (f": they part at {lost}" if lost else "")
            )
        elif event.seq <= proof.get("taken_in", 0):
            yield Finding(False, f"event {number} was taken in: the post cannot state anything about it")
        elif said["seed"] != proof["seed"] or said["place"] != "{} {} {}".format(*bound[event.seq - 1]):
            yield Finding(False, f"the statement about event {number} is about another seed or another place")
        if said["follows"] != "yes" and lost is None:
            yield Finding(False, f"event {number} was stated not to follow")


def signing(events: Any, event: Any, lost: Any) -> Any:
    """The keys that may have signed a statement: that of its event and later ones, or any, if that was lost."""
    if lost is not None or event is None:
        return [bytes.fromhex(key) for _, key in keys_of(events)]
    later = [bytes.fromhex(key) for since, key in keys_of(events) if since > event.seq]
    return [key_at(events, event.seq), *later]
