"""The sections of `post.toml`: every key with its kind, its default and what it does.

The sentences here are printed in `docs/configuration.md` and in a new `post.toml`. A section for a transport also
names the class in `pbem.mail.transport` that it configures.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import ClassVar, Final

from pbem.locale.languages import LANGUAGE_CODES, format_codes
from pbem.settings.delivery import (
    LARGEST_LETTER,
    LEAST_BYTES,
    LEAST_LETTER,
    MOST_BYTES,
    MOST_PATIENCE,
    PLAYER_BYTES,
    SQLITE,
    STRANGER_BYTES,
    STRANGERS_BYTES,
)
from pbem.settings.front_desk import LobbySettings
from pbem.settings.kinds import (
    HOST,
    MAIL_ADDRESS,
    Choice,
    Duration,
    FilePath,
    ListOf,
    OrEmpty,
    Secret,
    SecretFile,
    Text,
    TimeZone,
    TrueOrFalse,
    WholeDays,
    WholeNumber,
)
from pbem.settings.setting_keys import keys_of, setting
from pbem.settings.store_section import StoreSettings
from pbem.settings.upkeep import BackupSettings, LogSettings, MetricsSettings

_SECURITY: Final = Choice(("tls", "starttls", "none"))
_MOST: Final = timedelta(days=1_000)
"""Beyond this no deadline can be computed."""
_TIME: Final = Duration(most=_MOST)
_TIME_OR_NONE: Final = Duration(none=True, most=_MOST)
_INTERVAL: Final = Duration(most=timedelta(days=1))
"""How often to look: once a day at least."""
_TIMEOUT: Final = Duration(most=MOST_PATIENCE)
"""How long to wait for an answer that should come at once."""


def _port(usual: int) -> WholeNumber:
    return WholeNumber(1, 65_535, example=usual)


def _hours(hours: float) -> timedelta:
    return timedelta(hours=hours)


@dataclass(frozen=True, slots=True)
class PostSettings:
    """Who the post is to its players."""

    address: str = setting(MAIL_ADDRESS, "caravan@example.org", "The address that players write to.")
    name: str = setting(Text("Caravan Post"), "Caravan Post", "The name beside it in their mail programs.")
    referee: str | None = setting(
        OrEmpty(MAIL_ADDRESS), None, "Who gets a mail about failing mails and doubtful letters; nobody if empty."
    )
    domains: tuple[str, ...] = setting(
        ListOf(HOST, ("games.example.org",)), (), "Other domains whose mail reaches the same mailbox."
    )
    plus_addressing: bool = setting(
        TrueOrFalse(),
        True,
        "Whether the mail server delivers caravan+anything to caravan. "
        "If not, write false: the subject then carries what the address would.",
    )
    authserv_id: str | None = setting(
        *(OrEmpty(HOST), None),
        "The name under which our own mail server writes Authentication-Results. "
        "Empty: nobody checks, and a letter is trusted if its address has a good code and its From is the player's.",
    )
    language: str = setting(
        *(Choice(LANGUAGE_CODES), "en"),
        f"The language for players who have not chosen one: {format_codes('`{}`')}.",
    )
    notices: str = setting(
        *(Choice(("wanted", "each", "daily")), "wanted"),
        "How often we write to players who have not chosen: `wanted` (on their turn, or if something concerns them), "
        "`each` (after every move) or `daily` (their turns, and one summary a day).",
    )
    answers_per_hour: int = setting(
        WholeNumber(1, 1_000, example=20),
        20,
        "How many answers one sender gets in an hour. After that, moves are played without an answer, and letters that "
        "change nothing wait.",
    )
    mails_per_hour: int = setting(
        WholeNumber(10, 1_000_000, example=2_000),
        2_000,
        "Above this number of mails in an hour the post stops sending and alerts the referee.",
    )
    largest_letter: int = setting(
        WholeNumber(LEAST_LETTER, LARGEST_LETTER, example=LARGEST_LETTER),
        LARGEST_LETTER,
        f"The size in bytes above which a letter without a good code is not read: from {LEAST_LETTER} to "
        f"{LARGEST_LETTER}. Letters to a player's reply address may have ten megabytes.",
    )
    stranger_bytes: int = setting(
        WholeNumber(LEAST_BYTES, MOST_BYTES, example=STRANGER_BYTES),
        STRANGER_BYTES,
        "How many bytes of letters one sender can leave with us: those not handled yet, and those of the last day that "
        "changed nothing. What is above stays with the mail server, which tries again; a player's own letters come in.",
    )
    strangers_bytes: int = setting(
        WholeNumber(LEAST_BYTES, MOST_BYTES, example=STRANGERS_BYTES),
        STRANGERS_BYTES,
        "The same for all senders together.",
    )
    player_bytes: int = setting(
        WholeNumber(LEAST_BYTES, MOST_BYTES, example=PLAYER_BYTES),
        PLAYER_BYTES,
        "How many bytes one player's own letters can have beside that, while others send too much.",
    )
    ticket_key: Secret | None = setting(
        SecretFile(),
        None,
        "The file with the key that signs reply addresses. `pbem init` makes one; keep it, and keep it secret.",
    )
    signing_key: Secret | None = setting(
        SecretFile(),
        None,
        "The file with the key that signs receipts and checkpoints, 64 hexadecimal digits. `pbem init` makes one; "
        "`pbem key` prints its public half. Without it nothing is signed.",
    )


@dataclass(frozen=True, slots=True)
class MaildirIntakeSettings:
    """Letters from a Maildir that the mail server fills."""

    transport: ClassVar[str] = "maildir:MaildirIntake"
    path: Path = setting(FilePath("maildir"), Path("maildir"), "The Maildir: the folder with new, cur and tmp in it.")
    every: timedelta = setting(_INTERVAL, timedelta(seconds=10), "How often to look.")


@dataclass(frozen=True, slots=True)
class ImapSettings:
    """Letters from a mailbox at a provider."""

    transport: ClassVar[str] = "imap:ImapIntake"
    host: str = setting(HOST, "localhost", "The IMAP server.")
    port: int = setting(_port(993), 993, "Its port: 993 with tls, 143 otherwise.")
    security: str = setting(
        _SECURITY, "tls", "How the connection is protected: tls, starttls, or none (on this machine only)."
    )
    ca_file: Path | None = setting(
        OrEmpty(FilePath("ca.pem")), None, "The certificates to trust instead of the system's."
    )
    user: str = setting(Text("caravan@example.org"), "caravan@example.org", "The name to log in with.")
    password: Secret | None = setting(SecretFile(), None, "The file with the password.")
    folder: str = setting(Text("INBOX"), "INBOX", "The folder that holds new letters.")
    after: str = setting(
        Choice(("move", "flag")),
        "move",
        "What happens to a letter that is stored: moved to another folder, or marked as read.",
    )
    done: str = setting(Text("Done"), "Done", "The folder that stored letters are moved to; made if it is not there.")
    idle: bool = setting(TrueOrFalse(), True, "Whether the server may announce new letters at once, if it can (IDLE).")
    every: timedelta = setting(_INTERVAL, timedelta(minutes=1), "How often to look, even with IDLE.")
    timeout: timedelta = setting(_TIMEOUT, timedelta(seconds=30), "How long to wait for an answer from the server.")


@dataclass(frozen=True, slots=True)
class LmtpSettings:
    """Letters handed over by the mail server on this machine, over LMTP."""

    transport: ClassVar[str] = "lmtp:LmtpIntake"
    host: str = setting(HOST, "127.0.0.1", "Where to listen. The protocol has no password, so keep it on this machine.")
    port: int = setting(_port(8024), 8024, "The port to listen on.")
    timeout: timedelta = setting(_TIMEOUT, timedelta(minutes=5), "How long a silent connection is kept.")


@dataclass(frozen=True, slots=True)
class FolderMailerSettings:
    """Mails written as .eml files into one folder, for looking at them or for a program that fetches them."""

    transport: ClassVar[str] = "folder:FolderMailer"
    path: Path = setting(FilePath("outgoing"), Path("outgoing"), "The folder that mails are written to.")


@dataclass(frozen=True, slots=True)
class MaildirMailerSettings:
    """Mails put into one Maildir for each recipient, for players on the same machine and for tests."""

    transport: ClassVar[str] = "maildir:MaildirMailer"
    path: Path = setting(
        FilePath("mailboxes"), Path("mailboxes"), "The folder that holds a Maildir for each recipient."
    )


@dataclass(frozen=True, slots=True)
class SmtpSettings:
    """Mails handed to a mail server."""

    transport: ClassVar[str] = "smtp:SmtpMailer"
    host: str = setting(HOST, "localhost", "The mail server that takes our mails.")
    port: int = setting(_port(587), 587, "Its port: 587 with starttls, 465 with tls, 25 on this machine.")
    security: str = setting(
        _SECURITY, "starttls", "How the connection is protected: tls, starttls, or none (on this machine only)."
    )
    ca_file: Path | None = setting(
        OrEmpty(FilePath("ca.pem")), None, "The certificates to trust instead of the system's."
    )
    user: str | None = setting(
        OrEmpty(Text("caravan@example.org")), None, "The name to log in with; empty for no login."
    )
    password: Secret | None = setting(SecretFile(), None, "The file with the password.")
    timeout: timedelta = setting(_TIMEOUT, timedelta(seconds=30), "How long to wait for an answer from the server.")
    bounces: str = setting(
        Choice(("plain", "verp")),
        "plain",
        "Where undeliverable mails come back to: our address, or an address of ours that names the mail, such as "
        "caravan+bounce-0f3a…. This needs plus addressing, and recognises bounces that do not contain the mail.",
    )


IntakeSettings = MaildirIntakeSettings | ImapSettings | LmtpSettings
INTAKES: Final[dict[str, type[IntakeSettings]]] = {
    "maildir": MaildirIntakeSettings,
    "imap": ImapSettings,
    "lmtp": LmtpSettings,
}
"""Sections under `in`: an intake is used if its section is in the file. `Settings` has a field for each."""

MailerSettings = FolderMailerSettings | MaildirMailerSettings | SmtpSettings
MAILERS: Final[dict[str, type[MailerSettings]]] = {
    "folder": FolderMailerSettings,
    "maildir": MaildirMailerSettings,
    "smtp": SmtpSettings,
}
MAILER_KIND: Final = Choice(tuple(MAILERS))
MAILER_KIND_ABOUT: Final = "How mails leave: files in a folder, a Maildir for each recipient, or a mail server."


@dataclass(frozen=True, slots=True)
class TimeSettings:
    """How much time a player has in a new game, unless `pbem new` says otherwise."""

    mode: str = setting(
        Choice(("deadline", "bank")), "deadline", "A deadline for each turn, or a bank of time that each turn adds to."
    )
    per_turn: timedelta = setting(_TIME, timedelta(days=3), "With deadlines: the time for a turn.")
    bank: timedelta = setting(_TIME, timedelta(days=14), "With a bank: the time each player starts with.")
    increment: timedelta = setting(_TIME_OR_NONE, _hours(24), "With a bank: what a turn adds, once it is over.")
    cap: timedelta = setting(
        _TIME, timedelta(days=14), "With a bank: the most it can hold; at least what a player starts with."
    )
    grace: timedelta = setting(_TIME_OR_NONE, _hours(12), "How late a move may be before `silence` takes effect.")
    reminders: tuple[timedelta, ...] | None = setting(
        OrEmpty(ListOf(_TIME, (_hours(24),))),
        None,
        'How long before the deadline a player is reminded, such as `["1d", "6h"]`. Empty: once, when a third of the '
        "time for a turn is left; with a bank, when as much is left as a turn adds.",
    )
    weekends: str = setting(
        Choice(("run", "rest")), "run", "Whether the clock runs or rests on a player's Saturdays and Sundays."
    )
    zone: str = setting(TimeZone(), "UTC", "The time zone for players who have not chosen one.")
    absence: timedelta = setting(
        WholeDays(), timedelta(days=21), "How long a player may be away in one game in total, in whole days."
    )
    silence: str = setting(
        Choice(("wait", "play", "substitute", "forfeit")),
        "wait",
        "What follows when deadline and grace have passed: everybody is told and waits, the post makes a move for the "
        "player (a pass, a declared default or a random legal one), a substitute is sought, or the seat forfeits.",
    )
    pencil: str = setting(
        Text(
            "quarter",
            r"off|quarter|(?=[1-9])(?:\d{1,3}d)?(?:\d{1,3}h)?(?:\d{1,4}m)?",
            "off, quarter or a time in quotes",
        ),
        "quarter",
        "How long a move waits that stands beside words the post does not know, before it is played: a quarter of the "
        "time that is left (at least one hour, at most twelve), a time such as `3h`, or `off`: then the post asks.",
    )
    offers: str = setting(
        Text("third", r"off|third|(?=[1-9])(?:\d{1,3}d)?(?:\d{1,3}h)?(?:\d{1,4}m)?", "off, third or a time in quotes"),
        "third",
        "How long an offer to other players is open: a third of the time for a turn (with a bank, of what a turn "
        "adds), a shorter time such as `8h`, or `off`: as long as a turn. Then no answer means no.",
    )
    forced: str = setting(
        Choice(("play", "ask")),
        "play",
        "What happens when a player has only one move, as all can see: the post plays it at once, and rolls the dice "
        "when a turn begins; or it asks.",
    )
    outage: timedelta = setting(_TIME, _hours(1), "How long the post must have been down before deadlines are moved.")
    after_outage: timedelta = setting(
        _TIME_OR_NONE, _hours(24), "How much time players get in addition to the time it was down."
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything an operator can choose. Paths are absolute; an intake that is not in the file is None."""

    folder: Path = field(default_factory=Path.cwd)
    post: PostSettings = field(default_factory=PostSettings)
    store: StoreSettings = field(default_factory=StoreSettings)
    maildir: MaildirIntakeSettings | None = None
    imap: ImapSettings | None = None
    lmtp: LmtpSettings | None = None
    out: MailerSettings = field(default_factory=FolderMailerSettings)
    time: TimeSettings = field(default_factory=TimeSettings)
    lobby: LobbySettings = field(default_factory=LobbySettings)
    backup: BackupSettings = field(default_factory=BackupSettings)
    log: LogSettings = field(default_factory=LogSettings)
    metrics: MetricsSettings = field(default_factory=MetricsSettings)

    @property
    def intakes(self) -> list[IntakeSettings]:
        """The sections of all intakes that are in the file."""
        return [section for name in INTAKES if (section := getattr(self, name)) is not None]

    @property
    def database(self) -> Path:
        """The file of the database; of one on a server, the file that would be there if it were one.

        What else the post keeps on this machine is beside it.
        """
        return self.folder / "post.db" if self.store.is_on_server else Path(self.store.url.removeprefix(SQLITE))

    @property
    def secrets(self) -> Iterator[Secret]:
        """Every secret that the settings name."""
        for section in (self.post, self.store, *self.intakes, self.out):
            values = (getattr(section, key.name) for key in keys_of(type(section)))
            yield from (value for value in values if isinstance(value, Secret))


ALWAYS: Final = {
    "post": PostSettings,
    "store": StoreSettings,
    "time": TimeSettings,
    "lobby": LobbySettings,
    "backup": BackupSettings,
    "log": LogSettings,
    "metrics": MetricsSettings,
}
"""Sections that have values even if they are not in the file."""
