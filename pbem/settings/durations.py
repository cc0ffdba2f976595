"""Lengths of time as people write them in a file: `3d`, `12h`, `1h30m`, `45s`."""

import re
from datetime import timedelta
from typing import Final

_UNITS: Final = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
_DURATION: Final = re.compile("".join(rf"(?:(\d{{1,6}}){unit})?" for unit in _UNITS))


def parse_duration(text: str) -> timedelta | None:
    """The length of time, largest unit first, each unit once; None for anything else. `0s` is no time at all."""
    found = _DURATION.fullmatch(text.replace(" ", "").lower())
    if found is None or not any(found.groups()):
        return None
    numbers = (int(number or 0) for number in found.groups())
    return timedelta(seconds=sum(number * size for number, size in zip(numbers, _UNITS.values(), strict=True)))


def format_duration(length: timedelta) -> str:
    """The shortest way to write it, in whole seconds and without weeks: fourteen days are `14d`."""
    left, words = int(length.total_seconds()), []
    for unit, size in _UNITS.items():
        if unit != "w" and left >= size:
            count, left = divmod(left, size)
            words.append(f"{count}{unit}")
    return "".join(words) or "0s"
