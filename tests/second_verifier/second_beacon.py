"""Level 3: rounds of a public beacon that draws are bound to, each named in time, true, and used up at once."""

import math
import re
from datetime import UTC, datetime
from typing import Any

import pyblst

from tests.second_verifier.second_shapes import NOTE
from tests.second_verifier.second_writing import RecordError, sha

LEAD = 600
CHANCE = ("clock", "chance")
SIGNATURE = re.compile(r"(?:[0-9a-f]{2})+\Z")
GENERATOR = (
    "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
    "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
)
"""The generator of the second group of BLS12-381, compressed."""


class Quicknet:
    """The chain quicknet of drand."""

    name = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
    public = (
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
        "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    )
    epoch, period = 1692803367, 3
    tag = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"

    def said(self, number: Any, signature: Any) -> Any:
        """Whether this is what was said in a round."""
        try:
            signed = pyblst.BlstP1Element.uncompress(bytes.fromhex(signature))
        except ValueError:
            return False
        if signed.compress() != bytes.fromhex(signature):
            return False
        asked = pyblst.BlstP1Element.hash_to_group(sha(number.to_bytes(8, "big")), self.tag)
        one, key = (pyblst.BlstP2Element.uncompress(bytes.fromhex(each)) for each in (GENERATOR, self.public))
        return pyblst.final_verify(pyblst.miller_loop(signed, one), pyblst.miller_loop(asked, key))


class Rounds:
    """The rounds of a game, event by event."""

    def __init__(self, beacon: Any) -> None:
        self.beacon, self.first, self.value, self.round, self.at = beacon, None, None, 0, ""

    def check(self, event: Any) -> None:
        """Whether an event may come now."""
        if event.at != self.at:
            self.value = None
        if NOTE.match(event.kind):
            return
        if event.kind == "awaited":
            number = first_round(self.beacon, event.at)
            out = datetime.fromtimestamp(self.beacon.epoch + (number - 1) * self.beacon.period, UTC)
            if (event.data["round"], event.data["out"]) != (number, out.strftime("%Y-%m-%dT%H:%M:%SZ")):
                raise RecordError("draws", event.line, f"event {event.seq} names another round than the first in time")
        if event.kind == "pulse":
            number, signature = event.data["round"], event.data["signature"]
            if not self.round or number != self.round:
                raise RecordError("draws", event.line, f"round {number} was not awaited")
            if not SIGNATURE.match(signature) or not self.beacon.said(number, signature):
                raise RecordError("draws", event.line, f"round {number} came out otherwise")
        chance = event.kind in ("started", "dealt") or (event.kind == "played" and event.data["by"] == "chance")
        if self.value is None and (chance or event.draws):
            raise RecordError("draws", event.line, f"event {event.seq} was drawn before its round was out")

    def pass_by(self, event: Any) -> None:
        """What an event does to the rounds; a note does nothing."""
        if NOTE.match(event.kind):
            return
        if event.kind == "awaited":
            self.value, self.round = None, event.data["round"]
        elif event.kind == "pulse":
            self.value, self.round, self.at = sha(bytes.fromhex(event.data["signature"])).hex(), 0, event.at
            self.first = self.first or self.value
        elif event.kind in ("started", "dealt") or (event.kind == "played" and event.data["by"] in CHANCE):
            self.round = 0
        else:
            self.value = None
            self.round = 0 if event.kind in ("played", "undone", "restored") else self.round


def first_round(beacon: Any, at: Any) -> Any:
    """The first round ten minutes after a moment, or later."""
    moment = datetime.fromisoformat(at.replace("Z", "+00:00")).timestamp()
    return 1 + max(0, math.ceil((moment + LEAD - beacon.epoch) / beacon.period))


def check_rounds(events: Any, beacon: Any) -> Any:
    """The rounds of a game of level 3; at level 1 there are none. For each event, the first value and that of now."""
    proof, values, line = events[0].data["proof"], [], events[0].line
    if proof["level"] == 1:
        if "beacon" in proof or any(event.kind in ("awaited", "pulse") for event in events):
            raise RecordError("draws", line, "draws of level 1 are bound to no beacon")
        return [(None, None)] * len(events)
    if proof.get("beacon") != beacon.name:
        raise RecordError("draws", line, "this beacon is not known here")
    rounds = Rounds(beacon)
    for event in events:
        rounds.check(event)
        values.append((rounds.first, rounds.value))
        rounds.pass_by(event)
    return values
