"""Mishaps at a post: receipts that are lost, a history that is damaged or older than it was, mails that come back,
letters that cannot be read or handled."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from engine.game import Seat
from pbem.events.history_mark import LENGTH
from pbem.mail.reading import limits
from pbem.mail.reply_address import format_reply_address
from pbem.proof.signatures import Signer
from pbem.store.rows import TRIES, AnswerCountRow
from pbem.store.sqlite import database_path
from pbem.workflow.context import PostContext
from pbem.workflow.delegates import Delegation, begin_delegation, end_delegation, find_delegations
from pbem.workflow.handle_letter import LetterOutcome, handle_arrived_letters
from pbem.workflow.new_keys import announce_key
from pbem.workflow.people import confirm_person, meet_person
from pbem.workflow.rollback import restore_game
from pbem.workflow.session import GameSession
from tests.post.post_games import TABLE
from tests.post.secrets.twin_worlds import World
from tests.post.towns import handle_letter, readdress


def forget_receipts(world: World) -> None:
    """Lose the receipts of a post, as if an older version had answered."""
    with closing(sqlite3.connect(path_of(world))) as hand:
        hand.execute("DELETE FROM receipt")
        hand.commit()


def path_of(world: World) -> str:
    """Where the database of a post is."""
    return database_path(world.town.context.settings.store.url)


def bounce(world: World, seat: str) -> bytes:
    """What a mail server writes when a mailbox is gone."""
    friend, number = world.town.friends[seat], len(world.town.letters)
    return (
        f"From: MAILER-DAEMON@mx.test\r\nTo: caravan@post.test\r\nMessage-ID: <{number}@mx.test>\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        f"--b\r\nContent-Type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; {friend.address}\r\n"
        "Action: failed\r\nStatus: 5.1.1\r\n\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\n"
        f"Message-ID: {friend.mails[0]['Message-ID']}\r\n\r\n--b--\r\n"
    ).encode()


@contextmanager
def damaged(world: World) -> Iterator[None]:
    """Damage the history of a game, and mend it again."""
    with closing(sqlite3.connect(path_of(world))) as hand:
        (data,) = hand.execute("SELECT data FROM event WHERE seq = 3").fetchone()
        (head,) = hand.execute("SELECT head_hash FROM game").fetchone()
        _write_history(hand, "{", "0" * len(head))
        yield
        _write_history(hand, data, head)


def _write_history(hand: sqlite3.Connection, data: str, head: str) -> None:
    """Change an event, and the end of the history too, so that no table in memory passes for it."""
    hand.execute("UPDATE event SET data = ? WHERE seq = 3", (data,))
    hand.execute("UPDATE game SET head_hash = ?", (head,))
    hand.commit()


def write(world: World, words: str) -> bytes:
    """A letter of the viewer's that answers the last mail, and that is not delivered yet."""
    return world.town.friends[world.viewer].answer(words, world.town.hours.now())


def to_bare_address(world: World, words: str) -> bytes:
    """A letter of the viewer's whose ticket was lost on the way."""
    reply_to = world.town.friends[world.viewer].reply_to
    return write(world, words).replace(reply_to.encode(), world.town.context.identity.address.encode())


def too_large(letter: bytes) -> bytes:
    """A letter with more behind it than even a good ticket allows."""
    return letter + b"and so on\r\n" * (limits.TICKETED // 10)


def fail_on(world: World, letter: bytes) -> LetterOutcome:
    """Let a letter come that the post has failed to handle as often as it tries."""

    def give_up(context: PostContext) -> LetterOutcome:
        with context.store.reading() as at_desk:
            row = at_desk.next_received()
        assert row is not None
        for _ in range(TRIES):
            context.store.count_failure(row.id)
        return handle_letter(context)

    usual, world.town.handle = world.town.handle, give_up
    try:
        return world.town.deliver(readdress(letter, world.town))
    finally:
        world.town.handle = usual


def from_lost_history(world: World, letter: bytes) -> bytes:
    """A letter to a reply address that the post wrote in a history that it has lost."""
    here, identity = world.town.friends[world.viewer].reply_to, world.town.context.identity
    key, turn, mark = identity.ticket_key, world.table.turn + 1, "a" * LENGTH
    lost = format_reply_address(key, identity.address, game=TABLE, seat=world.viewer, turn=turn, mark=mark)
    return readdress(letter, world.town).replace(here.encode(), lost.encode())


def make_known(world: World) -> None:
    """Let another player have answered often, and late, before."""
    first, _ = world.others
    with world.town.context.store.transaction() as at_desk:
        seat = next(each for each in at_desk.find_seats(TABLE) if each.seat == first)
        at_desk.save_answer_count(AnswerCountRow(TABLE, "earlier", seat.person, on_time=30, late=12))


def restore(world: World) -> None:
    """Let the game go on from an older copy, and handle what was kept until then."""
    with world.town.context.store.transaction() as at_desk:
        row = at_desk.find_game(TABLE)
        assert row is not None
        assert restore_game(GameSession(world.town.context, at_desk, row), "the disk broke")
    (outcome,) = handle_arrived_letters(world.town.context)
    assert outcome.fate == "refused"


def change_key(world: World) -> None:
    """Let the post sign with another key from now on."""
    context = world.town.context
    new = Signer(context.identity.address, bytes(range(32)))
    assert list(announce_key(context, new, context.signer)) == [TABLE]


def lend(context: PostContext, table: str, seat: Seat, name: str, address: str) -> None:
    """Let somebody whom the post knows play for the player of a seat from now on."""
    today = context.now().date().isoformat()
    with context.store.transaction() as transaction:
        row = transaction.find_seat(table, seat)
        assert row is not None
        person = meet_person(context, transaction, name=name, address=address, wishes={"language": row.language})
        confirm_person(transaction, person.id, address, context.now())
        assert begin_delegation(context, transaction, Delegation(table, seat, row.person, person.id, today, today))


def give_back(context: PostContext) -> None:
    """Nobody plays for anybody any more."""
    with context.store.transaction() as transaction:
        for each in find_delegations(transaction):
            end_delegation(context, transaction, each)


def lent(world: World) -> None:
    """Somebody plays for a player for some days, and the player comes back."""
    first, _ = world.others
    world.accept()
    world.play_until(world.hides)
    owner = world.town.friends[first].name
    world.do(lambda each: each.expect(first, "Eva"))
    world.act(lend, TABLE, first, "Eva", "eva@players.test")
    world.write(first, "resign", fate="refused")
    world.do(lambda each: each.expect(first, owner))
    world.act(give_back)
