"""A post whose service takes one step at a time, when a test says so, and keeps its journal.

All that the rounds of `pbem serve` do and tell is done and told here, in one thread and at the hour of the test.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from pbem.mail.transport.factory import open_mailer
from pbem.service import server
from pbem.service.journal import close_journal, start_journal
from pbem.service.server import Intervals, Service, StopSignal
from pbem.settings.upkeep import LogSettings
from pbem.workflow.context import PostContext
from pbem.workflow.handle_letter import LetterOutcome, handle_arrived_letters
from tests.post.towns import Town

ORDER = ("letters", "clocks", "mails", "health")


class Waiting:
    """A round that does nothing by itself."""

    def __init__(self, name: str, step: Callable[[], float], *, stop: Event, fail: Callable[[str], None]) -> None:
        self.name = name
        self.step = step

    def wake(self) -> None:
        """Nothing to do: `handle` runs all steps anyway."""


@contextmanager
def serve_by_hand(town: Town, journal: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let letters to a town be handled by its service; what the service tells of itself goes to `journal`."""
    rounds: dict[str, Waiting] = {}
    outcomes: list[LetterOutcome] = []

    def make_round(name: str, step: Callable[[], float], **rest: Any) -> Waiting:
        return rounds.setdefault(name, Waiting(name, step, **rest))

    def listen(context: PostContext) -> Iterator[LetterOutcome]:
        for outcome in handle_arrived_letters(context):
            outcomes.append(outcome)
            yield outcome

    def handle(context: PostContext) -> LetterOutcome:
        for name in ORDER:
            rounds[name].step()
        return outcomes.pop()

    monkeypatch.setattr(server, "Worker", make_round)
    monkeypatch.setattr(server, "handle_arrived_letters", listen)
    top = logging.getLogger()
    level, handler = top.level, start_journal(LogSettings(form="json", file=journal))
    with closing(open_mailer(town.context.settings)) as way_out:
        Service(town.context, (), way_out, intervals=Intervals(), stop_signal=StopSignal())
        monkeypatch.setattr(town, "handle", handle)
        try:
            yield
        finally:
            close_journal(handler)
            top.setLevel(level)
