"""Letters that no honest program writes come to a post in a file and to one on a server, and end alike."""

from io import BytesIO
from pathlib import Path

import pytest

from engine.through_the_desert import GAME
from pbem.mail.transport.pipe import take_letter
from pbem.store.errors import StoreError
from pbem.workflow.handle_letter import handle_arrived_letters
from tests.hostile.hostile_draft import Target
from tests.hostile.hostile_mails import hostile_mails
from tests.post.towns import Town, found_town

NUL = b"\x00"
BROKEN = b"\xff\xfe\xed\xa0\x80"


def spoiled(letter: bytes) -> list[bytes]:
    """A genuine letter with signs that a database may not take, in each place from which something is kept."""
    head, gap, body = letter.partition(b"\r\n\r\n")
    found = []
    for bad in (NUL, BROKEN, "\ud800".encode("utf-16-le", "surrogatepass")):
        found += [
            head + gap + b"press to all: well" + bad + b"met\r\n" + body,
            head.replace(b"Message-ID: <", b"Message-ID: <" + bad) + gap + body,
            head.replace(b"Message-Id: <", b"Message-Id: <" + bad) + gap + body,
            head.replace(b"Subject: ", b"Subject: " + bad) + gap + body,
            head.replace(b"From: ", b"From: " + bad) + gap + body,
            head + b"\r\nX-" + bad + b": " + bad * 20_000 + gap + body,
            head.replace(b"Message-ID: <", b"Message-ID: <" + b"m" * 9_000) + gap + body,
            head + b"\r\nCc: " + b", ".join(b"c%d@x.org" % number for number in range(3_000)) + gap + body,
        ]
    return found


def fates(town: Town, letter: bytes) -> list[tuple[str, str]]:
    town.hours.forward(minutes=1)
    town.context.store.receive(letter, intake="test")
    found = [(str(outcome.fate), outcome.reason) for outcome in handle_arrived_letters(town.context)]
    town.carry()
    return found


def test_hostile_letters_end_alike_in_a_file_and_on_a_server(
    tmp_path: Path, server_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.workflow.open_game.secrets.token_bytes", bytes)
    with (
        found_town(tmp_path / "file", GAME, 3) as here,
        found_town(tmp_path / "server", GAME, 3, chosen={"store.url": server_url}) as there,
    ):
        genuine = here.friends["red"].answer("status", here.hours.now())
        letters = spoiled(genuine) + [each.raw for each in hostile_mails(seed=3, target=Target(turn=1))][::9]
        assert len(letters) > 100
        for letter in letters:
            assert fates(here, letter) == fates(there, letter)
        assert here.mails == there.mails
        with here.context.store.reading() as files, there.context.store.reading() as servers:
            assert files.counters() == servers.counters()
            assert servers.misshapen() == servers.integrity_problems() == []


@pytest.mark.parametrize(
    "envelope",
    [("anna\x00@x.org", "caravan@post.test"), ("a@x.org", "\ud800@post.test"), ("a" * 5_000 + "@x.org", "b")],
)
def test_an_envelope_that_no_database_takes_is_refused_at_the_door(
    tmp_path: Path, server_url: str, envelope: tuple[str, str]
) -> None:
    def never() -> None:
        raise StoreError("nothing is opened for such an envelope")

    taken = take_letter(BytesIO(b"x"), never, largest=1_000, env_from=envelope[0], env_to=[envelope[1]])  # type: ignore[arg-type]  # it is not called
    assert taken == 65
