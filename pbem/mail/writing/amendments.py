"""What a ruling changes in the record, line by line: a diff that everybody gets, made for one reader."""

from collections.abc import Iterable, Iterator

from engine.game import PUBLIC
from pbem.events.chain import Event
from pbem.judging.amending import amendments
from pbem.judging.entries import tell_record
from pbem.mail.writing.blocks import Block, Fixed, Heading
from pbem.mail.writing.page import Pen


def amended(pen: Pen, events: Iterable[Event]) -> Iterator[Block]:
    """The diff of the record by the rulings among some events."""
    reasons = {(event.data["case"], event.at, event.data["reason"]) for event in events if event.kind == "ruled"}
    decrees = [
        decree
        for case in pen.table.cases
        for decree in case.decrees
        if (case.number, decree.at, decree.reason) in reasons and decree.first < decree.last
    ]
    if not decrees:
        return
    record = tell_record(pen.table.record, pen.seat if pen.seat in pen.table.seats else PUBLIC)
    yield Heading(pen.say("title_amended"))
    yield Fixed(tuple(line for decree in decrees for line in amendments(record, decree.first, decree.last)))
