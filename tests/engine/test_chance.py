"""Chance is fair, follows from its key alone, and stays the same for ever."""

from collections import Counter
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import KeyedDealer, draw_some


def test_a_key_deals_the_same_on_every_machine_for_ever() -> None:
    """Records name no generator, but `pbem sample --seed` and proofs of fairness rely on these numbers."""
    dealer = KeyedDealer(b"sirocco-7")
    assert [dealer.pick(6, "die") + 1 for _ in range(12)] == [1, 3, 4, 6, 2, 1, 3, 2, 6, 4, 1, 1]


def test_another_key_or_another_purpose_deals_otherwise() -> None:
    def deal(key: bytes, purpose: str) -> list[int]:
        dealer = KeyedDealer(key)
        return [dealer.pick(1000, purpose) for _ in range(5)]

    assert deal(b"a", "die") == deal(b"a", "die")
    assert deal(b"a", "die") != deal(b"b", "die")
    assert deal(b"a", "die") != deal(b"a", "card")


@given(count=st.integers(1, 2**64), key=st.binary(max_size=8))
def test_a_pick_is_one_of_those_offered(count: int, key: bytes) -> None:
    assert 0 <= KeyedDealer(key).pick(count, "any") < count


@pytest.mark.parametrize("count", [0, -1, 2**64 + 1])
def test_nothing_can_be_picked_of_nothing_or_of_more_than_the_stream_can_number(count: int) -> None:
    with pytest.raises(ValueError, match="cannot pick"):
        KeyedDealer(b"").pick(count, "any")


def test_every_face_of_a_die_comes_as_often_as_any_other() -> None:
    dealer, throws = KeyedDealer(b"fair"), 6000
    faces = Counter(dealer.pick(6, "die") for _ in range(throws))
    spread = sqrt(throws * (1 / 6) * (5 / 6))
    assert all(abs(faces[face] - throws / 6) < 4 * spread for face in range(6))


class _First:
    """A dealer that always picks the first."""

    def pick(self, count: int, purpose: str) -> int:
        return 0


def test_what_is_drawn_is_not_put_back() -> None:
    assert draw_some(_First(), "abc", 3, "letters") == ["a", "b", "c"]
    drawn = draw_some(KeyedDealer(b"deck"), range(52), 52, "cards")
    assert sorted(drawn) == list(range(52))
    assert drawn != list(range(52))


def test_drawing_leaves_the_pile_alone() -> None:
    pile = [1, 2, 3]
    draw_some(_First(), pile, 2, "numbers")
    assert pile == [1, 2, 3]
