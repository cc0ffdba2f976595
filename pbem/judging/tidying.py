"""Headers that the game understands, in the one form that canonical text has for them.

What a value means is known to the game alone, so reading and writing leave it as it is. A record with a proof is left
alone altogether: its headers follow from its events, to the byte.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from notation import Fault, Record, read_result, write_result

PROOF: Final = "Proof"
RESULT: Final = "Result"


def tidy(record: Record) -> Record:
    """The record with its set-up and its result in canonical form, as far as they are understood."""
    if record.header(PROOF) is not None:
        return record
    tidied = _with(record, dict(_tidy_options(record)))
    game = record.game
    if tidied is not record and game is not None and game.start(record.setup) != game.start(tidied.setup):
        tidied = record  # nothing is made legal by being written neatly
    result = read_result(record.header(RESULT) or "", record.header("Game"))
    return tidied if isinstance(result, Fault) else _with(tidied, {RESULT: write_result(result)})


def _tidy_options(record: Record) -> Iterator[tuple[str, str]]:
    options = record.game.options if record.game is not None else ()
    given = dict(record.headers)
    return ((option.name, option.tidy(given[option.name])) for option in options if option.name in given)


def _with(record: Record, values: Mapping[str, str]) -> Record:
    """The record with some headers saying something else; itself, if they do not."""
    headers = tuple((name, values.get(name, value)) for name, value in record.headers)
    return record if headers == record.headers else replace(record, headers=headers)
