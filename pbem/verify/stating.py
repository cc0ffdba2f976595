"""A record against what the post has stated about its draws while the seed was sealed."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from pbem.events.moves import after, first_link
from pbem.proof.statements import Stated, Statement, read_statements
from pbem.verify.check_mails import Key
from pbem.verify.finding import STATEMENT, Finding
from pbem.verify.read_proof import Testimony

Found: TypeAlias = list[Stated | None]
"""The statements in a text; None for each that is broken."""
Place: TypeAlias = tuple[int, int, str]


def find_statements(text: str) -> Found:
    """The statements in a text, such as the page about a case or a mail."""
    return list(read_statements(line.strip().removeprefix("| ").strip() for line in text.splitlines()))


def judge_statements(testimony: Testimony, stated: Iterable[Stated | None], key: Key | None) -> Iterator[Finding]:
    """Everything in which a record whose draws were found good and some statements contradict each other.

    A statement that a draw follows is borne out by any such record; if it is not, its draws are what is found wrong.
    """
    game, places = testimony.told[0].event.game, list(_places(testimony))
    for each in stated:
        if each is None:
            yield Finding(STATEMENT, 1, "a statement is broken")
        elif each.statement.game == game:
            if key is None or not each.slip.is_signed_by(key.public):
                says = f"the statement about event {each.statement.event[0]} is not signed with {key or 'a known key'}"
                yield Finding(STATEMENT, 1, says)
            else:
                yield from _judge(testimony, each.statement, places)


def _judge(testimony: Testimony, statement: Statement, places: list[Place]) -> Iterator[Finding]:
    seq, head = statement.event
    told = testimony.told[seq - 1] if 1 <= seq <= len(testimony.told) else None
    if told is None or told.event.hash != head:
        line = told.line if told is not None else testimony.last_line
        yield Finding(STATEMENT, line, f"the post made a statement about another event {seq}: there were two histories")
        return
    if seq <= testimony.taken_in:
        says = f"the post made a statement about event {seq}, which was taken in: no seed of its own speaks for that"
        yield Finding(STATEMENT, told.line, says)
        return
    if statement.seed != testimony.told[0].event.data["proof"].get("seed"):
        yield Finding(STATEMENT, told.line, f"the statement about event {seq} is about another seed")
    if statement.place != places[seq - 1]:
        yield Finding(STATEMENT, told.line, f"the statement about event {seq} binds it to another place")
    if not statement.follows:
        says = "and it does" if testimony.closing.seed else "and has not opened it yet"
        yield Finding(STATEMENT, told.line, f"the post stated that event {seq} does not follow from the seed, {says}")


def _places(testimony: Testimony) -> Iterator[Place]:
    """For every event, how often the table had gone back before it, and the chain of moves."""
    moves, epoch = first_link(testimony.told[0].event.game), 0
    for told in testimony.told:
        yield epoch, moves.length, moves.head
        moves = after(moves, told.event.kind, told.event.data)
        epoch += told.event.kind == "undone"
