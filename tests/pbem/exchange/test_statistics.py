"""Statistics: sums that agree with the games, and a test that is as severe as it says."""

import random

import pytest

from pbem.exchange.statistics import fit_test, middle, upper_chi_squared


@pytest.mark.parametrize(
    ("squared", "freedom", "p"),
    # From printed tables of the distribution.
    [
        (3.841, 1, 0.05),
        (5.991, 2, 0.05),
        (11.070, 5, 0.05),
        (15.086, 5, 0.01),
        (24.725, 11, 0.01),
        (0.0, 3, 1.0),
        (10.828, 1, 0.001),
    ],
)
def test_the_distribution_is_that_of_printed_tables(squared: float, freedom: int, p: float) -> None:
    assert upper_chi_squared(squared, freedom) == pytest.approx(p, abs=0.0001)


def test_fair_dice_are_seldom_accused_and_a_loaded_one_always() -> None:
    chance = random.Random(8)
    accused = 0
    for _ in range(1000):
        counts = [0] * 6
        for _ in range(120):
            counts[chance.randrange(6)] += 1
        found = fit_test(counts)
        assert found is not None
        accused += found.p < 0.05
    assert 30 <= accused <= 75, "five in a hundred, as p says"
    loaded = fit_test([100, 100, 100, 100, 100, 180])
    assert loaded is not None
    assert loaded.p < 0.001


def test_too_few_are_not_tested() -> None:
    assert fit_test([1, 2, 3]) is None
    assert fit_test([]) is None
    assert fit_test([40]) is None


def test_the_middle() -> None:
    assert (middle([3, 1, 2]), middle([4, 1, 2, 3]), middle([])) == (2, 2.5, 0)
