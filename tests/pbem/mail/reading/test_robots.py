"""Mail that no person wrote is told by its headers, and a bounce says whom it could not reach."""

from typing import TYPE_CHECKING

import pytest

from pbem.mail.reading import Letter, read_letter
from pbem.mail.reading.limits import MAIL
from pbem.mail.reply_address import PostIdentity, format_reply_address
from tests.letters.planted_letters import POST

if TYPE_CHECKING:
    from tests.pbem.mail.reading.conftest import Desk


@pytest.mark.parametrize(
    ("headers", "robot"),
    [
        ({"Auto-Submitted": "auto-replied"}, "auto-reply"),
        ({"Auto-Submitted": "Auto-Generated; owner-email=x"}, "auto-reply"),
        ({"Auto-Submitted": "no"}, None),
        ({"Auto-Submitted": "No; really"}, None),
        ({"X-Autoreply": "yes"}, "auto-reply"),
        ({"X-Autorespond": ""}, None),
        ({"X-Autorespond": "1"}, "auto-reply"),
        ({"Precedence": "bulk"}, "bulk"),
        ({"Precedence": "JUNK"}, "bulk"),
        ({"Precedence": "list"}, "list"),
        ({"Precedence": "auto_reply"}, "auto-reply"),
        ({"Precedence": "first-class"}, None),
        ({"List-Id": "<camels.example.org>"}, "list"),
        ({"List-Unsubscribe": "<mailto:x@y>"}, "list"),
        ({"X-Loop": "caravan@example.org"}, "own-mail"),
        ({"X-Loop": "other@example.org"}, None),
        ({"From": "Caravan Post <caravan@example.org>"}, "own-mail"),
        ({"From": "<Caravan+sirocco-7.red.1.0.aaaaaaaaaaaaaaaa@EXAMPLE.org>"}, "own-mail"),
        ({"From": "<caravanserai@example.org>"}, None),
        ({"From": "MAILER-DAEMON@example.net (Mail Delivery System)"}, "bounce"),
        ({"Return-Path": "<>"}, "bounce"),
        ({"Return-Path": "<anna@example.net>"}, None),
        ({"X-Failed-Recipients": "anna@example.net"}, "bounce"),
        ({"Subject": "Out of Office: I am away"}, None),
        ({"X-Auto-Response-Suppress": "DR, OOF, AutoReply"}, None),
    ],
)
def test_a_robot_is_told_by_its_headers(headers: dict[str, str], robot: str | None, session: "Desk") -> None:
    letter = session.letter("lilac F4", headers)
    assert letter.automatic == robot
    assert letter.words == ("" if robot else "lilac F4"), "what a robot writes is no one's words"


TICKET = format_reply_address(POST.ticket_key, POST.address, game="sirocco-7", seat="red", turn=13, mark="aaaaaa")
LISTED = ({"List-Id": "<us.example.net>"}, {"Precedence": "list"}, {"List-Post": "<mailto:a@b>", "Mailing-List": "x"})


@pytest.mark.parametrize("headers", LISTED)
def test_a_letter_that_came_through_a_list_is_read_if_its_ticket_is_good(
    headers: dict[str, str], session: "Desk"
) -> None:
    for letter in (
        session.letter("lilac F4", headers | {"To": TICKET}),
        session.letter("lilac F4", headers, envelope_to=[TICKET]),
    ):
        assert (letter.automatic, letter.listed, letter.words) == (None, True, "lilac F4")
    assert session.letter("lilac F4", headers | {"To": TICKET.replace(".13.", ".14.")}).automatic == "list"
    assert not session.letter("lilac F4", {"To": TICKET}).listed


@pytest.mark.parametrize(
    ("robot", "kind"),
    [
        ({"Auto-Submitted": "auto-replied"}, "auto-reply"),
        ({"X-Autoreply": "yes"}, "auto-reply"),
        ({"Precedence": "auto_reply"}, "auto-reply"),
        ({"Precedence": "bulk"}, "bulk"),
        ({"Precedence": "junk"}, "bulk"),
        ({"Return-Path": "<>"}, "bounce"),
        ({"X-Failed-Recipients": "anna@example.net"}, "bounce"),
        ({"X-Loop": POST.address}, "own-mail"),
    ],
)
def test_a_robot_stays_a_robot_with_a_good_ticket(robot: dict[str, str], kind: str, session: "Desk") -> None:
    assert session.letter("lilac F4", {"To": TICKET} | robot).automatic == kind
    if robot.get("Precedence") not in ("bulk", "junk"):  # lists are marked so too
        assert session.letter("lilac F4", {"To": TICKET, "List-Id": "<us.example.net>"} | robot).automatic == kind


def test_the_null_sender_of_the_envelope_is_a_bounce_whatever_the_mail_says(session: "Desk") -> None:
    for null in ("", "<>"):
        assert session.letter("hi", {"Return-Path": "<anna@example.net>"}, envelope_from=null).automatic == "bounce"
    assert session.letter("hi", {"Return-Path": "<>"}, envelope_from="anna@example.net").automatic is None


def test_a_robot_is_known_even_where_its_mail_could_not_be_read(session: "Desk") -> None:
    letter = session.letter(
        "x", {"Auto-Submitted": "auto-replied", "Content-Type": "multipart/mixed", "From": "a@b, c@d"}
    )
    assert (letter.automatic, letter.sender) == ("auto-reply", "a@b")


POSTFIX = """\
Content-Description: Notification

This is the mail system at host mail.example.org.

<anna@example.net>: host mx.example.net[192.0.2.7] said: 550 5.1.1 unknown

--b
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.org
Arrival-Date: Mon, 16 Nov 2026 10:40:02 +0000 (UTC)

Final-Recipient: rfc822; anna@example.net
Original-Recipient: rfc822;anna@old.example
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 unknown

Final-Recipient: rfc822; boris@example.net
Action: delayed
Status: 4.4.1
"""


def report(text: str) -> tuple[str, dict[str, str]]:
    headers = {
        "From": "MAILER-DAEMON@mail.example.org (Mail Delivery System)",
        "Auto-Submitted": "auto-replied",
        "Content-Type": "multipart/report; report-type=delivery-status;\n\tboundary=b",
    }
    return f"--b\n{text}\n--b\nContent-Type: message/rfc822\n\nFrom: caravan@example.org\n\nlilac F4\n--b--\n", headers


def test_a_report_names_the_addresses_that_failed_for_good(session: "Desk") -> None:
    letter = session.letter(*report(POSTFIX))
    assert letter.automatic == "bounce"
    assert letter.bounce_of == ("anna@example.net", "anna@old.example")


@pytest.mark.parametrize("kind", ["message/rfc822", "text/rfc822-headers", "message/global"])
def test_a_report_brings_the_name_of_our_mail_back(session: "Desk", kind: str) -> None:
    body, headers = report(POSTFIX)
    assert session.letter(body, headers).returned == ()
    named = body.replace("message/rfc822\n\n", f"{kind}\n\nMessage-ID: <a1b2@example.org>\n")
    assert session.letter(named, headers).returned == ("<a1b2@example.org>",)


def test_a_receipt_for_reading_is_no_bounce(session: "Desk") -> None:
    body, headers = report("\nread")
    headers["Content-Type"] = headers["Content-Type"].replace("delivery-status", "disposition-notification")
    headers["From"] = "Anna <anna@example.net>"
    letter = session.letter(body, headers)
    assert (letter.automatic, letter.bounce_of) == ("receipt", ())


def test_a_server_may_name_the_failed_addresses_in_a_header(session: "Desk") -> None:
    letter = session.letter("gone", {"X-Failed-Recipients": "anna@example.net, boris@example.net"})
    assert letter.bounce_of == ("anna@example.net", "boris@example.net")


def test_the_old_form_of_qmail_is_still_read(session: "Desk") -> None:
    said = (
        "Hi. This is the qmail-send program at example.net.\n"
        "I'm afraid I wasn't able to deliver your message to the following addresses.\n"
        "This is a permanent error; I've given up. Sorry it didn't work out.\n\n"
        "<anna@example.net>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n"
        "--- Below this line is a copy of the message.\n"
    )
    letter = session.letter(said, {"From": "MAILER-DAEMON@example.net", "Return-Path": "<>"})
    assert letter.bounce_of == ("anna@example.net",)


def test_a_bounce_that_names_nobody_is_still_a_bounce(session: "Desk") -> None:
    letter = session.letter("something went wrong", {"Return-Path": "<>"})
    assert (letter.automatic, letter.bounce_of) == ("bounce", ())


def test_a_bounce_of_any_size_reports_few_addresses(post: PostIdentity) -> None:
    block = "Final-Recipient: rfc822; a{}@example.net\nAction: failed\n\n"
    status = "".join(block.format(number) for number in range(3_000))
    body, headers = report(f"Content-Type: message/delivery-status\n\n{status}")
    raw = "".join(f"{name}: {value}\n" for name, value in headers.items()) + "\n" + body
    assert len(raw) < MAIL
    letter = read_letter(raw.encode(), post=post)
    assert isinstance(letter, Letter)
    assert len(letter.bounce_of) == 20
