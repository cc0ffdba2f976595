"""Six disputes settled by a referee without a shell: by letters alone, each act tried twice, late, and after a move."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from email import message_from_bytes
from email.header import decode_header, make_header
from email.utils import format_datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from engine import registry
from engine.chance import KeyedDealer
from engine.game import Game
from engine.nomadi import GAME as NOMADI
from engine.through_the_desert import GAME as DESERT
from pbem.events.codec import encode
from pbem.tables.chance import random_moves
from pbem.verify.check_record import verify_text
from pbem.workflow.handle_letter import LetterOutcome
from pbem.workflow.people import confirm_person, meet_person
from pbem.workflow.referees import appoint
from tests.post.court.courts import REFEREE, attached_page
from tests.post.post_games import TABLE
from tests.post.towns import Town, found_town

BODY = re.compile(r"mailto:([^?\"<>]+)\?[^\"<>]*body=([^\"<>&]*)")


@dataclass
class Judge:
    """A referee who has a mailbox and nothing else."""

    town: Town
    address: str = REFEREE
    written: int = 0
    outcomes: list[LetterOutcome] = field(default_factory=list)

    @property
    def mails(self) -> list[Any]:
        return [message_from_bytes(raw) for raw in self.town.mails.get(self.address, ())]

    def text(self, which: int = -1) -> str:
        part = next(part for part in self.mails[which].walk() if part.get_content_type() == "text/plain")
        return " ".join(part.get_payload(decode=True).decode().replace("\n| ", "\n").split())

    def subject(self, mail: Any) -> str:
        """As mail programs do it: one `Re:` is enough."""
        return f"Subject: Re: {str(make_header(decode_header(mail['Subject']))).removeprefix('Re: ')}"

    def answer(self, words: str, *, to: Any = None) -> LetterOutcome:
        """Answer the last mail, or another one."""
        mail = self.mails[-1] if to is None else to
        self.written += 1
        lines = [f"From: {self.address}", f"To: {mail['Reply-To']}", self.subject(mail)]
        lines += [f"Message-ID: <{self.written}.{self.address}>", f"In-Reply-To: {mail['Message-ID']}"]
        lines += [f"Date: {format_datetime(self.town.hours.now())}", "", *words.splitlines(), ""]
        self.outcomes.append(self.town.deliver("\r\n".join(lines).encode()))
        return self.outcomes[-1]

    def decide(self, words: str) -> None:
        """Write something, and confirm what is said back."""
        before = len(self.town.events)
        assert self.answer(words).fate == "applied", self.text()
        assert len(self.town.events) == before, "the first letter does nothing"
        assert "Reply yes within 48 hours" in self.text(), self.text()
        assert self.answer("yes").reason == "carried-out", self.text()
        assert len(self.town.events) > before

    def buttons(self, which: int = -1) -> list[str]:
        part = next(part for part in self.mails[which].walk() if part.get_content_type() == "text/html")
        html = part.get_payload(decode=True).decode().replace("&amp;", "&")
        return [unquote(body).splitlines()[0] for _, body in BODY.findall(html)]


def summon(
    stack: ExitStack, folder: Path, game: Game[Any], players: int, *, accepting: bool = True, **chosen: Any
) -> tuple[Town, Judge]:
    settings = {"post.referee": REFEREE, **{key.replace("__", "."): value for key, value in chosen.items()}}
    town = stack.enter_context(found_town(folder / "post", game, players, chosen=settings, accepting=accepting))
    return town, Judge(town)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as found:
        yield found


def play(town: Town, turns: int) -> None:
    for _ in range(turns):
        seat = town.table.due[0]
        assert town.write(seat, random_moves(town.table, seat, KeyedDealer(b"chance"))).fate == "applied"


def kinds(town: Town) -> list[str]:
    return [event.kind for event in town.events]


def nothing_comes_of(judge: Judge, question: Any) -> None:
    """The same second letter again does nothing."""
    before = kinds(judge.town)
    assert judge.answer("yes", to=question).fate == "refused"
    assert kinds(judge.town) == before
    assert "Nothing was done now" in judge.text(), judge.text()


def test_an_illegal_move(stack: ExitStack, tmp_path: Path) -> None:
    town, judge = summon(stack, tmp_path, DESERT, 2)
    play(town, 12)
    turn, seat = town.table.turn, town.table.due[0]
    assert town.write(seat, "lilac A1, lilac A1").fate == "refused"
    assert town.write(seat, f"appeal {turn}: My move is legal").fate == "applied"
    assert "show case 1" in judge.buttons()
    judge.answer("show case 1")
    shown = judge.text()
    assert f"Case 1 at {TABLE}: turn {turn}" in shown
    assert "My move is legal" in shown
    assert "refused (TD-" in shown, shown
    page = next(part for part in judge.mails[-1].walk() if part.get_filename() == f"{TABLE}-case-1.html")
    assert "Nothing had been played" in page.get_payload(decode=True).decode()
    judge.decide("dismiss: A1 is no neighbour of the herd")
    assert all("A1 is no neighbour" in " ".join(town.last_text(each).split()) for each in town.friends)
    question = judge.mails[-2]
    nothing_comes_of(judge, question)
    judge.decide("close case 1")
    assert not town.table.pauses
    play(town, 1)


def test_not_my_mail(stack: ExitStack, tmp_path: Path) -> None:
    town, judge = summon(stack, tmp_path, DESERT, 2)
    play(town, 12)
    seat = town.table.due[0]
    friend = town.friends[seat]
    moves = random_moves(town.table, seat, KeyedDealer(b"a thief"))
    forged = friend.answer(moves, town.hours.now())
    town.hours.forward(minutes=5)
    town.context.store.receive(forged, intake="test", env_from="thief@elsewhere.test")
    assert town.handle(town.context).fate == "applied"
    town.carry()
    turn = town.table.turn - 1
    assert town.write(seat, f"appeal {turn}: I never sent that move").fate == "applied"
    judge.answer("case 1")
    assert f"the envelope says thief@elsewhere.test, the mail says {friend.address}" in judge.text(), judge.text()
    assert "no server has checked who sent these mails" in judge.text(), judge.text()
    assert f"the envelope says thief@elsewhere.test, the mail says {friend.address}" in attached_page(judge.mails[-1])
    judge.decide(f"rule case 1: roll back to turn {turn}. Nobody vouches for the letter")
    question = judge.mails[-2]
    assert f"undo: turn {turn}" not in judge.text(-2)
    assert "- 13." in judge.text(-2), "what is taken back is said before"
    assert town.table.turn == turn
    nothing_comes_of(judge, question)
    judge.decide("close case 1")
    play(town, 1)


def test_a_letter_that_came_late(stack: ExitStack, tmp_path: Path) -> None:
    """It was at our own mail server in time, and lay there."""
    waits = {"time__silence": "play", "time__per_turn": timedelta(days=3), "post__authserv_id": "mx.post.test"}
    town, judge = summon(stack, tmp_path, DESERT, 2, accepting=False, **waits)
    for each in town.friends:
        assert town.deliver(vouched(town, each, "accept")).fate == "applied"
    play_vouched(town, 12)
    seat, turn = town.table.due[0], town.table.turn
    moves = random_moves(town.table, seat, KeyedDealer(b"late"))
    sent = town.hours.now()
    letter = vouched(town, seat, moves)
    stops = (
        f"Received: from mx.post.test by box.mx.post.test with LMTP; {format_datetime(sent + timedelta(days=4))}\r\n"
        f"Received: from out.test (out.test [93.184.216.34]) by mx.post.test; {format_datetime(sent)}\r\n"
        f"Received: from home by mx.post.test; {format_datetime(sent - timedelta(days=1))}\r\n"
    )
    town.wait(days=4)
    assert encode(town.events[-1].payload)["by"] == "clock"
    assert town.deliver(stops.encode() + letter).fate == "refused"
    assert town.deliver(vouched(town, seat, f"appeal {turn}: I answered in time")).fate == "applied"
    assert judge.answer("show case 1").fate == "refused", "whoever only says so is no referee"
    judge = VouchedJudge(town)
    judge.answer("show case 1")
    told = judge.text()
    assert "before the deadline" in told
    assert told.count("a server of ours") == 2, "what stands below the line of our first server is its sender's word"
    assert "mx.post.test, by its own word" in told
    assert "The rule: a mail counts as received when the first server of ours had it" in told
    assert attached_page(judge.mails[-1]).count("a server of ours") == 2
    assert "mx.post.test, by its own word" in attached_page(judge.mails[-1])
    judge.decide(f"roll back to turn {turn}: her letter was at our server in time\nclose case 1")
    assert (town.table.turn, town.table.pauses) == (turn, frozenset())
    play_vouched(town, 1)


def test_dice(stack: ExitStack, tmp_path: Path) -> None:
    town, judge = summon(stack, tmp_path, NOMADI, 2)
    while not (dealt := [event for event in town.events if event.kind == "dealt"]):
        play(town, 1)
    victim, turn = town.table.due[0], encode(dealt[-1].payload)["turn"]
    assert town.write(victim, f"appeal {turn}: nobody throws like that").fate == "applied"
    judge.answer("show case 1")
    assert "This follows from the seed that was promised before the game." in judge.text(), judge.text()
    page = next(part for part in judge.mails[-1].walk() if part.get_filename() == f"{TABLE}-case-1.html")
    assert "stays sealed until the game is over" in page.get_payload(decode=True).decode()
    judge.decide("dismiss: the dice follow from the seed\nclose case 1")
    play(town, 1)


def test_another_reading(stack: ExitStack, tmp_path: Path) -> None:
    """Two letters crossed, and all agree which one counts."""
    town, judge = summon(stack, tmp_path, DESERT, 3)
    play(town, 17)
    turn = town.table.turn - 1
    mover = next(str(encode(event.payload)["seat"]) for event in reversed(town.events) if event.kind == "played")
    other = next(seat for seat in town.friends if seat != mover)
    old = next(event for event in reversed(town.events) if event.kind == "played").phrase
    assert town.write(other, "appeal one camel is enough, as we play").fate == "applied"
    judge.answer(f"correct {mover}: lilac A1. Reason: as agreed by all")
    assert "Nothing was done" in judge.text(), judge.text()
    assert "(TD-" in judge.text(), "no ruling makes an illegal move"
    judge.decide(f"correct {mover}: {old}. Reason: all agree that the turn stands as it was")
    assert f"+ {turn}. {mover}:" in judge.text(-2)
    ruled = town.events[-1]
    assert (encode(ruled.payload)["by"], encode(ruled.payload)["seat"]) == ("referee", mover)
    nothing_comes_of(judge, judge.mails[-2])
    judge.decide("close case 1")


def test_abuse_and_somebody_to_replace(stack: ExitStack, tmp_path: Path) -> None:
    town, judge = summon(stack, tmp_path, DESERT, 2)
    play(town, 4)
    rude, hurt = town.friends
    with town.context.store.transaction() as transaction:
        dov = meet_person(town.context, transaction, name="Dov", address="dov@players.test", wishes={})
        confirm_person(transaction, dov.id, "dov@players.test", town.hours.now())
    assert town.write(rude, "press to all: you are a camel\n\n").fate == "applied"
    assert town.write(hurt, f"report {town.friends[rude].name}").fate == "applied"
    assert "you are a camel" in judge.text(), judge.text()
    assert "open case: " in judge.buttons()
    judge.decide("open case: somebody was insulted")
    judge.answer(f"rule case 1: seat zoe at {rude}. He was rude")
    assert "We know nobody called zoe" in judge.text(), judge.text()
    judge.answer(f"rule case 1: seat {town.friends[hurt].name} at {rude}. He was rude")
    assert "cannot take that seat" in judge.text(), judge.text()
    judge.decide(f"rule case 1: seat Dov at {rude}. He was rude")
    assert town.mails["dov@players.test"]
    with town.context.store.reading() as transaction:
        assert {each.seat: each.address for each in transaction.find_seats(TABLE)}[rude] == "dov@players.test"
    judge.decide("close case 1")


def test_time(stack: ExitStack, tmp_path: Path) -> None:
    town, judge = summon(stack, tmp_path, DESERT, 2)
    play(town, 4)
    assert town.write(town.table.due[0], "press to referee: there is a storm\n\n").fate == "applied"
    judge.decide("extend by 2 days because there is a storm")
    assert encode(town.events[-1].payload)["length"] == "2d"
    judge.decide("pause: the storm")
    assert town.table.pauses == {"the storm"}
    judge.decide("resume")
    assert not town.table.pauses


ACTS = ("dismiss: as it was", "roll back: a mistake", "warrant red: to read", "close case 1", "extend by 1 day: storm")
MORE = ("pause: the storm", "terms pace 2d: storm", "end, red wins: they agree", "open case: once more")


@pytest.mark.parametrize("words", [*ACTS, *MORE])
def test_an_act_happens_once(words: str, stack: ExitStack, tmp_path: Path) -> None:
    town, judge = summon(stack, tmp_path, DESERT, 2)
    play(town, 5)
    mover = next(seat for seat in town.friends if seat not in town.table.due)
    assert town.write(mover, "appeal: what is this?").fate == "applied"
    appeal = judge.mails[-1]

    judge.answer(words, to=appeal)
    late = judge.mails[-1]
    before = kinds(town)
    town.wait(days=3)
    assert judge.answer("yes", to=late).reason == "late"
    assert kinds(town) == before, "after two days nothing happens"

    judge.answer(words, to=appeal)
    overtaken = judge.mails[-1]
    play(town, 1)
    before = kinds(town)
    assert judge.answer("yes", to=overtaken).reason == "moved-on"
    assert kinds(town) == before, "after a move nothing happens"
    assert "something has happened at the table since we asked" in judge.text(), judge.text()

    assert judge.answer("no").reason == "dropped"
    assert kinds(town) == before
    judge.answer(words, to=appeal)
    first = judge.mails[-1]
    judge.answer(words, to=appeal)
    second = judge.mails[-1]
    assert judge.answer("yes", to=first).fate == "refused", "a question that was asked anew is closed"
    assert judge.answer("yes", to=second).reason == "carried-out"
    after = kinds(town)
    assert len(after) > len(before)
    for mail in (late, overtaken, first, second):
        assert judge.answer("yes", to=mail).fate == "refused"
    assert kinds(town) == after


def vouched(town: Town, seat: str, words: str) -> bytes:
    """A letter that our own server vouches for."""
    note = b"Authentication-Results: mx.post.test; dmarc=pass header.from=players.test\r\n"
    return note + town.friends[seat].answer(words, town.hours.now())


def play_vouched(town: Town, turns: int) -> None:
    for _ in range(turns):
        seat = town.table.due[0]
        assert (
            town.deliver(vouched(town, seat, random_moves(town.table, seat, KeyedDealer(b"chance")))).fate == "applied"
        )


class VouchedJudge(Judge):
    """A referee at a post that checks who writes."""

    def answer(self, words: str, *, to: Any = None) -> LetterOutcome:
        mail = self.mails[-1] if to is None else to
        self.written += 1
        lines = ["Authentication-Results: mx.post.test; dmarc=pass header.from=post.test", f"From: {self.address}"]
        lines += [f"To: {mail['Reply-To']}", self.subject(mail), f"Message-ID: <v{self.written}@x.test>"]
        return self.town.deliver("\r\n".join((*lines, "", *words.splitlines(), "")).encode())


def test_a_hidden_hand_needs_a_warrant_before_a_correction(stack: ExitStack, tmp_path: Path) -> None:
    game = registry.find_game("shy-well")
    assert game is not None
    town, judge = summon(stack, tmp_path, game, 2)
    for words in ("go", "wait"):
        for seat in town.friends:
            assert town.write(seat, words).fate == "applied"
    assert town.write("fennec", "appeal 2: I wanted to wait").fate == "applied"
    judge.answer("correct fennec: wait. Reason: she says so")
    assert "You need a warrant first: warrant fennec" in judge.text(), judge.text()
    judge.answer("show case 1 as fennec")
    assert "You need a warrant" in judge.text(), judge.text()
    judge.decide("warrant fennec: to see what she saw")
    judge.answer("show case 1 as fennec")
    assert f"Case 1 at {TABLE}" in judge.text(), judge.text()


def test_a_second_referee_must_agree_to_a_warrant(stack: ExitStack, tmp_path: Path) -> None:
    town, judge = summon(stack, tmp_path, DESERT, 2)
    other = Judge(town, "second@post.test")
    with town.context.store.transaction() as transaction:
        named = meet_person(town.context, transaction, name="Sara", address=other.address, wishes={"language": "nl"})
        assert appoint(town.context, transaction, named, "") == ""
    play(town, 3)
    assert town.write(town.table.due[0], "appeal 2: look at it").fate == "applied"
    assert len(other.mails) == len(judge.mails) == 1
    judge.answer("warrant red: to read")
    assert "A second referee must agree" in judge.text(), judge.text()
    assert judge.answer("yes", to=other.mails[-1]).reason == "other-sender"
    assert other.answer("ja").reason == "carried-out"
    assert town.events[-1].kind == "warranted"
    assert f"Done at {TABLE}" in judge.text(), judge.text()


def test_who_plays_does_not_decide(stack: ExitStack, tmp_path: Path) -> None:
    town, judge = summon(stack, tmp_path, DESERT, 2)
    play(town, 3)
    seat = town.table.due[0]
    player = Judge(town, town.friends[seat].address)
    with town.context.store.transaction() as transaction:
        person = transaction.person_at(player.address)
        assert person is not None
        assert "cannot decide there" in appoint(town.context, transaction, person, TABLE)
        assert appoint(town.context, transaction, person, "") == ""
    assert town.write(seat, "appeal 2: look at it").fate == "applied"
    appeal = judge.mails[-1]
    assert player.answer("dismiss: I am right", to=appeal).reason == "other-sender"
    assert not any(
        "calls the referee" in player.text(at)
        for at in range(len(player.mails))
        if "+court." in str(player.mails[at]["Reply-To"])
    )


def test_a_record_with_rulings_by_mail_verifies(stack: ExitStack, tmp_path: Path) -> None:
    town, judge = summon(stack, tmp_path, DESERT, 2)
    play(town, 6)
    assert town.write(town.table.due[0], "appeal 5: look at it").fate == "applied"
    judge.decide("roll back to turn 5: a mistake\nclose case 1")
    from pbem.workflow.history import read_events
    from pbem.workflow.record_proof import record_text

    with town.context.store.reading() as transaction:
        row = transaction.find_game(TABLE)
        assert row is not None
        text = record_text(town.context, row, read_events(transaction, TABLE))
    assert [each.is_good for each in verify_text(text)] == [True]
