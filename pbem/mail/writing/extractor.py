"""An extractor for Babel: finds the sentences in Python code that translators have to translate.

Rules, verdicts, refusals, questions and lines of a score hold their sentences as patterns and pass them on in many
ways. So every string that reads like a sentence is taken, except in places that no player ever sees. It only parses the
code, and does not need Babel itself.
"""

import ast
import re
from collections.abc import Iterator
from typing import IO, Final

UNSEEN: Final = (ast.Raise, ast.JoinedStr, ast.Assert)
"""Nodes whose strings are for engineers, or are put together at run time."""
TYPES: Final = ("annotation", "returns", "bases")
"""Fields of nodes whose strings name types."""
GRAMMAR: Final = ("grammar", "words", "half")
"""Keyword arguments whose strings are a grammar, or words that players write."""
EXPRESSION: Final = re.compile(r"\\[\w.]|\(\?|\[\^|\{\d")
"""Characters that only a regular expression has."""
WORDS: Final = re.compile(r"[^\W\d_]{2,} |[^\W\d_]{3,}\.$| [^\W\d_]{2,}")
TABLE: Final = re.compile(r"(?=.*[^\W\d_a-z])[^\W\d_A-Z]+( [^\W\d_A-Z]+)+|[a-z]+\d+ [a-z]+\d+ .*|\w+(\[.*\])? \| \w+")
"""Strings that are data: words in several languages, the lands of a board, unions of types."""

Message = tuple[int, str | None, str | tuple[str, str], list[str]]
RULE: Final = "rule"
"""The context of the names of rules."""
_RULE_CODE: Final = re.compile(r"(?!NT|RC)[A-Z]{2}-[A-Z]?[0-9]+")
"""The codes of rules that mails name; those of records are named to programs and their users, in English."""


def extract_sentences(source: IO[bytes], keywords: object, comment_tags: object, options: object) -> Iterator[Message]:
    """The sentences of a Python file and the names of its rules with their lines, in the form that Babel expects."""
    tree = ast.parse(source.read())
    found = {text: line for line, text in _texts(tree) if _is_sentence(text)}
    yield from ((line, None, text, []) for text, line in found.items())
    yield from ((line, "pgettext", (RULE, name), []) for line, name in _rule_names(tree))


def _rule_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """What the rules of a file are called, as words: the string after a rule's code."""
    for call in ast.walk(tree):
        match call:
            case ast.Call(args=[ast.Constant(value=str(code)), ast.Constant(value=str(name)), *_]):
                if _RULE_CODE.fullmatch(code):
                    yield call.lineno, name.replace("-", " ")


def _texts(node: ast.AST) -> Iterator[tuple[int, str]]:
    """All strings below a node that are values; a string that stands alone is a docstring."""
    for child in _values(node):
        if isinstance(child, UNSEEN) or (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
            continue
        if isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield child.lineno, child.value
        else:
            yield from _texts(child)


def _values(node: ast.AST) -> Iterator[ast.AST]:
    """The children of a node, without the types it names and without grammars."""
    if isinstance(node, ast.keyword) and node.arg in GRAMMAR:
        return
    if isinstance(node, ast.AnnAssign) and getattr(node.annotation, "id", "") == "TypeAlias":
        return
    for name, field in ast.iter_fields(node):
        if name not in TYPES:
            yield from (each for each in (field if isinstance(field, list) else [field]) if isinstance(each, ast.AST))


def _is_sentence(text: str) -> bool:
    if EXPRESSION.search(text) is not None or TABLE.fullmatch(text) is not None:
        return False
    return " " in text.strip() and WORDS.search(text) is not None
