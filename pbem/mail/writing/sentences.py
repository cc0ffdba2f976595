"""The sentences of mails in one language, as plain text.

They stand in templates: the common ones in `mails/words.txt`, a game's own in its `telling.txt`. Nothing is escaped
here; the layout of a mail escapes all of it.
"""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import cached_property, lru_cache, partial
from typing import Any, Final, Literal, NamedTuple
from zoneinfo import ZoneInfo

from engine.game import CHANCE, Seat, View
from engine.verdict import Rule
from notation.headers import quote
from notation.speech import is_name_in_moves, speak, speak_word
from pbem.locale.cldr import format_day, format_length, join_list, name_language
from pbem.render import Locale, choose_template
from pbem.render.players import LAST, LEFT, isolate, show_name, show_order

UTC_ZONE: Final = "UTC"
"""The zone of readers who have not told us theirs."""
SENTENCE_CACHE = 4096
"""Sentences of each kind that are cached: a game's own, and the common ones."""
NAME_CACHE = 512
"""Players whose names are cached as mails show them."""
SAID = 200
"""Characters of a player's words in a move that are shown."""
NOTATION = "moves"
"""The fact of a sentence that is moves as they are written; they are not translated."""
_ENTRY = re.compile(r"([0-9]+\. )(\w+|\*): ((?:…,? )?)(.*?)((?:, …)?)")
"""A line of a record in the example of a rule, which may leave out moves before or after."""
PREVIEW: Final = "preview"
RULE: Final = "rule"
"""The context of the names of rules in a catalogue."""
ORDER: Final = "order"
"""The fact of a question that is a move or a command which the reader can send."""
AGREE: Final = "agree"
"""The fact of a refusal that is a command to agree to something."""
LANGUAGES: Final = "languages"
"""The fact of a refusal that is the codes of languages."""
_TURN = "\N{RIGHT-TO-LEFT MARK}"
_ORDER = re.compile(f"({LEFT}[^{LAST}]*{LAST})")
_WORD = re.compile(r"[\w-]+")
_SIGNED = re.compile(r"[+-]\d")
_PINNED = re.compile(r"[A-Za-z0-9](?=[,;:.)]( |$))")


class Lesson(NamedTuple):
    """An example in a picture: a posed position in notation, a move to show, spaces that are wrong, and what to say."""

    record: str
    seat: Seat
    move: str
    wrong: tuple[str, ...]
    rows: tuple[int, int]
    """What of the narrow board is shown: from which height to which."""
    says: tuple[str, ...]


class Primer(NamedTuple):
    """A game for those who have never played it, as its `primer.txt` tells it; all of it is empty for some guests."""

    lines: tuple[str, ...]
    """The game in six lines, from its goal to its end."""
    good_start: str
    typed: tuple[tuple[str, str], ...]
    """How moves are typed: what is done, and the order for it."""
    notes: tuple[str, ...]
    lesson: Lesson | None
    chapters: tuple[tuple[str, tuple[str, ...]], ...]
    """The headings of the rules page, each with the codes of its rules."""
    entries: Mapping[str, tuple[str, str]]
    """Heroes and cards, by the keys of their topics: what each does, and an order as an example."""


OFFER: Final = ("offer_point", "offer_said", "offer_yes", "offer_no", "offer_more", "offer_example")
"""A game's words about an offer: the point, what was said with it, three answers, and another offer as an example."""


class Sentences:
    """All sentences in one language about one game."""

    def __init__(self, locale: Locale, game: str) -> None:
        self.locale = locale
        self._game = game
        self._common: Any = choose_template("mails", "words.txt", locale).module
        self._own: Any = choose_template(game, "telling.txt", locale).module
        self._game = game
        # Several readers get the same sentences, and later mails repeat them.
        self.say: Callable[..., str] = lru_cache(maxsize=SENTENCE_CACHE)(partial(self._say, self._common))
        """One of the common sentences, by its name and its facts."""
        self.say_own: Callable[..., str] = lru_cache(maxsize=SENTENCE_CACHE)(partial(self._say, self._own))
        """One of the game's own sentences, by its name and its facts."""
        self.spoken = lru_cache(maxsize=SENTENCE_CACHE)(self._speak)
        """A canonical phrase as an order in the reader's language, with names for seats."""
        self._sent = lru_cache(maxsize=SENTENCE_CACHE)(partial(speak, game, language=locale.code))
        self.seated = lru_cache(maxsize=NAME_CACHE)(self._seat_with)
        """A seat and its player, as other players read it."""

    def _say(self, templates: object, sentence: str, *facts: Hashable) -> str:
        return self._one_line(getattr(templates, sentence)(*facts))

    def count_facts(self, sentence: str) -> int | None:
        """How many facts one of the common sentences takes; None if there is no such sentence."""
        found = getattr(self._common, sentence, None)
        return None if found is None else len(found.arguments)

    def list_out(self, sentence: str, *facts: object) -> list[str]:
        """One of the game's own texts of several lines. It takes as many of the facts as it names."""
        own = getattr(self._own, sentence)
        said = str(own(*facts[: len(own.arguments)]))
        return [line for line in map(self._one_line, said.splitlines()) if line]

    def list_if_any(self, sentence: str, *facts: object) -> list[str]:
        """The same; empty if the game has no words for it.

        `may_shortly` is what a reader can do who sees it in a picture, `places` what lies around the places that
        matter to a reader who sees none, `place` what is at one of them, `ended` why a game ended before its time.
        """
        return self.list_out(sentence, *facts) if hasattr(self._own, sentence) else []

    @cached_property
    def primer(self) -> Primer:
        """The game for those who have never played it."""
        told = self._lessons
        return Primer(
            tuple(map(self._one_line, told.lines)),
            self._one_line(told.good_start),
            tuple((str(deed), str(order)) for deed, order in told.typed),
            tuple(map(self._one_line, told.notes)),
            self._read_lesson(getattr(told, "lesson", {})),
            tuple((str(title), tuple(codes.split())) for title, codes in told.chapters),
            {key: (str(does), str(order)) for key, (does, order) in told.entries.items()},
        )

    def _read_lesson(self, told: Mapping[str, Any]) -> Lesson | None:
        """The example in a picture; None if the game has none."""
        if not told:
            return None
        record = choose_template(self._game, "lesson.txt", self.locale).render()
        says = tuple(map(self._one_line, told["says"]))
        return Lesson(record, told["seat"], told["move"], tuple(told["wrong"].split()), tuple(told["rows"]), says)

    def remind(self, view: View, seat: Seat) -> list[str]:
        """What is good to have before one's eyes in every turn, such as prices, one line a thing."""
        said = str(self._lessons.reminders(view, seat))
        return [line for line in map(self._one_line, said.splitlines()) if line]

    @cached_property
    def _lessons(self) -> Any:
        return choose_template(self._game, "primer.txt", self.locale).module

    def gettext(self, words: str) -> str:
        """The translation of a text that stands in the code, such as a rule."""
        return self.locale.translations.gettext(words) if words else ""

    def command(self, command: str) -> str:
        """A command by mail as the reader would write it; one that has no words of its own stays in English."""
        return str(self._common.commands.get(command, command))

    def help_orders(self) -> list[tuple[str, str]]:
        """The orders that a player can write, each with its effect."""
        return [(str(order), str(effect)) for order, effect in self._common.help_orders]

    def translate(self, says: str, facts: Mapping[str, object]) -> str:
        """A pattern of a score or a verdict, translated and filled with its facts, which can be a player's words."""
        return self.locale.translations.gettext(says).format_map(self._show_all(facts, {}))

    def refuse(
        self, says: str, facts: Mapping[str, object], reader: Seat, names: Mapping[Seat, str]
    ) -> tuple[str, str]:
        """A refusal as its reader is told: a few words for a headline, and what else helps, which can be nothing.

        A game has words of its own for what its rules say of any seat. In both, the rest follows a semicolon.
        """
        fact, own = self.refusals.own.get(says, ("", ""))
        told = self.refusals.refusals.get(says)
        if own and facts.get(fact) == reader:
            told = own
        point, _, rest = str(self.locale.translations.gettext(says) if told is None else told).partition("; ")
        shown = self._show_all(facts, names)
        return point.format_map(shown), rest.format_map(shown)

    @cached_property
    def refusals(self) -> Any:
        """The game's own words for its refusals."""
        return choose_template(self._game, "refusals.txt", self.locale).module

    def _show_all(self, facts: Mapping[str, object], names: Mapping[Seat, str]) -> dict[str, object]:
        return {name: self._show(name, value, names) for name, value in facts.items()}

    def _show(self, fact: str, value: object, names: Mapping[Seat, str]) -> object:
        """A fact of a verdict: in the reader's language if the game's templates have words for it, else as written.

        Seats are called by the names of their players, where these are given.
        """
        if not isinstance(value, str):
            return value
        if fact == NOTATION:
            return self.order(show_name(value, longest=200))
        if fact == ORDER:
            typed = {seat: name for seat, name in names.items() if is_name_in_moves(self._game, name)}
            said = speak(self._game, self.command(value), self.locale.code, names=typed, show=self._quote)
            return self.order(show_name(said, longest=200))
        if fact == AGREE:
            return self.command(value)
        if fact == LANGUAGES:
            return join_words([name_language(code, self.locale.code) for code in value.split()], self)
        known: Mapping[str, str] = getattr(self._own, "known_facts", {}).get(fact, {})
        if known is getattr(self._own, "seats", None):
            known = {**known, **names}
        shown = show_name(value, longest=80)
        if _SIGNED.match(shown):
            return show_order(shown, rtl=self.locale.rtl)
        if shown in known:
            return str(known[shown])
        # The names of heroes have capitals in English.
        return _WORD.sub(lambda word: known.get(word[0].lower(), word[0]), shown)

    def seat(self, seat: Seat) -> str:
        """A seat in the reader's language."""
        return str(self._own.seats.get(seat, seat))

    def sign(self, seat: Seat) -> str:
        """The shape of a seat's pieces in the picture; empty where pieces are told by their colour alone."""
        return str(getattr(self._own, "signs", {}).get(seat, ""))

    def _seat_with(self, seat: Seat, player: str) -> str:
        shown, name = self.seat(seat), self.name(player)
        return shown if name.casefold() in (seat, "") else self.say("seated", shown, name)

    def source(self, source: str) -> str:
        """Where points come from, in the reader's language."""
        return str(self._own.sources.get(source, source))

    def counted(self, source: str, facts: Mapping[str, object]) -> str:
        """Where points come from in the final count; a game can say more about some of it, such as which caravan."""
        own = getattr(self._own, "counted", None)
        return (own and self._one_line(own(source, facts))) or self.source(source)

    def gain(self, source: str, points: int) -> str:
        """What brought some points, in the reader's language; a game can have words that depend on the number."""
        counted = getattr(self._own, "gain", None)
        return self.source(source) if counted is None else self.say_own("gain", source, points)

    @property
    def implied(self) -> tuple[str, ...]:
        """The kinds of moves of the game that are told by what chance brings after them."""
        return tuple(getattr(self._own, "implied", ()))

    def outcome(self, sentence: str, phrase: str, move: object, facts: object, view: View | None) -> str:
        """What chance brought (`dealt`), or what can be told of a hidden move (`secret`), in the game's own words."""
        return self._one_line(getattr(self._own, sentence)(phrase, type(move).__name__, move, facts, view))

    def bare_dice(self, move: object, facts: object) -> str:
        """Dice as they stand in brackets before the moves that they were played with; empty if there is more to say."""
        own = getattr(self._own, "bare_dice", None)
        return self._one_line(own(type(move).__name__, move, facts)) if own is not None else ""

    def rolled(self, view: View, seat: Seat) -> str:
        """What the dice of a seat's turn show, in the game's own words; empty if it has none, or before they fell."""
        own = getattr(self._own, "thrown", None)
        return self._one_line(own(view, seat)) if own is not None else ""

    def act(self, view: View, seat: Seat, choices: object) -> str:
        """What a reader is asked to do, as the beginning of a sentence; a guest's game need not have words for it."""
        own = getattr(self._own, "act", None)
        return self._one_line(own(view, seat, choices)) if own is not None else self.say("act_any")

    def offer(self, view: View, seat: Seat, names: Mapping[Seat, str]) -> str:
        """What somebody offers a reader; empty if nothing is offered, or if the game has no words for it."""
        own = getattr(self._own, "offered", None)
        return self._one_line(own(view, seat, names)) if own is not None else ""

    def example_turn(self, view: View, seat: Seat) -> str:
        """A turn in notation with the names of this one, for before the dice fall; empty if the game has none."""
        own = getattr(self._own, "example_turn", None)
        return " ".join(str(own(view, seat)).split()) if own is not None else ""

    def name_move(self, view: View, seat: Seat, move: object, names: Mapping[Seat, str], do: str = "named_move") -> str:
        """What a move does, for a button, or has done (`done_move`); empty where its order says enough."""
        said = getattr(self._own, do, None)
        return self._one_line(said(view, seat, type(move).__name__, move, names)) if said is not None else ""

    @property
    def deeds(self) -> tuple[str, ...]:
        """The kinds of moves whose orders say by themselves what is done, as those with a verb do."""
        return tuple(getattr(self._own, "deeds", ()))

    def open_instead(self, view: View, choices: object, moves: tuple[object, ...]) -> tuple[str, ...]:
        """Where pieces like those of some refused moves could go; nothing if the game has no words for it."""
        own = getattr(self._own, "open_instead", None)
        said = str(own(view, choices, moves)) if own is not None else ""
        return tuple(line for line in map(self._one_line, said.splitlines()) if line)

    def offer_words(self, view: View, seat: Seat, names: Mapping[Seat, str]) -> tuple[str, ...] | None:
        """What a mail about an offer says in the game's own words, in the order of OFFER; None if it has none."""
        found = [getattr(self._own, each, None) for each in OFFER]
        if None in found:
            return None
        return tuple(self._one_line(each(view, seat, names)) for each in found if each is not None)

    def name(self, name: str) -> str:
        """A player's name, kept apart from the sentence around it if it runs the other way."""
        return isolate(show_name(name), rtl=self.locale.rtl)

    def order(self, text: str) -> str:
        """Notation inside a sentence: it runs from left to right in every language, and can be copied as it stands."""
        return show_order(text.replace(_TURN, ""), rtl=self.locale.rtl)

    def _speak(self, phrase: str, names: tuple[tuple[Seat, str], ...] = ()) -> str:
        return self.order(speak(self._game, phrase, self.locale.code, names=dict(names), show=self._quote))

    def _quote(self, said: str) -> str:
        """What a player said, in quotation marks that keep it apart from the sentence around it."""
        return isolate(quote(show_name(said, longest=SAID)), rtl=self.locale.rtl)

    def to_send(self, phrase: str, start: str = "moves") -> str:
        """A canonical phrase in the reader's language, as it is sent; `start` tells standing orders from moves."""
        return self._sent(phrase, start=start)

    def teach(self, order: str) -> str:
        """An order of a primer as the reader would send it, perhaps with `preview` before the move."""
        verb, _, move = order.partition(" ")
        return f"{self.command(verb)} {self.to_send(move)}" if verb == PREVIEW else self.to_send(order)

    def rule_name(self, rule: Rule) -> str:
        """What a rule is called: ``no room for a camel``."""
        return self.locale.translations.pgettext(RULE, rule.name.replace("-", " "))

    def record_line(self, written: str) -> str:
        """A line of a record with its seat and moves in the reader's language."""
        entry = _ENTRY.fullmatch(written)
        if entry is None:
            return self.order(written)
        number, seat, before, moves, after = entry.groups()
        return self.order(f"{number}{self.seat(seat)}: {before}{self.to_send(moves)}{after}")

    def example(self, written: str) -> str:
        """The move in an example of a rule, as the reader would write it; empty for dice and headers of a record."""
        entry = _ENTRY.fullmatch(written)
        if entry is None:
            return "" if written.startswith(("[", "*")) or "*:" in written else self.order(written)
        _, seat, _, moves, _ = entry.groups()
        return "" if seat == CHANCE else self.order(self.to_send(moves))

    def say_word(self, word: str) -> str:
        """A single word of the game's notation in the reader's language."""
        return speak_word(self._game, word, self.locale.code)

    def _one_line(self, said: str) -> str:
        """A sentence on one line, however the template breaks it."""
        line = " ".join(str(said).split())
        if not self.locale.rtl:
            return line
        # Without a mark, a comma between a space of the board and a number would be drawn on the wrong side.
        pieces = _ORDER.split(line)
        return "".join(piece if at % 2 else _PINNED.sub(rf"\g<0>{_TURN}", piece) for at, piece in enumerate(pieces))


@lru_cache(maxsize=64)
def find_sentences(locale: Locale, game: str) -> Sentences:
    """The sentences for a language and a game."""
    return Sentences(locale, game)


def say_moment(moment: datetime, zone: str, sentences: Sentences, now: datetime) -> str:
    """``Fri 4 Sep, 09:41 your time``, or ``07:41 UTC`` if we do not know the reader's clock; the year if it changes."""
    there = moment.astimezone(ZoneInfo(zone))
    day = say_day(there.date(), sentences, now.astimezone(ZoneInfo(zone)).date())
    return sentences.say("moment", day, f"{there:%H:%M}", zone == UTC_ZONE)


def say_day(day: date, sentences: Sentences, today: date) -> str:
    """``Fri 4 Sep``, with the year if it is another one than today's."""
    return format_day(day, sentences.locale.code, with_year=day.year != today.year)


def say_length(length: timedelta, sentences: Sentences) -> str:
    """``2 days, 6 hours``: the two largest units that are not zero, rounded down."""
    return format_length(length, sentences.locale.code)


def join_sentences(said: list[str]) -> str:
    """Sentences one after the other. Only one that is followed needs a full stop: an order alone is easier to copy."""
    parts = [part for part in said if part]
    return " ".join([*map(end_sentence, parts[:-1]), *parts[-1:]])


def end_sentence(said: str) -> str:
    """A sentence with a full stop, unless it is ended already."""
    return said if not said or said.endswith((".", "!", "?")) else f"{said}."


def join_words(words: Sequence[str], sentences: Sentences, style: Literal["standard", "or"] = "standard") -> str:
    """``a, b and c``, or with "or" before the last."""
    return join_list(tuple(words), sentences.locale.code, style)
