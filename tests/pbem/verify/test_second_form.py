"""The second form of proof: nobody is named in the chain, and whatever is told, withheld or parted is said."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.chance import KeyedDealer
from pbem.events.chain import Draft, append_event, first_broken
from pbem.events.kinds import GamePaused, RoundAwaited, RoundPublished, SeatResigned
from pbem.events.post_kinds import GameRestored, KeyReplaced, Note
from pbem.proof.signatures import Signer, new_key_message
from pbem.tables import play as playing
from pbem.tables.chance import GameDealer, random_moves
from pbem.tables.fold import fold
from pbem.tables.table import BeaconState
from pbem.verify.check_log import check_log, remarks_on_log
from pbem.verify.check_record import Checker, Verified, verify_text
from pbem.verify.mailboxes import read_mailboxes
from pbem.workflow.context import open_context
from pbem.workflow.history import log_key
from pbem.workflow.session import GameSession
from tests.second_verifier.later_lives import LaterLife

TABLE = "sirocco-7"
LIVES = 12


def verified(text: str, **more: Any) -> Verified:
    (found,) = verify_text(text, **more)
    return found


def check_of(text: str) -> set[str]:
    return {finding.check for finding in verified(text).findings}


def play_on(town: Any, most: int = 99) -> None:
    """Let whoever is due answer, as far as the end."""
    for number in range(most):
        table = fold(town.events)
        if not table.due:
            break
        seat = table.due[0]
        words = random_moves(table, seat, KeyedDealer(f"{len(town.events)} {number}".encode()))
        town.write(seat, words, turn=table.turn, epoch=table.epoch)


def restore(town: Any, reason: str = "") -> None:
    with town.context.store.transaction() as at_desk:
        row = at_desk.find_game(TABLE)
        session = GameSession(town.context, at_desk, row)
        session.apply_events([Draft(GameRestored(reason, by="post"))])
        session.save()


@pytest.fixture
def begun(settle: Callable[..., Any], tmp_path: Path) -> Iterator[Any]:
    town = settle(tmp_path)
    for seat in town.seats:
        town.write(seat, "accept")
    yield town
    town.context.store.close()


def test_whatever_an_honest_post_wrote_is_believed(operator: Callable[..., Any]) -> None:
    happened = Counter[str]()
    for number in range(LIVES):
        life = LaterLife(operator, number)
        for text in life.records():
            assert not verified(text).findings
        happened.update(event.kind for event in life.post.events)
    assert set(happened) >= {"declined", "invited", "restored", "rekeyed", "called-off", "note.pencilled", "press"}


def test_a_game_that_was_called_off_has_opened_its_secrets_and_a_declined_one_has_not(operator: Any) -> None:
    called_off = next(
        text for number in range(99) for text in LaterLife(operator, number).gather() if " called-off " in text
    )
    assert "[%seed " in called_off
    assert verified(called_off).is_good
    lines = [line for line in called_off.split("\n") if not line.startswith(("[%seed", "[%blind"))]
    assert check_of("\n".join(lines)) == {"seals"}
    declined = next(
        text
        for number in range(99)
        for text in LaterLife(operator, number).gather()
        if " declined " in text and " called-off " not in text
    )
    assert "[%seed " not in declined


def test_the_database_names_nobody_outside_what_can_be_thrown_away(begun: Any) -> None:
    begun.write("hare", "press to all: a fine evening")
    with begun.context.store.reading() as at_desk:
        rows = at_desk.load_events(TABLE)
    for row in rows:
        assert not re.search('hare"*: *"Hare|Hare|Fennec|fine evening', row.data)
    assert "Hare" in rows[0].told
    assert "fine evening" in rows[-1].told


def test_what_was_thrown_away_is_withheld_and_everything_still_verifies(begun: Any) -> None:
    begun.write("hare", "press to all: a fine evening")
    play_on(begun)
    heads = [event.hash for event in begun.events]
    whole = begun.text()
    assert '[Seat.hare "Hare"]' in whole
    assert verified(whole).is_good
    begun.context.store._connection.execute("UPDATE event SET told = ''")
    events = begun.events
    assert [event.hash for event in events] == heads
    assert first_broken(events) is None
    table = fold(events)
    seal = events[0].told["name.hare"].seal
    assert table.name("hare") == f"somebody-{seal[:8]}"
    text = begun.text()
    found = verified(text)
    assert found.is_good
    assert (found.withheld_names, found.withheld_words) == (2, 1)
    assert f'[Seat.hare "somebody-{seal[:8]}"]' in text
    assert "Hare" not in text
    assert "evening" not in text
    assert re.findall(r"\[%head .*\]", text) == re.findall(r"\[%head .*\]", whole)


def test_nobody_can_be_written_in_and_nothing_put_into_a_mouth(begun: Any) -> None:
    begun.write("hare", "press to all: a fine evening")
    text = begun.text()
    assert check_of(text.replace('"Hare"', '"Anna"', 1)) == {"record"}
    assert check_of(text.replace('"Hare"', '"Anna"')) == {"seals"}, "with the telling line changed as well"
    assert check_of(text.replace("a fine evening", "a foul evening")) == {"seals"}
    untold = "\n".join(line for line in text.split("\n") if "[%told 1 name.hare" not in line)
    assert check_of(untold) == {"record"}, "a name without its salt"
    begun.context.store._connection.execute("UPDATE event SET told = ''")
    assert check_of(re.sub(r'"somebody-[0-9a-f]{8}"', '"Anna"', begun.text(), count=1)) == {"record"}


def test_private_words_are_sealed_and_never_told(begun: Any) -> None:
    begun.write("hare", "press to fennec: meet me at the well")
    said = begun.events[-1]
    assert (said.kind, said.payload.words, said.told["words"].text) == ("press", None, None)
    assert said.told["words"].salt
    for reader in ("public", None, "fennec", "hare"):
        assert "at the well" not in begun.text(reader)
        found = verified(begun.text(reader))
        assert (found.is_good, found.withheld_words) == (True, 0)


def prepared(operator: Any) -> Any:
    """A game in which a plan was played."""
    game = operator(form=2).begin()
    table = fold(game.events)
    seat = table.due[0]
    text = random_moves(table, seat, KeyedDealer(b"plan"))
    game.apply_events(playing.play(table, seat, text, GameDealer(game.seed), by="plan").drafts)
    return game


def test_who_prepared_a_move_is_opened_at_the_end_and_not_before(operator: Any) -> None:
    game = prepared(operator)
    for reader in ("public", None, *fold(game.events).seats):
        text = game.text(reader)
        assert '"by":"player"' in text
        assert "plan" not in text
        assert re.search(r"\[%sealed by [0-9a-f]{64}\]", text)
        assert verified(text).is_good
    over = game.play().text()
    assert re.search(r'\[%sealed by [0-9a-f]{64} [0-9a-f]{64} "plan"\]', over)
    assert verified(over).is_good
    assert check_of(over.replace('"plan"]', '"standing"]', 1)) == {"seals"}


def test_who_prepared_a_move_must_be_sealed_and_only_for_own_moves(operator: Any) -> None:
    game = prepared(operator)
    bare = game.rewrite(lambda event: as_draft(event, maker=None))
    assert check_of(bare.text()) == {"seals"}
    lying = game.rewrite(lambda event: as_draft(event, maker="player" if event.kind == "dealt" else event.maker))
    assert check_of(lying.text()) == {"seals"}


def as_draft(event: Any, *, maker: str | None, **changes: Any) -> Draft:
    private = tuple((name, "") for name, told in event.told.items() if told.text is None)
    return Draft(replace(event.payload, **changes) if changes else event.payload, event.sealed, maker, private)


@pytest.mark.parametrize("changes", [{"asked": 1}, {"asked": None}, {"due": None}, {"due": "soon"}, {"asked": 99}])
def test_who_was_asked_by_which_event_is_checked(operator: Any, changes: dict[str, Any]) -> None:
    game = prepared(operator).play()
    honest = [event for event in game.events if event.kind == "played"]
    assert all(event.payload.asked and event.payload.due is not None for event in honest)
    last = honest[-1].seq
    forged = game.rewrite(lambda event: as_draft(event, maker=event.maker, **(changes if event.seq == last else {})))
    assert check_of(forged.text()) == {"record"}


def resigned_by_clock(operator: Any, *, due: str, asked: int | None = None) -> str:
    """A game that goes on, in which a seat was lost by time in the last event."""
    game = prepared(operator)
    table = fold(game.events)
    seat = table.due[0]
    asked = table.asked_by[seat] if asked is None else asked
    said = Draft(SeatResigned(seat, by="clock", asked=asked, due=due))
    game.apply_events([said], like=game.events[-1])
    return str(game.text())


def test_the_clock_waits_until_a_seat_is_due(operator: Any) -> None:
    assert verified(resigned_by_clock(operator, due="")).is_good
    assert verified(resigned_by_clock(operator, due="2026-01-01T00:00:00Z")).is_good
    assert check_of(resigned_by_clock(operator, due="2099-01-01T00:00:00Z")) == {"record"}
    assert check_of(resigned_by_clock(operator, due="2026-02-30T00:00:00Z")) == {"record"}
    assert check_of(resigned_by_clock(operator, due="", asked=0)) == {"record"}, "the clock asks for every answer"


def test_events_happen_at_moments_of_the_calendar(operator: Any) -> None:
    game = operator(form=2).begin()
    for moment in ("2026-02-30T00:00:00Z", "2026-11-16T24:00:00Z", "Anna-was-here"):
        said = append_event(
            game.table, len(game.events), game.events[-1].hash, Draft(GameRestored("", by="post")), moment
        )
        game.events.append(said)
        assert check_of(game.text()) == {"record"}
        game.events.pop()
    assert verified(game.text()).is_good


def test_turns_say_who_asked_and_until_when(begun: Any) -> None:
    play_on(begun, 3)
    events = begun.events
    turns = [event for event in events if event.kind == "played"]
    assert len(turns) == 3
    for event in turns:
        seat, asked = event.payload.seat, event.payload.asked
        assert all(seat in fold(events[:seq]).due for seq in range(asked, event.seq))
        assert not any(other.seq > asked and other.payload.seat == seat for other in turns if other.seq < event.seq)
        assert seat not in fold(events[: asked - 1]).due or events[asked - 1].payload.seat == seat
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", event.payload.due)
        assert event.payload.due > event.at


def test_notes_are_passed_over_and_told_once_each(operator: Any) -> None:
    game = operator(form=2).begin()
    for kind in ("note.sun", "note.sun", "note.moon"):
        game.apply_events([Draft(Note(kind, {"seat": "red", "x": [1]}), texts=(("words", "hm"),))])
    text = game.play().text()
    found = verified(text)
    assert found.is_good
    assert [remark.partition(" passed")[0] for remark in found.remarks] == [
        "an event of the kind note.moon",
        "2 events of the kind note.sun",
    ]
    assert check_of(text.replace("note.moon", "moon")) == {"form"}
    first = operator().begin()
    first.events += game.events[-1:]
    assert not verified(operator().begin().play().text().replace(" ended ", " note.ended ")).is_good


def test_a_lost_history_is_told_as_a_fork(begun: Any, tmp_path: Path) -> None:
    play_on(begun, 2)
    begun.context.store.copy_to(tmp_path / "copy.db")
    play_on(begun, 3)
    lost, mails = begun.text(), begun.mbox(tmp_path, "hare")
    begun.context.store.close()
    settings = begun.context.settings
    url = f"sqlite:///{tmp_path / 'copy.db'}"
    begun.context = open_context(replace(settings, store=replace(settings.store, url=url)))
    restore(begun, "a broken disk")
    number = begun.events[-1].seq
    play_on(begun)
    text = begun.text()
    (found,) = Checker(begun.public, read_mailboxes([mails])).check(text)
    assert not found.findings
    moment = begun.events[number - 1].at
    assert any(f"it parts from this one at event {number}, the restore of {moment}" in each for each in found.remarks)
    checker = Checker()
    assert all(each.is_good for each in checker.check(lost))
    (second,) = checker.check(text)
    assert any(f"part at event {number}, the restore of {moment}" in each for each in second.remarks)
    log = begun.log
    evidence = read_mailboxes([mails])
    assert list(check_log(log, evidence, checker.proofs[1:])) == []
    assert json.loads(log[1])["kind"] == "restored"
    assert list(remarks_on_log(log, evidence)) == []
    earlier = begun.operator().rewrite(lambda event: draft_of(event) if event.seq < number else None).play()
    (other,) = Checker(begun.public, evidence).check(earlier.text())
    assert {finding.check for finding in other.findings} == {"mailbox"}, "without the restore it is a lie"


def draft_of(event: Any) -> Draft:
    return as_draft(event, maker=event.maker)


def test_draws_and_blindings_after_a_restore_are_others(operator: Any) -> None:
    games = [operator(form=2).begin(), operator(form=2).begin()]
    games[1].apply_events([Draft(GameRestored("", by="post"))])
    for game in games:
        game.play()
        assert verified(game.text()).is_good
    first, second = ([event.phrase for event in game.events if event.kind == "dealt"] for game in games)
    assert first != second


def test_a_restore_makes_a_named_round_void() -> None:
    named = BeaconState().after(RoundAwaited(7, "2026-11-16T12:10:00Z", "*"), "2026-11-16T12:00:00Z")
    assert named.round == 7
    assert named.after(GameRestored("", by="post"), "2026-11-16T12:01:00Z").round == 0
    known = named.after(RoundPublished(7, "ab"), "2026-11-16T12:10:00Z")
    assert known.value is not None
    assert known.after(GameRestored("", by="post"), "2026-11-16T12:10:00Z").value is None
    assert known.after(GamePaused("", by="referee"), "2026-11-16T12:10:00Z").value is None, "whatever else happens does"


def test_a_note_leaves_no_gap_between_a_round_and_its_draws() -> None:
    named = BeaconState().after(RoundAwaited(7, "2026-11-16T12:10:00Z", "*"), "2026-11-16T12:00:00Z")
    known = named.after(RoundPublished(7, "ab"), "2026-11-16T12:10:00Z")
    noted = known.after(Note("note.x", {}), "2026-11-16T12:10:00Z")
    assert noted == known
    assert noted.value_at("2026-11-16T12:10:00Z") is not None
    assert noted.value_at("2026-11-16T12:10:01Z") is None, "time uses it up, too"
    assert named.after(Note("note.x", {}), "2026-11-16T12:01:00Z").round == 7


def rekeyed(operator: Any, *, signed: bool = True, by: Signer | None = None) -> Any:
    game = operator(form=2).begin()
    old, new = game.signer, Signer("post@post.test", b"n" * 32)
    message = new_key_message(old.name, game.table, len(game.events) + 1, new.public.hex())
    signature = (by or old).sign(message).hex() if signed else ""
    game.apply_events([Draft(KeyReplaced(new.public.hex(), signature, by="post"))])
    game.signer = new
    return game.play()


def test_a_new_key_signs_the_record_and_the_old_one_vouches_for_it(operator: Any) -> None:
    game = rekeyed(operator)
    text = game.text()
    assert verified(text).is_good
    assert not verified(text).remarks
    assert verified(text, key=game.signer.public).is_good
    assert not verified(text, key=Signer("post@post.test", b"k" * 32).public).is_good
    game.signer = Signer("post@post.test", b"k" * 32)
    assert check_of(game.text()) == {"signature"}, "signed with the old key"
    unsigned = rekeyed(operator, signed=False)
    assert verified(unsigned.text()).is_good
    assert "nobody vouches for it" in verified(unsigned.text()).remarks[0]
    assert not verified(unsigned.text(), key=unsigned.signer.public).remarks
    assert check_of(rekeyed(operator, by=Signer("post@post.test", b"n" * 32)).text()) == {"signature"}


def test_receipts_are_held_against_the_key_of_their_time(begun: Any, tmp_path: Path) -> None:
    play_on(begun, 2)
    old = begun.context.signer
    new = Signer(old.name, b"n" * 32)
    key = new.public.hex()
    with begun.context.store.transaction() as at_desk:
        row = at_desk.find_game(TABLE)
        session = GameSession(begun.context, at_desk, row)
        signature = old.sign(new_key_message(old.name, TABLE, session.table.seq + 1, key)).hex()
        session.apply_events([Draft(KeyReplaced(key, signature, by="post"))])
        begun.context = replace(begun.context, signer=new)
        whole = old.sign(new_key_message(old.name, "", 0, key)).hex()
        log_key(begun.context, at_desk, key, whole)
        session.save()
    play_on(begun)
    boxes = [begun.mbox(tmp_path, seat) for seat in begun.seats]
    (found,) = Checker(new.public, read_mailboxes(boxes)).check(begun.text())
    assert not found.findings
    assert list(check_log(begun.log, read_mailboxes(boxes), [proof for proof in [found.proof] if proof])) == []


def test_receipts_say_what_became_of_a_letter(begun: Any) -> None:
    begun.write("hare", "press to all: hello")
    begun.write("fennec", "fly to the moon", turn=1)
    play_on(begun, 1)
    begun.write("hare", "accept")
    raw = b"".join(mail for box in begun.boxes.values() for mail in box).decode()
    outcomes = re.findall(r"\| pbm-receipt-2\r\n(?:\|.*\r\n)*?\| outcome (\w+)", raw)
    assert {"done", "played", "asked", "refused"} == set(outcomes)
    assert "pbm-receipt-1" not in raw
