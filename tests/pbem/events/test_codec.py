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


def data_of(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    """All data that a kind of event can have: without optional fields or with them, and with some that are unknown."""
    fields = fields_of(kind)
    known = st.fixed_dictionaries(
        {field.wire_name: _VALUES[field.shape] for field in fields if not field.optional},
        optional={field.wire_name: _VALUES[field.shape] for field in fields if field.optional},
    )
    names = _TEXT.filter(lambda name: name not in {field.wire_name for field in fields})
    return st.builds(lambda data, more: data | more, known, st.dictionaries(names, _TEXT | st.integers(), max_size=2))


ANY_DATA = st.sampled_from(sorted(KINDS)).flatmap(lambda kind: st.tuples(st.just(kind), data_of(kind)))


@given(ANY_DATA)
def test_what_is_read_is_written_again_to_the_byte(event: tuple[str, dict[str, Any]]) -> None:
    kind, data = event
    payload = decode(kind, data)
    assert canonical(encode(payload)) == canonical(data)
    assert decode(kind, json.loads(canonical(encode(payload)))) == payload
    assert kind == payload.KIND


@pytest.mark.parametrize("kind", KINDS)
@given(st.data())
def test_data_without_the_shape_of_its_kind_is_refused(kind: str, data: st.DataObject) -> None:
    whole = data.draw(data_of(kind))
    field: Field = data.draw(st.sampled_from(fields_of(kind)))
    if not field.optional:
        with pytest.raises(MalformedEventError, match=field.wire_name):
            decode(kind, {name: value for name, value in whole.items() if name != field.wire_name})
    for odd in (None, 1.5, {"x": 1} if field.shape != "values by name" else [], [1], True, "2026-1-1", "20260101"):
        if (field.shape == "string" and isinstance(odd, str)) or (field.shape == "yes or no" and isinstance(odd, bool)):
            continue
        with pytest.raises(MalformedEventError, match=field.wire_name):
            decode(kind, {**whole, field.wire_name: odd})


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
    assert {GameOpened, *moves, *fold._CHANGES} == set(KINDS.values())


def test_every_entry_of_a_record_is_an_event_of_a_known_kind() -> None:
    assert all(any(issubclass(kind, entry) for kind in KINDS.values()) for entry in ENTRIES)
