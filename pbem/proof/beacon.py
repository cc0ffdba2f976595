"""Public randomness: numbers that nobody knows before their round, and everybody can check afterwards.

Level 3 binds draws to them. A beacon is a port: who brings one says which round a moment has, gives a round's pulse
once it is out, and can tell a true pulse from a false one without asking anybody. `SignedBeacon` is one that
needs no network, a chain of one key's signatures: as good as its keeper, which is enough to rehearse and to test.
The public beacon drand needs a pairing library for its check; a post that has one brings it as another `Beacon`.
"""

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple, Protocol

from engine.digest import canonical
from pbem.proof.signing import Signer, is_signed

LEAD: Final = timedelta(minutes=10)
"""How long before its round a receipt names it."""


class Pulse(NamedTuple):
    """What a beacon said in one round. `signature` is in hexadecimal digits and goes into the record."""

    round: int
    signature: str

    @property
    def value(self) -> str:
        """The public random value: the digest of the signature, in hexadecimal digits."""
        return hashlib.sha256(bytes.fromhex(self.signature)).hexdigest()


class Beacon(Protocol):
    """A source of public randomness."""

    name: str

    def round_after(self, moment: datetime) -> int:
        """The first round at or after a moment."""
        ...

    def pulse(self, round: int) -> Pulse | None:  # noqa: A002 - what beacons call it
        """What was said in a round; None as long as it has not come."""
        ...

    def is_true(self, pulse: Pulse) -> bool:
        """Whether the beacon said this; answered offline."""
        ...


def round_for(beacon: Beacon, received: datetime) -> int:
    """The round that the receipt of a letter names: far enough ahead to reach everybody before it is out."""
    return beacon.round_after(received + LEAD)


class SignedBeacon:
    """A beacon that signs the number of each round with one key. Without the signer it can only check."""

    PERIOD: Final = timedelta(seconds=3)
    EPOCH: Final = datetime(2026, 1, 1, tzinfo=UTC)

    def __init__(self, name: str, public: bytes, signer: Signer | None = None) -> None:
        self.name = name
        self._public = public
        self._signer = signer

    def round_after(self, moment: datetime) -> int:
        """The first round at or after a moment; the first of all is 1."""
        return max(1, -((self.EPOCH - moment) // self.PERIOD) + 1)

    def pulse(self, round: int) -> Pulse | None:  # noqa: A002 - what beacons call it
        """What is said in a round."""
        return Pulse(round, self._signer.sign(self._message(round)).hex()) if self._signer is not None else None

    def is_true(self, pulse: Pulse) -> bool:
        """Whether this beacon said it."""
        return is_signed(self._public, self._message(pulse.round), bytes.fromhex(pulse.signature))

    def _message(self, number: int) -> bytes:
        return hashlib.sha256(canonical(["pbm-beacon-1", self.name, number])).digest()
