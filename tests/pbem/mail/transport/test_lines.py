"""Why a server cannot be reached is told in words, with what to look at."""

from imaplib import IMAP4
from socket import gaierror
from ssl import SSLError

import pytest

from pbem.mail.transport.retry import describe_failure


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        (ConnectionRefusedError(111, "Connection refused"), "the connection was refused; is the server running"),
        (gaierror(-2, "Name or service not known"), "no such host; is its name right"),
        (TimeoutError("timed out"), "no answer in time; is the server running"),
        (ConnectionResetError(104, "Connection reset by peer"), "Connection reset by peer"),
        (SSLError(1, "certificate verify failed"), "certificate verify failed"),
        (IMAP4.abort("socket error: EOF"), "abort: socket error: EOF"),
    ],
)
def test_each_trouble_with_a_line_has_its_words(reason: Exception, told: str) -> None:
    assert describe_failure(reason).startswith(told)
    assert "Errno" not in describe_failure(reason)
