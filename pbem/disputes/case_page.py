"""The page about a case: its facts collected for one viewer, and rendered as HTML or text.

The viewer is the public, or a seat whose game is over or for which there is a warrant. The page contains letters of
strangers, so nothing in it can control a terminal or a browser, and it loads nothing.
"""

import base64
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final
from zoneinfo import ZoneInfo

from engine.game import PUBLIC, Ply, Seat
from notation import Fault, read_moves
from pbem.clock.time_control import control_from_terms
from pbem.disputes.case_facts import prove_draws, punctuality, recompute_deadlines
from pbem.disputes.case_file import (
    CaseFile,
    CaseHead,
    CasePicture,
    DeadlineItem,
    LetterItem,
    PlayedTurn,
    RulingItem,
    WarrantItem,
)
from pbem.disputes.case_letters import CaseLetterReader, cite
from pbem.disputes.case_words import AFTER_TURN, BEFORE_TURN, HEADS, CaseWords, Said, show
from pbem.disputes.replayed_history import ReplayedHistory, read_history
from pbem.events.chain import Event, phrase_of
from pbem.events.kinds import MovesMade
from pbem.judging.entries import changed_lines, redact_record
from pbem.locale.catalogues import Locale, find_locale
from pbem.mail.writing.board_pictures import CLOSED
from pbem.mail.writing.post_mails import find_post_sentences
from pbem.mail.writing.terms import say_pace, say_rest, say_times
from pbem.render import DrawOptions, choose_template, draw_svg, draw_text, marks_of
from pbem.store.rows import GameRow
from pbem.store.store import Transaction
from pbem.tables.cases import find_case, last_turn
from pbem.tables.table import OVER, Case, Table
from pbem.workflow.context import CaseReader, PostContext

_SECRETS: Final = ("seed", "blind")
IN_ENGLISH: Final = CaseReader("en")
"""The reader of pages for everybody, such as those in bundles."""


def build_case_file(
    context: PostContext,
    game: str,
    *,
    case: int | None = None,
    turn: int | None = None,
    viewer: Seat = PUBLIC,
    reader: CaseReader = IN_ENGLISH,
) -> CaseFile | str:
    """The facts of a case, or of a turn without one. If there are none, one line that says why."""
    with context.store.reading() as transaction:
        return gather_case_file(context, transaction, game, case=case, turn=turn, viewer=viewer, reader=reader)


def gather_case_file(
    context: PostContext,
    transaction: Transaction,
    game: str,
    *,
    case: int | None = None,
    turn: int | None = None,
    viewer: Seat = PUBLIC,
    reader: CaseReader = IN_ENGLISH,
) -> CaseFile | str:
    """The same in a transaction that is open already."""
    found = read_history(transaction, game)
    if found is None:
        return f"there is no table {game}; `pbem status --all` lists them"
    row, history = found
    about = _choose(history, case, turn)
    if isinstance(about, str):
        return about
    if (why := why_hidden(history, about if isinstance(about, Case) else None, viewer)) is not None:
        return why
    return _CaseFileBuilder(context, transaction, row, history, viewer, find_locale(reader.language)).gather(about)


def why_hidden(history: ReplayedHistory, case: Case | None, viewer: Seat) -> str | None:
    """Why a case cannot be shown from the view of a seat; None if it can."""
    seats = history.now.seats
    if viewer != PUBLIC and viewer not in seats:
        return f"nobody sits at {viewer}; the seats are {', '.join(seats)}"
    warranted = case is not None and any(warrant.seat == viewer for warrant in case.warrants)
    if viewer == PUBLIC or history.is_over or warranted:
        return None
    return f"no warrant stands for {viewer} in this case; `pbem case warrant` asks for one, and everybody is told"


def _choose(history: ReplayedHistory, number: int | None, turn: int | None) -> Case | int | str:
    table = history.now
    if number is not None:
        return find_case(table, number) or f"there is no case {number} at {table.id}; it has {len(table.cases)}"
    if turn is not None:
        return turn if 0 < turn <= table.turn else f"there is no turn {turn}; play has come to turn {table.turn}"
    if table.position is None:
        return "the game has not begun"
    return table.cases[-1] if table.cases else last_turn(table)


def _say_term(name: str, value: Any) -> str:
    said = " ".join(map(str, value)) if isinstance(value, list | tuple) else value
    return f"{name.replace('_', ' ')} {said}"


class _CaseFileBuilder:
    """Collects the facts."""

    def __init__(
        self,
        context: PostContext,
        transaction: Transaction,
        row: GameRow,
        history: ReplayedHistory,
        viewer: Seat,
        locale: Locale,
    ) -> None:
        self._office = context
        self._transaction = transaction
        self._row = row
        self._history = history
        self._viewer = viewer
        self._locale = locale

    def gather(self, about: Case | int) -> CaseFile:
        history, table = self._history, self._history.now
        case = about if isinstance(about, Case) else None
        turn = about.turn if isinstance(about, Case) else about
        upto = case.seq - 1 if case is not None else len(history.events)
        moves = history.moves_of(turn, upto)
        people = self._transaction.find_seats(table.id)
        zones = {person.seat: ZoneInfo(person.zone) for person in people}
        times = tuple(recompute_deadlines(history, turn, upto, zones))
        return CaseFile(
            table=table.id,
            game=table.game.key,
            title=table.game.title,
            rules=f"{table.game.key}, edition {table.game.edition}",
            stage=table.stage,
            seats=tuple((seat, table.name(seat)) for seat in table.seats),
            viewer=self._viewer,
            turn=turn,
            **self._say_case(case),
            warrants_at_the_table=table.warrants,
            pictures=tuple(self._draw(turn, moves, upto)),
            moves=tuple(self._judge(moves)),
            letters=tuple(self._prove_letters(turn, moves, times)),
            times=times,
            control=", ".join(_say_term(name, value) for name, value in sorted(table.terms.items())),
            terms=tuple(self._say_terms()),
            draws=tuple(prove_draws(history, moves, self._row.seed, self._viewer, self._office.signer_for(table))),
            promised=tuple((name, str(table.proof.get(name, ""))) for name in _SECRETS),
            opened=self._opened(),
            heads=tuple(self._heads(moves, case)),
        )

    def _say_case(self, case: Case | None) -> dict[str, Any]:
        if case is None:
            return {}
        table = self._history.now
        record = redact_record(table.record, self._viewer)
        return {
            "case": case.number,
            "by": f"{case.by} ({table.name(case.by)})" if case.by in table.seats else case.by,
            "since": case.since,
            "words": case.words,
            "state": "open" if case.is_open else "closed",
            "warrants": tuple(WarrantItem(each.seat, each.reason, each.at) for each in case.warrants),
            "rulings": tuple(
                RulingItem(each.ruling, each.reason, each.at, tuple(changed_lines(record, each.first, each.last)))
                for each in case.decrees
            ),
        }

    def _say_terms(self) -> Iterator[str]:
        """How the table plays, in the reader's language."""
        table, say, code = self._history.now, find_post_sentences(self._locale.code).say, self._locale.code
        control = control_from_terms(table.terms)
        yield say_pace(say, code, control)
        yield from say_times(say, code, control)
        yield from say_rest(say, code, control, table.game, pencils=table.is_second_form, forced=table.plays_forced)

    def _opened(self) -> tuple[tuple[str, str], ...]:
        secrets = (self._row.seed.hex(), self._row.blind.hex())
        return tuple(zip(_SECRETS, secrets, strict=True)) if self._history.is_over else ()

    def _draw(self, turn: int, moves: list[Event], upto: int) -> Iterator[CasePicture]:
        """The board before and after the turn, as the viewer may see it."""
        history = self._history
        before = history.before(moves[0]) if moves else history.tables[upto - 1]
        yield self._picture(Said.of(BEFORE_TURN, turn=turn), before, ())
        if moves:
            made = [move for event in moves for move in self._read(event)]
            yield self._picture(Said.of(AFTER_TURN, turn=turn), history.after(moves[-1]), marks_of(made))

    def _picture(self, caption: str, table: Table, marked: tuple[str, ...]) -> CasePicture:
        shown = self._history.now.stage == OVER or table.terms.get("scores") != CLOSED
        view = table.game.view(table.position, self._viewer)
        options = DrawOptions(
            title=table.id,
            names=table.names,
            marked=marked,
            score=table.score if shown else None,
            theme="light",
            locale=self._locale,
        )
        return CasePicture(caption, draw_svg(table.game.key, view, options), draw_text(table.game.key, view, options))

    def _told(self, event: Event) -> str:
        return phrase_of(event, None if self._history.is_over else self._viewer)

    def _read(self, event: Event) -> tuple[Any, ...]:
        moves = read_moves(self._history.now.game, self._told(event))
        return () if isinstance(moves, Fault) else moves

    def _judge(self, moves: list[Event]) -> Iterator[PlayedTurn]:
        """Every move of the turn, judged again in the position where it was played."""
        game = self._history.now.game
        for event in moves:
            happened = event.payload
            if not isinstance(happened, MovesMade):
                continue
            position, against = self._history.before(event).position, None
            made = read_moves(game, event.phrase)
            for move in () if isinstance(made, Fault) else made:
                ply = Ply(happened.seat, move)
                verdict = game.judge(position, ply)
                if verdict is not None:
                    against = cite(verdict.rule, Said.of(verdict.says, verdict.facts))
                    break
                position = game.apply(position, ply)
            yield PlayedTurn(
                event.seq, event.at, happened.seat, self._told(event), happened.by, happened.letter, against
            )

    def _prove_letters(self, turn: int, moves: list[Event], times: Sequence[DeadlineItem]) -> Iterator[LetterItem]:
        """The letters that answered this turn's mails, and those that its moves came from."""
        reader = CaseLetterReader(self._office, self._row, self._history, self._viewer)
        named: dict[int, list[Event]] = {}
        for stored, event in zip(self._transaction.load_events(self._row.id), self._history.events, strict=True):
            if stored.inbox_id is not None:
                named.setdefault(stored.inbox_id, []).append(event)
        wanted = {letter for letter, events in named.items() if any(event in moves for event in events)}
        for letter in self._transaction.letters_of(self._row.id):
            if letter.id in wanted or reader.turn_of(letter) == turn:
                receipt = self._transaction.find_receipt(letter.id)
                caused = named.get(letter.id, [])
                shown = reader.prove(letter, receipt, caused=caused)
                numbers = {event.seq for event in caused}
                prompt = "" if shown.doubts else punctuality(times, shown.seat, shown.counted, numbers)
                yield replace(shown, promptness=prompt)

    def _heads(self, moves: list[Event], case: Case | None) -> Iterator[CaseHead]:
        before, after, opened, now = map(Said.of, HEADS)
        if moves:
            yield CaseHead(before, moves[0].seq - 1, moves[0].prev)
            yield CaseHead(after, moves[-1].seq, moves[-1].hash)
        if case is not None:
            yield CaseHead(opened, case.seq, self._history.events[case.seq - 1].hash)
        last = self._history.events[-1]
        yield CaseHead(now, last.seq, last.hash)


HTML: Final = ".html"
TEXT: Final = ".txt"
FORMS: Final = (HTML, TEXT)


def render_page(file: CaseFile, form: str, reader: CaseReader = IN_ENGLISH) -> str:
    """The page in one of FORMS, chosen by the file name, in the language that its facts were gathered for."""
    words = CaseWords(find_locale(reader.language), file.game, reader.zone)
    name = "case.html" if form == HTML else "case.txt"
    page = choose_template("cases", name, words.locale).render(
        file=file, words=words, say=words.say, shown=show, image=_data_url
    )
    return page if form == HTML else f"{page.rstrip()}\n"


def _data_url(svg: str) -> str:
    """A picture as a data URL. Such a picture can run nothing and load nothing."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode('ascii')}"
