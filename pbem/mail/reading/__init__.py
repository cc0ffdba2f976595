"""Reading mail: raw bytes become a letter, or a named reason why they do not."""

from pbem.mail.reading.addresses import parse_address
from pbem.mail.reading.authentication import Authenticity
from pbem.mail.reading.letter import Letter, largest_size, read_letter
from pbem.mail.reading.limits import REASONS, Unreadable
from pbem.mail.reading.machine_mail import LIST

__all__ = ["LIST", "REASONS", "Authenticity", "Letter", "Unreadable", "largest_size", "parse_address", "read_letter"]
