"""Tables that wait for players. When all places are taken, the game begins; until then nothing is in a chain."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from engine import registry
from engine.game import GameRules, Seat
from pbem.events.kinds import FEWEST_DRAWN
from pbem.mail.commands.command import CommandContext, decide
from pbem.mail.commands.invitation import AcceptInvitation, digest_entropy
from pbem.proof.draws import SECRET, seat_lot
from pbem.proof.receipts import mark_letter
from pbem.store.rows import NoticeRow, PersonRow, PlaceRow
from pbem.store.store import Transaction
from pbem.tables.decision import Refused
from pbem.workflow import announce
from pbem.workflow.context import PostContext
from pbem.workflow.follow_up import run_follow_ups
from pbem.workflow.front_desk import Desk
from pbem.workflow.new_tables import name_table
from pbem.workflow.open_game import Guest, Invitation, open_quietly
from pbem.workflow.open_seats import BLOCKS
from pbem.workflow.session import GameSession

REMINDED: Final = timedelta(days=21)
"""After so long the opener of a table that nobody has filled is asked what should become of it."""


@dataclass(frozen=True, slots=True)
class Gathering:
    """A table that waits for players, and its places."""

    notice: NoticeRow
    places: tuple[PlaceRow, ...]

    @property
    def game(self) -> GameRules:
        """What will be played."""
        found = registry.find_game(self.notice.game)
        if found is None:
            raise LookupError(self.notice.game)
        return found

    @property
    def taken(self) -> tuple[PlaceRow, ...]:
        """The places that somebody has taken."""
        return tuple(place for place in self.places if place.state == "taken")

    @property
    def missing(self) -> int:
        """How many players it still needs before it begins by itself."""
        return len(self.places) - len(self.taken)

    @property
    def may_start(self) -> bool:
        """Whether its opener may start it with those who sit there."""
        return 0 < self.notice.least <= len(self.taken) and len(self.taken) in self.game.players

    @property
    def free(self) -> tuple[PlaceRow, ...]:
        """The places that nobody has taken."""
        return tuple(place for place in self.places if place.state == "free")


def find_gathering(transaction: Transaction, table: str) -> Gathering | None:
    """The table with a name, if it waits for players."""
    notice = transaction.find_notice(table)
    if notice is None or notice.state != "gathering":
        return None
    return Gathering(notice, tuple(transaction.places_at(table)))


def list_gatherings(transaction: Transaction, reader: str) -> list[Gathering]:
    """All tables that a person may join, oldest first."""
    found = (Gathering(each, tuple(transaction.places_at(each.id))) for each in transaction.notices() if not each.word)
    return [each for each in found if each.free and not is_blocked_at(transaction, each, reader)]


def is_blocked_at(transaction: Transaction, gathering: Gathering, person: str) -> bool:
    """Whether somebody who sits at a table does not want to play with a person."""
    blocking = transaction.bonds_to(person, BLOCKS)
    return any(place.person in blocking for place in gathering.taken)


def open_gathering(
    desk: Desk,
    game: GameRules,
    seats: tuple[int, int],
    *,
    pace: timedelta,
    terms: Mapping[str, Any],
    title: str = "",
    word: str = "",
    options: Mapping[str, str] | None = None,
    seat: Seat = "",
) -> Gathering:
    """Open a table, at which the person sits down at once."""
    context, transaction = desk.context, desk.transaction
    taken = {each.id for each in transaction.games()}
    taken |= {each.id for state in ("gathering", "begun", "closed", "lapsed") for each in transaction.notices(state)}
    now, lobby = context.now(), context.settings.lobby
    notice = NoticeRow(
        *(name_table(taken), game.key, desk.person.id, "gathering", now, now + min(REMINDED, lobby.patience)),
        *(pace, terms, options or {}),
        title=title,
        word=word,
        seed=secrets.token_bytes(SECRET),
        blind=secrets.token_bytes(SECRET),
        least=0 if seats[0] == seats[1] else seats[0],
    )
    transaction.save_notice(notice)
    places = tuple(transaction.save_place(PlaceRow(0, notice.id, "free", "", "", now)) for _ in range(seats[1]))
    return take_place(desk, Gathering(notice, places), seat)


def take_place(desk: Desk, gathering: Gathering, seat: Seat = "", *, asked: PlaceRow | None = None) -> Gathering:
    """Sit down at a free place, or at the one that was kept. The letter is the acceptance: the chain gets its marks."""
    taken = replace(
        asked or gathering.free[0],
        state="taken",
        person=desk.person.id,
        seat=asked.seat if asked is not None else seat,
        created_at=desk.context.now(),
        letter=hashlib.sha256(desk.row.raw).hexdigest(),
        mark=mark_letter(desk.letter.message_id),
    )
    desk.transaction.save_place(taken)
    return replace(gathering, places=tuple(taken if each.id == taken.id else each for each in gathering.places))


def ask_for(
    context: PostContext, transaction: Transaction, gathering: Gathering, who: str, seat: Seat = ""
) -> tuple[Gathering, PlaceRow]:
    """Keep a free place for somebody who is invited: a person's id, or a digest of an address."""
    now = context.now()
    asked = replace(gathering.free[0], state="asked", person=who, seat=seat, created_at=now)
    transaction.save_place(asked)
    places = tuple(asked if each.id == asked.id else each for each in gathering.places)
    look = now + context.settings.lobby.invitations / 2
    due = min(gathering.notice.due_at or look, look)
    notice = replace(gathering.notice, due_at=due)
    transaction.save_notice(notice)
    return Gathering(notice, places), asked


def free_place(transaction: Transaction, place: PlaceRow) -> None:
    """Let a place be free again."""
    transaction.save_place(replace(place, state="free", person="", seat="", letter="", mark=""))


def leave_place(desk: Desk, gathering: Gathering) -> Gathering:
    """Get up again; a table that everybody has left is closed."""
    for place in gathering.places:
        if place.person == desk.person.id:
            free_place(desk.transaction, place)
    left = replace(gathering, places=tuple(desk.transaction.places_at(gathering.notice.id)))
    if not left.taken:
        desk.transaction.save_notice(replace(gathering.notice, state="closed", due_at=None))
    return left


def lapses_at(context: PostContext, notice: NoticeRow) -> datetime:
    """When a table goes away that has not begun by then."""
    return notice.created_at + context.settings.lobby.patience


def keep_gathering(context: PostContext, transaction: Transaction, gathering: Gathering) -> Gathering:
    """Let a table wait as long again as if it were new."""
    now = context.now()
    kept = replace(gathering.notice, created_at=now, due_at=now + min(REMINDED, context.settings.lobby.patience))
    transaction.save_notice(kept)
    return replace(gathering, notice=kept)


def close_gathering(transaction: Transaction, gathering: Gathering, *, lapsed: bool) -> list[PersonRow]:
    """Let a table go away; everybody who sat there."""
    transaction.save_notice(replace(gathering.notice, state="lapsed" if lapsed else "closed", due_at=None))
    people = [_person(transaction, place) for place in gathering.taken]
    for place in gathering.places:
        free_place(transaction, place)
    return people


def begin_game(context: PostContext, transaction: Transaction, gathering: Gathering) -> GameSession | Refused:
    """Open the game with those who sit there, accept for everybody with their own letters, and start."""
    notice, game = gathering.notice, gathering.game
    people = {place.person: _person(transaction, place) for place in gathering.taken}
    seated, drawn = _seat_people(notice, gathering.taken, game.seats)
    guests = [
        Guest(seat, people[place.person].name, transaction.addresses_of(place.person)[0].address)
        for seat, place in seated.items()
    ]
    wanted = Invitation(notice.id, game.key, guests, notice.options, notice.terms, drawn=drawn)
    opened = open_quietly(context, transaction, wanted, seed=notice.seed, blind=notice.blind)
    if isinstance(opened, Refused):
        return opened
    for seat, place in seated.items():
        moment = CommandContext(context.now(), opened.dealer(), letter=place.letter, mark=place.mark)
        decision = decide(opened.table, seat, AcceptInvitation(), moment)
        opened.apply_events(decision.drafts)
    transaction.save_notice(replace(notice, state="begun", due_at=None))
    followed = run_follow_ups(opened)
    announce.notify_events(opened, followed)
    opened.save()
    return opened


def _person(transaction: Transaction, place: PlaceRow) -> PersonRow:
    found = transaction.find_person(place.person)
    if found is None:
        raise LookupError(place.person)
    return found


def _seat_people(
    notice: NoticeRow, places: Sequence[PlaceRow], seats: Sequence[Seat]
) -> tuple[dict[Seat, PlaceRow], tuple[Seat, ...]]:
    """Who sits where, and which seats were drawn: first come first served as wished, the others by lot.

    A lot follows from the seed, which was promised before anybody could sit down, and from the player's own letter.
    """
    playing = seats[: len(places)]
    found: dict[Seat, PlaceRow] = {}
    for place in sorted(places, key=lambda place: place.created_at):
        if place.seat in playing and place.seat not in found:
            found[place.seat] = place
    rest = [place for place in places if place not in found.values()]
    rest.sort(key=lambda place: seat_lot(notice.seed, notice.id, digest_entropy("", place.mark)))
    free = tuple(seat for seat in playing if seat not in found)
    found |= dict(zip(free, rest, strict=True))
    return {seat: found[seat] for seat in playing}, free if len(free) >= FEWEST_DRAWN else ()
