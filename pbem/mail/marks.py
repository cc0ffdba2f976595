"""Signs in our mails that the intake knows again, so that an answer can be read without guessing."""

from typing import Final

ABOVE: Final = "##- caravan-post -##"
"""Stands at the top of every mail: an answer is written above it, and nothing below it is read."""
FENCE: Final = ("--- orders ---", "--- end ---")
"""Between these two lines stand all orders of a letter, if a player writes them."""
OWN: Final = "X-Loop"
"""The header in which our mails carry our address, so that none is ever answered."""
