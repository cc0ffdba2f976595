"""Annotating on the terminal: walk through a game and write beside it. Every remark is saved at once."""

from typing import TYPE_CHECKING, Final

import typer

from engine.game import PUBLIC
from notation import ANNOTATION, COMMENT, GLYPH, VARIATION, Record, write_entry
from pbem.books.remarks import DIAGRAM, LAST, NO_DIAGRAM, Place, own_remarks, parse_place, place_words
from pbem.cli.annotate_file import Wish, remark_lines
from pbem.judging.record_replay import replay_record
from pbem.terminal.board_file import draw_board, draw_options

if TYPE_CHECKING:
    from pbem.cli.annotate_file import AnnotatedFile
    from pbem.terminal.report import Report

HELP: Final = """\
  Enter, -      the next entry, the one before
  20, 20.red/1, #57, start, end
                go there; after /1, remarks stand after the first move
  c TEXT        a comment        g SIGN   a sign: ! ? !! ?? !? ?! $7
  v ENTRIES     a variation: v 20. red: mint D4 {safer}
  d, d no       show a board here in books, or none
  x N           take remark N away
  l             list all remarks  b       the board here
  ?             this help         q       the end; everything is saved"""

_KINDS: Final = {"c": COMMENT, "g": GLYPH, "v": VARIATION}


class AnnotationTerminal:
    """Somebody at a terminal, at one place of a game."""

    def __init__(self, book: "AnnotatedFile", record: Record, report: "Report") -> None:
        self._book = book
        self._record = record
        self._report = report
        self._place = "#1" if record.entries else LAST

    def run(self) -> None:
        """Ask until there is nothing more to do."""
        self._report.say(f"{self._book.path}: {len(self._record.entries)} entries", HELP)
        self._show()
        while True:
            try:
                line = typer.prompt(self._place, default="", show_default=False, prompt_suffix="> ").strip()
            except typer.Abort:
                self._report.say("")
                return
            if line.lower() in ("q", "quit"):
                return
            self._do(line)

    def _do(self, line: str) -> None:
        word, _, text = line.partition(" ")
        word, text = word.lower(), text.strip()
        if word in _KINDS and text:
            self._change([Wish(_KINDS[word], text)], [])
        elif word == "d" and text.lower() in ("", "no"):
            self._change([Wish(ANNOTATION, NO_DIAGRAM if text else DIAGRAM)], [])
        elif word == "x" and text.isdecimal():
            self._change([], [int(text)])
        elif word == "l":
            self._book.tell(self._record)
        elif word == "b":
            self._board()
        elif word in ("?", "h", "help"):
            self._report.say(HELP)
        elif word in ("", "-", "+"):
            self._go(-1 if word == "-" else 1)
        elif not isinstance(found := parse_place(line, self._record), str):
            self._place = line.lower()
            self._show()
        else:
            self._report.say(found if word not in _KINDS else f"say what, behind {word}; ? helps")

    def _here(self) -> Place:
        found = parse_place(self._place, self._record)
        return found if isinstance(found, Place) else Place(len(self._record.entries), -1)

    def _go(self, steps: int) -> None:
        order = max(0, min(self._here().entry + steps, len(self._record.entries)))
        self._place = f"#{order + 1}" if order < len(self._record.entries) else LAST
        self._show()

    def _change(self, wishes: list[Wish], remove: list[int]) -> None:
        made = self._book.try_to_change(self._place, wishes, remove)
        if made.problem or made.record is None:
            self._report.say(made.problem)
            return
        self._record = made.record
        self._report.say(f"saved in {self._book.path}")
        self._show()

    def _show(self) -> None:
        place = self._here()
        if place.entry < len(self._record.entries):
            entry = self._record.entries[place.entry]._replace(remarks=())
            self._report.say(self._report.colour.paint(write_entry(entry, self._record.game), "bold"))
        for each in own_remarks(self._record):
            if each.place.entry == place.entry:
                self._report.say(*remark_lines(each, self._record))

    def _board(self) -> None:
        """The board as everybody may see it, after the entry at hand."""
        order = self._here().entry
        upto = Record(
            tuple((name, value) for name, value in self._record.headers if name != "Result"),
            tuple(entry._replace(remarks=()) for entry in self._record.entries[: order + 1] if entry.who != "end"),
        )
        replayed = replay_record(upto)
        if replayed.refusal is not None or replayed.game is None:
            self._report.say(f"there is no board at {place_words(self._here(), self._record)}")
            return
        self._report.say(draw_board(replayed, ".txt", viewer=PUBLIC, options=draw_options(replayed)).decode())
