"""The demonstration: a post is founded, people are invited, and a whole game is played by letters.

What they play was made up beforehand by chance, from a seed. So at the end the record that the post has kept can be
compared with what the players meant to play.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.chance import KeyedDealer
from engine.game import Game
from notation import END, Entry, Record, write_moves
from pbem.carriage.flushing import file_name
from pbem.carriage.way_out import open_way_out
from pbem.clerk.handling import Outcome
from pbem.clerk.office import utc_now
from pbem.clerk.opening import Guest
from pbem.demonstration.player import Player
from pbem.demonstration.programs import PROGRAMS
from pbem.demonstration.shelf import Shelf
from pbem.demonstration.staging import BETWEEN_LETTERS, Calendar, Stage
from pbem.referee.sampling import sample
from pbem.service.entering import enter, take_key
from pbem.service.founding import Founded
from pbem.service.inviting import invite
from pbem.service.recording import read_record

PEOPLE: Final = ("Anna", "Boris", "Chloe", "Dov", "Ewa")
TABLE: Final = "sirocco-1"
SETTINGS: Final = {"post.address": "caravan@post.example", "out.kind": "maildir", "out.path": Path("mailboxes")}
"""What differs from the defaults at the post of a demonstration: its players' mailboxes are in the same folder."""


Tell = Callable[[int, int, str], None]
"""Is told how many turns were played, of how many, and what happens."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What there is to see afterwards. `refusal` is the rule cited against the one illegal move."""

    record: Record
    players: tuple[Player, ...]
    letters: int
    mails: int
    refusal: str


def make_script(game: Game[Any], players: int, seed: str) -> Record:
    """The game that will be played."""
    key = f"caravan-post/demo\0{game.key}\0{game.edition}\0{players}\0{seed}".encode()
    return sample(game, seats=game.seats[:players], dealer=KeyedDealer(key), name=TABLE)


def play_by_post(post: Founded, game: Game[Any], script: Record, tell: Tell) -> Shown:
    """Play the whole script by letters at a new post."""
    turns = [entry for entry in script.entries if entry.who != END]
    calendar = Calendar(utc_now() - BETWEEN_LETTERS * (len(turns) + len(script.seats) + 10))
    with (
        take_key(post.settings),
        enter(post.settings, calendar.now) as office,
        closing(open_way_out(post.settings)) as way_out,
    ):
        stage = Stage(office, way_out, calendar)
        _seat_players(stage, game, script, post.file.parent)
        refusal, half = "", len(turns) // 2
        for number, entry in enumerate(turns):
            player = stage.players[entry.who]
            phrase = write_moves(game, entry.moves)
            tell(number, len(turns), f"{player.name} plays {phrase}")
            if number == half:
                refusal = _err(stage, player, write_moves(game, turns[number - 1].moves))
            if number == half + 7:
                _expect(stage.write(player, "status"), "applied")
            words = f"{phrase}\n\npress to all: the caravan moves on" if number == half + 3 else phrase
            _expect(stage.write(player, words), "applied")
        record = _compare(read_record(office, TABLE), script.entries)
        return Shown(record, tuple(stage.players.values()), stage.letters, stage.mails, refusal)


def _seat_players(stage: Stage, game: Game[Any], script: Record, folder: Path) -> None:
    """Invite everybody, and let everybody accept."""
    office = stage.office

    def label(message_id: str) -> str:
        with office.store.reading() as transaction:
            mail = transaction.find_message(message_id)
        return mail.kind if mail is not None else "mail"

    for seat, name, program in zip(script.seats, PEOPLE, (*PROGRAMS, PROGRAMS[0]), strict=False):
        address = f"{name.lower()}@example.org"
        mailbox = folder / "mailboxes" / file_name(address)
        shelf = Shelf(folder / "letters" / name.lower(), folder / "letters" / "pictures", label)
        stage.players[seat] = Player(seat, name, address, mailbox, program, shelf)
    guests = [Guest(player.seat, player.name, player.address) for player in stage.players.values()]
    options = dict(script.setup.options)
    refused = invite(office, game, guests, table=TABLE, options=options, time=office.settings.time)
    if refused is not None:
        raise RuntimeError(f"the demonstration was refused: {refused}")
    stage.carry_mails()
    for player in stage.players.values():
        _expect(stage.write(player, "accept"), "applied")


def _err(stage: Stage, player: Player, phrase: str) -> str:
    """Send a move that was just played by somebody else; the rule that is cited against it."""
    outcome = stage.write(player, phrase)
    _expect(outcome, "refused")
    return outcome.reason


def _expect(outcome: Outcome, fate: str) -> None:
    if outcome.fate != fate:
        raise RuntimeError(f"letter {outcome.letter} was {outcome.fate}: {outcome.reason}")


def _compare(record: Record | None, meant: Sequence[Entry]) -> Record:
    """The record, which must say what was meant."""
    kept = [(entry.number, entry.who, entry.moves) for entry in record.entries] if record is not None else []
    if record is None or kept != [(entry.number, entry.who, entry.moves) for entry in meant]:
        raise RuntimeError("the record is not what the players sent")
    return record
