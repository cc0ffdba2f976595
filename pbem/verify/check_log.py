"""Checks the log of all games against mailboxes and records: no game is missing, and every ended game is opened."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from engine.digest import canonical
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
    yield from _check_checkpoints(lines, evidence.checkpoints, first_restore(lines))
    opened = {said["game"]: said for said in games if said["kind"] == "opened"}
    for seen in dict.fromkeys(evidence.promises):
        which, promised = seen.what
        if seen.game not in opened or opened[seen.game].get(which) != promised:
            yield Finding(
                LOG, len(lines), f"{seen.game} was opened with another {which}, or never: a mail knows better"
            )
    ended = {said["game"]: said for said in games if said["kind"] in _ENDS}
    for proof in proofs:
        game, closing = proof.recorded[0].event.game, proof.closing
        if game not in opened:
            yield Finding(LOG, len(lines), f"{game} is not in the log")
        elif closing.seed and ended.get(game, {}).get("head") != closing.head:
            yield Finding(LOG, len(lines), f"the log knows another end of {game}, or none")


_OPENED: Final = "opened"
_RESTORED: Final = "restored"
_ENDS: Final = ("over", "called off")
_KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys((_OPENED, *_ENDS), ("game", "head", "seed", "blind")),
    _RESTORED: ("game", "head"),
    "key": ("key", "signature"),
}
"""The strings that a line must have, by its kind."""


def _read(line: str) -> dict[str, str] | None:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or not isinstance(kind := said.get("kind"), str) or kind not in _KINDS:
        return None
    if kind in (_RESTORED, "key") and canonical(said).decode() != line:
        return None
    return said if all(isinstance(said.get(name), str) for name in _KINDS[kind]) else None


def first_restore(lines: list[str]) -> int:
    """The number of the first line that tells of a restore; 0 if there is none."""
    read = map(_read, lines)
    return next((at for at, said in enumerate(read, start=1) if said is not None and said["kind"] == _RESTORED), 0)


def remarks_on_log(lines: list[str], evidence: MailEvidence) -> Iterator[str]:
    """Where the log of some mails parts from this one because of a restore."""
    restored = first_restore(lines)
    grown = [format_root(root) for root in grown_roots(line.encode() for line in lines)]
    sizes = [each.size for each in evidence.checkpoints if _differs(each, grown)]
    if restored and (lost := [size for size in sizes if size >= restored]):
        yield (
            f"{len(lost)} checkpoints in the mails are of a log that was lost; it parts from this one at line "
            f"{restored} or later, where a game was restored"
        )


def _differs(checkpoint: Checkpoint, grown: Sequence[str]) -> bool:
    return checkpoint.size >= len(grown) or grown[checkpoint.size] != checkpoint.root


def _check_secrets(games: list[dict[str, str]]) -> Iterator[Finding]:
    """Each game is opened once and ends once, with the promised secrets, and no seed is used twice."""
    promised: dict[str, dict[str, str]] = {}
    seeds: dict[str, str] = {}
    for number, said in enumerate(games, start=1):
        if said["kind"] not in (_OPENED, *_ENDS):
            continue
        game = said["game"]
        if said["kind"] == _OPENED:
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


def _check_checkpoints(lines: list[str], checkpoints: Iterable[Checkpoint], restored: int) -> Iterator[Finding]:
    """Checkpoints that the log contradicts; what was lost by a restore is no contradiction."""
    grown = [format_root(root) for root in grown_roots(line.encode() for line in lines)]
    for checkpoint in checkpoints:
        if 0 < restored <= checkpoint.size:
            continue
        if checkpoint.size >= len(grown):
            yield Finding(LOG, len(lines), f"a mail knows a log of {checkpoint.size} lines; this one is cut off")
        elif grown[checkpoint.size] != checkpoint.root:
            yield Finding(LOG, checkpoint.size, f"a mail knows another log of {checkpoint.size} lines")
