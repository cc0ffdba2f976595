"""The record of a game with its proof, as one reader may see it. What is hidden from the reader stays sealed."""

from engine.game import PUBLIC, Seat
from engine.verdict import Verdict
from notation import Fault, Record, read_moves, read_text, write_record
from pbem.events.annotations import ENTRIES, Closing, signed_head, write_proof
from pbem.events.chain import Event, epochs_before, phrase_of
from pbem.judging.entry_checks import digest
from pbem.judging.record_replay import replay_record
from pbem.proof.draws import Opening
from pbem.store.rows import GameRow
from pbem.tables.fold import fold
from pbem.tables.replay_draws import replay_all_draws
from pbem.tables.table import CALLED_OFF, OVER, Table
from pbem.workflow.context import PostContext

EVERYTHING = None
"""The reader of a backup: nothing is hidden."""


def record_with_proof(
    context: PostContext, row: GameRow, events: tuple[Event, ...], reader: Seat | None = PUBLIC
) -> Record:
    """The record with its proof, as `reader` may see it. Once the game is over, all secrets are in it."""
    table = fold(events)
    over = table.stage in (OVER, CALLED_OFF)
    viewer = EVERYTHING if over else reader
    sealer = context.sealer(row.id, row.blind)

    def is_open(event: Event) -> bool:
        return event.sealed is None or viewer is EVERYTHING or viewer in event.sealed.readers

    epochs = list(epochs_before(events)) if table.is_second_form else None

    def openings(event: Event) -> tuple[Opening, ...]:
        # Who prepared a move is opened when the game is over, and to nobody before.
        hidden = event.sealed.fields if event.sealed is not None and is_open(event) else ()
        epoch = None if epochs is None else epochs[event.seq - 1]
        return tuple(sealer.open(event.seq, *field, epoch) for field in (event.fields if over else hidden))

    told = _visible_events(table, events, viewer)
    whole = all(map(is_open, events))
    closing = _closing(context, row, table, over=over)
    drawn = replay_all_draws(events, row.seed, taken_in=table.taken_in) if over else None
    states = _states(told) if whole else ()
    return write_proof(told, events, closing, openings=openings, states=states, drawn=drawn)


def record_text(context: PostContext, row: GameRow, events: tuple[Event, ...], reader: Seat | None = PUBLIC) -> str:
    """The same as text."""
    return write_record(record_with_proof(context, row, events, reader))


def seal_text(events: tuple[Event, ...]) -> str:
    """The text of the record with all events and nothing opened. This needs no key."""
    table = fold(events)
    closing = Closing(table.seq, table.head)
    return write_record(write_proof(table.record, events, closing, openings=lambda _: ()))


def can_be_read(text: str) -> bool:
    """Whether the text of a record can be parsed again. We never give out one that cannot."""
    return [reading.record is not None for reading in read_text(text)] == [True]


def _visible_events(table: Table, events: tuple[Event, ...], viewer: Seat | None) -> Record:
    """The record without proof, as a viewer may see it."""
    record = table.record
    entries = list(record.entries)
    happened = [event for event in events if isinstance(event.payload, ENTRIES)]
    for place, event in enumerate(happened):
        if event.sealed is not None:
            moves = read_moves(table.game, phrase_of(event, viewer))
            if isinstance(moves, Fault):
                raise ValueError(f"event {event.seq} of {event.game} cannot be read: {phrase_of(event, '')}")
            entries[place] = entries[place]._replace(moves=moves)
    return Record(record.headers, tuple(entries))


def _states(record: Record) -> list[str]:
    """The digest of the state after every entry. Empty if the game never began or breaks a rule."""
    game, found = record.game, list[str]()
    if game is None or isinstance(game.start(record.setup), Verdict):
        return found
    replayed = replay_record(record, watch=lambda entry, turn, position: found.append(digest(game, position)))
    return found if replayed.refusal is None else []


def _closing(context: PostContext, row: GameRow, table: Table, *, over: bool) -> Closing:
    closing = Closing(table.seq, table.head)
    if over:
        closing = closing._replace(seed=row.seed.hex(), blind=row.blind.hex())
    if (signer := context.signer_for(table)) is not None:
        signature = signer.sign(signed_head(signer.name, table.id, table.seq, table.head))
        closing = closing._replace(signed=(signer.name, signer.public.hex(), signature.hex()))
    return closing
