"""The doctor finds what is wrong, and says what is good."""

import socket
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.service.checks import run_checks
from pbem.service.folder_checks import ADVICE, BAD, GOOD
from pbem.service.lock import SERVING, take_lock
from pbem.settings.kinds import Secret
from pbem.settings.sections import (
    FolderMailerSettings,
    ImapSettings,
    LmtpSettings,
    MaildirIntakeSettings,
    Settings,
    SmtpSettings,
)
from pbem.settings.upkeep import LogSettings
from pbem.store.store import LAST_TICK
from pbem.store.timestamps import utc_now
from pbem.workflow.context import PostContext
from pbem.workflow.handle_letter import handle_arrived_letters
from tests.post.post_games import TABLE, Hours, invite_friends, make_friends, make_script


def found(settings: Settings, about: str) -> list[tuple[str, str]]:
    """What the doctor says about something."""
    return [(finding.state, finding.text) for finding in run_checks(settings) if finding.about == about]


def touch(settings: Settings, statement: str) -> None:
    """Do something to the database that nobody should."""
    with closing(sqlite3.connect(settings.database)) as hand:
        hand.execute(statement)
        hand.commit()


def wrong(settings: Settings) -> list[str]:
    """What the doctor finds wrong with the database."""
    return [told for state, told in found(settings, "database") if state == BAD]


def test_a_new_post_is_in_order(settings: Settings) -> None:
    states = {finding.about: finding.state for finding in run_checks(settings)}
    assert BAD not in states.values()
    assert states["database"] == states["ticket key"] == states["letters"] == states["disk"] == GOOD
    assert states["authentication"] == states["letters in"] == ADVICE
    assert "referee" not in states


def test_an_address_that_is_only_an_example(settings: Settings) -> None:
    example = replace(settings, post=replace(settings.post, address="caravan@example.org", referee=None))
    assert found(example, "address")[0][0] == BAD
    assert found(example, "referee")[0][0] == ADVICE


def test_a_lobby_that_is_closed_because_nobody_vouches_for_senders(settings: Settings) -> None:
    ((state, told),) = found(settings, "lobby")
    assert (state, "post.authserv_id" in told) == (ADVICE, True)
    vouched = replace(settings, post=replace(settings.post, authserv_id="mx.example.org"))
    assert found(vouched, "lobby") == [(GOOD, "open")]
    closed = replace(settings, lobby=replace(settings.lobby, strangers="none"))
    assert found(closed, "lobby")[0][0] == GOOD


@pytest.mark.parametrize("key", [None, Secret("short")])
def test_a_key_that_is_missing_or_short(settings: Settings, key: Secret | None) -> None:
    assert found(replace(settings, post=replace(settings.post, ticket_key=key)), "ticket key")[0][0] == BAD


def test_a_database_that_is_missing_or_no_database(settings: Settings) -> None:
    settings.database.write_text("not a database, whatever its name says; " * 100, "utf-8")
    assert found(settings, "database")[0][0] == BAD
    settings.database.unlink()
    assert "is not there" in found(settings, "database")[0][1]


def test_a_chain_that_somebody_changed(settings: Settings, context: PostContext) -> None:
    invite_friends(context, make_friends().values(), make_script())
    told = "1 game, every event follows from the one before, every record can be read again"
    assert found(settings, "chains") == [(GOOD, told)]
    touch(settings, "UPDATE event SET told = replace(told, 'Anna', 'Hanna')")
    assert found(settings, "database")[-1] == (BAD, f"{TABLE}: event 1 does not fit the chain")


@pytest.mark.parametrize(
    ("secret", "statement"),
    [("seed", "UPDATE game SET seed = zeroblob(32)"), ("blind", "UPDATE game SET blind = zeroblob(32)")],
)
def test_a_secret_that_somebody_changed(settings: Settings, context: PostContext, secret: str, statement: str) -> None:
    invite_friends(context, make_friends().values(), make_script())
    assert wrong(settings) == []
    touch(settings, statement)
    (told,) = wrong(settings)
    assert told.startswith(f"{TABLE}: its {secret} is not the one that was promised")


def test_a_letter_that_somebody_changed(settings: Settings, context: PostContext) -> None:
    context.store.receive(b"From: a@b.org\r\n\r\nx\r\n", intake="test")
    assert wrong(settings) == []
    touch(settings, "UPDATE inbox_bytes SET raw = CAST(replace(raw, 'x', 'y') AS BLOB)")
    (told,) = wrong(settings)
    assert told.startswith("letter 1 is not the one that came")


DAMAGES = {
    "DROP TABLE seat": "the table seat is missing",
    "DROP TABLE receipt": "the table receipt is missing",
    "ALTER TABLE plan RENAME COLUMN data TO date": "the table plan has no column data",
    "UPDATE seat SET mails_sent = 'many'": "3 rows of seat cannot be right: see mails_sent",
    "UPDATE inbox_bytes SET raw = 'text' WHERE inbox_id = 1": "1 row of inbox_bytes cannot be right: see raw",
    "UPDATE event SET data = '{' WHERE seq = 1": f"{TABLE}: an event cannot be read",
    "UPDATE event SET at = 'yesterday' WHERE seq = 1": "1 row of event cannot be right: see at",
    "UPDATE clock SET data = '[]'": f"{TABLE}: its clock cannot be read",
    "DELETE FROM seat WHERE seat = 'red'": f"{TABLE}: its seats have nobody at red",
    "UPDATE seat SET player = 'nobody' WHERE seat = 'red'": f"{TABLE}: its seats have an address at red by which no",
    "UPDATE seat SET zone = 'Nowhere'": f"{TABLE}: its seats cannot be read",
    "INSERT INTO plan VALUES ('sirocco-7', 'red', '{')": f"{TABLE}: a plan cannot be read",
    "INSERT INTO plan VALUES ('sirocco-7', 'puce', '{}')": f"{TABLE}: a plan is for a seat that is not there",
    "UPDATE game SET stage = 'over'": f"{TABLE}: its stage is not what its events say",
    "UPDATE outbox_bytes SET raw = x'00' WHERE rowid = 1": "a row of outbox cannot be read",
    "UPDATE outbox SET recipient = 'eve@evil.test' WHERE id = 1": "mail 1 is not the one that was written",
    "UPDATE receipt SET text = 'pbm-receipt-1'": "the receipt for letter 1 is not the one that was signed",
    "UPDATE log SET line = '{}'": "the log of all games is not the one that was signed",
    "DELETE FROM log": "the log of all games is not the one that was signed",
    "UPDATE setting SET value = 'x' WHERE key = 'checkpoint'": "the last checkpoint of the log cannot be read",
}


@pytest.mark.parametrize("statement", DAMAGES)
def test_whatever_is_damaged_is_told_in_a_line(
    settings: Settings, context: PostContext, hours: Hours, statement: str
) -> None:
    friends = make_friends()
    invite_friends(context, friends.values(), make_script())
    with context.store.reading() as at_desk:
        for mail in at_desk.last_mails_to_seats():
            friends[mail.seat or ""].get(mail.raw)
    context.store.receive(friends["red"].answer("accept", hours.now()), intake="test")
    assert [outcome.fate for outcome in handle_arrived_letters(context)] == ["applied"]
    assert wrong(settings) == []
    touch(settings, statement)
    told = wrong(settings)
    assert any(DAMAGES[statement] in line for line in told), told
    assert all("\n" not in line for line in told)


def test_damaged_pages_are_told_and_never_end_in_a_traceback(settings: Settings, context: PostContext) -> None:
    invite_friends(context, make_friends().values(), make_script())
    context.store.close()
    path = settings.database
    with closing(sqlite3.connect(path)) as hand:
        hand.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = hand.execute("PRAGMA page_size").fetchone()
    whole = path.read_bytes()
    for page in range(1, len(whole) // size):
        path.write_bytes(whole[: page * size] + b"\x99" * size + whole[(page + 1) * size :])
        assert wrong(settings) != [], f"page {page + 1}"


def test_a_clock_that_is_behind_what_it_showed_is_told(settings: Settings, context: PostContext) -> None:
    with context.store.transaction() as at_desk:
        at_desk.save_setting(LAST_TICK, (utc_now() + timedelta(days=3, hours=1)).isoformat())
    ((state, said),) = found(settings, "clock")
    assert state == ADVICE
    assert said.startswith("it is 3d"), said


def test_who_holds_two_roles_is_told(settings: Settings, context: PostContext) -> None:
    one = [replace(friend, address="Anna@players.test") for friend in make_friends().values()]
    invite_friends(context, one, make_script())
    assert found(settings, "seats") == [(ADVICE, f"{TABLE}: anna@players.test holds 3 seats: blue, green, red")]


def test_a_database_that_is_empty_is_wrong(settings: Settings) -> None:
    settings.database.write_bytes(b"")
    assert "is empty" in found(settings, "database")[0][1]
    assert found(settings, "service")[0][0] == BAD


def test_another_key_in_the_place_of_the_right_one_is_found_out(settings: Settings, context: PostContext) -> None:
    other = Secret("ab" * 32)
    stranger = replace(settings, post=replace(settings.post, ticket_key=other, signing_key=other))
    assert {state for state, _ in found(stranger, "ticket key") + found(stranger, "signing key")} == {GOOD}
    invite_friends(context, make_friends().values(), make_script())
    assert [state for state, _ in found(settings, "ticket key") + found(settings, "signing key")] == [GOOD, GOOD]
    assert [state for state, _ in found(stranger, "ticket key")] == [GOOD, BAD]
    (_, log, records) = found(stranger, "signing key")
    assert "restore the file from your backup" in log[1]
    assert TABLE in records[1]


def test_what_others_can_read_is_named(settings: Settings, tmp_path: Path) -> None:
    assert found(settings, "permissions") == []
    for name in ("ticket.key", "signing.key", "post.db"):
        (tmp_path / "post" / name).chmod(0o644)
    told = found(settings, "permissions")
    assert [state for state, _ in told] == [ADVICE] * 3
    assert all("has mode 0644" in words for _, words in told)
    assert [words.rpartition("/")[2] for _, words in told] == ["ticket.key'", "signing.key'", "post.db'"]


def test_who_is_the_clerk_now_or_why_nobody_can_be(settings: Settings, tmp_path: Path) -> None:
    assert found(settings, "service")[0][0] == GOOD
    with take_lock(settings, SERVING):
        assert "is being served by process" in found(settings, "service")[0][1]
    (tmp_path / "post/post.db.lock").unlink()
    (tmp_path / "post/post.db.lock").mkdir()
    state, told = found(settings, "service")[0]
    assert state == BAD
    assert "post.db.lock is a folder" in told


def test_a_journal_that_cannot_be_kept(settings: Settings, tmp_path: Path) -> None:
    assert found(settings, "journal") == []
    assert found(replace(settings, log=LogSettings(file=tmp_path / "post.log")), "journal")[0][0] == GOOD
    assert found(replace(settings, log=LogSettings(file=tmp_path / "gone/post.log")), "journal")[0][0] == BAD


def test_letters_that_do_not_add_up(settings: Settings, context: PostContext) -> None:
    context.store.receive(b"From: a@b.org\r\n\r\nx\r\n", intake="test")
    assert found(settings, "letters")[0][0] == GOOD
    touch(settings, "UPDATE tally SET count = count + 1")
    state, told = found(settings, "letters")[0]
    assert state == BAD
    assert "1 CANNOT BE FOUND" in told


def test_letters_in_quarantine_want_a_person(settings: Settings, context: PostContext, hours: Hours) -> None:
    letter = context.store.receive(b"x", intake="test")
    with context.store.transaction() as at_desk:
        at_desk.set_fate(letter.id, "quarantined", "no-sender")
    assert found(settings, "quarantine")[0][0] == ADVICE


def test_a_maildir_that_is_none(settings: Settings, tmp_path: Path) -> None:
    settings = replace(settings, maildir=MaildirIntakeSettings(tmp_path / "box"))
    assert found(settings, "maildir")[0][0] == BAD
    for name in ("new", "cur", "tmp"):
        (tmp_path / "box" / name).mkdir(parents=True)
    assert found(settings, "maildir")[0][0] == GOOD


def test_servers_that_do_not_answer(settings: Settings) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as one:
        port = int(one.getsockname()[1])
    imap = ImapSettings("127.0.0.1", port, "none", password=Secret("x"))
    settings = replace(settings, imap=imap, out=SmtpSettings("127.0.0.1", port, "none"))
    assert found(settings, "imap")[0][0] == BAD
    assert found(settings, "smtp")[0][0] == BAD


def test_a_port_that_somebody_else_has(settings: Settings) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as one:
        settings = replace(settings, lmtp=LmtpSettings("127.0.0.1", int(one.getsockname()[1])))
        assert found(settings, "lmtp")[0][0] == BAD
    assert found(settings, "lmtp")[0][0] == GOOD


def test_a_folder_for_mails_that_cannot_be(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    assert found(replace(settings, out=FolderMailerSettings(tmp_path / "file" / "outgoing")), "mails out")[0][0] == BAD
    assert found(replace(settings, out=FolderMailerSettings(tmp_path / "new" / "outgoing")), "mails out")[0][0] == GOOD
