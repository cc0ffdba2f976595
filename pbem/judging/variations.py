"""Whether what might have been played could have been: the moves in a record's variations, judged like others.

A variation tells another way from somewhere before it: usually from the beginning of the turn whose number it bears,
sometimes from the middle of it. So it is tried from every moment of that turn, and what is wrong is told of the moment
from which it leads furthest. Words of the table in a variation (a pause, an ending) are not judged.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from engine.game import CHANCE, GameRules, Ply
from engine.verdict import Verdict
from notation import Entry, Record
from notation.record import ABOVE, VARIATION, Remark
from notation.table_words import WORDS
from pbem.judging import record_rules
from pbem.judging.record_replay import replay_record
from pbem.judging.result import Refusal
from pbem.judging.start_checks import start_from_headers

if TYPE_CHECKING:
    from collections.abc import Sequence

FURTHEST: Final = 200
"""How many moments of a turn are tried at most, the nearest first."""


class Moment(NamedTuple):
    """A position on the way that a variation leaves, and the turn that is being played there."""

    turn: int
    position: Any


class VariationTaken(NamedTuple):
    """A variation that can be played: from where, and beside what it stands."""

    within: int
    """0 in the game itself, else the number of the variation that it stands in, counted from 1 in this order."""
    entry: int
    """Beside which entry of that line it stands, counted from 1."""
    position: Any
    """Where it begins."""
    entries: tuple[Entry, ...]


def follow_variations(record: Record) -> tuple[VariationTaken, ...]:
    """The variations of a record that can be played, each after the one that it stands in."""
    taken: list[VariationTaken] = []
    if has_variations(record):
        for _ in _judge_all(record, taken):
            pass
    return tuple(taken)


def has_variations(record: Record) -> bool:
    """Whether there is anything to judge here; most records have none."""
    return any(_variations(entry.remarks) for entry in record.entries if entry.remarks) or bool(
        _variations(record.afterword)
    )


def judge_variations(record: Record) -> Iterator[Refusal]:
    """What is wrong with each variation of a record that stands, and with those inside them."""
    yield from _judge_all(record, [])


def _judge_all(record: Record, taken: list[VariationTaken]) -> Iterator[Refusal]:
    opening = start_from_headers(record)
    if isinstance(opening, Refusal):
        return
    game, start = opening
    ways = _Ways(game, taken)
    way = [Moment(game.turn(start), start)]
    after: list[tuple[Entry, Any]] = []
    replay_record(record, watch=lambda entry, _turn, position: after.append((entry, position)))
    for number, (entry, position) in enumerate(after, 1):
        if entry.who in WORDS:
            yield from ways.judge_all(entry.remarks, way, len(way) - 1, (0, number))
            way.append(Moment(game.turn(position), position))
        else:
            yield from ways.follow(entry, way, (0, number))
    yield from ways.judge_all(record.afterword, way, len(way) - 1, (0, len(after)))


_Place: TypeAlias = tuple[int, int]
"""A line, and an entry of it."""


def play_variation(game: GameRules, entries: tuple[Entry, ...], way: "Sequence[Moment]") -> Any | None:
    """The position that a variation leads to from the nearest moment of its turn that allows it; None if none does."""
    wanted = entries[0].number if entries[0].number is not None else way[-1].turn
    starts = [moment for moment in way[-FURTHEST:] if moment.turn == wanted]
    played = (_Ways(game, []).play(entries, moment.position) for moment in reversed(starts))
    return next((position for _, refusal, position in played if refusal is None), None)


class _Ways:
    """The variations of one game, judged."""

    def __init__(self, game: GameRules, taken: list[VariationTaken]) -> None:
        self._game = game
        self._taken = taken

    def follow(self, entry: Entry, way: list[Moment], beside: _Place) -> Iterator[Refusal]:
        """Play an entry that is legal, and judge the variations beside it; `way` grows by its moves."""
        begun = len(way) - 1
        for place in range(ABOVE, len(entry.moves) + 1):
            if place > 0:
                self._go(way, Ply(entry.who, entry.moves[place - 1]))
            remarks = [remark for remark in entry.remarks if remark.at == place]
            yield from self.judge_all(remarks, way, begun, beside)

    def judge_all(
        self, remarks: "Sequence[Remark]", way: list[Moment], begun: int, beside: _Place
    ) -> Iterator[Refusal]:
        """The variations among some remarks, each from where it fits best; else from where the entry has begun."""
        for remark in _variations(remarks):
            yield from self._judge(remark.value, way, begun, beside)

    def _judge(self, entries: tuple[Entry, ...], way: list[Moment], begun: int, beside: _Place) -> Iterator[Refusal]:
        wanted = entries[0].number if entries[0].number is not None else way[-1].turn
        starts = [at for at, moment in enumerate(way) if moment.turn == wanted][-FURTHEST:] or [len(way) - 1]
        found: list[tuple[int, bool, Refusal]] = []
        for at in reversed(starts):
            made, refusal, _ = self.play(entries, way[at].position)
            if refusal is None:
                self._taken.append(VariationTaken(*beside, way[at].position, entries))
                yield from self._inside(entries, way[: at + 1], len(self._taken))
                return
            found.append((made, at == begun, refusal))
        yield max(found, key=lambda one: one[:2])[2]

    def play(self, entries: tuple[Entry, ...], position: Any) -> tuple[int, Refusal | None, Any]:
        """How many moves can be made from a position, what is wrong with the next, and where they lead."""
        made = 0
        for entry in entries:
            turn = self._game.turn(position)
            if entry.who in WORDS:
                continue
            if entry.number not in (turn, None):
                facts: dict[str, object] = {"number": entry.number, "turn": turn}
                says = "this entry says turn {number}, but play has come to turn {turn}"
                return made, Refusal(Verdict(record_rules.T1, says, facts), entry, turn=turn), position
            if entry.who == CHANCE and CHANCE not in self._game.to_act(position):
                facts = {"turn": turn, "due": ", ".join(self._game.to_act(position)) or "nobody"}
                says = "no roll or draw is due in turn {turn}; {due} is to move"
                return made, Refusal(Verdict(record_rules.W2, says, facts), entry, turn=turn), position
            for index, move in enumerate(entry.moves):
                verdict = self._game.judge(position, Ply(entry.who, move))
                if verdict is not None:
                    return made, Refusal(verdict, entry, index, turn=turn), position
                position = self._game.apply(position, Ply(entry.who, move))
                made += 1
        return made, None, position

    def _inside(self, entries: tuple[Entry, ...], way: list[Moment], line: int) -> Iterator[Refusal]:
        """What is wrong with the variations inside one that stands."""
        for number, entry in enumerate(entries, 1):
            if entry.who not in WORDS:
                yield from self.follow(entry, way, (line, number))

    def _go(self, way: list[Moment], ply: Ply) -> None:
        position = self._game.apply(way[-1].position, ply)
        way.append(Moment(self._game.turn(position), position))


def _variations(remarks: "Sequence[Remark]") -> list[Remark]:
    return [remark for remark in remarks if remark.kind == VARIATION]
