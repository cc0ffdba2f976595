"""Moments and lengths of time in words, in the reader's own zone and language.

A deadline without a named zone is a quarrel in waiting, so the zone always stands beside the hour.
"""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from pbem.mail.writing.sentences import Voice


def say_moment(moment: datetime, zone: str, voice: Voice) -> str:
    """``Thursday 20 November 2026, 18:00 (Europe/Warsaw)``."""
    return voice.say("moment", moment.astimezone(ZoneInfo(zone)), zone)


def say_length(length: timedelta, voice: Voice) -> str:
    """``2 days, 6 hours``: the two largest units that are not nothing, rounded down."""
    days, rest = divmod(max(0, int(length.total_seconds()) // 60), 24 * 60)
    hours, minutes = divmod(rest, 60)
    counted = (("days", days), ("hours", hours), ("minutes", minutes))
    said = [voice.say(unit, count) for unit, count in counted if count]
    return ", ".join(said[:2]) or voice.say("minutes", 0)
