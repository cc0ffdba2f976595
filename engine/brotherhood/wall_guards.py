"""Putting guards on the Wall: free in set-up, paid in play, free again by New Recruits (BW-G1, BW-G2, BW-K3)."""

from typing import Final

from engine.brotherhood.building import missing
from engine.brotherhood.cards import judge_card, spend_card
from engine.brotherhood.hands import GUARD_PRICE, RECRUITS, covers
from engine.brotherhood.moves import Guard, Recruits
from engine.brotherhood.rules import guards as guarding
from engine.brotherhood.table import WorkingPosition
from engine.brotherhood.wall import watch_of
from engine.brotherhood.wall_sections import has_guard_left, is_full, station
from engine.brotherhood.wall_state import GUARDS, SECTIONS, SPACES
from engine.game import Seat
from engine.verdict import Verdict

POST: Final = "guard"
"""Set-up: the third round, of guards (BW-S3)."""

_GUARD: Final = tuple(map(Guard, range(SECTIONS + 1)))
_RECRUITS: Final = tuple(map(Recruits, range(SECTIONS + 1)))
"""The moves by section, made once."""


def judge_section(table: WorkingPosition, who: int, section: int) -> Verdict | None:
    """None if a player has a guard left, and the section a free space."""
    watch = watch_of(table)
    facts = {"seat": table.ground.seats[who], "section": section, "guards": GUARDS, "spaces": SPACES}
    if not 1 <= section <= SECTIONS:  # BW-G1
        return Verdict(guarding.G1, "the Wall has no section {section}", facts)
    if is_full(watch, section - 1):  # BW-G1
        return Verdict(guarding.G1, "all {spaces} spaces of section {section} are taken", facts)
    if not has_guard_left(watch, who):  # BW-G2
        return Verdict(guarding.G2, "all {guards} guards of {seat} stand on the Wall", facts)
    return None


def open_sections(table: WorkingPosition, who: int) -> list[int]:
    """The sections to which a player can send a guard, from 1."""
    watch = watch_of(table)
    if not has_guard_left(watch, who):
        return []
    return [section for section, guards in enumerate(watch.sections, start=1) if len(guards) < SPACES]


def send_guard(table: WorkingPosition, who: int, section: int) -> None:
    """A guard of a player takes the lowest free space of a section."""
    table.watch = station(watch_of(table), section - 1, who)


def judge_guard(table: WorkingPosition, who: int, move: Guard) -> Verdict | None:
    """None if the guard can be placed and, after set-up, paid."""
    verdict = judge_section(table, who, move.section)
    if verdict is not None or table.stage == POST:
        return verdict
    return unpaid(table, who, GUARD_PRICE)


def unpaid(table: WorkingPosition, who: int, price: int) -> Verdict | None:
    """None if a player can pay what a guard costs now (BW-G4)."""
    verdict = missing(table, who, price, "a guard")
    return None if verdict is None else verdict._replace(rule=guarding.G4)


def play_guard(table: WorkingPosition, who: int, move: Guard) -> None:
    """Place a guard; in set-up it ends the turn."""
    send_guard(table, who, move.section)
    if table.stage == POST:
        table.begin_turn(table.turn + 1)
        return
    table.pay(who, GUARD_PRICE)
    table.start_building()


def list_posts(table: WorkingPosition) -> list[tuple[Seat, Guard]]:
    """In set-up: every section with room."""
    seat = table.on_turn
    return [(seat, _GUARD[section]) for section in open_sections(table, table.who)]


def list_guards(table: WorkingPosition) -> list[tuple[Seat, Guard]]:
    """In play: every section with room, if the guard can be paid."""
    return list_posts(table) if covers(table.hands[table.who], GUARD_PRICE) else []


def judge_recruits(table: WorkingPosition, who: int, move: Recruits) -> Verdict | None:
    """None if the card can be played and the guard placed."""
    return judge_card(table, who, RECRUITS) or judge_section(table, who, move.section)


def play_recruits(table: WorkingPosition, who: int, move: Recruits) -> None:
    """Place a guard free; trading goes on (BB-O2)."""
    spend_card(table, who, RECRUITS)
    send_guard(table, who, move.section)


def list_recruits(table: WorkingPosition) -> list[tuple[Seat, Recruits]]:
    """Every section with room, for a player who has the card."""
    seat = table.on_turn
    return [(seat, _RECRUITS[section]) for section in open_sections(table, table.who)]
