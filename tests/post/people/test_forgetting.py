"""Somebody wants to be forgotten: asked twice, and then no byte of name or address is left."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import choose, make_app
from pbem.service.post_folder import open_post
from pbem.service.restore import restore
from pbem.store.store import Transaction
from pbem.verify.check_record import verify_text
from pbem.workflow.forgotten_people import forgotten_file
from pbem.workflow.history import read_events
from pbem.workflow.record_proof import record_text
from tests.post.people.desks import Lobby, open_lobby
from tests.post.people.test_addresses import agree
from tests.post.people.test_person import BORIS, said

NAME, ZELDA = "Zeldawyn", "zelda.q@wanderers.test"
FRIENDS = (ZELDA, BORIS, "chloe@people.test")
TRACES = (b"Zeldawyn", b"zelda.q", b"wanderers.test", b"a bird on the wall")


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    with open_lobby(tmp_path / "post") as found:
        found.come_in(ZELDA, f"yes, I am {NAME}")
        for address in FRIENDS[1:]:
            found.come_in(address)
        found.write(ZELDA, "open through the desert for 3")
        for address in FRIENDS[1:]:
            found.write(address, "join sirocco-1")
        turn = next(mail for mail in reversed(found.mails[ZELDA]) if "+sirocco-1." in str(mail["Reply-To"]))
        found.write(ZELDA, "press to all: a bird on the wall", to=str(turn["Reply-To"]))
        yield found


def sent(lobby: Lobby) -> None:
    """Let all mails be sent."""
    with lobby.context.store.transaction() as at_desk:
        for mail in at_desk.claim_due(lobby.hours.now(), 1_000):
            at_desk.mark_sent(mail.id)


def traces(folder: Path) -> list[str]:
    """The files below a folder in which a trace is found."""
    return [
        f"{path.name}: {trace.decode()}"
        for path in folder.rglob("*")
        if path.is_file()
        for trace in TRACES
        if trace.lower() in path.read_bytes().lower()
    ]


def record(lobby: Lobby) -> str:
    def write(at_desk: Transaction) -> str:
        row = at_desk.find_game("sirocco-1")
        assert row is not None
        return record_text(lobby.context, row, read_events(at_desk, row.id))

    with lobby.context.store.reading() as at_desk:
        return write(at_desk)


def forget(lobby: Lobby) -> None:
    lobby.write(ZELDA, "forget me")
    assert agree(lobby, ZELDA, "forget me now") == "forgotten"
    lobby.carry()
    sent(lobby)
    lobby.wait(minutes=1)


def test_nothing_happens_before_the_second_letter(lobby: Lobby) -> None:
    lobby.write(ZELDA, "forget me")
    asked = said(lobby, ZELDA)
    assert "You still play at sirocco-1." in asked
    assert "Reply: forget me now" in asked
    with lobby.context.store.reading() as at_desk:
        assert at_desk.person_at(ZELDA) is not None
    assert agree(lobby, ZELDA, "no") == "dropped"
    assert agree(lobby, ZELDA, "yes") == "late"


@pytest.mark.parametrize("bare", ["OK", "yes", "accept", "forget me", "yes, but tomorrow"])
def test_a_yes_that_may_be_meant_for_anything_forgets_nobody(lobby: Lobby, bare: str) -> None:
    lobby.write(ZELDA, "forget me")
    assert agree(lobby, ZELDA, bare) == "asked-again"
    assert "A yes is not enough for this" in said(lobby, ZELDA)
    mails = len(lobby.mails[ZELDA])
    assert agree(lobby, ZELDA, bare) == "nothing-understood"
    assert len(lobby.mails[ZELDA]) == mails, "a program that says OK is not answered twice"
    with lobby.context.store.reading() as at_desk:
        assert at_desk.person_at(ZELDA) is not None
    assert agree(lobby, ZELDA, "yes, forget me now") == "forgotten"


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ("forget me", "forget me now", "forgotten"),
        ("forget me", "zapomnij o mnie gdy się skończą", "forgotten-later"),
        ("forget me when they end", "forget me", "forgotten-later"),
        ("forget me when they end", "забудьте меня сейчас", "forgotten"),
    ],
)
def test_the_words_themselves_forget_somebody(lobby: Lobby, first: str, second: str, reason: str) -> None:
    lobby.write(ZELDA, first)
    assert agree(lobby, ZELDA, second) == reason


def test_no_byte_of_name_or_address_is_left(lobby: Lobby, tmp_path: Path) -> None:
    assert NAME in record(lobby)
    forget(lobby)
    assert "You are forgotten" in said(lobby, ZELDA)
    lobby.context.store.checkpoint()
    lobby.context.store.copy_to(tmp_path / "post" / "copy.db")
    assert traces(tmp_path) == []
    shown = record(lobby)
    (verified,) = verify_text(shown)
    assert verified.findings == ()
    assert (verified.withheld_names, verified.withheld_words) == (1, 1)
    assert NAME not in shown
    assert "somebody-" in shown
    assert "a bird on the wall" not in shown


def test_a_record_without_a_name_is_believed_and_not_whole(lobby: Lobby, tmp_path: Path) -> None:
    path = tmp_path / "game.turns"
    for exit_code, is_whole in ((0, True), (1, False)):
        path.write_text(record(lobby), "utf-8")
        for words, expected in (([], 0), (["--whole"], exit_code)):
            line = ["verify", str(path), *words]
            answer = CliRunner().invoke(make_app(choose(line)), line, prog_name="pbem")
            assert answer.exit_code == expected, answer.output
            assert "believed" in answer.stdout
            assert ("not whole" in answer.stdout) == (expected == 1)
        (verified,) = verify_text(record(lobby))
        assert (verified.is_good, verified.is_whole) == (True, is_whole)
        if is_whole:
            forget(lobby)


def test_the_id_stays_and_stands_beside_the_keys(lobby: Lobby) -> None:
    forget(lobby)
    with lobby.context.store.reading() as at_desk:
        (gone,) = [person for person in at_desk.people() if person.state == "forgotten"]
    assert (gone.name, gone.name_key) == ("", gone.id)
    assert forgotten_file(lobby.context.settings).read_text() == f"{gone.id}\n"


def test_the_game_goes_on_without_the_player(lobby: Lobby) -> None:
    forget(lobby)
    with lobby.context.store.reading() as at_desk:
        row = at_desk.find_game("sirocco-1")
        assert row is not None
        assert row.stage == "playing"
    lobby.wait(days=5)
    assert lobby.write(BORIS, "my games").fate == "applied"


def test_who_waits_for_the_end_of_a_game_is_forgotten_then(lobby: Lobby) -> None:
    lobby.write(ZELDA, "forget me")
    assert agree(lobby, ZELDA, "forget me when they end") == "forgotten-later"
    lobby.wait(hours=1)
    with lobby.context.store.reading() as at_desk:
        assert at_desk.person_at(ZELDA) is not None
    with lobby.context.store.transaction() as at_desk:
        at_desk.set_stage("sirocco-1", "over")
    lobby.wait(hours=1)
    with lobby.context.store.reading() as at_desk:
        assert at_desk.person_at(ZELDA) is None


def test_the_address_can_come_back_as_somebody_new(lobby: Lobby) -> None:
    forget(lobby)
    lobby.wait(days=2)
    lobby.come_in(ZELDA)
    with lobby.context.store.reading() as at_desk:
        assert len(at_desk.people()) == 4


def test_an_older_copy_forgets_again(tmp_path: Path) -> None:
    folder, copy = tmp_path / "post", tmp_path / "copy.db"
    with open_lobby(folder) as lobby:
        lobby.come_in(ZELDA, f"yes, I am {NAME}")
        lobby.context.store.copy_to(copy)
        forget(lobby)
        settings, now = lobby.context.settings, lobby.hours.now()
    assert traces(copy.parent) != []
    done = restore(settings, copy, now)
    copy.unlink()
    assert done.kept is not None
    with open_post(settings, lambda: now) as context, context.store.reading() as at_desk:
        assert at_desk.person_at(ZELDA) is None
    assert traces(folder) == []
