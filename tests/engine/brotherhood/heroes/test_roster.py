"""Who holds which hero at the start, and how heroes change hands."""

from engine.brotherhood.hero_roster import MORMONT, QHORIN, TARLY, YARWYCK, Company, Holding
from engine.brotherhood.moves import HEROES
from engine.brotherhood.position import NOBODY


def names(company: Company) -> list[str]:
    return [HEROES[holding.hero] for holding in company.holdings]


def test_four_players_start_with_the_first_four_heroes_in_the_order_of_play() -> None:
    assert names(Company.assembled(4, 0)) == ["yarwyck", "tarly", "marsh", "mormont"]
    assert names(Company.assembled(4, 2)) == ["marsh", "mormont", "yarwyck", "tarly"]


def test_with_three_players_yarwyck_lies_in_the_display() -> None:
    company = Company.assembled(3, 0)
    assert names(company) == ["tarly", "marsh", "mormont"]
    assert len(company.display) == 8
    assert YARWYCK in company.display
    assert len(Company.assembled(4, 0).display) == 7


def test_a_flipped_hero_stays_on_side_b() -> None:
    company = Company.assembled(4, 0)._replace(user=0).flip(0)
    assert company.holdings[0] == Holding(YARWYCK, worn=True)
    assert company.user == NOBODY


def test_a_swapped_hero_lies_in_the_display_on_side_a() -> None:
    company = Company.assembled(4, 0).flip(0).swap(0, QHORIN, 17)
    assert company.holdings[0] == Holding(QHORIN, taken=17)
    assert YARWYCK in company.display
    assert company.swap(3, YARWYCK, 20).holdings[3] == Holding(YARWYCK, taken=20)


def test_a_hero_lies_before_one_player_or_nobody() -> None:
    company = Company.assembled(3, 1)
    assert company.holder(TARLY) == 1
    assert company.holder(MORMONT) == 0
    assert company.holder(QHORIN) is None
