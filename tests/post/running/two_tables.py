"""A post at which one player has the turn at two tables, and letters that this player writes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from notation import Record
from pbem.mail.transport.maildir import MaildirIntake
from pbem.mail.transport.protocols import Accepted
from pbem.service.game_records import read_record
from pbem.service.post_folder import open_post
from pbem.settings.sections import MaildirIntakeSettings
from pbem.store.rows import MailRow
from pbem.workflow.context import PostContext
from pbem.workflow.handle_letter import LetterOutcome, handle_arrived_letters
from pbem.workflow.import_record import import_game
from pbem.workflow.new_tables import terms_of
from pbem.workflow.open_game import Guest
from tests.old_tickets import format_old_address
from tests.post.post_games import TABLE, Hours, found_post, make_friends, make_script, moves_of

TURN = 19
TABLES = (TABLE, "sirocco-8")
FRIENDS = make_friends()
ANNA = FRIENDS["red"].address
MOVE = moves_of(make_script())[TURN - 1][1]


@dataclass
class TwoTables:
    """A post at which it is Anna's turn at two tables."""

    context: PostContext
    folder: Path
    hours: Hours

    def reply_to(self, table: str, turn: int = TURN) -> str:
        identity = self.context.identity
        key = identity.ticket_key
        return format_old_address(key, identity.address, game=table, seat="red", turn=turn, epoch=0)

    @property
    def both(self) -> list[str]:
        return [self.reply_to(table) for table in TABLES]

    def write(self, *more: str, words: str = MOVE, number: int = 1) -> bytes:
        """One mail to both tables."""
        lines = [*more, f"From: Anna <{ANNA}>", f"To: {', '.join(self.both)}", f"Message-ID: <{number}@anna.test>"]
        return "\r\n".join((*lines, "", words, "")).encode()

    def receive(self, raw: bytes, *to: str) -> None:
        self.context.store.receive(raw, intake="lmtp", env_from=ANNA, env_to=to)

    def collect(self, *raws: bytes) -> None:
        """Letters that lie in a Maildir, without an envelope."""
        box = self.folder / "maildir"
        for name in ("new", "cur", "tmp"):
            (box / name).mkdir(parents=True, exist_ok=True)
        for number, raw in enumerate(raws, 1):
            (box / "new" / f"{number}.letter").write_bytes(raw)
        accepted = Accepted(self.context.settings.post.largest_letter, self.context.identity.owns)
        MaildirIntake(MaildirIntakeSettings(path=box), accepted).collect(self.context.store)

    def handle(self) -> list[LetterOutcome]:
        found = list(handle_arrived_letters(self.context))
        assert self.context.store.counters().difference == 0
        return found

    def played(self, table: str) -> bool:
        record = read_record(self.context, table)
        assert record is not None
        return moves_of(record)[TURN - 1 :] == [("red", MOVE)]

    def mails(self, table: str) -> list[MailRow]:
        """Anna's mails about a table."""
        with self.context.store.reading() as at_desk:
            mails = map(at_desk.find_mail, range(1, sum(at_desk.mails_by_state().values()) + 1))
            return [mail for mail in mails if mail and (mail.recipient, mail.game) == (ANNA, table)]

    def kinds(self, table: str) -> list[str]:
        """The kinds of Anna's mails about a table."""
        return [mail.kind for mail in self.mails(table)]


@contextmanager
def open_two_tables(folder: Path, **settings: Any) -> Iterator[TwoTables]:
    """A new post; `settings` are those of its first section."""
    script, made, hours = make_script(), found_post(folder / "post", **settings), Hours()
    guests = [Guest(friend.seat, friend.name, friend.address) for friend in FRIENDS.values()]
    with open_post(made, hours.now) as context:
        for table in TABLES:
            headers = {**dict(script.headers), "Result": "*"}
            named = tuple((name, table if value == TABLE else value) for name, value in headers.items())
            half = Record(named, script.entries[: TURN - 1])
            import_game(context, table, half, guests, terms=terms_of(made.time))
        yield TwoTables(context, folder, hours)
