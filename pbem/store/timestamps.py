"""Timestamps as text: UTC, to the second, in one fixed width, so that text sorts as time does."""

from datetime import UTC, datetime
from typing import Final

_FORMAT: Final = "%Y-%m-%dT%H:%M:%SZ"


def utc_now() -> datetime:
    """The time now, to the second, as timestamps and mail headers have it; tests pass a clock of their own."""
    return datetime.now(UTC).replace(microsecond=0)


def format_timestamp(moment: datetime) -> str:
    """`2026-11-16T09:30:00Z`; a moment without a time zone is a bug of ours."""
    if moment.tzinfo is None:
        raise ValueError("a timestamp needs a time zone")
    return moment.astimezone(UTC).strftime(_FORMAT)


def parse_timestamp(text: str) -> datetime:
    """The moment that `format_timestamp` wrote."""
    return datetime.fromisoformat(text)
