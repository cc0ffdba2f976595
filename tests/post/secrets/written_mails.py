"""Mails as a post writes them, noted with what is hidden behind each, so that they can be written again."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import pytest

from engine.game import Game, Seat
from pbem.mail.writing import composer as composing
from pbem.mail.writing.composer import Composer
from pbem.mail.writing.mime import Mail
from pbem.mail.writing.occasions import Envelope
from pbem.tables.table import Table
from pbem.workflow import announce, apologies
from tests.post.secrets.mail_kinds import ASIDE, HELD, kinds_of


class Written(NamedTuple):
    """A mail as it was written, with all that is needed to write it again."""

    kinds: frozenset[str]
    language: str
    mail: Mail
    again: Callable[[], Mail]
    hidden: tuple[object, ...]
    """All there was to know when it was written."""


class Listener:
    """Notes every mail to the viewer, to the referee and to observers as it is written."""

    def __init__(self, game: Game[Any], seed: bytes) -> None:
        self.written: list[Written] = []
        self.whispers: list[str] = []
        """What others wrote that is another thing in the other world."""
        self._seed = seed
        self._position: Any = None
        self._elsewhere = {*game.seats} - {game.seats[1]}

    def listen(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Listen from now on."""
        compose = Composer.compose

        def note(composer: Composer, table: Table, envelope: Envelope, occasion: Any, *rest: Any) -> Mail:
            mail = compose(composer, table, envelope, occasion, *rest)
            kinds = kinds_of(occasion, mail.kind, envelope.seat)
            again = partial(compose, composer, table, envelope, occasion, *rest)
            self._note(kinds, envelope.seat, envelope.to.language, mail, again, table.position)
            return mail

        def note_held(post: Any, reader: Any, **rest: Any) -> Mail:
            mail = composing.write_held(post, reader, **rest)
            again = partial(_write_now, "write_held", post, reader, **rest)
            self._note(frozenset({HELD}), rest["seat"], reader.language, mail, again, None)
            return mail

        def note_aside(post: Any, game: str, envelope: Envelope, **rest: Any) -> Mail:
            mail = composing.write_aside(post, game, envelope, **rest)
            again = partial(_write_now, "write_aside", post, game, envelope, **rest)
            kinds = frozenset({f"{ASIDE} {rest['why']}"})
            self._note(kinds, envelope.seat, envelope.to.language, mail, again, None)
            return mail

        monkeypatch.setattr(Composer, "compose", note)
        monkeypatch.setattr(announce, "write_held", note_held)
        monkeypatch.setattr(apologies, "write_aside", note_aside)

    def _note(
        self, kinds: frozenset[str], reader: Seat, language: str, mail: Mail, again: Callable[[], Mail], position: Any
    ) -> None:
        self._position = position or self._position
        if reader not in self._elsewhere:
            hidden = (self._position, self._seed, *self.whispers)
            self.written.append(Written(kinds, language, mail, again, hidden))


def _write_now(writer: str, *given: Any, **rest: Any) -> Mail:
    """A mail without a table, by what writes it at the time."""
    mail: Mail = getattr(composing, writer)(*given, **rest)
    return mail
