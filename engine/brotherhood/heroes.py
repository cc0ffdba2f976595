"""How any hero is used, and kept or exchanged afterwards (BW-H1 to BW-H5, BW-H10).

Every use passes `judge_use` first and `use` last. Then the hero is flipped or swapped, before anything else happens.
How wildlings move and how roads connect is not known here; that is asked of `wall_wildlings` and `longest_road`.
"""

from typing import Final

from engine.brotherhood.hero_roster import HERO_AT, Company
from engine.brotherhood.moves import HEROES, Flip, Swap
from engine.brotherhood.position import BUILD, ROLL, TRADE
from engine.brotherhood.rules import heroes
from engine.brotherhood.table import WorkingPosition
from engine.brotherhood.wall import watch_of
from engine.brotherhood.wall_state import Watch
from engine.game import Seat
from engine.verdict import Verdict

PART: Final = "part"
"""A hero was used: it is flipped or swapped."""

_FLIP: Final = Flip()
_SWAP: Final = tuple(map(Swap, HEROES))
"""The moves, made once; a swap by the number of the hero taken."""

TRADING: Final = frozenset({TRADE})
BUILDING: Final = frozenset({TRADE, BUILD})
ANY_TIME: Final = frozenset({ROLL, TRADE, BUILD})


def company_of(table: WorkingPosition) -> Company:
    """The heroes of a table."""
    return watch_of(table).company


def set_company(table: WorkingPosition, company: Company) -> None:
    """Change who holds which hero, or what a hero waits for."""
    table.watch = Watch(*watch_of(table)[:-1], company)


def can_use(table: WorkingPosition, who: int, hero: int) -> bool:
    """Whether a player may use a hero in this turn, as far as handling goes."""
    company = company_of(table)
    holding = company.holdings[who]
    fresh = who != table.who or company.spent != table.turn
    return holding.hero == hero and holding.taken != table.turn and fresh


def judge_use(table: WorkingPosition, who: int, hero: int, when: frozenset[str]) -> Verdict | None:
    """Whether a player may use a hero now; what it is used for is judged by others."""
    holding = company_of(table).holdings[who]
    if table.stage in when and can_use(table, who, hero):
        return None
    facts = {"seat": table.ground.seats[who], "hero": HEROES[hero].capitalize()}
    if holding.hero != hero:
        facts["own"] = HEROES[holding.hero].capitalize()
        return Verdict(heroes.H1, "before {seat} lies {own}, not {hero}", facts)
    if holding.taken == table.turn:
        return Verdict(heroes.H2, "{seat} took {hero} in this turn, and can use {hero} from the next on", facts)
    if not can_use(table, who, hero):
        return Verdict(heroes.H3, "{seat} has used a hero in this turn already", facts)
    if table.stage == ROLL:
        return Verdict(heroes.H10, "{hero} can be used after the roll", facts)
    return Verdict(heroes.H10, "{hero} can be used while {seat} trades, and trading is over", facts)


def use(table: WorkingPosition, who: int) -> None:
    """Note that a hero was used; it is settled after all that its use brings."""
    company = company_of(table)
    spent = table.turn if who == table.who else company.spent
    set_company(table, company._replace(user=who, spent=spent))
    table.add(PART)


# Flip or swap


def parting_due(table: WorkingPosition) -> tuple[Seat, ...]:
    """The player who used a hero."""
    return (table.ground.seats[company_of(table).user],)


def judge_flip(table: WorkingPosition, who: int, _move: Flip) -> Verdict | None:
    """Only a hero used for the first time is flipped."""
    company = company_of(table)
    if who != company.user:
        return _not_the_user(table, who)
    if not company.holdings[who].worn:
        return None
    facts = {"seat": table.ground.seats[who], "hero": HEROES[company.holdings[who].hero].capitalize()}
    says = "{seat} has used {hero} twice, and must swap"
    return Verdict(heroes.H4, says, facts, tuple(_SWAP[hero] for hero in company.display[:3]))


def play_flip(table: WorkingPosition, who: int, _move: Flip) -> None:
    """The hero stays, on side B."""
    set_company(table, company_of(table).flip(who))
    table.done()


def judge_swap(table: WorkingPosition, who: int, move: Swap) -> Verdict | None:
    """Any hero of the display may be taken (BW-H5)."""
    company = company_of(table)
    if who != company.user:
        return _not_the_user(table, who)
    hero = HERO_AT.get(move.hero)
    owner = None if hero is None else company.holder(hero)
    if hero is not None and owner is None:
        return None
    facts = {"seat": table.ground.seats[who], "hero": move.hero.capitalize()}
    instead = tuple(_SWAP[other] for other in company.display[:3])
    if owner is None:
        return Verdict(heroes.H5, "there is no hero {hero}", facts, instead)
    if owner == who:
        return Verdict(heroes.H5, "{hero} is the one that {seat} returns", facts, instead)
    return Verdict(heroes.H5, "{hero} lies before {owner}", {**facts, "owner": table.ground.seats[owner]}, instead)


def play_swap(table: WorkingPosition, who: int, move: Swap) -> None:
    """Another hero is taken, side A up; it rests for this turn."""
    set_company(table, company_of(table).swap(who, HERO_AT[move.hero], table.turn))
    table.done()


def list_partings(table: WorkingPosition) -> list[tuple[Seat, Flip | Swap]]:
    """Flip, after the first use; or swap for any hero of the display."""
    company = company_of(table)
    seat = table.ground.seats[company.user]
    swaps: list[tuple[Seat, Flip | Swap]] = [(seat, _SWAP[hero]) for hero in company.display]
    return swaps if company.holdings[company.user].worn else [(seat, _FLIP), *swaps]


def part_silently(table: WorkingPosition, _who: int) -> Flip | Swap:
    """A player who says nothing keeps the hero if possible, and otherwise takes the first of the display."""
    return list_partings(table)[0][1]


def _not_the_user(table: WorkingPosition, who: int) -> Verdict:
    seats, user = table.ground.seats, company_of(table).user
    facts = {"seat": seats[who], "user": seats[user]}
    return Verdict(heroes.H4, "{user} has used a hero; it is not {seat}'s to settle", facts)
