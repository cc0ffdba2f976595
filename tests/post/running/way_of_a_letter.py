"""A letter's whole way through a real post, walked by processes that kill themselves at a named step.

    way_of_a_letter.py POST LETTER

walks once through a post that nobody needs any more, so that everything is loaded. After that each line of the standard
input asks for one walk, `[post, letter, step, which time, sender was answered]`, which a new process takes; the answer
is a line with the steps it reached and the signal that ended it. Walked again with the step `never`, it does what a
restarted service does.
"""

import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

from pbem.mail.transport.factory import open_mailer
from pbem.mail.transport.maildir import MaildirMailer
from pbem.mail.transport.pipe import take_letter
from pbem.mail.writing.composer import Composer
from pbem.service.lock import take_lock
from pbem.service.post_folder import open_post, open_store
from pbem.service.send_queue import send_due
from pbem.settings.load import read_settings
from pbem.settings.sections import Settings
from pbem.store.arrivals import ArrivalQueries
from pbem.store.inbox import InboxQueries
from pbem.store.outbox import LEASE, OutboxQueries
from pbem.store.store import Store, Transaction
from pbem.workflow import handle_letter
from tests.post.post_games import START

NEVER = "never"

INSIDE: dict[str, tuple[Any, str]] = {
    "kept, not committed": (ArrivalQueries, "receive_all"),
    "received": (Store, "receive"),
    "taken": (Store, "take_next"),
    "read": (handle_letter, "read_letter"),
    "remembered": (InboxQueries, "remember_seen"),
    "event": (Transaction, "append_event"),
    "ply": (Transaction, "add_ply"),
    "composed": (Composer, "compose"),
    "queued": (OutboxQueries, "enqueue"),
    "receipt": (InboxQueries, "add_receipt"),
    "people": (Transaction, "save_seats"),
    "clock": (Transaction, "save_clock"),
    "fate": (InboxQueries, "set_fate"),
    "next one looked for": (InboxQueries, "take_next"),
    "claimed": (Store, "claim_due"),
    "sent": (MaildirMailer, "deliver"),
    "marked": (Store, "mark_sent"),
}
"""Steps that are reached when a function of the house returns; others stand in `walk`."""


class Walk:
    """One process on its way."""

    def __init__(self, step: str, time: int, told: int) -> None:
        self._step = step
        self._time = time
        self._told = told
        self._reached: Counter[str] = Counter()

    def reach(self, step: str) -> None:
        """Tell the step, and die here if it is the one."""
        self._reached[step] += 1
        os.write(self._told, f"{step}\n".encode())
        if step == self._step and self._reached[step] == self._time:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(self) -> None:
        """Reach a step whenever one of the functions returns."""
        for step, (place, name) in INSIDE.items():
            setattr(place, name, self._watched(step, getattr(place, name)))

    def _watched(self, step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            answer = function(*given, **named)
            self.reach(step)
            return answer

        return call

    def go(self, settings: Settings, letter: Path, *, answered: bool) -> None:
        """Deliver, handle, send."""
        now = START if self._step != NEVER else START + LEASE + timedelta(seconds=1)
        self.reach("begun")
        if not answered:
            with letter.open("rb") as stream:
                assert take_letter(stream, lambda: open_store(settings), largest=262_144) == 0
            self.reach("acknowledged")
        with (
            take_lock(settings, "tick"),
            open_post(settings, lambda: now) as context,
            closing(open_mailer(settings)) as way_out,
        ):
            self.reach("opened")
            for _ in handle_letter.handle_arrived_letters(context):
                self.reach("committed")
            send_due(context, way_out)
        self.reach("over")


def _settings(folder: str) -> Settings:
    settings = read_settings(Path(folder, "post.toml"))
    assert isinstance(settings, Settings)
    return settings


def main() -> None:
    Walk(NEVER, 1, os.open(os.devnull, os.O_WRONLY)).go(_settings(sys.argv[1]), Path(sys.argv[2]), answered=False)
    for line in sys.stdin:
        folder, letter, step, time, answered = json.loads(line)
        read, told = os.pipe()
        child = os.fork()
        if not child:
            walk = Walk(step, time, told)
            walk.watch()
            walk.go(_settings(folder), Path(letter), answered=answered)
            os._exit(0)
        os.close(told)
        with os.fdopen(read) as steps:
            reached = steps.read().split("\n")[:-1]
        print(json.dumps([reached, -os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])]), flush=True)  # noqa: T201 - the answer


if __name__ == "__main__":
    main()
