"""Statements: what the post says, signed, about a draw while the seed is sealed still.

A referee may ask whether a draw follows from the seed that was committed to. The post draws again and answers yes or
no; nobody can look over its shoulder. But when the game is over the seed is opened, and a post that said something else
than the truth has signed it.
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
    """How often the table had gone back, and how many moves were made, and the chain of them."""
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
    """A statement as it was found, and the slip that it was found on."""

    statement: Statement
    envelope: SignedNote


def sign_statement(statement: Statement, signer: Signer) -> tuple[str, ...]:
    """The lines of a statement, signature and all."""
    return sign_note(statement.lines(), signer)


def read_statements(lines: Iterable[str]) -> Iterator[FoundStatement | None]:
    """The statements among some lines; None for one that is broken."""
    for envelope in read_notes(lines, FORM):
        if envelope is None:
            yield None
            continue
        values = envelope.values
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
        yield FoundStatement(statement, envelope) if tuple(statement.lines()) == envelope.lines else None
