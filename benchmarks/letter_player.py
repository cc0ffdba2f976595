"""A post that plays one game by letters, one at a time, as lines of JSON say: the part of `letter_costs` that is timed.

It is a program, not a module: it runs with the code of this version or of an older one, whichever folder is on its
path, and knows the names of both. What is timed is everything from taking up a letter to the commit.
"""

import gc
import json
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

TABLE: Final = "sirocco-1"
SEED: Final = bytes(range(7, 39))
NAMES: Final = {
    "create": ("pbem.service.post_folder:create_post", "pbem.service.founding:found"),
    "open": ("pbem.workflow.context:open_context", "pbem.clerk.office:open_office"),
    "guest": ("pbem.workflow.open_game:Guest", "pbem.clerk.hosting.opening:Guest"),
    "invitation": ("pbem.workflow.open_game:Invitation", "pbem.clerk.hosting.opening:Invitation"),
    "open_table": ("pbem.workflow.open_game:open_table", "pbem.clerk.hosting.opening:open_table"),
    "handle": ("pbem.workflow.handle_letter:handle_arrived_letters", "pbem.clerk.incoming.handling:work"),
    "load": ("pbem.workflow.context:events_from_rows", "pbem.clerk.office:to_event"),
    "fold": ("pbem.tables.fold:fold", "pbem.tables.folding:fold"),
    "find_game": ("engine.registry:find_game", "engine.registry:find"),
    "chance": ("pbem.tables.chance:draw_key", "pbem.tables.chance.dealing:draw_key"),
}
"""What is used of the post: its name today, and its name before the modules were renamed."""
ENDING: Final = ("End", "Pass")
"""Kinds of moves that end a turn."""
QUOTED: Final = "\n".join(f"> line {number} of what we wrote, as it comes back" for number in range(30))


def _find(name: str) -> tuple[Any, str]:
    """The module that has something now, or had it before, and its name there."""
    for place in NAMES[name]:
        module, _, attribute = place.partition(":")
        try:
            found = import_module(module)
        except ModuleNotFoundError:
            continue
        if hasattr(found, attribute):
            return found, attribute
    raise LookupError(name)


def _get(name: str) -> Any:
    module, attribute = _find(name)
    return getattr(module, attribute)


class LetterPlayer:
    """One post with one game."""

    def __init__(self, folder: Path, key: str, seats: int) -> None:
        self._moment = datetime(2026, 11, 16, 9, tzinfo=UTC)
        made = _get("create")(folder, {})
        # A whole game within a minute is more than anybody may write, and no clock is measured here.
        settings = replace(made.settings, post=replace(made.settings.post, answers_per_hour=1_000))
        self._context = _get("open")(settings, now=lambda: self._moment)
        self._game = _get("find_game")(key)
        self._seats = self._game.seats[:seats]
        self._last: dict[str, str] = {}
        self._carried = self._written = 0
        options = self._lay_out()
        guests = [_get("guest")(seat, f"{seat.capitalize()} of {folder.name}", _address(seat)) for seat in self._seats]
        refused = _get("open_table")(self._context, _get("invitation")(TABLE, key, guests, options), seed=SEED)
        if refused is not None:
            raise RuntimeError(f"the table was refused: {refused}")
        for seat in self._seats:
            self.write(seat, "accept")
        with self._context.store.transaction() as transaction:
            for person in transaction.find_seats(TABLE):
                transaction.save_seat(replace(person, notices="each"))

    def _lay_out(self) -> dict[str, str]:
        chance, game = import_module("engine.chance"), import_module("engine.game")
        return dict(self._game.lay_out(game.Setup(self._seats), chance.KeyedDealer(b"letters")).options)

    def write(self, seat: str, words: str, *, timed: bool = True) -> float:
        """Let a player answer the last mail; seconds of CPU from taking up the letter to the commit."""
        self._carry()
        self._moment += timedelta(minutes=17)
        self._written += 1
        mail = EmailMessage()
        mail["From"] = f"{seat.capitalize()} <{_address(seat)}>"
        mail["To"] = self._last[seat]
        mail["Subject"] = f"Re: [{TABLE}] {self._game.title}"
        mail["Date"] = self._moment
        mail["Message-ID"] = f"<{self._written}.{seat}@players.test>"
        mail.set_content(f"{words}\n\nOn Mon, 16 Nov 2026 at 10:00, Caravan Post wrote:\n{QUOTED}\n")
        self._context.store.receive_all([mail.as_bytes(policy=SMTP)], intake="benchmark")
        if timed:
            gc.collect()
        gc.disable()
        started = time.process_time()
        (outcome,) = _get("handle")(self._context)
        seconds = time.process_time() - started
        gc.enable()
        if outcome.fate != "applied":
            raise RuntimeError(f"{words!r} of {seat} was {outcome.fate}: {outcome.reason}")
        return seconds

    def _carry(self) -> None:
        """Learn the reply addresses of the mails that were written since."""
        with self._context.store.reading() as transaction:
            while (mail := transaction.find_mail(self._carried + 1)) is not None:
                self._carried += 1
                reply_to = message_from_bytes(mail.raw)["Reply-To"]
                for seat in self._seats:
                    if reply_to and f"+{TABLE}.{seat}." in reply_to:
                        self._last[seat] = str(reply_to)

    def table(self) -> Any:
        """The table, folded from its events."""
        with self._context.store.reading() as transaction:
            rows = transaction.load_events(TABLE)
        load = _get("load")
        return _get("fold")(load(rows) if load.__name__ == "events_from_rows" else [load(row) for row in rows])

    def play_on(self, turn: int) -> int:
        """Play up to a turn by moves that end no game; the letters that took. Only today's code is asked."""
        written = 0
        while self._known().turn < turn:
            self.write(*self.plan_least(), timed=False)
            written += 1
        return written

    def plan_least(self) -> list[str]:
        """Who plays what next, where everybody only does what must be done."""
        table = self._known()
        seat = table.due[0]
        return [seat, _least(table, seat)]

    def forget(self) -> None:
        """Forget the table and the pictures and points of its positions, as after a start."""
        self._context.table_cache.drop(TABLE)
        vars(self._context).pop("composer", None)

    def _known(self) -> Any:
        """The table as the post has it in memory."""
        with self._context.store.reading() as transaction:
            row = transaction.find_game(TABLE)
        cached = self._context.table_cache.find(row.id, row.head_hash)
        return self.table() if cached is None else cached.table

    def standing(self) -> list[object]:
        """What must be alike in both versions after every letter."""
        table = self.table()
        digest = import_module("engine.digest").canonical(self._game.view(table.position, "public"))
        return [table.stage, table.turn, list(table.due), sha256(digest).hexdigest()]

    def plan(self, number: int) -> list[str]:
        """Who plays what next; only today's code is asked."""
        table = self.table()
        seat = table.due[0]
        dealer = import_module("engine.chance").KeyedDealer(b"%d" % number)
        return [seat, import_module("pbem.demo.players").plan_moves(table, seat, dealer).phrase]


def _least(table: Any, seat: str) -> str:
    """The shortest turn: at every moment the move that ends it, if there is one, else the first."""
    game, position, moves = table.game, table.position, []
    turn = game.turn(position)
    awaited = import_module("pbem.judging.submission").awaited
    while seat in game.to_act(position) and game.turn(position) == turn:
        plies = [ply for ply in game.legal(position) if ply.seat == seat]
        ply = next((ply for ply in plies if type(ply.move).__name__ in ENDING), plies[0])
        moves.append(ply.move)
        position = game.apply(position, ply)
        if awaited(game, position, seat, ply.move):
            break
    return str(import_module("notation").write_moves(game, tuple(moves)))


def _address(seat: str) -> str:
    return f"{seat}@players.test"


def _forget_acceptances() -> None:
    """Let draws follow from the seed alone, for in what acceptances bring to them versions differ."""
    module, name = _find("chance")
    draw_key: Callable[..., bytes] = getattr(module, name)
    setattr(module, name, lambda seed, game, _, beacon=None: draw_key(seed, game, (), beacon))


def main() -> None:
    """Answer each line with a line."""
    _forget_acceptances()
    player: LetterPlayer | None = None
    for line in sys.stdin:
        verb, *values = json.loads(line)
        if verb == "open":
            folder, key, seats = values
            player = LetterPlayer(Path(folder), key, seats)
            answer: object = player.standing()
        elif player is None:
            raise RuntimeError("no post is open")
        else:
            answer = getattr(player, verb)(*values)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    del sys.path[0]  # the folder of this file, whose modules have common names
    main()
