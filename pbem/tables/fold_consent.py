"""Folding what needs consent: votes that are asked, answered and dropped, and what they bring about besides moves.

A vote ends when what was asked for happens, whoever made it happen; each kind of event that does so says it here.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pbem.events.kinds import VoteAgreed, VoteAsked, VoteDropped, VoteObjected
from pbem.events.post_kinds import MissExcused, TermChanged
from pbem.tables.table import Table, Vote
from pbem.tables.terms import with_term

EXCUSE: Final = "excuse"
"""What a player asks for who has missed an answer."""


def ask_vote(table: Table, event: VoteAsked, at: str) -> Table:
    """A seat asked for something, and agrees to it itself."""
    vote = Vote(event.what, event.by, event.turn, at, agreed=frozenset({event.by}))
    return replace(table, votes={**table.votes, vote.what: vote})


def count_yes(table: Table, event: VoteAgreed, at: str) -> Table:
    """A seat agreed."""
    vote = table.votes[event.what]
    changed = replace(vote, agreed=vote.agreed | {event.by}, against=vote.against - {event.by})
    return replace(table, votes={**table.votes, vote.what: changed})


def count_no(table: Table, event: VoteObjected, at: str) -> Table:
    """A seat objected."""
    vote = table.votes[event.what]
    changed = replace(vote, against=vote.against | {event.by}, agreed=vote.agreed - {event.by})
    return replace(table, votes={**table.votes, vote.what: changed})


def drop_vote(table: Table, event: VoteDropped, at: str) -> Table:
    """A vote ended without being carried."""
    return without_vote(table, event.what)


def excuse_miss(table: Table, event: MissExcused, at: str) -> Table:
    """An answer that was missed is excused; so nobody need be asked about it any more."""
    vote = table.votes.get(EXCUSE)
    return without_vote(table, EXCUSE) if vote is not None and vote.by == event.seat else table


def change_term(table: Table, event: TermChanged, at: str) -> Table:
    """A term is another from now on; a term that this version does not know stays as it is."""
    changed = with_term(table.terms, event.term, event.new)
    noted = table if changed is None else replace(table, terms=changed)
    return without_vote(noted, f"{event.term} {event.new}")


def without_vote(table: Table, what: str) -> Table:
    """The table without a vote about something."""
    votes = votes_without(table, what)
    return table if votes is table.votes else replace(table, votes=votes)


def votes_without(table: Table, what: str) -> Mapping[str, Vote]:
    """The votes of a table but the one about something; the very same value if there is none."""
    votes = table.votes
    return {name: vote for name, vote in votes.items() if name != what} if what in votes else votes
