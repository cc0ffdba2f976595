"""Six disputes, each settled from the record and the letters, by the commands a referee types."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from engine.chance import KeyedDealer
from engine.game import Game
from engine.nomadi import GAME as NOMADI
from engine.through_the_desert import GAME as DESERT
from pbem.events.codec import encode
from pbem.tables.chance import GameDealer, random_moves
from pbem.verify.check_statements import find_statements
from pbem.workflow.session import GameSession
from tests.post.court.courts import REFEREE, Court, convene, text_of
from tests.post.post_games import TABLE
from tests.post.towns import SEED

OTHER_SEED = bytes(range(32))

Summon = Callable[..., Court]


@pytest.fixture
def summon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Summon]:
    """Call a court together."""
    with ExitStack() as stack:

        def call(game: Game[Any], players: int, **chosen: Any) -> Court:
            return stack.enter_context(convene(tmp_path, monkeypatch, game, players, **chosen))

        yield call


def test_an_illegal_move(summon: Summon) -> None:
    court = summon(DESERT, 2)
    court.play(12)
    turn, seat = court.town.table.turn, court.town.table.due[0]
    assert court.town.write(seat, "lilac A1, lilac A1").fate == "refused"
    assert court.town.write(seat, f"appeal {turn}: My move is legal,\nand the post does not take it.").fate == "applied"
    assert court.town.table.pauses == {"case 1"}
    assert "calls the referee" in text_of(court.town.mails[REFEREE][-1])
    others = [friend for friend in court.town.friends if friend != seat]
    assert "The referee was called: case 1" in court.town.last_text(others[0])
    page = court.page("illegal-move")
    assert "Nothing had been played" in page
    assert " wanted lilac A1 A1, and was refused:\n    TD-" in page
    refused = next(letter for letter in court.file()["letters"] if letter["fate"] == "refused")
    assert refused["against"]["code"] == refused["reason"]
    assert refused["against"]["text"] in " ".join(page.split())
    assert refused["repeats"] == "read and judged again, it does the same"
    court.pbem("case", "rule", TABLE, "1", "dismiss", "--reason", "A1 is no neighbour of the herd")
    assert all(
        "everything stands. A1 is no neighbour" in " ".join(court.town.last_text(each).split())
        for each in court.town.friends
    )
    court.pbem("case", "close", TABLE, "1")
    assert not court.town.table.pauses
    court.play(1)


def test_not_my_mail(summon: Summon) -> None:
    court = summon(DESERT, 2)
    court.play(12)
    seat = court.town.table.due[0]
    friend = court.town.friends[seat]
    moves = random_moves(court.town.table, seat, KeyedDealer(b"a thief"))
    forged = friend.answer(moves, court.town.hours.now())
    stranger = forged.replace(friend.address.encode(), b"thief@elsewhere.test")
    assert court.town.deliver(stranger).reason == "other-sender"
    assert court.town.deliver(forged).fate == "applied"
    turn = court.town.table.turn - 1
    assert court.town.write(seat, f"appeal {turn}: I never sent that move").fate == "applied"
    page = court.page("not-my-mail")
    letters = court.file()["letters"]
    assert [(letter["fate"], letter["authentic"]) for letter in letters] == [
        ("refused", "unknown"),
        ("applied", "unknown"),
    ]
    assert "thief@elsewhere.test" in page
    assert "no server has left a note" in page
    assert "(code)" in page
    assert friend.reply_to.rpartition(".")[0] not in page.replace("(code)", ""), "no page gives a reply address away"
    court.pbem("case", "rule", TABLE, "1", "roll-back", "--reason", "nobody vouches for the letter")
    assert court.town.table.turn == turn
    for each in court.town.friends:
        told = court.town.last_text(each)
        assert "- " in told
        assert f"undo: turn {turn}" in told
    court.pbem("case", "close", TABLE, "1")
    again = forged.replace(b"Message-ID: <", b"Message-ID: <again")
    assert court.town.deliver(again).reason == "PO-T1", "an old ticket does not act in a new epoch"
    court.play(1)


def test_dice(summon: Summon, monkeypatch: pytest.MonkeyPatch) -> None:
    court = summon(NOMADI, 2)
    while not (dealt := [event for event in court.town.events if event.kind == "dealt"]):
        court.play(1)
    victim, turn = court.town.table.due[0], encode(dealt[-1].payload)["turn"]
    assert court.town.write(victim, f"appeal {turn}: nobody throws like that").fate == "applied"
    page = court.page("dice")
    assert "the committed seed draws this" in page
    assert "stays sealed until the game is over" in page
    assert SEED.hex() not in page
    (stated,) = find_statements(page)
    signer = court.town.context.signer
    assert stated is not None
    assert signer is not None
    assert stated.note.is_signed_by(signer.public)
    assert (stated.statement.event, stated.statement.follows) == ((dealt[-1].seq, dealt[-1].hash), True)
    court.pbem("case", "rule", TABLE, "1", "dismiss", "--reason", "the dice follow from the seed")
    court.pbem("case", "close", TABLE, "1")
    with monkeypatch.context() as patched:
        patched.setattr(GameSession, "dealer", lambda session: GameDealer(OTHER_SEED))
        court.play(1)
    cheated = [event for event in court.town.events if event.kind == "dealt"][-1]
    found = court.file("--turn", str(encode(cheated.payload)["turn"]))
    assert not all(draw["fits"] for draw in found["draws"])
    assert "follows no" in found["draws"][-1]["statement"], "and the post says so, signed"


def test_a_deadline(summon: Summon) -> None:
    court = summon(DESERT, 2, time__silence="play", time__per_turn=timedelta(days=3))
    court.play(12)
    seat, turn = court.town.table.due[0], court.town.table.turn
    moves = random_moves(court.town.table, seat, KeyedDealer(b"late"))
    letter = court.town.friends[seat].answer(moves, court.town.hours.now())
    court.town.wait(days=4)
    assert encode(court.town.events[-1].payload)["by"] == "clock"
    assert court.town.deliver(letter).fate == "refused"
    assert court.town.write(seat, f"appeal {turn}: I answered in time").fate == "applied"
    page = court.page("deadline")
    assert "    I answered in time\n" in page
    assert "by test, after the deadline\n" in page
    (time,) = court.file()["times"]
    assert time["verdict"].startswith("no answer came; after a grace of 12h the post moved")
    assert time["deadline"] in page
    late = next(each for each in court.file()["letters"] if each["fate"] == "refused")
    assert late["received"] > time["deadline"], "the page settles it"
    court.pbem("case", "rule", TABLE, "1", "dismiss", "--reason", f"letter {late['number']} came after the deadline")
    court.town.wait(days=9)
    assert court.town.table.turn == turn + 1, "the clock is stopped until the case is closed"
    court.pbem("case", "close", TABLE, "1")
    court.play(1)


def test_a_reading_of_the_rules(summon: Summon) -> None:
    court = summon(DESERT, 3)
    court.play(17)
    mover, turn = court.last_mover, court.town.table.turn - 1
    other = next(seat for seat in court.town.friends if seat != mover)
    assert court.town.write(other, "appeal one camel is enough, as we play").fate == "applied"
    assert court.file()["turn"] == turn
    assert "legal" in court.page("rules-reading")
    wrong = court.pbem(
        *("case", "rule", TABLE, "1", "correct", "--play", f"{mover}: lilac A1"),
        *("--reason", "as agreed by all"),
        fails=1,
    )
    assert "TD-" in wrong, "no ruling makes an illegal move"
    before = [event for event in court.town.events if event.kind == "ruled"]
    assert before == []
    old = court.file()["moves"][0]["said"]
    with_undo = court.town.table
    back = next(entry for entry in with_undo.entries if entry.number == turn)
    assert back.who == mover
    court.pbem(
        *("case", "rule", TABLE, "1", "correct", "--play", f"{mover}: {old}"),
        *("--reason", "all agree that the turn stands as it was"),
    )
    ruled = court.town.events[-1]
    assert (encode(ruled.payload)["by"], encode(ruled.payload)["seat"]) == ("referee", mover)
    copied = court.town.last_text(mover)
    assert "The referee played this." in " ".join(copied.split())
    assert f"+ {turn}. {mover}: {old}" in copied
    court.pbem("case", "close", TABLE, "1")
    court.pbem("verify", court.record())


def test_a_tampered_record(summon: Summon) -> None:
    court = summon(DESERT, 2)
    court.play(14)
    court.pbem("case", "open", TABLE, "--turn", "13", "--reason", "red shows another record of turn 13")
    page = court.page("tampered-record")
    genuine = court.record()
    assert "believed" in court.pbem("verify", genuine)
    said = court.file()["moves"][0]["said"]
    tampered = court.folder / "tampered.turns"
    tampered.write_text(genuine.read_text("utf-8").replace(f": {said}", ": lilac A1", 1), "utf-8")
    found = court.pbem("verify", tampered, fails=1)
    line = next(number for number, each in enumerate(tampered.read_text("utf-8").splitlines(), 1) if "A1" in each)
    assert f"tampered.turns:{line}:" in found
    heads = {head["when"]: head["hash"] for head in court.file()["heads"]}
    assert heads["after the turn"] in page
    assert any(heads["now"] in text_of(mail) for mail in court.town.mails[court.town.friends["red"].address])
    court.pbem("case", "rule", TABLE, "1", "dismiss", "--reason", "red's own mails bear the head of the true record")
    court.pbem("case", "close", TABLE, "1")
    assert "dismiss" in court.pbem("case", "list")


def test_consent_that_was_overtaken(summon: Summon) -> None:
    court = summon(DESERT, 2)
    court.play(12)
    town = court.town
    mover = town.table.due[0]
    other = next(seat for seat in town.friends if seat != mover)
    town.write(other, "undo")
    court.play(1)
    assert town.table.due == (mover,), "the other has taken the turn back once, and must ask from now on"
    town.write(other, "pause")
    asked = town.friends[mover].mails[-1]
    town.write(other, "object pause")
    town.write(other, "undo")
    town.friends[mover].mails.append(asked)
    assert town.write(mover, "agree").reason == "PO-V3"
    court.play(1)
    assert [event.kind for event in town.events[-2:]] == ["dropped", "played"]
    assert town.write(mover, "appeal 13: I agreed").fate == "applied"
    letters = [letter for letter in court.file()["letters"] if letter["seat"] == mover]
    assert [letter["reason"] for letter in letters[:2]] == ["PO-V3", "carried-out"]
    assert {letter["repeats"] for letter in letters[:2]} == {"read and judged again, it does the same"}
    court.pbem("case", "close", TABLE, "1")
    town.write(mover, "draw")
    assert town.write(other, "agree draw").fate == "applied"
    court.pbem("case", "bundle", TABLE, "1", "-o", court.folder / "case.zip")
    assert "believed, case 1" in court.pbem("case", "check", court.folder / "case.zip")
