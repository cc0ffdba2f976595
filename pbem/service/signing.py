"""What a post signs with, and the last thing it signed about all games."""

import re

from pbem.proof.public_log import Checkpoint
from pbem.proof.signing import LENGTH, Signer
from pbem.settings.sections import Settings
from pbem.store.transaction import Transaction
from pbem.workflow.context import make_signer
from pbem.workflow.history import last_checkpoint


def why_no_signing(settings: Settings) -> str | None:
    """Why a post cannot sign with the key that its settings name."""
    key = settings.post.signing_key
    if key is None or re.fullmatch(f"[0-9a-fA-F]{{{2 * LENGTH}}}", key.reveal()):
        return None
    return f"the key in post.signing_key_file has not {2 * LENGTH} hexadecimal digits"


def find_signer(settings: Settings) -> Signer | None:
    """The post's key; None if it has none."""
    return make_signer(settings)


def read_checkpoint_of(transaction: Transaction) -> Checkpoint | None:
    """The last checkpoint of the log of all games."""
    return last_checkpoint(transaction)
