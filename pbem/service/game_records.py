"""Reading the record of a table, and making a table from a record."""

from collections.abc import Sequence

from engine.game import GameRules, Seat
from notation import WORDS, Record, write_moves
from notation.phrasebook import hides
from pbem.judging.entries import fill_in_numbers
from pbem.judging.record_replay import replay_record
from pbem.service.invitations import player_problem, table_name_problem
from pbem.tables.fold import fold
from pbem.workflow.context import PostContext
from pbem.workflow.history import read_events
from pbem.workflow.import_record import TooLongError, import_game
from pbem.workflow.new_tables import terms_of
from pbem.workflow.open_game import Guest
from pbem.workflow.record_proof import record_with_proof


def read_record(context: PostContext, table: str) -> Record | None:
    """The record of a table, from its events; None if there is no such table."""
    with context.store.reading() as transaction:
        events = read_events(transaction, table)
    return fold(events).record if events else None


def read_proof(context: PostContext, table: str, viewer: Seat | None) -> Record | None:
    """The record of a table with its proof, as a viewer may see it (all of it for None); None if there is no table."""
    with context.store.reading() as transaction:
        row = transaction.find_game(table)
        events = read_events(transaction, table)
    return record_with_proof(context, row, events, viewer) if row is not None else None


def import_record(context: PostContext, record: Record, guests: Sequence[Guest], *, table: str | None) -> str:
    """Make a table from a record that was judged legal; why it cannot be made, or an empty string."""
    name, game = table or record.header("Id") or "", record.game
    if game is None:
        return "the record names no game that is known here"
    with context.store.reading() as transaction:
        if transaction.find_game(name) is not None:
            return f"there is a table {name} already; another name can be given"
    if (why := table_name_problem(context, name, game)) is not None:
        return why
    if (why := player_problem(context, [guest.address for guest in guests])) is not None:
        return why
    seats = {guest.seat for guest in guests}
    if len(seats) < len(guests):
        return "two people cannot sit in one seat"
    if strangers := [seat for seat in seats if seat not in record.seats]:
        return f"nobody sits at {strangers[0]} in the record; its seats are {', '.join(record.seats)}"
    if record.setup.pose:
        return "the record begins with a stated position, and a table is played from the start"
    record = fill_in_numbers(record)
    if (veiled := _first_hidden(record, game)) is not None:
        return (
            f"turn {veiled} hides something, and a game can be played on only with its hidden values; "
            "`pbem record ID --secrets` writes them, at the post that it comes from"
        )
    # The rules may have ended a game whose record does not say so.
    if not replay_record(record).finished and (missing := [seat for seat in record.seats if seat not in seats]):
        return f"the game is not over: say who plays {', '.join(missing)}, with name and address"
    try:
        import_game(context, name, record, guests, terms=terms_of(context.settings.time))
    except TooLongError:
        return (
            "with its proof the record would be too long to be read again; shorten its headers, or what is said in it"
        )
    return ""


def _first_hidden(record: Record, game: GameRules) -> int | None:
    """The first turn with hidden values, as in a record for the public or for one seat; None if there is none."""
    for entry in record.entries:
        if entry.who not in WORDS and hides(write_moves(game, entry.moves)):
            return entry.number
    return None
