"""Holding what commands print with --json against their JSON Schemas."""

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from pbem.cli.app import COMMANDS
from pbem.cli.schema import DOCUMENTS, schema_of


def document_name(words: list[str]) -> str:
    """The name under which a command line's output is described: ``case show``, ``status``."""
    command, *rest = [word for word in words if not word.startswith("-")]
    sub_commands = [name.partition(" ")[2] for name in DOCUMENTS if name.startswith(f"{command} ")]
    if not sub_commands:
        return command
    return f"{command} {next((word for word in rest if word in sub_commands), 'list')}"


@cache
def validator(name: str) -> Draft202012Validator:
    """The validator of a command's output."""
    return Draft202012Validator(schema_of(name))


def check_output(words: list[str], printed: str) -> None:
    """Hold what a command line with --json has printed against the schema, if it names a command at all."""
    if not any(word in COMMANDS for word in words):
        return
    wrong: list[Any] = list(validator(document_name(words)).iter_errors(json.loads(printed)))
    assert not wrong, (words, wrong[0].message, list(wrong[0].absolute_path))
