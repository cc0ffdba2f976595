"""The parser: runs the LALR(1) tables that Lark made of a grammar.

Lark compiles a grammar once (`grammar.py`); this small parser follows the tables, so that reading needs no import of
Lark, no tree, and no exception for what a player wrote. It takes terminals, states and rules as data and knows no
notation. A test holds it equal to Lark's own parser.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

END = "$END"
"""The terminal after the last one."""


class Terminal(NamedTuple):
    """A kind of word: its name, its regular expression, and its text if it is one fixed word.

    `covers` names the fixed words that a pattern matches as well; with True, the pattern finds them in any case.
    """

    name: str
    regexp: str
    literal: str
    covers: Mapping[str, bool]


class GrammarRule(NamedTuple):
    """A rule: whose expansion it is, which of its parts are kept, and what is made of them.

    `kept` lists the indices of the parts that are handed on. `make` is the name to build under; empty, the parts
    are spliced into the rule above. `lone` lets a single part stand for itself.
    """

    origin: str
    length: int
    kept: tuple[int, ...]
    make: str
    lone: bool


class Tables(NamedTuple):
    """A grammar, compiled. An action is a state to go to, or ``-1 - rule`` to reduce by."""

    terminals: tuple[Terminal, ...]
    ignored: tuple[str, ...]
    rules: tuple[GrammarRule, ...]
    actions: tuple[Mapping[str, int], ...]
    starts: Mapping[str, int]


class LexToken(NamedTuple):
    """A word that was read, and where: text[start:end]."""

    kind: str
    text: str
    start: int
    end: int


class Unexpected(NamedTuple):
    """Where reading stopped, the kind of word found there if it is one at all, and the kinds that could follow."""

    at: int
    found: str
    expected: tuple[str, ...]


Build = Callable[[str, Sequence[Any], int], Any]
"""Makes something of a rule's name, its parts (tokens and things made before) and the place where it ends."""

_ODD = "ODD__"
"""The group of a character that begins no word."""

_Scan = tuple[Callable[[str, int], Any], Mapping[str, Callable[[str], str]]]


class LalrParser:
    """The parser of one grammar. The lexer of a state is compiled when the state is first reached."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.terminals = {terminal.name: terminal for terminal in tables.terminals}
        self._scans: dict[frozenset[str], _Scan] = {}
        self._scan_of: list[_Scan | None] = [None] * len(tables.actions)
        self._expected_in: dict[int, tuple[str, ...]] = {}

    def regexp(self, *names: str) -> str:
        """The regular expression of the named terminals: any one of them."""
        return "|".join(f"(?:{self.terminals[name].regexp})" for name in names)

    def openings(self, start: str) -> str:
        """The regular expression of every word that a start rule can begin with."""
        first = self.tables.actions[self.tables.starts[start]]
        return self.regexp(*(name for name in self.terminals if name in first))

    def parse(self, text: str, start: str, build: Build) -> Any | Unexpected:
        """What `build` makes of the start rule's parts, or where the text leaves the grammar."""
        rules, actions, ignored, scan_of = self.tables.rules, self.tables.actions, self.tables.ignored, self._scan_of
        state = self.tables.starts[start]
        final = actions[state][start]
        states: list[int] = [state]
        values: list[Any] = []
        at = last = 0
        while True:
            match, keywords = scan_of[state] or self._scan(state)
            found = match(text, at)
            kind = found.lastgroup or END
            begin, at = at, found.end()
            if kind in ignored:
                continue
            if kind in keywords:
                kind = keywords[kind](found[0])
            action = actions[state].get(kind)
            while action is not None and action < 0:
                origin, length, kept, make, lone = rules[-1 - action]
                del states[len(states) - length :]
                if length != 1 or not kept or (make and not (lone and type(values[-1]) is not _Spliced)):
                    parts = _gather(values[len(values) - length :], kept)
                    del values[len(values) - length :]
                    if make and not (lone and len(parts) == 1):
                        values.append(build(make, parts, last))
                    else:
                        values.append(parts if not make else parts[0])
                state = actions[states[-1]][origin]
                states.append(state)
                action = actions[state].get(kind)
            if kind is END and state == final:
                return values[0]
            if action is None:
                return Unexpected(begin, kind, self._expected(state))
            values.append(LexToken(kind, found[0], begin, at))
            last = at
            states.append(action)
            state = action

    def tokens(self, text: str, start: str) -> list[LexToken] | None:
        """All words of a text, also those that rules leave out or the lexer ignores; None if it leaves the grammar."""
        ignored, scan_of = self.tables.ignored, self._scan_of
        states = [self.tables.starts[start]]
        found: list[LexToken] = []
        at = 0
        while at < len(text):
            match, keywords = scan_of[states[-1]] or self._scan(states[-1])
            word = match(text, at)
            kind = word.lastgroup
            found.append(LexToken(kind, word[0], at, word.end()))
            at = word.end()
            if kind not in ignored:
                kind = keywords[kind](word[0]) if kind in keywords else kind
                found[-1] = found[-1]._replace(kind=kind)
                if not self._follow(states, kind):
                    return None
        return found

    def longest(self, text: str, begin: int, start: str, *, patience: int) -> tuple[int, int] | None:
        """From where to where the longest text goes that begins at a place and is whole; None if there is none.

        Words that are ignored do not belong to it where it begins or ends.

        It is given up `patience` words after the last place where it could have ended, so that the time for a search
        from every word of a text grows with the text's length only.
        """
        actions, ignored, scan_of = self.tables.actions, self.tables.ignored, self._scan_of
        states = [self.tables.starts[start]]
        final = actions[states[0]][start]
        at, first, last, left = begin, -1, -1, patience
        while left > 0:
            left -= 1
            match, keywords = scan_of[states[-1]] or self._scan(states[-1])
            found = match(text, at)
            kind = found.lastgroup or END
            at = found.end()
            if kind in ignored:
                continue
            first = found.start() if first < 0 else first
            if kind in keywords:
                kind = keywords[kind](found[0])
            if kind is END or not self._follow(states, kind):
                break
            self._follow(ended := states.copy(), END)
            if ended[-1] == final:
                last, left = at, patience
        return (first, last) if last > 0 else None

    def _follow(self, states: list[int], kind: str) -> bool:
        """Go on from some states with a word, without building anything; False if it cannot follow."""
        rules, actions = self.tables.rules, self.tables.actions
        action = actions[states[-1]].get(kind)
        while action is not None and action < 0:
            origin, length, *_ = rules[-1 - action]
            del states[len(states) - length :]
            states.append(actions[states[-1]][origin])
            action = actions[states[-1]].get(kind)
        if action is not None:
            states.append(action)
        return action is not None

    def _expected(self, state: int) -> tuple[str, ...]:
        found = self._expected_in.get(state)
        if found is None:
            found = tuple(kind for kind in self.tables.actions[state] if kind in self.terminals or kind == END)
            self._expected_in[state] = found
        return found

    def _scan(self, state: int) -> _Scan:
        """Look only for words that can follow here, so that one spelling may mean different things."""
        names = frozenset(self.tables.actions[state]) | frozenset(self.tables.ignored)
        if names not in self._scans:
            self._scans[names] = _scanner([each for each in self.tables.terminals if each.name in names])
        scan = self._scan_of[state] = self._scans[names]
        return scan


def _scanner(terminals: Sequence[Terminal]) -> _Scan:
    """One regular expression for some terminals, in the order and with the exceptions that Lark makes.

    A fixed word that some pattern covers (``take`` beside a terminal for any word) is found by the pattern and
    recognised afterwards.
    """
    keywords: dict[str, Callable[[str], str]] = {}
    covered: set[str] = set()
    for pattern in terminals:
        words = [each for each in terminals if each.name in pattern.covers]
        if words:
            keywords[pattern.name] = _keyword(pattern.name, words)
            covered |= {each.name for each in words if pattern.covers[each.name]}
    sought = [f"(?P<{each.name}>{each.regexp})" for each in terminals if each.name not in covered]
    return re.compile("|".join([*sought, r"\Z", rf"(?P<{_ODD}>[\s\S])"])).match, keywords


def _keyword(name: str, words: Sequence[Terminal]) -> Callable[[str], str]:
    patterns = [(re.compile(each.regexp).fullmatch, each.name) for each in words]
    return lambda text: next((word for matches, word in patterns if matches(text)), name)


def _gather(parts: list[Any], kept: tuple[int, ...]) -> list[Any]:
    """The parts that a rule hands on; those of an inlined rule arrive as a list of their own and are spliced in."""
    gathered: list[Any] = _Spliced()
    for index in kept:
        part = parts[index]
        if type(part) is not _Spliced:
            gathered.append(part)
        elif gathered:
            gathered += part
        else:
            # A list that grows item by item is not copied for each.
            gathered = part
    return gathered


class _Spliced(list[Any]):
    """The parts of a rule that has no place of its own in what is built."""
