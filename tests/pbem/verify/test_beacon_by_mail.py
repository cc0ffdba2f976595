"""A whole post whose dice wait for a beacon: what players read meanwhile, and what goes on by itself."""

import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from engine.chance import KeyedDealer
from pbem.cli.app import choose, make_app
from pbem.events.codec import encode
from pbem.proof.public_beacon import QUICKNET, Pulse
from pbem.service.post_folder import open_post
from pbem.settings.load import read_settings
from pbem.settings.sections import Settings
from pbem.tables.chance import random_moves
from pbem.tables.fold import fold
from pbem.verify.check_record import Checker
from pbem.verify.mailboxes import read_mailboxes
from pbem.workflow.beacon_rounds import apply_pulse, wanted_rounds
from pbem.workflow.tick import tick
from tests.old_tickets import format_old_address
from tests.second_verifier.patient_posts import REHEARSAL

TRUE = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
"""What drand's quicknet said in its round 1000."""


@dataclass
class Hours:
    moment: datetime = datetime(2026, 11, 16, 12, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment


@dataclass
class Waiting:
    """A town whose dice wait."""

    town: Any
    hours: Hours

    @property
    def table(self) -> Any:
        return fold(self.town.events)

    def write(self, seat: str, words: str) -> None:
        self.hours.moment += timedelta(seconds=20)
        self.town.write(seat, words, turn=self.table.turn)

    def hear(self) -> list[str]:
        (wanted,) = wanted_rounds(self.town.context)
        self.hours.moment = max(self.hours.moment, wanted.out)
        pulse = REHEARSAL.pulse(wanted.round)
        assert pulse is not None
        gone = apply_pulse(self.town.context, pulse)
        self.town.collect()
        return gone

    @property
    def waits(self) -> bool:
        """Whether nobody can do anything before a round is out."""
        return self.table.rounds.round > 0 and self.table.due in ((), ("*",))

    def pass_time(self, days: int) -> list[Any]:
        """Let time pass, with a look at the clocks every half an hour: a post that sleeps makes amends."""
        done = []
        for _ in range(48 * days):
            self.hours.moment += timedelta(minutes=30)
            done += tick(self.town.context)
        self.town.collect()
        return done

    def last(self, seat: str) -> str:
        return " ".join(self.town.boxes[seat][-1].decode().replace("=\r\n", "").split())

    def play(self, most: int) -> None:
        for number in range(most):
            table = self.table
            if self.waits:
                self.hear()
            elif table.due:
                self.write(table.due[0], random_moves(table, table.due[0], KeyedDealer(f"{number}".encode())))


@pytest.fixture
def waiting(settle: Callable[..., Any], tmp_path: Path) -> Callable[..., Waiting]:
    def make(key: str, players: int = 2, **terms: Any) -> Waiting:
        hours = Hours()
        town = settle(tmp_path, players, key, beacon=REHEARSAL, now=hours.now, terms=terms)
        post = Waiting(town, hours)
        for seat in town.seats:
            town.write(seat, "accept")
        return post

    return make


def test_the_set_up_waits_and_everybody_is_told_which_round_for(waiting: Callable[..., Any]) -> None:
    post = waiting("nomadi")
    assert post.table.stage == "inviting"
    (wanted,) = wanted_rounds(post.town.context)
    assert wanted.out - post.hours.now() >= timedelta(minutes=10)
    for seat in post.town.seats:
        said = post.last(seat)
        assert f"the draw waits for round {wanted.round} of the public beacon" in said
        assert "You do not have to do anything" in said
        assert "still to answer" not in said
    assert post.hear() == ["sirocco-7"]
    assert post.table.stage == "playing"
    for seat in post.town.seats:
        assert ("Your turn" in post.last(seat)) == (seat in post.table.due)


def test_a_false_round_moves_nobody_and_a_true_one_once(waiting: Callable[..., Any]) -> None:
    post = waiting("nomadi")
    (wanted,) = wanted_rounds(post.town.context)
    known = len(post.town.events)
    assert apply_pulse(post.town.context, Pulse(wanted.round, "ab" * 64)) == []
    true, later = (REHEARSAL.pulse(wanted.round + more) for more in (0, 1))
    assert true is not None
    assert later is not None
    assert apply_pulse(post.town.context, Pulse(wanted.round + 1, later.signature)) == []
    assert len(post.town.events) == known
    assert apply_pulse(post.town.context, true) == ["sirocco-7"]
    assert apply_pulse(post.town.context, true) == []


@pytest.mark.parametrize(
    ("key", "players", "turns"), [("shy-well", 2, 200), ("nomadi", 2, 40), ("brotherhood-base", 3, 60)]
)
def test_games_are_played_by_mail_and_believed(
    waiting: Callable[..., Any], tmp_path: Path, key: str, players: int, turns: int
) -> None:
    post = waiting(key, players)
    post.play(turns)
    kinds = [event.kind for event in post.town.events]
    assert kinds.count("pulse") > 3
    boxes = [post.town.mbox(tmp_path, seat) for seat in post.town.seats]
    checker = Checker(post.town.public, read_mailboxes(boxes), beacons={"rehearsal": REHEARSAL}.get)
    (verified,) = checker.check(post.town.text())
    assert verified.findings == ()
    assert verified.remarks == ()


def test_the_rest_of_a_letter_waits_for_the_dice(waiting: Callable[..., Any]) -> None:
    post = waiting("brotherhood-base", 3)
    for number in range(60):
        table = post.table
        if post.waits:
            post.hear()
        elif table.game.view(table.position, "public")["waits_for"] == "roll":
            break
        else:
            post.write(table.due[0], random_moves(table, table.due[0], KeyedDealer(f"{number}".encode())))
    seat, turn = table.due[0], table.turn
    post.write(seat, "roll, end")
    assert "This waits for the draw" in post.last(seat)
    post.hear()
    played = [event for event in post.town.events if event.kind == "played" and encode(event.payload)["seat"] == seat]
    assert encode(played[-1].payload)["letter"]
    assert (post.table.turn > turn) == (encode(played[-1].payload)["phrase"] == "end")


def test_no_clock_runs_while_chance_waits_and_silence_waits_for_chance(waiting: Callable[..., Any]) -> None:
    post = waiting("nomadi", silence="play", per_turn="1d", grace="0h")
    assert not [done for done in post.pass_time(3) if done.seat]
    assert post.table.stage == "inviting"
    post.hear()
    late = post.table.due[0]
    assert [done.seat for done in post.pass_time(2) if done.what == "late"] == [late]
    assert (post.table.rounds.seat, post.table.rounds.round > 0) == (late, True)
    post.hear()
    assert [encode(event.payload)["by"] for event in post.town.events if event.kind == "played"] == ["clock"]


def test_no_clock_runs_in_the_middle_of_a_game_either(waiting: Callable[..., Any]) -> None:
    post = waiting("nomadi", silence="play", per_turn="1d", grace="0h")
    post.hear()
    while not post.waits:
        post.play(1)
    assert post.table.due == ("*",)
    known = len(post.town.events)
    assert not [done for done in post.pass_time(3) if done.seat]
    assert len(post.town.events) == known
    assert "You do not have to do anything" in post.last(post.town.seats[0])


def test_everybody_hears_of_a_round_however_few_mails_he_wants(waiting: Callable[..., Any]) -> None:
    post = waiting("nomadi")
    post.hear()
    for seat in post.town.seats:
        post.write(seat, "notify turn")
    while not post.waits:
        post.play(1)
    number = post.table.rounds.round
    for seat in post.town.seats:
        assert f"the draw waits for round {number} of the public beacon" in post.last(seat)


def test_whoever_answers_before_the_round_is_out_plays_himself(waiting: Callable[..., Any]) -> None:
    post = waiting("nomadi", silence="play", per_turn="1d", grace="0h")
    post.hear()
    late = post.table.due[0]
    post.pass_time(2)
    assert post.table.rounds.seat == late
    post.write(late, random_moves(post.table, late, KeyedDealer(b"late")))
    assert [encode(event.payload)["by"] for event in post.town.events if event.kind == "played"][:1] == ["player"]


# -- The commands, and drand itself

SEATS = [word for seat in ("red", "blue") for word in ("--seat", f"{seat}={seat}:{seat}@players.test")]


@pytest.fixture
def hours() -> Hours:
    """A day in August 2023, ten minutes before drand's round 1000."""
    return Hours(QUICKNET.time_of(1000) - timedelta(minutes=10))


@pytest.fixture
def pbem(tmp_path: Path, hours: Hours, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """`pbem` on that day."""

    def call(*words: str | Path, given: str = "") -> Any:
        line = [str(word) for word in words]
        app = make_app(choose(line))
        if line[0] in ("beacon", "new", "tick", "status"):
            # `status` and `tick` import it late, where it is defined.
            place = "pbem.service.post_folder" if line[0] in ("status", "tick") else f"pbem.cli.{line[0]}"
            monkeypatch.setattr(f"{place}.open_post", partial(open_post, now=hours.now))
        return CliRunner().invoke(app, line, input=given, prog_name="pbem")

    assert call("init", tmp_path / "post", "--address", "caravan@post.test").exit_code == 0
    monkeypatch.setenv("PBEM_CONFIG", str(tmp_path / "post/post.toml"))
    return call


def accept(pbem: Any, hours: Hours, config: Path) -> None:
    """Let both players accept."""
    settings = read_settings(config)
    assert isinstance(settings, Settings)
    with open_post(settings, now=hours.now) as context:
        for seat in ("red", "blue"):
            key, address = context.identity.ticket_key, context.identity.address
            to = format_old_address(key, address, game="sirocco-1", seat=seat, turn=0, epoch=0)
            mail = f"From: {seat}@players.test\r\nTo: {to}\r\nMessage-ID: <{seat}@players.test>\r\n\r\naccept\r\n"
            context.store.receive(mail.encode(), intake="test")
    assert pbem("tick").exit_code == 0


def test_a_game_begins_with_what_drand_said(pbem: Any, hours: Hours, tmp_path: Path) -> None:
    assert "no table waits" in pbem("beacon").stdout
    opened = pbem("new", "through-the-desert", "--dice", "beacon", *SEATS)
    assert opened.exit_code == 0, opened.output
    accept(pbem, hours, tmp_path / "post/post.toml")
    assert pbem("beacon").stdout == "sirocco-1: round 1000, out 2023-08-23 15:59:24 UTC\n"
    assert "waits for the beacon until 2023-08-23 15:59 UTC" in pbem("status").stdout
    assert pbem("beacon", "--urls").stdout == "", "it is not out yet"
    hours.moment += timedelta(minutes=11)
    assert pbem("beacon", "--urls").stdout == f"https://api.drand.sh/{QUICKNET.name}/public/1000\n"
    false = json.dumps({"round": 1000, "signature": TRUE[:-1] + "8"})
    assert "the beacon never said that" in pbem("beacon", "take", given=false).stdout
    path = tmp_path / "rounds.json"
    path.write_text(json.dumps({"round": 1000, "randomness": "whatever", "signature": TRUE}))
    assert pbem("beacon", "take", path).stdout == "sirocco-1: goes on with round 1000\n"
    assert "turn 1, waits for" in pbem("status").stdout
    record = tmp_path / "game.turns"
    assert pbem("record", "sirocco-1", "-o", record).exit_code == 0
    answer = pbem("verify", record)
    assert answer.exit_code == 0, answer.output
    assert re.search(r"pulse \S+ \{\"round\":1000,\"signature\":\"" + TRUE, record.read_text("utf-8"))


@pytest.mark.parametrize("given", ["nonsense", "{}", '{"round": "x", "signature": "00"}', "[1]", '{"round": 1} x'])
def test_what_is_no_round_is_said_to_be_none(pbem: Any, given: str) -> None:
    answer = pbem("beacon", "take", given=given)
    assert answer.exit_code == 1
    assert "this is not a round of drand" in answer.stderr


def test_without_the_library_nothing_is_bound_and_nothing_believed(
    pbem: Any, hours: Hours, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pbem("new", "through-the-desert", "--dice", "beacon", *SEATS).exit_code == 0
    accept(pbem, hours, tmp_path / "post/post.toml")
    assert pbem("beacon", "take", given=json.dumps({"round": 1000, "signature": TRUE})).exit_code == 0
    record = tmp_path / "game.turns"
    assert pbem("record", "sirocco-1", "-o", record).exit_code == 0
    monkeypatch.setitem(sys.modules, "py_arkworks_bls12381", None)
    for words in (["new", "nomadi", "--dice", "beacon", *SEATS], ["verify", str(record)]):
        answer = pbem(*words)
        assert answer.exit_code == 2, words
        assert "pip install 'caravan-post[beacon]'" in answer.stderr
