"""What a game is: facts and functions, without state.

A title can be played when its package offers a `Game`. The contract knows hidden information (`view`), chance
(the seat `*`, settled by a Dealer) and several seats due at once (`to_act`), because most games need one of
them. It knows no text, mail, clock or file.
"""

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from engine.chance import Dealer
    from engine.pose import Misplaced, Stated
    from engine.score import Earning, Score
    from engine.verdict import Proposal, Rule, Verdict

Seat: TypeAlias = str
"""A place at the table, named as in the record: ``red``."""

CHANCE: Final[Seat] = "*"
"""The seat of chance: dice and draws are its plies."""

PUBLIC: Final[Seat] = "public"
"""The viewer who sits nowhere and sees only what everybody may see. There is no default viewer."""

View: TypeAlias = Mapping[str, Any]
"""Plain data (strings, integers, lists, mappings with string keys) that one viewer may know."""

_PLACE: Final = re.compile(r"([A-Z]+)([0-9]+)")
"""How a word about a place of a board begins: ``A6=2``."""


class Move(Protocol):
    """What someone wants to do: any frozen dataclass; a game lists its kinds in `Game.moves`."""

    __hash__: Any


class Ply(NamedTuple):
    """A move by a seat: the atom of play. A turn is one or more plies."""

    seat: Seat
    move: Any


class Option(NamedTuple):
    """A set-up header that a game understands, such as ``[Oases "B8 D3 …"]``.

    `default` None means that the header must be there for a game to start; `drawn` means that `Game.lay_out`
    lets the Dealer settle it when a new game leaves it out; `places` means that it lists places of the board, or what
    lies on them, in an order that says nothing.
    """

    name: str
    about: str
    default: str | None = None
    drawn: bool = False
    places: bool = False

    def tidy(self, value: str) -> str:
        """The value as it is written: words parted by one blank, places by column and then row."""
        words = value.split()
        found = [_PLACE.match(word) for word in words] if self.places else []
        if found and None not in found:
            words = [place.string for place in sorted(filter(None, found), key=lambda place: (place[1], int(place[2])))]
        return " ".join(words)


class Setup(NamedTuple):
    """Who sits at the table, in seat order, the game's own headers as (name, value) pairs, and a stated position."""

    seats: tuple[Seat, ...]
    options: tuple[tuple[str, str], ...] = ()
    pose: tuple[tuple[Seat, str], ...] = ()
    """What is stated of the position from which play goes on, by seat (`engine.pose`); empty: at the start."""

    def option(self, name: str) -> str | None:
        """The value of one header, or None."""
        return dict(self.options).get(name)


P = TypeVar("P")


class Game(Protocol[P]):
    """The rules of a title in one edition. `P` is its Position: immutable, comparable, hashable."""

    key: str
    """``through-the-desert``: header value, template folder, entry-point name."""
    title: str
    edition: str
    """The version of the rules that a record names in its ``Rules`` header. Editions are never changed."""
    seats: tuple[Seat, ...]
    """All seat names, in their usual order."""
    players: range
    """How many may play."""
    options: tuple[Option, ...]
    moves: tuple[type, ...]
    """The kinds of move, chance included."""
    rules: tuple["Rule", ...]
    roll: object = None
    """The move by which a player throws the dice that a turn begins with, in games where that is a move."""

    def lay_out(self, setup: Setup, dealer: "Dealer") -> Setup:
        """Complete a new game's set-up: what the headers leave open and chance settles before play.

        A game that draws nothing before play need not define this.
        """
        return setup

    def start(self, setup: Setup) -> "P | Verdict":
        """The first position, or the rule that the set-up breaks."""
        ...

    def pose(self, position: P, stated: "Stated") -> "P | Misplaced | None":
        """The position that is stated by headers, made from the first one; or why it cannot be.

        None, and a game need not define this, where positions cannot be stated.
        """
        return None

    def to_act(self, position: P) -> tuple[Seat, ...]:
        """The seats that are waited for, CHANCE alone when chance is due; empty: the game is over.

        They may or must move. Others may be free to do something meanwhile, such as to take an offer back.
        """
        ...

    def turn(self, position: P) -> int:
        """The number of the turn being played, from 1; the record writes it before each entry."""
        ...

    def legal(self, position: P) -> Iterator[Ply]:
        """List the plies that `judge` would let pass, at least one of every player who is due.

        Left out may be what chance can do, and what players may do while chance is due; moves with free words or
        amounts; and a move that is another way to put one that is listed, so that both lead to the same position.
        Everything else is there.
        """
        ...

    def judge(self, position: P, ply: Ply) -> "Verdict | None":
        """None when the ply is legal, else the most basic rule it breaks. The only authority."""
        ...

    def remedies(self, position: P, ply: Ply) -> "Iterator[Proposal]":
        """Small changes that might make a refused ply legal, the smallest first, each with the position after it.

        `judge` decides whether one does (`engine.verdict`). They must follow from what the seat may know. By default
        there are none.
        """
        return iter(())

    def next_turn(self, position: P, ply: Ply) -> P | None:
        """The table as it stands, but in the turn of the seat that would make a ply; a preview is judged there.

        None, and a game need not define this, where that cannot be told.
        """
        return None

    def apply(self, position: P, ply: Ply) -> P:
        """Give the position after a ply that `judge` let pass."""
        ...

    def deal(self, position: P, dealer: "Dealer") -> Ply:
        """Settle chance where CHANCE is due: a ply of CHANCE, every outcome as likely as the rules say."""
        ...

    def score(self, position: P) -> "Score":
        """Points so far that everybody may know, with their sources; winners once the game is over.

        Points that a rule keeps hidden are added when the rule opens them; before that they are in their owner's view.
        """
        ...

    def view(self, position: P, viewer: Seat) -> View:
        """What `viewer` (a seat, or PUBLIC) may know, as plain data that is not shared with other callers."""
        ...

    def told(self, position: P, ply: Ply, viewer: Seat) -> object:
        """The move of a ply made at `position`, as `viewer` (a seat, or PUBLIC) may read it until the game is over.

        What is hidden from the viewer is None in the move, and ``hidden`` in its written form. The player
        who made a move reads all of it. A game without secrets need not define this.
        """
        return ply.move

    def without_words(self, move: object) -> tuple[object, str]:
        """A move without the free words that its player says in it, and the words; no rule asks what they are.

        New records keep such words apart from moves. A game whose moves have none need not define this.
        """
        return move, ""

    def discloses(self, position: P, ply: Ply) -> bool:
        """Whether a ply that `judge` lets pass shows its player something that was hidden.

        No preview shows what such a ply leads to, and what follows it in a letter is judged only after it was made. A
        game without secrets need not define this.
        """
        return False

    def by_default(self, position: P, seat: Seat) -> object:
        """The move that a seat makes by saying nothing until its time is up, where the rules name one; else None.

        An offer that nobody answers is declined. Where the rules are silent too, the terms of the table decide.
        """
        return None

    def forced(self, position: P, seat: Seat) -> object:
        """The one move that a seat can make now, if everybody can see that there is no other; else None.

        It must follow from the public view, because it is made at once where a table has agreed on that: what depended
        on a hand would tell it. It is legal, no other move of the seat is, and nothing can be said with it. By default
        nothing is forced.
        """
        return None

    def by_standing_order(self, position: P, seat: Seat, orders: Sequence[object]) -> object:
        """The move that a seat's standing orders ask for now; None where none of them applies.

        Which standing orders there are is for the game to say; its notation reads them. They must follow from what the
        seat may know. A game without them need not define this.
        """
        return None

    def earnings(self, position: P, ply: Ply) -> "tuple[Earning, ...]":
        """What a legal ply pays at once, to whom and for what, as far as everybody sees it, for those who tell of it.

        Nothing by default: then points are told by the sources that the score names.
        """
        return ()

    def traits(self, before: P, ply: Ply, after: P) -> Mapping[str, str]:
        """What a legal ply says of a game in a few words, for statistics: ``first leader: lemon``.

        Of each name the first value in a game counts, so there should be few values. Only finished games are asked. By
        default nothing.
        """
        return {}

    def prospect(self, position: P, seat: Seat) -> int:
        """A simple player's estimate of how well a seat stands, for sample games and suggestions; not a rule.

        By default the points. A game whose points come late may look at what leads to them.
        """
        return self.score(position).total(seat)

    def liberties(self, position: P) -> Iterator[Ply]:
        """Some legal plies that `legal` leaves out: with free words or amounts, or while chance is due.

        Sample games that are to show everything draw from them. A game that lists everything need not define this.
        """
        return iter(())

    def essence(self, position: P) -> Hashable:
        """What of a position matters for the rest of the game: of two that agree in it, a search needs only one.

        By default the position itself. A game whose positions remember how they came about may leave that out.
        """
        return position

    def count_ends(self, position: P) -> int | None:
        """How many different ways the turn being played can end, or come to where chance or others go on.

        None where a game has no quicker way to count them than to follow every ply.
        """
        return None


GameRules: TypeAlias = Game[Any]
"""A game whose positions only it can look into: what code takes that works for all games."""
