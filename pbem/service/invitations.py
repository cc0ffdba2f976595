"""A new table from what the operator typed: the players, a name for the table, and its terms."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final

from engine.game import GameRules
from notation import Fault, read_moves, write_moves
from pbem.clock.time_control import PLAY, TimeControl, control_from_terms, format_duration, parse_duration
from pbem.events.history_mark import LENGTH
from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.reading import parse_address
from pbem.mail.reply_address import format_reply_address
from pbem.proof.public_beacon import Pulse, UncheckedBeaconError
from pbem.settings.kinds import Mistake
from pbem.settings.sections import TimeSettings
from pbem.settings.setting_keys import keys_of
from pbem.store.rows import SeatRow
from pbem.tables.chance import DEFAULT
from pbem.tables.decision import Refused
from pbem.tables.holidays import settle_holidays
from pbem.tables.table import AT_ONCE, FORCED, HINTS, NEVER
from pbem.tables.terms import refuse_value, with_terms
from pbem.workflow.context import PostContext
from pbem.workflow.new_tables import BANK, name_table, terms_of
from pbem.workflow.open_game import BEACON, SEED, Guest, Invitation, open_table

SITE: Final = "Site"
DATE: Final = "Date"
TIME_CONTROL: Final = "TimeControl"
HEADERS: Final = ("Event", "Round", DATE, SITE, TIME_CONTROL)
"""The headers of a record that an operator may choose."""

_GUEST: Final = re.compile(r"(?P<seat>[^=\s]+)=(?:(?P<name>[^:<>]*):)?(?P<address>[^:<>\s]+)")
_LONGEST_NAME: Final = 60
_LAST_TURN: Final = 9_999
_ANY_MARK: Final = "a" * LENGTH


def read_guest(text: str, *, language: str, zone: str) -> Guest | str:
    """The player that `red=Anna:anna@example.org` names; or what is wrong with it, in one line."""
    found = _GUEST.fullmatch(text.strip())
    if found is None:
        return f"{text!r} names nobody; write SEAT=NAME:ADDRESS, such as red=Anna:anna@example.org"
    address = parse_address(found["address"])
    if address is None:
        return f"{found['address']!r} is not a plain mail address"
    name = (found["name"] or found["address"].partition("@")[0]).strip()
    if not 0 < len(name) <= _LONGEST_NAME or not name.isprintable():
        return f"{text!r} has no name of at most {_LONGEST_NAME} characters"
    return Guest(found["seat"].lower(), name, address, language, zone)


def invite(
    context: PostContext,
    game: GameRules,
    guests: Sequence[Guest],
    *,
    table: str,
    options: Mapping[str, str],
    time: TimeSettings,
    dice: str = SEED,
    default: tuple[Any, ...] = (),
    hints: bool = True,
    headers: Mapping[str, str] | None = None,
    changes: Sequence[str] = (),
) -> str | Refused | None:
    """Open a table and invite everybody; or why that is impossible, and then nothing has changed.

    `default` are the moves that are made for the silent where they are legal. Without `hints` no moves are suggested.
    `headers` are what the record should say besides. `changes` are terms that the settings have otherwise: `rest fri`.
    """
    seats = [guest.seat for guest in guests]
    if len({*seats}) < len(seats):
        return "two people cannot sit in one seat"
    if (why := player_problem(context, [guest.address for guest in guests])) is not None:
        return why
    with context.store.reading() as transaction:
        if transaction.find_game(table) is not None:
            return f"there is a table {table} already"
    if (
        why := table_name_problem(context, table, game) or (_why_no_beacon(context) if dice == BEACON else None)
    ) is not None:
        return why
    today = context.now().date()
    own, unknown = with_terms(terms_of(time), [settle_holidays(each, today) for each in changes])
    if unknown:
        return refuse_value(unknown[0]).detail
    terms = {**own, **({DEFAULT: write_moves(game, default)} if default else {})}
    terms |= {} if hints else {HINTS: NEVER}
    terms |= {FORCED: AT_ONCE} if time.forced == AT_ONCE else {}
    told = fill_headers(context, headers, control_from_terms(terms)) if headers else {}
    return open_table(context, Invitation(table, game.key, guests, options, terms, dice, told))


def read_headers(words: Iterable[str]) -> dict[str, str] | str:
    """The headers that `Event=Spring cup` and the like name; or what is wrong with one."""
    proper, found = {name.lower(): name for name in HEADERS}, dict[str, str]()
    for word in words:
        name, sign, text = word.partition("=")
        header, text = proper.get(name.strip().lower()), " ".join(text.split())
        if not sign or header is None:
            return f"{word!r} is no header; write NAME=TEXT, where NAME is {', '.join(HEADERS)}"
        if not 0 < len(text) <= _LONGEST_NAME or not text.isprintable():
            return f"{header} says one line of at most {_LONGEST_NAME} characters"
        if header == DATE and not _is_day(text):
            return f"{text!r} is not a day; write one such as 2026-11-16"
        if header in found:
            return f"{header} is given twice"
        found[header] = text
    return found


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def fill_headers(context: PostContext, given: Mapping[str, str], control: TimeControl) -> dict[str, str]:
    """The headers that were given, and those that follow: where and since when it is played, and how fast."""
    bank = None if control.bank is None else f"{format_duration(control.bank)}+{format_duration(control.increment)}"
    return {
        SITE: context.identity.address.rpartition("@")[2],
        DATE: str(context.now().date()),
        TIME_CONTROL: bank or f"{format_duration(control.per_turn)}/turn",
        **given,
    }


def read_default(game: GameRules, text: str, time: TimeSettings) -> tuple[Any, ...] | str:
    """The moves to make for a silent player; or why they cannot be declared."""
    if time.silence != PLAY:
        return "default: nothing is played for the silent at this table; say --silence play as well"
    moves = read_moves(game, text)
    if isinstance(moves, Fault):
        return f"default: {text!r} is no move of {game.title}; write one such as {moves.example}"
    return moves


def _why_no_beacon(context: PostContext) -> str | None:
    """Why draws cannot be bound to the beacon here; None if they can."""
    try:
        context.beacon.is_true(Pulse(1, ""))
    except UncheckedBeaconError as reason:
        return str(reason)
    return None


def new_name(context: PostContext) -> str:
    """A name for a new table."""
    with context.store.reading() as transaction:
        return name_table([game.id for game in transaction.games()])


def table_name_problem(context: PostContext, name: str, game: GameRules) -> str | None:
    """Why a table cannot have this name: it must fit into a reply address with a seat, a turn and a mark."""
    longest = max(game.seats, key=len)
    try:
        format_reply_address(
            context.identity.ticket_key,
            context.identity.address,
            game=name,
            seat=longest,
            turn=_LAST_TURN,
            mark=_ANY_MARK,
        )
    except ValueError:
        return f"a table cannot be called {name!r}; a few small letters and digits, with hyphens, are a name"
    return None


def player_problem(context: PostContext, addresses: Iterable[str]) -> str | None:
    """Why one of these addresses cannot be a player's: it is our own, and the post would answer itself."""
    ours = next((address for address in addresses if context.identity.owns(address)), None)
    return None if ours is None else f"{ours} is an address of the post itself; say where the player gets mail"


def double_roles(people: Iterable[Guest | SeatRow], referee: str | None) -> Iterator[str]:
    """What an operator should know about who sits where: one person in two seats, or the referee in one.

    Mail servers tell no capitals apart, so neither do we.
    """
    seats: dict[str, list[str]] = {}
    for person in people:
        seats.setdefault(person.address.casefold(), []).append(person.seat)
    for address, held in seats.items():
        if len(held) > 1:
            yield f"{address} holds {len(held)} seats: {', '.join(held)}"
        if referee is not None and address == referee.casefold():
            yield f"{address} is the referee of this post, and plays as {', '.join(held)}"


def length_problem(text: str) -> str | None:
    """Why a text is no length of time; None if it is one."""
    return f"{text!r} is not a length of time; write 2d or 12h" if parse_duration(text) is None else None


def language_problem(code: str) -> str | None:
    """Why mails cannot be written in a language; None if they can."""
    return None if code in LANGUAGE_CODES else f"there is no language {code!r}; there is {', '.join(LANGUAGE_CODES)}"


def change_time_settings(time: TimeSettings, changes: Mapping[str, str]) -> TimeSettings | str:
    """The time settings with some keys changed; or what is wrong with one of the new values.

    A bank that is asked for can hold what it begins with, even if the settings have a smaller cap.
    """
    if "per_turn" in changes and "bank" in changes:
        return "bank: who has a bank of time has no time for each turn; say --bank or --per-turn"
    kinds = {key.name: key.kind for key in keys_of(TimeSettings)}
    read: dict[str, Any] = {name: kinds[name].parse(value) for name, value in changes.items()}
    for name, value in read.items():
        if isinstance(value, Mistake):
            return f"{name.replace('_', ' ')}: {value.mistake}; {value.advice}"
    changed = replace(time, **read)
    if "increment" in read and changed.mode != BANK:
        return "increment: there is no bank of time that a turn could add to; give each player one as well (--bank)"
    return replace(changed, cap=max(changed.cap, changed.bank)) if "bank" in read else changed
