"""What senders leave at the door: nobody can fill the disk, and a player's own letter still comes in."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.cli.quick_deliver import deliver_quickly
from pbem.service.front_door import is_genuine, open_door
from pbem.service.single_run import take_from_pipe
from pbem.store.arrivals import Arrival
from pbem.store.door import Door, Limits
from tests.post.post_games import TABLE
from tests.post.running.two_tables import ANNA, MOVE, TwoTables, open_two_tables

MIB = 1_048_576
LIMITS = {"stranger_bytes": MIB, "strangers_bytes": 3 * MIB, "player_bytes": 2 * MIB}
LARGE = b"x" * 250_000
MALLORY = "mallory@elsewhere.test"


@pytest.fixture
def post(tmp_path: Path) -> Iterator[TwoTables]:
    with open_two_tables(tmp_path, **LIMITS) as found:
        yield found


def letter(number: int, sender: str = MALLORY, to: str = "caravan@post.test", body: bytes = LARGE) -> bytes:
    head = f"From: <{sender}>\r\nTo: {to}\r\nMessage-ID: <{number}@x.test>\r\n\r\n"
    return head.encode() + body


def stored(post: TwoTables) -> int:
    (found,) = post.context.store._connection.execute(
        "SELECT coalesce(sum(length(raw)), 0) FROM inbox_bytes"
    ).fetchone()
    return int(found)


def test_ten_thousand_large_letters_of_a_stranger_do_not_fill_the_disk(post: TwoTables) -> None:
    door = open_door(post.context)
    taken = [door.receive(letter(number), intake="lmtp", env_from=MALLORY) for number in range(10_000)]
    assert sum(answer is not None for answer in taken) == 4
    assert stored(post) <= MIB
    assert post.context.store.counters().received == 4
    move = door.receive(post.write(), intake="lmtp", env_from=ANNA, env_to=[post.reply_to(TABLE)])
    assert move is not None
    assert move.id in {outcome.letter for outcome in post.handle() if outcome.fate == "applied"}
    assert post.played(TABLE)


def test_strangers_with_many_names_do_not_fill_it_either(post: TwoTables) -> None:
    door = open_door(post.context)
    for number in range(200):
        door.receive(letter(number, f"mallory-{number}@elsewhere.test"), intake="lmtp")
    assert stored(post) <= 3 * MIB
    assert door.receive(letter(1, "boris@elsewhere.test", body=b"hello"), intake="lmtp") is not None
    move = door.receive(post.write(), intake="maildir")
    assert move is not None, "both tables are named in its header"
    post.handle()
    assert post.played(TABLE)


def test_letters_in_a_players_name_use_up_nothing_of_the_players_own_room(post: TwoTables) -> None:
    door = open_door(post.context)
    refused = [door.receive(letter(number, ANNA), intake="lmtp") for number in range(9)][4:]
    assert refused == [None] * 5
    own = [
        door.receive(letter(number, ANNA, post.reply_to(TABLE)), intake="lmtp", env_to=[post.reply_to(TABLE)])
        for number in range(100, 120)
    ]
    assert sum(answer is not None for answer in own) == 8, "a player's room has an end too"
    assert stored(post) <= 3 * MIB


def test_what_was_handled_and_changed_nothing_is_counted_for_a_day(post: TwoTables) -> None:
    door = open_door(post.context)
    for number in range(20):
        door.receive(letter(number), intake="lmtp")
        post.handle()
    assert post.context.store.counters().received == 4
    post.hours.forward(hours=25)
    assert door.receive(letter(99), intake="lmtp") is not None


def test_what_was_carried_out_makes_room_at_once(post: TwoTables) -> None:
    door = open_door(post.context)
    quoted = b"> a line of the mail that is answered\r\n" * 1_500
    for number in range(40):
        raw = letter(number, ANNA, post.reply_to(TABLE), b"status\r\n" + quoted)
        assert door.receive(raw, intake="lmtp", env_to=[post.reply_to(TABLE)]) is not None
        assert [outcome.fate for outcome in post.handle()] == ["applied"]
        post.hours.forward(minutes=5)
    (vouched,) = post.context.store._connection.execute("SELECT sum(vouched) FROM inbox").fetchone()
    assert vouched == 0, "there was room for them all"


def test_only_when_there_is_no_room_a_letter_is_looked_at(post: TwoTables) -> None:
    looked: list[Arrival] = []

    def look(arrival: Arrival) -> bool:
        looked.append(arrival)
        return is_genuine(post.context, arrival)

    door = Door(post.context.store, Limits(MIB, MIB, MIB), look)
    answers = door.receive_all([letter(number) for number in range(6)], intake="maildir")
    assert [answer is None for answer in answers] == [False] * 4 + [True] * 2
    assert [arrival.raw for arrival in looked] == [letter(4), letter(5)]


def test_a_letter_to_two_tables_is_weighed_once(post: TwoTables) -> None:
    door = open_door(post.context)
    for number in range(4):
        assert door.receive(letter(number, ANNA), intake="lmtp", env_to=post.both) is not None
    assert post.context.store.counters().received == 8


@pytest.mark.parametrize("at_once", [False, True])
def test_the_pipe_keeps_a_stranger_out_and_lets_a_player_in(post: TwoTables, at_once: bool) -> None:
    settings = post.context.settings

    def deliver(raw: bytes, to: str) -> int:
        return take_from_pipe(settings, io.BytesIO(raw), env_from=None, env_to=[to], at_once=at_once)

    assert [deliver(letter(number), "caravan@post.test") for number in range(6)] == [0] * 4 + [75] * 2
    assert deliver(post.write(), post.reply_to(TABLE)) == 0


def test_the_quick_way_does_the_same(
    post: TwoTables, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    file = post.context.settings.folder / "post.toml"
    lines = "".join(f"{key} = {value}\n" for key, value in LIMITS.items())
    kept = [line for line in file.read_text("utf-8").splitlines() if not line.lstrip("# ").startswith(tuple(LIMITS))]
    file.write_text("\n".join(kept).replace("[post]", f"[post]\n{lines}", 1) + "\n", "utf-8")

    def deliver(raw: bytes, to: str) -> int | None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(raw)))
        return deliver_quickly(["--config", str(file), "--to", to])

    assert [deliver(letter(number), "caravan@post.test") for number in range(6)] == [0] * 4 + [75] * 2
    assert deliver(post.write(words=MOVE), post.reply_to(TABLE)) == 0
    assert "too much from its sender" in capfd.readouterr().err
