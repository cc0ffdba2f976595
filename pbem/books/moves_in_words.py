"""A game's entries in the words of a reader's language, as mails tell them, with the notation to write beside them."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final, NamedTuple

from engine.game import CHANCE, PUBLIC, GameRules, Seat
from engine.verdict import begin_sentence
from notation import END, PAUSE, RESIGN, RESUME, SUBSTITUTE, UNDO, WORDS, Entry, write_entry, write_moves
from notation.phrasebook import hides
from notation.speech import is_name_in_moves, is_word_of_moves
from pbem.locale.catalogues import Locale
from pbem.mail.writing.sentences import Sentences, end_sentence, find_sentences, join_words
from pbem.mail.writing.told_turns import DealtFacts
from pbem.render import choose_template
from pbem.render.players import show_name

LONGEST: Final = 200
"""Characters of a reason that a line repeats."""


class Clauses(NamedTuple):
    """Some moves of an entry in words and in notation, and the signs behind them."""

    words: str
    notation: str
    signs: tuple[str, ...] = ()


class EntryTeller:
    """Tells the entries of one game to readers of one language."""

    def __init__(self, game: GameRules, seats: tuple[Seat, ...], names: Mapping[Seat, str], locale: Locale) -> None:
        self.sentences: Sentences = find_sentences(locale, game.key)
        self._own: Any = choose_template("books", "words.txt", locale).module
        self._game = game
        self._seats = seats
        self._given = dict(names)

    def seat_taken(self, seat: Seat, name: str) -> None:
        """From here on somebody else sits there."""
        self._given[seat] = name
        self.__dict__.pop("names", None)

    @cached_property
    def names(self) -> Mapping[Seat, str]:
        """What each player is called: by name, with the colour if two share it; by the colour where it says nothing."""
        return {seat: self._name(seat) for seat in self._seats}

    def _name(self, seat: Seat) -> str:
        name, colour = self._given.get(seat, "").strip(), self.sentences.seat(seat)
        if name.casefold() in ("", seat) or is_word_of_moves(self._game.key, name):
            return begin_sentence(colour)
        same = [each for each in self._seats if self._given.get(each, "").casefold() == name.casefold()]
        shown = self.sentences.name(name)
        return shown if len(same) == 1 else self.sentences.say("namesake", shown, colour)

    def tell_moves(self, moves: tuple[Any, ...]) -> Clauses:
        """Moves of a player."""
        notation = write_moves(self._game, moves)
        if hides(notation):
            return Clauses(self.sentences.spoken(notation, ()), notation)
        named = tuple(
            (seat, self.sentences.name(name.split(" ")[0]))
            for seat, name in self._given.items()
            if name.strip() and is_name_in_moves(self._game.key, name.split(" ")[0])
        )
        return Clauses(self.sentences.spoken(notation, named), notation)

    def tell_chance(self, entry: Entry, position: Any, mover: Seat, robbed: Seat) -> Clauses:
        """What chance brought, after which the game stands at `position`; `mover` and `robbed` are those before it."""
        notation = write_moves(self._game, entry.moves)
        view = self._game.view(position, PUBLIC)
        who = str(view.get("on_turn") or view.get("who") or "") or mover
        facts = DealtFacts(
            who=self.names.get(who, ""),
            is_reader=False,
            whom=self.names.get(robbed, ""),
            from_reader=False,
            is_secret=False,
            is_known=not hides(notation),
            is_again=False,
            reader="",
            names=self.names,
        )
        said = [self.sentences.outcome("dealt", notation, move, facts, view) for move in entry.moves]
        return Clauses(" ".join(end_sentence(begin_sentence(each)) for each in said if each), notation)

    def tell_table(self, entry: Entry) -> Clauses:
        """A word of the table."""
        say = self.sentences.say
        move = entry.moves[0] if entry.moves else None
        reason = show_name(str(getattr(move, "reason", "")), longest=LONGEST)
        if entry.who == UNDO:
            words = say("told_undone", getattr(move, "turn", 0))
        elif entry.who in (PAUSE, RESUME):
            words = say("told_paused" if entry.who == PAUSE else "told_resumed", reason)
        elif entry.who == SUBSTITUTE:
            seat, name = str(getattr(move, "seat", "")), str(getattr(move, "name", ""))
            words = say("told_substituted", self.sentences.seat(seat), self.sentences.name(name))
        elif entry.who == RESIGN:
            words = str(self._own.left(self.names.get(str(getattr(move, "seat", "")), "")))
        elif entry.who == END:
            who = join_words([self.names[seat] for seat in getattr(move, "seats", ())], self.sentences)
            words = str(self._own.finished(str(getattr(move, "kind", "")), who, reason))
        else:
            words = write_entry(entry._replace(remarks=()), self._game).partition(": ")[2]
        return Clauses(end_sentence(begin_sentence(words)), "")

    def tell_gains(self, who: Seat, gains: Mapping[Seat, Mapping[str, int]]) -> str:
        """What an entry brought, and whom."""
        said = []
        for seat, by_source in gains.items():
            won = {source: points for source, points in by_source.items() if points}
            if not won:
                continue
            if len(won) == 1:
                ((source, points),) = won.items()
                told = self.sentences.say("gained", points, self.sentences.gain(source, points))
            else:
                reasons = [self.sentences.say("counted", self.sentences.source(each), n) for each, n in won.items()]
                told = self.sentences.say("gained", sum(won.values()), ", ".join(reasons))
            said.append(told if seat == who else self.sentences.say("gained_by", self.names[seat], told))
        return ", ".join(said)


def is_of_table(entry: Entry) -> bool:
    """Whether an entry is a word of the table."""
    return entry.who in WORDS and entry.who != CHANCE
