"""Records of the second form as forgers leave them who lie about the table: who was asked, what was sealed and drawn.

Like the lies in `second_lies`, each takes an honest record and gives one in which everything else fits.
"""

from collections.abc import Callable
from typing import Any

from tests.second_verifier.second_draws import draw, draw_key, places, stirred_in
from tests.second_verifier.second_events import Seal, epochs
from tests.second_verifier.second_reading import Entry
from tests.second_verifier.second_scribe import Lie, Tale
from tests.second_verifier.second_secrets import blinding, commitment, second_blinding
from tests.second_verifier.second_shapes import NOTE, TURNS

ABOUT_TABLES: dict[Lie, tuple[str, ...]] = {}


def lie(*checks: str) -> Callable[[Lie], Lie]:
    """Count this among the lies about tables; it is found out in one of these checks."""

    def count(tell: Lie) -> Lie:
        ABOUT_TABLES[tell] = checks
        return tell

    return count


# -- Who prepared a move


def by_player(event: Any) -> Any:
    return event.kind == "played" and event.data["by"] == "player"


def with_by(tale: Tale, event: Any, value: Any, blind: Any) -> Any:
    """An event with another seal of who prepared it."""
    made = commitment(blind, tale.game, event.seq, "by", value).hex()
    return event._replace(seals=(*event.sealed_moves, Seal("by", made, blind.hex(), value)))


@lie("seals")
def who_prepared_a_move_is_not_sealed(tale: Tale) -> Any:
    return tale.spoil(tale.pick(where=by_player), lambda event: event._replace(seals=tuple(event.sealed_moves)))


@lie("seals")
def who_prepared_a_move_is_open_too_early(tale: Tale) -> Any:
    played = None if tale.is_over else tale.pick(where=by_player)
    return tale.spoil(played, lambda event: with_by(tale, event, "plan", tale.chance.randbytes(32)))


@lie("seals")
def who_prepared_a_move_stays_closed(tale: Tale) -> Any:
    def close(event: Any) -> Any:
        shut = [seal._replace(value=None, blinding=None) if seal.field == "by" else seal for seal in event.seals]
        return event._replace(seals=tuple(shut))

    return tale.spoil(tale.pick(where=by_player) if tale.is_over else None, close)


@lie("seals")
def nobody_prepares_moves_like_that(tale: Tale) -> Any:
    word = tale.chance.choice(["referee", "clock", "", "Plan"])
    played = tale.pick(where=by_player) if tale.is_over else None
    return tale.spoil(played, lambda event: with_by(tale, event, word, own_blinding(tale, event, "by")))


@lie("seals")
def somebody_else_is_sealed_to_have_prepared(tale: Tale) -> Any:
    def change(event: Any) -> Any:
        (by,) = (seal for seal in event.seals if seal.field == "by")
        return event._replace(seals=(*event.sealed_moves, by._replace(value="plan" if by.value != "plan" else "if")))

    return tale.spoil(tale.pick(where=by_player) if tale.is_over else None, change)


@lie("annotations")
def a_prepared_move_says_so(tale: Tale) -> Any:
    return tale.data(tale.pick(where=by_player), by=tale.chance.choice(["plan", "standing", "if", "dealer"]))


@lie("seals")
def the_clock_has_prepared_a_move(tale: Tale) -> Any:
    other = tale.pick(*TURNS, where=lambda event: not by_player(event))
    blind = tale.chance.randbytes(32)
    return tale.spoil(other, lambda event: with_by(tale, event, "player", own_blinding(tale, event, "by") or blind))


# -- Blindings and draws


def own_blinding(tale: Tale, event: Any, field: Any, less: Any = 0) -> Any:
    """The blinding of a field, as if there had been so many epochs less."""
    if not tale.is_over:
        return None
    epoch = list(epochs(tale.events))[event.seq - 1] - less
    return second_blinding(bytes.fromhex(tale.ending.blind), tale.game, epoch, event.seq, field)


def with_blinding(tale: Tale, event: Any, blind: Callable[[Any], Any]) -> Any:
    """An event whose seals have other blindings, and commitments that fit."""
    seals = []
    for seal in event.seals:
        new = blind(seal.field)
        made = commitment(new, tale.game, event.seq, seal.field, seal.value).hex()
        seals.append(seal._replace(blinding=new.hex(), commitment=made))
    return event._replace(seals=tuple(seals))


@lie("seals")
def a_blinding_of_the_first_form(tale: Tale) -> Any:
    sealed = tale.pick(where=lambda event: event.seals) if tale.is_over else None
    key = bytes.fromhex(tale.ending.blind or "")
    return tale.spoil(
        sealed,
        lambda event: with_blinding(tale, event, lambda field: blinding(key, tale.game, event.seq, field)),
    )


@lie("seals")
def a_blinding_that_forgets_the_restored_copy(tale: Tale) -> Any:
    restored = tale.first("restored") if tale.is_over else None
    sealed = tale.pick(where=lambda event: restored and event.seq > restored.seq and event.seals)
    return tale.spoil(
        sealed, lambda event: with_blinding(tale, event, lambda field: own_blinding(tale, event, field, 1))
    )


@lie("draws")
def draws_come_again_after_a_restored_copy(tale: Tale) -> Any:
    restored = tale.first("restored") if tale.is_over else None
    if not restored or tale.events[0].data["proof"]["level"] != 1:
        return None
    key = draw_key(bytes.fromhex(tale.ending.seed), tale.game, stirred_in(tale.events))

    def again(event: Any) -> Any:
        epoch, links, link = list(places(tale.game, tale.events))[event.seq - 1]
        asked = ["pbm-draw-1", tale.game, epoch - 1, links]
        draws = [
            (draw(key, [*asked, j, purpose, link, None], many), many, purpose)
            for j, (_, many, purpose) in enumerate(event.draws, 1)
        ]
        return event._replace(draws=tuple(draws))

    drawn = tale.pick(where=lambda event: event.seq > restored.seq and again(event).draws != event.draws)
    return tale.spoil(drawn, again)


@lie("draws")
def something_is_drawn_for_words(tale: Tale) -> Any:
    said = (
        tale.pick("press", "absence", "declined", "note.pencilled", "note.erased", "note.weather-report")
        if tale.is_over
        else None
    )
    return tale.spoil(said, lambda event: event._replace(draws=((0, 1, "die"),)))


# -- Pencils


def plays_what_waited(tale: Tale, event: Any) -> Any:
    """The event that says that the letter of a turn waits; nothing if it did not."""
    waited = [each for each in tale.events if each.kind == "note.pencilled"]
    return next(
        (each for each in waited if event.kind == "played" and each.data["letter"] == event.data["letter"]), None
    )


@lie("table")
def what_was_stopped_is_played(tale: Tale) -> Any:
    played = tale.pick(where=lambda event: plays_what_waited(tale, event))
    if not played:
        return None
    waited = plays_what_waited(tale, played).data
    return tale.insert(played.seq - 1, "note.erased", {"seat": waited["seat"], "letter": waited["letter"]})


@lie("table")
def what_does_not_wait_is_stopped(tale: Tale) -> Any:
    started = tale.first("started")
    seat, letter = tale.events[0].data["seats"][0], tale.chance.randbytes(32).hex()
    place = tale.chance.randrange(started.seq, len(tale.events) + 1) if started else 0
    return tale.insert(place, "note.erased", {"seat": seat, "letter": letter}) if started else None


@lie("table")
def the_clock_does_not_wait_for_a_letter(tale: Tale) -> Any:
    clock = tale.pick("resigned", "played", where=lambda event: event.data["by"] == "clock")
    letter, until = tale.chance.randbytes(32).hex(), "2036-01-01T00:00:00Z"
    data = {"turn": 1_000, "letter": letter, "until": until, "move": "ab" * 32}
    return tale.insert(clock.seq - 1, "note.pencilled", {**data, "seat": clock.data["seat"]}) if clock else None


@lie("table")
def a_letter_waits_before_the_start(tale: Tale) -> Any:
    seat = tale.events[0].data["seats"][0]
    data = {"seat": seat, "turn": 1, "letter": "ab" * 32, "until": "2036-01-01T00:00:00Z", "move": "ab" * 32}
    return tale.insert(1, "note.pencilled", data)


@lie("table", "annotations")
def a_letter_waits_for_nothing(tale: Tale) -> Any:
    waits = tale.pick("note.pencilled")
    return tale.data(waits, until=tale.chance.choice(["2020-01-01T00:00:00Z", "soon", ""]))


@lie("annotations")
def a_move_that_waits_is_not_sealed(tale: Tale) -> Any:
    waits = tale.pick("note.pencilled")
    return tale.data(waits, move=tale.chance.choice(["", "lilac F4"]))


@lie("annotations")
def a_pencil_says_more(tale: Tale) -> Any:
    waits = tale.pick("note.pencilled", "note.erased")
    return tale.data(waits, more="lilac F4")


@lie("seals")
def a_move_that_waited_is_told(tale: Tale) -> Any:
    waits = tale.pick("note.pencilled")
    return tale.spoil(waits, lambda event: tale.tell(event, "move", "lilac F4"))


# -- Offers


@lie("table")
def a_time_is_named_for_no_offer(tale: Tale) -> Any:
    before = tale.pick("started", "dealt", "press", "played")
    seat = tale.events[0].data["seats"][0]
    data = {"seat": seat, "turn": 1_000, "until": "2036-01-01T00:00:00Z"}
    return tale.insert(before.seq, "note.offered", data) if before else None


@lie("table", "annotations")
def an_offer_is_open_until_what_is_past(tale: Tale) -> Any:
    made = tale.pick("played")
    until = tale.chance.choice(["2020-01-01T00:00:00Z", "soon", ""])
    data = {"seat": made.data["seat"], "turn": made.data["turn"], "until": until} if made else {}
    return tale.insert(made.seq, "note.offered", data) if made else None


# -- Seats that are handed on


@lie("table")
def a_seat_is_kept_that_was_not_offered(tale: Tale) -> Any:
    started = tale.first("started")
    return tale.insert(started.seq, "note.seat-kept", {"seat": tale.events[0].data["seats"][0]}) if started else None


@lie("table")
def a_seat_is_offered_twice(tale: Tale) -> Any:
    offered = tale.pick("note.seat-offered")
    return tale.insert(offered.seq, "note.seat-offered", dict(offered.data)) if offered else None


@lie("table")
def a_seat_is_offered_where_nobody_plays(tale: Tale) -> Any:
    place, seats = tale.chance.choice([1, len(tale.events)]), tale.events[0].data["seats"]
    seat = tale.chance.choice(["purple", seats[0]]) if tale.first("ended") or place == 1 else "purple"
    return tale.insert(place, "note.seat-offered", {"seat": seat})


@lie("annotations")
def an_offered_seat_says_more(tale: Tale) -> Any:
    return tale.data(tale.pick("note.seat-offered", "note.seat-kept"), name="Dora")


# -- Asked and due


def has_time(event: Any) -> Any:
    """Whether an event says since when its seat was asked."""
    return bool(event.is_timed)


@lie("table")
def asked_by_what_came_later(tale: Tale) -> Any:
    timed = tale.pick(where=has_time)
    return tale.data(timed, asked=timed.seq + tale.chance.randrange(2)) if timed else None


@lie("table")
def asked_before_the_start(tale: Tale) -> Any:
    timed = tale.pick(where=has_time)
    return tale.data(timed, asked=tale.chance.choice([-1, 1, tale.first("started").seq - 1])) if timed else None


@lie("table")
def asked_before_the_last_move(tale: Tale) -> Any:
    moved: dict[str, Any] = {}
    found = []
    for event in tale.events:
        if event.kind == "played":
            if has_time(event) and event.data["seat"] in moved:
                found.append((event, moved[event.data["seat"]]))
            moved[event.data["seat"]] = event.data.get("asked")
    found = [(event, before) for event, before in found if before is not None]
    if not found:
        return None
    event, before = tale.chance.choice(found)
    return tale.data(event, asked=before)


@lie("table")
def asked_by_words(tale: Tale) -> Any:
    idle = ("press", "absence", "restored", "rekeyed", "extended", "appealed", "ruled", "warranted")
    said = tale.pick(where=lambda event: event.kind in idle or NOTE.match(event.kind))
    later = tale.pick(where=lambda event: said and event.seq > said.seq and has_time(event))
    return tale.data(later, asked=said.seq) if later else None


@lie("annotations")
def nobody_says_since_when(tale: Tale) -> Any:
    timed = tale.pick(where=has_time)
    return tale.without(timed, tale.chance.choice(["asked", "due"]))


@lie("annotations")
def chance_was_asked(tale: Tale) -> Any:
    other = tale.pick("played", where=lambda event: not has_time(event))
    return tale.data(other, asked=other.seq - 1, due="") if other else None


@lie("annotations")
def a_player_was_asked_to_resign(tale: Tale) -> Any:
    other = tale.pick("resigned", "ended", where=lambda event: not has_time(event))
    return tale.data(other, asked=other.seq - 1, due="") if other else None


@lie("annotations")
def due_at_no_moment(tale: Tale) -> Any:
    when = tale.chance.choice(["soon", "2026-13-01T12:00:00Z", "2026-11-16T12:00:00", "2026-11-16 12:00:00Z", "never"])
    return tale.data(tale.pick(where=has_time), due=when)


@lie("annotations")
def something_happens_at_no_moment(tale: Tale) -> Any:
    when = tale.chance.choice(["2026-13-01T12:00:00Z", "2026-02-30T12:00:00Z", "2026-11-16T24:00:00Z"])
    return tale.spoil(tale.pick(), lambda event: event._replace(at=when))


@lie("table")
def the_clock_is_in_a_hurry(tale: Tale) -> Any:
    clock = tale.pick(where=lambda event: has_time(event) and event.data.get("by") != "player")
    later = f"{int(clock.at[:4]) + 1}-01-01T00:00:00Z" if clock else ""
    return tale.data(clock, due=later)


# -- Forced moves


def is_forced(event: Any) -> Any:
    return event.kind == "played" and event.data["by"] == "forced"


@lie("table")
def nobody_has_agreed_to_forced_moves(tale: Tale) -> Any:
    return tale.data(tale.events[0] if tale.pick(where=is_forced) else None, terms={"pace": "a day", "forced": "ask"})


@lie("table")
def a_forced_move_came_in_a_letter(tale: Tale) -> Any:
    return tale.data(tale.pick(where=is_forced), letter="ab" * 32)


@lie("annotations", "table")
def several_moves_are_forced_at_once(tale: Tale) -> Any:
    forced = tale.pick(where=is_forced)
    return tale.data(forced, plies=[forced.data["phrase"]]) if forced else None


@lie("annotations")
def somebody_was_asked_for_a_forced_move(tale: Tale) -> Any:
    started = tale.first("started")
    return tale.data(tale.pick(where=is_forced), asked=started.seq, due="") if started else None


@lie("table")
def a_move_is_forced_while_a_letter_waits(tale: Tale) -> Any:
    forced = tale.pick(where=is_forced)
    data = {"turn": 1_000, "letter": "cd" * 32, "until": "2036-01-01T00:00:00Z", "move": "ab" * 32}
    return tale.insert(forced.seq - 1, "note.pencilled", {**data, "seat": forced.data["seat"]}) if forced else None


@lie("table")
def a_move_is_forced_for_a_seat_without_a_player(tale: Tale) -> Any:
    forced = tale.pick(where=is_forced)
    if forced is None:
        return None
    entry = Entry(1, "", "", [], 0)
    return tale.insert(forced.seq - 1, "resigned", {"seat": forced.data["seat"], "by": "player"}, entry=entry)
