"""A letter's whole way through the store, walked by processes that kill themselves at a named step.

Each line of the standard input asks for one walk, `[url, file of sent mails, step, sender was answered]`, which a new
process takes; the answer is a line with the steps it reached and the signal that ended it. Walked again with the step
`never`, it does what a restarted service does: takes the letter from a sender who was not answered, and goes on from
where the store says it was.
"""

import json
import os
import signal
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.store.arrivals import Arrival
from pbem.store.outbox import LEASE
from pbem.store.rows import EventRow, GameRow, NewMail, PlyRow
from pbem.store.store import Store

LETTER = b"From: anna@example.org\r\n\r\nlilac E5\r\n"
NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


class Walk:
    """One process on its way."""

    def __init__(self, step: str, told: int) -> None:
        self._step = step
        self._told = told

    def reach(self, step: str) -> None:
        """Tell the step, and die here if it is the one."""
        os.write(self._told, f"{step} ".encode())
        if step == self._step:
            os.kill(os.getpid(), signal.SIGKILL)

    def go(self, url: str, sent: Path, now: datetime, *, answered: bool) -> None:
        """All steps in order."""
        store = Store.create(url, now=lambda: now)
        with store.transaction() as at_desk:
            if at_desk.find_game("sirocco-7") is None:
                at_desk.add_game(GameRow("sirocco-7", "playing", b"seed", NOON))
        self.reach("opened")
        if not answered:
            with store.transaction() as at_desk:
                at_desk.receive(Arrival(LETTER, "pipe"))
                self.reach("receiving")
            self.reach("acknowledged")
        taken = store.take_next()
        self.reach("tried")
        if taken is not None:
            self.judge(store, taken.letter.id)
            self.reach("committed")
        claimed = store.claim_due(now, 10)
        self.reach("claimed")
        for mail in claimed:
            with sent.open("a", encoding="ascii") as line:
                line.write(f"{mail.message_id} {mail.raw.hex()}\n")
            self.reach("sent")
            store.mark_sent(mail.id)
            self.reach("marked")
        self.reach("over")

    def judge(self, store: Store, letter: int) -> None:
        """The one transaction from received to applied."""
        with store.transaction() as at_desk:
            at_desk.append_event(EventRow("sirocco-7", 1, "played", "{}", "2026-11-16T12:00:00Z", "", "h1", letter))
            self.reach("event")
            at_desk.add_ply(PlyRow("sirocco-7", 0, 1, 0, "red", "lilac E5", 1))
            self.reach("ply")
            rendered = os.urandom(20_000)  # each rendering differs, as clocks and pictures do
            at_desk.enqueue([NewMail(f"<{seat}@post>", f"{seat}@x.org", "news", rendered) for seat in ("red", "blue")])
            self.reach("mails")
            at_desk.add_receipt(letter, at_desk.next_receipt_number(), "lilac E5 was played")
            self.reach("receipt")
            at_desk.set_fate(letter, "applied", "move", game="sirocco-7", seat="red")
            self.reach("fate")


def main() -> None:
    for line in sys.stdin:
        url, sent, step, answered = json.loads(line)
        read, told = os.pipe()
        child = os.fork()
        if not child:
            now = NOON if step != "never" else NOON + LEASE + timedelta(seconds=1)
            Walk(step, told).go(url, Path(sent), now, answered=answered)
            os._exit(0)
        os.close(told)
        with os.fdopen(read) as steps:
            reached = steps.read().split()
        print(json.dumps([reached, -os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])]), flush=True)  # noqa: T201 - the answer


main()
