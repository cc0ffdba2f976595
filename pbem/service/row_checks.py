"""What `pbem doctor` reads again in the database: every row that something depends on, and how rows fit together.

SQLite finds pages that were damaged. It cannot know what a row should say: that a clock can be read, that a mail's
bytes are the ones that were queued, that a receipt is for its letter, that the log of all games is complete.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final
from zoneinfo import ZoneInfo

from pbem.clock.clock import decode_clock
from pbem.clock.time_control import control_from_terms
from pbem.events.chain import Event
from pbem.events.kinds import MovesMade
from pbem.locale.languages import LANGUAGE_CODES
from pbem.proof.public_log import Tree, format_root, read_tree
from pbem.proof.receipts import read_receipts
from pbem.service.invitations import double_roles
from pbem.store.errors import StoreDamagedError
from pbem.store.store import CHECKPOINT, Transaction
from pbem.tables.standing_orders import StandingOrder
from pbem.tables.table import INVITING, PLAYING, Table
from pbem.workflow.history import TREE, last_checkpoint
from pbem.workflow.people import apply_wishes, is_address_of
from pbem.workflow.session import describe_standing

_UNREADABLE: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, StoreDamagedError)
"""What reading a row raises that we did not write."""


def check_rows(transaction: Transaction) -> Iterator[str]:
    """Everything that is wrong with rows that belong to no game alone."""
    yield from _check_mails(transaction)
    yield from _check_receipts(transaction)
    yield from _check_log(transaction)


def check_game_rows(transaction: Transaction, table: Table, events: Sequence[Event]) -> Iterator[str]:
    """Everything that is wrong with what is kept beside the events of a game."""
    row = transaction.find_game(table.id)
    problems: list[tuple[str, Callable[[], str]]] = [
        ("its stage", lambda: "" if row is not None and row.stage == table.stage else "is not what its events say"),
        ("what `pbem status` tells of it", lambda: _check_standing(transaction, table)),
        ("its clock", lambda: _check_clock(transaction, table)),
        ("its seats", lambda: _check_seats(transaction, table)),
        ("a seat", lambda: _check_people(transaction, table)),
        ("a plan", lambda: _check_plans(transaction, table)),
        ("the list of its turns", lambda: _check_plies(transaction, table, events)),
    ]
    for what, look in problems:
        try:
            why = look()
        except _UNREADABLE:
            why = "cannot be read"
        if why:
            yield f"{table.id}: {what} {why}"


def note_double_roles(transaction: Transaction, tables: Sequence[Table], referee: str | None) -> Iterator[str]:
    """Who holds two roles at a table that is being played or prepared."""
    for table in tables:
        if table.stage in (INVITING, PLAYING):
            yield from (f"{table.id}: {each}" for each in double_roles(transaction.find_seats(table.id), referee))


def _check_clock(transaction: Transaction, table: Table) -> str:
    kept = transaction.load_clock(table.id)
    if kept is None:
        return "is missing" if table.stage == PLAYING else ""
    zones = {person.seat: ZoneInfo(person.zone) for person in transaction.find_seats(table.id)}
    clock = decode_clock(kept, control_from_terms(table.terms), zones)
    strangers = [seat for seat in clock.due if seat not in (*table.seats, "*")]
    return f"runs for {strangers[0]}, and nobody sits there" if strangers else ""


def _check_standing(transaction: Transaction, table: Table) -> str:
    kept, known = transaction.find_standing(table.id), describe_standing(table)
    if kept is None or not kept.more:
        return ""  # it is worked out from the events
    said, true = replace(kept, due=dict.fromkeys(kept.due)), replace(known, stage=kept.stage)
    if json.loads(said.more) == json.loads(true.more):
        said = replace(said, more=true.more)
    return "" if said == true else "is not what its events say"


def _check_seats(transaction: Transaction, table: Table) -> str:
    people = {person.seat: person for person in transaction.find_seats(table.id)}
    if gone := [seat for seat in table.seats if seat not in people and table.stage in (INVITING, PLAYING)]:
        return f"have nobody at {gone[0]}: no mail goes there and no letter is taken"
    for seat, person in people.items():
        ZoneInfo(person.zone)
        if person.language not in LANGUAGE_CODES:
            return f"have a language at {seat} that nobody can have chosen"
    for seat in transaction.unrecognised(table.id):
        return f"have an address at {seat} by which no letter is recognised"
    return ""


def _check_plans(transaction: Transaction, table: Table) -> str:
    for seat in table.seats:
        kept = transaction.load_plan(table.id, seat) or {}
        for order in kept.get("standing", ()):
            StandingOrder(*order)
        if any(not isinstance(phrase, str) for phrase in kept.get("phrases", ())):
            return "cannot be read"
        if kept.get("rolls by hand", True) is not True:
            return "cannot be read"
    return "" if {*transaction.seats_with_plans(table.id)} <= {*table.seats} else "is for a seat that is not there"


def _check_people(transaction: Transaction, table: Table) -> str:
    """Seats of games that go on agree with their people: an address of theirs, and what they wish there."""
    for seat in transaction.find_seats(table.id) if table.stage in (INVITING, PLAYING) else ():
        person = transaction.find_person(seat.person) if seat.person else None
        if not seat.person or (person is not None and person.state == "forgotten" and not seat.address):
            continue
        if person is None:
            return f"{seat.seat} belongs to a person who is not there"
        if not is_address_of(transaction, replace(seat, address=""), seat.address, confirmed=False):
            return f"{seat.seat} has an address that is not its person's"
        if apply_wishes(transaction, seat) != seat:
            return f"{seat.seat} is not as its person wishes"
    return ""


def _check_plies(transaction: Transaction, table: Table, events: Sequence[Event]) -> str:
    made = {
        (event.seq, event.payload.seat, event.payload.turn, event.payload.phrase)
        for event in events
        if isinstance(event.payload, MovesMade)
    }
    kept = {(ply.event_seq, ply.seat, ply.turn, ply.canonical) for ply in transaction.plies_of(table.id)}
    if different := sorted(made ^ kept, key=str):
        return f"is not what its events say: see event {different[0][0]}"
    return ""


def _check_mails(transaction: Transaction) -> Iterator[str]:
    known = {game.id: {person.seat for person in transaction.find_seats(game.id)} for game in transaction.games()}
    for number in transaction.mail_numbers():
        try:
            mail = transaction.find_mail(number)
        except _UNREADABLE:
            yield f"mail {number} cannot be read, so it cannot be sent; `pbem send` would fail"
            continue
        if mail is None:
            continue
        head = mail.raw.partition(b"\r\n\r\n")[0]
        if mail.raw and not (mail.message_id.encode() in head and mail.recipient.encode() in head):
            yield f"mail {number} is not the one that was written: its bytes were changed"
        elif mail.seat is not None and mail.seat not in known.get(mail.game or "", ()):
            yield f"mail {number} is for a seat that no game has"
    if wrong := transaction.altered_pictures():
        yield f"what {len(wrong)} mails share was changed: their pictures are not the ones that were drawn"


def _check_receipts(transaction: Transaction) -> Iterator[str]:
    digests = transaction.letter_digests()
    for receipt in transaction.receipts():
        if not receipt.text:
            continue  # the post did not sign then
        found = next(read_receipts(receipt.text.splitlines()), None)
        if found is None or found.receipt.letter != digests.get(receipt.inbox_id):
            yield f"the receipt for letter {receipt.inbox_id} is not the one that was signed"


def _check_log(transaction: Transaction) -> Iterator[str]:
    lines = transaction.log_lines()
    tree = Tree()
    for line in lines:
        tree = tree.grow(line.encode())
    try:
        kept = read_tree(transaction.load_setting(TREE) or "")
    except _UNREADABLE:
        yield "the log of all games cannot be continued: what is kept of it is damaged"
        return
    if tree != kept:
        yield "the log of all games is not the one that was signed: a line was changed or is gone"
    last = last_checkpoint(transaction)
    if last is None and transaction.load_setting(CHECKPOINT):
        yield "the last checkpoint of the log cannot be read"
    elif last is not None and last.root != format_root(tree.root):
        yield "the last checkpoint is not of this log of all games"
