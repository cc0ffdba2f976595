"""The section of `post.toml` that says where everything is kept."""

from dataclasses import dataclass
from datetime import timedelta
from typing import TypedDict

from pbem.settings.delivery import DATABASE, DATABASE_FORM, MOST_PATIENCE, PATIENCE, SQLITE
from pbem.settings.kinds import Duration, Secret, SecretFile, Text
from pbem.settings.setting_keys import setting


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """Where everything is kept."""

    url: str = setting(
        Text(DATABASE, DATABASE_FORM, "the address of an SQLite file, or of a PostgreSQL database without a password"),
        DATABASE,
        "The database: a file, whose relative path starts from the folder of this file, or a PostgreSQL database: "
        "`postgresql://user@host/name`.",
    )
    password: Secret | None = setting(SecretFile(), None, "The file with the password of a PostgreSQL database.")
    patience: timedelta = setting(
        Duration(most=MOST_PATIENCE), PATIENCE, "How long to wait while another process writes or handles letters."
    )
    archive_after: timedelta = setting(
        *(Duration(), timedelta(days=1)),
        "How long after it was sent a mail is packed away with others to the same reader, in a tenth of the room. It "
        "stays the same to the byte.",
    )
    keep_sent: timedelta = setting(
        *(Duration(), timedelta(days=30)),
        "How long sent mails are kept, unless a case of their game is open. Digest and length stay forever.",
    )
    keep_letters: timedelta = setting(
        Duration(), timedelta(days=730), "How long letters are kept, if their game has ended. Games are kept forever."
    )

    @property
    def is_on_server(self) -> bool:
        """Whether a PostgreSQL server keeps the post."""
        return not self.url.startswith(SQLITE)

    @property
    def address(self) -> "StoreAddress":
        """What is needed to open the database."""
        password = None if self.password is None else self.password.reveal()
        return {"url": self.url, "password": password, "timeout": self.patience.total_seconds()}


class StoreAddress(TypedDict):
    """Where a database is, the password for it, and how many seconds to wait for other writers."""

    url: str
    password: str | None
    timeout: float
