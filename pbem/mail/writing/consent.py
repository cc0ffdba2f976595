"""What is asked at the table, and how to answer it."""

from collections.abc import Iterator

from pbem.mail.writing.blocks import Block, Heading, Lines, Links, Paragraph
from pbem.mail.writing.page import Pen
from pbem.tables.table import Vote
from pbem.tables.votes import quorum


def questions(pen: Pen) -> Iterator[Block]:
    """What others have asked and the reader has not answered, and what the reader has asked them."""
    votes = open_votes(pen)
    if votes:
        yield Heading(pen.say("title_asked"))
    for vote in votes:
        yield Lines((say_request(pen, vote),))
        yield from _own_request(pen, vote) if vote.by == pen.seat else _request(pen, vote)


def open_votes(pen: Pen) -> list[Vote]:
    """Those on which the reader has something to say: his own, and those that he has not answered."""
    votes = pen.table.votes.values() if pen.seat in pen.table.active else ()
    return [vote for vote in votes if vote.by == pen.seat or pen.seat not in vote.agreed | vote.against]


def say_request(pen: Pen, vote: Vote) -> str:
    """Who asks for what."""
    return pen.say("told_asked", pen.teller.who(vote.by), vote.what, vote.turn)


def _request(pen: Pen, vote: Vote) -> Iterator[Block]:
    """How the reader answers what somebody has asked."""
    yield Paragraph(pen.say("consent", vote.what))
    about = pen.say("subject", vote.what)
    yield Links(
        (
            pen.link(pen.say("link_agree", about), f"agree {vote.what}"),
            pen.link(pen.say("link_object", about), f"object {vote.what}"),
        )
    )


def _own_request(pen: Pen, vote: Vote) -> Iterator[Block]:
    """Who has still to agree to what the reader has asked, and how it is taken back."""
    silent = [seat for seat in pen.table.active if seat not in vote.agreed | vote.against]
    missing = quorum(pen.table, vote.what) - len(vote.agreed & {*pen.table.active})
    who = pen.teller.all_of(silent)
    yield Paragraph(pen.say("all_agree", who) if missing >= len(silent) else pen.say("some_agree", missing, who))
    yield Paragraph(pen.say("take_request_back", vote.what))
    about = pen.say("subject", vote.what)
    yield Links((pen.link(pen.say("link_take_request_back", about), f"object {vote.what}"),), button=False)
