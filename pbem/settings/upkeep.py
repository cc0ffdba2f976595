"""The sections of `post.toml` for whoever looks after a post: its backups, its log, and the figures it shows."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from pbem.settings.kinds import HOST, Choice, Duration, FilePath, OrEmpty, WholeNumber
from pbem.settings.setting_keys import setting


@dataclass(frozen=True, slots=True)
class BackupSettings:
    """Copies of the database that `pbem serve` makes by itself."""

    folder: Path | None = setting(
        OrEmpty(FilePath("backups")), None, "The folder for the copies, best on another disk; empty: none are made."
    )
    every: timedelta = setting(
        Duration(most=timedelta(days=365)), timedelta(days=1), "How often a copy is made; a year at most."
    )
    keep: int = setting(WholeNumber(1, 1_000, example=7), 7, "How many copies are kept; older ones are removed.")


@dataclass(frozen=True, slots=True)
class LogSettings:
    """What the running service logs."""

    level: str = setting(Choice(("debug", "info", "warning", "error")), "info", "The lowest level that is written.")
    form: str = setting(Choice(("text", "json")), "text", "Lines for people, or one JSON object a line.")
    file: Path | None = setting(
        OrEmpty(FilePath("post.log")), None, "The file to write to; empty for the standard error stream."
    )


@dataclass(frozen=True, slots=True)
class MetricsSettings:
    """Figures for programs that watch the post: `/metrics` for Prometheus; `/healthz` says if all is well."""

    host: str = setting(HOST, "127.0.0.1", "Where to listen. There is no password, so keep it on this machine.")
    port: int = setting(WholeNumber(0, 65_535, example=9_184), 0, "The port to listen on; 0: no figures are shown.")
