"""Mails over SMTP to a real server: its answers about a mail, its answers about us, and its silences."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from pbem.mail.transport.protocols import Deferred, Rejected, SendResult, Sent
from pbem.mail.transport.smtp import SmtpMailer
from pbem.settings.kinds import Secret
from pbem.settings.sections import SmtpSettings as Wishes

MAIL = b"From: caravan@example.org\r\nTo: anna@x.org\r\nSubject: your turn\r\n\r\n.a line with a dot\r\n.\r\nend\r\n"
POST = "caravan@example.org"


def wishes(port: int, **more: Any) -> Wishes:
    return replace(Wishes(host="127.0.0.1", port=port, security="none", timeout=timedelta(seconds=20)), **more)


def closed(outcome: SendResult) -> str:
    """The reason why the way was closed before the mail came to it, after the name of the server."""
    assert isinstance(outcome, Deferred)
    assert (outcome.closed, outcome.tried) == (True, False)
    server, _, reason = outcome.reason.partition(": ")
    assert server.startswith("127.0.0.1:")
    return reason


def test_many_mails_go_over_one_connection_and_arrive_to_the_byte(sink: Any) -> None:
    way = SmtpMailer(wishes(sink.port), POST)
    for number in range(3):
        assert way.deliver(MAIL + str(number).encode() + b"\r\n", "anna@x.org") == Sent()
    way.close()
    assert [content for *_, content in sink.taken] == [MAIL + str(number).encode() + b"\r\n" for number in range(3)]
    assert sink.taken[0][:2] == (POST, "anna@x.org")
    assert sink.connections == 1


def test_line_ends_on_the_wire_are_those_of_the_wire(sink: Any) -> None:
    assert SmtpMailer(wishes(sink.port), POST).deliver(MAIL.replace(b"\r\n", b"\n"), "anna@x.org") == Sent()
    assert sink.taken[0][2] == MAIL


def test_a_refused_recipient_is_that_mails_fate_alone(sink: Any) -> None:
    sink.to_recipient = {"gone@x.org": "550 5.1.1 no such person", "busy@x.org": "450 4.2.1 mailbox is being moved"}
    way = SmtpMailer(wishes(sink.port), POST)
    assert way.deliver(MAIL, "gone@x.org") == Rejected("550 5.1.1 no such person")
    assert way.deliver(MAIL, "busy@x.org") == Deferred("450 4.2.1 mailbox is being moved")
    assert way.deliver(MAIL, "anna@x.org") == Sent()
    assert sink.connections == 1


def test_a_refused_content_is_that_mails_fate_alone(sink: Any) -> None:
    sink.to_content = ["554 5.7.1 looks like spam", "452 4.3.1 disk full"]
    way = SmtpMailer(wishes(sink.port), POST)
    assert way.deliver(MAIL, "anna@x.org") == Rejected("554 5.7.1 looks like spam")
    assert way.deliver(MAIL, "anna@x.org") == Deferred("452 4.3.1 disk full")
    assert way.deliver(MAIL, "anna@x.org") == Sent()


def test_a_server_that_says_421_and_goes_is_asked_anew_for_the_next_mail(sink: Any) -> None:
    sink.to_content = ["421 4.3.2 shutting down"]
    way = SmtpMailer(wishes(sink.port), POST)
    assert way.deliver(MAIL, "anna@x.org") == Deferred("421 4.3.2 shutting down")
    assert way.deliver(MAIL, "anna@x.org") == Sent()


def test_a_mail_too_large_for_the_server_is_never_sent(serve: Any) -> None:
    sink = serve(data_size_limit=1_000)
    way = SmtpMailer(wishes(sink.port), POST)
    outcome = way.deliver(MAIL + b"x" * 2_000, "anna@x.org")
    assert isinstance(outcome, Rejected)
    assert outcome.reason.startswith("552")
    assert way.deliver(MAIL, "anna@x.org") == Sent()


def test_a_refused_sender_is_our_trouble_and_costs_no_mail_a_try(sink: Any) -> None:
    sink.to_sender = "550 5.7.1 you may not send as caravan"
    assert closed(SmtpMailer(wishes(sink.port), POST).deliver(MAIL, "anna@x.org")) == sink.to_sender
    sink.to_sender = "451 4.7.1 greylisted"
    assert SmtpMailer(wishes(sink.port), POST).deliver(MAIL, "anna@x.org") == Deferred(sink.to_sender)


def test_an_idle_connection_that_was_dropped_is_opened_anew_without_a_word(sink: Any) -> None:
    way = SmtpMailer(wishes(sink.port), POST)
    assert way.deliver(MAIL, "anna@x.org") == Sent()
    sink.hang_up = 1
    assert way.deliver(MAIL, "anna@x.org") == Sent()
    assert sink.connections == 2


def test_an_idle_connection_that_was_dropped_with_a_goodbye_is_opened_anew_too(sink: Any) -> None:
    way = SmtpMailer(wishes(sink.port), POST)
    assert way.deliver(MAIL, "anna@x.org") == Sent()
    sink.goodbyes = 1
    assert way.deliver(MAIL, "anna@x.org") == Sent()
    assert sink.connections == 2


def test_a_server_that_says_goodbye_at_once_is_asked_again_later(sink: Any) -> None:
    sink.goodbyes = 1
    outcome = SmtpMailer(wishes(sink.port), POST).deliver(MAIL, "anna@x.org")
    assert isinstance(outcome, Deferred)
    assert (outcome.closed, outcome.tried) == (True, True)


def test_a_server_that_hangs_up_on_a_mail_costs_it_a_try_for_the_mail_may_be_the_cause(sink: Any) -> None:
    sink.hang_up = 9
    outcome = SmtpMailer(wishes(sink.port), POST).deliver(MAIL, "anna@x.org")
    assert isinstance(outcome, Deferred)
    assert (outcome.closed, outcome.tried) == (True, True)


def test_a_server_that_is_not_there_closes_the_way(unused_port: int) -> None:
    way = SmtpMailer(wishes(unused_port), POST)
    assert "refused" in closed(way.deliver(MAIL, "anna@x.org"))
    checked = way.check()
    assert not checked.good
    assert "refused" in checked.text


def test_a_server_that_does_not_answer_is_not_waited_for_for_ever(silent_port: int) -> None:
    way = SmtpMailer(wishes(silent_port, timeout=timedelta(seconds=0.3)), POST)
    assert "timed out" in closed(way.deliver(MAIL, "anna@x.org"))


def test_starttls_and_login_come_before_the_mail(serve: Any, papers: Any) -> None:
    sink = serve(tls_context=papers.context, auth_required=True, login=True)
    safe = wishes(sink.port, security="starttls", ca_file=papers.ca, user="caravan", password=Secret("open sesame"))
    way = SmtpMailer(safe, POST)
    assert way.check().good
    assert way.deliver(MAIL, "anna@x.org") == Sent()
    assert sink.sessions == [(True, True)]


def test_tls_from_the_first_byte(serve: Any, papers: Any) -> None:
    sink = serve(ssl=papers.context)
    way = SmtpMailer(wishes(sink.port, security="tls", ca_file=papers.ca), POST)
    assert way.deliver(MAIL, "anna@x.org") == Sent()
    assert sink.sessions[0][0]


def test_a_certificate_nobody_vouches_for_is_not_accepted(serve: Any, papers: Any) -> None:
    sink = serve(tls_context=papers.context)
    way = SmtpMailer(wishes(sink.port, security="starttls"), POST)
    assert "certificate verify failed" in closed(way.deliver(MAIL, "anna@x.org"))
    assert sink.taken == []


def test_a_server_without_starttls_gets_nothing_in_clear(sink: Any) -> None:
    way = SmtpMailer(wishes(sink.port, security="starttls", user="caravan", password=Secret("open sesame")), POST)
    assert "STARTTLS" in closed(way.deliver(MAIL, "anna@x.org"))
    assert sink.taken == []


def test_a_wrong_password_is_our_trouble_and_is_not_repeated_in_the_reason(serve: Any, papers: Any) -> None:
    sink = serve(tls_context=papers.context, auth_required=True, login=True)
    safe = wishes(sink.port, security="starttls", ca_file=papers.ca, user="caravan", password=Secret("open barley"))
    reason = closed(SmtpMailer(safe, POST).deliver(MAIL, "anna@x.org"))
    assert reason.startswith("535")
    assert "barley" not in reason


def test_letters_beyond_ascii_are_announced_to_the_server(sink: Any) -> None:
    way = SmtpMailer(wishes(sink.port), POST)
    assert way.deliver(MAIL, "anna@x.org") == Sent()
    assert way.deliver(MAIL + "לילך".encode(), "anna@x.org") == Sent()
    assert way.deliver(MAIL, "аня@x.org") == Sent()
    words = [{word for word in said if not word.startswith("SIZE")} for said in map(set, sink.options)]
    assert words == [set(), {"BODY=8BITMIME"}, {"SMTPUTF8", "BODY=8BITMIME"}]
    assert sink.taken[2][1] == "аня@x.org"


def test_a_bounce_can_say_by_its_address_which_mail_it_is_about(sink: Any) -> None:
    way = SmtpMailer(wishes(sink.port, bounces="verp"), POST)
    named = b"Message-ID: <" + b"0f" * 16 + b"@example.org>\r\n" + MAIL
    assert way.deliver(named, "anna@x.org") == Sent()
    assert sink.taken[0][0] == f"caravan+bounce-{'0f' * 16}@example.org"
    plain = SmtpMailer(wishes(sink.port), POST)
    assert plain.deliver(named, "anna@x.org") == Sent()
    assert sink.taken[1][0] == POST
