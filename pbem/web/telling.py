"""The entries of a game in words, as a reader who plays no seat may know them."""

from typing import Any, Final, NamedTuple

from engine.game import CHANCE, PUBLIC, Seat
from engine.verdict import begin_sentence
from notation import COMMENT, GLYPH, PAUSE, WORDS, Entry, write_entry, write_moves
from notation.phrasebook import hides
from pbem.mail.writing.event_descriptions import say_reason
from pbem.mail.writing.sentences import Sentences, end_sentence, join_sentences, join_words
from pbem.mail.writing.told_turns import DealtFacts, call_players, on_turn_in, say_brought
from pbem.render.players import show_name
from pbem.web.frames import Frame, Game

LONGEST: Final = 2000
"""Characters of a comment that are shown."""


class ToldEntry(NamedTuple):
    """One entry in words, and as it is written."""

    words: str
    notation: str
    comments: tuple[str, ...]
    glyphs: str


class EntryTeller:
    """Tells the entries of a game in one language."""

    def __init__(self, game: Game, sentences: Sentences) -> None:
        self._game = game
        self._sentences = sentences
        self.names = call_players(game.rules.key, game.names, sentences)

    def tell(self, at: int) -> ToldEntry:
        """What led to the moment of that number."""
        frame = self._game.frames[at]
        entry = frame.entry
        if entry is None:
            return ToldEntry("", "", (), "")
        written = write_entry(entry._replace(number=None, remarks=()), self._game.rules)
        says = self._say_word(entry) if entry.who in WORDS else self._say_moves(at, entry)
        comments = tuple(show_name(str(each.value), longest=LONGEST) for each in entry.remarks if each.kind == COMMENT)
        glyphs = " ".join(str(each.value) for each in entry.remarks if each.kind == GLYPH)
        return ToldEntry(begin_sentence(says), written.partition(": ")[2], comments, glyphs)

    def _say_moves(self, at: int, entry: Entry) -> str:
        phrase = write_moves(self._game.rules, entry.moves)
        if entry.who == CHANCE or hides(phrase):
            return self._say_dealt(at, entry, phrase)
        order = self._sentences.say("told_turn", self.names[entry.who], self._sentences.spoken(phrase))
        return join_sentences([order, *say_brought(self._game.frames[at].brought, self._sentences, self.names, PUBLIC)])

    def _say_dealt(self, at: int, entry: Entry, phrase: str) -> str:
        """What chance brought, or what can be told of a move that not everybody sees."""
        frame, before = self._game.frames[at], self._before(at)
        view = self._game.rules.view(frame.position, PUBLIC) if entry.who == CHANCE else None
        seat = entry.who if entry.who != CHANCE else on_turn_in(view) or (before.who if before else "")
        whom = str(getattr(before.moves[-1], "victim", None) or "") if before and before.moves else ""
        facts = DealtFacts(
            who=self.names.get(seat, ""),
            is_reader=False,
            whom=self.names.get(whom, ""),
            from_reader=False,
            is_secret=hides(phrase),
            is_known=not hides(phrase),
            is_again=before is not None and before.who == entry.who == CHANCE,
            reader=PUBLIC,
            names=self.names,
        )
        sentence = "dealt" if entry.who == CHANCE else "secret"
        told = [self._sentences.outcome(sentence, phrase, move, facts, view) for move in entry.moves]
        # A game without words of its own tells the whole draw for each of its moves.
        return join_sentences([end_sentence(each) for each in dict.fromkeys(told)])

    def _before(self, at: int) -> Entry | None:
        """The entry before this one, if it belongs to the same turn."""
        frame = self._game.frames[at]
        earlier = self._game.frames[frame.parent if frame.line else at - 1]
        return earlier.entry if earlier.turn == frame.turn else None

    def _say_word(self, entry: Entry) -> str:
        """A word of the table."""
        move: Any = entry.moves[0]
        say = self._sentences.say
        match entry.who:
            case "end":
                return say("told_ended", move.kind, self._list(move.seats), show_name(move.reason, longest=200))
            case "undo":
                return say("told_undone", move.turn)
            case "pause" | "resume":
                said = "told_paused" if entry.who == PAUSE else "told_resumed"
                return say(said, say_reason(move.reason, self._sentences))
            case "substitute":
                return say("told_substituted", self._sentences.seat(move.seat), self._sentences.name(move.name))
            case _:
                return say("told_resigned", self._list((move.seat,)))

    def _list(self, seats: tuple[Seat, ...]) -> str:
        return join_words([self.names.get(seat, seat) for seat in seats], self._sentences)


def count_points(game: Game, frame: Frame) -> tuple[int | None, ...]:
    """The points of all seats at a moment; None for those that are hidden."""
    score = game.rules.score(frame.position)
    found = {tally.seat: score.shown(tally.seat) for tally in score.tallies}
    return tuple(found.get(seat) for seat in game.record.seats)
