"""People behind the seats: who somebody is, and what they wish, said once for all tables or for one.

A seat's row holds what is valid at that table. What was wished for the table alone goes before what was wished for
all, and that before what the post does for everybody.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from pbem.clock.alarms import next_hour
from pbem.mail.commands.preferences import DAILY, parse_hour
from pbem.people.names import fold_name, free_name, name_from
from pbem.store.rows import AddressRow, PersonRow, SeatRow
from pbem.store.store import Transaction
from pbem.tables.reliability import Counts
from pbem.tables.table import INVITING, PLAYING
from pbem.workflow.context import PostContext

SEAT_WISHES: Final = ("language", "zone", "notices", "plain")
"""The wishes that a seat's row holds."""
FOR_ALL: Final = frozenset({"language", "zone", "plain", "hints", "calendar"})
"""Wishes that are meant for all tables unless somebody says `here`; others are for one table."""
_ON: Final = {True: "on", False: "off"}


def meet_person(
    context: PostContext, transaction: Transaction, *, name: str, address: str, wishes: Mapping[str, str]
) -> PersonRow:
    """The person with an address. Somebody new gets an id, a name that nobody has, and the wishes to begin with."""
    known = transaction.person_at(address)
    if known is not None:
        return known
    called = free_name(name_from(name), lambda key: transaction.person_named(key) is not None)
    person = PersonRow(context.new_id(), called, fold_name(called), "invited", context.now())
    transaction.save_person(person)
    transaction.save_address(AddressRow(address, person.id))
    for what, value in wishes.items():
        transaction.save_wish(person.id, what, value)
    return person


def find_answers(transaction: Transaction, person: str) -> Counts:
    """How reliably a person has answered so far, at all tables together."""
    rows = transaction.answer_counts_of(person)
    each = ((row.on_time, row.late, row.missed, row.excused, row.games_left) for row in rows)
    return Counts(*map(sum, zip(*each, strict=True))) if rows else Counts()


def confirm_person(transaction: Transaction, person: str, address: str, now: datetime) -> None:
    """A letter from somebody has come that we believe: the address is theirs."""
    known = transaction.find_person(person)
    if known is not None and known.state == "invited":
        transaction.save_person(replace(known, state="confirmed"))
    for each in transaction.addresses_of(person):
        if each.address.lower() == address.lower() and each.confirmed_at is None:
            transaction.save_address(replace(each, confirmed_at=now))


def is_address_of(transaction: Transaction, seat: SeatRow, address: str, *, confirmed: bool = True) -> bool:
    """Whether letters from an address are taken as those of the player in a seat; or whether it is theirs at all."""
    if seat.address.lower() == address.lower():
        return True
    owned = transaction.addresses_of(seat.person) if seat.person else []
    return any(
        each.address.lower() == address.lower() and (each.confirmed_at is not None or not confirmed) for each in owned
    )


def apply_wishes(transaction: Transaction, seat: SeatRow) -> SeatRow:
    """A seat's row with what its person wishes there."""
    wishes = transaction.wishes_of(seat.person) | transaction.wishes_of(seat.person, seat.game)
    known = {what: wishes[what] for what in SEAT_WISHES if what in wishes}
    plain = known.pop("plain", _ON[seat.plain]) == _ON[True]
    return replace(seat, plain=plain, **known)  # type: ignore[arg-type]  # the others are texts


def wish_at(transaction: Transaction, seat: SeatRow, what: str) -> str | None:
    """What the player in a seat wishes there: said for the table, or for all; None if nothing was said."""
    return transaction.wishes_of(seat.person, seat.game).get(what) or transaction.wishes_of(seat.person).get(what)


def live_seats(transaction: Transaction, person: str) -> list[SeatRow]:
    """The seats of a person in games that have not ended."""
    rows = ((each, transaction.find_game(each.game)) for each in transaction.seats_of(person))
    return [each for each, game in rows if game is not None and game.stage in (INVITING, PLAYING)]


def change_wish(
    context: PostContext,
    transaction: Transaction,
    person: str,
    what: str,
    value: str | bool,
    *,
    at: str = "",
    only: bool = False,
    overrule: bool = True,
) -> tuple[int, int]:
    """Keep a wish for all tables, or for the one that it was said at (`only`); the rows of other seats follow.

    `overrule`: what was said for single tables no longer counts. Otherwise only the table that it was said `at` gives
    up its own. The answer is at how many tables it holds, and how many there are.
    """
    text = _ON[value] if isinstance(value, bool) else value
    transaction.save_wish(person, what, text, game=at if only else "")
    live = live_seats(transaction, person)
    if only:
        return 1, len(live)
    seats = transaction.seats_of(person)
    for each in seats:
        if overrule or each.game == at:
            transaction.save_wish(person, what, None, game=each.game)
    for each in seats:
        if each.game != at:
            follow_wishes(context, transaction, each)
    kept = [each for each in live if what in transaction.wishes_of(person, each.game)]
    return len(live) - len(kept), len(live)


def follow_wishes(context: PostContext, transaction: Transaction, seat: SeatRow) -> None:
    """Let the row of a seat follow what its person wishes."""
    after = apply_wishes(transaction, seat)
    if after == seat:
        return
    if after.notices != seat.notices and gets_digests(after):
        start_digests(context, transaction, seat)
    transaction.save_seats([after])
    transaction.look_soon(seat.game)


def gets_digests(person: SeatRow) -> bool:
    """Whether a player wants one mail a day about what others do."""
    return person.notices.startswith(DAILY)


DAY: Final = timedelta(days=1)
REST: Final = timedelta(hours=12)
"""After a summary the next one comes at the first hour that is as much later; so one that is late brings no second."""


def digest_hour(person: SeatRow) -> time | None:
    """At which hour a player's summary comes; None if there is none, or if it was chosen before there were hours."""
    hour = parse_hour(person.notices.removeprefix(DAILY)) if gets_digests(person) else None
    return time.fromisoformat(hour) if hour is not None else None


def digest_key(person: SeatRow) -> str:
    """The name under which is kept from when on a player's next summary is looked for.

    Those who chose one mail a day before there were hours share the name of their game.
    """
    return f"digest of {person.game}" if digest_hour(person) is None else f"digest of {person.seat} of {person.game}"


def next_digest(transaction: Transaction, person: SeatRow, now: datetime) -> datetime | None:
    """When a player's summary is due: at their hour, or a day after the last one of the game. None if there is none.

    The first time nothing is known of the day before, and it is due at once.
    """
    if not gets_digests(person):
        return None
    since, hour = transaction.load_setting(digest_key(person)), digest_hour(person)
    if since is None:
        return now
    last = datetime.fromisoformat(since)
    return last + DAY if hour is None else next_hour(last, hour, ZoneInfo(person.zone))


def summary_key(game: str, seat: str) -> str:
    """The name under which is kept up to which event a player's summaries have told."""
    return f"summed up for {seat} of {game}"


def start_digests(context: PostContext, transaction: Transaction, person: SeatRow) -> None:
    """A player wants one mail a day, or at another hour. The first one goes on after the last mail of any kind."""
    if not gets_digests(person):
        transaction.save_setting(summary_key(person.game, person.seat), str(person.last_seen_seq))
    transaction.save_setting(digest_key(person), context.now().isoformat())
