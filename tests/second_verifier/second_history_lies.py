"""Records as forgers leave them who lie about the whole history: its form, its seats, its ends, its keys.

Like the lies in `second_lies`, each takes an honest record and gives one in which everything else fits. Some are told
of records of the first form, in which nothing of the second may occur.
"""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from tests.second_verifier.second_lies import replaced
from tests.second_verifier.second_reading import Entry
from tests.second_verifier.second_scribe import Lie, Tale
from tests.second_verifier.second_shapes import NOTE
from tests.second_verifier.second_writing import canon

ABOUT_HISTORIES: dict[Lie, tuple[str, ...]] = {}
OF_THE_FIRST_FORM: list[Lie] = []


def lie(*checks: str) -> Callable[[Lie], Lie]:
    """Count this among the lies about histories of the second form; it is found out in one of these checks."""

    def count(tell: Lie) -> Lie:
        ABOUT_HISTORIES[tell] = checks
        return tell

    return count


def first_lie(tell: Lie) -> Lie:
    """Count this among the lies about histories of the first form."""
    OF_THE_FIRST_FORM.append(tell)
    return tell


# -- Answers that are excused


@lie("table")
def an_answer_is_excused_that_came(tale: Tale) -> Any:
    came = [each for each in tale.events if each.kind == "played" and each.data["by"] == "player"]
    answered = tale.chance.choice(came) if came else None
    data = {"seat": answered.data["seat"], "event": answered.seq, "by": "referee", "reason": ""} if answered else {}
    return tale.insert(answered.seq, "note.excused", data) if answered else None


@lie("table")
def an_answer_is_excused_twice(tale: Tale) -> Any:
    excused = tale.pick("note.excused")
    return tale.insert(excused.seq, "note.excused", {**excused.data, "reason": ""}) if excused else None


@lie("table")
def the_answer_of_another_seat_is_excused(tale: Tale) -> Any:
    excused = tale.pick("note.excused")
    others = [each for each in tale.events[0].data["seats"] if excused and each != excused.data["seat"]]
    return tale.data(excused, seat=tale.chance.choice(others)) if excused else None


@lie("table")
def a_term_changes_where_nobody_plays(tale: Tale) -> Any:
    place = len(tale.events) if tale.first("ended") else 1
    data = {"term": "pace", "old": "3d", "new": "2d", "by": "referee", "reason": ""}
    return tale.insert(place, "note.changed", data)


# -- Turns taken back


def undone_after(tale: Tale, place: Any, **data: Any) -> Any:
    """The record in which somebody goes back after so many events, if it promised a rule for that."""
    if "undo" not in tale.events[0].data["proof"]:
        return None
    entry = Entry(tale.turn_at(tale.events[place - 1]), "", "", [], 0)
    return tale.insert(place, "undone", data, entry=entry)


@lie("table")
def a_turn_is_taken_back_though_others_have_played(tale: Tale) -> Any:
    played = [event for event in tale.events if event.kind == "played"]
    chosen = ((one, two) for one, two in pairwise(played) if two.data["by"] != "forced")
    pairs = [(one, two) for one, two in chosen if one.data["seat"] != two.data["seat"]]
    if not pairs:
        return None
    one, two = tale.chance.choice(pairs)
    return undone_after(tale, two.seq, turn=one.data["turn"], by=one.data["seat"])


@lie("table")
def nothing_is_taken_back_and_somebody_goes_back(tale: Tale) -> Any:
    started = tale.first("started")
    return started and undone_after(tale, started.seq, turn=1, by=tale.events[0].data["seats"][0])


@lie("table")
def a_rule_about_taking_back_that_there_is_not(tale: Tale) -> Any:
    rule = tale.chance.choice([0, 2, "1", True])
    return tale.data(tale.events[0], proof={**tale.events[0].data["proof"], "undo": rule})


# -- The form, and kinds of events


def with_form(tale: Tale, form: Any) -> Any:
    """The record, its first event saying another form, or none."""
    proof = {name: value for name, value in tale.events[0].data["proof"].items() if name != "form"}
    return tale.data(tale.events[0], proof=proof if form is None else {**proof, "form": form})


@lie("annotations")
def no_form_is_told(tale: Tale) -> Any:
    return with_form(tale, None)


@lie("annotations")
def no_form_is_told_and_the_header_fits(tale: Tale) -> Any:
    return with_form(tale, None).replace('\n[Proof "2"]\n', '\n[Proof "1"]\n')


@lie("annotations")
def there_is_no_such_form(tale: Tale) -> Any:
    form = tale.chance.choice([1, 3, "2", True, None, [2]])
    text = with_form(tale, form) if form is not None else None
    return text and text.replace('\n[Proof "2"]\n', tale.chance.choice(['\n[Proof "2"]\n', f'\n[Proof "{form}"]\n']))


@lie("record")
def the_header_says_the_first_form(tale: Tale) -> Any:
    return tale.text.replace('\n[Proof "2"]\n', '\n[Proof "1"]\n')


@first_lie
def the_header_says_the_second_form(tale: Tale) -> Any:
    return tale.text.replace('\n[Proof "1"]\n', '\n[Proof "2"]\n')


@first_lie
def a_first_form_says_that_it_is_the_second(tale: Tale) -> Any:
    return with_form(tale, 2).replace('\n[Proof "1"]\n', '\n[Proof "2"]\n')


@first_lie
def a_kind_of_the_second_form_in_the_first(tale: Tale) -> Any:
    seat = tale.events[0].data["seats"][0]
    kind, data = tale.chance.choice(
        [
            ("restored", {"reason": "", "by": "operator"}),
            ("note.pencilled", {}),
            ("called-off", {"reason": "", "by": "operator"}),
            ("rekeyed", {"key": "ab" * 32, "signature": "", "by": "operator"}),
            ("invited", {"seat": seat, "id": "abcdefghijkl", "name": "ab" * 32, "by": "operator"}),
        ]
    )
    return tale.insert(tale.chance.randrange(1, len(tale.events)), kind, data)


@first_lie
def a_text_is_told_in_the_first_form(tale: Tale) -> Any:
    return replaced(tale.text, r"^\[%event 1 [^\n]*\n", lambda line: f'{line}[%told 1 name.red {"ab" * 32} "Anna"]\n')


@lie("annotations")
def a_kind_that_nobody_knows(tale: Tale) -> Any:
    kind = tale.chance.choice(["danced", "note", "note.", "notes.a", "note.a.b", "x.note.a"])
    return tale.insert(tale.chance.randrange(1, len(tale.events)), kind, {})


@lie("record")
def a_note_is_an_entry(tale: Tale) -> Any:
    note = tale.pick(where=lambda event: NOTE.match(event.kind) and not event.told)
    if not note:
        return None
    return replaced(tale.text, rf"^\[%event {note.seq} ", lambda line: f'{tale.turn_at(note)}. pause: "tea" {line}')


# -- Seats


@lie("annotations", "table")
def a_table_that_plays_is_called_off(tale: Tale) -> Any:
    started = tale.first("started")
    return tale.insert(len(tale.events), "called-off", {"reason": "", "by": "operator"}) if started else None


@lie("table")
def something_happens_after_it_was_called_off(tale: Tale) -> Any:
    if tale.events[-1].kind != "called-off":
        return None
    seat = tale.events[0].data["seats"][0]
    kind, data = tale.chance.choice(
        [
            ("note.sigh", {}),
            ("press", {"from": seat, "to": "all", "words": ""}),
            ("called-off", {"reason": "", "by": "operator"}),
            ("declined", {"seat": seat, "reason": ""}),
        ]
    )
    return tale.insert(len(tale.events), kind, data)


@lie("annotations")
def secrets_stay_closed_after_it_was_called_off(tale: Tale) -> Any:
    if tale.events[-1].kind != "called-off":
        return None
    return tale.write(ending=tale.ending._replace(seed=None, blind=None))


@lie("annotations")
def a_declined_seat_opens_the_secrets(tale: Tale) -> Any:
    kinds = [event.kind for event in tale.events[-2:]]
    return tale.drop(tale.events[-1]) if kinds == ["declined", "called-off"] else None


@lie("annotations")
def secrets_are_open_while_the_game_goes_on(tale: Tale) -> Any:
    return tale.drop(tale.events[-1]) if tale.events[-1].kind == "ended" else None


@lie("annotations")
def one_secret_stays_closed(tale: Tale) -> Any:
    name = tale.chance.choice(["seed", "blind"])
    return tale.write(ending=tale.ending._replace(**{name: None})) if tale.is_over else None


@lie("table")
def somebody_is_invited_to_a_game_that_plays(tale: Tale) -> Any:
    started, seat = tale.first("started"), tale.events[0].data["seats"][0]
    data = {"seat": seat, "id": "abcdefghijkl", "name": "ab" * 32, "by": "operator"}
    return tale.insert(started.seq, "invited", data) if started else None


@lie("table")
def somebody_is_invited_to_a_seat_that_is_taken(tale: Tale) -> Any:
    started = tale.first("started")
    taken = tale.pick("accepted", where=lambda event: not any_declined(tale, event))
    if not taken or not started:
        return None
    data = {"seat": taken.data["seat"], "id": "abcdefghijkl", "name": "ab" * 32, "by": "operator"}
    return tale.insert(started.seq - 1, "invited", data)


def any_declined(tale: Tale, accepted: Any) -> Any:
    """Whether somebody left the seat again who had accepted it."""
    later = tale.events[accepted.seq :]
    return any(event.kind == "declined" and event.data["seat"] == accepted.data["seat"] for event in later)


@lie("table")
def somebody_declines_a_game_that_plays(tale: Tale) -> Any:
    started, seat = tale.first("started"), tale.events[0].data["seats"][0]
    return tale.insert(started.seq, "declined", {"seat": seat, "reason": ""}) if started else None


@lie("table")
def a_game_starts_without_somebody(tale: Tale) -> Any:
    accepted = tale.pick("accepted", where=lambda event: not any_declined(tale, event))
    return tale.drop(accepted) if accepted and tale.first("started") else None


@lie("table")
def a_game_starts_with_somebody_who_declined(tale: Tale) -> Any:
    started, seat = tale.first("started"), tale.events[0].data["seats"][0]
    return tale.insert(started.seq - 1, "declined", {"seat": seat, "reason": ""}) if started else None


@lie("table")
def a_seat_is_accepted_twice(tale: Tale) -> Any:
    started = tale.first("started")
    accepted = tale.pick("accepted", where=lambda event: not any_declined(tale, event))
    return tale.insert(started.seq - 1, "accepted", accepted.data) if started and accepted else None


@lie("table")
def somebody_accepts_a_seat_after_leaving_it(tale: Tale) -> Any:
    """Nobody was invited again."""
    invited = tale.pick("invited")
    return tale.drop(invited) if invited and tale.first("started") else None


@lie("table")
def somebody_declines_twice(tale: Tale) -> Any:
    declined = tale.pick("declined")
    return tale.insert(declined.seq, "declined", {"seat": declined.data["seat"], "reason": ""}) if declined else None


@lie("table")
def somebody_accepts_a_game_that_plays(tale: Tale) -> Any:
    started, accepted = tale.first("started"), tale.first("accepted")
    return tale.insert(started.seq, "accepted", accepted.data) if started else None


@lie("table")
def a_seat_that_is_not_there(tale: Tale) -> Any:
    return tale.insert(1, "declined", {"seat": "nowhere", "reason": ""})


# -- Keys


def other_key(tale: Tale) -> Any:
    """A key of the post that this game does not know."""
    return tale.scribe.public(len(tale.scribe.keys) - 1)


@lie("signature")
def a_record_is_signed_with_the_old_key(tale: Tale) -> Any:
    old = tale.events[0].data["proof"].get("key")
    return tale.write(signer=old) if tale.first("rekeyed") else None


@lie("signature")
def a_new_key_comes_and_the_old_one_signs(tale: Tale) -> Any:
    """A key that nobody vouches for is announced, and the record signed with the old one all the same."""
    if tale.first("rekeyed") or not tale.ending.signed:
        return None
    text = tale.insert(len(tale.events) - 1, "rekeyed", {"key": other_key(tale), "signature": "", "by": "operator"})
    return Tale(tale.scribe, text, tale.chance).write(signer=tale.events[0].data["proof"]["key"])


@lie("signature")
def a_record_is_signed_with_an_unknown_key(tale: Tale) -> Any:
    return tale.write(signer=other_key(tale)) if tale.ending.signed else None


@lie("signature")
def somebody_else_vouches_for_a_key(tale: Tale) -> Any:
    data = {"key": other_key(tale), "signature": "", "by": "operator"}
    if not tale.ending.signed:
        return None
    place = len(tale.events) - 1
    said = canon(["pbm-rekeyed-1", tale.ending.signed[0], tale.game, place + 1, data["key"]])
    made = Tale(tale.scribe, tale.insert(place, "rekeyed", data), tale.chance)
    signature = tale.scribe.sign(other_key(tale), said).hex()
    return made.data(made.events[place], signature=signature)


@lie("signature")
def a_key_was_vouched_for_elsewhere(tale: Tale) -> Any:
    """The old key signed the same, but for another event or another game."""
    rekeyed = tale.first("rekeyed")
    if not rekeyed or not tale.ending.signed:
        return None
    wrong = tale.chance.choice([(tale.game, rekeyed.seq + 1), ("another", rekeyed.seq), ("", 0)])
    said = canon(["pbm-rekeyed-1", tale.ending.signed[0], *wrong, rekeyed.data["key"]])
    return tale.data(rekeyed, signature=tale.scribe.sign(tale.events[0].data["proof"].get("key"), said).hex())


@lie("annotations")
def a_key_is_no_key(tale: Tale) -> Any:
    rekeyed = tale.first("rekeyed")
    return tale.data(rekeyed, key=tale.chance.choice(["", "ab" * 31, "AB" * 32])) if rekeyed else None


@lie("annotations")
def a_restored_copy_says_more(tale: Tale) -> Any:
    return tale.data(tale.first("restored"), turn=3)


def kinds(scribe: Any, lies: Any) -> Any:
    """Lies as functions like those of `second_forgeries`: of a text, chance, and another record, which is not used."""

    def of(tell: Lie) -> Any:
        def forge(text: Any, chance: Any, sister: Any) -> Any:
            return tell(Tale(scribe, text, chance))

        forge.__name__ = tell.__name__
        return forge

    return tuple(of(tell) for tell in lies)


def form_in(text: Any) -> Any:
    """The form that a record says it has."""
    found = re.search(r'^\[Proof "([12])"\]$', text, re.MULTILINE)
    return int(found[1]) if found else 0


# -- Somebody plays for another


@lie("table")
def somebody_plays_for_two(tale: Tale) -> Any:
    lent = tale.pick("note.delegated")
    return tale.insert(lent.seq, "note.delegated", dict(lent.data)) if lent else None


@lie("table")
def a_delegation_ends_that_never_began(tale: Tale) -> Any:
    started = tale.first("started")
    seat = tale.events[0].data["seats"][0]
    return tale.insert(started.seq, "note.delegation-ended", {"seat": seat}) if started else None
