"""Public randomness beacons: values that nobody knows before their round and everybody can check afterwards.

Draws of level 3 depend on them. A beacon says which round belongs to a moment and when a round is published, and checks
a pulse offline; fetching pulses is done elsewhere. `SignedBeacon` signs with one key and needs no network, which is
enough for rehearsals and tests.

`Drand` is the public beacon of the League of Entropy, with the chain `quicknet`: a round every three seconds. Its
signatures are BLS12-381, made by many nodes together; only one signature fits a round, so nobody can choose. Checking
one needs an optional library, which is imported only when a pulse is checked.
"""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple, Protocol

from engine.digest import canonical
from pbem.proof.signatures import Signer, is_signed

LEAD: Final = timedelta(minutes=10)
"""How long before its publication a round is named, at least, so that a mail reaches everybody first."""


class UncheckedBeaconError(Exception):
    """Pulses of a beacon cannot be checked on this machine; the message says what to install."""


class Pulse(NamedTuple):
    """What a beacon published in one round. `signature` is in hexadecimal digits and goes into the record."""

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
        """Its name in records."""
        ...

    def round_after(self, moment: datetime) -> int:
        """The first round at or after a moment; the first of all is 1."""
        ...

    def time_of(self, number: int) -> datetime:
        """When a round is published."""
        ...

    def address_of(self, number: int) -> str:
        """Where a round can be fetched."""
        ...

    def is_true(self, pulse: Pulse) -> bool:
        """Whether the beacon published this, checked offline; UncheckedBeaconError if a library is missing."""
        ...


def round_for(beacon: Beacon, moment: datetime) -> int:
    """The round that is named at a moment: the first that is far enough ahead, so that there is no choice."""
    return beacon.round_after(moment + LEAD)


class Timetable(NamedTuple):
    """When the rounds of a beacon are published: the first at its epoch, then one each period."""

    epoch: datetime
    period: timedelta

    def round_after(self, moment: datetime) -> int:
        """The first round at or after a moment; the first of all is 1."""
        return max(1, -((self.epoch - moment) // self.period) + 1)

    def time_of(self, number: int) -> datetime:
        """When a round is published."""
        return self.epoch + (number - 1) * self.period


class SignedBeacon:
    """A beacon that signs the number of each round with one key; without the signer it can only check."""

    TIMES: Final = Timetable(datetime(2026, 1, 1, tzinfo=UTC), timedelta(seconds=3))

    def __init__(self, name: str, public: bytes, signer: Signer | None = None) -> None:
        self.name = name
        self._public = public
        self._signer = signer

    def round_after(self, moment: datetime) -> int:
        """The first round at or after a moment."""
        return self.TIMES.round_after(moment)

    def time_of(self, number: int) -> datetime:
        """When a round is published."""
        return self.TIMES.time_of(number)

    def address_of(self, number: int) -> str:
        """No web address: only its keeper has the rounds."""
        return f"{self.name}:{number}"

    def pulse(self, number: int) -> Pulse | None:
        """The pulse of a round; None without the signer."""
        return Pulse(number, self._signer.sign(self._message(number)).hex()) if self._signer is not None else None

    def is_true(self, pulse: Pulse) -> bool:
        """Whether this beacon published the pulse."""
        return is_signed(self._public, self._message(pulse.round), bytes.fromhex(pulse.signature))

    def _message(self, number: int) -> bytes:
        return hashlib.sha256(canonical(["pbm-beacon-1", self.name, number])).digest()


_TAG: Final = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
"""The domain separation tag of quicknet: RFC 9380, signatures in the first group."""
_MISSING: Final = "draws that are bound to drand cannot be checked here; pip install 'caravan-post[beacon]'"


@dataclass(frozen=True, slots=True)
class Drand:
    """A drand chain with unchained rounds and signatures in the first group; keys are in hexadecimal digits."""

    name: str
    """The chain's hash, which follows from the other fields: see `chain_hash`."""
    title: str
    public: str
    times: Timetable
    group: str
    """The hash of the group that signs."""

    @property
    def chain_hash(self) -> str:
        """The chain's hash as drand computes it."""
        period, epoch = int(self.times.period.total_seconds()), int(self.times.epoch.timestamp())
        facts = period.to_bytes(4, "big") + epoch.to_bytes(8, "big")
        facts += bytes.fromhex(self.public) + bytes.fromhex(self.group) + self.title.encode()
        return hashlib.sha256(facts).hexdigest()

    def round_after(self, moment: datetime) -> int:
        """The first round at or after a moment."""
        return self.times.round_after(moment)

    def time_of(self, number: int) -> datetime:
        """When a round is published."""
        return self.times.time_of(number)

    def address_of(self, number: int) -> str:
        """The web address of a round."""
        return f"https://api.drand.sh/{self.name}/public/{number}"

    def is_true(self, pulse: Pulse) -> bool:
        """Whether the chain signed this round so."""
        try:
            from py_arkworks_bls12381 import GT, G1Point, G2Point
        except ImportError:
            raise UncheckedBeaconError(_MISSING) from None
        try:
            signature = bytes.fromhex(pulse.signature)
            signed = G1Point.from_compressed_bytes(signature)
            message = hashlib.sha256(pulse.round.to_bytes(8, "big")).digest()
        except (ValueError, OverflowError):
            return False
        asked = G1Point.hash_to_curve(message, _TAG)
        key = G2Point.from_compressed_bytes(bytes.fromhex(self.public))
        # Only one encoding of a point is accepted, or somebody could choose among several values of a round.
        return signed.to_compressed_bytes() == signature and GT.pairing_check([signed, -asked], [G2Point(), key])


QUICKNET: Final = Drand(
    name="52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    title="quicknet",
    public=(
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c"
        "8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"
        "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    ),
    times=Timetable(datetime(2023, 8, 23, 15, 9, 27, tzinfo=UTC), timedelta(seconds=3)),
    group="f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e",
)


def find_beacon(name: str) -> Beacon | None:
    """The beacon that a record names; None if it is not known here."""
    return QUICKNET if name == QUICKNET.name else None
