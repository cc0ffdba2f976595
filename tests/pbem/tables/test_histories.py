"""Histories of all kinds: events, table, record and referee agree, and each can be made from the others."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.digest import canonical
from engine.through_the_desert import GAME
from notation import Record, read_text, write_record
from pbem.cli.sample import make
from pbem.events.chain import ORIGIN, Draft, append_event
from pbem.events.codec import decode, encode
from pbem.events.record_conversion import drafts_from_record
from pbem.judging.entries import fill_in_numbers
from pbem.judging.record_replay import replay_record
from pbem.mail.commands.command import Command
from pbem.mail.commands.consent import Agree, Ask, Object
from pbem.mail.commands.press import Press
from pbem.mail.commands.questions import Status
from pbem.mail.commands.resign import Resign
from pbem.mail.commands.submit_moves import Plan, Play
from pbem.mail.commands.vacation import DropVacation, Vacation
from pbem.tables import play as playing
from pbem.tables import referee_decisions
from pbem.tables.chance import random_moves
from pbem.tables.fold import BrokenHistoryError, apply_event, fold
from pbem.tables.silence import SILENCE_POLICIES, handle_timeout
from pbem.tables.table import PLAYING, Table

Sit = Callable[..., Any]

DAY = date(2026, 11, 16)
RECORDS = sorted(Path("tests/records/through-the-desert").glob("*.turns"))


def wish(table: Table, seat: str, chance: Random) -> Command:
    """Something that a seat might send at any moment, sensible or not."""
    what = chance.choice(["undo", "pause", "resume", "draw"] if chance.random() < 0.1 else ["undo", "pause", "resume"])
    first = DAY + timedelta(days=chance.randrange(30))
    if table.votes and chance.random() < 0.6:
        answer = Agree if chance.random() < 0.8 else Object
        return answer(chance.choice(list(table.votes)))
    choices: list[Command] = [
        Ask(what),
        Ask("undo"),
        Agree(),
        Agree(what),
        Object(what),
        Press(chance.choice(["all", "referee", *table.seats]), 'words \u05d0 {of} "all" kinds\n\n'),
        Play("lilac A1"),
        Plan(("pass",)),
        Status(),
        Vacation(first, first + timedelta(days=2)),
        DropVacation(),
    ]
    return chance.choice(choices) if chance.random() > 0.02 else Resign()


def live(post: Any, chance: Random, steps: int) -> None:
    """Let a table live for some steps."""
    for _ in range(steps):
        if post.table.stage != PLAYING:
            return
        post.now += timedelta(minutes=chance.randrange(600))
        dice = chance.random()
        if dice < 0.6:
            play(post, chance)
        elif dice < 0.95:
            seat = chance.choice(post.table.seats)
            post.do(seat, wish(post.table, seat, chance))
        elif dice < 0.97:
            seat = chance.choice(post.table.seats)
            post.apply_events(
                referee_decisions.seat_substitute(post.table, seat, f"guest {len(post.events)}", post.dealer).drafts
            )
        elif dice < 0.98:
            reason = chance.choice(["an appeal", 'a "strange" reason', *post.table.pauses])
            act = referee_decisions.resume if reason in post.table.pauses else referee_decisions.pause
            post.apply_events(act(post.table, reason).drafts)
        else:
            (seat,) = post.table.due
            post.apply_events(handle_timeout(post.table, seat, plan=("pass",), dealer=post.dealer).drafts)


def play(post: Any, chance: Random) -> None:
    (seat,) = post.table.due
    text = random_moves(post.table, seat, post.dealer)
    if chance.random() < 0.2 and " " in text and not text.startswith(("leader", "remove")):
        text = " ".join(text.replace(",", "").split(" ")[:2])  # one camel only; the other may come later
    if seat in post.table.resigned:
        post.apply_events(playing.play(post.table, seat, text, post.dealer, letter="", by="chance").drafts)
    else:
        post.do(seat, Play(text))


def rebuilt(record: Record) -> Table:
    """The table that a record alone makes."""
    events, head = [], ORIGIN
    for seq, draft in enumerate(drafts_from_record(record)):
        events.append(append_event(record.header("Id") or "nameless", seq, head, draft, "2027-01-01T00:00:00Z"))
        head = events[-1].hash
    return fold(events)


def agree(table: Table) -> None:
    """All that must hold for a table that has begun, whatever happened at it."""
    text = write_record(table.record)
    (reading,) = read_text(text)
    assert reading.record == table.record, reading.faults
    replayed = replay_record(table.record)
    assert replayed.refusal is None, replayed.refusal
    assert replayed.position == table.position
    assert replayed.ending == table.ending
    again = rebuilt(table.record)
    assert write_record(again.record) == text
    for name in ("position", "epoch", "pauses", "resigned", "stage", "ending", "result", "turn", "due", "names"):
        assert getattr(again, name) == getattr(table, name), name


@pytest.mark.parametrize("policy", SILENCE_POLICIES)
def test_whatever_happens_at_a_table_its_record_stands_and_makes_it_again(sit: Sit, policy: str) -> None:
    happened = set()
    for players in GAME.players:
        for seed in range(4):
            post = sit(players, terms={"silence": policy, "absence": 9})
            live(post, Random(f"{players} {policy} {seed}"), 150)
            post.check()
            agree(post.table)
            happened |= {event.kind for event in post.events}
    votes = {"asked", "agreed", "objected", "dropped", "undone", "paused", "resumed"}
    assert happened >= votes | {"played", "press", "absence", "returned", "resigned", "substituted", "ended"}


def test_events_mean_the_same_after_they_were_kept_as_json(sit: Sit) -> None:
    post = sit(4)
    live(post, Random("kept"), 150)
    kept = [
        replace(event, payload=decode(event.kind, json.loads(canonical(encode(event.payload)))))
        for event in post.events
    ]
    assert fold(kept) == post.table
    assert write_record(fold(kept).record) == write_record(post.table.record)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_record_that_stands_can_be_taken_in_and_given_out_again(root: Path, path: Path) -> None:
    (reading,) = read_text((root / path).read_text("utf-8"))
    assert reading.record is not None
    record = fill_in_numbers(reading.record)
    bare = Record(record.headers, tuple(entry._replace(remarks=()) for entry in record.entries))
    table = rebuilt(bare)
    replayed = replay_record(bare)
    assert table.position == replayed.position
    assert table.ending == replayed.ending
    assert table.record.entries == bare.entries
    if bare.entries[-1:] and (bare.entries[-1].who == "end" or not replayed.over):
        assert table.record == bare


@pytest.mark.parametrize("players", GAME.players)
def test_every_sampled_game_can_be_taken_in_and_given_out_again(players: int) -> None:
    for seed in range(3):
        record = make(GAME, players, f"rebuilt {seed}")
        assert rebuilt(record).record == record


def test_headers_that_mean_nothing_to_the_game_are_kept() -> None:
    record = make(GAME, 2, "headers")
    talkative = Record((*record.headers, ("Event", "Sirocco cup"), ("Zebra", 'a "quoted" one')), record.entries)
    assert rebuilt(talkative).record == talkative


def test_a_record_of_an_unknown_game_makes_no_events() -> None:
    with pytest.raises(ValueError, match="unknown game"):
        list(drafts_from_record(Record((("Game", "tic-tac-toe"),))))


def test_a_history_that_cannot_be_is_never_passed_over(sit: Sit) -> None:
    with pytest.raises(BrokenHistoryError, match="without events"):
        fold([])
    post = sit(2)
    at = post.at
    with pytest.raises(BrokenHistoryError, match="opens no table"):
        fold([append_event("sirocco-7", 0, ORIGIN, Draft(decode("started", {"options": {}})), at)])
    odd = {**encode(post.events[0].payload), "game": "tic-tac-toe"}
    with pytest.raises(BrokenHistoryError, match="opens no table"):
        fold([append_event("sirocco-7", 0, ORIGIN, Draft(decode("opened", odd)), at)])
    unread = Draft(decode("played", {"seat": "red", "turn": 1, "phrase": "nonsense", "by": "player", "letter": ""}))
    with pytest.raises(BrokenHistoryError, match="cannot be read"):
        apply_event(post.table, append_event("sirocco-7", post.table.seq, post.table.head, unread, at))
    moon = Draft(decode("started", {"options": {"Board": "moon"}}))
    with pytest.raises(BrokenHistoryError, match="cannot start"):
        apply_event(fold(post.events[:1]), append_event("sirocco-7", 1, post.events[0].hash, moon, at))
