"""Public randomness: numbers that nobody knows before their round, and everybody can check afterwards.

Level 3 binds draws to them. A beacon is a port: it says which round a moment has and when a round is out, and tells a
true pulse from a false one without asking anybody. Who fetches pulses, and how, is no business of a beacon.
`SignedBeacon` needs no network, a chain of one key's signatures: as good as its keeper, which is enough to rehearse.
"""

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple, Protocol

from engine.digest import canonical
from pbem.proof.signing import Signer, is_signed

LEAD: Final = timedelta(minutes=10)
"""How long before it is out a round is named, at least: time for a mail to reach everybody."""


class UncheckedBeaconError(Exception):
    """A beacon whose pulses cannot be checked on this machine; what to install, in one line."""


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

    @property
    def name(self) -> str:
        """What records call it."""
        ...

    def round_after(self, moment: datetime) -> int:
        """The first round at or after a moment; the first of all is 1."""
        ...

    def time_of(self, number: int) -> datetime:
        """When a round is out."""
        ...

    def address_of(self, number: int) -> str:
        """Where a round can be asked for."""
        ...

    def is_true(self, pulse: Pulse) -> bool:
        """Whether the beacon said this, answered offline; UncheckedBeaconError where that takes something missing."""
        ...


def round_for(beacon: Beacon, moment: datetime) -> int:
    """The round that is named at a moment: the first that is far enough ahead. There is no choice in it."""
    return beacon.round_after(moment + LEAD)


class Timetable(NamedTuple):
    """When the rounds of a beacon are out: the first at its epoch, and then one after the other."""

    epoch: datetime
    period: timedelta

    def round_after(self, moment: datetime) -> int:
        """The first round at or after a moment; the first of all is 1."""
        return max(1, -((self.epoch - moment) // self.period) + 1)

    def time_of(self, number: int) -> datetime:
        """When a round is out."""
        return self.epoch + (number - 1) * self.period


class SignedBeacon:
    """A beacon that signs the number of each round with one key. Without the signer it can only check."""

    TIMES: Final = Timetable(datetime(2026, 1, 1, tzinfo=UTC), timedelta(seconds=3))

    def __init__(self, name: str, public: bytes, signer: Signer | None = None) -> None:
        self.name = name
        self._public = public
        self._signer = signer

    def round_after(self, moment: datetime) -> int:
        """The first round at or after a moment."""
        return self.TIMES.round_after(moment)

    def time_of(self, number: int) -> datetime:
        """When a round is out."""
        return self.TIMES.time_of(number)

    def address_of(self, number: int) -> str:
        """Nowhere but from its keeper."""
        return f"{self.name}:{number}"

    def pulse(self, number: int) -> Pulse | None:
        """What is said in a round; None from whoever has not the key."""
        return Pulse(number, self._signer.sign(self._message(number)).hex()) if self._signer is not None else None

    def is_true(self, pulse: Pulse) -> bool:
        """Whether this beacon said it."""
        return is_signed(self._public, self._message(pulse.round), bytes.fromhex(pulse.signature))

    def _message(self, number: int) -> bytes:
        return hashlib.sha256(canonical(["pbm-beacon-1", self.name, number])).digest()
