r'''How the moves of one game are written: all that a game must say to be read and written.

A game of ours has its phrasebook in `notation/games` (`notation/games/through_the_desert.py`), a guest in the package
that its entry point names. Both call it `NOTATION`:

    from dataclasses import dataclass
    from notation import Phrasebook

    @dataclass(frozen=True, slots=True)
    class Dice:
        faces: tuple[int, ...]

    @dataclass(frozen=True, slots=True)
    class Take:
        card: str
        amount: int

    NOTATION = Phrasebook(
        grammar=r"""
            moves: move ("," move)*

            ?move: "dice"i NUMBER+        -> dice
                 | "take"i CARD NUMBER    -> take

            CARD: /(?:ace|king)(?!\w)/i
            NUMBER: /[0-9]{1,3}(?!\w)/

            %ignore " "
        """,
        moves={"dice": lambda *faces: Dice(faces), "take": Take},
        values={"CARD": str.lower, "NUMBER": int},
        example="take ace 3",
        says={"CARD": "a card: ace or king"},
        write={Dice: lambda dice: "dice " + " ".join(map(str, dice.faces))},
    )

That reads ``Take KING 2`` and writes ``take king 2``: without a word in `write`, a move is its rule's name and
its fields. This module knows no record, no header and no line.
'''

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

from engine import registry
from notation.headers import quote
from notation.move_words import MoveWords

HIDDEN: Final = "hidden"
"""What stands for a value that the reader may not know."""

STANDING: Final = "standing"
"""The rule of a grammar that reads a standing order."""
BARE_STANDING: Final = "bare_standing"
"""The rule that reads those standing orders which need no word before them."""

_SEAT_RULE: Final = re.compile(r"^\s*seat\s*:", re.MULTILINE)
_SAID: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_HIDDEN_WORD: Final = re.compile(rf"\b{HIDDEN}\b")
_PLAIN_WORD: Final = re.compile(r"[\w*.=/+-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrasebook:
    """The notation of one game's moves.

    The grammar is in Lark's language, LALR(1); its start rule is `moves`. Rules named in the field `moves` make
    moves; any other rule must be inlined (its name begins with ``?`` or ``_``). A phrase reaches the grammar
    as one line in which every kind of white space is a plain blank, so ``%ignore " "`` is enough; braces, round
    and square brackets, ``!``, ``?``, ``$`` and ``|`` never reach it outside quotation marks, they belong to the
    record.

    One rule: a comma and a blank separate moves, and pieces of a phrase that can be read alone mean together what they
    mean alone. (``lilac F4, C9`` is fine: ``C9`` alone cannot be read.)

    A rule called `seat`, if there is one, reads the words that players use for the seats.
    """

    grammar: str
    """The grammar's text."""
    moves: Mapping[str, Callable[..., Any]]
    """Rule name -> what makes the move of its words: the Move class, or a function.

    It is called with the values of the rule's named terminals, in order. A function may answer a tuple of moves
    for a rule that groups some (``mint K8 K7``); each move then ends with one of the rule's last terminals.
    """
    example: str
    """A phrase that can be read; a player who was not understood is shown it."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """Terminal name -> the value it stands for, or a function from its text; without an entry, its text."""
    says: Mapping[str, str] = field(default_factory=dict)
    """Terminal name -> what a player calls it: ``a space such as K7``."""
    write: Mapping[type, Callable[[Any], str]] = field(default_factory=dict)
    """Move class -> its canonical text, for moves that are not their rule's name and their fields."""
    join: Callable[[tuple[Any, ...]], str] | None = None
    """The canonical text of a whole turn, for a game that groups moves; without it, commas part them."""
    canonical: Callable[[str], Any] | None = None
    """Reads a move in the form that `text` gives it without asking the grammar, or answers None.

    Records consist of such moves, and the grammar takes much longer, for it reads all that people write. It counts only
    where `text` of the answer is what was read, letter for letter; and it must be what the grammar would have read.
    """
    part: Callable[[str], Sequence[str]] | None = None
    """Takes apart what `join` has grouped: ``mint K8 K7`` is ``mint K8`` and ``mint K7``.

    Then only single moves need to be remembered, not all their combinations. What it does not recognise, it hands
    back whole; parts that it gives must mean together what the whole means.
    """

    script: bool = False
    """Whether a turn is as long as its player likes, so that lines of a letter that follow one another are one turn."""

    asks: tuple[type, ...] = ()
    """Moves by which others are asked something: what follows them in a script waits for the answers."""

    answers: Mapping[type, Callable[[Any], str | None]] = field(default_factory=dict)
    """Moves that say yes to something asked, and whose question each means; None: that of the player who has asked."""

    rivals: tuple[tuple[str, ...], ...] = ()
    """Groups of terminals of which a move has one where it could have another: colours of camels, things to build.

    A letter whose words name another of a group than its moves do may mean either.
    """

    deniable: tuple[str, ...] = ()
    """Terminals of what a move does or uses; a letter whose words say that it is not done may not mean the move."""

    builds: tuple[str, ...] = ()
    """Terminals of what is built; a letter that says that nothing is may not mean the move."""

    retold: Mapping[str, str] = field(default_factory=dict)
    """Terminals that say no more than another of a move does, where people tell it: *I trade* of what is for what."""

    declines: tuple[type, ...] = ()
    """Moves that say no to an offer: where silence stands for one of them, the time for offers is given."""

    places: Callable[[Any], Iterable[str]] | None = None
    """The names of a position's places, in a game whose places have a letter and a number; letters need them."""

    gap: str = ""
    """A pattern for a move that a player has left something out of: ``P18-L18`` does not say which die."""
    fillers: tuple[str, ...] = ()
    """What can stand before such a move. The reader of letters takes the only one that makes it legal."""

    bare: str = ""
    """What a place alone can mean, as in ``place {}``. The reader of letters takes it where that is legal."""
    half: tuple[str, ...] = ()
    """A piece with two ends of which people say only where it leads, in a game whose places are numbers.

    The terminal of a piece that stands at one place, where such a piece begins that is named after it, and how it is
    written; then the same of the piece itself: ``road {}-{}``.
    """
    shortened: Mapping[type, tuple[str, Callable[[Any], Iterable[Any]]]] = field(default_factory=dict)
    """Moves whose words may leave out for whom they are: the terminal that says for all, and what else they can mean.

    Where the move as it was read is not legal, the reader of letters takes the only other meaning that is.
    """

    words: MoveWords = field(default_factory=dict)
    """By language: what is written for a terminal instead of its English word. The grammar must read it (`fill_words`).

    Without them, mails in every language tell moves in English.
    """
    names: tuple[str, ...] = ()
    """Terminals that stand for a player inside a move, and may be written as that player's name."""

    standing_example: str = ""
    """A standing order that can be read, in a game that knows such orders."""

    also: tuple[str, ...] = ()
    """Further rules at which reading can start; a rule called `seat` is found without being named here.

    A game with standing orders names STANDING, which reads one of them; BARE_STANDING reads those that cannot be taken
    for anything else. What `moves` and `write` say of moves, they say of standing orders too.
    """

    @property
    def starts(self) -> tuple[str, ...]:
        """The rules at which reading can start."""
        seat = ("seat",) if _SEAT_RULE.search(self.grammar) else ()
        return ("moves", *seat, *self.also)

    def text(self, move: Any) -> str:
        """One move in canonical form."""
        write = self.write.get(type(move))
        if write is not None:
            return write(move)
        verb = next(name for name, kind in self.moves.items() if kind is type(move))
        return " ".join([verb, *(_word(getattr(move, part.name)) for part in fields(move))])

    def phrase(self, moves: tuple[object, ...]) -> str:
        """The moves of one turn in canonical form: ``lilac F4, salmon C9``."""
        return self.join(moves) if self.join is not None else ", ".join(map(self.text, moves))


def find_phrasebook(key: str) -> Phrasebook | None:
    """The phrasebook of the game called `key`, or None when there is none."""
    book = registry.find_part(key, "NOTATION", within="notation.games")
    return book if isinstance(book, Phrasebook) else None


def hides(phrase: str) -> bool:
    """Whether a phrase leaves out a value that its reader may not know; what players say in quotes hides nothing."""
    return _HIDDEN_WORD.search(_SAID.sub("", phrase)) is not None


def _word(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(_word, value))
    text = HIDDEN if value is None else str(value)
    return text if _PLAIN_WORD.fullmatch(text) else quote(text)
