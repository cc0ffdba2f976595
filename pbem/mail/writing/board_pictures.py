"""The board of a position for one reader, in every form that mails need, each made once.

All mails about a position share its picture, its drawing and its sentences; only who is to move gets a picture with the
own pieces and what is open marked. `Pictures` caches the boards that were asked for last. Boards are made from views;
viewers who see no more than everybody share the public one.
"""

import hashlib
from collections import OrderedDict
from dataclasses import replace
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from engine.game import CHANCE, PUBLIC, GameRules, Seat, View
from engine.score import Score
from notation import read_text, write_moves
from pbem.judging.result import Refusal
from pbem.judging.start_checks import start_from_headers
from pbem.mail.writing.encoded_lines import EncodedLines, fold
from pbem.mail.writing.mime import picture_part
from pbem.render import DrawOptions, Locale, can_draw_narrow, choose_template, draw_quickly, marks_of
from pbem.render.plain_scene import make_scene
from pbem.tables.table import OVER, Table

if TYPE_CHECKING:
    from collections.abc import Hashable

    from pbem.mail.writing.sentences import Lesson

CLOSED: Final = "closed"
"""What a table's terms say under `scores` if points are a secret until the end."""
BOARD_CACHE: Final = 256
"""Boards that are cached; the largest part of one is its picture, which viewers share."""


class BoardImage:
    """A picture of a board as mails carry it, drawn when it is first needed."""

    def __init__(self, key: str, view: View, options: DrawOptions, domain: str) -> None:
        self._key = key
        self._view = view
        self._options = options
        self._domain = domain

    @property
    def narrow(self) -> bool:
        """Whether it is made for the width of a telephone."""
        return self._options.narrow

    @cached_property
    def png(self) -> bytes:
        """The picture."""
        return draw_quickly(self._key, self._view, self._options)

    @cached_property
    def cid(self) -> str:
        """The name under which the HTML part refers to the picture."""
        return f"{hashlib.sha256(self.png).hexdigest()[:32]}@{self._domain}"

    @cached_property
    def part(self) -> bytes:
        """The picture as a part of a mail."""
        return picture_part(self.png, cid=self.cid, name=f"{self._options.title}.png").raw


class BoardPictures:
    """One position as one viewer sees it; `public` is the board that everybody sees, None if this is it."""

    def __init__(
        self,
        game: GameRules,
        view: View,
        own: View,
        options: DrawOptions,
        domain: str,
        public: "BoardPictures | None" = None,
    ) -> None:
        self.game = game
        self.view = view
        self.own = own
        """The part of the view that only this viewer sees."""
        self.options = options
        self._domain = domain
        self._public = public
        self._images: dict[tuple[Seat, bool], BoardImage] = {}
        self._scene = make_scene(game.key, view, options)

    @property
    def score(self) -> Score | None:
        """The points, if the table shows them."""
        return self.options.score

    @cached_property
    def drawn_lines(self) -> EncodedLines:
        """The board in characters of fixed width, for the text part."""
        return EncodedLines(fold(self._fill("board.txt")))

    @cached_property
    def _owners(self) -> str:
        return self._fill("owners.txt")

    @cached_property
    def owners_lines(self) -> EncodedLines:
        """The board in sentences, for the text part, and an empty line."""
        return EncodedLines(fold(f"{self._owners}\n\n"))

    @cached_property
    def owners_markup(self) -> EncodedLines:
        """The same sentences, for the HTML part."""
        locale = self.options.locale
        template = choose_template("mails", "owners.html", locale)
        return EncodedLines(template.render(owners=read_owners(self._owners), locale=locale))

    def _fill(self, name: str) -> str:
        return choose_template(self.game.key, name, self.options.locale).render(scene=self._scene)

    @cached_property
    def image(self) -> BoardImage:
        """The picture. The narrow one shows nothing that only one viewer knows, so all viewers share it."""
        if self._public is not None and self.options.narrow:
            return self._public.image
        return BoardImage(self.game.key, self.view, self.options, self._domain)

    def image_for(self, seat: Seat, moves: tuple[object, ...]) -> BoardImage:
        """The picture with the pieces of a seat marked, and what is open to its moves, where the game can draw that."""
        if not self.options.narrow:
            return self.image
        if self._public is not None:
            return self._public.image_for(seat, moves)
        asked = seat, bool(moves)  # in a position a seat has always the same moves, or may not choose at all
        if asked not in self._images:
            options = replace(self.options, reader=seat, open=moves)
            self._images[asked] = BoardImage(self.game.key, self.view, options, self._domain)
        return self._images[asked]


def read_owners(sentences: str) -> list[tuple[str, list[str]]]:
    """The board in sentences as pairs of a title and its facts: titles stand at the left, facts are indented.

    A fact that goes on below is indented further. Lines without anything below them are facts without a title.
    """
    owners: list[tuple[str, list[str]]] = []
    for block in sentences.split("\n\n"):
        title, *facts = block.strip("\n").split("\n")
        if facts and not facts[0].startswith(" "):
            title, facts = "", [title, *facts]
        joined: list[str] = []
        for fact in facts:
            if fact.startswith("   ") and joined:
                joined[-1] += f" {fact.strip()}"
            else:
                joined.append(fact.strip())
        owners.append((title, joined))
    return owners


class Pictures:
    """The boards that were asked for last."""

    def __init__(self, domain: str, kept: int = BOARD_CACHE) -> None:
        self._domain = domain
        self._most = kept
        self._kept: OrderedDict[Hashable, BoardPictures] = OrderedDict()
        self._asked: tuple[Table, tuple[str, ...]] | None = None
        self._lessons: dict[Hashable, BoardImage] = {}

    def board(self, table: Table, seat: Seat, locale: Locale) -> BoardPictures:
        """The board of a table as a seat sees it."""
        # All mails about a turn ask for the same table, and finding its marks goes through the whole record.
        asked = self._asked
        if asked is None or asked[0] is not table:
            asked = self._asked = table, last_marks(table)
        return self.board_at(table, seat, locale, position=table.position, marked=asked[1])

    def lesson(self, game: GameRules, lesson: "Lesson", locale: Locale) -> BoardImage:
        """The picture of an example on the rules page; it has nothing to do with any table."""
        key = (game.key, game.edition, lesson.record, locale)
        image = self._lessons.get(key)
        if image is None:
            (reading,) = read_text(lesson.record)
            if reading.record is None or isinstance(started := start_from_headers(reading.record), Refusal):
                raise ValueError(f"the example of {game.key} states no position")
            rules, position = started
            move = next(ply.move for ply in rules.legal(position) if write_moves(rules, (ply.move,)) == lesson.move)
            options = DrawOptions(
                title=game.key,
                wanted=lesson.wrong,
                locale=locale,
                narrow=True,
                reader=lesson.seat,
                open=(move,),
                rows=lesson.rows,
            )
            image = self._lessons[key] = BoardImage(game.key, rules.view(position, PUBLIC), options, self._domain)
        return image

    def shows_points(self, table: Table) -> bool:
        """Whether points may be shown: not before the start, nor while the table keeps them closed."""
        if table.position is None:
            return False
        return table.stage == OVER or table.terms.get("scores") != CLOSED

    def board_at(
        self,
        table: Table,
        seat: Seat,
        locale: Locale,
        *,
        position: object,
        marked: tuple[str, ...] = (),
    ) -> BoardPictures:
        """The board as it would be in another position of the same game, with some spaces marked."""
        game, names, shown = table.game, tuple(table.names.items()), self.shows_points(table)
        key = (game.key, game.edition, table.id, names, table.stage, shown, marked, locale, seat, position)
        board = self._kept.get(key)
        if board is None:
            board = self._kept[key] = self._make_board(table, seat, locale, position, marked)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return board

    def _make_board(
        self,
        table: Table,
        seat: Seat,
        locale: Locale,
        position: object,
        marked: tuple[str, ...],
    ) -> BoardPictures:
        """A new board, or the public one if the seat sees no more than everybody."""
        game = table.game
        view = game.view(position, seat if seat in table.seats else PUBLIC)
        if table.stage == OVER and view.get("to_act"):
            # By the rules somebody would be to move, but the players or the clock have ended the game.
            view = {**view, "to_act": []}
        own: dict[str, object] = {}
        public = None
        if seat != PUBLIC:
            public = self.board_at(table, PUBLIC, locale, position=position, marked=marked)
            if view is not public.view:
                own = {name: value for name, value in view.items() if public.view.get(name) != value}
            if not own:
                return public
        score = game.score(position) if self.shows_points(table) else None
        options = DrawOptions(
            title=table.id,
            names=table.names,
            marked=marked,
            score=score,
            locale=locale,
            narrow=can_draw_narrow(game.key),
        )
        return BoardPictures(game, view, own, options, self._domain, public)


def last_marks(table: Table) -> tuple[str, ...]:
    """The marks of the last turn that a player has made and that was not taken back; dice alone leave none."""
    played = (entry for entry in reversed(table.standing) if entry.who != CHANCE)
    last = next(played, None)
    if last is None:
        return ()
    turn = [last, *takewhile(lambda entry: entry.number == last.number, played)]  # a turn's entries follow one another
    return marks_of(move for entry in reversed(turn) for move in entry.moves)
