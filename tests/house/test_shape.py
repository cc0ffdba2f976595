"""The shape of the house: what stands at the top, how long files are, what they are called and say first."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

TOP = {
    *("engine", "notation", "pbem", "templates", "tests"),
    *("docs", "examples", "benchmarks", ".ci", ".gitignore"),
    *("README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "pyproject.toml"),
}
"""All that may stand at the top of the project."""

LONGEST = 400

EMPTY_NAMES = {"base", "common", "core", "helper", "helpers", "manager", "misc", "models", "util", "utils"}
"""Names that say nothing about what is inside."""


@pytest.fixture(scope="module")
def sources(root: Path, files: list[Path]) -> dict[Path, str]:
    return {path: (root / path).read_text("utf-8") for path in files if path.suffix == ".py"}


def test_only_what_a_repository_needs_stands_at_the_top(files: list[Path]) -> None:
    assert {path.parts[0] for path in files} == TOP


def test_no_file_is_longer_than_a_reader_can_hold(sources: dict[Path, str]) -> None:
    long = {str(path): lines for path, text in sources.items() if (lines := len(text.splitlines())) > LONGEST}
    assert not long


def test_every_module_says_what_it_is_for(sources: dict[Path, str]) -> None:
    assert not [str(path) for path, text in sources.items() if not ast.get_docstring(ast.parse(text, str(path)))]


def test_no_file_folder_or_class_has_an_empty_name(files: list[Path], sources: dict[Path, str]) -> None:
    hollow = {str(path) for path in files for part in (*path.parent.parts, path.stem) if part.lower() in EMPTY_NAMES}
    for path, text in sources.items():
        names = [node.name for node in ast.walk(ast.parse(text, str(path))) if isinstance(node, ast.ClassDef)]
        hollow |= {
            f"{path}: {name}"
            for name in names
            if {word.lower() for word in re.findall("[A-Z]+[a-z]*", name)} & EMPTY_NAMES
        }
    assert not hollow


def comments(text: str) -> list[str]:
    """All comments of a Python file."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def test_nothing_is_left_for_later(sources: dict[Path, str]) -> None:
    later = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
    left = {str(path) for path, text in sources.items() if any(map(later.search, comments(text)))}
    left |= {
        f"{path}:{node.lineno}"
        for path, text in sources.items()
        for node in ast.walk(ast.parse(text, str(path)))
        if isinstance(node, ast.Name | ast.Attribute)
        and ast.unparse(node) in {"NotImplementedError", "pytest.mark.skip", "pytest.mark.xfail", "pytest.skip"}
    }
    assert not left


def test_a_silenced_check_has_its_reason_beside_it(sources: dict[Path, str]) -> None:
    silenced = re.compile(r"# (noqa|type: ignore|pragma)\b")
    reason = re.compile(r"( - |  # )\w+")
    bare = [
        f"{path}: {comment}"
        for path, text in sources.items()
        for comment in comments(text)
        if silenced.match(comment) and not reason.search(comment)
    ]
    assert not bare


def test_no_test_folder_is_a_package(files: list[Path]) -> None:
    assert not [path for path in files if path.parts[0] == "tests" and path.name == "__init__.py"]


def test_templates_hold_no_python_and_never_switch_escaping_off(root: Path, files: list[Path]) -> None:
    unsafe = re.compile(r"\|\s*safe\b|autoescape\s+false|Markup\(")
    for path in files:
        if "templates" not in path.parts or path.suffix in {".ttf", ".md", ".po", ".toml"}:
            continue
        text = (root / path).read_text("utf-8")
        assert path.suffix != ".py" or len(ast.parse(text, str(path)).body) == 1, f"{path} is more than a docstring"
        assert not unsafe.search(text), f"{path} switches escaping off"
        # Jinja decides about escaping by the ending of the name, and `.html.j2` would decide wrongly.
        assert path.suffix in {".html", ".svg", ".txt", ".py"}, path
