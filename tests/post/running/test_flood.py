"""Floods: strangers and the player himself write without end, and the player's move is played all the same."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest

from notation import Record
from pbem.clock.alarms import LATE
from pbem.service.game_records import read_record
from pbem.service.invitations import terms_of
from pbem.service.post_folder import open_post
from pbem.store.rows import MailRow
from pbem.tables.silence import SILENCE_POLICIES
from pbem.workflow.context import PostContext
from pbem.workflow.handle_letter import LetterOutcome, handle_arrived_letters
from pbem.workflow.import_record import import_game
from pbem.workflow.open_game import Guest
from pbem.workflow.tick import tick
from tests.old_tickets import format_old_address
from tests.post.post_games import TABLE, Hours, found_post, make_friends, make_script, moves_of

FRIENDS = make_friends()
ANNA, STRANGER = FRIENDS["red"].address, "mallory@elsewhere.test"
SERVER = "mx.post.test"
TURN = 19
EACH = 25
"""How many letters the strangers send at a time."""
BAIT = "collect your prize at https://prize.elsewhere.test"


@dataclass
class Flooded:
    """A post at which it is Anna's turn, for two hours."""

    context: PostContext
    hours: Hours
    server: str | None
    written: int = 0

    def send(self, words: str, *, sender: str = ANNA, ticket: bool = True, honest: bool = True) -> int:
        """Let a letter come; its number."""
        self.written += 1
        home = self.context.identity.address
        key = self.context.identity.ticket_key
        to = format_old_address(key, home, game=TABLE, seat="red", turn=TURN, epoch=0) if ticket else home
        verdict = f"dmarc={'pass' if honest else 'fail'} header.from={sender.partition('@')[2]}"
        lines = [f"Authentication-Results: {self.server}; {verdict}"] if self.server else []
        lines += [f"From: {sender}", f"To: {to}", "Subject: a move", f"Message-ID: <{self.written}@flood.test>"]
        raw = "\r\n".join((*lines, "", words, "")).encode()
        return self.context.store.receive(raw, intake="test").id

    def strangers_write(self) -> None:
        """Strangers write to Anna's reply address, and in her name to the bare one."""
        for number in range(EACH):
            if number % 2:
                self.send(f"{BAIT} {number}", sender=STRANGER)
            else:
                self.send(f"{BAIT} {number}", ticket=False, honest=False)

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
        for _ in range(11):
            post.strangers_write()
            for _ in range(3):
                post.send("status")
            post.handle()
            post.hours.forward(minutes=10)
            tick(post.context)
        post.strangers_write()
        move = post.send(MOVE)
        post.hours.forward(minutes=20)
        assert LATE not in {done.what for done in tick(post.context)}
        outcomes = {outcome.letter: outcome.fate for outcome in post.handle()}
        assert outcomes[move] == "applied"
        assert LATE not in {done.what for done in tick(post.context)}
        assert post.turns() == moves_of(make_script(), TURN)
        doubts = [mail for mail in post.mails_to_anna() if mail.kind == "doubt"]
        assert len(doubts) == 1
        assert b"prize" not in b"".join(mail.raw for mail in post.mails_to_anna())


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
