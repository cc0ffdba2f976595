"""Floods: strangers and the player himself write without end, and the player's move is played all the same."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from notation import Record
from pbem.clock.alarms import LATE
from pbem.mail.reading import read_letter
from pbem.service.game_records import read_record
from pbem.service.post_folder import open_post
from pbem.store.rows import LetterRow, MailRow
from pbem.store.store import Transaction
from pbem.tables.silence import SILENCE_POLICIES
from pbem.workflow import genuine_letters
from pbem.workflow.context import PostContext
from pbem.workflow.handle_letter import LetterOutcome, handle_arrived_letters
from pbem.workflow.import_record import import_game
from pbem.workflow.new_tables import terms_of
from pbem.workflow.open_game import Guest
from pbem.workflow.tick import tick
from tests.old_tickets import format_old_address
from tests.post.post_games import TABLE, Hours, found_post, make_friends, make_script, moves_of

FRIENDS = make_friends()
ANNA, STRANGER = FRIENDS["red"].address, "mallory@elsewhere.test"
SERVER = "mx.post.test"
TURN = 19
EACH = 25
"""How many letters come in a minute."""
MINUTES = 120
OLD = TURN - 6
"""A turn whose reply addresses anybody may have seen."""
BAIT = "collect your prize at https://prize.elsewhere.test"


@dataclass
class Flooded:
    """A post at which it is Anna's turn, for two hours."""

    context: PostContext
    hours: Hours
    server: str | None
    written: int = 0
    ways: Iterator[int] = field(default_factory=count)

    def send(self, words: str, **how: Any) -> int:
        """Let a letter come; its number."""
        return self.context.store.receive(self.write(words, **how), intake="test").id

    def write(
        self,
        words: str,
        *,
        sender: str = ANNA,
        ticket: bool = True,
        turn: int = TURN,
        honest: bool = True,
        again: bool = False,
    ) -> bytes:
        """A letter; or the one before it `again`, by another way."""
        self.written += not again
        home = self.context.identity.address
        key = self.context.identity.ticket_key
        to = format_old_address(key, home, game=TABLE, seat="red", turn=turn, epoch=0) if ticket else home
        verdict = f"dmarc={'pass' if honest else 'fail'} header.from={sender.partition('@')[2]}"
        lines = [f"Authentication-Results: {self.server}; {verdict}"] if self.server else []
        lines += [f"From: {sender}", f"To: {to}", "Subject: a move", f"Message-ID: <{self.written}@flood.test>"]
        lines += [f"X-Way: {next(self.ways)}"] if again else []
        return "\r\n".join((*lines, "", words, "")).encode()

    def strangers_write(self, letters: int = EACH) -> None:
        """Strangers write to Anna's reply address, and in her name to the bare one."""
        for number in range(letters):
            if number % 2:
                self.send(f"{BAIT} {number}", sender=STRANGER)
            else:
                self.send(f"{BAIT} {number}", ticket=False, honest=False)

    def everybody_writes(self) -> None:
        """A minute's letters: strangers to all addresses they know, and Anna whatever comes to her mind."""
        letters = [self.write(f"{BAIT} {MOVE}", sender=STRANGER) for _ in range(3)]
        letters += [self.write(f"{BAIT} {MOVE}", sender=STRANGER, turn=OLD) for _ in range(3)]
        letters += [self.write(f"{BAIT} {MOVE}", ticket=False, honest=False) for _ in range(5)]
        letters += [self.write(f"{BAIT} {MOVE}", sender=STRANGER, ticket=False) for _ in range(2)]
        letters += [self.write(words) for words in ("status", "help", "what weather we have!", "press all: hello")]
        letters += [self.write(ILLEGAL) for _ in range(4)]
        letters += [self.write("press all: hello", again=bool(copy)) for copy in range(4)]
        assert len(letters) == EACH
        self.context.store.receive_all(letters, intake="test")

    def handle(self) -> list[LetterOutcome]:
        """What becomes of the letters that lie there now."""
        return list(handle_arrived_letters(self.context))

    def mails_to_anna(self) -> list[MailRow]:
        with self.context.store.reading() as at_desk:
            mails = map(at_desk.find_mail, range(1, sum(at_desk.mails_by_state().values()) + 1))
            return [mail for mail in mails if mail is not None and mail.recipient == ANNA]

    def turns(self) -> list[tuple[str, str]]:
        record = read_record(self.context, TABLE)
        assert record is not None
        return moves_of(record)


MOVE = moves_of(make_script())[TURN - 1][1]
ILLEGAL = moves_of(make_script())[0][1]
"""It was played long ago."""


@contextmanager
def flooded(folder: Path, silence: str = "forfeit", server: str | None = None) -> Iterator[Flooded]:
    hours, script = Hours(), make_script()
    settings = found_post(folder, authserv_id=server)
    with open_post(settings, hours.now) as context:
        tick(context)
        headers = tuple((name, "*" if name == "Result" else value) for name, value in script.headers)
        guests = [Guest(friend.seat, friend.name, friend.address) for friend in FRIENDS.values()]
        short = replace(settings.time, per_turn=timedelta(hours=2), grace=timedelta(), reminders=(), silence=silence)
        half = Record(headers, script.entries[: TURN - 1])
        import_game(context, TABLE, half, guests, terms=terms_of(short))
        yield Flooded(context, hours, server)


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Flooded]:
    with flooded(tmp_path / "post") as found:
        yield found


@pytest.mark.parametrize("server", [None, SERVER])
@pytest.mark.parametrize("silence", SILENCE_POLICIES)
def test_a_flood_costs_the_player_neither_the_move_nor_the_turn(
    tmp_path: Path, silence: str, server: str | None
) -> None:
    with flooded(tmp_path / "post", silence, server) as post:
        for _ in range(MINUTES - 1):
            post.everybody_writes()
            post.handle()
            post.hours.forward(minutes=1)
            assert LATE not in {done.what for done in tick(post.context)}
        post.everybody_writes()
        move = post.send(MOVE)
        post.everybody_writes()
        post.hours.forward(minutes=20)
        assert LATE not in {done.what for done in tick(post.context)}
        outcomes = {outcome.letter: outcome.fate for outcome in post.handle()}
        assert outcomes[move] == "applied"
        assert LATE not in {done.what for done in tick(post.context)}
        assert post.turns() == moves_of(make_script(), TURN)
        assert post.context.store.counters().received > EACH * MINUTES
        doubts = [mail for mail in post.mails_to_anna() if mail.kind == "doubt"]
        assert len(doubts) == 1
        assert b"prize" not in b"".join(mail.raw for mail in post.mails_to_anna())


def test_a_genuine_letter_goes_ahead_of_any_number_of_others(post: Flooded) -> None:
    post.strangers_write(700)
    move = post.send(MOVE)
    assert next(iter(handle_arrived_letters(post.context))).letter == move


def test_whose_a_letter_is_is_found_out_once_however_many_lie_there_and_however_often_clocks_are_looked_at(
    post: Flooded, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: Counter[int] = Counter()
    find_name = genuine_letters.find_name

    def count_look(context: PostContext, at_desk: Transaction, row: LetterRow) -> tuple[str, str]:
        looks[row.id] += 1
        return find_name(context, at_desk, row)

    monkeypatch.setattr(genuine_letters, "find_name", count_look)
    post.hours.forward(minutes=50)
    tick(post.context)
    post.strangers_write(100)
    move = post.send(MOVE)
    for minutes in (50, 25, 1, 1, 1):
        post.hours.forward(minutes=minutes)
        assert LATE not in {done.what for done in tick(post.context)}
    assert post.handle()[0].letter == move
    assert set(looks.values()) == {1}


def test_a_letter_that_our_own_mistake_makes_unreadable_holds_up_no_other(
    post: Flooded, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.strangers_write(3)
    move = post.send(MOVE)

    def stumble(raw: bytes, **known: Any) -> object:
        if b"prize" in raw:
            raise RecursionError
        return read_letter(raw, **known)

    monkeypatch.setattr(genuine_letters, "read_letter", stumble)
    assert post.handle()[0].letter == move


def test_a_doubt_is_told_again_after_a_day(post: Flooded) -> None:
    for _ in range(49):
        post.send(BAIT + str(post.written), sender=STRANGER)
        post.handle()
        post.hours.forward(hours=1)
    assert [mail.kind for mail in post.mails_to_anna()].count("doubt") == 3


def test_nobody_is_told_of_a_letter_without_a_good_ticket(post: Flooded) -> None:
    before = len(post.mails_to_anna())
    post.send(BAIT, ticket=False)
    (outcome,) = post.handle()
    assert (outcome.fate, outcome.reason) == ("refused", "no-ticket")
    assert len(post.mails_to_anna()) == before


def test_a_genuine_letter_goes_ahead_of_all_others(post: Flooded) -> None:
    post.strangers_write()
    move = post.send(MOVE)
    later = post.send("status")
    assert [outcome.letter for outcome in post.handle()][:2] == [move, later]


def test_a_move_beyond_the_limit_is_played_without_an_answer_and_others_hear_of_it(post: Flooded) -> None:
    for _ in range(EACH):
        post.send("status")
    assert [outcome.fate for outcome in post.handle()].count("waiting") == 5
    answered = len(post.mails_to_anna())
    post.send("press to blue: hello")
    post.send(MOVE)
    assert [outcome.fate for outcome in post.handle()] == ["waiting", "applied"]
    assert post.turns() == moves_of(make_script(), TURN)
    assert len(post.mails_to_anna()) == answered
    with post.context.store.reading() as at_desk:
        told = {(mail.kind, mail.seat) for mail in at_desk.last_mails_to_seats()}
    assert ("turn", moves_of(make_script())[TURN][0]) in told


def test_letters_that_change_nothing_do_not_put_off_a_ruling_for_long(post: Flooded) -> None:
    for _ in range(119):
        post.hours.forward(minutes=1)
        post.send("status")
        post.handle()
        tick(post.context)
    post.hours.forward(minutes=1)
    ruled = []
    for _ in range(3):
        ruled += [done.what for done in tick(post.context)]
        post.handle()
    assert LATE in ruled


def test_a_letter_that_came_too_late_puts_off_nothing(post: Flooded) -> None:
    post.hours.forward(minutes=50)
    tick(post.context)
    post.hours.forward(minutes=50)
    tick(post.context)
    post.hours.forward(minutes=21)
    post.send(MOVE)
    assert LATE in {done.what for done in tick(post.context)}


def test_a_receipt_that_comes_with_no_mail_has_no_mails_number(post: Flooded) -> None:
    for _ in range(20):
        post.send("status")
    move = post.send(MOVE)
    post.handle()
    post.hours.forward(hours=2)
    post.send("status")
    *_, last = post.handle()
    with post.context.store.reading() as at_desk:
        kept = [at_desk.find_receipt(letter) for letter in (*range(move - 1, move + 1), last.letter)]
    numbers = [line for receipt in kept if receipt for line in receipt.text.splitlines() if line.startswith("number")]
    answered = len([mail for mail in post.mails_to_anna() if mail.kind != "turn"])
    assert numbers[1] == "number 0"
    assert int(numbers[2].split()[1]) == int(numbers[0].split()[1]) + 1, answered
