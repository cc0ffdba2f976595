"""Our input and output: the letters of whole games of four, no two alike but in length, and the mails they lead to."""

from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from email.policy import SMTP
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

from engine.chance import KeyedDealer
from engine.through_the_desert import GAME
from notation import END, Record, write_moves
from pbem.judging.lookahead import sample_game
from pbem.service.post_folder import CreatedPost, create_post
from pbem.workflow.context import PostContext, open_context
from pbem.workflow.handle_letter import handle_arrived_letters
from pbem.workflow.open_game import Guest, Invitation, open_table
from tests.old_tickets import format_old_address

SEATS: Final = GAME.seats[:4]
TABLE: Final = "sirocco-1"
TURNS: Final = 83
"""How long a game is, as many are."""
MANY: Final = 10_000
"""More mails than a game has."""


@cache
def script(number: int) -> Record:
    """A game to be played, as many turns long as all others."""
    seeds = (b"benchmark %d.%d" % (number, attempt) for attempt in count())
    games = (sample_game(GAME, seats=SEATS, dealer=KeyedDealer(seed), name=TABLE) for seed in seeds)
    return next(game for game in games if sum(entry.who != END for entry in game.entries) == TURNS)


def open_post(folder: Path, game: Record, *, notices: str) -> PostContext:
    """A new post with a table at which four have accepted, and who hear of moves as `notices` says."""
    made = create_post(folder, {})
    assert isinstance(made, CreatedPost)
    # A whole game within a second is more than anybody may write, and no clock is measured here.
    settings = replace(made.settings, post=replace(made.settings.post, answers_per_hour=1_000))
    context = open_context(settings)
    guests = [Guest(seat, f"{seat.capitalize()} of {folder.name}", _address(seat)) for seat in SEATS]
    refused = open_table(context, Invitation(TABLE, GAME.key, guests, dict(game.setup.options)))
    assert refused is None
    for seat in SEATS:
        receive(context, [write_letter(context, seat, 0, "accept")])
    assert [outcome.fate for outcome in handle_arrived_letters(context)] == ["applied"] * len(SEATS)
    with context.store.transaction() as transaction:
        for person in transaction.find_seats(TABLE):
            transaction.save_seat(replace(person, notices=notices))
    return context


def write_game(context: PostContext, game: Record) -> Iterator[bytes]:
    """A letter for every turn of a game."""
    for entry in game.entries:
        if entry.who != END:
            yield write_letter(context, entry.who, entry.number or 0, write_moves(GAME, entry.moves))


def write_letter(context: PostContext, seat: str, turn: int, words: str) -> bytes:
    """A letter as a mail program writes it, with a little of our mail quoted below."""
    identity = context.identity
    mail = EmailMessage()
    mail["From"] = f"{seat.capitalize()} <{_address(seat)}>"
    mail["To"] = format_old_address(identity.ticket_key, identity.address, game=TABLE, seat=seat, turn=turn)
    mail["Subject"] = f"Re: [{TABLE}] {GAME.title}"
    mail["Date"] = "Mon, 16 Nov 2026 10:40:00 +0000"
    mail["Message-ID"] = f"<{turn}.{seat}@players.test>"
    quoted = "\n".join(f"> line {number} of what we wrote, as it comes back" for number in range(30))
    mail.set_content(f"{words}\n\nOn Mon, 16 Nov 2026 at 10:00, Caravan Post wrote:\n{quoted}\n")
    return mail.as_bytes(policy=SMTP)


def receive(context: PostContext, letters: list[bytes]) -> None:
    """Keep letters, so that they are there to be handled."""
    context.store.receive_all(letters, intake="benchmark")


def take_mails(context: PostContext) -> list[bytes]:
    """The mails that wait to be sent, each once."""
    return [mail.raw for mail in context.store.claim_due(context.now(), MANY)]


def _address(seat: str) -> str:
    return f"{seat}@players.test"
