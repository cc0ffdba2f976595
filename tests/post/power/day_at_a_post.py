"""A day at a post, on a disk that is recorded: friends accept, play, get their mails, and the mails are packed.

    day_at_a_post.py POST FRIENDS TRACE FAULT

writes to TRACE all that the database asked of the disk, and between it what others rely on: a letter that was
acknowledged, a fate that was told, a mail that has left; and `spent` when only packing follows. FAULT names a mistake
that is made on purpose, or `none`.
"""

import os
import pickle
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path
from typing import Any

from pbem.mail.transport.protocols import Checked, SendResult, Sent
from pbem.service.housekeeping import tidy_up
from pbem.service.post_folder import open_post
from pbem.service.send_queue import send_due
from pbem.settings.load import read_settings
from pbem.settings.sections import Settings
from pbem.store import packs, sqlite
from pbem.store.arrivals import Arrival
from pbem.store.outbox import OutboxQueries
from pbem.store.packs import PackQueries
from pbem.store.rows import NewMail
from pbem.store.sqlite_connection import SAFE
from pbem.workflow.context import PostContext
from pbem.workflow.handle_letter import handle_arrived_letters
from tests.post.post_games import START, Friend, Hours, make_script, moves_of
from tests.post.power.recorded_disk import RecordedDisk

TURNS = 9
"""How many letters with moves come in a day."""
DAYS = 2, 9
"""When mails are packed: first those of readers who have many, then all."""
SHORT_LOG = 200
"""Pages of the log that are copied into the database: so few that a day has several such copies in it."""


class Network:
    """Mails that leave are with their readers at once, and cannot be called back."""

    def __init__(self, disk: RecordedDisk, friends: Iterable[Friend]) -> None:
        self._disk = disk
        self._friends = {friend.address: friend for friend in friends}

    def deliver(self, raw: bytes, recipient: str) -> SendResult:
        self._disk.note("sent", str(message_from_bytes(raw)["Message-ID"]), raw)
        self._friends[recipient].get(raw)
        return Sent()

    def check(self) -> Checked:
        return Checked("test", good=True, text="")

    def close(self) -> None:
        """There is nothing to let go of."""


def spend_day(
    context: PostContext, disk: RecordedDisk, friends: dict[str, Friend], take: Callable[[bytes], None]
) -> None:
    """Everybody accepts, and then they play."""
    network = Network(disk, friends.values())
    for seat, words in [*((seat, "accept") for seat in friends), *moves_of(make_script(), TURNS)]:
        letter = friends[seat].answer(words)
        take(letter)
        for outcome in handle_arrived_letters(context):
            disk.note("told", outcome.letter, outcome.fate)
        send_due(context, network)


def answer_after_keeping(context: PostContext, disk: RecordedDisk) -> Callable[[bytes], None]:
    """How a letter is taken: it is acknowledged when it is on the disk."""

    def take(letter: bytes) -> None:
        kept = context.store.receive(letter, intake="test")
        disk.note("acknowledged", kept.id, letter)

    return take


def answer_too_soon(context: PostContext, disk: RecordedDisk) -> Callable[[bytes], None]:
    """The mistake of acknowledging a letter before it is committed."""

    def take(letter: bytes) -> None:
        with context.store.transaction() as at_desk:
            kept = at_desk.receive(Arrival(letter, "test"))
            disk.note("acknowledged", kept.id, letter)

    return take


def send_too_soon(disk: RecordedDisk) -> None:
    """The mistake of sending mails before what they tell is committed."""
    enqueue = OutboxQueries.enqueue

    def send_and_enqueue(session: OutboxQueries, mails: Sequence[NewMail], **how: Any) -> None:
        enqueue(session, mails, **how)
        for mail in mails:
            raw = mail.raw[: mail.shared_at] + mail.shared + mail.raw[mail.shared_at :]
            disk.note("sent", mail.message_id, raw)

    OutboxQueries.enqueue = send_and_enqueue  # type: ignore[method-assign,assignment]  # a mistake made on purpose


def flush_seldom(synchronous: str, answer: int) -> None:
    """The mistake of settings that do not wait for the disk."""
    SAFE["synchronous"] = synchronous
    sqlite._SAFE_ANSWERS["synchronous"] = answer


def pack_in_steps() -> None:
    """The mistake of deleting a mail in one transaction and adding its place in a pack in the next."""
    change = PackQueries._change

    def change_and_commit(queries: PackQueries, statement: str, *values: Any) -> int:
        changed = change(queries, statement, *values)
        if statement == packs._DROP_MAIL:
            for words in ("COMMIT", "BEGIN IMMEDIATE"):
                queries._connection.execute(words)
        return changed

    PackQueries._change = change_and_commit  # type: ignore[method-assign,assignment]  # a mistake made on purpose


def main() -> None:
    post, mailboxes, trace, fault = sys.argv[1:]
    settings = read_settings(Path(post, "post.toml"))
    assert isinstance(settings, Settings)
    friends = pickle.loads(Path(mailboxes).read_bytes())  # noqa: S301 - the test has written it
    sqlite._CHECKPOINT_PAGES = SHORT_LOG  # type: ignore[misc]  # final but for this test
    with Path(trace).open("wb") as stream:
        disk = RecordedDisk(stream)
        if fault in ("normal", "off"):
            flush_seldom(fault, ("off", "normal").index(fault))
        elif fault == "sends too soon":
            send_too_soon(disk)
        hours = Hours()
        with open_post(settings, hours.now) as context:
            answering = answer_too_soon if fault == "answers too soon" else answer_after_keeping
            spend_day(context, disk, friends, answering(context, disk))
            disk.note("spent")
            if fault == "packs in steps":
                pack_in_steps()
            for days in DAYS:
                hours.moment = START + timedelta(days=days)
                tidy_up(context)
            stream.flush()
            os._exit(0)  # closing would tidy up, and a day has no end


if __name__ == "__main__":
    main()
