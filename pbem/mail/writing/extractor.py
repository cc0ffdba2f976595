"""What translators translate, gathered from the code: sentences that stand outside the templates.

Rules, verdicts, refusals, questions and lines of a score carry their sentences as patterns, and pass them on in many
ways. So every text in the code that reads like a sentence is taken, except where no player will ever see it. This is
an extractor for Babel; it runs nothing and needs no Babel itself.
"""

import ast
import re
from collections.abc import Iterator
from typing import IO, Any, Final

UNSEEN: Final = (ast.Raise, ast.JoinedStr, ast.Assert)
"""Where texts stand that are for engineers, or that are put together at run time."""
TYPES: Final = ("annotation", "returns", "bases")
"""Where texts stand that name types."""
EXPRESSION: Final = re.compile(r"\\[\w.]|\(\?|\[\^|\{\d")
"""What only a regular expression has."""
WORDS: Final = re.compile(r"[^\W\d_]{2,} |[^\W\d_]{3,}\.$| [^\W\d_]{2,}")
TABLE: Final = re.compile(r"(?=.*[^\W\d_a-z])[^\W\d_A-Z]+( [^\W\d_A-Z]+)+|[a-z]+\d+ [a-z]+\d+ .*|\w+(\[.*\])? \| \w+")
"""Words that players write in several languages, the lands of a board, and a choice of types."""

Message = tuple[int, None, str, list[str]]


def extract_sentences(source: IO[bytes], keywords: Any, comment_tags: Any, options: Any) -> Iterator[Message]:
    """The sentences of a Python file, each with its line, as Babel wants them."""
    found = {text: line for line, text in _texts(ast.parse(source.read())) if _is_sentence(text)}
    yield from ((line, None, text, []) for text, line in found.items())


def _texts(node: ast.AST) -> Iterator[tuple[int, str]]:
    """All texts below a node that are values; a text that stands alone explains code."""
    for child in _values(node):
        if isinstance(child, UNSEEN) or (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
            continue
        if isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield child.lineno, child.value
        else:
            yield from _texts(child)


def _values(node: ast.AST) -> Iterator[ast.AST]:
    """What stands below a node, but for the types it names."""
    if isinstance(node, ast.AnnAssign) and getattr(node.annotation, "id", "") == "TypeAlias":
        return
    for name, field in ast.iter_fields(node):
        if name not in TYPES:
            yield from (each for each in (field if isinstance(field, list) else [field]) if isinstance(each, ast.AST))


def _is_sentence(text: str) -> bool:
    if EXPRESSION.search(text) is not None or TABLE.fullmatch(text) is not None:
        return False
    return " " in text.strip() and WORDS.search(text) is not None
