"""Beacons: rounds that are named in time, and pulses that prove themselves. Those of drand were published by it."""

import hashlib
import sys
from datetime import UTC, datetime, timedelta

import pytest
from py_arkworks_bls12381 import G1Point, Scalar

from pbem.proof.public_beacon import LEAD, QUICKNET, Pulse, SignedBeacon, UncheckedBeaconError, find_beacon, round_for
from pbem.proof.signatures import Signer

SIGNER = Signer("caravan@post.example", bytes(range(32)))
REHEARSAL = SignedBeacon("rehearsal", SIGNER.public, SIGNER)
REHEARSED = Pulse(
    4_242_424,
    "bfea19e1f28ae39b3c4476e7011475e4db0f24bf1e05030b48e69745bf0e65da"
    "30ee25d0870b292ce73a4169dbe0ce188db83f11d29127706a6d94256360f50f",
)
"""What the rehearsal's beacon said once."""

PUBLISHED = {
    123: (
        "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92",
        "",
    ),
    1000: (
        "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
        "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd",
    ),
    657413: (
        "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
        "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587",
    ),
}
"""What quicknet said in some rounds: the signature, and the randomness where it was published with it."""
PULSES = [Pulse(number, signature) for number, (signature, _) in PUBLISHED.items()]


def test_a_pulse_that_was_written_down_can_be_checked_without_its_keeper() -> None:
    checker = SignedBeacon("rehearsal", SIGNER.public)
    assert checker.pulse(REHEARSED.round) is None
    assert checker.is_true(REHEARSED)
    assert REHEARSAL.pulse(REHEARSED.round) == REHEARSED
    assert not checker.is_true(REHEARSED._replace(round=REHEARSED.round + 1))
    assert not SignedBeacon("another", SIGNER.public).is_true(REHEARSED)
    assert REHEARSED.value == hashlib.sha256(bytes.fromhex(REHEARSED.signature)).hexdigest()


@pytest.mark.parametrize("beacon", [REHEARSAL, QUICKNET], ids=["rehearsal", "drand"])
def test_a_round_is_named_ten_minutes_before_it_is_out(beacon: SignedBeacon) -> None:
    noon = datetime(2026, 11, 16, 12, tzinfo=UTC)
    out = beacon.time_of(round_for(beacon, noon))
    assert noon + LEAD <= out < noon + LEAD + timedelta(seconds=3)
    first = beacon.time_of(1)
    assert [beacon.round_after(first + timedelta(seconds=past)) for past in (-60, 0, 1, 3, 4)] == [1, 1, 2, 2, 3]


def test_the_facts_of_the_chain_are_those_that_its_hash_is_made_of() -> None:
    assert QUICKNET.chain_hash == QUICKNET.name
    assert find_beacon(QUICKNET.name) is QUICKNET
    assert find_beacon("rehearsal") is None
    assert QUICKNET.time_of(1).timestamp() == 1692803367
    assert QUICKNET.address_of(1000).endswith(f"/{QUICKNET.name}/public/1000")


@pytest.mark.parametrize("pulse", PULSES, ids=lambda pulse: str(pulse.round))
def test_what_drand_said_is_true_and_nothing_else_is(pulse: Pulse) -> None:
    assert QUICKNET.is_true(pulse)
    assert pulse.value == (PUBLISHED[pulse.round][1] or pulse.value)
    assert not QUICKNET.is_true(pulse._replace(round=pulse.round + 1))
    for place in (0, 1, 2, 50, 95):
        digit = "0" if pulse.signature[place] != "0" else "1"
        assert not QUICKNET.is_true(Pulse(pulse.round, pulse.signature[:place] + digit + pulse.signature[place + 1 :]))
    others = [other for other in PULSES if other != pulse]
    assert not any(QUICKNET.is_true(Pulse(pulse.round, other.signature)) for other in others)


@pytest.mark.parametrize(
    "signature", ["", "00", "zz" * 48, "c0" + "00" * 47, "ff" * 48, PULSES[0].signature * 2], ids=range(6)
)
def test_what_is_no_signature_is_not_true(signature: str) -> None:
    assert not QUICKNET.is_true(Pulse(123, signature))


def test_a_true_signature_that_was_moved_out_of_its_group_is_not_true() -> None:
    """A pairing does not see what was added, so whoever could add it would have many values to choose from."""
    stray = next(point for point in map(point_with, range(1, 100)) if point is not None and not point.is_in_subgroup())
    beside = stray * (Scalar(0) - Scalar(1)) + stray  # as often as the group has members: nothing of the group is left
    true = G1Point.from_compressed_bytes(bytes.fromhex(PULSES[0].signature))
    moved = (true + beside).to_compressed_bytes()
    assert not (true + beside).is_in_subgroup()
    assert not QUICKNET.is_true(Pulse(PULSES[0].round, moved.hex()))


def point_with(number: int) -> G1Point | None:
    """The point of the curve with a small number for its place, if there is one."""
    try:
        return G1Point.from_compressed_bytes_unchecked(b"\x80" + number.to_bytes(47, "big"))
    except ValueError:
        return None


def test_a_round_beyond_all_numbers_is_not_true() -> None:
    assert not QUICKNET.is_true(Pulse(2**64, PULSES[0].signature))
    assert not QUICKNET.is_true(Pulse(-1, PULSES[0].signature))


def test_without_the_library_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py_arkworks_bls12381", None)
    with pytest.raises(UncheckedBeaconError, match="pip install 'caravan-post\\[beacon\\]'"):
        QUICKNET.is_true(PULSES[0])
