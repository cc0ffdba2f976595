"""The shape of the sources: what is at the top, how long files are, what they are called and say first."""

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from statistics import median

import pytest

TOP = {
    *("engine", "notation", "pbem", "templates", "tests"),
    *("docs", "examples", "benchmarks", ".ci", ".gitignore"),
    *("README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "pyproject.toml"),
    *(".editorconfig", ".pre-commit-config.yaml"),
}
"""All that may be at the top of the project."""

SHIPPED = ("engine", "notation", "pbem")
LONGEST = 400
MOST_FILES = 560
SHORTEST_MEDIAN = 110
"""Lines of half the files at least: many small files make a reader jump about."""

EMPTY_NAMES = {"base", "common", "core", "helper", "helpers", "manager", "misc", "models", "util", "utils"}
"""Names that say nothing about what is inside."""


@pytest.fixture(scope="module")
def sources(root: Path, files: list[Path]) -> dict[Path, str]:
    return {path: (root / path).read_text("utf-8") for path in files if path.suffix == ".py"}


@pytest.fixture(scope="module")
def trees(sources: dict[Path, str]) -> dict[Path, ast.Module]:
    return {path: ast.parse(text, str(path)) for path, text in sources.items()}


def test_only_what_a_repository_needs_stands_at_the_top(files: list[Path]) -> None:
    assert {path.parts[0] for path in files} == TOP


def test_no_file_is_longer_than_a_reader_can_hold(sources: dict[Path, str]) -> None:
    long = {str(path): lines for path, text in sources.items() if (lines := len(text.splitlines())) > LONGEST}
    assert not long


@pytest.fixture(scope="module")
def shipped(sources: dict[Path, str]) -> dict[Path, str]:
    """The modules of engine, notation and pbem; what only names a package is left out."""
    return {path: text for path, text in sources.items() if path.parts[0] in SHIPPED and path.name != "__init__.py"}


def used_twice(names: Iterable[str]) -> tuple[float, list[str]]:
    """The share of names that are given to more than one thing, and these names."""
    counts = Counter(names)
    twice = {name: count for name, count in counts.items() if count > 1}
    return sum(twice.values()) / counts.total(), sorted(twice)


def test_files_are_few_and_long_enough_to_hold_a_thought(shipped: dict[Path, str]) -> None:
    assert len(shipped) <= MOST_FILES
    assert median(text.count("\n") for text in shipped.values()) >= SHORTEST_MEDIAN


def test_hardly_any_module_is_called_by_what_it_is_doing(shipped: dict[Path, str]) -> None:
    doing = [str(path) for path in shipped if path.stem.endswith("ing")]
    assert len(doing) <= 0.03 * len(shipped), doing


def test_a_class_name_means_one_thing(shipped: dict[Path, str], trees: dict[Path, ast.Module]) -> None:
    nodes = (node for path in shipped for node in ast.walk(trees[path]))
    share, twice = used_twice(node.name for node in nodes if isinstance(node, ast.ClassDef))
    assert share < 0.08, twice


def test_a_file_name_means_one_thing_outside_games(shipped: dict[Path, str]) -> None:
    of_games = {"scenes", "games"}
    share, twice = used_twice(
        path.name for path in shipped if path.parts[0] != "engine" and not of_games & set(path.parts)
    )
    assert share < 0.08, twice


def test_types_are_seldom_left_open(shipped: dict[Path, str]) -> None:
    left_open = sum(len(re.findall(r"\bAny\b", text)) for text in shipped.values())
    assert 1000 * left_open / sum(text.count("\n") for text in shipped.values()) < 8


def test_what_an_event_holds_is_read_by_its_type_except_in_the_codec(shipped: dict[Path, str]) -> None:
    codec = Path("pbem/events/codec.py")
    assert codec in shipped
    readers = [path for path, text in shipped.items() if path.parts[0] == "pbem" and 'data["' in text]
    assert {*readers} <= {codec}


def test_every_module_says_what_it_is_for(trees: dict[Path, ast.Module]) -> None:
    assert not [str(path) for path, tree in trees.items() if tree.body and not ast.get_docstring(tree)]


def test_no_file_folder_or_class_has_an_empty_name(files: list[Path], trees: dict[Path, ast.Module]) -> None:
    hollow = {str(path) for path in files for part in (*path.parent.parts, path.stem) if part.lower() in EMPTY_NAMES}
    for path, tree in trees.items():
        names = [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
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


def test_nothing_is_left_for_later(sources: dict[Path, str], trees: dict[Path, ast.Module]) -> None:
    later = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
    left = {str(path) for path, text in sources.items() if any(map(later.search, comments(text)))}
    left |= {
        f"{path}:{node.lineno}"
        for path, tree in trees.items()
        for node in ast.walk(tree)
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


def test_every_folder_of_tests_with_python_is_a_package(files: list[Path]) -> None:
    folders = {path.parent for path in files if path.parts[0] == "tests" and path.suffix == ".py"}
    assert not [folder for folder in folders if folder / "__init__.py" not in files]


def test_templates_hold_no_python_and_never_switch_escaping_off(root: Path, files: list[Path]) -> None:
    unsafe = re.compile(r"\|\s*safe\b|autoescape\s+false|Markup\(")
    for path in files:
        if "templates" not in path.parts or path.suffix in {".ttf", ".md", ".po", ".toml"}:
            continue
        text = (root / path).read_text("utf-8")
        assert path.suffix != ".py" or len(ast.parse(text, str(path)).body) == 1, f"{path} is more than a docstring"
        assert not unsafe.search(text), f"{path} switches escaping off"
        # Jinja decides about escaping by the ending of the name, and `.html.j2` would decide wrongly.
        assert path.suffix in {".html", ".svg", ".txt", ".py", ".js", ".css"}, path
