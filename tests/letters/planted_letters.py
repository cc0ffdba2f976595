"""The letters of this folder, each with what its writer wrote himself, and the post that they are answers to.

`words` are a letter's own words, to the letter. `moves` is the move planted in it; None where there is none to be
found, so that the player must be asked.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from pbem.mail.reply_address import PostIdentity

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Planted:
    """A letter in a file, and what its writer wrote himself."""

    name: str
    words: str
    moves: str | None

    @property
    def raw(self) -> bytes:
        """The mail as it came."""
        return (HERE / f"{self.name}.eml").read_bytes()


_INDEX = json.loads((HERE / "letters.json").read_text("utf-8"))

PLANTED = [Planted(name, said["words"], said["moves"]) for name, said in _INDEX["letters"].items()]
POST = PostIdentity(_INDEX["address"], authserv_id="mail.example.org", ticket_key=_INDEX["key"].encode())
