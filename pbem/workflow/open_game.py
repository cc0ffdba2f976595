"""A new game: its first event, its players, and their invitations.

The game starts when the last player accepts. Nothing is drawn before that.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine import registry
from engine.game import Seat
from pbem.events.chain import ORIGIN, Draft, append_event
from pbem.events.kinds import SEATED, GameOpened
from pbem.events.payload import SECOND_FORM
from pbem.events.told import sealing
from pbem.mail.commands.preferences import DAILY, USUAL_HOUR, WANTED
from pbem.mail.reading import parse_address
from pbem.proof.draws import SECRET, commit_blind_key, commit_seed
from pbem.proof.signatures import Signer
from pbem.store.rows import GameRow, SeatRow
from pbem.store.store import Transaction
from pbem.store.timestamps import format_timestamp
from pbem.tables.decision import Refused
from pbem.tables.referee_decisions import open_table as first_event
from pbem.tables.table import INVITING, LEVEL, UNDO_RULE
from pbem.workflow import announce, history
from pbem.workflow.context import PostContext, row_from_event
from pbem.workflow.people import apply_wishes, meet_person
from pbem.workflow.session import GameSession

SEED: Final = "seed"
BEACON: Final = "beacon"


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody to be invited."""

    seat: Seat
    name: str
    address: str
    language: str = "en"
    zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class Invitation:
    """A game to be opened, with its players and terms."""

    table: str
    game: str
    guests: Sequence[Guest]
    options: Mapping[str, str] = field(default_factory=dict)
    terms: Mapping[str, Any] = field(default_factory=dict)
    dice: str = SEED
    """Where draws come from besides the acceptances: the SEED alone, or the public BEACON too."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """What the record says besides: the event, the round, the day."""
    drawn: Sequence[Seat] = ()
    """The seats whose players were drawn among each other."""


def open_table(context: PostContext, wanted: Invitation, *, seed: bytes | None = None) -> Refused | None:
    """Open a table and invite everybody. If the game cannot be played so, returns why, and nothing has happened."""
    with context.store.transaction() as transaction:
        session = open_quietly(context, transaction, wanted, seed=seed)
        if isinstance(session, Refused):
            return session
        announce.send_invitations(session)
        session.save()
    return None


def open_quietly(
    context: PostContext,
    transaction: Transaction,
    wanted: Invitation,
    *,
    seed: bytes | None = None,
    blind: bytes | None = None,
) -> GameSession | Refused:
    """Open a table and tell nobody. If the game cannot be played so, returns why, and nothing has happened."""
    game = registry.find_game(wanted.game)
    if game is None:
        raise LookupError(f"there is no game {wanted.game}")
    names = {guest.seat: guest.name for guest in wanted.guests}
    draft = first_event(game, names=names, options=wanted.options, terms=wanted.terms, headers=wanted.headers)
    if isinstance(draft, Refused):
        return draft
    row = new_game(context, wanted.table, seed, blind)
    bound: dict[str, object] = {"level": LEVEL, "beacon": context.beacon.name} if wanted.dice == BEACON else {}
    if wanted.drawn:
        bound[SEATED] = [*wanted.drawn]
    transaction.add_game(row)
    opened = add_commitments(draft, row, context.signer, more=bound, people=new_people(context, names))
    append_first(context, transaction, row, opened)
    for guest in wanted.guests:
        address = parse_address(guest.address) or guest.address
        transaction.save_seat(new_seat(context, transaction, wanted.table, replace(guest, address=address)))
    session = GameSession(context, transaction, row)
    history.log_opened(context, transaction, session.table)
    return session


def new_seat(context: PostContext, transaction: Transaction, table: str, guest: Guest) -> SeatRow:
    """The row of somebody who comes to a seat: with what the person wishes, if we know each other already."""
    chosen = context.settings.post.notices
    notices = {WANTED: "turn", DAILY: f"{DAILY} {USUAL_HOUR}"}.get(chosen, chosen)
    begins = {"language": guest.language, "zone": guest.zone, "notices": notices}
    person = meet_person(context, transaction, name=guest.name, address=guest.address, wishes=begins)
    address = transaction.addresses_of(person.id)[0].address  # where the person gets mail, however it was typed
    return apply_wishes(transaction, SeatRow(table, guest.seat, address, guest.name, person=person.id))


def new_game(context: PostContext, table: str, seed: bytes | None = None, blind: bytes | None = None) -> GameRow:
    """The row of a new game, with fresh secrets unless they were drawn before."""
    fresh = (seed or secrets.token_bytes(SECRET), context.now(), 0, ORIGIN, blind or secrets.token_bytes(SECRET))
    return GameRow(table, INVITING, *fresh)


def new_people(context: PostContext, seats: Iterable[Seat]) -> dict[Seat, str]:
    """A fresh id for whoever sits at each seat: it says nothing about the person, and is used for this table only."""
    return {seat: context.new_id() for seat in seats}


def append_first(context: PostContext, transaction: Transaction, row: GameRow, opened: Draft) -> None:
    """Store the first event of a game, with its names sealed."""
    seal = sealing(row.id, context.random_bytes)
    first = append_event(row.id, 0, ORIGIN, opened, format_timestamp(context.now()), seal=seal)
    transaction.append_event(row_from_event(first, None))


def add_commitments(
    opened: Draft,
    row: GameRow,
    signer: Signer | None,
    *,
    terms: Mapping[str, Any] | None = None,
    more: Mapping[str, object] | None = None,
    people: Mapping[Seat, str] | None = None,
) -> Draft:
    """The first event of a game with commitments to its secrets and the key that signs its record.

    `terms` replace those of the event; `more` is added to the proof. With the ids of its `people` the game has the
    second form of proof, as every new game has.
    """
    first = opened.payload
    if not isinstance(first, GameOpened):
        raise TypeError("only the first event of a game promises anything")
    proof: dict[str, object] = {
        "level": 1,
        "seed": commit_seed(row.id, row.seed),
        "blind": commit_blind_key(row.id, row.blind),
        **({"form": SECOND_FORM, "undo": UNDO_RULE} if people is not None else {}),
        **(more or {}),
    }
    if signer is not None:
        proof["key"] = signer.public.hex()
    terms = first.terms if terms is None else dict(terms)
    return Draft(replace(first, terms=terms, proof=proof, people=people))
