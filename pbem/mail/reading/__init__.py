"""Mail in: raw bytes become a letter, or a named reason why not."""

from pbem.mail.format import ABOVE, FENCE
from pbem.mail.reading.addresses import read_address
from pbem.mail.reading.authentication import Authenticity
from pbem.mail.reading.letter import Letter, read_letter
from pbem.mail.reading.limits import REASONS, Unreadable
from pbem.mail.reply_address import PostIdentity, Ticket, read_ticket, reply_address, subject_tag, write_verp

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
