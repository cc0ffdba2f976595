"""What translators translate, gathered from the code: sentences that stand outside the templates.

Rules, verdicts, refusals, questions and lines of a score carry their sentences as patterns. This finds them in the
source for Babel, as one of its extractors; it runs nothing and needs no Babel itself.
"""

import ast
from collections.abc import Iterable, Iterator
from typing import IO, Any, Final

SPEAKERS: Final = frozenset(
    {"Rule", "_rule", "Verdict", "Refused", "Question", "Line", "unread", "_doubt", "_too_much", "_refuse", "sealed"}
)
"""Functions and classes whose arguments hold sentences."""
SENTENCES: Final = frozenset({"says", "text", "obeys", "breaks"})
"""Names of arguments and variables that hold sentences."""

Message = tuple[int, None, str, list[str]]


def gather(source: IO[bytes], keywords: Any, comment_tags: Any, options: Any) -> Iterator[Message]:
    """The sentences of a Python file, each with its line, as Babel wants them."""
    found = {(line, text) for line, text in _sentences(ast.parse(source.read())) if " " in text}
    yield from ((line, None, text, []) for line, text in sorted(found))


def _sentences(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            named = [keyword.value for keyword in node.keywords if keyword.arg in SENTENCES]
            spoken = node.args[1:] if _name(node.func) in SPEAKERS else []
            yield from _texts([*spoken, *named])
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
            if names & SENTENCES and node.value is not None:
                yield from _texts([node.value])


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _texts(values: Iterable[ast.expr]) -> Iterator[tuple[int, str]]:
    """The texts in some values, also where one of two is chosen or a table holds several."""
    for value in values:
        for part in ast.walk(value):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.lineno, part.value
