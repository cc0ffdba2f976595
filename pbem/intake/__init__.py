"""Mail in: raw bytes become a letter, or a named reason why not."""

from pbem.intake.letter import Letter, read_letter
from pbem.intake.sender.address import read_address
from pbem.intake.sender.authenticity import Authenticity
from pbem.intake.sender.identity import PostIdentity
from pbem.intake.sender.ticket import Ticket, read_ticket, reply_address, subject_tag
from pbem.intake.sender.verp import write_verp
from pbem.intake.unreadable import REASONS, Unreadable
from pbem.intake.words.markers import ABOVE, FENCE

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
    "write_verp",
]
