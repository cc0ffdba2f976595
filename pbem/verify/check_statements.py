"""Checks a record against signed statements of the post about its draws."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from pbem.events.chain import extend_move_chain, start_move_chain
from pbem.proof.statements import FoundStatement, Statement, read_statements
from pbem.verify.finding import STATEMENT, Finding
from pbem.verify.forks import fork_before
from pbem.verify.post_keys import PostKeys
from pbem.verify.read_proof import RecordProof

Found: TypeAlias = list[FoundStatement | None]
"""The statements in a text; None for each that is malformed."""
Place: TypeAlias = tuple[int, int, str]


def find_statements(text: str) -> Found:
    """The statements in a text, such as the page about a case or a mail."""
    return list(read_statements(line.strip().removeprefix("| ").strip() for line in text.splitlines()))


def check_statements(proof: RecordProof, stated: Iterable[FoundStatement | None], keys: PostKeys) -> Iterator[Finding]:
    """Everything in which a record whose draws were found good and some statements contradict each other.

    A statement that a draw follows from the seed agrees with any such record; a false one shows as a wrong draw.
    """
    game, places = proof.recorded[0].event.game, list(_places(proof))
    for each in stated:
        if each is None:
            yield Finding(STATEMENT, 1, "a statement is broken")
        elif each.statement.game == game:
            lost = fork_before(proof, *each.statement.event) is not None
            possible = keys.all if lost else keys.since(each.statement.event[0])
            if not any(each.note.is_signed_by(key.public) for key in possible):
                key = possible[0] if possible else "a known key"
                says = f"the statement about event {each.statement.event[0]} is not signed with {key}"
                yield Finding(STATEMENT, 1, says)
            elif not lost:
                yield from _check_statement(proof, each.statement, places)


def _check_statement(proof: RecordProof, statement: Statement, places: list[Place]) -> Iterator[Finding]:
    seq, head = statement.event
    recorded = proof.recorded[seq - 1] if 1 <= seq <= len(proof.recorded) else None
    if recorded is None or recorded.event.hash != head:
        line = recorded.line if recorded is not None else proof.last_line
        yield Finding(STATEMENT, line, f"the post made a statement about another event {seq}: there were two histories")
        return
    if seq <= proof.taken_in:
        says = f"the post made a statement about event {seq}, which was taken in: no seed of its own speaks for that"
        yield Finding(STATEMENT, recorded.line, says)
        return
    if statement.seed != proof.opened.promised.get("seed"):
        yield Finding(STATEMENT, recorded.line, f"the statement about event {seq} is about another seed")
    if statement.place != places[seq - 1]:
        yield Finding(STATEMENT, recorded.line, f"the statement about event {seq} binds it to another place")
    if not statement.follows:
        says = "and it does" if proof.closing.seed else "and has not opened it yet"
        yield Finding(
            STATEMENT, recorded.line, f"the post stated that event {seq} does not follow from the seed, {says}"
        )


def remarks_on_statements(proof: RecordProof, stated: Iterable[FoundStatement | None]) -> Iterator[str]:
    """Statements about events that a restore has lost."""
    for each in stated:
        if each is not None and each.statement.game == proof.recorded[0].event.game:
            fork = fork_before(proof, *each.statement.event)
            if fork is not None:
                seq = each.statement.event[0]
                yield f"the statement about event {seq} is of a history that was lost; it parts from this one at {fork}"


def _places(proof: RecordProof) -> Iterator[Place]:
    """The place before every event: how often the table had gone back, and the chain of moves."""
    moves = start_move_chain(proof.recorded[0].event.game)
    for recorded, epoch in zip(proof.recorded, proof.epochs, strict=True):
        yield epoch, moves.length, moves.head
        moves = extend_move_chain(moves, recorded.event.payload)
