"""One game as a chapter of a book: moves in words, comments, variations, boards, what was said, points, and its seal.

Only what `open_record` gives of a game goes into a chapter. Everything here is text that a template still escapes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.game import CHANCE, PUBLIC, GameRules, Ply, Seat
from notation import ABOVE, COMMENT, GLYPH, SUBSTITUTE, VARIATION, WORDS, Entry, Record, Remark
from notation.record import SEAT
from pbem.books.chapter_parts import (
    Block,
    Board,
    Chapter,
    Comment,
    Diagram,
    Moves,
    Press,
    Standing,
    ToldEntry,
    Variation,
)
from pbem.books.moves_in_words import Clauses, EntryTeller, is_of_table
from pbem.books.remarks import diagram_mark, is_own
from pbem.books.seal import Said, read_seal, said_by_entry
from pbem.judging.game_keys import text_key
from pbem.judging.open_record import OpenRecord, open_record
from pbem.judging.variations import Moment, play_variation
from pbem.locale.catalogues import Locale
from pbem.mail.writing.sentences import find_sentences
from pbem.render import DrawOptions, can_draw_narrow, choose_template, draw_svg, list_by_owner, marks_of
from pbem.render.players import show_name

BOARDS: Final = 3
"""How many key moments get a board where nobody marked any."""
_APART: Final = 12
"""Key moments lie at least this part of the game apart, so that they do not all show one quarrel."""
_OPENING: Final = 10
"""And not in this first part of it: set-up brings points in some games, and shows little."""
_TURNS_OF_PARAGRAPH: Final = 8
_ENTRIES_OF_PARAGRAPH: Final = 12


@dataclass
class _Walk:
    """What was seen while the game was replayed."""

    entries: list[Entry] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    positions: list[Any] = field(default_factory=list)

    def see(self, entry: Entry, turn: int, position: object) -> None:
        self.entries.append(entry)
        self.turns.append(turn)
        self.positions.append(position)


def write_chapter(
    record: Record, locale: Locale, *, viewer: Seat = PUBLIC, boards: int = BOARDS
) -> Chapter | OpenRecord:
    """The chapter of a game; where it is refused, how it was opened."""
    walk = _Walk()
    opened = open_record(record, viewer, watch=walk.see)
    if opened.replayed.refusal is not None:
        return opened
    return _Writer(record, opened, walk, locale, viewer, boards).chapter()


class _Writer:
    """Writes one chapter."""

    def __init__(
        self, record: Record, opened: OpenRecord, walk: _Walk, locale: Locale, viewer: Seat, boards: int
    ) -> None:
        self._whole = record
        self._shown = opened.record
        self._replayed = opened.replayed
        self._game: GameRules = opened.replayed.table
        self._walk = walk
        self._locale = locale
        self._viewer = viewer
        self._words: Any = choose_template("books", "words.txt", locale).module
        self._names = {seat: record.header(f"{SEAT}{seat}") or "" for seat in record.seats}
        self._teller = EntryTeller(self._game, record.seats, self._names, locale)
        self._gains = list(self._count_gains())
        self._key_moments = self._choose_moments(boards)
        self._way: list[Moment] = []
        self._way_turn = 0
        self._marks: tuple[str, ...] = ()

    def chapter(self) -> Chapter:
        """All of it."""
        header, score = self._shown.header, self._replayed.score
        sentences = find_sentences(self._locale, self._game.key)
        players = [
            Standing(seat, sentences.seat(seat), self._teller.names[seat], score.shown(seat), seat in score.winners)
            for seat in self._shown.seats
        ]
        ranked = sorted(players, key=lambda each: (not each.won, -(each.points or 0)))
        finished = self._replayed.finished
        blocks = tuple(self._blocks())
        named = (header(name) for name in ("Event", "Round", "Site", "Date"))
        return Chapter(
            key=self._game.key,
            game=self._locale.translations.gettext(self._game.title),
            title=show_name(header("Id") or "", longest=60),
            heading=tuple(show_name(each, longest=80) for each in named if each),
            players=tuple(ranked),
            turns=self._replayed.turns,
            finished=finished,
            viewer="" if finished or self._viewer == PUBLIC else self._teller.names[self._viewer],
            blocks=blocks,
            points=self._points_by_turn(),
            rules=self._game.edition,
            text=text_key(self._shown),
            annotators=show_name(header("Annotator") or "", longest=80),
            seal=read_seal(self._whole) if finished else None,
        )

    def _count_gains(self) -> Iterator[dict[Seat, dict[str, int]]]:
        """What each entry brought, by seat and source, as far as everybody may know."""
        before = self._sources(self._game.start(self._shown.setup))
        for entry, position in zip(self._walk.entries, self._walk.positions, strict=True):
            after = self._sources(position)
            gained: dict[Seat, dict[str, int]] = {}
            for seat, source in dict.fromkeys((*after, *before)) if not is_of_table(entry) else ():
                if points := after.get((seat, source), 0) - before.get((seat, source), 0):
                    gained.setdefault(seat, {})[source] = points
            yield gained
            before = after

    def _sources(self, position: object) -> dict[tuple[Seat, str], int]:
        """The points that everybody may know, by seat and source."""
        score = self._game.score(position)
        found: dict[tuple[Seat, str], int] = {}
        for tally in score.tallies:
            for line in tally.lines if tally.seat not in score.hidden else ():
                found[tally.seat, line.source] = found.get((tally.seat, line.source), 0) + line.points
        return found

    def _points_by_turn(self) -> dict[str, list[tuple[int, int]]]:
        series: dict[str, dict[int, int]] = {seat: {} for seat in self._shown.seats}
        for turn, position in zip(self._walk.turns, self._walk.positions, strict=True):
            score = self._game.score(position)
            for seat, points in series.items():
                if (shown := score.shown(seat)) is not None:
                    points[turn] = shown
        return {seat: sorted(points.items()) for seat, points in series.items()}

    def _choose_moments(self, boards: int) -> set[int]:
        """The entries after which a board stands although nobody marked one: those that brought most.

        Of several that brought as much, the latest. The last turn is left out: the final count says nothing of moves.
        """
        marks = [diagram_mark(remark) for entry in self._shown.entries for remark in entry.remarks]
        if any(marks):
            return set()
        refused = {
            order
            for order, entry in enumerate(self._shown.entries)
            if any(diagram_mark(remark) is False for remark in entry.remarks)
        }
        last = self._walk.turns[-1] if self._walk.turns else 0
        first = last // _OPENING
        worth = [
            (max((sum(won.values()) for won in gained.values()), default=0), self._walk.turns[order], order)
            for order, gained in enumerate(self._gains)
            if first < self._walk.turns[order] < (last - 1 if self._replayed.finished else last)
            and order not in refused
        ]
        apart = max(1, last // _APART)
        chosen: set[int] = set()
        for points, turn, order in sorted(worth, reverse=True):
            near = any(abs(turn - self._walk.turns[other]) < apart for other in chosen)
            if points > 0 and len(chosen) < boards and not near:
                chosen.add(order)
        return chosen

    def _blocks(self) -> Iterator[Block]:
        """The text of the chapter, paragraph by paragraph."""
        position = self._game.start(self._shown.setup)
        self._way = [Moment(self._game.turn(position), position)]
        said = said_by_entry(self._whole) if self._replayed.finished else {}
        paragraph: list[ToldEntry] = []
        turns = 0
        before = -1
        robbed, mover = "", ""
        for order, entry in enumerate(self._shown.entries):
            above = [*self._press(said.get(order, ())), *self._remarks(entry, ABOVE)]
            turn = self._walk.turns[order]
            is_long = turns >= _TURNS_OF_PARAGRAPH or len(paragraph) >= _ENTRIES_OF_PARAGRAPH
            if above or (is_long and turn != before):
                yield from _paragraph(paragraph)
                turns = 0
            yield from above
            beside: list[Block] = []
            clauses = tuple(self._clauses(order, entry, mover, robbed, beside))
            shown = "" if entry.who == CHANCE or is_of_table(entry) else self._teller.names.get(entry.who, entry.who)
            label = str(turn) if turn != before else ""
            turns += turn != before
            before = turn
            gains = self._teller.tell_gains(entry.who, self._gains[order])
            if self._is_told_by_next(order):
                before -= bool(label)
            else:
                paragraph.append(ToldEntry(label, entry.who, shown, clauses, gains))
            mover = entry.who if entry.who in self._shown.seats else mover
            robbed = str(getattr(entry.moves[-1], "victim", None) or "") if entry.moves else ""
            if entry.who == SUBSTITUTE:
                self._names[entry.moves[0].seat] = entry.moves[0].name
                self._teller.seat_taken(entry.moves[0].seat, entry.moves[0].name)
            if order in self._key_moments:
                beside.append(Diagram(self._board(self._walk.positions[order], turn)))
            if beside:
                yield from _paragraph(paragraph)
                turns = 0
                yield from beside
        yield from _paragraph(paragraph)
        yield from self._press(said.get(len(self._shown.entries), ()))
        yield from self._blocks_of(self._shown.afterword, at=None)
        if self._walk.entries:
            no_board = [diagram_mark(each) for each in (*self._shown.entries[-1].remarks, *self._shown.afterword)]
            if not any(mark is not None for mark in no_board):
                yield Diagram(self._board(self._replayed.position, self._replayed.turns, self._words.last_board()))

    def _is_told_by_next(self, order: int) -> bool:
        """Whether an entry need not be told, because what chance brings next says it: whoever rolls has asked to."""
        entries = self._shown.entries
        if order + 1 >= len(entries) or entries[order + 1].who != CHANCE or entries[order].who in (CHANCE, *WORDS):
            return False
        implied = self._teller.sentences.implied
        return not entries[order].remarks and all(type(move).__name__ in implied for move in entries[order].moves)

    def _clauses(self, order: int, entry: Entry, mover: Seat, robbed: Seat, beside: list[Block]) -> Iterator[Clauses]:
        """An entry in words, cut where a sign stands; what stands beside it goes into `beside`."""
        moves = self._walk.entries[order].moves
        self._marks = ()
        if is_of_table(entry):
            position = self._walk.positions[order]
            self._way.append(Moment(self._game.turn(position), position))
            yield self._teller.tell_table(entry)._replace(signs=_signs(entry, 0) + _signs(entry, 1))
            beside += [*self._remarks(entry, 0), *self._remarks(entry, 1)]
            return
        beside += self._remarks(entry, 0)
        cuts = sorted({remark.at for remark in entry.remarks if remark.kind == GLYPH and remark.at > 0})
        told = 0
        for at, move in enumerate(moves, start=1):
            before = self._way[-1].position
            position = self._game.apply(before, Ply(entry.who, move))
            self._way.append(Moment(self._game.turn(position), position))
            self._marks = marks_of(entry.moves[:at])
            if at in cuts or at == len(moves):
                some = entry.moves[told:at]
                if entry.who == CHANCE:
                    part = self._teller.tell_chance(entry._replace(moves=some), position, mover, robbed)
                else:
                    part = self._teller.tell_moves(some)
                yield part._replace(signs=_signs(entry, at))
                told = at
            beside += self._remarks(entry, at)

    def _remarks(self, entry: Entry, at: int) -> list[Block]:
        return self._blocks_of(entry.remarks, at=at)

    def _blocks_of(self, remarks: Sequence[Remark], *, at: int | None) -> list[Block]:
        """The remarks of people at a place, or all of them; signs stand with the moves, and others are for programs."""
        blocks: list[Block] = []
        for remark in remarks:
            if not is_own(remark) or (at is not None and remark.at != at):
                continue
            if remark.kind == COMMENT and remark.value.strip():
                blocks.append(Comment(remark.value.strip()))
            elif remark.kind == VARIATION:
                blocks.append(self._variation(remark.value))
            elif diagram_mark(remark):
                here = self._way[-1]
                blocks.append(Diagram(self._board(here.position, here.turn - (1 if self._is_turn_over() else 0))))
        return blocks

    def _is_turn_over(self) -> bool:
        """Whether the last move has ended its turn."""
        return len(self._way) > 1 and self._way[-1].turn > self._way[-2].turn

    def _press(self, said: Sequence[Said]) -> list[Block]:
        """What players said to all, in their own words."""
        return [Press(self._teller.names.get(each.seat, each.seat), each.words) for each in said]

    def _variation(self, entries: tuple[Entry, ...]) -> Variation:
        blocks: list[Block] = []
        paragraph: list[ToldEntry] = []
        way = list(self._way)
        reached = play_variation(self._game, entries, way)
        for entry in entries:
            label = str(entry.number) if entry.number is not None else ""
            above = self._blocks_inside(entry.remarks, at=ABOVE)
            if above:
                blocks += [*_paragraph(paragraph), *above]
            shown = self._teller.names.get(entry.who, "")
            clauses = self._variation_clauses(entry)
            paragraph.append(ToldEntry(label, entry.who, shown, clauses))
            beside = self._blocks_inside(entry.remarks, at=None)
            if beside:
                blocks += [*_paragraph(paragraph), *beside]
        blocks += _paragraph(paragraph)
        has_words = any(block.kind == "comment" for block in blocks)
        moves = [move for entry in entries if not is_of_table(entry) for move in entry.moves]
        board = None
        if reached is not None and has_words and self._viewer == PUBLIC:
            board = self._board(reached, None, " ", marks=marks_of(moves))
        return Variation(tuple(blocks), board)

    def _variation_clauses(self, entry: Entry) -> tuple[Clauses, ...]:
        if is_of_table(entry):
            return (self._teller.tell_table(entry),)
        cuts = sorted({remark.at for remark in entry.remarks if remark.kind == GLYPH and remark.at > 0})
        ends = [*(at for at in cuts if at < len(entry.moves)), len(entry.moves)]
        begins = [0, *ends[:-1]]
        return tuple(
            self._teller.tell_moves(entry.moves[begin:end])._replace(signs=_signs(entry, end))
            for begin, end in zip(begins, ends, strict=True)
            if end > begin
        )

    def _blocks_inside(self, remarks: Sequence[Remark], *, at: int | None) -> list[Block]:
        """The remarks inside a variation; boards are drawn once, at its end."""
        kept = [each for each in remarks if diagram_mark(each) is None and ((each.at == ABOVE) == (at == ABOVE))]
        return self._blocks_of(kept, at=None)

    def _board(
        self, position: Any, turn: int | None, caption: str = "", *, marks: tuple[str, ...] | None = None
    ) -> Board:
        view = self._game.view(position, self._viewer)
        marked = self._marks if marks is None else marks
        score = self._game.score(position)
        options = DrawOptions(names=self._names, marked=marked, score=score, theme="auto", locale=self._locale)
        narrow = DrawOptions(names=self._names, marked=marked, locale=self._locale, narrow=True)
        key = self._game.key
        return Board(
            svg=draw_svg(key, view, options),
            narrow=draw_svg(key, view, narrow) if can_draw_narrow(key) else "",
            words=list_by_owner(key, view, options),
            caption=caption.strip() or ("" if turn is None else str(self._words.after_turn(turn))),
        )


def _paragraph(entries: list[ToldEntry]) -> list[Moves]:
    """What was told so far as a paragraph, and begin the next one."""
    made = [Moves(tuple(entries))] if entries else []
    entries.clear()
    return made


def _signs(entry: Entry, at: int) -> tuple[str, ...]:
    return tuple(remark.value for remark in entry.remarks if remark.kind == GLYPH and remark.at == at)
