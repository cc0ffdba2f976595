"""Moments as text: UTC, to the second, in one fixed width, so that they sort as they follow each other."""

from datetime import UTC, datetime
from typing import Final

_FORM: Final = "%Y-%m-%dT%H:%M:%SZ"


def utc_now() -> datetime:
    """The clock on the wall; tests bring their own."""
    return datetime.now(UTC)


def write_moment(moment: datetime) -> str:
    """`2026-11-16T09:30:00Z`; a moment without a time zone is our own bug."""
    if moment.tzinfo is None:
        raise ValueError("a moment needs its time zone")
    return moment.astimezone(UTC).strftime(_FORM)


def read_moment(text: str) -> datetime:
    """What `write_moment` wrote."""
    return datetime.fromisoformat(text)
