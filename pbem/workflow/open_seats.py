"""Open seats: those in games that go on and that somebody else may take; who may, and who is told.

Nobody ever sees two hands of one table: whoever has seen one is tied to that seat, and can take no other there.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from engine import registry
from engine.game import Seat
from pbem.events.kinds import GamePaused, SeatResigned
from pbem.events.post_kinds import SeatOffered
from pbem.mail.writing.counted_answers import say_counts
from pbem.mail.writing.post_mails import PostPage, find_post_sentences
from pbem.store.rows import PersonRow
from pbem.store.store import Transaction
from pbem.tables.absences import open_seats
from pbem.tables.fold import BrokenHistoryError
from pbem.tables.reliability import needed_reliability
from pbem.tables.table import PLAYING, Table
from pbem.workflow.context import PostContext
from pbem.workflow.front_desk import Desk, language_of, tell
from pbem.workflow.people import find_answers
from pbem.workflow.session import OPEN_SEATS, GameSession

WAITS: Final = "waits"
"""The tie of a person to a game that they wait for a table of."""
BLOCKS: Final = "blocks"
"""The tie of a person to somebody whom they do not want to play with."""
SAW: Final = "saw"
"""The tie of a person to a seat whose hand they have seen."""
ASKED_TO_SIT: Final = "asked to sit"
"""The tie of a person to a table at which somebody has named them for an open seat."""
NAMED_FOR: Final = timedelta(days=7)
"""For so long somebody who was named may take the seat."""
_TOLD_AT_ONCE: Final = 10
"""How many of those who wait are told of one table, those who have waited longest first."""
_OPENS: Final = (SeatOffered, SeatResigned, GamePaused)
"""Events by which a seat may become open."""
_REFEREE: Final = "referee"


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A game that goes on, and its seats that a person may take."""

    table: Table
    seats: tuple[Seat, ...]


def title_of(key: str) -> str:
    """The English title of a game."""
    game = registry.find_game(key)
    return game.title if game is not None else key


def is_public(transaction: Transaction, game: str) -> bool:
    """Whether a table is one that anybody may see and join: opened by letter, and not private."""
    notice = transaction.find_notice(game)
    return notice is not None and not notice.word


def seat_key(game: str, seat: Seat) -> str:
    """What a person is tied to who has seen the hand of a seat."""
    return f"{seat} of {game}"


def may_hold(transaction: Transaction, person: str, game: str, seat: Seat) -> bool:
    """Whether a person may see the hand of a seat: they have seen no other of that table, and are not its referee."""
    saw = transaction.bonds_of(person, SAW)
    others = [each for each in saw if each.endswith(seat_key(game, "")) and each != seat_key(game, seat)]
    sits = any(each.person == person and each.seat != seat for each in transaction.find_seats(game))
    rules = (person, game) in transaction.offices(_REFEREE)
    return not (others or sits or rules)


def refuse_unreliable(desk: Desk, table: str, terms: Mapping[str, Any]) -> PostPage | None:
    """What somebody is told who answers less reliably than a table asks for; None if they may sit down."""
    needed, counts = needed_reliability(terms), find_answers(desk.transaction, desk.person.id)
    if counts.reaches(needed):
        return None
    say = desk.sentences.say
    buttons = ((say("button_tables"), desk.sentences.order("tables")),)
    return PostPage(say("head_not_reliable", table, needed), say("not_reliable", say_counts(say, counts)), buttons)


def is_met_gladly(transaction: Transaction, person: str, game: str) -> bool:
    """Whether nobody who sits at a table has blocked a person."""
    blocking = transaction.bonds_to(person, BLOCKS)
    return not any(each.person in blocking for each in transaction.find_seats(game))


def find_open(context: PostContext, transaction: Transaction, game: str, person: str) -> OpenTable | None:
    """A game with the open seats that a person may take; None if there is none."""
    row = transaction.find_game(game)
    if row is None or row.stage != PLAYING or not is_met_gladly(transaction, person, game):
        return None
    with suppress(BrokenHistoryError):
        table = GameSession(context, transaction, row).table
        seats = tuple(each for each in open_seats(table) if may_hold(transaction, person, game, each))
        return OpenTable(table, seats) if seats else None
    return None


def list_open(context: PostContext, transaction: Transaction, person: str) -> list[OpenTable]:
    """All games that go on and have a seat for a person, of those that anybody may join."""
    listed = [key.removeprefix(OPEN_SEATS) for key, seats in transaction.load_settings(OPEN_SEATS).items() if seats]
    found = (find_open(context, transaction, game, person) for game in listed if is_public(transaction, game))
    mine = {each.game for each in transaction.seats_of(person)}
    return [each for each in found if each is not None and each.table.id not in mine]


def offer_on(session: GameSession) -> None:
    """Tell those who wait for a game that a seat has become open, if anybody may take it."""
    fresh = {*open_seats(session.table)} - {*open_seats(session.before)}
    opens = fresh and any(isinstance(event.payload, _OPENS) for event in session.news)
    if opens and is_public(session.transaction, session.row.id):
        players = {each.person for each in session.people.values()}
        tell_waiting(session.context, session.transaction, session.table.game.key, session.row.id, but=players)


def tell_waiting(context: PostContext, transaction: Transaction, game: str, table: str, *, but: set[str]) -> None:
    """Tell those who wait for a game of a table that they can join, each once a day at most."""
    now, today = context.now(), str(context.now().date())
    waiting = sorted(transaction.bonds_to(game, WAITS).items(), key=lambda each: str(each[1]))
    for person_id, until in waiting[:_TOLD_AT_ONCE]:
        person, key = transaction.find_person(person_id), f"told of tables {person_id}"
        if person is None or person_id in but or (until is not None and until < now):
            continue
        blocked = but & {*transaction.bonds_of(person_id, BLOCKS)} or but & {*transaction.bonds_to(person_id, BLOCKS)}
        if not blocked and not transaction.used(key, since=today):
            transaction.count_use(key, today)
            tell(context, transaction, person, _wanted(context, transaction, person, game, table))


def _wanted(context: PostContext, transaction: Transaction, person: PersonRow, game: str, table: str) -> PostPage:
    sentences = find_post_sentences(language_of(context, transaction, person))
    say, order, row = sentences.say, sentences.order, transaction.find_game(table)
    title = sentences.gettext(title_of(game))
    head = say("head_wanted", title) if row is None else say("head_seat_open", title, table)
    buttons = ((say("button_join", table), order("join", table)),)
    after = (say("one_a_day", order("stop waiting")),)
    return PostPage(head, "" if row is None else say("seat_open"), buttons, after=after, subject=head)
