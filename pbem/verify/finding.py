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

"""Everything that is looked at, in this order."""


class Finding(NamedTuple):
    """Something wrong: which check found it, in which line of the text, and why."""

    check: str
    line: int
    reason: str
