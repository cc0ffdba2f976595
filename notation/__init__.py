"""Text to moves and records, and back.

The Lark grammars in this folder are the definition and the document of the notation; docs/notation.md explains
them. Reading is lenient, writing is canonical, and what cannot be read is a Fault, never an exception.
"""

from notation.phrasebook import Phrasebook

__all__ = ["Phrasebook"]
