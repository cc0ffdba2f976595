"""How many answers an address gets within an hour, so that no two programs ever answer each other without end."""

from datetime import timedelta
from typing import Final

from pbem.store.transaction import Transaction
from pbem.workflow.context import Office

HOUR: Final = timedelta(hours=1)


def has_had_enough(office: Office, transaction: Transaction, address: str) -> bool:
    """Whether the next answer to an address must wait."""
    return transaction.answers_since(office.now() - HOUR, address) >= office.settings.post.answers_per_hour
