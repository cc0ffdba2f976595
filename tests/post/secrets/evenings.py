"""An evening: a whole game with secrets, played by mail at a post that commits to them, and all that left the post."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.digest import canonical
from engine.game import Seat
from pbem.events.chain import BY, Event, epochs_before
from pbem.events.codec import encode
from pbem.proof.draws import Sealer, draw_key
from pbem.store.rows import GameRow
from pbem.tables.table import PLAYING
from pbem.workflow.context import press_secret
from tests.post.court.courts import Court
from tests.post.post_games import TABLE
from tests.post.secrets import eager, watchful
from tests.post.secrets.outputs import Output, Outputs
from tests.post.secrets.searching import Haystack
from tests.post.towns import Town

WHISPER = "the camel with the blue saddle limps, and nobody else has noticed"
"""What one player tells another in private."""
QUESTIONS = ("status", "board", "history", "standing", "help")
EVERY = 6
"""After how many letters somebody is curious."""
ASKED = 30
"""After how many letters the commands are asked; first after a third of that, which the shortest game has."""
GUESSES = (("nonsense", "card fennec 6", "go far away"), ("take", "offer", "card F12 3"))


class Evening:
    """Plays one game, and takes what leaves the post before its end and after."""

    def __init__(self, court: Court, outputs: Outputs) -> None:
        self.court = court
        self.before: list[Output] = []
        self.after: list[Output] = []
        self.asked: list[int] = []
        """After how many events the commands were asked, while the game went on."""
        self._outputs = outputs
        self._hay: dict[tuple[Seat, bool], Haystack] = {}

    def hay(self, reader: Seat, *, over: bool = False) -> Haystack:
        """All that a reader got before the end, or after, to be looked through."""
        if (reader, over) not in self._hay:
            outputs = self.after if over else self.before
            self._hay[reader, over] = Haystack(each.content for each in outputs if each.reader == reader)
        return self._hay[reader, over]

    @property
    def town(self) -> Town:
        return self.court.town

    @property
    def events(self) -> list[Event]:
        return self.town.events

    @property
    def row(self) -> GameRow:
        with self.town.context.store.reading() as at_desk:
            row = at_desk.find_game(TABLE)
        assert row is not None
        return row

    def play(self, most: int) -> None:
        """Play as far as `most` letters go; if the game is not over then, the referee decides it."""
        first, second, *_ = self.town.friends
        for number, (seat, words) in enumerate(eager.letters(self.town, most), start=1):
            assert self.town.write(seat, words).fate == "applied", words
            self._take()
            if number % EVERY == 2 and self.is_going_on:
                self._be_curious(number, words)
            if number == 3:
                assert self.town.write(first, f"press to {second}: {WHISPER}\n\n").fate == "applied"
                assert self.town.write(second, "appeal what is it that he has there").fate == "applied"
                self._take()
            if number % ASKED == ASKED // 3:
                self._ask()
        if self.is_going_on:
            self._ask()
            ruling = ("adjudicate", "--winner", first, "--reason", "it is late")
            self.court.pbem("case", "rule", TABLE, "1", *ruling)
        self.after += [*self._outputs.mails(), *self._outputs.answers(), *self._outputs.readings()]

    @property
    def is_going_on(self) -> bool:
        return self.town.table.stage == PLAYING

    def _take(self) -> None:
        if self.is_going_on:
            self.before += self._outputs.mails()

    def _ask(self) -> None:
        if self.is_going_on:
            self.before += [*self._outputs.answers(), *self._outputs.readings()]
            self.asked.append(len(self.events))

    def _be_curious(self, number: int, played: str) -> None:
        """Somebody asks, tries what was played by another, and what he cannot know."""
        seats = [*self.town.friends]
        seat, other = seats[number // EVERY % len(seats)], seats[(number // EVERY + 1) % len(seats)]
        table = watchful.PROBES if self.town.table.game.key.startswith("brotherhood") else GUESSES
        tried = [probe.format(other=other) for probe in table[number // EVERY % len(table)]]
        for words in (QUESTIONS[number // EVERY % len(QUESTIONS)], f"preview {played}", *tried):
            if not self.is_going_on or (words in tried and seat in self.town.table.due):
                return  # a guess that is legal would be played
            self.town.write(seat, words)
            self._take()


class Field(NamedTuple):
    """One hidden move: where it stands, what it says, and who may know."""

    seq: int
    name: str
    value: str
    blinding: bytes
    commitment: str
    readers: tuple[Seat, ...]


def fields_of(evening: Evening) -> Iterator[Field]:
    """Everything that was sealed in a game."""
    row = evening.row
    sealer = Sealer(row.id, row.blind)
    for event, epoch in zip(evening.events, epochs_before(evening.events), strict=True):
        for (name, value), commitment in zip(event.fields, event.commitments, strict=True):
            blinding = bytes.fromhex(sealer.open(event.seq, name, value, epoch).blinding)
            # Who prepared a move is opened to nobody before the end.
            readers = event.sealed.readers if event.sealed is not None and name != BY else ()
            yield Field(event.seq, name, value, blinding, commitment, readers)


def keys_of(town: Town) -> dict[str, bytes]:
    """What nobody gets, ever."""
    folder = town.context.settings.folder
    keys = {path.name: bytes.fromhex(path.read_text()) for path in folder.glob("*.key")}
    assert len(keys) == 2
    return {**keys, "press secret": press_secret(town.context, TABLE)}


def secrets_of(evening: Evening, reader: Seat) -> dict[str, bytes]:
    """What a reader must not get while the game goes on, by name."""
    row, town = evening.row, evening.town
    entropy = [encode(event.payload)["entropy_sha256"] for event in evening.events if event.kind == "accepted"]
    found = {**keys_of(town), "seed": row.seed, "blind key": row.blind, "key": draw_key(row.seed, row.id, entropy)}
    for field in fields_of(evening):
        if reader not in field.readers:
            where = f"field {field.name} of event {field.seq}"
            found[f"blinding of {where}"] = field.blinding
            found[f"value of {where}"] = canonical([TABLE, field.seq, field.name, field.value])
    for event in evening.events:
        if event.sealed is not None and reader not in event.sealed.readers:
            found[f"seal of event {event.seq}"] = canonical(event.sealed)
    first, second, *_ = town.friends
    if reader not in (first, second):
        found["whisper"] = WHISPER.encode()
    for seat, friend in town.friends.items():
        if seat != reader:
            found |= {f"ticket {code} of {seat}": code.encode() for code in _codes(friend.mails)}
    return found


def _codes(mails: list[Any]) -> set[str]:
    """The codes of reply addresses, with which a letter acts."""
    return {str(mail["Reply-To"]).partition("@")[0].rpartition(".")[2] for mail in mails}
