"""Guards on the sections of the Wall: which spaces they take, how they close up, what they are worth (BW-G1 to BW-G3).

Also who holds the Wall when the wildlings end the game (BW-E3 to BW-E5).
"""

from collections.abc import Sequence

from engine.brotherhood.wall_state import GUARDS, SPACES, Watch


def guards_of(watch: Watch, who: int) -> int:
    """How many guards of a player stand on the Wall."""
    one, two, three, four = watch.sections
    return one.count(who) + two.count(who) + three.count(who) + four.count(who)


def has_guard_left(watch: Watch, who: int) -> bool:
    """Whether a player has a guard that can still be placed (BW-G2)."""
    return guards_of(watch, who) < GUARDS


def is_full(watch: Watch, section: int) -> bool:
    """Whether all spaces of a section are taken; sections are counted from 0 here."""
    return len(watch.sections[section]) == SPACES


def station(watch: Watch, section: int, who: int) -> Watch:
    """Put a player's guard on the lowest free space of a section (BW-G1)."""
    return with_section(watch, section, (*watch.sections[section], who))


def dismiss(watch: Watch, section: int) -> Watch:
    """Take the guard from space 1, if there is one; the others move down one number."""
    return with_section(watch, section, watch.sections[section][1:])


def with_section(watch: Watch, section: int, guards: tuple[int, ...]) -> Watch:
    """The Watch with other guards on one section."""
    return watch._replace(sections=(*watch.sections[:section], guards, *watch.sections[section + 1 :]))


def guard_points(guards: int) -> int:
    """The victory point tokens that so many guards bring (BW-G3)."""
    if guards < 3:
        return 0
    return 1 if guards < 5 else 2


def holder(watch: Watch, points: Sequence[int], first: int) -> int:
    """The winner: most guards, then most points, then lower spaces, sections further west, the earlier turn."""
    players = len(points)

    def rank(who: int) -> tuple[int, int, list[int], list[int], int]:
        stand = [
            (space, section)
            for section, guards in enumerate(watch.sections)
            for space, owner in enumerate(guards)
            if owner == who
        ]
        spaces = sorted(space for space, _ in stand)
        sections = sorted(section for _, section in stand)
        return -guards_of(watch, who), -points[who], spaces, sections, (who - first) % players

    return min(range(players), key=rank)
