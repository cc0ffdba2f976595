"""Checks the log of all games against mailboxes and records: no game is missing, and every ended game is opened."""

import json
from collections.abc import Iterable, Iterator

from pbem.proof.draws import commit_blind_key, commit_seed
from pbem.proof.public_log import Checkpoint, format_root, grown_roots
from pbem.verify.finding import LOG, Finding
from pbem.verify.mailboxes import MailEvidence
from pbem.verify.read_proof import RecordProof


def check_log(lines: list[str], evidence: MailEvidence, proofs: Iterable[RecordProof]) -> Iterator[Finding]:
    """Everything in which a log contradicts itself, these mailboxes or these records."""
    read = [_read(line) for line in lines]
    for number, said in enumerate(read, start=1):
        if said is None:
            yield Finding(LOG, number, "the line cannot be read")
            return
    games = [said for said in read if said is not None]
    yield from _check_secrets(games)
    yield from _check_checkpoints(lines, evidence.checkpoints)
    opened = {said["game"]: said for said in games if said["kind"] == "opened"}
    for seen in dict.fromkeys(evidence.promises):
        which, promised = seen.what
        if seen.game not in opened or opened[seen.game].get(which) != promised:
            yield Finding(
                LOG, len(lines), f"{seen.game} was opened with another {which}, or never: a mail knows better"
            )
    ended = {said["game"]: said for said in games if said["kind"] != "opened"}
    for proof in proofs:
        game, closing = proof.recorded[0].event.game, proof.closing
        if game not in opened:
            yield Finding(LOG, len(lines), f"{game} is not in the log")
        elif closing.seed and ended.get(game, {}).get("head") != closing.head:
            yield Finding(LOG, len(lines), f"the log knows another end of {game}, or none")


def _read(line: str) -> dict[str, str] | None:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    named = ("game", "kind", "head", "seed", "blind")
    return said if isinstance(said, dict) and all(isinstance(said.get(name), str) for name in named) else None


def _check_secrets(games: list[dict[str, str]]) -> Iterator[Finding]:
    """Each game is opened once and ends once, with the promised secrets, and no seed is used twice."""
    promised: dict[str, dict[str, str]] = {}
    seeds: dict[str, str] = {}
    for number, said in enumerate(games, start=1):
        game = said["game"]
        if said["kind"] == "opened":
            if game in promised:
                yield Finding(LOG, number, f"{game} was opened twice")
            promised[game] = said
            continue
        known = promised.get(game, {})
        seed, blind = _bytes(said["seed"]), _bytes(said["blind"])
        if (commit_seed(game, seed), commit_blind_key(game, blind)) != (known.get("seed"), known.get("blind")):
            yield Finding(LOG, number, f"{game} ended with other secrets than were promised")
        if seeds.setdefault(said["seed"], game) != game:
            yield Finding(LOG, number, f"{game} has the seed of {seeds[said['seed']]}")


def _bytes(digits: str) -> bytes:
    try:
        return bytes.fromhex(digits)
    except ValueError:
        return b""


def _check_checkpoints(lines: list[str], checkpoints: Iterable[Checkpoint]) -> Iterator[Finding]:
    grown = [format_root(root) for root in grown_roots(line.encode() for line in lines)]
    for checkpoint in checkpoints:
        if checkpoint.size >= len(grown):
            yield Finding(LOG, len(lines), f"a mail knows a log of {checkpoint.size} lines; this one is cut off")
        elif grown[checkpoint.size] != checkpoint.root:
            yield Finding(LOG, checkpoint.size, f"a mail knows another log of {checkpoint.size} lines")
