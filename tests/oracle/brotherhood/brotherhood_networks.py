"""Random networks of roads, with strangers' buildings at their corners, to measure the longest road of.

Most grow from one corner, so that rings and forks come up; some are one line, some are scattered in pieces.
"""

from typing import Any

from tests.oracle.brotherhood import brotherhood_map

MOST_ROADS = 15


def draw(random: Any) -> Any:
    """A board, some of its paths, and the intersections where somebody else has built."""
    board = brotherhood_map.lay(random.random() < 0.5, random.choice((3, 4)))
    count = random.choice((random.randint(1, MOST_ROADS), MOST_ROADS))
    lay = random.choices((scatter, wander, grow), (1, 2, 5))[0]
    paths = lay(random, board, count)
    corners = sorted({point for path in paths for point in path})
    blocked = {point for point in corners if random.random() < random.choice((0, 0.1, 0.3))}
    return board, paths, blocked


def scatter(random: Any, board: Any, count: Any) -> Any:
    """Any paths."""
    return random.sample(sorted(board.paths, key=sorted), count)


def wander(random: Any, board: Any, count: Any) -> Any:
    """One line of road, as far as it goes."""
    end, paths = random.choice(list(board.points)), []
    for _ in range(count):
        onward = [near for near in sorted(board.beside[end]) if frozenset((end, near)) not in paths]
        if onward:
            near = random.choice(onward)
            paths.append(frozenset((end, near)))
            end = near
    return paths


def grow(random: Any, board: Any, count: Any) -> Any:
    """Paths that hang together; often near where they began, so that rings close."""
    start = random.choice(list(board.points))
    dense = random.random() < 0.6
    paths, ends = [], {start}
    for _ in range(count):
        free = sorted((path for path in board.paths if path & ends and path not in paths), key=sorted)
        random.shuffle(free)
        if dense:
            free.sort(key=lambda path: min(distance(start, point) for point in path))
        paths.append(free[0 if random.random() < 0.7 else -1])
        ends |= paths[-1]
    return paths


def distance(one: Any, other: Any) -> Any:
    """Roughly how far two intersections lie apart."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
