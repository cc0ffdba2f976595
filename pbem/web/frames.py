"""A game as the moments that a page can show: the table before the first move, and after every entry.

A variation of the record has moments of its own, each coming from the one that it leaves.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.game import GameRules, Seat
from notation import UNDO, WORDS, Entry, Record
from pbem.judging.open_record import open_record
from pbem.judging.variations import VariationTaken, follow_variations
from pbem.mail.writing.gains import Brought, play_entry

if TYPE_CHECKING:
    from pbem.judging.result import ReplayResult

MAIN: Final = 0
"""The line of the game itself; variations are counted from 1."""


class Frame(NamedTuple):
    """One moment. `entry` is what led to it, as everybody may read it; None before the first move."""

    entry: Entry | None
    turn: int
    position: Any
    parent: int
    """The moment from whose board a page comes to this one: in the game itself the next one, for pages show the latest
    first; in a variation the one before. The latest is its own."""
    brought: Brought
    before: Any
    """The position before the entry."""
    line: int = MAIN
    name: str = ""
    """What the address of a page says behind ``#``: the turn, ``19.2`` for what is not the last of a turn."""
    above: tuple[int, ...] = ()
    """The lines of the variations that stand beside the entry."""


@dataclass(frozen=True)
class Game:
    """A game as everybody may see it."""

    record: Record
    rules: GameRules
    frames: tuple[Frame, ...]
    """The game in order, then the variations."""
    length: int
    """How many of the frames are the game itself."""
    result: "ReplayResult"

    @property
    def id(self) -> str:
        """What the game is called in the record; empty if it has no name."""
        return self.record.header("Id") or ""

    @property
    def names(self) -> dict[Seat, str]:
        """What the record calls the players."""
        return {seat: self.record.header(f"Seat.{seat}") or seat for seat in self.record.seats}

    @property
    def latest(self) -> Frame:
        """The moment that the game has come to."""
        return self.frames[self.length - 1]


def watch_game(record: Record) -> "Game | ReplayResult":
    """A game with all its moments; the result with its refusal if the record is not legal."""
    seen: list[tuple[Entry, int, Any]] = []
    opened = open_record(record, watch=lambda entry, turn, position: seen.append((entry, turn, position)))
    rules = record.game
    if opened.replayed.refusal is not None or rules is None:
        return opened.replayed
    start: Any = rules.start(record.setup)
    frames = [Frame(None, rules.turn(start), start, 0, Brought(), start, name="0")]
    position, score = start, rules.score(start)
    for shown, (entry, turn, after) in zip(opened.record.entries, seen, strict=True):
        brought = Brought()
        if entry.who not in WORDS:
            brought, _, score = play_entry(rules, position, score, entry)
        elif entry.who == UNDO:
            score = rules.score(after)
        frames.append(Frame(shown, turn, after, 0, brought, position))
        position = after
    if opened.replayed.finished:
        frames = _without_final_count(frames)
    length = len(frames)
    frames = [frame._replace(parent=min(at + 1, length - 1)) for at, frame in enumerate(frames)]
    taken = follow_variations(opened.record)
    return Game(opened.record, rules, tuple(_add_variations(_name(frames), taken, rules)), length, opened.replayed)


def _without_final_count(frames: list[Frame]) -> list[Frame]:
    """The last turn of a game brings everybody the points of the final count, which no turn has earned."""
    last = max((frame.turn for frame in frames if frame.entry and frame.entry.who not in WORDS), default=0)
    return [
        frame._replace(brought=frame.brought._replace(counted=())) if frame.turn == last else frame for frame in frames
    ]


def _name(frames: list[Frame]) -> list[Frame]:
    """Frames with their names: that of a turn belongs to the last of its entries."""
    last = {frame.turn: at for at, frame in enumerate(frames) if frame.entry is not None}
    counted: dict[int, int] = {}
    named = []
    for at, frame in enumerate(frames):
        if frame.entry is None:
            named.append(frame)
            continue
        counted[frame.turn] = counted.get(frame.turn, 0) + 1
        is_last = last[frame.turn] == at
        named.append(frame._replace(name=str(frame.turn) if is_last else f"{frame.turn}.{counted[frame.turn]}"))
    return named


def _add_variations(frames: list[Frame], taken: tuple[VariationTaken, ...], rules: GameRules) -> list[Frame]:
    """The frames of a game, followed by those of its variations."""
    at_line: dict[int, list[int]] = {}
    every = list(frames)
    owners: dict[int, list[int]] = {}
    for line, variation in enumerate(taken, 1):
        trunk = at_line.get(variation.within, list(range(len(frames))))
        beside = trunk[variation.entry]
        owners.setdefault(beside, []).append(line)
        position, parent = variation.position, _nearest(every, trunk, variation.position, beside)
        score = rules.score(position)
        own: list[int] = [parent]
        for number, entry in enumerate(variation.entries, 1):
            brought, before, turn = Brought(), position, rules.turn(position)
            if entry.who not in WORDS:
                brought, position, score = play_entry(rules, position, score, entry)
            every.append(Frame(entry, turn, position, own[-1], brought, before, line, f"v{line}.{number}"))
            own.append(len(every) - 1)
        at_line[line] = own
    return [frame._replace(above=tuple(owners.get(at, ()))) for at, frame in enumerate(every)]


def _nearest(frames: list[Frame], trunk: list[int], position: Any, beside: int) -> int:
    """The frame that a variation is seen to leave: the latest with its position, else that before its entry."""
    reached = trunk[: trunk.index(beside) + 1]
    same = [at for at in reached if frames[at].position == position]
    return same[-1] if same else reached[max(0, len(reached) - 2)]
