"""Who holds the Wall when the wildlings end the game (BW-E3 to BW-E5)."""

from collections.abc import Sequence

from engine.brotherhood.guards import guards_of
from engine.brotherhood.wall_state import Watch


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
