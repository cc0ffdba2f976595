"""Mails handed to a mail server over SMTP.

What the server says about one mail (its recipient, its content) decides about that mail. What it says about us (no
connection, no login, no such sender) defers all mails, and costs none of them a try.
"""

import re
import smtplib
from ssl import SSLContext, create_default_context

from pbem.mail.reply_address import format_verp
from pbem.mail.transport.protocols import Checked, Deferred, Rejected, SendResult, Sent
from pbem.mail.transport.retry import describe_failure
from pbem.settings.sections import SmtpSettings

_LINE_END = re.compile(rb"\r\n|\r|\n")
_SHUTTING_DOWN = 421
_TOO_LARGE = 552


class SmtpMailer:
    """Keeps one connection for many mails, and opens another when the server has dropped it."""

    def __init__(self, settings: SmtpSettings, sender: str) -> None:
        self._settings = settings
        self._sender = sender
        self._address = f"{settings.host}:{settings.port}"
        self._server: smtplib.SMTP | None = None

    def deliver(self, raw: bytes, recipient: str) -> SendResult:
        """Hand over one mail to one recipient."""
        reused = self._server is not None
        outcome = self._try(raw, recipient)
        if reused and self._server is None and isinstance(outcome, Deferred) and outcome.closed:
            # An idle connection may have been dropped; a new one shows what is really wrong.
            outcome = self._try(raw, recipient)
        return outcome

    def close(self) -> None:
        """End the connection, if there is one."""
        server, self._server = self._server, None
        if server is not None:
            try:
                server.quit()
            except (smtplib.SMTPException, OSError):
                server.close()

    def check(self) -> Checked:
        """Connect and log in, and send nothing."""
        try:
            self._connect().noop()
        except (smtplib.SMTPException, OSError) as reason:
            self.close()
            return Checked("smtp", good=False, text=self._describe(reason))
        return Checked("smtp", good=True, text=f"{self._address} answers")

    def _try(self, raw: bytes, recipient: str) -> SendResult:
        try:
            server = self._connect()
        except (smtplib.SMTPException, OSError) as reason:
            return Deferred(self._describe(reason), closed=True, tried=False)
        try:
            self._send(server, raw, recipient)
        except smtplib.SMTPRecipientsRefused as refused:
            return _judge(*refused.recipients[recipient])
        except smtplib.SMTPDataError as refused:
            return _judge(refused.smtp_code, refused.smtp_error)
        except smtplib.SMTPSenderRefused as refused:
            if refused.smtp_code == _SHUTTING_DOWN:
                # Sent when the connection was idle for too long and read only now: it says nothing about this mail.
                return self._disconnect(refused, tried=True)
            if refused.smtp_code == _TOO_LARGE or refused.smtp_code < 500:
                return _judge(refused.smtp_code, refused.smtp_error)
            return self._disconnect(refused, tried=False)
        except smtplib.SMTPNotSupportedError as reason:
            return Rejected(str(reason))
        except (smtplib.SMTPException, OSError) as reason:
            return self._disconnect(reason, tried=True)
        return Sent()

    def _send(self, server: smtplib.SMTP, raw: bytes, recipient: str) -> None:
        head, _, body = (content := _LINE_END.sub(b"\r\n", raw)).partition(b"\r\n\r\n")
        sender = format_verp(self._sender, head) if self._settings.bounces == "verp" else self._sender
        options = []
        if not (head.isascii() and recipient.isascii() and sender.isascii()):
            options += ["SMTPUTF8", "BODY=8BITMIME"]
        elif not body.isascii():
            options.append("BODY=8BITMIME")
        server.sendmail(sender, [recipient], content, mail_options=options)

    def _connect(self) -> smtplib.SMTP:
        if self._server is not None:
            return self._server
        settings = self._settings
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
        return create_default_context(cafile=self._settings.ca_file)

    def _disconnect(self, reason: Exception, *, tried: bool) -> Deferred:
        self.close()
        return Deferred(self._describe(reason), closed=True, tried=tried)

    def _describe(self, reason: Exception) -> str:
        """What the server says about us, or what is wrong with the connection, with the server's name."""
        return f"{self._address}: {_describe_reply(reason)}"


def _judge(code: int, message: bytes | str) -> SendResult:
    words = f"{code} {_text(message)}"
    return Rejected(words) if code >= 500 else Deferred(words)


def _describe_reply(reason: Exception) -> str:
    """One line for the journal and the referee, without anything secret."""
    if isinstance(reason, smtplib.SMTPResponseException):
        return f"{reason.smtp_code} {_text(reason.smtp_error)}"
    return describe_failure(reason)


def _text(message: bytes | str) -> str:
    text = message.decode("utf-8", "replace") if isinstance(message, bytes) else message
    return " ".join(text.split())
