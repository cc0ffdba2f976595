"""What is wrong with a record, and where."""

from typing import Final, NamedTuple

FORM: Final = "form"
CHAIN: Final = "chain"
RECORD: Final = "record"
RULES: Final = "rules"
SEALS: Final = "seals"
DRAWS: Final = "draws"
SIGNATURE: Final = "signature"
MAILBOX: Final = "mailbox"
STATEMENT: Final = "statement"
LOG: Final = "log"
"""The checks, in their order."""


class Finding(NamedTuple):
    """Something that is wrong: the check that found it, the line of the text, and the reason."""

    check: str
    line: int
    reason: str
