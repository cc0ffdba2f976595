"""Refusals of letters that are out of date.

`workflow/sender_checks.py` finds out whether a letter is, from the mail that it answers.
"""

from engine.game import Seat
from pbem.tables import table_rules
from pbem.tables.decision import Refused
from pbem.tables.table import Vote


def gone_back() -> Refused:
    """Moves that were written before the table went back."""
    says = "your letter answers a mail from before the table went back; if you still want it, answer this mail with it"
    return Refused(table_rules.T1, says)


def offered_anew(maker: Seat) -> Refused:
    """An answer to an offer that was replaced by another."""
    says = "{maker} has made another offer since the mail that this answers; answer the new one"
    return Refused(table_rules.T6, says, {"maker": maker})


def asked_since(vote: Vote) -> Refused:
    """Consent to something that was asked after the answered mail was written."""
    says = (
        "{who} asked for this after the mail that your letter answers; to agree, answer this mail with `agree {what}`"
    )
    return Refused(table_rules.V3, says, {"who": vote.by, "what": vote.what})


def answers_nothing(vote: Vote) -> Refused:
    """Consent that neither names its subject nor answers a mail of ours."""
    says = "it cannot be told which mail your letter answers; write `agree {what}`"
    return Refused(table_rules.V3, says, {"what": vote.what})
