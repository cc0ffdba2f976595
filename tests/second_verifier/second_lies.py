"""Records of the second form as forgers leave them who lie about people and what they said.

Each lie takes an honest record, a `Tale`, and gives a forged one in which everything else fits: numbers, hashes, seals,
signatures. It gives nothing where the record has no place for it.
"""

import re
from collections.abc import Callable
from typing import Any

from tests.second_verifier.second_draws import seat_lot, stirred_in
from tests.second_verifier.second_scribe import Lie, Tale, with_seal
from tests.second_verifier.second_shapes import NOTE, SAID, TURNS
from tests.second_verifier.second_told import told_seal

ABOUT_PEOPLE: dict[Lie, tuple[str, ...]] = {}


def lie(*checks: str) -> Callable[[Lie], Lie]:
    """Count this among the lies about people; it is found out in one of these checks."""

    def count(tell: Lie) -> Lie:
        ABOUT_PEOPLE[tell] = checks
        return tell

    return count


def names_something(event: Any) -> Any:
    return any(told.field.startswith("name") for told in event.told)


def retold(event: Any, **change: Any) -> Any:
    """An event in which the first text that is told is changed."""
    first, *rest = event.told
    return event._replace(told=(first._replace(**change), *rest))


@lie("seals")
def another_name_is_told(tale: Tale) -> Any:
    return tale.spoil(tale.pick(where=names_something), lambda event: retold(event, text="Zacharias"))


@lie("seals")
def other_words_are_told(tale: Tale) -> Any:
    told = tale.pick(where=lambda event: event.told and not names_something(event))
    return tale.spoil(told, lambda event: retold(event, text="I give up"))


@lie("seals")
def the_salt_is_another(tale: Tale) -> Any:
    salt = tale.chance.randbytes(32).hex()
    return tale.spoil(tale.pick(where=lambda event: event.told), lambda event: retold(event, salt=salt))


@lie("seals")
def salts_are_swapped(tale: Tale) -> Any:
    def swap(event: Any) -> Any:
        one, two, *rest = event.told
        return event._replace(told=(one._replace(salt=two.salt), two._replace(salt=one.salt), *rest))

    return tale.spoil(tale.pick("opened", where=lambda event: len(event.told) > 1), swap)


@lie("seals")
def a_text_is_told_of_another_event(tale: Tale) -> Any:
    return tale.spoil(tale.pick(where=lambda event: event.told), lambda event: retold(event, seq=event.seq + 1))


@lie("seals")
def a_text_is_told_of_another_datum(tale: Tale) -> Any:
    told = tale.pick("press", "appealed", "declined", "extended", where=lambda event: event.told)
    return tale.spoil(told, lambda event: retold(event, field="by"))


@lie("seals")
def a_text_is_told_twice(tale: Tale) -> Any:
    told = tale.pick(where=lambda event: event.told)
    return tale.spoil(told, lambda event: event._replace(told=(event.told[0], *event.told)))


@lie("seals")
def names_are_told_in_disorder(tale: Tale) -> Any:
    opened = tale.pick("opened", where=lambda event: len(event.told) > 1)
    return tale.spoil(opened, lambda event: event._replace(told=event.told[::-1]))


@lie("annotations", "record")
def a_text_is_told_above_its_event(tale: Tale) -> Any:
    return swapped(tale.text, r"^(\[%event [^\n]*\n)(\[%told [^\n]*\n)")


@lie("seals")
def an_empty_text_was_sealed(tale: Tale) -> Any:
    told = tale.pick(*SAID, where=lambda event: event.told and event.kind not in ("ended", "substituted"))

    def change(event: Any) -> Any:
        first = event.told[0]
        seal = told_seal(bytes.fromhex(first.salt), tale.game, event.seq, first.field, "").hex()
        return retold(event, text="")._replace(data=with_seal(event, first.field, seal))

    return tale.spoil(told, change)


@lie("record")
def somebody_is_written_in(tale: Tale) -> Any:
    """A header says a name that nothing tells."""
    return replaced(tale.text, r'^\[Seat\.\w+ "somebody-[0-9a-f]{8}"\]$', lambda line: re.sub(r'".*"', '"Anna"', line))


@lie("record")
def a_name_is_no_longer_told(tale: Tale) -> Any:
    """The header still has it."""
    others = {event.data["seat"] for event in tale.events if event.kind == "invited"}
    told = [told.field for told in tale.events[0].told if told.field.removeprefix("name.") not in others]
    return replaced(tale.text, rf"^\[%told 1 {re.escape(told[0])} [^\n]*\n", lambda line: "") if told else None


@lie("record")
def a_placeholder_has_other_digits(tale: Tale) -> Any:
    return replaced(tale.text, r'(?<="somebody-)[0-9a-f]|(?<="withheld-)[0-9a-f]', another_digit)


@lie("record")
def a_placeholder_is_of_the_other_sort(tale: Tale) -> Any:
    return replaced(tale.text, r'(?<=")somebody(?=-[0-9a-f]{8}"\]$)', lambda word: "withheld")


@lie("record")
def a_substitute_is_called_otherwise(tale: Tale) -> Any:
    return replaced(
        tale.text, r'(?<= substitute: )(\w+) "[^\n]*?"(?= \[%)', lambda said: f'{said.split()[0]} "Zacharias"'
    )


@lie("record")
def an_ending_has_another_reason(tale: Tale) -> Any:
    return replaced(tale.text, r'(?<= end: )[a-z ]+ "[^\n]*?"(?= \[%)', lambda said: said.split(' "')[0] + ' "a whim"')


@lie("record")
def another_person_played(tale: Tale) -> Any:
    return replaced(
        tale.text, r'(?<=^\[Player\.)(\w+ ")[a-z2-7]', lambda said: said[:-1] + ("b" if said[-1] == "a" else "a")
    )


@lie("record")
def a_person_is_not_named(tale: Tale) -> Any:
    return replaced(tale.text, r"^\[Player\.[^\n]*\n", lambda line: "")


@lie("seals")
def people_have_changed_places(tale: Tale) -> Any:
    """Ids and seals of two seats; the names that are told are where they were."""
    opened = tale.pick("opened", where=lambda event: event.told)

    def change(event: Any) -> Any:
        people = event.data["people"]
        told = event.told[0].field.removeprefix("name.")
        other = next(seat for seat in people if seat != told)
        return event._replace(data={**event.data, "people": {**people, told: people[other], other: people[told]}})

    return tale.spoil(opened, change)


@lie("record")
def headers_have_changed_places(tale: Tale) -> Any:
    return swapped(tale.text, r'(?<=\n)(\[Seat\.\w+ "[^\n]*\n)(\[Seat\.\w+ "[^\n]*\n)')


@lie("seals")
def private_words_are_told(tale: Tale) -> Any:
    private = tale.pick("press", where=lambda event: event.data["to"] != "all")
    events = [tale.tell(event, "words", "only for you") if event is private else event for event in tale.events]
    return tale.write(events) if private else None


@lie("seals")
def something_is_told_where_nothing_was_said(tale: Tale) -> Any:
    silent = tale.pick(*SAID, where=lambda event: not event.data[SAID[event.kind]])
    return tale.spoil(silent, lambda event: tale.tell(event, SAID[event.kind], "well"))


@lie("seals")
def something_is_told_behind_a_move(tale: Tale) -> Any:
    return tale.spoil(tale.pick(*TURNS), lambda event: tale.tell(event, "phrase", "well"))


@lie("seals")
def a_note_tells_what_it_has_not_sealed(tale: Tale) -> Any:
    note = tale.pick(where=lambda event: NOTE.match(event.kind) and "more" in event.data)
    return tale.spoil(note, lambda event: tale.tell(event, "seat", event.data["seat"]))


@lie("annotations")
def words_are_not_sealed(tale: Tale) -> Any:
    said = tale.pick(*SAID, where=lambda event: event.kind not in ("ended", "substituted", "invited"))
    return tale.spoil(said, lambda event: event._replace(told=(), data={**event.data, SAID[event.kind]: "good luck"}))


@lie("annotations")
def a_reason_is_missing(tale: Tale) -> Any:
    kinds = ("appealed", "extended", "ruled", "warranted", "restored", "declined", "called-off")
    said = tale.pick(*kinds, where=lambda event: not event.told)
    return tale.without(said, SAID[said.kind]) if said else None


@lie("annotations")
def a_name_is_not_sealed(tale: Tale) -> Any:
    named = tale.pick("invited", "substituted", where=lambda event: event.told)
    return tale.spoil(named, lambda event: event._replace(data={**event.data, "name": event.told[0].text}))


@lie("annotations")
def somebody_has_no_name(tale: Tale) -> Any:
    told = tale.pick("opened", where=lambda event: event.told)
    return tale.spoil(told, lambda event: event._replace(data=with_seal(event, event.told[0].field, "")))


@lie("annotations")
def names_stand_beside_the_people(tale: Tale) -> Any:
    return tale.data(tale.events[0], names=dict.fromkeys(tale.events[0].data["seats"], "Anna"))


@lie("annotations")
def a_person_without_a_seat(tale: Tale) -> Any:
    people = tale.events[0].data["people"]
    return tale.data(tale.events[0], people={**people, "nowhere": next(iter(people.values()))})


@lie("annotations")
def a_person_has_a_strange_id(tale: Tale) -> Any:
    opened, seat = tale.events[0], tale.chance.choice(tale.events[0].data["seats"])
    person, strange = (
        opened.data["people"][seat],
        tale.chance.choice(["anna", "abcdefghijk1", "ABCDEFGHIJKL", "a" * 13]),
    )
    return tale.data(opened, people={**opened.data["people"], seat: {**person, "id": strange}})


@lie("annotations")
def a_person_has_an_address(tale: Tale) -> Any:
    opened, seat = tale.events[0], tale.events[0].data["seats"][0]
    person = {**opened.data["people"][seat], "mail": "anna@players.example"}
    return tale.data(opened, people={**opened.data["people"], seat: person})


@lie("annotations")
def somebody_is_named_beside_the_data(tale: Tale) -> Any:
    where = tale.pick(where=lambda event: not NOTE.match(event.kind))
    return tale.data(where, **{tale.chance.choice(["who", "remark", "player"]): "Anna"})


@lie("annotations")
def press_has_the_digest_of_the_first_form(tale: Tale) -> Any:
    return tale.data(tale.pick("press"), words_sha256="ab" * 32)


@lie("annotations")
def a_move_has_words_in_it(tale: Tale) -> Any:
    played = tale.pick("played", where=lambda event: "plies" not in event.data)
    return tale.data(played, phrase=f'{played.data["phrase"]} "ha"') if played else None


def replaced(text: Any, pattern: Any, change: Any) -> Any:
    """A text with the first match of a pattern changed, or nothing."""
    made, count = re.subn(pattern, lambda found: change(found[0]), text, count=1, flags=re.MULTILINE)
    return made if count else None


def swapped(text: Any, pattern: Any) -> Any:
    """A text in which two lines have changed places, or nothing."""
    made, count = re.subn(pattern, r"\2\1", text, count=1, flags=re.MULTILINE)
    return made if count and made != text else None


def another_digit(digit: Any) -> Any:
    return "1" if digit == "0" else "0"


# -- Seats that were drawn


def with_seated(tale: Tale, seated: Any) -> Any:
    """The record whose first event says that these seats were drawn."""
    return tale.data(tale.events[0], proof={**tale.events[0].data["proof"], "seated": seated})


@lie("draws")
def somebody_sits_where_no_seed_has_put_them(tale: Tale) -> Any:
    """The last of those who were drawn has a letter with a lower lot than the first; all other draws follow from it."""
    opened = tale.events[0].data
    seated = opened["proof"].get("seated")
    if not seated or tale.ending.seed is None or not tale.first("started"):
        return None
    first = seat_lot(tale.ending.seed, tale.game, stirred_in(tale.events)[opened["seats"].index(seated[0])])
    lower = (tale.chance.randbytes(32).hex() for _ in range(10_000))
    letter = next((each for each in lower if seat_lot(tale.ending.seed, tale.game, each) < first), None)
    if letter is None:
        return None

    def other(event: Any) -> Any:
        is_last = event.kind == "accepted" and event.data["seat"] == seated[-1]
        return event._replace(data={**event.data, "entropy_sha256": letter}) if is_last else event

    return tale.write(events=[other(event) for event in tale.events])


@lie("table")
def drawn_seats_are_not_seats_in_their_order(tale: Tale) -> Any:
    seats = tale.events[0].data["seats"]
    wrong = [seats[::-1], [seats[0]], [seats[0], seats[0]], [*seats, "mauve"], [], "drawn", True, {}, None]
    return with_seated(tale, tale.chance.choice(wrong))
