"""A case in a mail to its referee: what matters in the reader's language, and the whole page as an attachment.

It says of every letter when it came, what became of it and what does not fit, and of every deadline who kept it and by
which rule that is judged. Like the page, it shows what everybody may know, or what a seat sees for which there is a
warrant.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from engine.game import CHANCE
from pbem.disputes.case_file import CaseFile, DeadlineItem, LetterItem, PlayedTurn
from pbem.disputes.case_page import HTML, gather_case_file, render_page
from pbem.disputes.case_words import BEFORE, IN_TIME, LATE, NOT_ANSWERED, CaseWords
from pbem.disputes.trace import AHEAD
from pbem.locale.cldr import format_day
from pbem.mail.writing.post_mails import PostPage, PostSentences, find_post_sentences
from pbem.mail.writing.sentences import Sentences, find_sentences
from pbem.render.players import show_name
from pbem.store.store import Transaction
from pbem.tables.decision import REFEREE
from pbem.tables.fold import fold
from pbem.workflow.context import CaseReader, PostContext
from pbem.workflow.history import read_events

_MOST: Final = 12
"""Letters of one turn that a mail lists; the page has all of them."""


def write_case_mail(
    context: PostContext, transaction: Transaction, *, table: str, case: int, viewer: str, reader: CaseReader
) -> PostPage | None:
    """The mail about a case; None if it cannot be seen so."""
    file = gather_case_file(context, transaction, table, case=case, viewer=viewer, reader=reader)
    if isinstance(file, str):
        return None
    game = fold(read_events(transaction, table)).game
    return _CaseTeller(file, find_sentences(find_post_sentences(reader.language).locale, game.key), reader).write()


class _CaseTeller:
    """Says what is in a case, to one reader."""

    def __init__(self, file: CaseFile, sentences: Sentences, reader: CaseReader) -> None:
        self._file = file
        self._game = sentences
        self._post: PostSentences = find_post_sentences(reader.language)
        self._reader = reader
        self._words = CaseWords(self._post.locale, file.game, reader.zone)
        self._names = dict(file.seats)
        self._checked = self._words.is_checked(file)

    def write(self) -> PostPage:
        """The page of the mail."""
        file, say, order = self._file, self._post.say, self._post.order
        name = f"{file.table}-case-{file.case}{HTML}"
        words = " ".join(file.words.split())
        who = "" if file.by == REFEREE else self._who(file.by.partition(" (")[0])
        buttons: tuple[tuple[str, str], ...] = ()
        if file.state == "open":
            buttons = (
                (say("button_dismiss"), f"{order('dismiss')}: "),
                (say("button_close_case"), f"{order('close case')} {file.case}"),
            )
        return PostPage(
            say("head_case", file.case, file.table, file.turn),
            say("case_words", who, show_name(words, longest=400)),
            buttons,
            tuple(self._lines()),
            (say("how_to_rule"), say("page_attached", name)),
            attached=(name, render_page(file, HTML, self._reader)),
            ticket=("court", file.table, str(file.case)),
        )

    def _who(self, seat: str) -> str:
        name = self._names.get(seat, "")
        return f"{show_name(name)} ({self._game.seat(seat)})" if name else seat

    def _moment(self, stamp: str) -> str:
        there = datetime.fromisoformat(stamp).astimezone(ZoneInfo(self._reader.zone))
        return f"{format_day(there.date(), self._reader.language)}, {there:%H:%M:%S}"

    def _lines(self) -> Iterator[str]:
        file, say = self._file, self._post.say
        yield say("case_is", file.state == "open", file.warrants_at_the_table)
        for ruling in file.rulings:
            yield say("case_ruled", ruling.ruling, show_name(ruling.reason, longest=200))
        for move in file.moves:
            if move.who != CHANCE:
                yield self._say_move(move)
        if not file.moves:
            yield say("case_no_moves", file.turn)
        for draw in file.draws:
            fits = "" if draw.fits is None else "fits" if draw.fits else "differs"
            yield say("case_draw", self._game.record_line(draw.said), fits)
        for time in file.times:
            yield self._say_time(time)
        if any(each.seat == time.seat for each in file.letters for time in file.times):
            yield say("case_rule_of_time")
        if file.letters and not self._checked:
            yield say("case_no_checks")
        for letter in file.letters[:_MOST]:
            yield from self._say_letter(letter)
        if not file.letters:
            yield say("case_no_letters")
        yield say("case_zone", self._reader.zone)

    def _say_move(self, move: PlayedTurn) -> str:
        line = self._game.record_line(f"{self._file.turn}. {move.who}: {move.said}")
        if move.against is not None:
            return self._post.say("case_illegal", line, move.against.code, self._post.gettext(move.against.text))
        return self._post.say("case_legal", line)

    def _say_time(self, time: DeadlineItem) -> str:
        known = {LATE: "late", IN_TIME: "on time", NOT_ANSWERED: "waiting"}
        verdict = known.get(time.verdict, "none")
        answered = self._moment(time.answered) if time.answered else ""
        return self._post.say("case_time", self._who(time.seat), self._moment(time.deadline), answered, verdict)

    def _say_letter(self, letter: LetterItem) -> Iterator[str]:
        say, number = self._post.say, letter.number
        came = self._moment(letter.received)
        why = self._words.reason(letter)
        yield say("case_letter", number, show_name(letter.sender, longest=100), came, letter.fate, why)
        if letter.promptness:
            counted = "" if letter.counted == letter.received else self._moment(letter.counted)
            yield say("case_prompt", number, letter.promptness == BEFORE, counted)
        for stop in letter.trace:
            if stop.at:
                yield say("case_stop", stop.server, self._moment(stop.at), stop.trusted)
        if letter.skew > AHEAD.total_seconds():
            yield say("case_skew", number, letter.skew // 60)
        for mismatch in letter.mismatches:
            if mismatch == "no-check" and not self._checked:
                continue
            envelope = show_name(letter.envelope, longest=100)
            yield say("case_mismatch", number, mismatch, envelope, show_name(letter.sender, longest=100))
        if letter.doubts:
            yield say("case_changed", number)
