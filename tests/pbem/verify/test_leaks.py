"""Nothing that is sealed leaves the house before its time, in whatever clothes."""

from collections.abc import Callable
from typing import Any

import pytest

from pbem.events.chain import BY
from pbem.events.codec import encode
from pbem.proof.draws import Sealer, commitment
from tests.pbem.verify.conftest import Town
from tests.post.secrets.searching import Haystack


def test_no_mail_before_the_end_holds_seed_or_blind_key(town: Town) -> None:
    assert len(town.before_the_end) >= 19
    hay = Haystack(raw for _, raw in town.before_the_end)
    assert hay.find({"seed": town.row.seed, "blind key": town.row.blind}) == []


def test_a_blinding_is_mailed_to_nobody_but_those_who_may_open_it(town: Town) -> None:
    sealer = Sealer(town.row.id, town.row.blind)
    sealed = [
        (event.seq, event.sealed.readers if event.sealed is not None and field[0] != BY else (), field)
        for event in town.events
        for field in event.fields
    ]
    assert any(name == BY for _, _, (name, _) in sealed)
    for seat in town.seats:
        hay = Haystack(raw for reader, raw in town.before_the_end if reader == seat)
        opened = 0
        for seq, readers, field in sealed:
            found = hay.find({"blinding": bytes.fromhex(sealer.open(seq, *field, 0).blinding)})
            assert not found or seat in readers
            opened += len(found)
        assert opened


def test_every_commitment_opens_at_the_end(town: Town) -> None:
    sealer, checked = Sealer(town.row.id, town.row.blind), 0
    for event in town.events:
        fields = event.fields
        assert len(fields) == len(event.commitments)
        for field, given in zip(fields, event.commitments, strict=True):
            opening = sealer.open(event.seq, *field, 0)
            assert commitment(town.row.id, opening) == given
            assert commitment(town.row.id, opening._replace(value="card fennec 0")) != given
            checked += 1
    assert checked


@pytest.mark.parametrize("form", [1, 2])
@pytest.mark.parametrize(("name", "moves"), [("shy-well", 4), ("nomadi", 60)])
def test_no_record_before_the_end_tells_what_its_reader_may_not_know(
    operator: Callable[..., Any], name: str, moves: int, form: int
) -> None:
    game = operator(game=name, players=3, form=form).begin().play(moves)
    epoch = 0 if form == 2 else None
    sealer = Sealer(game.table, game.blind)
    assert any(event.sealed is not None for event in game.events)
    for reader in ("public", *encode(game.events[0].payload)["seats"]):
        text = game.text(reader).encode()
        assert Haystack([text]).find({"seed": game.seed, "blind key": game.blind}) == []
        for event in game.events:
            if event.sealed is not None and reader not in event.sealed.readers:
                for hidden, value in event.sealed.fields:
                    assert sealer.open(event.seq, hidden, value, epoch).blinding.encode() not in text
                line = next(line for line in text.splitlines() if f"[%event {event.seq} ".encode() in line)
                assert event.sealed.phrase.encode() not in line


def test_how_many_seals_an_event_has_does_not_depend_on_what_they_hide(operator: Callable[..., Any]) -> None:
    counts = []
    for seed in (b"a" * 32, b"z" * 32):
        game = operator(players=3, seed=seed).begin()
        counts.append(
            [(event.kind, encode(event.payload).get("phrase"), len(event.commitments)) for event in game.events[:8]]
        )
    assert counts[0] == counts[1]
