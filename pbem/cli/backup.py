"""`pbem backup FILE`: a copy of the database."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.service.post_folder import open_store
from pbem.terminal.arguments import AsJson
from pbem.terminal.output_file import refuse_post_file
from pbem.terminal.post_file import Config, load_settings, store_errors
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.terminal.post_outputs import BackupJson


def backup(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file to write; it must be new.", show_default=False)
    ],
    *,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Write a copy of the database.

    The post may run meanwhile: the copy shows one moment, completely. Like the database, it is readable only by you. It
    gets its name when all of it is written and was read again. It does not hold ticket.key, signing.key and post.toml:
    copy those three once, and keep them elsewhere.
    """
    report = Report(json=json)
    settings = load_settings(config, report)
    if os.path.lexists(file):
        report.give_up(f"{file} is there already; name a new file")
    refuse_post_file(file, report)
    if not file.absolute().parent.is_dir():
        report.give_up(f"{file.absolute().parent} is not a folder")
    with store_errors(report), open_store(settings) as store:
        store.copy_to(file)
    size = file.stat().st_size
    report.say(f"wrote {file}, {size:,} bytes")
    said: BackupJson = {"file": str(file), "bytes": size}
    report.add(said)
    report.end()
