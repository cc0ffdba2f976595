"""A post with an open lobby and no tables, and people who write to it from nowhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from email import message_from_bytes
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pbem.service.post_folder import open_post
from pbem.workflow.context import PostContext
from pbem.workflow.handle_letter import LetterOutcome, handle_arrived_letters
from pbem.workflow.tick import tick
from tests.post.post_games import Hours, found_post

if TYPE_CHECKING:
    from email.message import Message

SERVER = "mx.post.test"
POST = "caravan@post.test"

Mail: TypeAlias = "Message[str, str]"


def text_of(mail: Mail) -> str:
    """The text part of a mail."""
    part = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode("utf-8")


@dataclass
class Lobby:
    """The post, and everybody's mailboxes."""

    context: PostContext
    hours: Hours
    mails: dict[str, list[Mail]] = field(default_factory=dict)
    _written: int = 0
    _carried: int = 0

    def write(
        self,
        sender: str,
        words: str,
        *,
        to: str = "",
        subject: str = "hello",
        verdict: str = "pass",
        headers: tuple[str, ...] = (),
    ) -> LetterOutcome:
        """A letter to the post; what became of it."""
        self._written += 1
        self.hours.forward(minutes=11)
        domain = sender.partition("@")[2]
        lines = [f"Authentication-Results: {SERVER}; dmarc={verdict} header.from={domain}", *headers]
        lines += [f"From: {sender}", f"To: {to or POST}", f"Subject: {subject}"]
        raw = "\r\n".join((*lines, f"Message-ID: <{self._written}@people.test>", "", *words.splitlines(), "")).encode()
        self.context.store.receive(raw, intake="test")
        (outcome,) = handle_arrived_letters(self.context)
        self.carry()
        return outcome

    def answer(self, sender: str, words: str, **more: Any) -> LetterOutcome:
        """Answer the last mail."""
        last = self.mails[sender][-1]
        return self.write(sender, words, to=str(last["Reply-To"]), subject=f"Re: {last['Subject']}", **more)

    def come_in(self, address: str, words: str = "yes") -> None:
        """A stranger becomes a person."""
        assert self.write(address, "Hello, what is this?").reason == "welcomed"
        assert self.answer(address, words).fate == "applied"

    def carry(self) -> None:
        """Give everybody what was written since."""
        with self.context.store.reading() as at_desk:
            while (mail := at_desk.find_mail(self._carried + 1)) is not None:
                self._carried += 1
                self.mails.setdefault(mail.recipient, []).append(message_from_bytes(mail.raw))

    def wait(self, **length: float) -> None:
        """Let time pass, and look at the clocks."""
        self.hours.forward(**length)
        tick(self.context)
        self.carry()

    def last(self, address: str) -> str:
        """The text of the last mail to somebody."""
        return text_of(self.mails[address][-1])


@contextmanager
def open_lobby(
    folder: Path, *, authserv_id: str | None = SERVER, language: str = "en", **lobby: Any
) -> Iterator[Lobby]:
    """A new post with a lobby; `lobby` are settings of that section."""
    hours = Hours()
    settings = found_post(folder, authserv_id=authserv_id, language=language)
    settings = replace(settings, lobby=replace(settings.lobby, **lobby))
    with open_post(settings, hours.now) as context:
        tick(context)
        yield Lobby(context, hours)
