"""Mails that come back: counted, held after three, told to the referee, and let go when the player writes."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.mail.reply_address import format_verp
from pbem.service.post_folder import open_post
from pbem.store.rows import SeatRow
from pbem.workflow.context import PostContext
from pbem.workflow.handle_letter import handle_arrived_letters
from pbem.workflow.tick import tick
from tests.old_tickets import format_old_address
from tests.post.post_games import TABLE, Hours, found_post, invite_friends, make_friends, make_script

FRIENDS = make_friends()
ANNA = FRIENDS["red"]


@pytest.fixture
def context(tmp_path: Path) -> Iterator[PostContext]:
    settings = found_post(tmp_path / "post", referee="referee@post.test")
    with open_post(settings, Hours().now) as opened:
        invite_friends(opened, FRIENDS.values(), make_script())
        yield opened


def bounce(number: int, *, to: str = "caravan@post.test", message_id: str = "<nobody@knows.test>") -> bytes:
    """What a mail server writes when a mailbox is gone."""
    return f"""From: MAILER-DAEMON@mx.test
To: {to}
Message-ID: <{number}@mx.test>
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: message/delivery-status

Final-Recipient: rfc822; {ANNA.address}
Action: failed
Status: 5.1.1

--b
Content-Type: text/rfc822-headers

Message-ID: {message_id}

--b--
""".encode()


def anna(context: PostContext) -> SeatRow:
    with context.store.reading() as at_desk:
        found = at_desk.find_seat(TABLE, "red")
    assert found is not None
    return found


def our_mail(context: PostContext) -> str:
    """The name of the invitation to Anna."""
    with context.store.reading() as at_desk:
        mails = [at_desk.find_mail(number) for number in (1, 2, 3)]
    return next(mail.message_id for mail in mails if mail is not None and mail.seat == "red")


def ticket(context: PostContext) -> str:
    identity = context.identity
    return format_old_address(identity.ticket_key, identity.address, game=TABLE, seat="red", turn=0, epoch=0)


def handle(context: PostContext, letter: bytes, *, env_from: str = "") -> str:
    context.store.receive(letter, intake="test", env_from=env_from)
    (outcome,) = handle_arrived_letters(context)
    return outcome.fate


def mails_to(context: PostContext, address: str) -> list[str]:
    with context.store.reading() as at_desk:
        mails = [at_desk.find_mail(number) for number in range(1, 30)]
    return [mail.state for mail in mails if mail is not None and mail.recipient == address]


def test_a_bounce_is_known_by_the_mail_it_brings_back(context: PostContext) -> None:
    assert handle(context, bounce(1, message_id=our_mail(context))) == "automatic"
    assert (anna(context).bounces, anna(context).paused) == (1, False)


def test_a_bounce_is_known_by_the_address_it_comes_to(context: PostContext) -> None:
    context.store.receive(bounce(1, to=ticket(context)), intake="test", env_from="", env_to=[ticket(context)])
    assert [outcome.fate for outcome in handle_arrived_letters(context)] == ["automatic"]
    assert anna(context).bounces == 1


def test_a_bounce_that_anybody_could_have_written_counts_for_nothing(context: PostContext) -> None:
    assert handle(context, bounce(1)) == "automatic"
    assert anna(context).bounces == 0


def bounce_of_old(number: int) -> bytes:
    """What some servers write: for people, without the mail that came back."""
    return f"""From: MAILER-DAEMON@mx.test
Message-ID: <{number}@mx.test>
Subject: failure notice

Hi. This is the qmail-send program at mx.test.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<{ANNA.address}>:
Sorry, no mailbox here by that name. (#5.1.1)
""".encode()


def receive_at(context: PostContext, letter: bytes, address: str) -> None:
    context.store.receive(letter, intake="test", env_from="", env_to=[address])
    assert [outcome.fate for outcome in handle_arrived_letters(context)] == ["automatic"]


def test_a_bounce_is_known_by_the_envelope_sender_that_names_its_mail(context: PostContext) -> None:
    sender = format_verp(context.identity.address, f"Message-ID: {our_mail(context)}".encode())
    assert sender != context.identity.address
    for number in range(3):
        receive_at(context, bounce_of_old(number), sender)
    assert (anna(context).bounces, anna(context).paused) == (3, True)
    assert len(mails_to(context, "referee@post.test")) == 1


@pytest.mark.parametrize(
    "address",
    [
        f"caravan+bounce-{'0f' * 16}@post.test",
        f"caravan+bounce-{ANNA.address.replace('@', '=')}@post.test",
        "caravan+bounce-1@post.test",
        f"caravan+{TABLE}.red.0.0.aaaaaaaaaaaaaaaa@post.test",
    ],
)
def test_an_address_that_anybody_could_have_made_up_counts_for_nothing(context: PostContext, address: str) -> None:
    receive_at(context, bounce_of_old(1), address)
    receive_at(context, bounce(2, to=address), address)
    assert anna(context).bounces == 0


def test_a_bounce_for_whoever_sat_there_before_does_not_count_against_who_sits_there_now(context: PostContext) -> None:
    dana = replace(anna(context), name="Dana", address="dana@players.test")
    with context.store.transaction() as at_desk:
        at_desk.save_seat(dana)
    handle(context, bounce(1, to=ticket(context), message_id=our_mail(context)))
    assert anna(context).bounces == 0


def test_after_three_the_mails_are_held_and_the_referee_is_told_once(context: PostContext) -> None:
    for number in range(5):
        handle(context, bounce(number, message_id=our_mail(context)))
    assert anna(context).paused
    assert mails_to(context, ANNA.address) == ["held"]
    assert len(mails_to(context, "referee@post.test")) == 1


def test_a_letter_from_the_player_lets_the_mails_go(context: PostContext) -> None:
    for number in range(3):
        handle(context, bounce(number, message_id=our_mail(context)))
    letter = f"From: {ANNA.address}\nTo: {ticket(context)}\nMessage-ID: <a@x>\n\naccept\n"
    assert handle(context, letter.encode(), env_from=ANNA.address) == "applied"
    assert (anna(context).bounces, anna(context).paused) == (0, False)
    assert mails_to(context, ANNA.address) == ["queued", "queued"]


def say(context: PostContext, number: int) -> None:
    """Boris says something to all."""
    boris, identity = FRIENDS["blue"], context.identity
    to = format_old_address(identity.ticket_key, identity.address, game=TABLE, seat="blue", turn=0, epoch=0)
    letter = f"From: {boris.address}\nTo: {to}\nMessage-ID: <{number}@x.test>\n\npress to all: hello\n"
    assert handle(context, letter.encode(), env_from=boris.address) == "applied"


def refuse_all(context: PostContext, address: str) -> None:
    """A mail server that takes no mail for an address."""
    with context.store.reading() as at_desk:
        mails = [at_desk.find_mail(number) for number in range(1, 30)]
    for mail in mails:
        if mail is not None and mail.recipient == address and mail.state == "queued":
            context.store.mark_failed(mail.id, "550 5.1.1 unknown")


def test_mails_that_are_refused_at_the_door_count_as_those_that_come_back(context: PostContext) -> None:
    for number in range(1, 5):
        refuse_all(context, ANNA.address)
        tick(context)
        assert (anna(context).bounces, anna(context).paused) == (min(number, 3), number >= 3)
        assert mails_to(context, "referee@post.test") == ["queued"] * (number >= 3)
        say(context, number)
    assert mails_to(context, ANNA.address)[3:] == ["held", "held"]


def test_mails_that_the_referee_does_not_get_bring_no_others(context: PostContext) -> None:
    for number in range(3):
        refuse_all(context, ANNA.address)
        tick(context)
        say(context, number)
    for _ in range(3):
        refuse_all(context, "referee@post.test")
        tick(context)
    assert mails_to(context, "referee@post.test") == ["failed"]
