"""Payloads and their data: what is read is written again exactly, and nothing else is read."""

import json
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.digest import canonical
from pbem.events.annotations import ENTRIES
from pbem.events.codec import Field, MalformedEventError, decode, encode, fields_of
from pbem.events.kinds import KINDS, GameOpened, MovesMade, PressSent
from pbem.events.payload import Payload
from pbem.events.post_kinds import Note
from pbem.events.told import SEALED_TEXTS, Told, find_seals
from pbem.tables import fold

TESTS = Path(__file__).parents[2]

_TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "string": _TEXT,
    "number": st.integers(),
    "yes or no": st.booleans(),
    "date": st.dates().map(lambda day: day.isoformat()),
    "strings": st.lists(_TEXT, max_size=3),
    "texts by name": st.dictionaries(_TEXT, _TEXT, max_size=3),
    "values by name": st.dictionaries(_TEXT, _TEXT | st.integers() | st.booleans() | st.none(), max_size=3),
}


_SEAL = st.binary(min_size=32, max_size=32).map(bytes.hex)
_ID = st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=12, max_size=12)
FORMS = [(kind, form) for kind in KINDS for form in (1, 2) if form >= KINDS[kind].SINCE]


def data_of(kind: str, form: int) -> st.SearchStrategy[dict[str, Any]]:
    """All data that a kind of event can have: with optional fields or without, and in the first form unknown ones."""
    if (kind, form) == ("opened", 2):
        return st.lists(_TEXT, max_size=3, unique=True).flatmap(_opened)
    fields = [field for field in fields_of(kind) if form in field.forms]
    values = {field.wire_name: _VALUES[field.shape] for field in fields}
    if form == 2 and kind in SEALED_TEXTS:
        sealed = SEALED_TEXTS[kind]
        values[sealed] = _SEAL if sealed in ("name", "move") else _SEAL | st.just("")
        values |= {"id": _ID} if sealed == "name" else {}
    optional = {field.wire_name for field in fields if form in field.lacking_in}
    optional -= {"words"} if form == 2 else set()
    known = st.fixed_dictionaries(
        {name: value for name, value in values.items() if name not in optional},
        optional={name: value for name, value in values.items() if name in optional},
    )
    if form == 2:
        return known
    names = _TEXT.filter(lambda name: name not in {field.wire_name for field in fields_of(kind)})
    return st.builds(lambda data, more: data | more, known, st.dictionaries(names, _TEXT | st.integers(), max_size=2))


def _opened(seats: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    person = st.fixed_dictionaries({"id": _ID, "name": _SEAL})
    texts = _VALUES["texts by name"]
    return st.fixed_dictionaries(
        {
            "game": _TEXT,
            "rules": _TEXT,
            "seats": st.just(seats),
            "people": st.fixed_dictionaries(dict.fromkeys(seats, person)),
            "options": texts,
            "terms": _VALUES["values by name"],
            "headers": texts,
            "proof": st.just({"form": 2}),
        }
    )


def read(kind: str, data: dict[str, Any], form: int) -> tuple[Payload, dict[str, Told]]:
    """An event of which no text is told."""
    told = {field: Told(seal) for field, seal in find_seals(kind, data).items()} if form == 2 else {}
    return decode(kind, data, form=form), told


@pytest.mark.parametrize(("kind", "form"), FORMS)
@given(st.data())
def test_what_is_read_is_written_again_to_the_byte(kind: str, form: int, data: st.DataObject) -> None:
    given_data = data.draw(data_of(kind, form))
    payload, told = read(kind, given_data, form)
    assert canonical(encode(payload, told)) == canonical(given_data)
    assert decode(kind, json.loads(canonical(encode(payload, told))), form=form) == payload
    assert kind == payload.kind


@pytest.mark.parametrize(("kind", "form"), FORMS)
@given(st.data())
def test_data_without_the_shape_of_its_kind_is_refused(kind: str, form: int, data: st.DataObject) -> None:
    whole = data.draw(data_of(kind, form))
    field: Field = data.draw(st.sampled_from([field for field in fields_of(kind) if form in field.forms]))
    if form not in field.lacking_in:
        with pytest.raises(MalformedEventError, match=field.wire_name if form == 1 else None):
            decode(kind, {name: value for name, value in whole.items() if name != field.wire_name}, form=form)
    for odd in (None, 1.5, {"x": 1} if field.shape != "values by name" else [], [1], True, "2026-1-1", "20260101"):
        if (field.shape == "string" and isinstance(odd, str)) or (field.shape == "yes or no" and isinstance(odd, bool)):
            continue
        with pytest.raises(MalformedEventError, match=field.wire_name if form == 1 else None):
            decode(kind, {**whole, field.wire_name: odd}, form=form)


@pytest.mark.parametrize("kind", KINDS)
@given(st.data())
def test_neither_form_takes_what_only_the_other_has(kind: str, data: st.DataObject) -> None:
    if KINDS[kind].SINCE == 2:
        with pytest.raises(MalformedEventError, match="no kind of event"):
            decode(kind, data.draw(data_of(kind, 2)), form=1)
        return
    for form in (1, 2):
        whole = data.draw(data_of(kind, form))
        for field in fields_of(kind):
            if form not in field.forms:
                with pytest.raises(MalformedEventError):
                    decode(kind, {**whole, field.wire_name: data.draw(_VALUES[field.shape])}, form=form)


@pytest.mark.parametrize("kind", KINDS)
@given(st.data())
def test_the_second_form_has_no_room_for_words_that_nobody_knows(kind: str, data: st.DataObject) -> None:
    """They would stand in the chain unsealed, where nobody can forget them."""
    whole = data.draw(data_of(kind, 2))
    name = data.draw(_TEXT.filter(lambda name: name not in {field.wire_name for field in fields_of(kind)}))
    with pytest.raises(MalformedEventError):
        decode(kind, {**whole, name: "Anna"}, form=2)


@pytest.mark.parametrize("form", [True, 1, 3, "2", None])
def test_a_form_that_nobody_knows_is_refused(form: object) -> None:
    opened = {"game": "", "rules": "", "seats": [], "names": {}, "options": {}, "terms": {}, "headers": {}}
    with pytest.raises(MalformedEventError, match="form of proof"):
        decode("opened", {**opened, "proof": {"form": form}})


@pytest.mark.parametrize("kind", sorted(SEALED_TEXTS))
def test_a_plain_text_is_no_seal(kind: str) -> None:
    data: dict[str, Any] = {
        "seat": "red",
        "reason": "x",
        "by": "x",
        "id": "a" * 12,
        "name": "Anna",
        "words": "hi",
        "move": "F4",
    }
    with pytest.raises(MalformedEventError, match="is no seal"):
        decode(kind, data, form=2)


@given(_TEXT, _TEXT)
def test_a_note_of_a_kind_that_nobody_knows_is_kept_as_it_is(word: str, text: str) -> None:
    data = {"word": word, "more": [text, {"x": 1}]}
    note = decode("note.moon", data, form=2)
    assert (note.kind, encode(note)) == ("note.moon", data)
    for kind, form in (("note.moon", 1), ("note.pencilled", 1), ("note.", 2), ("note.Big", 2), ("notes", 2)):
        with pytest.raises(MalformedEventError, match="no kind of event"):
            decode(kind, data, form=form)


def test_an_unknown_kind_and_data_that_is_no_object_are_refused() -> None:
    with pytest.raises(MalformedEventError, match="danced is no kind of event"):
        decode("danced", {})
    with pytest.raises(MalformedEventError, match="not an object"):
        decode("press", [])


def test_fields_have_other_names_in_python_only_where_they_must() -> None:
    assert encode(PressSent("red", "all", words_sha256="", words="hi")) == {
        "from": "red",
        "to": "all",
        "words_sha256": "",
        "words": "hi",
    }


POSTS = sorted(TESTS.glob("yesterday/*/post.tar.xz"))


@pytest.mark.parametrize("path", POSTS, ids=lambda path: path.parent.name)
def test_every_event_of_a_post_of_an_earlier_version_keeps_its_bytes(path: Path, tmp_path: Path) -> None:
    with tarfile.open(path) as packed:
        packed.extract("./post.db", tmp_path, filter="data")
    with closing(sqlite3.connect(tmp_path / "post.db")) as database:
        events = database.execute("SELECT kind, data FROM event").fetchall()
    assert len(events) > 100
    for kind, data in events:
        assert canonical(encode(decode(kind, json.loads(data)))).decode() == data


def test_a_table_knows_what_every_kind_of_event_does() -> None:
    moves = {kind for kind in KINDS.values() if issubclass(kind, MovesMade)}
    assert {GameOpened, *moves, *fold._CHANGES} == {*KINDS.values(), Note}


def test_every_entry_of_a_record_is_an_event_of_a_known_kind() -> None:
    assert all(any(issubclass(kind, entry) for kind in KINDS.values()) for entry in ENTRIES)
