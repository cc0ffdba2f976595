"""What the tests of the intake share: the post, every letter in turn, and a way to read a mail made up on the spot."""

from typing import Any

import pytest

from pbem.mail.reading import Letter, Unreadable, read_letter
from pbem.mail.reply_address import PostIdentity
from tests.letters.planted_letters import PLANTED, POST


@pytest.fixture(scope="session")
def post() -> PostIdentity:
    return POST


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for `planted` gets every letter in turn."""
    if "planted" in metafunc.fixturenames:
        metafunc.parametrize("planted", PLANTED, ids=[planted.name for planted in PLANTED])


class Desk:
    """Reads mails made up in a test, with short defaults for what the test is not about."""

    def read(self, text: str | bytes = "", headers: dict[str, str] | None = None, **known: Any) -> Letter | Unreadable:
        """The mail with this body; a header given as an empty string is left out."""
        named = {"From": "Anna <anna@example.net>", "To": POST.address} | (headers or {})
        head = "".join(f"{name}: {value}\n" for name, value in named.items() if value).encode()
        body = text.encode() if isinstance(text, str) else text
        return read_letter(head + b"\n" + body, post=POST, **known)

    def letter(self, text: str | bytes = "", headers: dict[str, str] | None = None, **known: Any) -> Letter:
        """The same, where it must be readable."""
        read = self.read(text, headers, **known)
        assert isinstance(read, Letter), read
        return read

    def words(self, text: str | bytes, headers: dict[str, str] | None = None) -> str:
        """What its writer wrote himself."""
        return self.letter(text, headers).words

    def reason(self, text: str | bytes = "", headers: dict[str, str] | None = None) -> str:
        """Why it is not read."""
        read = self.read(text, headers)
        assert isinstance(read, Unreadable), read
        return read.reason


@pytest.fixture
def session() -> Desk:
    return Desk()
