"""The doctor finds a game that somebody with the database file has rewritten, although its chain is whole again."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from engine.chance import KeyedDealer
from engine.digest import canonical
from notation import write_moves
from pbem.events.chain import Event
from pbem.events.kinds import MovesMade
from pbem.judging.record_replay import replay_record
from pbem.service.checks import run_checks
from pbem.service.folder_checks import BAD
from pbem.tables.chance import random_moves
from pbem.tables.fold import fold
from tests.known_games import known_game
from tests.post.post_games import TABLE
from tests.post.towns import Town, found_town


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    """A game with dice, half-played: in each turn somebody rolls, and then moves."""
    with found_town(tmp_path / "post", known_game("brotherhood-base"), 3) as town:
        for number in range(9):
            seat = town.table.due[0]
            moves = random_moves(town.table, seat, KeyedDealer(b"%d" % number))
            assert town.write(seat, moves).fate == "applied"
        assert sum(event.kind == "dealt" for event in town.events) > 3
        assert wrong(town) == []
        yield town


def wrong(town: Town, *, quick: bool = False) -> list[str]:
    found = run_checks(town.context.settings, quick=quick)
    return [each.text for each in found if each.state == BAD and each.about == "database"]


def rewrite(town: Town, change: Callable[[int, str, dict[str, Any]], None], *, tidy: bool = False) -> None:
    """Change events in the file, and compute every hash after them anew, as somebody would who knows our code."""
    with closing(sqlite3.connect(town.context.settings.database)) as hand:
        rows = hand.execute("SELECT seq, kind, data, at, commitments FROM event ORDER BY seq").fetchall()
        head = "0" * 64
        for seq, kind, text, at, commitments in rows:
            data = json.loads(text)
            change(seq, kind, data)
            body = canonical({"at": at, "data": data, "game": TABLE, "kind": kind, "seq": seq})
            sealed = bytes.fromhex(commitments.replace(" ", ""))
            parts = (b"\x01pbm-event-1", bytes.fromhex(head), sha256(body).digest(), sha256(sealed).digest())
            new = sha256(b"".join(parts)).hexdigest()
            hand.execute(
                "UPDATE event SET data = ?, prev = ?, hash = ? WHERE seq = ?",
                (canonical(data).decode(), head, new, seq),
            )
            if "phrase" in data:
                hand.execute("UPDATE ply SET canonical = ? WHERE event_seq = ?", (data["phrase"], seq))
            head = new
        # Without a standing the game is told by its events, so that nothing beside them contradicts the rewrite.
        hand.execute("UPDATE game SET head_hash = ?, standing = ''", (head,))
        if tidy:
            hand.execute("DELETE FROM receipt")
            hand.execute("DELETE FROM outbox_bytes")
        hand.commit()


def _last(town: Town, kind: str) -> Event:
    return next(event for event in reversed(town.events) if event.kind == kind)


def _other_legal_move(town: Town, event: Event) -> str | None:
    """Another move that its player could have made, so that nothing after it becomes illegal."""
    assert isinstance(event.payload, MovesMade)
    before, after = fold(town.events[: event.seq - 1]), town.events[event.seq :]
    for ply in before.game.legal(before.position):
        phrase = write_moves(before.game, (ply.move,))
        changed = replace(event, payload=replace(event.payload, phrase=phrase, plies=None))
        if ply.seat != event.payload.seat or phrase == event.phrase:
            continue
        table = fold([*town.events[: event.seq - 1], changed, *after])
        if replay_record(table.record).refusal is None:
            return phrase
    return None


def _replacing(event: Event, phrase: str) -> Callable[[int, str, dict[str, Any]], None]:
    def change(number: int, _: str, data: dict[str, Any]) -> None:
        if number == event.seq:
            data["phrase"] = phrase
            data.pop("plies", None)

    return change


def _choice(town: Town) -> tuple[Event, str]:
    """A move of the last turn that could have been another one."""
    while (other := _other_legal_move(town, event := _last(town, "played"))) is None:
        seat = town.table.due[0]
        assert town.write(seat, random_moves(town.table, seat, KeyedDealer(b"last"))).fate == "applied"
    return event, other


def test_a_legal_rewrite_contradicts_the_receipts_and_mails(town: Town) -> None:
    rewrite(town, _replacing(*_choice(town)))
    (told,) = wrong(town)
    assert "otherwise than it is written now" in told
    assert "receipt of letter" in told
    assert wrong(town, quick=True) == [], "the chain alone shows nothing"


def test_a_legal_rewrite_by_somebody_tidy_lacks_receipts(town: Town) -> None:
    rewrite(town, _replacing(*_choice(town)), tidy=True)
    assert any("no receipt" in told for told in wrong(town))


def test_an_illegal_rewrite_is_judged_again(town: Town) -> None:
    rewrite(town, _replacing(_last(town, "played"), "road 1-2"), tidy=True)
    assert any("breaks a rule" in told or "does not follow" in told for told in wrong(town))


def test_swapped_dice_are_drawn_again(town: Town) -> None:
    dealt = _last(town, "dealt")
    others = ("dice 1 1", "dice 1 2")
    rewrite(town, _replacing(dealt, next(each for each in others if each != dealt.phrase)), tidy=True)
    assert any(f"drawn again, event {dealt.seq} comes out otherwise" in told for told in wrong(town))


def test_a_line_that_is_taken_out_of_the_log_is_missed(town: Town) -> None:
    with closing(sqlite3.connect(town.context.settings.database)) as hand:
        hand.execute("DELETE FROM log")
        hand.commit()
    assert any("log of all games" in told for told in wrong(town))
