"""Mail in: raw bytes become a letter, or a named reason why not."""

from pbem.intake.address import read_address
from pbem.intake.authenticity import Authenticity
from pbem.intake.identity import PostIdentity
from pbem.intake.letter import Letter, read_letter
from pbem.intake.markers import ABOVE, FENCE
from pbem.intake.ticket import Ticket, read_ticket, reply_address, subject_tag
from pbem.intake.unreadable import REASONS, Unreadable

__all__ = [
    "ABOVE",
    "FENCE",
    "REASONS",
    "Authenticity",
    "Letter",
    "PostIdentity",
    "Ticket",
    "Unreadable",
    "read_address",
    "read_letter",
    "read_ticket",
    "reply_address",
    "subject_tag",
]
