"""Those who should not come in: forgers, robots, floods, advertisers, guessers. Each gets nothing, or one mail."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.people.names import read_name
from pbem.workflow.handle_letter import handle_arrived_letters
from tests.post.people.desks import POST, SERVER, Lobby, open_lobby

ANNA, BORIS = "anna@people.test", "boris@people.test"
VICTIM = "victim@elsewhere.test"

RESPONDERS = [
    "I am out of the office until Monday.\n\nKind regards",
    "Ik ben afwezig tot 3 december.",
    "Jestem na urlopie. Odpowiem po powrocie.",
    "Я в отпуске до понедельника.",
    "אני בחופשה עד יום ראשון.",
    "Thank you for your message. We have received it and will answer within two days.",
    "This mailbox is not monitored. Please call us.",
    "Your ticket #4711 was opened. Please keep the number in the subject.",
    "Delivery is delayed.",
    "",
]


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    with open_lobby(tmp_path / "post") as found:
        yield found


def people(lobby: Lobby) -> int:
    with lobby.context.store.reading() as at_desk:
        return len(at_desk.people())


def test_a_forged_sender_gets_no_mail(lobby: Lobby) -> None:
    for number in range(60):
        verdict = ("fail", "none", "softfail", "temperror")[number % 4]
        assert lobby.write(VICTIM, "open nomadi", verdict=verdict).fate == "refused"
        lobby.hours.forward(hours=12)
    assert lobby.mails == {}


def test_who_forges_with_a_server_that_vouches_makes_three_mails_in_all(lobby: Lobby) -> None:
    for _ in range(60):
        lobby.write(VICTIM, "hello")
        lobby.hours.forward(hours=12)
    assert len(lobby.mails[VICTIM]) == 3


@pytest.mark.parametrize("header", [(), ("Auto-Submitted: auto-replied",), ("Precedence: bulk",)])
def test_robots_that_answer_everything_die_within_two_rounds(lobby: Lobby, header: tuple[str, ...]) -> None:
    for number, words in enumerate(RESPONDERS):
        robot = f"robot{number}@elsewhere.test"
        lobby.write(robot, "hello")
        for _ in range(5):
            count = len(lobby.mails[robot])
            lobby.answer(robot, words, headers=header)
            assert len(lobby.mails[robot]) == count == 1
    assert people(lobby) == 0


def test_a_person_whose_robot_answers_is_answered_once_a_day(lobby: Lobby) -> None:
    lobby.come_in(ANNA)
    for words in RESPONDERS * 2:
        lobby.answer(ANNA, words)
    assert len(lobby.mails[ANNA]) <= 3


def test_two_posts_do_not_write_to_each_other(tmp_path: Path) -> None:
    with open_lobby(tmp_path / "one") as one, open_lobby(tmp_path / "two") as two:
        one.write("caravan@two.test", "hello")
        (mail,) = one.mails["caravan@two.test"]
        raw = mail.as_bytes().replace(b"\n", b"\r\n").replace(b"caravan@two.test", POST.encode())
        vouched = f"Authentication-Results: {SERVER}; dmarc=pass header.from=post.test\r\n".encode()
        two.context.store.receive(vouched + raw, intake="test")
        (outcome,) = handle_arrived_letters(two.context)
        two.carry()
        assert outcome.fate == "automatic"
        assert two.mails == {}


def test_plus_variants_of_one_mailbox_get_one_welcome_a_day(lobby: Lobby) -> None:
    for number in range(50):
        lobby.write(f"victim+{number}@elsewhere.test", "hello")
        lobby.hours.forward(seconds=-660)
    assert sum(map(len, lobby.mails.values())) == 1


def test_a_domain_gets_so_many_welcomes_a_day(lobby: Lobby) -> None:
    for number in range(30):
        lobby.write(f"v{number}@elsewhere.test", "hello")
        lobby.hours.forward(seconds=-660)
    assert sum(map(len, lobby.mails.values())) == 20


def test_only_the_sender_counts_and_no_other_header(lobby: Lobby) -> None:
    others = (f"Reply-To: {VICTIM}", f"Sender: {VICTIM}", f"Return-Path: <{VICTIM}>")
    lobby.write(ANNA, "hello", headers=others)
    assert set(lobby.mails) == {ANNA}


@given(st.text(max_size=60))
def test_no_name_is_an_advertisement(text: str) -> None:
    name = read_name(text)
    if name is not None:
        assert len(name) <= 40
        assert not re.search(r"[@/:<>\\]|\.\w|\bwww\b|\bhttps?\b", name, re.IGNORECASE)


@pytest.mark.parametrize("name", ["pills.example", "www pills", "http pills", "a@b", "buy at pills.com", "x" * 41])
def test_such_names_are_refused(lobby: Lobby, name: str) -> None:
    lobby.come_in(ANNA, "yes, I am Anna")
    lobby.answer(ANNA, f"name {name}")
    assert "That cannot be a name" in lobby.last(ANNA)


def test_a_title_is_shown_to_nobody_who_did_not_write_it(lobby: Lobby) -> None:
    lobby.come_in(ANNA)
    lobby.answer(ANNA, 'open nomadi seats 3 "pills at www.pills.example"')
    lobby.come_in(BORIS)
    for words in ("tables", "table sirocco-1", "join sirocco-1"):
        lobby.answer(BORIS, words)
        assert "pills" not in lobby.mails[BORIS][-1].as_string()
        assert "pills" not in lobby.last(BORIS)


def bounce(lobby: Lobby, address: str) -> None:
    """The last mail to an address comes back."""
    mail = lobby.mails[address][-1]
    lines = [
        "From: MAILER-DAEMON@elsewhere.test",
        f"To: {POST}",
        "Subject: failure",
        "Message-ID: <bounce@elsewhere.test>",
        "MIME-Version: 1.0",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
        "",
        "--b",
        "Content-Type: message/delivery-status",
        "",
        "Reporting-MTA: dns; elsewhere.test",
        "",
        f"Final-Recipient: rfc822; {address}",
        "Action: failed",
        "Status: 5.1.1",
        "",
        "--b",
        "Content-Type: text/rfc822-headers",
        "",
        f"Message-ID: {mail['Message-ID']}",
        f"From: {POST}",
        "",
        "--b--",
        "",
    ]
    lobby.context.store.receive("\r\n".join(lines).encode(), intake="test", env_from="")
    list(handle_arrived_letters(lobby.context))


def test_a_welcome_that_comes_back_is_the_last_for_ninety_days(lobby: Lobby) -> None:
    lobby.write(VICTIM, "hello")
    bounce(lobby, VICTIM)
    lobby.wait(days=60)
    lobby.write(VICTIM, "hello")
    assert len(lobby.mails[VICTIM]) == 1
    lobby.wait(days=60)
    lobby.write(VICTIM, "hello")
    assert len(lobby.mails[VICTIM]) == 2


def test_an_invitation_that_comes_back_is_the_last_too(lobby: Lobby) -> None:
    lobby.come_in(ANNA)
    lobby.answer(ANNA, f"open nomadi seats 3\ninvite {VICTIM}")
    bounce(lobby, VICTIM)
    lobby.wait(days=60)
    assert lobby.write(VICTIM, "hello").fate == "refused"
    assert len(lobby.mails[VICTIM]) == 1


def test_letters_of_strangers_do_not_keep_those_of_players_waiting(lobby: Lobby) -> None:
    lobby.come_in(ANNA)
    lobby.answer(ANNA, "open nomadi seats 2")
    lobby.come_in(BORIS)
    lobby.answer(BORIS, "join sirocco-1")
    turn = next(
        str(mail["Reply-To"])
        for mail in lobby.mails[ANNA] + lobby.mails[BORIS]
        if "+sirocco-1." in str(mail["Reply-To"])
    )
    player = ANNA if any(str(mail["Reply-To"]) == turn for mail in lobby.mails[ANNA]) else BORIS

    def letter(sender: str, to: str, number: int) -> bytes:
        domain = sender.partition("@")[2]
        lines = (f"Authentication-Results: {SERVER}; dmarc=pass header.from={domain}", f"From: {sender}", f"To: {to}")
        return "\r\n".join((*lines, "Subject: hm", f"Message-ID: <flood{number}@x.test>", "", "status", "")).encode()

    for number in range(200):
        lobby.context.store.receive(letter(f"s{number}@flood{number}.test", POST, number), intake="test")
    lobby.context.store.receive(letter(player, turn, 999), intake="test")
    first = next(iter(handle_arrived_letters(lobby.context, most=1)))
    assert first.game == "sirocco-1"
