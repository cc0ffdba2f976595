"""The settings of the lobby: who may come in by mail, and how much strangers may ask of us."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from pbem.settings.kinds import Choice, Duration, ListOf, Text, WholeNumber
from pbem.settings.setting_keys import setting

VOUCHED: Final = "vouched"
INVITED: Final = "invited"
NOBODY: Final = "none"
_MANY: Final = 100_000


@dataclass(frozen=True, slots=True)
class LobbySettings:
    """Who may come in by mail. Without `post.authserv_id`, so that nobody vouches for senders, the lobby is closed."""

    strangers: str = setting(
        Choice((VOUCHED, INVITED, NOBODY)),
        VOUCHED,
        "Who is answered: anybody our mail server vouches for, only people who were invited, or nobody.",
    )
    welcomes: int = setting(WholeNumber(0, _MANY, example=200), 200, "Welcomes a day, to all strangers together.")
    welcomes_by_domain: int = setting(WholeNumber(0, _MANY, example=20), 20, "Welcomes a day to one domain.")
    waiting_tables: int = setting(
        WholeNumber(1, 100, example=5), 5, "At how many tables that wait for players one person may sit."
    )
    patience: timedelta = setting(
        Duration(most=timedelta(days=365)), timedelta(days=30), "How long a table waits for players."
    )
    invitations: timedelta = setting(
        Duration(most=timedelta(days=90)),
        timedelta(days=7),
        "How long a seat is kept for somebody who was invited; people whom we know are reminded once, half way.",
    )
    block: tuple[str, ...] = setting(
        ListOf(Text("spam.example"), ("spam.example",)), (), "Addresses and domains that are never answered."
    )
    allow: tuple[str, ...] = setting(
        ListOf(Text("club.example"), ("club.example",)), (), "If not empty, only these addresses and domains may come."
    )
