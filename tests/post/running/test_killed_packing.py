"""Killed at any step of packing or of deleting old mails and started again: every mail is still there to the byte."""

import os
import shutil
import signal
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pbem.mail.transport.factory import open_mailer
from pbem.service.housekeeping import tidy_up
from pbem.service.post_folder import open_post
from pbem.service.send_queue import send_due
from pbem.settings.load import read_settings
from pbem.settings.sections import Settings
from pbem.store.packs import FEW
from pbem.store.rows import NewMail
from pbem.workflow.context import PostContext
from tests.pbem.store.test_packs import draw, part_of
from tests.post.post_games import START, Hours, found_post

READERS = "anna", "boris"
NEWCOMER = "chloe"
OLD, YOUNG, NEW = range(FEW), range(FEW, 2 * FEW), range(2 * FEW, 4 * FEW)
"""Mails that were packed and whose time has come; such as lie in packs with them; and such as are to be packed."""


class Sent(NamedTuple):
    """A post in which everything is due, and the bytes of its mails."""

    folder: Path
    mails: Mapping[str, bytes]


def write(number: int, reader: str) -> NewMail:
    text = f"Message-ID: <{number}.{reader}@post>\r\nTo: {reader}@x.test\r\n\r\nMove {number}.\r\n".encode()
    name, to = f"<{number}.{reader}@post>", f"{reader}@x.test"
    shared = part_of(draw(number // 2))
    return NewMail(name, to, "turn", text * 20, "sirocco-7", shared=shared, shared_at=len(text))


def settings_of(folder: Path) -> Settings:
    settings = read_settings(folder / "post.toml")
    assert isinstance(settings, Settings)
    return settings


def read_all(context: PostContext) -> dict[str, bytes]:
    with context.store.reading() as at_desk:
        found = [at_desk.find_mail(number) for number in at_desk.mail_numbers()]
    return {mail.message_id: mail.raw for mail in found if mail is not None}


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> Sent:
    folder, hours = tmp_path_factory.mktemp("sent") / "post", Hours()
    settings, mails = found_post(folder, {"out.kind": "maildir"}), dict[str, bytes]()
    for day, numbers in ((0, OLD), (2, YOUNG), (9, ()), (25, NEW)):
        hours.moment = START + timedelta(days=day)
        with open_post(settings, hours.now) as context:
            if not numbers:
                tidy_up(context)
            readers = (*READERS, NEWCOMER) if numbers is NEW else READERS
            with context.store.transaction() as at_desk:
                at_desk.enqueue([write(number, reader) for number in numbers for reader in readers])
            send_due(context, open_mailer(settings))
            mails |= {name: raw for name, raw in read_all(context).items() if name not in mails}
    return Sent(folder, mails)


class Watched:
    """A connection that ends the process when it has run so many statements."""

    def __init__(self, connection: Any, told: int, end_after: int) -> None:
        self._connection = connection
        self._told = told
        self._left = end_after

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._connection, name)
        if name == "end":
            return lambda purpose, done: self._watch(lambda _: found(purpose, done=done))("COMMIT")
        return self._watch(found) if name in ("execute", "executemany") else found

    def _watch(self, function: Any) -> Any:
        def call(statement: str, *values: Any) -> Any:
            answer = function(statement, *values)
            os.write(self._told, f"{' '.join(statement.split())}\n".encode())
            self._left -= 1
            if not self._left:
                os.kill(os.getpid(), signal.SIGKILL)
            return answer

        return call


def walk(folder: Path, end_after: int = 0) -> tuple[list[str], bool]:
    """Let a process tidy up until it has run so many statements, or all; what it ran, and whether it was killed."""
    read, told = os.pipe()
    child = os.fork()
    if not child:
        with open_post(settings_of(folder), lambda: START + timedelta(days=31)) as context:
            watched: Any = Watched(context.store._connection, told, end_after)
            context.store._connection = watched
            tidy_up(context)
            os._exit(0)
    os.close(told)
    with os.fdopen(read) as statements:
        ran = statements.read().splitlines()
    killed = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert killed or "COMMIT" in ran[-1]
    return ran, killed


def check(sent: Sent, folder: Path, *, done: bool) -> None:
    """Everything whose time has not come is there to the byte, and nothing is half gone."""
    with open_post(settings_of(folder), lambda: START + timedelta(days=31)) as context:
        found = read_all(context)
        with context.store.reading() as at_desk:
            assert at_desk.integrity_problems() == at_desk.altered_pictures() == at_desk.misshapen() == []
            loose = at_desk._value("SELECT count(*) FROM outbox_bytes WHERE pack IS NULL")
            parts = at_desk._value("SELECT sum(parts) FROM pack WHERE what = 'mails'")
            assert parts + loose == sum(1 for raw in found.values() if raw)
    old = {f"<{number}.{reader}@post>" for number in OLD for reader in READERS}
    assert found.keys() == sent.mails.keys()
    for name, raw in sent.mails.items():
        if name in old:
            assert found[name] == b"" if done else found[name] in (raw, b"")
        else:
            assert found[name] == raw
    if done:
        assert loose == 0


def find_steps(ran: list[str]) -> list[int]:
    """The first and the last time that each statement is run, and after that."""
    first = {statement: at for at, statement in reversed([*enumerate(ran, 1)])}
    last = {statement: at for at, statement in enumerate(ran, 1)}
    return sorted({*first.values(), *last.values()})


def test_every_mail_survives_a_kill_at_each_step_of_packing(sent: Sent, tmp_path: Path) -> None:
    shutil.copytree(sent.folder, tmp_path / "whole")
    ran, _ = walk(tmp_path / "whole")
    check(sent, tmp_path / "whole", done=True)
    steps = find_steps(ran)
    told = "\n".join(ran)
    for named in ("INSERT INTO pack", "UPDATE pack", "DELETE FROM outbox_bytes", "INSERT INTO outbox_shared", "COMMIT"):
        assert named in told
    assert len(steps) > 40
    for step in steps:
        folder = tmp_path / str(step)
        shutil.copytree(sent.folder, folder)
        assert walk(folder, step) == (ran[:step], True)
        check(sent, folder, done=False)
        walk(folder)
        check(sent, folder, done=True)
        shutil.rmtree(folder)


def test_a_post_killed_again_and_again_comes_to_the_same_end(sent: Sent, tmp_path: Path) -> None:
    shutil.copytree(sent.folder, tmp_path / "post")
    times, killed = 0, True
    while killed:
        _, killed = walk(tmp_path / "post", 30 + 10 * times)
        check(sent, tmp_path / "post", done=not killed)
        times += 1
    assert times > 5
