"""A game that came from another house goes on here: what was drawn there is taken on trust, and said to be."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import registry
from engine.chance import KeyedDealer
from engine.game import CHANCE
from notation import Record
from pbem.disputes.case_facts import prove_draws
from pbem.disputes.replayed_history import replay_history
from pbem.events.codec import encode
from pbem.judging.lookahead import sample_game
from pbem.proof.statements import Statement, sign_statement
from pbem.service.post_folder import CreatedPost, create_post
from pbem.tables.chance import random_moves
from pbem.tables.fold import fold
from pbem.verify.check_record import Checker, verify_text
from pbem.verify.check_statements import find_statements
from pbem.verify.mailboxes import read_mailboxes
from pbem.workflow.context import open_context
from pbem.workflow.import_record import import_game
from pbem.workflow.open_game import Guest
from tests.pbem.verify.conftest import Town
from tests.second_verifier.second_statements import contradicted_statements
from tests.second_verifier.second_verifier import check


@pytest.fixture
def guest_game(town: Town, tmp_path: Path) -> Iterator[Any]:
    """The second half of a game of The Shy Well, played at another post than the first half."""
    game = registry.find_game("shy-well")
    assert game is not None
    record = sample_game(game, seats=game.seats[:2], dealer=KeyedDealer(b"elsewhere"), name=town.row.id)
    ends = [place for place, entry in enumerate(record.entries) if entry.who == CHANCE]
    headers = tuple((name, "*" if name == "Result" else value) for name, value in record.headers)
    half = Record(headers, record.entries[: ends[2] + 1])
    made = create_post(tmp_path / "other", {"post.address": "caravan@post.test"})
    assert isinstance(made, CreatedPost)
    context = open_context(replace(made.settings, post=replace(made.settings.post, answers_per_hour=1_000)))
    guests = [Guest(seat, seat, f"{seat}@players.test") for seat in half.seats]
    import_game(context, town.row.id, half, guests, terms={})
    other = type(town)(context, half.seats)
    other.collect()
    number = 0
    while (table := fold(other.events)).due:
        seat, number = table.due[0], number + 1
        other.write(seat, random_moves(table, seat, KeyedDealer(f"{number}".encode())), turn=table.turn)
    yield other
    context.store.close()


def test_a_game_that_was_taken_in_is_proved_from_there_on(guest_game: Any, tmp_path: Path) -> None:
    taken_in = encode(guest_game.events[0].payload)["proof"]["taken_in"]
    assert 0 < taken_in < len(guest_game.events)
    boxes = [guest_game.mbox(tmp_path, seat) for seat in guest_game.seats]
    (verified,) = Checker(guest_game.public, read_mailboxes(boxes)).check(guest_game.text())
    assert verified.findings == ()


def test_no_draw_after_that_is_taken_on_trust(guest_game: Any) -> None:
    """An operator cannot say later that more was taken in: the first event says how much it was."""
    text = guest_game.text()
    claim = f'"taken_in":{encode(guest_game.events[0].payload)["proof"]["taken_in"]}'
    assert claim in text
    (verified,) = verify_text(text.replace(claim, '"taken_in":999'))
    assert not verified.is_good


def test_of_draws_that_were_taken_in_the_post_states_nothing(guest_game: Any) -> None:
    taken_in = encode(guest_game.events[0].payload)["proof"]["taken_in"]
    dealt = [event for event in guest_game.events if event.kind == "dealt"]
    drawn = list(
        prove_draws(replay_history(guest_game.events), dealt, guest_game.row.seed, "public", guest_game.context.signer)
    )
    elsewhere = [each for each in drawn if each.seq <= taken_in]
    here = [each for each in drawn if each.seq > taken_in]
    assert elsewhere
    assert here
    assert {(each.fits, each.statement, each.picks) for each in elsewhere} == {(None, (), ())}
    assert all(each.fits and "follows yes" in each.statement for each in here)


@pytest.mark.parametrize("follows", [True, False])
def test_both_hear_when_the_post_stated_something_about_a_draw_that_was_taken_in(
    guest_game: Any, follows: bool
) -> None:
    history, signer = replay_history(guest_game.events), guest_game.context.signer
    first = next(event for event in guest_game.events if event.kind == "dealt")
    table = history.before(first)
    place = (table.epoch, table.moves.length, table.moves.head)
    seed = encode(guest_game.events[0].payload)["proof"]["seed"]
    statement = Statement(signer.name, table.id, (first.seq, first.hash), seed, place, follows, signer.key_id)
    stated = "\n".join(sign_statement(statement, signer))
    (verified,) = Checker(stated=find_statements(stated)).check(guest_game.text())
    assert [finding.reason for finding in verified.findings] == [
        f"the post made a statement about event {first.seq}, which was taken in: no seed of its own speaks for that"
    ]
    events, _ = check(guest_game.text())
    assert list(contradicted_statements(table.id, events, stated))
