"""Statements: what the post signs about a draw while the seed is still secret.

A referee may ask whether a draw follows from the committed seed. The post replays the draw and answers yes or no, which
nobody can check yet. When the game is over the seed is opened, and a false statement carries the post's signature.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from pbem.proof.signatures import SignedNote, Signer, read_event, read_notes, sign_note

FORM: Final = "pbm-statement-1"
_WORDS: Final = {True: "yes", False: "no"}


class Statement(NamedTuple):
    """Whether what an event drew follows from the committed seed."""

    post: str
    game: str
    event: tuple[int, str]
    """Its number and its hash."""
    seed: str
    """The commitment to the seed."""
    place: tuple[int, int, str]
    """How often the table had gone back, how many moves were made, and the hash of the chain of moves."""
    follows: bool
    key: str

    def lines(self) -> list[str]:
        """What is signed, line by line."""
        return [
            FORM,
            f"post {self.post}",
            f"game {self.game}",
            f"event {self.event[0]} {self.event[1]}",
            f"seed {self.seed}",
            "place {} {} {}".format(*self.place),
            f"follows {_WORDS[self.follows]}",
            f"key {self.key}",
        ]


class FoundStatement(NamedTuple):
    """A statement that was read, and the signed note it stood in."""

    statement: Statement
    note: SignedNote


def sign_statement(statement: Statement, signer: Signer) -> tuple[str, ...]:
    """The lines of a statement with its signature."""
    return sign_note(statement.lines(), signer)


def read_statements(lines: Iterable[str]) -> Iterator[FoundStatement | None]:
    """The statements among some lines; None for a malformed one."""
    for note in read_notes(lines, FORM):
        if note is None:
            yield None
            continue
        values = note.values
        try:
            epoch, plies, moves = values["place"].split(" ")
            statement = Statement(
                post=values["post"],
                game=values["game"],
                event=read_event(values["event"]),
                seed=values["seed"],
                place=(int(epoch), int(plies), moves),
                follows=values["follows"] == _WORDS[True],
                key=values["key"],
            )
        except (KeyError, ValueError):
            yield None
            continue
        yield FoundStatement(statement, note) if tuple(statement.lines()) == note.lines else None
