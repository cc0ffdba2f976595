"""The public key of a post, as whoever checks something gives it: its digits, or a file with them."""

import re
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from pbem.terminal.report import Report

PublicKey: TypeAlias = Annotated[
    str | None,
    typer.Option("--key", metavar="PUB", help="The post's public key, or a file with it.", show_default=False),
]


def read_key(key: str | None, report: Report) -> bytes | None:
    """The bytes of a key; None if none was given. What is no key ends the command."""
    if key is None:
        return None
    try:
        written = key if re.fullmatch("[0-9a-fA-F]{64}", key) else Path(key).read_text("utf-8").strip()
    except (OSError, ValueError):
        report.give_up(f"{key}: is no key, and no file with one")
    if not re.fullmatch("[0-9a-fA-F]{64}", written):
        report.give_up(f"{key}: a public key has 64 hexadecimal digits; `pbem key` prints the post's")
    return bytes.fromhex(written)
