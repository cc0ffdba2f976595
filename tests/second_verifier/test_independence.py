"""The second verifier stands on its own: whatever is called second here knows none of the house's code."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ALLOWED = {*sys.stdlib_module_names, "cryptography", "pyblst"}


def imported(path: Any) -> Iterator[Any]:
    """The packages that a module imports."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").removeprefix("tests.second_verifier.").split(".")[0]


def test_it_needs_the_standard_library_and_libraries_of_signatures() -> None:
    modules = sorted(Path(__file__).parent.glob("second_*.py"))
    allowed = ALLOWED | {path.stem for path in modules}
    assert len(modules) > 8
    assert not {(path.name, name) for path in modules for name in imported(path) if name not in allowed}
