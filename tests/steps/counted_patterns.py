"""Regular expressions whose steps are counted: a second matcher that walks through a pattern as the real one does.

Python's own engine does not tell how much it backtracks, and its time differs from run to run. So each call is also
made by this small matcher, which follows the same parse tree in the same order and counts every node that it visits
and every character that it compares. It must find what the real engine finds, else it raises an error. The real engine
takes shortcuts (it looks for fixed beginnings first), so it needs at most as many steps, up to a constant.
"""

import re
import re._constants as codes  # type: ignore[import-not-found]  # the parse tree of patterns has no public name
import re._parser as parsing  # type: ignore[import-not-found]  # as above
import sys
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, ClassVar

Rest = Callable[[int], int | None]
"""What follows a node: where the match ends, if it does from a place on."""
Node = Callable[[Any, int, Rest], int | None]
"""Where a match ends that begins with this node at a place of a text, and goes on with the rest."""

COMPILE = re._compile  # type: ignore[attr-defined]  # what every function of the module calls


class StepCount:
    """How many steps were made, and what the groups of the present pattern hold."""

    steps = 0
    groups: ClassVar[dict[int, tuple[int, int]]] = {}


def same(end: int) -> int:
    """The rest of a pattern that has none."""
    return end


@cache
def in_category(category: Any, sign: str) -> bool:
    """Whether a sign is a digit, a blank or a letter, or is not."""
    kinds = {"DIGIT": sign.isdecimal(), "SPACE": sign.isspace(), "WORD": sign.isalnum() or sign == "_"}
    return kinds[str(category).rpartition("_")[2]] != ("NOT" in str(category))


def sign_test(op: Any, av: Any, flags: int) -> Callable[[str], bool] | None:
    """Whether a node takes a sign; None if the node is more than one sign."""
    fold = flags & re.IGNORECASE
    if op is codes.ANY:
        return (lambda sign: True) if flags & re.DOTALL else (lambda sign: sign != "\n")
    if op in (codes.LITERAL, codes.NOT_LITERAL):
        wanted = chr(av)
        forms = {wanted, wanted.lower(), wanted.upper(), unicodedata.normalize("NFKC", wanted)} if fold else {wanted}
        return (lambda sign: sign in forms) if op is codes.LITERAL else (lambda sign: sign not in forms)
    if op is codes.IN:
        every = all if av[0][0] is codes.NEGATE else any
        return cache(lambda sign: every(_in_set(av, each) for each in _cases(sign, fold=bool(fold))))
    return None


def _cases(sign: str, *, fold: bool) -> set[str]:
    return {sign, sign.lower(), sign.upper()} if fold else {sign}


def _in_set(items: Any, sign: str) -> bool:
    negated = items[0][0] is codes.NEGATE
    number = ord(sign) if len(sign) == 1 else -1
    for op, av in items:
        if op is codes.LITERAL and av == number:
            return not negated
        if op is codes.RANGE and av[0] <= number <= av[1]:
            return not negated
        if op is codes.CATEGORY and len(sign) == 1 and in_category(av, sign):
            return not negated
    return bool(negated)


def at_place(op: Any, flags: int) -> Callable[[str, int], bool]:
    """Whether a place is the beginning or end of a text, a line or a word."""

    def is_word(text: str, at: int) -> bool:
        return 0 <= at < len(text) and in_category(codes.CATEGORY_WORD, text[at])

    if op is codes.AT_BEGINNING_STRING or (op is codes.AT_BEGINNING and not flags & re.MULTILINE):
        return lambda text, at: at == 0
    if op is codes.AT_BEGINNING:
        return lambda text, at: at == 0 or text[at - 1] == "\n"
    if op is codes.AT_END_STRING:
        return lambda text, at: at == len(text)
    if op is codes.AT_END:
        lines = bool(flags & re.MULTILINE)
        return lambda text, at: at == len(text) or (text[at] == "\n" and (lines or at == len(text) - 1))
    wanted = op is codes.AT_BOUNDARY
    return lambda text, at: (is_word(text, at) != is_word(text, at - 1)) is wanted


def compile_all(items: Any, flags: int) -> Node:
    """The nodes of a sequence as one."""
    nodes = [compile_node(op, av, flags) for op, av in items]

    def walk(text: Any, at: int, rest: Rest, number: int = 0) -> int | None:
        if number == len(nodes):
            return rest(at)
        return nodes[number](text, at, lambda end: walk(text, end, rest, number + 1))

    return nodes[0] if len(nodes) == 1 else walk


def compile_node(op: Any, av: Any, flags: int) -> Node:  # noqa: C901 - one case for each kind of node
    """One node of the parse tree."""
    takes = sign_test(op, av, flags)
    if takes is not None:

        def one(text: Any, at: int, rest: Rest) -> int | None:
            StepCount.steps += 1
            return rest(at + 1) if at < len(text) and takes(text[at]) else None

        return one
    if op is codes.AT:
        holds = at_place(av, flags)

        def place(text: Any, at: int, rest: Rest) -> int | None:
            StepCount.steps += 1
            return rest(at) if holds(text, at) else None

        return place
    if op is codes.BRANCH:
        choices = [compile_all(choice, flags) for choice in av[1]]

        def branch(text: Any, at: int, rest: Rest) -> int | None:
            for choice in choices:
                StepCount.steps += 1
                if (end := choice(text, at, rest)) is not None:
                    return end
            return None

        return branch
    if op is codes.SUBPATTERN:
        return _compile_group(av[0], compile_all(av[3], (flags | av[1]) & ~av[2]))
    if op is codes.GROUPREF:

        def again(text: Any, at: int, rest: Rest) -> int | None:
            begin, end = StepCount.groups.get(av, (0, -1))
            StepCount.steps += max(1, end - begin)
            return rest(at + end - begin) if end >= begin and text.startswith(text[begin:end], at) else None

        return again
    if op is codes.ATOMIC_GROUP:
        inside = compile_all(av, flags)

        def atomic(text: Any, at: int, rest: Rest) -> int | None:
            end = inside(text, at, same)
            return None if end is None else rest(end)

        return atomic
    if op in (codes.ASSERT, codes.ASSERT_NOT):
        return _compile_look(op, av, flags)
    if op in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        return _compile_repeat(op, av, flags)
    raise ValueError(f"no such node is known: {op}")


def _compile_group(number: int | None, inside: Node) -> Node:
    if number is None:
        return inside

    def group(text: Any, at: int, rest: Rest) -> int | None:
        def close(end: int) -> int | None:
            before = StepCount.groups.get(number)
            StepCount.groups[number] = (at, end)
            found = rest(end)
            if found is None and before is not None:
                StepCount.groups[number] = before
            return found

        return inside(text, at, close)

    return group


def _compile_look(op: Any, av: Any, flags: int) -> Node:
    direction, pattern = av
    inside = compile_all(pattern, flags)
    back = pattern.getwidth()[0] if direction < 0 else 0
    wanted = op is codes.ASSERT

    def look(text: Any, at: int, rest: Rest) -> int | None:
        StepCount.steps += 1
        found = at >= back and inside(text, at - back, same) is not None
        return rest(at) if found is wanted else None

    return look


def _compile_repeat(op: Any, av: Any, flags: int) -> Node:  # noqa: C901 - three kinds of repetition, side by side
    least, most, pattern = av
    (op_inside, av_inside), *more = pattern
    takes = None if more else sign_test(op_inside, av_inside, flags)
    inside = compile_all(pattern, flags)

    def of_signs(text: Any, at: int, rest: Rest) -> int | None:
        end, stop = at, len(text) if most is codes.MAXREPEAT else min(len(text), at + most)
        if op is codes.MIN_REPEAT:
            while True:
                StepCount.steps += 1
                if end - at >= least and (found := rest(end)) is not None:
                    return found
                if end == stop or not takes(text[end]):  # type: ignore[misc]  # only used where it is one
                    return None
                end += 1
        while end < stop and takes(text[end]):  # type: ignore[misc]  # as above
            end += 1
        StepCount.steps += end - at + 1
        if op is codes.POSSESSIVE_REPEAT:
            return rest(end) if end - at >= least else None
        while end - at >= least:
            StepCount.steps += 1
            if (found := rest(end)) is not None:
                return found
            end -= 1
        return None

    def of_groups(text: Any, at: int, rest: Rest, count: int = 0) -> int | None:
        StepCount.steps += 1

        def again(end: int) -> int | None:
            return None if end == at and count >= least else of_groups(text, end, rest, count + 1)

        if op is codes.MIN_REPEAT and count >= least and (found := rest(at)) is not None:
            return found
        if (most is codes.MAXREPEAT or count < most) and (found := inside(text, at, again)) is not None:
            return found
        return rest(at) if op is not codes.MIN_REPEAT and count >= least else None

    def possessive(text: Any, at: int, rest: Rest) -> int | None:
        count = 0
        while most is codes.MAXREPEAT or count < most:
            StepCount.steps += 1
            end = inside(text, at, same)
            if end is None or (end == at and count >= least):
                break
            at, count = end, count + 1
        return rest(at) if count >= least else None

    if takes is not None:
        return of_signs
    return possessive if op is codes.POSSESSIVE_REPEAT else of_groups


class CountedPattern:
    """A compiled pattern that counts. It finds what the real one finds."""

    def __init__(self, real: Any) -> None:
        self.real = real
        tree = parsing.parse(real.pattern, real.flags & ~re.DEBUG)
        self._node = compile_all(tree, tree.state.flags | real.flags)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def _ends(self, text: Any, at: int, *, whole: bool = False) -> int | None:
        shown = text.decode("latin-1") if isinstance(text, bytes) else text
        return self._node(shown, at, (lambda end: end if end == len(text) else None) if whole else same)

    def _check(self, found: Any, end: int | None) -> Any:
        if (None if found is None else found.end()) != end:
            raise AssertionError(f"{self.real.pattern!r}: counted to {end}, found {found!r}")
        return found

    def match(self, text: Any, at: int = 0) -> Any:
        return self._check(self.real.match(text, at), self._ends(text, at))

    def fullmatch(self, text: Any, at: int = 0) -> Any:
        return self._check(self.real.fullmatch(text, at), self._ends(text, at, whole=True))

    def _walk(self, text: Any, at: int = 0) -> Iterator[Any]:
        """Every match, counted from each place where one is looked for."""
        begin = at
        for found in self.real.finditer(text, at):
            self._pass(text, begin, found.start())
            self._ends(text, found.start())
            yield found
            begin = found.end()
        self._pass(text, begin, len(text) + 1)

    def _pass(self, text: Any, begin: int, end: int) -> None:
        for at in range(begin, min(end, len(text) + 1)):
            if self._ends(text, at) is not None and at != begin:
                raise AssertionError(f"{self.real.pattern!r}: counted a match at {at}")

    def search(self, text: Any, at: int = 0) -> Any:
        return next(self._walk(text, at), None)

    def finditer(self, text: Any, at: int = 0) -> Iterator[Any]:
        yield from self._walk(text, at)

    def findall(self, text: Any) -> list[Any]:
        list(self._walk(text))
        return self.real.findall(text)  # type: ignore[no-any-return]  # as the real one

    def split(self, text: Any, most: int = 0) -> list[Any]:
        list(self._walk(text))
        return self.real.split(text, most)  # type: ignore[no-any-return]  # as above

    def sub(self, new: Any, text: Any, count: int = 0) -> Any:
        list(self._walk(text))
        return self.real.sub(new, text, count)


def count_patterns() -> None:
    """Let every pattern count that is compiled from now on by code of ours."""
    sys.setrecursionlimit(1_000_000)

    def counting(pattern: Any, flags: int) -> Any:
        if isinstance(pattern, CountedPattern):
            return pattern
        real = COMPILE(pattern, flags)
        caller = sys._getframe(2).f_globals.get("__name__", "")
        ours = caller.split(".")[0] in ("engine", "notation", "pbem", "html")
        return _counted(real) if ours else real

    re._compile = counting  # type: ignore[attr-defined]  # so that nothing gets past it


@cache
def _counted(real: Any) -> CountedPattern:
    return CountedPattern(real)
