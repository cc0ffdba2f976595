"""A pass over a post at which nothing waits is done quickly, and only there; what starts often loads little."""

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta

import pytest

from pbem.service.idle import pass_idly
from pbem.service.post_folder import open_post
from pbem.service.single_run import work_once
from pbem.settings.load import read_settings
from pbem.settings.sections import Settings
from pbem.store.rows import NewMail, PersonRow
from pbem.store.store import EVIDENCE, FORGET_AT_END, GOODBYE, HELD, LAST_TICK, Transaction
from pbem.store.timestamps import utc_now
from pbem.workflow.context import open_context
from pbem.workflow.forgotten_people import note_forgotten
from tests.post.post_games import TABLE, make_friends, make_script
from tests.post.post_games import invite_friends as invite

HEAVY = {"babel", "email.message", "jinja2", "lark", "PIL", "resvg_py", "markupsafe", "prometheus_client"}
MOST_OF_OURS = 70
"""Modules of ours that such a command loads. A whole pass loads some 290."""
LOADED = """
import json, sys
sys.argv[:] = ["pbem", *sys.argv[1:]]
from pbem.cli import main
try:
    main()
except SystemExit as end:
    print(json.dumps([end.code or 0, [*sys.modules]]), file=sys.stderr)
"""


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Of a post whose clocks were looked at just now."""
    with open_post(settings) as context:
        work_once(context)
    assert pass_idly(settings)
    return settings


def change(settings: Settings, do: Callable[[Transaction], object]) -> None:
    with open_context(settings).store as store, store.transaction() as transaction:
        do(transaction)


def moment_of_last_tick(settings: Settings) -> str | None:
    with open_context(settings).store as store, store.reading() as transaction:
        return transaction.load_setting(LAST_TICK)


def somebody(transaction: Transaction) -> None:
    transaction.save_person(PersonRow("abcdefghijkl", "Anna", "anna", "confirmed", utc_now()))


def fail_to_send(transaction: Transaction) -> None:
    transaction.enqueue([NewMail("<1@post.test>", "a@players.test", "turn", b"To: a@players.test\r\n\r\n")])
    (mail,) = transaction.claim_due(utc_now(), 1)
    transaction.mark_failed(mail.id, "no such mailbox")


def want_to_be_forgotten(transaction: Transaction) -> None:
    somebody(transaction)
    transaction.save_bond("abcdefghijkl", FORGET_AT_END, "")


WAITING: dict[str, Callable[[Transaction], object]] = {
    "a game is held": lambda transaction: transaction.save_setting(f"{HELD}sirocco-7", "{}"),
    "a last mail": lambda transaction: transaction.save_setting(f"{GOODBYE}7", "7"),
    "evidence": lambda transaction: transaction.save_setting(f"{EVIDENCE}7", "{}"),
    "the post was down": lambda transaction: transaction.save_setting(
        LAST_TICK, (utc_now() - timedelta(days=2)).isoformat()
    ),
    "the clock went back": lambda transaction: transaction.save_setting(
        LAST_TICK, (utc_now() + timedelta(days=2)).isoformat()
    ),
    "a mail failed": fail_to_send,
    "somebody leaves": want_to_be_forgotten,
}


@pytest.mark.parametrize("what", WAITING)
def test_what_waits_is_left_to_a_whole_pass(settings: Settings, what: str) -> None:
    change(settings, WAITING[what])
    before = moment_of_last_tick(settings)
    assert not pass_idly(settings)
    assert moment_of_last_tick(settings) == before


def test_letters_are_left_to_a_whole_pass(settings: Settings) -> None:
    with open_context(settings).store as store:
        store.receive(b"From: anna@players.test\r\n\r\nlilac E5\r\n", intake="test")
    assert not pass_idly(settings)


def test_tables_are_left_to_a_whole_pass_when_they_are_due(settings: Settings) -> None:
    with open_post(settings) as context:
        invite(context, make_friends(3).values(), make_script(3))
        assert pass_idly(settings)
        with context.store.transaction() as transaction:
            clock = transaction.load_clock(TABLE)
            transaction.save_clock(TABLE, clock or {}, due_at=utc_now() - timedelta(minutes=1))
    assert not pass_idly(settings)


def test_who_was_forgotten_is_forgotten_again(settings: Settings) -> None:
    note_forgotten(settings, ["abcdefghijkl"])
    assert pass_idly(settings)
    change(settings, somebody)
    assert not pass_idly(settings)


def test_another_key_than_the_one_that_signed_is_left_to_a_whole_pass(settings: Settings) -> None:
    with open_post(settings) as context:
        invite(context, make_friends(3).values(), make_script(3))
    assert pass_idly(settings)
    (settings.folder / "signing.key").write_text("ab" * 32 + "\n")
    other = read_settings(settings.folder / "post.toml")
    assert isinstance(other, Settings)
    assert not pass_idly(other)


@pytest.mark.parametrize("command", ["status", "send", "tick"])
def test_what_starts_often_loads_little(settings: Settings, command: str) -> None:
    line = [sys.executable, "-c", LOADED, command, "--config", str(settings.folder / "post.toml")]
    done = subprocess.run(line, capture_output=True, check=True, text=True)
    code, loaded = json.loads(done.stderr.splitlines()[-1])
    assert code == 0
    assert sorted(HEAVY & {*loaded}) == []
    ours = [name for name in loaded if name.split(".")[0] in ("engine", "notation", "pbem")]
    assert len(ours) <= MOST_OF_OURS
