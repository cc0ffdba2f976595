"""Why there is no line to a server, in words that say what to look at.

Mails handed to a mail server over SMTP.

What the server says of one mail (its recipient, its content) is that mail's fate. What it says of us (no connection,
no login, no such sender) closes the way for all of them, and costs none of them a try.
"""

import re
import smtplib
from socket import gaierror
from ssl import SSLContext, create_default_context

from pbem.mail.reply_address import format_verp
from pbem.mail.transport.protocols import Deferred, Rejected, SendResult, Sent
from pbem.settings.sections import SmtpSettings as Settings


def describe_failure(reason: Exception) -> str:
    """What is wrong with a line, without anything secret."""
    match reason:
        case ConnectionRefusedError():
            return "the connection was refused; is the server running, and is the port right?"
        case gaierror():
            return "no such host; is its name right, and is there a network?"
        case TimeoutError():
            return "no answer in time; is the server running, and does a firewall let us through?"
        case OSError() if reason.strerror:
            return reason.strerror
    return f"{type(reason).__name__}: {reason}"


_LINE_END = re.compile(rb"\r\n|\r|\n")
_GOODBYE = 421
_TOO_LARGE = 552


class SmtpMailer:
    """Keeps one connection for many mails, and opens another when the server has dropped it."""

    def __init__(self, settings: Settings, sender: str) -> None:
        self._wishes = settings
        self._sender = sender
        self._server: smtplib.SMTP | None = None

    def deliver(self, raw: bytes, recipient: str) -> SendResult:
        """Hand over one mail to one recipient."""
        reused = self._server is not None
        outcome = self._try(raw, recipient)
        if reused and self._server is None and isinstance(outcome, Deferred) and outcome.closed:
            # A connection that lay idle may have been dropped; a fresh one tells what is really the matter.
            outcome = self._try(raw, recipient)
        return outcome

    def close(self) -> None:
        """Say goodbye, if anybody still listens."""
        server, self._server = self._server, None
        if server is not None:
            try:
                server.quit()
            except (smtplib.SMTPException, OSError):
                server.close()

    def check(self) -> str | None:
        """Connect and log in, and send nothing; what is wrong, if anything."""
        try:
            self._connect().noop()
        except (smtplib.SMTPException, OSError) as reason:
            self.close()
            return _told(reason)
        return None

    def _try(self, raw: bytes, recipient: str) -> SendResult:
        try:
            server = self._connect()
        except (smtplib.SMTPException, OSError) as reason:
            return Deferred(self._named(reason), closed=True, tried=False)
        try:
            self._send(server, raw, recipient)
        except smtplib.SMTPRecipientsRefused as refused:
            return _judge(*refused.recipients[recipient])
        except smtplib.SMTPDataError as refused:
            return _judge(refused.smtp_code, refused.smtp_error)
        except smtplib.SMTPSenderRefused as refused:
            if refused.smtp_code == _GOODBYE:
                # Said when a connection had lain idle for too long, and heard only now: it is no word about this mail.
                return self._lose(refused, tried=True)
            if refused.smtp_code == _TOO_LARGE or refused.smtp_code < 500:
                return _judge(refused.smtp_code, refused.smtp_error)
            return self._lose(refused, tried=False)
        except smtplib.SMTPNotSupportedError as reason:
            return Rejected(str(reason))
        except (smtplib.SMTPException, OSError) as reason:
            return self._lose(reason, tried=True)
        return Sent()

    def _send(self, server: smtplib.SMTP, raw: bytes, recipient: str) -> None:
        head, _, body = (content := _LINE_END.sub(b"\r\n", raw)).partition(b"\r\n\r\n")
        sender = format_verp(self._sender, head) if self._wishes.bounces == "verp" else self._sender
        options = []
        if not (head.isascii() and recipient.isascii() and sender.isascii()):
            options += ["SMTPUTF8", "BODY=8BITMIME"]
        elif not body.isascii():
            options.append("BODY=8BITMIME")
        server.sendmail(sender, [recipient], content, mail_options=options)

    def _connect(self) -> smtplib.SMTP:
        if self._server is not None:
            return self._server
        settings = self._wishes
        seconds = settings.timeout.total_seconds()
        server: smtplib.SMTP
        if settings.security == "tls":
            server = smtplib.SMTP_SSL(settings.host, settings.port, timeout=seconds, context=self._context())
        else:
            server = smtplib.SMTP(settings.host, settings.port, timeout=seconds)
        try:
            if settings.security == "starttls":
                server.starttls(context=self._context())
            if settings.user is not None:
                server.login(settings.user, settings.password.reveal() if settings.password is not None else "")
        except BaseException:
            server.close()
            raise
        self._server = server
        return server

    def _context(self) -> SSLContext:
        return create_default_context(cafile=self._wishes.ca_file)

    def _lose(self, reason: Exception, *, tried: bool) -> Deferred:
        self.close()
        return Deferred(self._named(reason), closed=True, tried=tried)

    def _named(self, reason: Exception) -> str:
        """What the server says of us, or what keeps us from it, with its name: mails wait for that one to answer."""
        return f"{self._wishes.host}:{self._wishes.port}: {_told(reason)}"


def _judge(code: int, message: bytes | str) -> SendResult:
    words = f"{code} {_text(message)}"
    return Rejected(words) if code >= 500 else Deferred(words)


def _told(reason: Exception) -> str:
    """One line for the log and the referee, without anything secret."""
    if isinstance(reason, smtplib.SMTPResponseException):
        return f"{reason.smtp_code} {_text(reason.smtp_error)}"
    return describe_failure(reason)


def _text(message: bytes | str) -> str:
    text = message.decode("utf-8", "replace") if isinstance(message, bytes) else message
    return " ".join(text.split())
