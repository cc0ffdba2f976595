"""The file that `-o` names: written whole or not at all, and never in the place of a file that a post lives on."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from pbem.terminal.post_file import POST_FILE, VARIABLE
from pbem.terminal.report import Report

_BESIDE_DATABASE: Final = ("", "-wal", "-shm", "-journal", ".lock")
"""What stands beside the database, by what its name adds to that of the database."""


def write_output(path: Path, content: bytes, report: Report, *, private: bool) -> None:
    """Write the file that `-o` names and say so, or end the command. Only its owner can read a private file."""
    from pbem.archive.files import write_file  # loads the notation, which not every command needs

    refuse_post_file(path, report)
    try:
        write_file(path, content, private=private)
    except OSError as problem:
        report.give_up(f"{path}: cannot be written; {(problem.strerror or str(problem)).lower()}")
    report.say(f"wrote {path}")


def refuse_post_file(path: Path, report: Report) -> None:
    """End the command if the file to write is one that a post lives on: the post in use, or one in the same folder."""
    if any(_is_same(path, each) for settings in _settings_in_reach(path) for each in _files_of(settings)):
        report.give_up(f"{path} is a file that the post lives on, and nothing was written; name another file")


def _settings_in_reach(path: Path) -> Iterator[Path]:
    context = click.get_current_context(silent=True)
    given = context.params.get("config") if context is not None else None
    chosen = Path(given or os.environ.get(VARIABLE) or POST_FILE)
    for each in (chosen, path.absolute().parent):
        yield each / POST_FILE if each.is_dir() else each


def _files_of(file: Path) -> Iterator[Path]:
    from pbem.settings.load import read_settings
    from pbem.settings.sections import Settings
    from pbem.store.sqlite import database_path

    yield file
    settings = read_settings(file)
    if isinstance(settings, Settings):
        if not settings.store.is_on_server:
            database = database_path(settings.store.url)
            yield from (Path(f"{database}{ending}") for ending in _BESIDE_DATABASE)
        yield from (secret.file for secret in settings.secrets if secret.file is not None)
        if settings.log.file is not None:
            yield settings.log.file


def _is_same(path: Path, other: Path) -> bool:
    """Whether two names lead to one file, through links too; a file that is not there yet is known by its name."""
    try:
        return path.samefile(other)
    except OSError:
        return path.resolve() == other.resolve()
